//! Everything can be sent to another thread and shared with it: this holds if it compiles.

use shogi_rules::shogi_core::{
    Batch, Bitboard, Board3x4, Board5x5, Board9x9, Colour, Faults, Hand, InvalidPosition, Move,
    MoveList, Placement, Position, Square, Unmove,
};
use shogi_rules::{
    Dobutsu, Game, KyotoShogi, Minishogi, Outcome, PlayError, PositionError, Rules, Sfen,
    SfenError, Shogi, Shogi34, StartError, Usi, UsiError,
};

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
    thread_safe::<Sfen<R>>();
    thread_safe::<Usi<R>>();
    thread_safe::<InvalidPosition<R>>();
    thread_safe::<PositionError<R>>();
}

#[test]
fn everything_is_thread_safe() {
    every_type_of::<Minishogi>();
    every_type_of::<KyotoShogi>();
    every_type_of::<Shogi>();
    every_type_of::<Shogi34>();
    every_type_of::<Dobutsu>();
    thread_safe::<(Board3x4, Board5x5, Board9x9)>();
    thread_safe::<(Colour, Hand, Faults, Outcome)>();
    thread_safe::<(SfenError, UsiError, StartError, PlayError)>();
}
