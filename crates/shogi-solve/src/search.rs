//! What a proof search can be asked, whichever algorithm it runs.

use crate::budget::Budget;
use crate::game::{Game, Goal};

/// What a search has found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u16,
    },
    /// The opponent keeps the prover from the goal, by what the search believes; a
    /// [`Plan`](crate::Plan) settles it.
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
        plies: u16,
    },
    /// The opponent keeps him from it, whatever the history.
    Disproved,
    /// So it was on one way to the position.
    DisprovedOnce,
    /// Nothing, or nothing yet.
    Unknown,
}

/// A search for one [`Goal`] that remembers what it has found.
///
/// Proofs hold whatever the history; a disproof may be believed for the wrong reasons, and whoever
/// builds a [`Plan`](crate::Plan) on it finds out.
pub trait Search<G: Game> {
    /// The game.
    fn game(&self) -> &G;

    /// What is searched for.
    fn goal(&self) -> Goal;

    /// Searches until the goal is proved or disproved from this position, or the budget is spent. A
    /// search that the budget has ended stays where it is: asked for the same position next, it goes
    /// on as if there had been no end. Otherwise the position's moves are looked at anew, whatever is
    /// remembered of the position itself.
    fn search(&mut self, position: &G::Position, budget: &mut Budget) -> Finding;

    /// Leaves the position in which the budget has ended a search, if it has: stores the numbers of
    /// all positions on the path, so that the next search begins at its root. Returns what they make
    /// of the root. Costs no nodes.
    fn unwind(&mut self) -> Option<Finding>;

    /// Nodes that it takes to come back to where the budget has ended a search, once it is unwound; 0
    /// if there is none.
    fn moves_on_path(&self) -> usize;

    /// Whether the budget has ended the last search, which can go on.
    fn is_at_work(&self) -> bool {
        self.moves_on_path() > 0
    }

    /// The move that decides the position searched last: the prover's if it was proved and he is to
    /// move, the opponent's if it was disproved and he is.
    fn decisive_move(&self) -> Option<G::Move>;

    /// What is remembered of a position in which the game is not over.
    fn knowledge(&self, position: &G::Position) -> Knowledge;

    /// Tells the search what holds of a position whatever the history. It remembers it as long as
    /// there is memory.
    fn settle(&mut self, position: &G::Position, knowledge: Settled);

    /// Tells the search that its disproof of a position does not hold on every way there, or may
    /// not: it is to be looked at anew wherever the position comes up. By default it goes on being
    /// believed, and only more effort can clear the doubt.
    fn distrust(&mut self, _position: &G::Position) {}

    /// Forgets everything, what was settled too.
    fn forget(&mut self);

    /// Bytes that somebody may take to close the search's disproofs or to put its proofs in order,
    /// so that all is within the memory that was meant for the search.
    fn spare_bytes(&self) -> usize;
}

/// What holds of a position whatever the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// The prover reaches the goal in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u16,
    },
    /// The opponent keeps him from it.
    Disproved,
}
