//! A position on the path of a search, and the consequences of its moves.

use shogi_core::{Bitboard, Hand, Move, Position, Square};
use shogi_rules::Rules;

use super::expansion::Child;
use super::hands;
use super::memory::{Known, LONGEST, NEVER, Place, UNLIMITED};
use crate::numbers::ProofNumbers;

/// A position on the path.
#[derive(Debug)]
pub struct Frame<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The place of the position in the table.
    pub place: Place,
    /// Whether the attacker is to move.
    pub attacking: bool,
    /// Squares on which a defender's move interposes uselessly, if the count distinguishes that.
    pub line: Bitboard<R::Geometry>,
    /// The square of the defender's interposition just made, if the count distinguishes that.
    pub interposed: Option<Square<R::Geometry>>,
    /// The index of the first move that gives back an interposed piece.
    pub returns: usize,
    /// The threshold, as seen by the attacker, at which the search returns.
    pub threshold: ProofNumbers,
    /// The start of its moves.
    pub start: usize,
    /// The index of the move on the path.
    pub current: usize,
    /// The node count on entry.
    pub entered: u64,
    /// The nearest frame above with the same board.
    pub same_board: Option<u32>,
}

/// Consequences of the knowledge about the moves.
impl<R: Rules> Frame<R> {
    /// The plies that a move counts: an interposition counts none, since a check that leaves or keeps the piece
    /// counts for both moves, and a capture that gives it back counts for neither.
    #[inline(always)]
    pub fn plies<const BOOK: bool>(&self, mv: Move<R>, index: usize) -> u16 {
        match self.interposed {
            _ if !BOOK => 1,
            Some(_) if index >= self.returns => 0,
            Some(_) => 2,
            None if self.line.contains(mv.to()) => 0,
            None => 1,
        }
    }

    /// The attacker's hand before a move that leaves them `after`.
    fn hand_before(&self, mv: Move<R>, index: usize, after: Hand) -> Hand {
        if index >= self.returns { after } else { hands::before(&self.position, mv, after) }
    }

    /// A mate by the best move.
    pub fn proved_attack<const BOOK: bool>(&self, best: &Child<R>, index: usize) -> Known {
        let kept = self.hand_before(best.mv, index, best.known.kept);
        Known::proved(longer(best.known.length, self.plies::<BOOK>(best.mv, index)), kept)
    }

    /// A mate against every defence.
    pub fn proved_defence<const BOOK: bool>(&self, children: &[Child<R>]) -> Known {
        let (mut replies, mut length) = (Hand::EMPTY, 0);
        for (index, &Child { mv, known: reply, .. }) in children.iter().enumerate() {
            replies = hands::most::<R>(replies, reply.kept);
            length = length.max(longer(reply.length, self.plies::<BOOK>(mv, index)));
        }
        Known::proved(length, hands::proof_of_defence(&self.position, replies))
    }

    /// No mate by any move.
    pub fn refuted_attack<const BOOK: bool>(&self, children: &[Child<R>]) -> Known {
        let total = hands::total(&self.position);
        let (mut kept, mut length, mut loops) = (total, UNLIMITED, NEVER);
        for (index, &Child { mv, known: reply, .. }) in children.iter().enumerate() {
            kept = hands::least::<R>(kept, self.hand_before(mv, index, reply.kept));
            length = length.min(reply.length.saturating_add(self.plies::<BOOK>(mv, index)));
            loops = loops.min(reply.loops);
        }
        if BOOK && self.interposed.is_some() && self.place.limit < 2 {
            // Checks were not looked at.
            length = length.min(1);
        }
        let kept = hands::disproof_of_attack(&self.position, kept);
        Known { loops: beyond(loops, &self.place), ..Known::refuted(length, kept) }
    }

    /// No mate, by the best move of the defender.
    pub fn refuted_defence<const BOOK: bool>(&self, best: &Child<R>, index: usize) -> Known {
        let kept = hands::disproof_of_defence(&self.position, best.mv, best.known.kept);
        let length = best.known.length.saturating_add(self.plies::<BOOK>(best.mv, index));
        Known { loops: beyond(best.known.loops, &self.place), ..Known::refuted(length, kept) }
    }
}

/// A length plus `plies`.
fn longer(length: u16, plies: u16) -> u16 {
    (length + plies).min(LONGEST)
}

/// The depth of a repetition seen from a place: a repetition of the place itself, or of one below it, happens
/// on every path.
fn beyond(loops: u16, place: &Place) -> u16 {
    if loops < place.depth { loops } else { NEVER }
}
