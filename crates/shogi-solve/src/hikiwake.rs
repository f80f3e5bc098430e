//! Proofs of draws: the closure that shows whether disproofs of [`Pds`] hold, and the two searches
//! that distinguish won, lost and drawn.
//!
//! After Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI Problem for Proving Draw and
//! Application to 3x4 Boards of Shogi" (2006); *hikiwake* is a draw. docs/how/pds.md explains their
//! method, its gap, and how the gap is closed here.
//!
//! The prover of a goal fails exactly where the opponent has a *safe set*: positions, none of them an
//! end that reaches the goal, in which the opponent, if to move, has a move that stays in the set, and
//! the prover, if to move, has only such moves. Staying in it forever leads to a repetition at worst,
//! which fails the prover. The safety of a set does not depend on any history.

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::certify::{Prevention, SafeSet};
use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::pds::Pds;
use crate::search::{Finding, Knowledge, Search};
use shogi_mate::{Budget, OutOfBudget};

/// The cost of making a finding certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Closure {
    /// Positions of the safe set whose disproofs were not certain before.
    pub positions: usize,
    /// Positions among these to which more than one move of the set leads, the candidates for cycles.
    pub junctions: usize,
    /// Provisional disproofs that could not be confirmed, in all rounds.
    pub dropped: usize,
    /// Number of searches of the root.
    pub rounds: u32,
}

/// The result of [`hikiwake_pds`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valuation {
    /// The value for the player to move, if budget and memory sufficed.
    pub value: Option<Verdict>,
    /// Whether each player, Sente first, can force a win. Disproofs are certain if there is a value.
    pub wins: [Finding; 2],
    /// The cost of making the disproofs certain.
    pub closures: [Closure; 2],
}

/// Nodes for a doubtful position in the first round. Each round doubles them.
const EFFORT: u64 = 1 << 14;
/// Nodes of the first turn of each search. Each turn doubles them.
const TURN: u64 = 1 << 16;

/// The value of a position where a repetition is a draw, by two searches: in one a draw counts as a
/// win for Sente, in the other for Gote. If both win in this sense, the position is drawn.
///
/// The table of each search takes half of the bytes; the searches take turns.
///
/// ```
/// use shogi_solve::hikiwake::hikiwake_pds;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Unit, Verdict};
///
/// let game = Graph::parse("a(L(W a))")?;
/// let valuation = hikiwake_pds(&game, &game.start(), Unit, 1 << 20, &mut Budget::unlimited());
/// assert_eq!(valuation.value, Some(Verdict::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the system refuses the memory.
pub fn hikiwake_pds<G: GameGraph, L: Leaf<G> + Copy>(
    game: &G,
    root: &G::Position,
    leaf: L,
    bytes: usize,
    budget: &mut Budget,
) -> Valuation {
    let mut searches = Colour::ALL.map(|prover| Pds::new(game, Goal::win(prover), leaf, bytes / 2));
    let mut valuation = Valuation {
        value: None,
        wins: [Finding::Unknown { proof: 1, disproof: 1 }; 2],
        closures: [Closure::default(); 2],
    };
    let mut turn = TURN;
    // A disproof is not certain at first: if the other search proves a win, it is not needed.
    while valuation.wins != [Finding::Disproved; 2] {
        let mut stuck = true;
        for (search, won) in searches.iter_mut().zip(&mut valuation.wins) {
            if *won != Finding::Disproved {
                (*won, stuck) = budget.slice(turn, |budget| {
                    let found = search.search(root, budget);
                    search.unwind();
                    let stuck = stuck && !budget.is_over() && found != Finding::Disproved;
                    (found, stuck)
                });
            }
            if let Finding::Proved { .. } = won {
                valuation.value = Some(won_by(search.goal().prover, game.side(root)));
                return valuation;
            }
        }
        // More time does not help a search that has no memory for more.
        if budget.is_over() || stuck {
            return valuation;
        }
        turn = turn.saturating_mul(2);
    }
    for (index, search) in searches.iter_mut().enumerate() {
        (valuation.wins[index], valuation.closures[index]) =
            hikiwake_pds_search(search, root, budget);
        match valuation.wins[index] {
            Finding::Disproved => {}
            Finding::Proved { .. } => {
                valuation.value = Some(won_by(search.goal().prover, game.side(root)));
                return valuation;
            }
            Finding::Unknown { .. } => return valuation,
        }
    }
    valuation.value = Some(Verdict::Draw);
    valuation
}

fn won_by(winner: Colour, side: Colour) -> Verdict {
    if winner == side { Verdict::Win } else { Verdict::Loss }
}

/// Searches until the goal is proved or disproved for certain, or the budget is spent: a disproof is
/// closed into a safe set; disproofs that cannot be closed are dropped, and the root is searched
/// again.
///
/// The closure takes memory for each position of the set that was not certain before, and the search
/// keeps them as final. If that exceeds the spare memory of the search, the finding is unknown.
///
/// ```
/// use shogi_solve::hikiwake::hikiwake_pds_search;
/// use shogi_solve::pds::Pds;
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, Goal, Unit};
///
/// // Sente would lose, but can go round in a circle.
/// let game = Graph::parse("a(L(W a))")?;
/// let mut search = Pds::new(&game, Goal::win(Colour::Gote), Unit, 1 << 16);
/// let (found, _) = hikiwake_pds_search(&mut search, &game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Disproved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hikiwake_pds_search<G: GameGraph, L: Leaf<G>>(
    search: &mut Pds<'_, G, L>,
    root: &G::Position,
    budget: &mut Budget,
) -> (Finding, Closure) {
    let mut closure = Closure::default();
    let mut effort = EFFORT;
    loop {
        closure.rounds += 1;
        let found = search.search(root, budget);
        search.unwind();
        let certain = match search.game().verdict(root) {
            Some(_) => true,
            None => search.knowledge(root) == Knowledge::Disproved,
        };
        if found != Finding::Disproved || certain {
            return (found, closure);
        }
        let mut safe = SafeSet::new(search, root, effort);
        let prevention = safe.close(search, budget);
        search.unwind();
        closure.dropped += safe.set.lost;
        match prevention {
            Ok(Prevention::Plan(_)) => {
                (closure.positions, closure.junctions) = safe.set.size();
                safe.set_disproved(search);
                return (Finding::Disproved, closure);
            }
            Ok(Prevention::Reached | Prevention::Doubtful) => {}
            Ok(Prevention::Unknown) | Err(OutOfBudget) => {
                return (Finding::Unknown { proof: 1, disproof: 1 }, closure);
            }
        }
        effort = effort.saturating_mul(2);
    }
}
