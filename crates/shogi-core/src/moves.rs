//! Moves and unmoves.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::square::Square;
use crate::table::{Face, RuleTable};

/// A move on the board or a drop.
///
/// Moves of two rule sets have different types, so that none is played by the wrong rules.
///
/// ```
/// use shogi_core::Move;
/// use shogi_rules::{Minishogi, Rules};
///
/// let mv: Move<Minishogi> = "5d5c".parse()?;
/// assert!(matches!(mv, Move::Board { turn: false, .. }));
/// assert!(Minishogi::start().legal_moves().contains(&mv));
/// assert_eq!(mv.to_string(), "5d5c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// Sorts moves: those on the board by their squares, then the drops.
    pub fn sort(moves: &mut [Self]) {
        moves.sort_unstable_by_key(|mv| mv.code());
    }

    /// A number that grows in the order of the moves.
    const fn code(self) -> u32 {
        match self {
            Self::Board { from, to, turn } => {
                (from.index() as u32) << 16 | (to.index() as u32) << 8 | turn as u32
            }
            Self::Drop { face, to } => DROP | (face.index() as u32) << 8 | to.index() as u32,
        }
    }
}

/// In the code of a move: a drop.
const DROP: u32 = 1 << 24;

/// A move to take back, with what taking it back restores.
///
/// [`Placement::unmake`](crate::Placement::unmake) leads to the position before it.
///
/// ```
/// use shogi_rules::{Minishogi, Rules};
///
/// let start = Minishogi::start();
/// let next = start.play("5d5c".parse()?)?;
/// let mut before = next.unmoves().into_iter().map(|unmove| next.unmake_unchecked(unmove));
/// assert!(before.any(|placement| placement == *start.placement()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
///
/// ```
/// use core::ops::ControlFlow;
/// use shogi_rules::{Minishogi, Rules};
///
/// let mut moves = 0;
/// let _: ControlFlow<()> = Minishogi::start().generate(|batch| {
///     moves += batch.len();
///     ControlFlow::Continue(())
/// });
/// assert_eq!(moves, 14);
/// ```
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

    /// Whether a move is one of them.
    pub fn contains(&self, mv: Move<R>) -> bool {
        let turn = matches!(mv, Move::Board { turn: true, .. });
        self.targets(turn).contains(mv.to()) && self.to(mv.to(), turn) == mv
    }

    /// Targets of the moves that turn the piece over, or of those that keep its face.
    #[inline(always)]
    pub const fn targets(&self, turn: bool) -> Bitboard<R::Geometry> {
        if turn { self.turn } else { self.keep }
    }

    /// The moves: those that keep the face, then those that turn the piece.
    #[inline(always)]
    pub fn moves(&self) -> impl Iterator<Item = Move<R>> + use<R> {
        Moves(*self)
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

/// The moves of a batch that are still to be returned.
struct Moves<R: RuleTable>(Batch<R>);

impl<R: RuleTable> Iterator for Moves<R> {
    type Item = Move<R>;

    #[inline(always)]
    fn next(&mut self) -> Option<Move<R>> {
        let (to, turn) = match self.0.keep.pop() {
            Some(to) => (to, false),
            None => (self.0.turn.pop()?, true),
        };
        Some(self.0.to(to, turn))
    }
}
