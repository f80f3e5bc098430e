//! A valid placement with its incremental key.

use core::ops::Deref;

use crate::colour::Colour;
use crate::moves::Move;
use crate::placement::{Piece, Placement};
use crate::table::RuleTable;
use crate::validity::{Faults, InvalidPosition};
use crate::zobrist;

/// A position that passed the validity checks, with an incremental Zobrist key.
///
/// Small and `Copy`: [`Position::play`] returns the next position and leaves this one as it is.
/// It dereferences to its [`Placement`], where generation and the queries are.
#[derive(Clone, Copy, Debug)]
pub struct Position<R: RuleTable> {
    placement: Placement<R>,
    key: u64,
}

impl<R: RuleTable> Position<R> {
    /// A position from a placement that passes every check of [`Placement::faults`].
    ///
    /// # Errors
    ///
    /// The placement with all its faults.
    pub fn new(placement: Placement<R>) -> Result<Self, InvalidPosition<R>> {
        Self::new_allowing(placement, Faults::empty())
    }

    /// Like [`Position::new`], but the given faults are let pass; problems are often set without
    /// an attacker's king ([`Faults::MISSING_KING`]).
    ///
    /// # Errors
    ///
    /// The placement with its other faults.
    pub fn new_allowing(
        placement: Placement<R>,
        allowed: Faults,
    ) -> Result<Self, InvalidPosition<R>> {
        let faults = placement.faults() - allowed;
        if faults.is_empty() {
            Ok(Self { placement, key: zobrist::placement(&placement) })
        } else {
            Err(InvalidPosition { faults, placement })
        }
    }

    /// The key: equal for equal positions, different for different ones but for chance 2^-64.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Board, hands and side to move.
    #[inline(always)]
    pub const fn placement(&self) -> &Placement<R> {
        &self.placement
    }

    /// The position after a legal move.
    ///
    /// For a move that is not legal here the result is some position without meaning; use
    /// [`Position::try_play`] for moves from outside.
    #[inline]
    pub fn play(&self, made: Move<R>) -> Self {
        let (us, before) = (self.placement.side(), &self.placement);
        let mut key = self.key ^ zobrist::GOTE_TO_MOVE;
        match made {
            Move::Board { from, to, turn } => {
                if let Some(captured) = before.piece(to) {
                    key ^= zobrist::piece(to, captured);
                }
                if let Some(mut piece) = before.piece(from) {
                    key ^= zobrist::piece(from, piece);
                    piece.face.promoted ^= turn;
                    key ^= zobrist::piece(to, piece);
                }
            }
            Move::Drop { face, to } => key ^= zobrist::piece(to, Piece { face, colour: us }),
        }
        let placement = before.after(made);
        key ^= zobrist::hand(us, before.hand(us)) ^ zobrist::hand(us, placement.hand(us));
        Self { placement, key }
    }

    /// The position after a move, if the move is legal here.
    pub fn try_play(&self, made: Move<R>) -> Option<Self> {
        self.placement.is_legal(made).then(|| self.play(made))
    }

    /// Whether the player to move is in check.
    pub fn is_check(&self) -> bool {
        self.placement.in_check(self.placement.side())
    }

    /// The key computed from scratch; always equal to [`Position::key`].
    pub fn recompute_key(&self) -> u64 {
        zobrist::placement(&self.placement)
    }

    /// The player to move.
    #[inline(always)]
    pub const fn side(&self) -> Colour {
        self.placement.side()
    }
}

impl<R: RuleTable> Deref for Position<R> {
    type Target = Placement<R>;

    #[inline(always)]
    fn deref(&self) -> &Placement<R> {
        &self.placement
    }
}

impl<R: RuleTable> PartialEq for Position<R> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.placement == other.placement
    }
}

impl<R: RuleTable> Eq for Position<R> {}

impl<R: RuleTable> core::hash::Hash for Position<R> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
