//! The interface of all proof searches.

use crate::game::{GameGraph, Goal};
use shogi_mate::Budget;

/// The finding of a search about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 means that many or more.
        plies: u32,
    },
    /// The opponent prevents the goal, as far as the search knows; only a [`Plan`](crate::Plan) is certain.
    Disproved,
    /// The budget, or the memory for the path from the root, was spent first.
    Unknown {
        /// The root's proof number.
        proof: u32,
        /// The root's disproof number.
        disproof: u32,
    },
}

/// The knowledge of a search about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// The prover reaches the goal from here in at most this many plies.
    Proved {
        /// Plies; 65,535 means that many or more.
        plies: u32,
    },
    /// The opponent prevents it, for every history.
    Disproved,
    /// Disproved on one path to the position, but possibly not on others.
    DisprovedOnce,
    /// Nothing is known.
    Unknown,
}

/// A search for one [`Goal`] that remembers its findings.
///
/// Proofs hold for every history. A disproof may depend on the history and may then be wrong elsewhere;
/// building a [`Plan`](crate::Plan) from it shows whether it holds.
pub trait Search<G: GameGraph> {
    /// The game.
    fn game(&self) -> &G;

    /// The goal.
    fn goal(&self) -> Goal;

    /// Searches until the goal is proved or disproved from this position, or the budget is spent. A search that
    /// runs out of budget is paused: the next call for the same position resumes it without loss. Otherwise the
    /// position's moves are searched again, even if the position itself is remembered.
    fn search(&mut self, position: &G::Position, budget: &mut Budget) -> Finding;

    /// Abandons a paused search and stores the numbers of all positions on its path, so that the next search
    /// begins at its root. Returns the finding about the root, or `None` if no search is paused. Costs no
    /// nodes.
    fn unwind(&mut self) -> Option<Finding>;

    /// Nodes needed to return to the paused position after [`Search::unwind`]; 0 if no search is paused.
    fn moves_on_path(&self) -> usize;

    /// Whether a search is paused, which can be resumed.
    fn is_at_work(&self) -> bool {
        self.moves_on_path() > 0
    }

    /// The move that decides the last searched position: the prover's if it was proved with the prover to move,
    /// the opponent's if it was disproved with the opponent to move.
    fn decisive_move(&self) -> Option<G::Move>;

    /// Prefetches the table entries of these positions for [`Search::knowledge`]. By default nothing is done.
    fn prefetch(&self, _positions: &[G::Position]) {}

    /// The knowledge of a position in which the game is not over.
    fn knowledge(&self, position: &G::Position) -> Knowledge;

    /// Sets the final value of a position, which holds for every history. It is kept as long as there is memory
    /// for it.
    fn set_final(&mut self, position: &G::Position, value: FinalValue);

    /// Invalidates a disproof that may not hold on every path to the position, which is then searched again
    /// wherever it occurs. By default nothing is invalidated, and only a search with more nodes can correct the
    /// disproof.
    fn invalidate(&mut self, _position: &G::Position) {}

    /// Forgets everything, including final values.
    fn forget(&mut self);

    /// Bytes available for closing the search's disproofs or ordering its proofs within the memory of the
    /// search.
    fn spare_bytes(&self) -> usize;
}

/// The value of a position that holds for every history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalValue {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 means that many or more.
        plies: u32,
    },
    /// The opponent prevents it.
    Disproved,
}
