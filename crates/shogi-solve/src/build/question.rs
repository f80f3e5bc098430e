//! A question to an oracle: which moves of a position to follow.

use super::oracle::{Named, NextMove, by_rank};
use crate::game::{GameGraph, Goal};

/// What an oracle is asked.
#[derive(Debug)]
pub(super) struct Question<G: GameGraph> {
    /// The number of the position in the tree, and those above it.
    pub(super) path: Vec<u32>,
    pub(super) position: G::Position,
    /// All moves, as the last job has ranked them or as they were named before.
    pub(super) ranked: Vec<G::Move>,
    /// Expansions so far for the position and those below it.
    pub(super) spent: u64,
}

/// What it has answered.
#[derive(Debug)]
pub(super) struct Answer<G: GameGraph> {
    pub(super) path: Vec<u32>,
    pub(super) moves: Vec<Named<G::Move>>,
}

impl<G: GameGraph> Question<G> {
    /// Asks. Where the oracle names no move of the position, the moves stay in their order.
    pub(super) fn ask(self, game: &G, goal: Goal, oracle: &mut impl NextMove<G>) -> Answer<G> {
        let Self { path, position, ranked, spent } = self;
        let mut moves: Vec<Named<G::Move>> = Vec::new();
        for named in oracle.moves(game, goal, &position, &ranked, spent) {
            // An oracle may err in this too.
            if ranked.contains(&named.mv) && !moves.iter().any(|before| before.mv == named.mv) {
                moves.push(named);
            }
        }
        if moves.is_empty() {
            moves = by_rank(ranked);
        }
        Answer { path, moves }
    }
}
