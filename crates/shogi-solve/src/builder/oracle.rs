//! Who names the moves that are followed.

use crate::game::{GameGraph, Goal};

/// A move of the prover that may be followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedMove<M> {
    /// The move.
    pub mv: M,
    /// How many times as many expansions a proof by it is expected to take as its replies say; 1 of a good
    /// move, more where it may not win.
    pub factor: f64,
}

/// How many times as much a move counts as the one named before it, where nothing but their order is known.
const RANK_FACTOR: f64 = 3.0;

/// Moves of which nothing but their order is known: each counts three times as much as the one before.
pub fn by_rank<M>(moves: impl IntoIterator<Item = M>) -> Vec<NamedMove<M>> {
    let (mut named, mut factor) = (Vec::new(), 1.0);
    for mv in moves {
        named.push(NamedMove { mv, factor });
        factor *= RANK_FACTOR;
    }
    named
}

/// Names moves for the prover: a player, a table, or a search.
pub trait NextMove<G: GameGraph> {
    /// Moves of the prover, the most promising first. What is left out is never followed, unless no move is left;
    /// what is illegal, or named before, is passed over.
    fn moves(&mut self, game: &G, goal: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>>;

    /// Whether it may name other moves where more was spent. It names moves again then, whenever
    /// [eight times](NAMED_AGAIN) as much was spent on a position as the last time.
    fn thinks_again(&self) -> bool {
        false
    }
}

/// How many times as many expansions are spent on a position before its moves are named again.
pub const NAMED_AGAIN: u64 = 8;

impl<G: GameGraph, N: NextMove<G> + ?Sized> NextMove<G> for Box<N> {
    fn moves(&mut self, game: &G, goal: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        (**self).moves(game, goal, at)
    }

    fn thinks_again(&self) -> bool {
        (**self).thinks_again()
    }
}

/// Takes the moves in the order of their proof numbers after the last job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AsRanked;

impl<G: GameGraph> NextMove<G> for AsRanked {
    fn moves(&mut self, _: &G, _: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        by_rank(at.ranked.to_vec())
    }
}

/// A position whose moves are to be named.
#[derive(Clone, Debug)]
pub struct NamingRequest<G: GameGraph> {
    /// The position, the prover to move.
    pub position: G::Position,
    /// All moves, as df-pn has ranked them within its last job, or as they were named before.
    pub ranked: Vec<G::Move>,
    /// Expansions so far for the position and those below it.
    pub spent: u64,
}

impl<G: GameGraph> NamingRequest<G> {
    /// The moves that an oracle names. Where the oracle names no move of the position, the moves stay in their order.
    pub(super) fn named_by(
        self,
        game: &G,
        goal: Goal,
        oracle: &mut dyn NextMove<G>,
    ) -> Vec<NamedMove<G::Move>> {
        let (mut moves, mut named) = (Vec::new(), Vec::new());
        for &answer in &oracle.moves(game, goal, &self) {
            // An oracle may err in this too.
            if self.ranked.contains(&answer.mv) && !named.contains(&answer.mv) {
                named.push(answer.mv);
                moves.push(answer);
            }
        }
        if moves.is_empty() {
            moves = by_rank(self.ranked);
        }
        moves
    }
}
