//! The oracle that names the moves to follow.

use crate::game::{GameGraph, Goal};

/// A move of the prover that may be followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedMove<M> {
    /// The move.
    pub mv: M,
    /// The factor on the expected expansions of its replies: 1 for a good move, more if it may not win.
    pub factor: f64,
}

/// The factor from one move to the next, if only their order is known.
const RANK_FACTOR: f64 = 3.0;

/// Moves of which only the order is known: each counts three times as much as the one before.
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
    /// Moves of the prover, the most promising first. Moves that are left out are followed only if no move is
    /// left; illegal and repeated ones are ignored.
    fn moves(&mut self, game: &G, goal: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>>;

    /// Whether it may name other moves after more effort. If so, it names moves again whenever [eight
    /// times](NAMED_AGAIN) as much was spent on a position as the last time.
    fn thinks_again(&self) -> bool {
        false
    }
}

/// The growth of the expansions spent on a position before its moves are named again.
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
    /// All moves, as ranked by df-pn in its last job, or as named before.
    pub ranked: Vec<G::Move>,
    /// Expansions so far on the position and those below it.
    pub spent: u64,
}

impl<G: GameGraph> NamingRequest<G> {
    /// The moves that an oracle names. If it names no move of the position, the moves keep their order.
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
