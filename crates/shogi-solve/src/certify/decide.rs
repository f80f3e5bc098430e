//! Searches until a finding is certain.

use super::EFFORT;
use super::safe_set::{Closed, Set};
use crate::game::GameGraph;
use crate::numbered::{Numbered, NumberedMove, Positions, Prover, ROOT};
use crate::plan::Plan;
use crate::search::{Finding, Search};
use shogi_mate::{Budget, OutOfBudget};

/// The result of a search, its disproofs closed.
#[derive(Debug)]
pub enum Decision<G: GameGraph> {
    /// The goal is reached in at most this many plies.
    Proved {
        /// Plies; 65,535 means that many or more.
        plies: u32,
    },
    /// The opponent has a plan that prevents it.
    Prevented(Plan<G>),
    /// The budget was spent first; the last finding, which is not a proof and, if a disproof, not certain.
    Open(Finding),
}

/// Searches a position and closes a disproof by [`prevent`](super::prevent). If that shows disproofs to be
/// wrong, the search resumes.
pub fn decide<G: GameGraph>(
    search: &mut dyn Search<G>,
    position: &G::Position,
    budget: &mut Budget,
) -> Decision<G> {
    let mut deciding = Deciding::new(search.game(), position);
    let decision = deciding.run(search, budget);
    search.unwind();
    decision.unwrap_or_else(|OutOfBudget| Decision::Open(deciding.finding()))
}

/// A search without memory for the sets of its disproofs continues until nothing was proved in them for this
/// multiple of the nodes spent before.
const PATIENCE: u64 = 16;

/// [`decide`] under way.
pub(crate) struct Deciding<G: GameGraph> {
    /// The position, and those of the set under way.
    positions: Positions<G>,
    rounds: Rounds,
}

impl<G: GameGraph> Deciding<G> {
    pub(crate) fn new(game: &G, position: &G::Position) -> Self {
        Self { positions: Positions::new(game, position), rounds: Rounds::new() }
    }

    /// The last finding of the search, which is not a proof.
    pub(crate) const fn finding(&self) -> Finding {
        self.rounds.finding
    }

    /// Whether the position itself is being searched.
    pub(crate) const fn is_searching(&self) -> bool {
        self.rounds.set.is_none()
    }

    /// Continues until there is a decision.
    pub(crate) fn run(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Result<Decision<G>, OutOfBudget> {
        let Self { positions, rounds } = self;
        let decided = rounds.run(&mut Numbered::new(search, positions, &mut None), budget)?;
        Ok(match decided {
            Decided::Proved { plies } => Decision::Proved { plies },
            Decided::Prevented(steps) => Decision::Prevented(positions.plan(search.game(), &steps)),
            Decided::Open => Decision::Open(rounds.finding),
        })
    }
}

/// The result of [`Rounds`].
enum Decided {
    Proved {
        plies: u32,
    },
    /// These steps of the opponent prevent the goal.
    Prevented(Vec<(NumberedMove, u32)>),
    Open,
}

/// Alternates between searches for a goal and closing sets of their disproofs.
struct Rounds {
    finding: Finding,
    effort: u64,
    doubts: u32,
    /// Nodes of the search and of the sets.
    spent: u64,
    /// The nodes spent when memory first ran out for a set, or when something was last proved in one.
    fruitful: Option<u64>,
    /// Nodes of the search in this round.
    searched: u64,
    /// The set under way, in the second half of a round.
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

    fn run(
        &mut self,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
    ) -> Result<Decided, OutOfBudget> {
        loop {
            if let Some(set) = &mut self.set {
                let before = budget.spent();
                let closed = set.close(prover, budget);
                self.spent += budget.spent() - before;
                match closed? {
                    Closed::Safe => return Ok(Decided::Prevented(set.steps(prover))),
                    Closed::Reached | Closed::Doubtful => {}
                    Closed::Full => {
                        // There is no memory for the set. The search continues without its disproofs, unless
                        // that has been useless for long.
                        if set.found_proofs() {
                            self.fruitful = Some(self.spent);
                        }
                        let fruitful = *self.fruitful.get_or_insert(self.spent);
                        if self.spent / PATIENCE > fruitful {
                            return Ok(Decided::Open);
                        }
                        set.invalidate_all(prover);
                    }
                }
                self.set = None;
                prover.restart();
            }
            let before = budget.spent();
            self.finding = prover.search(ROOT, budget);
            self.searched += budget.spent() - before;
            self.spent += budget.spent() - before;
            match self.finding {
                Finding::Proved { plies } => return Ok(Decided::Proved { plies }),
                Finding::Unknown { .. } if prover.is_at_work() => return Err(OutOfBudget),
                Finding::Unknown { .. } => return Ok(Decided::Open),
                Finding::Disproved => {}
            }
            // Doubts are examined more deeply if they change few disproofs of the search, or if their number
            // keeps growing.
            self.effort = match std::mem::take(&mut self.searched) < EFFORT {
                true => self.effort.saturating_mul(2),
                false => EFFORT << (self.doubts / 64).min(40),
            };
            self.doubts = self.doubts.saturating_add(1);
            self.set = Some(Set::new(prover.root_end(), self.effort));
        }
    }
}
