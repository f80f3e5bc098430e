//! The ways by which a piece that gives check can have come to its square by a move.
//!
//! Whether a way is free depends on which squares are empty, whether the mover has a piece in hand to
//! put back, and where the mover's pawns stand; all of it can be tracked while a board is filled.

use std::ops::ControlFlow;

use shogi_core::{Colour, Direction, Face, Move, Piece, RuleTable};

use crate::board::Board;
use crate::constants::Constants;
use crate::table::{Squares, Table, has, members, one};

/// A piece of Gote's that gives check.
pub(crate) type Checker = (u8, Face);

/// A way by which a checker can have come: a move of its own to its present square, from a position in
/// which it gave no check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Way {
    /// Its origin.
    pub(crate) from: u8,
    /// The squares that must be empty: where it came from, and those between.
    pub(crate) empty: Squares,
    /// Squares of which at least one must be occupied, since otherwise it gave check from its origin
    /// already; empty where it gave none from there in any case.
    pub(crate) screen: Squares,
    /// Squares that must have no pawn of Gote's: the file on which the checker was a pawn itself.
    pub(crate) pawnless: Squares,
    /// Whether a piece was captured, which is now in Gote's hand.
    pub(crate) captures: bool,
}

/// [`ways`] for a rule table.
pub(crate) type FindWays = fn([u8; 2], Checker, &[Checker]) -> Vec<Way>;

/// All ways by which a checker can have come, around these kings and with the `others` giving check
/// too.
///
/// The caller considers the squares behind the checker ([`Way::blocks`]).
pub(crate) fn ways<R: RuleTable>(
    kings: [u8; 2],
    (to, face): Checker,
    others: &[Checker],
) -> Vec<Way> {
    let table = Constants::<R>::table();
    let gote = |face| Piece { face, colour: Colour::Gote };
    let mut board = Board::<Squares>::EMPTY;
    board.put_piece(kings[1], gote(Face::front(table.royal)));
    board.put_piece(to, gote(face));
    for &(square, other) in others {
        board.put_piece(square, gote(other));
    }
    let arrival = Arrival { table, kings, to, others };
    let mut ways = Vec::new();
    // Without Sente's king no unmove is refused for a check.
    let _: ControlFlow<()> = board.placement::<R>().generate_quiet_unmoves(|unmove, _| {
        if let Move::Board { from, to: target, turn } = unmove.mv
            && target.index() == usize::from(to)
        {
            let was = Face { promoted: face.promoted ^ turn, ..face };
            let way = |captures| arrival.way(from.index() as u8, (was, turn), captures);
            ways.extend([false, true].into_iter().filter_map(way));
        }
        ControlFlow::Continue(())
    });
    ways
}

/// Facts that decide where a checker came from.
struct Arrival<'a> {
    table: &'static Table,
    kings: [u8; 2],
    to: u8,
    others: &'a [Checker],
}

impl Arrival<'_> {
    /// The way from a square with that face, unless the checker gave check from there for sure.
    fn way(&self, from: u8, (was, turned): (Face, bool), captures: bool) -> Option<Way> {
        let Self { table, kings: [king, other], to, others } = *self;
        let path = table.between(from, to);
        let empty = path | one(from);
        let movement = table.movement(was)?;
        if has(empty, king) || has(table.step_attacks(movement.step, Colour::Gote, from), king) {
            return None;
        }
        let mut screen = 0;
        if has(table.slide_attacks(movement.slide, Colour::Gote, from, 0), king) {
            let line = table.between(from, king);
            let mut filled = one(other) | if captures { one(to) } else { 0 };
            let mut clear = path | one(to) | table.between(king, to);
            for &(square, _) in others {
                filled |= one(square);
                clear |= table.between(king, square);
            }
            if line & filled == 0 {
                screen = line & !clear;
                if screen == 0 {
                    return None;
                }
            }
        }
        let was_pawn = turned && table.is_pawn(was) && !table.allows_nifu;
        let pawnless = if was_pawn { table.file_of(from) } else { 0 };
        Some(Way { from, empty, screen, pawnless, captures })
    }
}

impl Way {
    /// Whether it is free on a board with these squares occupied, these by pawns of Gote's.
    pub(crate) const fn is_free(&self, occupied: Squares, pawns: Squares) -> bool {
        let is_screened = self.screen == 0 || self.screen & occupied != 0;
        self.empty & occupied == 0 && self.pawnless & pawns == 0 && is_screened
    }

    /// Whether, where the checker now stands on `ray` between the king and a second attacker, that
    /// attacker was blocked before the move as well: by the checker on that ray, or by a captured piece.
    pub(crate) const fn blocks(&self, ray: Squares) -> bool {
        self.captures || has(ray, self.from)
    }
}

/// The best of some ways that is free on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// One is free that captured nothing.
    Quiet,
    /// One is free that captured something, and Gote has something in hand.
    Capture,
    /// None is.
    Barred,
}

impl Outcome {
    pub(crate) const ALL: [Self; 3] = [Self::Quiet, Self::Capture, Self::Barred];

    /// The outcome on a board with these squares occupied, these by pawns of Gote's, who has
    /// something in hand or nothing.
    pub(crate) fn of(ways: &[Way], occupied: Squares, pawns: Squares, has_hand: bool) -> Self {
        let is_any = |captures| {
            ways.iter().any(|way| way.captures == captures && way.is_free(occupied, pawns))
        };
        if is_any(false) {
            Self::Quiet
        } else if has_hand && is_any(true) {
            Self::Capture
        } else {
            Self::Barred
        }
    }
}

/// The ray from a king through a square; none where they are on no line.
pub(crate) fn ray_through(table: &Table, king: u8, square: u8) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&ray| has(table.ray_attacks(ray, king, 0), square))
}

/// The ways by which one of two checkers can have left the line of the other; given for each whether
/// a further piece would attack through its square.
pub(crate) fn ways_of_two(
    table: &Table,
    find_ways: FindWays,
    kings: [u8; 2],
    [a, b]: [Checker; 2],
    backed: [bool; 2],
) -> Vec<Way> {
    let leaving = |one: Checker, other: Checker, is_backed: bool| {
        let line = table.between(kings[0], other.0);
        let mut ways = if line == 0 { Vec::new() } else { find_ways(kings, one, &[other]) };
        ways.retain(|way| has(line, way.from) && (way.captures || !is_backed));
        ways
    };
    let mut ways = leaving(a, b, backed[0]);
    ways.extend(leaving(b, a, backed[1]));
    ways
}

/// The squares of pieces that stand alone between a king and a piece that would attack it, given all
/// that would attack it over an empty board.
pub(crate) fn alone_before(
    table: &Table,
    king: u8,
    snipers: Squares,
    occupied: Squares,
) -> Squares {
    members(snipers).fold(0, |alone, sniper| {
        let between = table.between(king, sniper) & occupied;
        if between.count_ones() == 1 { alone | between } else { alone }
    })
}
