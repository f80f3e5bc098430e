//! Searching until a finding is certain.

use super::EFFORT;
use super::safe_set::{Prevention, SafeSet};
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::plan::Plan;
use crate::search::{Finding, Search};

/// What a search has come to, its disproofs closed.
#[derive(Debug)]
pub enum Decision<G: GameGraph> {
    /// The goal is reached in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u32,
    },
    /// The opponent has a plan that prevents it.
    Prevented(Plan<G>),
    /// The budget was spent before; the last finding, which is no proof, and if it is a disproof,
    /// not a certain one.
    Open(Finding),
}

/// Searches a position and closes the disproof, if it is one, by [`prevent`](super::prevent); where
/// that shows disproofs to be wrong, the search goes on from there.
pub fn decide<G: GameGraph, S: Search<G>>(
    search: &mut S,
    position: &G::Position,
    budget: &mut Budget,
) -> Decision<G> {
    let mut deciding = Deciding::new(position.clone());
    let decision = deciding.run(search, budget);
    search.unwind();
    decision.unwrap_or(Decision::Open(deciding.finding))
}

/// How often a search goes on after a disproof for whose set there was no memory, and in which nothing
/// was proved.
const MAX_TOO_LARGE: u32 = 16;

/// [`decide`] under way. A call that the budget ends is gone on with by the next one.
pub(crate) struct Deciding<G: GameGraph> {
    position: G::Position,
    /// The last finding of the search, which is no proof.
    pub(crate) finding: Finding,
    effort: u64,
    doubts: u32,
    /// Sets in a row that there was no memory for and in which nothing was proved.
    too_large: u32,
    /// Nodes of the search in this round.
    searched: u64,
    /// The set that is being closed, in the second half of a round.
    set: Option<SafeSet<G>>,
}

impl<G: GameGraph> Deciding<G> {
    pub(crate) const fn new(position: G::Position) -> Self {
        let finding = Finding::Unknown { proof: 1, disproof: 1 };
        Self { position, finding, effort: EFFORT, doubts: 0, too_large: 0, searched: 0, set: None }
    }

    /// Whether the position itself is being searched.
    pub(crate) const fn is_searching(&self) -> bool {
        self.set.is_none()
    }

    /// Goes on; `None` if the budget is spent before there is a decision.
    pub(crate) fn run<S: Search<G>>(
        &mut self,
        search: &mut S,
        budget: &mut Budget,
    ) -> Option<Decision<G>> {
        loop {
            if let Some(set) = &mut self.set {
                match set.close(search, budget)? {
                    Prevention::Plan(plan) => return Some(Decision::Prevented(plan)),
                    Prevention::Reached | Prevention::Doubtful => self.set = None,
                    Prevention::Unknown => {
                        // There is no memory for the set. Unless the search finds another disproof, or
                        // a proof, that is the end.
                        self.too_large = if set.found_proofs() { 0 } else { self.too_large + 1 };
                        if self.too_large > MAX_TOO_LARGE {
                            return Some(Decision::Open(self.finding));
                        }
                        set.invalidate_all(search);
                        self.set = None;
                    }
                }
            }
            let before = budget.spent();
            self.finding = search.search(&self.position, budget);
            self.searched += budget.spent() - before;
            match self.finding {
                Finding::Proved { plies } => return Some(Decision::Proved { plies }),
                Finding::Unknown { .. } if search.is_at_work() => return None,
                Finding::Unknown { .. } => return Some(Decision::Open(self.finding)),
                Finding::Disproved => {}
            }
            // Where doubts change few disproofs of the search, they are looked into deeper;
            // and where there are ever more of them.
            self.effort = match std::mem::take(&mut self.searched) < EFFORT {
                true => self.effort.saturating_mul(2),
                false => EFFORT << (self.doubts / 64).min(40),
            };
            self.doubts = self.doubts.saturating_add(1);
            self.set = Some(SafeSet::new(search, &self.position, self.effort));
        }
    }
}
