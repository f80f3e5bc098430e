//! What every proof search offers, whichever algorithm it runs.

use crate::budget::Budget;
use crate::game::{GameGraph, Goal};

/// What a search has found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u32,
    },
    /// The opponent keeps the prover from the goal, as far as the search knows; only a
    /// [`Plan`](crate::Plan) is certain.
    Disproved,
    /// The budget was spent before, or the memory for the path from the root.
    Unknown {
        /// The root's proof number.
        proof: u32,
        /// The root's disproof number.
        disproof: u32,
    },
}

/// What a search remembers of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// The prover reaches the goal from here in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u32,
    },
    /// The opponent keeps the prover from it, whatever the history.
    Disproved,
    /// Disproved on one path to the position; on others it may not be.
    DisprovedOnce,
    /// Nothing, or nothing yet.
    Unknown,
}

/// A search for one [`Goal`] that remembers what it has found.
///
/// Proofs hold whatever the history. A disproof may depend on the history and may then be wrong
/// elsewhere; building a [`Plan`](crate::Plan) from it shows whether it holds.
pub trait Search<G: GameGraph> {
    /// The game.
    fn game(&self) -> &G;

    /// What is searched for.
    fn goal(&self) -> Goal;

    /// Searches until the goal is proved or disproved from this position, or the budget is spent. A
    /// search that the budget has ended stays where it is: called for the same position next, it
    /// resumes as if there had been no end. Otherwise the position's moves are looked at anew, whatever is
    /// remembered of the position itself.
    fn search(&mut self, position: &G::Position, budget: &mut Budget) -> Finding;

    /// Leaves the position in which the budget has ended a search, if it has: stores the numbers of
    /// all positions on the path, so that the next search begins at its root. Returns what they make
    /// of the root. Costs no nodes.
    fn unwind(&mut self) -> Option<Finding>;

    /// Nodes that it takes to come back to where the budget has ended a search, once it is unwound; 0
    /// if there is none.
    fn moves_on_path(&self) -> usize;

    /// Whether the budget has ended the last search, which can be resumed.
    fn is_at_work(&self) -> bool {
        self.moves_on_path() > 0
    }

    /// The move that decides the position searched last: the prover's if it was proved and the prover is to
    /// move, the opponent's if it was disproved and the opponent is.
    fn decisive_move(&self) -> Option<G::Move>;

    /// Prefetches the table entries of these positions, so that looks at them by [`Search::knowledge`] wait for
    /// memory side by side. By default nothing is done.
    fn prefetch(&self, _positions: &[G::Position]) {}

    /// What is remembered of a position in which the game is not over.
    fn knowledge(&self, position: &G::Position) -> Knowledge;

    /// Sets the final value of a position, which holds whatever the history. It is kept as long as
    /// there is memory for it.
    fn set_final(&mut self, position: &G::Position, value: FinalValue);

    /// Invalidates the disproof of a position that may not hold on every path there: it is searched
    /// anew wherever the position comes up. By default nothing is invalidated, and only a search with
    /// more nodes can correct the disproof.
    fn invalidate(&mut self, _position: &G::Position) {}

    /// Forgets everything, final values too.
    fn forget(&mut self);

    /// Bytes that closing the search's disproofs or ordering its proofs may take, so that all stays
    /// within the memory meant for the search.
    fn spare_bytes(&self) -> usize;
}

/// The value of a position that holds whatever the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalValue {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u32,
    },
    /// The opponent keeps the prover from it.
    Disproved,
}
