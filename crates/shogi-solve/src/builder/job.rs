//! A job: one position, searched for a limited number of expansions.

use std::sync::RwLock;

use super::proofs::Proofs;
use super::read;
use crate::certify::{Decision, decide, known_winning_move};
use crate::df_pn::DfPn;
use crate::game::GameGraph;
use crate::leaf::Leaf;
use crate::search::{Finding, Search as _};
use shogi_mate::Budget;

/// The numbers of a position that the search believes refuted, without certainty.
const DOUBTFUL: (u32, u32) = (1_000_000, 1);

/// The numbers of a proved position whose moves were not found again.
const UNCERTAIN: (u32, u32) = (1, 1);

/// The fewest expansions spent to find moves again that the table has lost.
const LEAST_REPAIR: u64 = 10_000;

/// Expansions to find moves again, after a job of `most` expansions.
fn repair(most: u64) -> u64 {
    most.saturating_mul(4).max(LEAST_REPAIR)
}

/// The most expansions that a job with a budget of `most` takes in all, with a margin for its end.
pub(super) fn most_expansions(most: u64) -> u64 {
    most.saturating_add(repair(most)).saturating_add(1_000)
}

/// The result of a job.
#[derive(Debug)]
pub(super) struct JobResult<G: GameGraph> {
    pub(super) outcome: JobOutcome<G>,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
}

/// The outcome of a job's search.
#[derive(Debug)]
pub(super) enum JobOutcome<G: GameGraph> {
    /// A proof: the entries that were not known before.
    Proved(Proofs<G>),
    /// The prover does not reach the goal.
    Refuted,
    /// Open, with proof and disproof number and all moves, the most promising first.
    Open { numbers: (u32, u32), ranked: Vec<G::Move> },
    /// The run was stopped during the job.
    Cut,
}

/// Searches a position for a limited number of expansions. `known` are the proofs that all searches share.
pub(super) fn run<'g, G: GameGraph, L: Leaf<G>>(
    game: &'g G,
    search: &mut DfPn<'g, G, L>,
    position: &G::Position,
    most: u64,
    known: &RwLock<Proofs<G>>,
    budget: &mut Budget<'_>,
) -> JobResult<G> {
    let (nodes, expansions) = (budget.spent(), budget.expansions());
    let decision = budget.slice_expansions(most, |budget| decide(search, position, budget));
    let open = |numbers, search: &DfPn<'g, G, L>| JobOutcome::Open {
        numbers,
        ranked: search.ranked_moves(position),
    };
    let outcome = match decision {
        Decision::Proved { .. } => {
            let mut proofs = Proofs::new(search.goal());
            let added = budget.slice_expansions(repair(most), |budget| {
                let next = &mut |position: &G::Position| winning_move(search, position, budget);
                proofs.add(Some(&read(known)), game, position, next)
            });
            match added {
                Ok(_) => JobOutcome::Proved(proofs),
                Err(_) if budget.is_over() => JobOutcome::Cut,
                Err(_) => open(UNCERTAIN, search),
            }
        }
        Decision::Prevented(_) => JobOutcome::Refuted,
        Decision::Open(_) if budget.is_over() => JobOutcome::Cut,
        Decision::Open(Finding::Unknown { proof, disproof }) => open((proof, disproof), search),
        Decision::Open(_) => open(DOUBTFUL, search),
    };
    let (nodes, expansions) = (budget.spent() - nodes, budget.expansions() - expansions);
    JobResult { outcome, nodes, expansions }
}

/// The prover's move of the shortest proof that the search knows; a position that the table has lost is
/// searched again. `None` if the budget is spent first.
fn winning_move<G: GameGraph, L: Leaf<G>>(
    search: &mut DfPn<'_, G, L>,
    position: &G::Position,
    budget: &mut Budget,
) -> Option<G::Move> {
    if !budget.spend(1) {
        return None;
    }
    known_winning_move(search, position).or_else(|| match decide(search, position, budget) {
        Decision::Proved { .. } => search.decisive_move(),
        Decision::Prevented(_) | Decision::Open(_) => None,
    })
}
