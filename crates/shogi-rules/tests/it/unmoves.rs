//! Unmoves are the inverse of moves.
//!
//! Two laws on random positions: each unmove leads to a position of the game from which the oracle
//! plays the move back, and each move is found among the unmoves of where it leads. On tiny rule
//! sets *all* positions are listed, and the two relations are shown to be the same one.

use std::collections::HashSet;
use std::ops::ControlFlow;

use shogi_rules::shogi_core::{
    Colour, Face, Kind, Move, Piece, Placement, Role, RuleTable, Square, Unmove,
};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34};
use testing::naive::Board;
use testing::random::Random;
use testing::sample::{Style, legal};
use testing::tables;

/// The kinds of moves that can be taken back.
#[derive(Default, Debug)]
pub(super) struct Tally {
    pub(super) unmoves: usize,
    pub(super) undrops: usize,
    pub(super) unturns: usize,
    /// Pieces put back with their front and their back up.
    fronts: usize,
    backs: usize,
}

impl Tally {
    fn count<R: RuleTable>(&mut self, unmove: Unmove<R>) {
        self.unmoves += 1;
        match unmove.mv {
            Move::Board { turn, .. } => self.unturns += usize::from(turn),
            Move::Drop { .. } => self.undrops += 1,
        }
        match unmove.captured {
            Some(Face { promoted: false, .. }) => self.fronts += 1,
            Some(Face { promoted: true, .. }) => self.backs += 1,
            None => {}
        }
    }

    /// Every unmove of `next` is right: the oracle finds the position before to be one of the game
    /// and the move to be legal in it and to lead back. And none comes twice.
    pub(super) fn assert_sound<R: RuleTable>(&mut self, next: &Placement<R>) {
        let mut seen = HashSet::new();
        let after = Ok(Board::from(next));
        let _: ControlFlow<()> = next.generate_unmoves(|unmove, before| {
            self.count(unmove);
            assert!(seen.insert((*before, unmove.mv)), "{unmove:?} twice for {next:?}");
            assert_eq!(*before, next.unmake_unchecked(unmove), "{unmove:?} for {next:?}");
            let board = Board::from(before);
            assert!(board.is_position(), "{unmove:?} for {next:?}");
            let mv = board.candidates().into_iter().find(|&mv| Move::from(mv) == unmove.mv);
            let judged = mv.map(|mv| board.judge(mv));
            assert_eq!(judged.as_ref(), Some(&after), "{unmove:?} for {next:?}");
            assert_eq!(before.play_unchecked(unmove.mv), *next, "{unmove:?} for {next:?}");
            ControlFlow::Continue(())
        });
        let unmoves = next.unmoves();
        assert_eq!(unmoves.len(), seen.len());
        let mut quiet = Vec::new();
        let _: ControlFlow<()> = next.generate_quiet_unmoves(|unmove, _| {
            quiet.push(unmove);
            ControlFlow::Continue(())
        });
        assert!(quiet.iter().eq(unmoves.iter().filter(|unmove| unmove.captured.is_none())));
    }
}

/// Every legal move of `before` is among the unmoves of where it leads, with what it captured.
pub(super) fn assert_complete<R: RuleTable>(before: &Placement<R>) {
    if R::is_over(before) {
        return;
    }
    for mv in Board::from(before).moves() {
        let mv = Move::from(mv);
        let next = before.play_unchecked(mv);
        if !next.faults().is_empty() {
            assert!(!R::royal_safety(), "{mv:?} in {before:?} breaks a rule");
            continue;
        }
        let captured = before.piece(mv.to()).map(|piece| piece.face);
        let unmove = Unmove { mv, captured };
        assert!(next.unmoves().contains(&unmove), "{unmove:?} is missing for {next:?}");
        assert_eq!(next.unmake_unchecked(unmove), *before);
    }
}

fn random_positions<R: RuleTable>(positions: usize) -> Tally {
    let mut tally = Tally::default();
    let mut random = Random::new(7);
    for style in Style::ALL {
        for _ in 0..positions {
            let position = legal::<R>(&mut random, style);
            tally.assert_sound(position.placement());
            assert_complete(position.placement());
        }
    }
    tally
}

macro_rules! random_positions {
    ($($test:ident: $table:ty, $positions:literal, [$($kind:ident),+];)*) => {$(
        #[test]
        fn $test() {
            let tally = random_positions::<$table>($positions);
            $(assert!(tally.$kind > $positions, "{tally:?}");)+
        }
    )*};
}
random_positions! {
    minishogi: Minishogi, 2_000, [undrops, unturns, fronts, backs];
    kyotoshogi: KyotoShogi, 1_000, [undrops, unturns, fronts, backs];
    shogi: Shogi, 100, [undrops, fronts, backs];
    shogi34: Shogi34, 500, [undrops, fronts, backs];
    dobutsu: Dobutsu, 1_000, [undrops, fronts];
    turning: tables::Turning, 500, [undrops, unturns, fronts, backs];
    capture: tables::Capture, 1_000, [undrops, fronts];
    large: tables::Large, 50, [undrops, fronts, backs];
    shallow: tables::Shallow, 500, [undrops, fronts];
    mixed: tables::Mixed, 500, [undrops, fronts, backs];
    birds: tables::Birds, 300, [undrops, fronts, backs];
    flipping: tables::Flipping, 300, [undrops, unturns, fronts, backs];
    advancing: tables::Advancing, 500, [undrops, fronts, backs];
    jumping: tables::Jumping, 500, [undrops, fronts, backs];
}

/// Calls `visit` with every placement that has all pieces of the rule set, once each and legal or
/// not. `placed` says how many pieces of the kind `kind` have a place, the last one at `least`.
fn all_placements<R: RuleTable>(
    placement: Placement<R>,
    kind: usize,
    placed: u8,
    least: usize,
    visit: &mut impl FnMut(Placement<R>),
) {
    let Some(kind) = Kind::all::<R>().nth(kind) else {
        for side in Colour::ALL {
            let mut placement = placement;
            placement.set_side(side);
            visit(placement);
        }
        return;
    };
    let spec = kind.spec::<R>();
    if placed == spec.count {
        return all_placements(placement, kind.index() + 1, 0, 0, visit);
    }
    // The pieces of a kind are alike: their places, in a fixed order, never decrease.
    for (place, found) in places::<R>(kind).into_iter().enumerate().skip(least) {
        let mut placement = placement;
        match found {
            Place::Hand(colour) => placement.hand_mut(colour).add(kind),
            Place::Board(square, _) if placement.piece(square).is_some() => continue,
            Place::Board(square, piece) => placement.put(square, piece),
        }
        all_placements(placement, kind.index(), placed + 1, place, visit);
    }
}

enum Place<R: RuleTable> {
    Hand(Colour),
    Board(Square<R::Geometry>, Piece),
}

/// Where a piece of this kind can be.
fn places<R: RuleTable>(kind: Kind) -> Vec<Place<R>> {
    let mut places = Vec::new();
    for colour in Colour::ALL {
        if kind.spec::<R>().role != Role::Royal {
            places.push(Place::Hand(colour));
        }
        for face in Face::all::<R>().filter(|face| face.kind == kind) {
            places.extend(Square::all().map(|at| Place::Board(at, Piece { face, colour })));
        }
    }
    places
}

/// On all positions of a tiny rule set: the unmoves are sound, and there are as many of them as
/// legal moves from position to position. An injection between finite sets of equal size is a
/// bijection, so the relations are the same.
pub(super) fn assert_inverse<R: RuleTable>(min_positions: usize) -> Tally {
    let mut tally = Tally::default();
    let (mut positions, mut moves) = (0, 0);
    all_placements::<R>(Placement::EMPTY, 0, 0, 0, &mut |placement| {
        let board = Board::from(&placement);
        if board.is_position() {
            positions += 1;
            let next = board.moves().into_iter().map(|mv| board.make(mv));
            moves += next.filter(Board::is_position).count();
            tally.assert_sound(&placement);
        }
    });
    assert!(positions >= min_positions, "{positions} positions");
    assert_eq!(tally.unmoves, moves, "unmoves against moves, in {positions} positions");
    tally
}

macro_rules! all_positions {
    ($($test:ident: $table:ty, $positions:literal, [$($kind:ident),+];)*) => {$(
        #[test]
        fn $test() {
            let tally = assert_inverse::<$table>($positions);
            $(assert!(tally.$kind > 1_000, "{tally:?}");)+
        }
    )*};
}
all_positions! {
    all_of_tiny_rook: tables::TinyRook, 100_000, [undrops, unturns, fronts, backs];
    all_of_tiny_pawns: tables::TinyPawns, 10_000, [undrops, unturns, fronts, backs];
    all_of_tiny_turning: tables::TinyTurning, 10_000, [undrops, unturns, fronts, backs];
    all_of_tiny_capture: tables::TinyCapture, 10_000, [undrops, unturns, fronts, backs];
}
