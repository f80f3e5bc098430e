//! A question to an oracle: which moves of a position to follow.

use super::oracle::{Named, NextMove, by_rank};
use crate::game::{GameGraph, Goal};

/// What an oracle is asked.
#[derive(Debug)]
pub(super) struct Question<G: GameGraph> {
    pub(super) position: G::Position,
    /// All moves, as the last job has ranked them or as they were named before.
    pub(super) ranked: Vec<G::Move>,
    /// Expansions so far for the position and those below it.
    pub(super) spent: u64,
}

impl<G: GameGraph> Question<G> {
    /// Asks. Where the oracle names no move of the position, the moves stay in their order.
    pub(super) fn ask(
        self,
        game: &G,
        goal: Goal,
        oracle: &mut dyn NextMove<G>,
    ) -> Vec<Named<G::Move>> {
        let Self { position, ranked, spent } = self;
        let (mut moves, mut named) = (Vec::new(), Vec::new());
        for &answer in &oracle.moves(game, goal, &position, &ranked, spent) {
            // An oracle may err in this too.
            if ranked.contains(&answer.mv) && !named.contains(&answer.mv) {
                named.push(answer.mv);
                moves.push(answer);
            }
        }
        if moves.is_empty() {
            moves = by_rank(ranked);
        }
        moves
    }
}
