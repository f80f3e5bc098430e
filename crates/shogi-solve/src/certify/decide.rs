//! Searching until what is believed is certain.

use super::EFFORT;
use super::prevent::{Prevention, prevent};
use crate::budget::Budget;
use crate::game::Game;
use crate::plan::Plan;
use crate::search::{Finding, Search};

/// What a search has come to, its disproofs closed.
#[derive(Debug)]
pub enum Decision<G: Game> {
    /// The goal is reached in at most this many plies.
    Proved {
        /// Plies; 65,535 stands for that many or more.
        plies: u16,
    },
    /// The opponent has a plan that prevents it.
    Prevented(Plan<G>),
    /// The budget was spent before; the last finding, which is no proof, and a disproof only by what
    /// the search believes.
    Open(Finding),
}

/// Searches a position and closes the disproof, if it is one, by [`prevent`]; where that finds out
/// what was believed wrongly, the search goes on from there.
pub fn decide<G: Game, S: Search<G>>(
    search: &mut S,
    position: &G::Position,
    budget: &mut Budget,
) -> Decision<G> {
    let (mut effort, mut doubts) = (EFFORT, 0_u32);
    loop {
        let before = budget.spent();
        let finding = search.search(position, budget);
        // Where doubts change little of what the search believes, they are looked into deeper; and
        // where there are ever more of them.
        effort = match budget.spent() - before < EFFORT {
            true => effort.saturating_mul(2),
            false => EFFORT << (doubts / 64).min(40),
        };
        doubts = doubts.saturating_add(1);
        match finding {
            Finding::Proved { plies } => return Decision::Proved { plies },
            Finding::Unknown { .. } => return Decision::Open(finding),
            Finding::Disproved => match prevent(search, position, effort, budget) {
                Prevention::Plan(plan) => return Decision::Prevented(plan),
                Prevention::Reached | Prevention::Doubtful => {}
                Prevention::Unknown => return Decision::Open(finding),
            },
        }
    }
}
