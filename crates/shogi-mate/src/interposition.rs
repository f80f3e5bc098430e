//! Interpositions, and how problem books count them.
//!
//! If an interposed piece is captured at once by a piece that gives check from there, and is given back, the
//! position is unchanged except for the nearer check. Books do not count such a pair of moves.

use shogi_core::{Bitboard, Move, Position, Square, between};
use shogi_rules::Rules;

/// Mixed into the keys of positions whose lengths are counted with free interpositions.
const BOOK: u64 = 0x7c0b_9d15_6a3f_e241;
/// Mixed, with the square, into the keys of positions in which a piece has just been interposed.
const INTERPOSED: u64 = 0x9fb2_1c65_1e98_df25;

/// The moves that count a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Every move.
    Moves,
    /// Every move except interpositions captured at once with the piece given back, which the attacker may
    /// choose. The length never exceeds the book's, which counts such a pair if it makes the mate longer.
    Book,
}

impl Count {
    /// The value mixed into the key of a board.
    pub const fn key(self) -> u64 {
        match self {
            Self::Moves => 0,
            Self::Book => BOOK,
        }
    }
}

/// The value mixed into the key of a board on which a piece has just been interposed.
pub fn key<R: shogi_core::Geometry>(square: Square<R>) -> u64 {
    INTERPOSED.wrapping_mul(square.index() as u64 * 2 + 1)
}

/// The squares on which a legal move of the player to move interposes: those between the king and the one
/// slider that gives check. Empty if the rules allow a king to stay in check.
pub fn squares<R: Rules>(position: &Position<R>) -> Bitboard<R::Geometry> {
    let us = position.side();
    let Some(king) = position.king(us).filter(|_| R::royal_safety()) else {
        return Bitboard::EMPTY;
    };
    let checkers = position.attackers(king, !us, position.occupied());
    match checkers.first() {
        Some(checker) if !checkers.has_many() && position.snipers(king, !us).contains(checker) => {
            between(king, checker)
        }
        _ => Bitboard::EMPTY,
    }
}

/// Whether a legal move captures the piece on this square with a piece that then gives check itself.
pub fn is_capture_with_check<R: Rules>(
    position: &Position<R>,
    mv: Move<R>,
    square: Square<R::Geometry>,
) -> bool {
    if mv.to() != square || matches!(mv, Move::Drop { .. }) {
        return false;
    }
    let next = position.play_unchecked(mv);
    let side = next.side();
    let Some(king) = next.king(side) else { return false };
    next.attackers(king, !side, next.occupied()).contains(square)
}

/// The position after a capture whose piece is given back to the opponent.
pub fn returned<R: Rules>(position: &Position<R>, capture: Move<R>) -> Position<R> {
    let next = position.play_unchecked(capture);
    match position.piece(capture.to()) {
        Some(captured) => next.hand_over(position.side(), captured.face.kind),
        None => next,
    }
}
