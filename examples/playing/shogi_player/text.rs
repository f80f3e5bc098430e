//! The search of the text with nothing in it but what the text names: minimax, cut-offs, an order of moves, a cache.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use shogi_rules::Rules;
use shogi_rules::shogi_core::{Face, Move, Position};
use shogi_search::{Evaluator, Values};

/// A lost position is worth this less, and the more so the more plies are left.
pub const LOSS: i32 = -1_000_000;
/// Below every value.
const INFINITE: i32 = 2_000_000;
/// What a check counts in the order of moves, in hundredths of a pawn.
const CHECK: i32 = 100;

/// Which of the text's ideas a search has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ideas {
    /// Alpha-beta: what cannot change the value of the root is left out.
    pub cutoffs: bool,
    /// Captures, promotions and checks are looked at first.
    pub order: bool,
    /// A position that was searched to the same depth is not searched again.
    pub cache: bool,
    /// Moves are sorted by the values that the cache has of the positions after them, searched to any depth.
    pub order_by_cache: bool,
}

/// What the value of a search says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What the cache knows of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    depth: u32,
    value: i32,
    bound: Bound,
}

/// A search of positions to a fixed depth, which counts the positions it visits.
///
/// The cache is keyed by whole positions, as the text has it: no two positions can be taken for each other. The history
/// of the game is not looked at.
#[derive(Debug)]
pub struct TextSearch<'e, R: Rules, E> {
    evaluation: &'e E,
    ideas: Ideas,
    cache: FxHashMap<Position<R>, Entry>,
    nodes: u64,
    most: u64,
}

impl<'e, R: Rules, E: Evaluator<R>> TextSearch<'e, R, E> {
    /// A search with an empty cache.
    pub fn new(evaluation: &'e E, ideas: Ideas) -> Self {
        Self { evaluation, ideas, cache: FxHashMap::default(), nodes: 0, most: u64::MAX }
    }

    /// Visits at most so many positions more.
    pub fn allow(&mut self, nodes: u64) {
        self.most = self.nodes.saturating_add(nodes);
    }

    /// Positions visited so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.cache.clear();
    }

    /// The value of a position for the player to move, by all lines of this length; `None` if that takes more positions
    /// than are allowed.
    pub fn value(&mut self, position: &Position<R>, depth: u32) -> Option<i32> {
        self.search(position, depth, -INFINITE, INFINITE)
    }

    /// The first of the best moves to this depth, of at least one ply.
    pub fn best(&mut self, position: &Position<R>, depth: u32) -> Option<Move<R>> {
        let mut best = None;
        let mut from = -INFINITE;
        for (_, mv) in self.moves(position) {
            let child = position.play_unchecked(mv);
            let value = -self.search(&child, depth - 1, -INFINITE, -from)?;
            if value > from || best.is_none() {
                (best, from) = (Some(mv), value);
            }
        }
        best
    }

    fn search(&mut self, position: &Position<R>, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if self.nodes == self.most {
            return None;
        }
        self.nodes += 1;
        if depth == 0 {
            let state = self.evaluation.start(position);
            let is_lost = position.is_check() && position.legal_moves().is_empty();
            return Some(if is_lost { LOSS } else { self.evaluation.evaluate(&state, position) });
        }
        if let Some(value) = self.cached(position, depth, alpha, beta) {
            return Some(value);
        }
        let mut best = LOSS - depth as i32;
        let mut from = alpha;
        for (_, mv) in self.moves(position) {
            let child = position.play_unchecked(mv);
            let value = -self.search(&child, depth - 1, -beta, -from)?;
            best = best.max(value);
            if self.ideas.cutoffs {
                from = from.max(best);
                if from >= beta {
                    break;
                }
            }
        }
        if self.ideas.cache {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.cache.insert(*position, Entry { depth, value: best, bound });
        }
        Some(best)
    }

    /// The value of a position that was searched to this very depth, where it decides; so that the cache saves work and
    /// changes no value.
    fn cached(&self, position: &Position<R>, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if !self.ideas.cache {
            return None;
        }
        let entry = self.cache.get(position).filter(|entry| entry.depth == depth)?;
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.value >= beta,
            Bound::AtMost => entry.value <= alpha,
        };
        decides.then_some(entry.value)
    }

    /// All moves in the order in which they are searched, with what they are ranked by.
    fn moves(&self, position: &Position<R>) -> Vec<(i32, Move<R>)> {
        let moves = position.legal_moves();
        if !self.ideas.order {
            return moves.iter().map(|&mv| (0, mv)).collect();
        }
        let state = self.evaluation.start(position);
        let base = self.evaluation.evaluate(&state, position);
        let mut ranked = Vec::with_capacity(moves.len());
        for mv in moves {
            let next = position.play_unchecked(mv);
            let known = match self.ideas.order_by_cache {
                true => self.cache.get(&next).map(|entry| -entry.value),
                false => None,
            };
            let check = if next.is_check() { CHECK } else { 0 };
            let gain = gain(self.evaluation.values(), position, mv);
            ranked.push((known.unwrap_or(base + gain + check), mv));
        }
        ranked.sort_by_key(|&(rank, _)| Reverse(rank));
        ranked
    }
}

/// What a move captures and promotes.
fn gain<R: Rules>(values: &Values, position: &Position<R>, mv: Move<R>) -> i32 {
    let Move::Board { from, to, turn } = mv else { return 0 };
    let placement = position.placement();
    let captured = placement.piece(to).map_or(0, |piece| values.capture(piece.face));
    let turned = placement.piece(from).filter(|_| turn).map_or(0, |piece| {
        let back = Face { promoted: !piece.face.promoted, ..piece.face };
        values.board(back) - values.board(piece.face)
    });
    captured + turned
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Game, Minishogi};
    use shogi_search::Material;

    use super::*;
    use crate::ideas::STEPS;

    #[test]
    fn no_idea_changes_a_value_and_each_saves_positions() {
        let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
        let mut game = Game::<Minishogi>::from_start();
        let mut spent = [0; STEPS.len()];
        while game.outcome().is_none() && game.moves().len() < 24 {
            let values: Vec<_> = STEPS
                .iter()
                .zip(&mut spent)
                .map(|((_, ideas), spent)| {
                    let mut search = TextSearch::new(&evaluation, *ideas);
                    let depths = if ideas.order_by_cache { 1..=3 } else { 3..=3 };
                    let value = depths.map(|depth| search.value(game.position(), depth)).last();
                    *spent += search.nodes();
                    value
                })
                .collect();
            assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
            let moves = game.position().legal_moves();
            game.play(moves[game.moves().len() * 7 % moves.len()]).unwrap();
        }
        assert!(spent[..4].is_sorted_by(|one, next| one > next), "{spent:?}");
    }

    #[test]
    fn a_search_that_may_visit_too_few_positions_has_no_value() {
        let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
        let mut search = TextSearch::new(&evaluation, STEPS[1].1);
        let start = Minishogi::start();
        search.allow(10);
        assert_eq!((search.value(&start, 3), search.nodes()), (None, 10));
        search.allow(1_000_000);
        assert!(search.value(&start, 3).is_some());
    }
}
