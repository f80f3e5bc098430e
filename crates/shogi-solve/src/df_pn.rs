//! Df-pn: depth-first proof-number search within bounded memory.
//!
//! Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002), with 1 + epsilon
//! thresholds (Pawlewicz & Lew, "Improving Depth-First PN-Search: 1+epsilon Trick", 2006) and the
//! threshold controlling algorithm for graphs with cycles (Kishimoto, "Dealing with Infinite Loops,
//! Underestimation, and Overestimation of Depth-First Proof-Number Search", 2010).
//!
//! A *proof* never depends on a repetition, since a repetition fails the prover; so it holds on every
//! path to the position, and the table may return it on every path. A *disproof* may depend on the
//! path: see [`Ghi`] and docs/how/ghi.md.

use crate::game::{GameGraph, Goal, Parts};
use crate::ghi::Ghi;
use crate::harvest::Harvest;
use crate::leaf::Leaf;
use crate::proof_number::{
    Assessment, Explorer, Frame, INFINITE, ProofNumbers, Sums, Turn, Walk, raised,
    search_by_explorer,
};
use crate::search::{FinalValue, Finding, Knowledge, Search};
use shogi_mate::Budget;

/// How the disproof numbers of the prover's moves, or the proof numbers of the opponent's, combine into one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Their sum, as in the original algorithm. In a graph the same work is counted many times.
    Sum,
    /// The largest, one for each other unsolved move, and this many sixteenths of the rest of the
    /// sum (after Ueda, Hashimoto, Hashimoto & Iida, "Weak Proof-Number Search", 2008).
    Weak {
        /// Sixteenths, 0 to 16.
        sixteenths: u32,
    },
}

/// Tuning of a search, which does not change its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// How the proof numbers of the opponent's moves combine.
    pub proof: Combine,
    /// How the disproof numbers of the prover's moves combine.
    pub disproof: Combine,
    /// A move is left when its number exceeds the second best one's by one plus this many sixteenths of it.
    pub epsilon: u32,
}

impl Tuning {
    /// Weak sums, and a quarter for epsilon.
    pub const DEFAULT: Self = Self {
        proof: Combine::Weak { sixteenths: 1 },
        disproof: Combine::Weak { sixteenths: 1 },
        epsilon: 4,
    };

    /// For leaves whose numbers estimate an effort: disproof numbers are not summed.
    pub const LEARNT: Self = Self { disproof: Combine::Weak { sixteenths: 0 }, ..Self::DEFAULT };
}

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Options of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The treatment of the history.
    pub ghi: Ghi,
    /// The tuning.
    pub tuning: Tuning,
    /// Thresholds of the root, for a search in rounds: its numbers plus one and this many sixteenths of them,
    /// raised whenever they are reached. Without thresholds a move of the root is left only for a better one.
    pub root_epsilon: Option<u32>,
    /// Bytes for the table and everything else; if that is very little, up to half a megabyte more is used.
    pub hash_bytes: usize,
}

impl Default for Options {
    /// Provisional disproofs, the default tuning, no thresholds at the root, and 64 MiB.
    fn default() -> Self {
        let (ghi, tuning) = (Ghi::default(), Tuning::default());
        Self { ghi, tuning, root_epsilon: None, hash_bytes: 64 << 20 }
    }
}

/// A search for one goal. It keeps its table, so that it can be resumed after a budget was spent, and used for
/// other positions of the same game.
///
/// ```
/// use shogi_solve::df_pn::{DfPn, Options};
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, Goal, Mobility, Search};
///
/// // Sente goes to the second node, where both moves lose for Gote.
/// let game = Graph::parse("((DW)(WW))")?;
/// let mut search = DfPn::new(&game, Goal::win(Colour::Sente), Mobility, Options::default());
/// let found = search.search(&game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Proved { plies: 2 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DfPn<'g, G: GameGraph, L> {
    pub(crate) explorer: Explorer<'g, G>,
    leaf: L,
    tuning: Tuning,
    root_epsilon: Option<u32>,
}

impl<'g, G: GameGraph, L: Leaf<G>> DfPn<'g, G, L> {
    /// A new search.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new(game: &'g G, goal: Goal, leaf: L, options: Options) -> Self {
        let Options { ghi, tuning, root_epsilon, hash_bytes } = options;
        let explorer = Explorer::new(game, goal, ghi, Box::new(tuning), hash_bytes);
        Self { explorer, leaf, tuning, root_epsilon }
    }

    /// The moves of a position ranked by the table, the most promising for the player to move first.
    pub fn ranked_moves(&self, position: &G::Position) -> Vec<G::Move> {
        self.explorer.ranked_moves(position)
    }

    /// Notes a proof of a position with this board and hand in at most `plies` plies, which also holds for
    /// better hands of the prover.
    pub(crate) fn add_proof(&mut self, parts: Parts, plies: u32) {
        self.explorer.walk.memory.add_proof(parts, plies);
    }

    /// Sets the harvest that collects the findings from now on, if any, and returns the current one. Must be
    /// called between two searches, or after [`Search::unwind`].
    pub fn set_harvest(
        &mut self,
        harvest: Option<Harvest<G::Position>>,
    ) -> Option<Harvest<G::Position>> {
        std::mem::replace(&mut self.explorer.harvest, harvest)
    }

    /// The harvest, if findings are collected.
    pub const fn harvest_mut(&mut self) -> Option<&mut Harvest<G::Position>> {
        self.explorer.harvest.as_mut()
    }

    /// The leaf that initialises new positions; it may be changed between two searches. Positions in the table
    /// keep their initial numbers.
    pub const fn leaf_mut(&mut self) -> &mut L {
        &mut self.leaf
    }

    /// Bytes in use, by the table and everything else.
    pub fn bytes(&self) -> usize {
        self.explorer.walk.bytes()
    }
}

impl<G: GameGraph, L: Leaf<G>> Search<G> for DfPn<'_, G, L> {
    search_by_explorer!();

    fn search(&mut self, root: &G::Position, budget: &mut Budget) -> Finding {
        let Self { explorer, leaf, tuning, root_epsilon } = self;
        let (tuning, root_epsilon) = (*tuning, *root_epsilon);
        let lowest = match root_epsilon {
            Some(_) => ProofNumbers::UNIT,
            None => ProofNumbers::UNLIMITED,
        };
        if let Some(found) = explorer.take_up(root, lowest, leaf, budget) {
            return found;
        }
        loop {
            match explorer.walk.df_pn(tuning, root_epsilon, budget) {
                Turn::Leave(numbers) => {
                    let known = explorer.leave(numbers);
                    if !explorer.walk.is_at_work() {
                        return known.finding();
                    }
                }
                Turn::Stop => return explorer.walk.unknown(),
                Turn::Enter(threshold) => {
                    let position = explorer.position_below();
                    explorer.walk.raised &=
                        !explorer.walk.is_new_below(explorer.game.parts(&position));
                    explorer.enter_below(position, threshold, 1, leaf, budget);
                }
            }
        }
    }

    fn invalidate(&mut self, position: &G::Position) {
        let parts = self.explorer.game.parts(position);
        self.explorer.walk.invalidate_for_good(parts);
    }
}

impl Walk {
    /// The next step of a search.
    fn df_pn(
        &mut self,
        tuning: Tuning,
        root_epsilon: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Turn {
        loop {
            self.report(budget);
            let is_root = self.path.depth() == 0;
            let (frame, children) = self.path.last_mut();
            let sums = totals(frame, children, tuning);
            let numbers = sums.numbers;
            let threshold = match self.raised {
                true => frame.threshold.above(numbers),
                false => frame.threshold,
            };
            let ends = numbers.is_final() || numbers == ProofNumbers::GIVEN_UP;
            let reached = numbers.reach_either(threshold);
            if let (true, false, Some(epsilon)) = (is_root && reached, ends, root_epsilon) {
                // The next round begins here, instead of leaving the position and returning to it at once.
                // Numbers may have fallen, but thresholds grow, so the rounds end.
                let ProofNumbers { phi, delta } = frame.threshold.max(numbers);
                let (phi, delta) = (raised(phi, epsilon), raised(delta, epsilon));
                frame.threshold = ProofNumbers { phi, delta };
            } else if ends || reached {
                return Turn::Leave(numbers);
            } else if budget.is_over() {
                return Turn::Stop;
            } else {
                frame.current = sums.best;
                let best = children[sums.best].numbers;
                let threshold = child_threshold(threshold, &sums, best, tuning);
                if !self.path.is_full() {
                    return Turn::Enter(threshold);
                }
                self.give_up_current(budget);
            }
        }
    }
}

/// The combined numbers of a position's moves, as the player to move sees them.
struct Totals {
    numbers: ProofNumbers,
    /// The move to search, the one with the least phi.
    best: usize,
    /// The least phi of another move.
    second: u32,
    /// The contribution of the other moves to delta.
    others: u32,
}

impl Sums for Tuning {
    fn numbers(&self, frame: &Frame, children: &[Assessment]) -> ProofNumbers {
        totals(frame, children, *self).numbers
    }
}

fn totals(frame: &Frame, children: &[Assessment], tuning: Tuning) -> Totals {
    let combine = if frame.prover_moves { tuning.disproof } else { tuning.proof };
    let (mut best, mut phi, mut second) = (0, INFINITE, INFINITE);
    let (mut sum, mut largest, mut count, mut of_best) = (0_u64, 0, 0_u64, 0);
    for (index, child) in children.iter().enumerate() {
        let child = child.numbers;
        if child.phi < phi || (child.phi == phi && child.delta < of_best) {
            (second, phi) = (phi, child.phi);
            (best, of_best) = (index, child.delta);
        } else {
            second = second.min(child.phi);
        }
        sum += u64::from(child.delta);
        largest = largest.max(child.delta);
        count += u64::from(child.delta > 0);
    }
    let (delta, others) = match combine {
        Combine::Sum => (sum, sum - u64::from(of_best)),
        Combine::Weak { sixteenths } => {
            let part = |rest: u64| rest * u64::from(sixteenths) / 16;
            let largest = u64::from(largest);
            let each = count.saturating_sub(1);
            (largest + each + part(sum - largest), each + part(sum - u64::from(of_best)))
        }
    };
    let numbers = ProofNumbers::of_moves(phi, delta, largest);
    Totals { numbers, best, second, others: others.min(u64::from(INFINITE)) as u32 }
}

/// The threshold of the best move if its position is searched to `threshold`: until another move is clearly
/// better, or the rest of the threshold of delta is reached. All numbers are as the player to move sees them.
fn child_threshold(
    threshold: ProofNumbers,
    totals: &Totals,
    best: ProofNumbers,
    tuning: Tuning,
) -> ProofNumbers {
    let phi = threshold.phi.min(raised(totals.second, tuning.epsilon));
    let delta = match threshold.delta {
        INFINITE => INFINITE,
        delta => delta.saturating_sub(totals.others).max(best.delta + 1),
    };
    ProofNumbers { phi, delta }
}
