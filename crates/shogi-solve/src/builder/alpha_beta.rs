//! An oracle that searches a few plies.

use rustc_hash::FxHashMap;

use super::oracle::{NamedMove, NamingRequest, NextMove, by_rank};
use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::order::sort_rising;
use crate::plan::{after_each, children, reached};

/// An alpha-beta search that judges positions by the numbers of a leaf: ln(disproof number / proof number). It
/// deepens until the depth or the number of positions is reached; its first [`AlphaBeta::EXACT`] moves are in
/// order of value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaBeta<L> {
    /// The leaf that judges positions.
    pub leaf: L,
    /// Plies, 1 or more.
    pub depth: u32,
    /// The most positions judged to rank the moves of a position.
    pub positions: u64,
}

impl<L> AlphaBeta<L> {
    /// Number of best moves in order of value; the others keep their order.
    pub const EXACT: usize = 3;

    /// With a depth of 8 and 300,000 positions.
    pub const fn new(leaf: L) -> Self {
        Self { leaf, depth: 8, positions: 300_000 }
    }
}

impl<G: GameGraph, L: Leaf<G>> NextMove<G> for AlphaBeta<L> {
    fn moves(&mut self, game: &G, goal: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        let positions = after_each(game, &at.position, &at.ranked);
        let (values, best) = (FxHashMap::default(), FxHashMap::default());
        let mut search =
            OracleSearch { game, goal, leaf: &self.leaf, left: self.positions, values, best };
        let mut moves = Vec::with_capacity(at.ranked.len());
        for index in search.best_first(&positions, self.depth, Self::EXACT) {
            moves.push(at.ranked[index]);
        }
        by_rank(moves)
    }
}

/// The value of an end that reaches the goal; an end that does not has the negative.
const END: f32 = 1_000.0;

/// A search under way. All values are the prover's.
struct OracleSearch<'s, G: GameGraph, L> {
    game: &'s G,
    goal: Goal,
    leaf: &'s L,
    /// Number of positions that may still be judged.
    left: u64,
    /// Values of positions that were judged, by key, and whether the game is over there.
    values: FxHashMap<u64, (f32, bool)>,
    /// The index of the best move found in a position.
    best: FxHashMap<u64, usize>,
}

impl<G: GameGraph, L: Leaf<G>> OracleSearch<'_, G, L> {
    /// The indices of positions, best first, by iterative deepening; the first `exact` are in order of value.
    fn best_first(&mut self, positions: &[G::Position], depth: u32, exact: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..positions.len()).collect();
        'depths: for depth in 1..=depth {
            // In order of falling values; of moves with equal values the one examined first comes first.
            let mut scored: Vec<(f32, usize)> = Vec::new();
            for &index in &order {
                // For a move that is not among the best so far, it is enough to know that.
                let alpha = scored.get(exact - 1).map_or(-f32::INFINITY, |&(value, _)| value);
                let window = (alpha, f32::INFINITY);
                let Some(value) = self.search(&positions[index], depth - 1, window) else {
                    break 'depths;
                };
                let place = scored.partition_point(|&(other, _)| other >= value);
                scored.insert(place, (value, index));
            }
            order = scored.into_iter().map(|(_, index)| index).collect();
        }
        // The move that was ranked first comes second at the latest: its search has seen more of it.
        if let Some(place @ 2..) = order.iter().position(|&index| index == 0) {
            order[1..=place].rotate_right(1);
        }
        order
    }

    /// The value of a position without a search, and whether the game is over; `None` if no more
    /// positions may be judged.
    fn judge(&mut self, position: &G::Position) -> Option<(f32, bool)> {
        let key = self.game.key(position);
        if let Some(&known) = self.values.get(&key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let value = match reached(self.game, self.goal, position) {
            Some(true) => (END, true),
            Some(false) => (-END, true),
            None => match self.leaf.numbers(self.game, self.goal, position) {
                (0, _) => (END - 1.0, true),
                (pn, dn) => ((dn as f32 / pn as f32).ln(), false),
            },
        };
        self.values.insert(key, value);
        Some(value)
    }

    /// The value of a position, exact within the window, otherwise a bound; `None` if no more positions may be
    /// judged.
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        (mut alpha, mut beta): (f32, f32),
    ) -> Option<f32> {
        let (value, is_over) = self.judge(position)?;
        if is_over || depth == 0 {
            return Some(value);
        }
        let maximizes = self.game.side(position) == self.goal.prover;
        let below = children(self.game, position);
        let mut order: Vec<_> = (0..below.len()).map(|index| (0.0, index)).collect();
        if depth > 1 {
            for (weight, index) in &mut order {
                let (value, _) = self.judge(&below[*index])?;
                *weight = f64::from(if maximizes { -value } else { value });
            }
            sort_rising(&mut order);
        }
        let key = self.game.key(position);
        if let Some(first) = self.best.get(&key)
            && let Some(place) = order.iter().position(|(_, index)| index == first)
        {
            order[..=place].rotate_right(1);
        }
        let mut best = if maximizes { -f32::INFINITY } else { f32::INFINITY };
        for (_, index) in order {
            // A win that is nearer is better.
            let value = self.search(&below[index], depth - 1, (alpha, beta))?;
            let value = if value.abs() > END / 2.0 { value * 0.999 } else { value };
            if if maximizes { value > best } else { value < best } {
                best = value;
                self.best.insert(key, index);
            }
            match maximizes {
                true => alpha = alpha.max(best),
                false => beta = beta.min(best),
            }
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
