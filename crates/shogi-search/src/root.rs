//! The moves at the root, and a search of all of them to one depth.

use shogi_core::Position;
use shogi_eval::Values;
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, LazyState};
use crate::history::piece_to_of;
use crate::packed::{pack, unpack};
use crate::score::{INFINITE, KNOWN_WIN, Score, WIN_BY_REPETITION};
use crate::see::see_ge;
use crate::sorting::ascending;
use crate::thread::{Line, Thread, extend};
use crate::worker::{Node, Worker};

/// One thread of a search as the root sees it: the moves below have scores, whatever the rule set.
pub(crate) trait Searcher<'a> {
    /// The score of a root move, which is packed, by a search to a depth within a window; `None` if it did not come to
    /// an end. The principal variation after the move begins at ply 1.
    fn search_root_move(&mut self, mv: u16, window: (i32, i32), depth: i32) -> Option<i32>;

    /// What does not depend on the rule set.
    fn thread(&mut self) -> &mut Thread<'a>;
}

impl<'a, R: Rules, E: Evaluator<R>> Searcher<'a> for Worker<'a, R, E> {
    fn search_root_move(&mut self, mv: u16, (alpha, beta): (i32, i32), depth: i32) -> Option<i32> {
        let (root, mv) = (self.root, unpack(mv)?);
        let next = root.play(mv);
        let check = next.is_check();
        let root_state = LazyState::of(self.root_state.clone());
        let state = LazyState::after(root, &root_state, Some(mv));
        self.thread.path.push(next.key(), check);
        let child = Node {
            position: &next,
            state: &state,
            ply: 1,
            check,
            previous: Some(piece_to_of(root, mv)),
            evals: [None; 2],
        };
        let score = -self.search(child, -beta, -alpha, depth - 1, true);
        self.thread.path.pop();
        (!self.thread.stopped).then_some(score)
    }

    fn thread(&mut self) -> &mut Thread<'a> {
        &mut self.thread
    }
}

/// The legal moves, packed: the best one of the table, then captures and what loses no material.
pub(crate) fn legal_moves<R: Rules>(
    values: &Values,
    position: &Position<R>,
    best: u16,
) -> Vec<u16> {
    let (mut moves, mut keys) = (Vec::new(), Vec::new());
    for &mv in &position.legal_moves() {
        let loses = !see_ge(position, values, mv, 0);
        let quiet = !position.of(!position.side()).contains(mv.to());
        let packed = pack(mv);
        keys.push(4 * i32::from(packed != best) + 2 * i32::from(loses) + i32::from(quiet));
        moves.push(packed);
    }
    in_order_of(&keys, &moves)
}

/// Moves in the order of their keys, the least first.
fn in_order_of(keys: &[i32], moves: &[u16]) -> Vec<u16> {
    ascending(keys).into_iter().map(|number| moves[number]).collect()
}

/// A move at the root with what the search has found of it.
pub(crate) struct RootMove {
    /// The move, packed.
    pub(crate) mv: u16,
    /// The score of the last search that gave one, or a bound below all others.
    pub(crate) score: i32,
    /// The line, beginning with the move.
    pub(crate) line: Line,
    /// How deep it was searched.
    pub(crate) depth: i32,
}

impl RootMove {
    /// A move that was not searched yet.
    fn new(mv: u16) -> Self {
        let mut line = Line::new();
        line.push(mv);
        Self { mv, score: -INFINITE, line, depth: 0 }
    }

    /// The score, an even one before any search.
    pub(crate) fn score(&self) -> Score {
        if self.score == -INFINITE { Score::Value(0) } else { Score::from_search(self.score) }
    }

    /// Searches the move to a depth, within a window. Its score, if the search came to an end.
    pub(crate) fn search(
        &mut self,
        searcher: &mut dyn Searcher<'_>,
        window: (i32, i32),
        depth: i32,
    ) -> Option<i32> {
        let score = searcher.search_root_move(self.mv, window, depth)?;
        if score > window.0 {
            extend(&mut self.line, self.mv, searcher.thread().pv(1));
        }
        Some(score)
    }
}

/// Moves that were not searched yet.
pub(crate) fn root_moves(moves: &[u16]) -> Vec<RootMove> {
    moves.iter().map(|&mv| RootMove::new(mv)).collect()
}

/// Sorts moves by their scores; equal ones stay in their order.
pub(crate) fn best_first(moves: &mut [RootMove]) {
    // They are few, or nearly sorted already.
    for number in 1..moves.len() {
        let mut place = number;
        while place > 0 && moves[place - 1].score < moves[place].score {
            moves.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Searches all moves from `first` on to a depth, the best of them ends up at `first`; the
/// moves before are lines found already. Whether it came to an end; if not, `moves[first]` is
/// still the best move known, with the last score that says more than a bound.
pub(crate) fn search_all(
    searcher: &mut dyn Searcher<'_>,
    moves: &mut [RootMove],
    first: usize,
    depth: i32,
) -> bool {
    let (guess, depth_before) = (moves[first].score, moves[first].depth);
    let mut width = searcher.thread().shared.parameters.aspiration_window;
    let mut window = (-INFINITE, INFINITE);
    if depth >= 5 && guess.abs() < WIN_BY_REPETITION {
        window = (guess - width, guess + width);
    }
    loop {
        let Some(best) = search_window(searcher, &mut moves[first..], window, depth) else {
            // That the first moves fail or lose says nothing of those that were not reached.
            let found = &mut moves[first];
            if found.depth == depth && (found.score <= window.0 || found.score <= -KNOWN_WIN) {
                (found.score, found.depth) = (guess, depth_before);
            }
            return false;
        };
        if best > window.0 && best < window.1 {
            return true;
        }
        width *= 4;
        if best <= window.0 {
            window.0 = if width > 2000 { -INFINITE } else { best - width };
        } else {
            window.1 = if width > 2000 { INFINITE } else { best + width };
        }
    }
}

/// One pass over the moves. The best goes to the front, the others keep their order.
fn search_window(
    searcher: &mut dyn Searcher<'_>,
    moves: &mut [RootMove],
    (low, high): (i32, i32),
    depth: i32,
) -> Option<i32> {
    let mut alpha = low;
    let mut best = -INFINITE;
    for number in 0..moves.len() {
        let mut score = alpha;
        if number > 0 {
            let late = if depth >= 4 && number >= 6 { 1 } else { 0 };
            let window = (alpha, alpha + 1);
            score = moves[number].search(searcher, window, depth - late)?;
            if score > alpha && late > 0 {
                score = moves[number].search(searcher, window, depth)?;
            }
        }
        if number == 0 || (score > alpha && score < high) {
            score = moves[number].search(searcher, (alpha, high), depth)?;
        }
        if score > best {
            best = score;
        }
        if score > alpha || number == 0 {
            moves[number].score = score;
            moves[number].depth = depth;
            moves[..=number].rotate_right(1);
            alpha = alpha.max(score);
        }
        if alpha >= high {
            break;
        }
    }
    Some(best)
}
