//! The plies of the line being searched: their moves, evaluations and counts.

use crate::history::{Capture, DISTANCES, Quiet};
use crate::packed::NONE;
use crate::score::MAX_PLY;

/// A ply of the line being searched: the position there, and the move made from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The move, packed, or [`NONE`].
    pub(crate) packed: u16,
    /// Whether the position is one of the line that the iteration before found.
    pub(crate) follows: bool,
    /// The piece-to index of the move; `None` before the first one and for a pass.
    pub(crate) piece_to: Option<u16>,
    /// The move, if it is quiet.
    pub(crate) quiet: Option<Quiet>,
    /// The move, if it is not.
    pub(crate) capture: Option<Capture>,
    /// The history score of the move, for late-move reductions.
    pub(crate) score: i32,
    /// The plies by which the search of the move is reduced.
    pub(crate) reduction: i32,
    /// The number of moves searched before it.
    pub(crate) number: usize,
    /// Whether the table knows the position.
    pub(crate) known: bool,
    /// The corrected evaluation of the position; `None` in check.
    pub(crate) eval: Option<i32>,
    /// Whether the position has been one of a principal variation.
    pub(crate) table_pv: bool,
    /// Beta cutoffs among the positions at this ply, since the position two plies before was entered.
    pub(crate) cutoffs: u32,
    /// The move that is left out of the search of the position, packed, or [`NONE`].
    pub(crate) excluded: u16,
}

impl Frame {
    const NEW: Self = Self {
        packed: NONE,
        follows: false,
        piece_to: None,
        quiet: None,
        capture: None,
        score: 0,
        reduction: 0,
        number: 0,
        known: false,
        eval: None,
        table_pv: false,
        cutoffs: 0,
        excluded: NONE,
    };
}

/// Plies before the root that are looked up.
const BEFORE: usize = 8;

/// The frames of all plies of a line.
#[derive(Clone, Debug)]
pub(crate) struct Frames([Frame; BEFORE + MAX_PLY + 4]);

impl Frames {
    /// Frames of no moves.
    pub(crate) const fn new() -> Self {
        Self([Frame::NEW; BEFORE + MAX_PLY + 4])
    }

    /// The frame of a ply.
    #[inline]
    pub(crate) const fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE]
    }

    /// The frame of a ply, to be changed.
    #[inline]
    pub(crate) const fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame `back` plies before a ply, at most eight.
    #[inline]
    pub(crate) const fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }

    /// The piece-to indices of the moves made [`DISTANCES`] plies before a ply; in check, of the last two alone, since
    /// older plans are interrupted.
    #[inline]
    pub(crate) fn earlier(&self, ply: usize, check: bool) -> [Option<u16>; 5] {
        DISTANCES.map(|back| match check && back > 2 {
            true => None,
            false => self.before(ply, back).piece_to,
        })
    }

    /// Whether the evaluation is better than at the player's last turn without check, of the last two.
    #[inline]
    pub(crate) fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.at(ply).eval else { return false };
        let earlier = self.before(ply, 2).eval.or(self.before(ply, 4).eval);
        earlier.is_some_and(|earlier| now > earlier)
    }
}
