//! Who names the moves that are followed.

use rustc_hash::FxHashMap;

use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::order::sort_rising;
use crate::plan::after_each;

/// A move of the prover that may be followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Named<M> {
    /// The move.
    pub mv: M,
    /// How many times as many expansions a proof by it is expected to take as its replies tell; 1 of a good
    /// move, more where it may not win.
    pub factor: f64,
}

/// How many times as much a move counts as the one named before it, where nothing but their order is known.
const RANK_FACTOR: f64 = 3.0;

/// Moves of which nothing but their order is known: each counts three times as much as the one before.
pub fn by_rank<M>(moves: impl IntoIterator<Item = M>) -> Vec<Named<M>> {
    let (mut named, mut factor) = (Vec::new(), 1.0);
    for mv in moves {
        named.push(Named { mv, factor });
        factor *= RANK_FACTOR;
    }
    named
}

/// Names moves for the prover: a player, a table, or a search.
pub trait NextMove<G: GameGraph> {
    /// Moves of the prover, who is to move, the most promising first. What is left out is never
    /// followed, unless no move is left; what is illegal, or named before, is passed over. `ranked` holds
    /// all moves as df-pn has ranked them within its last job, or as they were named before; `spent` is the
    /// number of expansions so far for the position and those below it.
    fn moves(
        &mut self,
        game: &G,
        goal: Goal,
        position: &G::Position,
        ranked: &[G::Move],
        spent: u64,
    ) -> Vec<Named<G::Move>>;

    /// Whether it may name other moves where more was spent. It is asked again then, whenever
    /// [eight times](NAMED_AGAIN) as much was spent on a position as the last time.
    fn thinks_again(&self) -> bool {
        false
    }
}

/// How many times as many expansions are spent on a position before its moves are named again.
pub const NAMED_AGAIN: u64 = 8;

impl<G: GameGraph, N: NextMove<G> + ?Sized> NextMove<G> for &mut N {
    fn moves(
        &mut self,
        game: &G,
        goal: Goal,
        position: &G::Position,
        ranked: &[G::Move],
        spent: u64,
    ) -> Vec<Named<G::Move>> {
        (**self).moves(game, goal, position, ranked, spent)
    }

    fn thinks_again(&self) -> bool {
        (**self).thinks_again()
    }
}

/// Takes the moves in the order of their proof numbers after the last job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AsRanked;

impl<G: GameGraph> NextMove<G> for AsRanked {
    fn moves(
        &mut self,
        _: &G,
        _: Goal,
        _: &G::Position,
        ranked: &[G::Move],
        _: u64,
    ) -> Vec<Named<G::Move>> {
        by_rank(ranked.to_vec())
    }
}

/// An alpha-beta search that judges positions by the numbers of a leaf: ln(disproof number / proof
/// number). It looks at the best moves of all depths in turn, until the depth or the number of
/// positions is reached; its first [`AlphaBeta::EXACT`] moves are in the order of their values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaBeta<L> {
    /// What judges positions.
    pub leaf: L,
    /// Plies, 1 or more.
    pub depth: u32,
    /// Most positions that are judged for a position.
    pub positions: u64,
}

impl<L> AlphaBeta<L> {
    /// How many of the best moves are in the order of their values; the others come as they were.
    pub const EXACT: usize = 3;

    /// With a depth of 8 and 300,000 positions.
    pub const fn new(leaf: L) -> Self {
        Self { leaf, depth: 8, positions: 300_000 }
    }
}

impl<G: GameGraph, L: Leaf<G>> NextMove<G> for AlphaBeta<L> {
    fn moves(
        &mut self,
        game: &G,
        goal: Goal,
        position: &G::Position,
        ranked: &[G::Move],
        _: u64,
    ) -> Vec<Named<G::Move>> {
        let mut run = Run {
            game,
            goal,
            leaf: &self.leaf,
            left: self.positions,
            values: FxHashMap::default(),
            best: FxHashMap::default(),
        };
        let mut order = indices(&in_order(ranked.len()));
        'depths: for depth in 1..=self.depth {
            let mut scored = Vec::new();
            for &index in &order {
                // A move that is not among the best so far only needs to be known as such.
                let alpha = value_at(&scored, Self::EXACT - 1);
                let below = game.play(position, ranked[index]);
                let Some(value) = run.search(&below, depth - 1, (alpha, f32::INFINITY)) else {
                    break 'depths;
                };
                insert_falling(&mut scored, f64::from(value), index);
            }
            order = indices(&scored);
        }
        first_at_second(&mut order);
        let mut moves = Vec::with_capacity(ranked.len());
        for index in order {
            moves.push(ranked[index]);
        }
        by_rank(moves)
    }
}

/// So many moves as they come, without weights.
fn in_order(count: usize) -> Vec<(f64, usize)> {
    (0..count).map(|index| (0.0, index)).collect()
}

/// The value at a place of a list, or the least there is.
fn value_at(scored: &[(f64, usize)], place: usize) -> f32 {
    scored.get(place).map_or(-f32::INFINITY, |&(value, _)| value as f32)
}

/// Puts a move into a list with falling values, after those of the same value.
fn insert_falling(scored: &mut Vec<(f64, usize)>, value: f64, index: usize) {
    let place = scored.partition_point(|&(other, _)| other >= value);
    scored.insert(place, (value, index));
}

fn indices(weighted: &[(f64, usize)]) -> Vec<usize> {
    weighted.iter().map(|&(_, index)| index).collect()
}

/// The move that was ranked first comes second at the latest: its search has seen more of it.
fn first_at_second(order: &mut [usize]) {
    if let Some(place @ 2..) = order.iter().position(|&index| index == 0) {
        order[1..=place].rotate_right(1);
    }
}

/// Brings a move to the front of those that are to be looked at.
fn bring_forward(order: &mut [(f64, usize)], first: usize) {
    if let Some(place) = order.iter().position(|&(_, index)| index == first) {
        order[..=place].rotate_right(1);
    }
}

/// The value of an end that reaches the goal; of one that does not, the negative.
const END: f32 = 1_000.0;

/// A search under way. All values are the prover's.
struct Run<'r, G: GameGraph, L> {
    game: &'r G,
    goal: Goal,
    leaf: &'r L,
    /// Positions that may still be judged.
    left: u64,
    /// Values of positions that were judged, by key, and whether the game is over there.
    values: FxHashMap<u64, (f32, bool)>,
    /// The index of the best move that was found in a position.
    best: FxHashMap<u64, usize>,
}

impl<G: GameGraph, L: Leaf<G>> Run<'_, G, L> {
    /// The value of a position without a search, and whether the game is over; `None` if no more
    /// positions may be judged.
    fn judge(&mut self, position: &G::Position) -> Option<(f32, bool)> {
        let key = self.game.key(position);
        if let Some(&known) = self.values.get(&key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let value = match self.game.verdict(position) {
            Some(verdict) if self.goal.is_reached(verdict, self.game.side(position)) => (END, true),
            Some(_) => (-END, true),
            None => match self.leaf.numbers(self.game, self.goal, position) {
                (0, _) => (END - 1.0, true),
                (pn, dn) => ((dn as f32 / pn as f32).ln(), false),
            },
        };
        self.values.insert(key, value);
        Some(value)
    }

    /// The value of a position, exact within the window, else a bound; `None` if no more positions
    /// may be judged.
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        (mut alpha, mut beta): (f32, f32),
    ) -> Option<f32> {
        let (value, is_over) = self.judge(position)?;
        if is_over {
            return Some(value);
        }
        if depth == 0 {
            return Some(value);
        }
        let maximizes = self.game.side(position) == self.goal.prover;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let below = after_each(self.game, position, &moves);
        let mut order = in_order(moves.len());
        if depth > 1 {
            for (weight, index) in &mut order {
                let (value, _) = self.judge(&below[*index])?;
                *weight = f64::from(if maximizes { -value } else { value });
            }
            sort_rising(&mut order);
        }
        let key = self.game.key(position);
        if let Some(&first) = self.best.get(&key) {
            bring_forward(&mut order, first);
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
