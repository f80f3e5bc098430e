//! Searching until a finding is certain.

use super::EFFORT;
use super::ground::{Ground, Grounds, Nodes, ROOT, Step};
use super::safe_set::{Closed, Set};
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
pub fn decide<G: GameGraph>(
    search: &mut dyn Search<G>,
    position: &G::Position,
    budget: &mut Budget,
) -> Decision<G> {
    let mut deciding = Deciding::new(search.game(), position);
    let decision = deciding.run(search, budget);
    search.unwind();
    decision.unwrap_or(Decision::Open(deciding.finding()))
}

/// How long a search goes on where there is no memory for the sets of its disproofs: until nothing was
/// proved in them for so many times the nodes spent before.
const PATIENCE: u64 = 16;

/// [`decide`] under way. A call that the budget ends is gone on with by the next one.
pub(crate) struct Deciding<G: GameGraph> {
    /// The position, and those of the set that is being closed.
    nodes: Nodes<G>,
    rounds: Rounds,
}

impl<G: GameGraph> Deciding<G> {
    pub(crate) fn new(game: &G, position: &G::Position) -> Self {
        Self { nodes: Nodes::new(game, position), rounds: Rounds::new() }
    }

    /// The last finding of the search, which is no proof.
    pub(crate) const fn finding(&self) -> Finding {
        self.rounds.finding
    }

    /// Whether the position itself is being searched.
    pub(crate) const fn is_searching(&self) -> bool {
        self.rounds.set.is_none()
    }

    /// Goes on; `None` if the budget is spent before there is a decision.
    pub(crate) fn run(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Option<Decision<G>> {
        let Self { nodes, rounds } = self;
        let decided = rounds.run(&mut Grounds::new(search, nodes, &mut None), budget)?;
        Some(match decided {
            Decided::Proved { plies } => Decision::Proved { plies },
            Decided::Prevented(steps) => Decision::Prevented(nodes.plan(search.game(), &steps)),
            Decided::Open => Decision::Open(rounds.finding),
        })
    }
}

/// What [`Rounds`] have come to.
enum Decided {
    Proved {
        plies: u32,
    },
    /// These steps of the opponent prevent it.
    Prevented(Vec<(Step, u32)>),
    Open,
}

/// Searches for a goal, and sets that are made of their disproofs, in turns.
struct Rounds {
    finding: Finding,
    effort: u64,
    doubts: u32,
    /// Nodes of the search and of the sets.
    spent: u64,
    /// What they were at the first set that there was no memory for, or at the last in which something
    /// was proved.
    fruitful: Option<u64>,
    /// Nodes of the search in this round.
    searched: u64,
    /// The set that is being closed, in the second half of a round.
    set: Option<Set>,
}

impl Rounds {
    const fn new() -> Self {
        let finding = Finding::Unknown { proof: 1, disproof: 1 };
        Self {
            finding,
            effort: EFFORT,
            doubts: 0,
            spent: 0,
            fruitful: None,
            searched: 0,
            set: None,
        }
    }

    fn run(&mut self, ground: &mut dyn Ground, budget: &mut Budget<'_>) -> Option<Decided> {
        loop {
            if let Some(set) = &mut self.set {
                let before = budget.spent();
                let closed = set.close(ground, budget);
                self.spent += budget.spent() - before;
                match closed? {
                    Closed::Safe => return Some(Decided::Prevented(set.steps(ground))),
                    Closed::Reached | Closed::Doubtful => {}
                    Closed::Full => {
                        // There is no memory for the set. The search goes on without its disproofs, unless
                        // that has been of no use for long.
                        if set.found_proofs() {
                            self.fruitful = Some(self.spent);
                        }
                        let fruitful = *self.fruitful.get_or_insert(self.spent);
                        if self.spent / PATIENCE > fruitful {
                            return Some(Decided::Open);
                        }
                        set.invalidate_all(ground);
                    }
                }
                self.set = None;
                ground.restart();
            }
            let before = budget.spent();
            self.finding = ground.search(ROOT, budget);
            self.searched += budget.spent() - before;
            self.spent += budget.spent() - before;
            match self.finding {
                Finding::Proved { plies } => return Some(Decided::Proved { plies }),
                Finding::Unknown { .. } if ground.is_at_work() => return None,
                Finding::Unknown { .. } => return Some(Decided::Open),
                Finding::Disproved => {}
            }
            // Where doubts change few disproofs of the search, they are looked into deeper;
            // and where there are ever more of them.
            self.effort = match std::mem::take(&mut self.searched) < EFFORT {
                true => self.effort.saturating_mul(2),
                false => EFFORT << (self.doubts / 64).min(40),
            };
            self.doubts = self.doubts.saturating_add(1);
            self.set = Some(Set::new(ground.root_end(), self.effort));
        }
    }
}
