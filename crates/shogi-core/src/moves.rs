//! Moves and unmoves.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::square::Square;
use crate::table::{Face, RuleTable};

/// A move on the board or a drop.
///
/// Moves of two rule sets are different types, so that none is played by the wrong rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move<R: RuleTable> {
    /// A piece on the board moves, capturing what stands on the target square.
    Board {
        /// Where the piece stands.
        from: Square<R::Geometry>,
        /// Where it goes.
        to: Square<R::Geometry>,
        /// Whether it turns over: promotion, and every board move but the king's in Kyoto shogi.
        turn: bool,
    },
    /// A piece in hand is dropped on an empty square.
    Drop {
        /// The piece, with the face that will be up.
        face: Face,
        /// Where it is put.
        to: Square<R::Geometry>,
    },
}

impl<R: RuleTable> Move<R> {
    /// The target square.
    #[inline(always)]
    pub const fn to(self) -> Square<R::Geometry> {
        match self {
            Self::Board { to, .. } | Self::Drop { to, .. } => to,
        }
    }
}

/// A move taken back: the move, and what taking it back restores.
///
/// [`Placement::unmake`](crate::Placement::unmake) leads to the position before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unmove<R: RuleTable> {
    /// The move that led here. Its `turn` says whether the piece is turned back (un-promotion),
    /// a drop goes back to the hand (un-drop).
    pub mv: Move<R>,
    /// The face that had stood on the target square and had been captured there (un-capture); it
    /// goes back from the mover's hand to the board as the opponent's.
    pub captured: Option<Face>,
}

/// Where the moves of a [`Batch`] come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin<R: RuleTable> {
    /// A piece on the board.
    Board(Square<R::Geometry>),
    /// Pawns on the board: each target is reached from the square behind it.
    Behind,
    /// A hand.
    Hand,
}

/// All legal moves of one piece, or of several pawns, or all drops of one face, as sets of target
/// squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Batch<R: RuleTable> {
    /// Where the piece comes from.
    pub origin: Origin<R>,
    /// Its face before the move; for a drop, the face dropped.
    pub face: Face,
    /// The player to move.
    pub colour: Colour,
    /// Targets of moves that keep the face.
    pub keep: Bitboard<R::Geometry>,
    /// Targets of moves that turn the piece over; empty for drops.
    pub turn: Bitboard<R::Geometry>,
}

impl<R: RuleTable> Batch<R> {
    /// Number of moves.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        // Most batches turn nothing, and counting bits is slow on processors without popcnt.
        let turning = if self.turn.is_empty() { 0 } else { self.turn.len() };
        self.keep.len() + turning
    }

    /// Whether there is no move; generation never gives such a batch.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.keep.is_empty() && self.turn.is_empty()
    }

    /// The moves: those that keep the face, then those that turn the piece.
    #[inline(always)]
    pub fn moves(&self) -> impl Iterator<Item = Move<R>> + use<R> {
        let batch = *self;
        let keeping = batch.keep.iter().map(move |to| batch.to(to, false));
        keeping.chain(batch.turn.iter().map(move |to| batch.to(to, true)))
    }

    /// The move to one of the targets: of [`Batch::turn`] if it turns the piece, else of [`Batch::keep`].
    #[inline(always)]
    pub fn to(&self, to: Square<R::Geometry>, turn: bool) -> Move<R> {
        match self.origin {
            Origin::Board(from) => Move::Board { from, to, turn },
            Origin::Behind => Move::Board { from: to.behind(self.colour), to, turn },
            Origin::Hand => Move::Drop { face: self.face, to },
        }
    }
}
