//! Everything can be sent to another thread and shared with it: this holds if it compiles.

use shogi_rules::shogi_core::{
    Batch, Bitboard, Board3x4, Board5x5, Board9x9, Colour, Faults, Hand, InvalidPosition, Move,
    MoveList, Placement, Position, Square, Unmove,
};
use shogi_rules::{
    Game, Outcome, PlayError, PositionError, Rules, SfenError, StartError, UsiError,
};
use testing::for_every_variant;

fn thread_safe<T: Send + Sync + 'static>() {}

fn every_type_of<R: Rules>() {
    thread_safe::<Square<R::Geometry>>();
    thread_safe::<Bitboard<R::Geometry>>();
    thread_safe::<Placement<R>>();
    thread_safe::<Position<R>>();
    thread_safe::<Move<R>>();
    thread_safe::<MoveList<R>>();
    thread_safe::<Unmove<R>>();
    thread_safe::<Batch<R>>();
    thread_safe::<Game<R>>();
    thread_safe::<InvalidPosition<R>>();
    thread_safe::<PositionError<R>>();
}

for_every_variant!(every_type_is_thread_safe: every_type_of());

#[test]
fn all_other_types_are_thread_safe() {
    thread_safe::<(Board3x4, Board5x5, Board9x9)>();
    thread_safe::<(Colour, Hand, Faults, Outcome)>();
    thread_safe::<(SfenError, UsiError, StartError, PlayError)>();
}
