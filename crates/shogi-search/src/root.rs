//! The moves at the root, and a search of all of them to one depth.

use shogi_core::{Move, Position};
use shogi_learn::Values;
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, LazyState};
use crate::history::piece_to_of;
use crate::packed::pack;
use crate::score::{INFINITE, KNOWN_WIN, Score, WIN_BY_REPETITION};
use crate::see::see_ge;
use crate::sorting::ascending;
use crate::worker::{Line, Node, Worker};

/// A move at the root with what the search has found of it.
pub(crate) struct RootMove<R: Rules> {
    pub(crate) mv: Move<R>,
    /// The score of the last search that gave one, or a bound below all others.
    pub(crate) score: i32,
    /// The line, beginning with the move.
    pub(crate) line: Line<R>,
    /// How deep it was searched.
    pub(crate) depth: i32,
}

impl<R: Rules> RootMove<R> {
    /// The score, an even one before any search.
    pub(crate) fn score(&self) -> Score {
        if self.score == -INFINITE { Score::Value(0) } else { Score::from_search(self.score) }
    }
}

/// The legal moves: the best one of the table, then captures and what loses no material.
pub(crate) fn legal_moves<R: Rules>(
    values: &Values,
    position: &Position<R>,
    best: u16,
) -> Vec<Move<R>> {
    let moves = position.legal_moves();
    let mut keys = Vec::new();
    for &mv in &moves {
        let loses = !see_ge(position, values, mv, 0);
        let quiet = !position.of(!position.side()).contains(mv.to());
        keys.push(4 * i32::from(pack(mv) != best) + 2 * i32::from(loses) + i32::from(quiet));
    }
    let mut sorted = Vec::new();
    for number in ascending(&keys) {
        sorted.push(moves[number]);
    }
    sorted
}

/// Moves that were not searched yet.
pub(crate) fn root_moves<R: Rules>(moves: &[Move<R>]) -> Vec<RootMove<R>> {
    let mut unsearched = Vec::with_capacity(moves.len());
    for &mv in moves {
        unsearched.push(RootMove { mv, score: -INFINITE, line: line_of(mv), depth: 0 });
    }
    unsearched
}

/// A line of one move.
fn line_of<R: Rules>(mv: Move<R>) -> Line<R> {
    let mut line = Line::new();
    line.push(mv);
    line
}

/// Sorts moves by their scores; equal ones stay in their order.
pub(crate) fn best_first<R: Rules>(moves: &mut [RootMove<R>]) {
    // They are few, or nearly sorted already.
    for number in 1..moves.len() {
        let mut place = number;
        while place > 0 && moves[place - 1].score < moves[place].score {
            moves.swap(place - 1, place);
            place -= 1;
        }
    }
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// Searches a root move to a depth, within a window. Whether it came to an end.
    pub(crate) fn search_root_move(
        &mut self,
        root: &Node<'_, R, E::State>,
        root_move: &mut RootMove<R>,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> Option<i32> {
        let mv = root_move.mv;
        let next = root.position.play(mv);
        let check = next.is_check();
        let state = LazyState::after(root.position, root.state, Some(mv));
        self.path.push(next.key(), check);
        let child = Node {
            position: &next,
            state: &state,
            ply: 1,
            check,
            previous: Some(piece_to_of(root.position, mv)),
            evals: [None; 2],
        };
        let score = -self.search(child, -beta, -alpha, depth - 1, true);
        self.path.pop();
        if self.stopped {
            return None;
        }
        if score > alpha {
            root_move.line = line_of(mv);
            let room = root_move.line.remaining_capacity();
            let rest = self.pv(1);
            let _ = root_move.line.try_extend_from_slice(&rest[..rest.len().min(room)]);
        }
        Some(score)
    }

    /// Searches all moves from `first` on to a depth, the best of them ends up at `first`; the
    /// moves before are lines found already. Whether it came to an end; if not, `moves[first]` is
    /// still the best move known, with the last score that says more than a bound.
    pub(crate) fn search_all(
        &mut self,
        root: &Node<'_, R, E::State>,
        moves: &mut [RootMove<R>],
        first: usize,
        depth: i32,
    ) -> bool {
        let (guess, depth_before) = (moves[first].score, moves[first].depth);
        let mut width = self.shared.parameters.aspiration_window;
        let mut window = (-INFINITE, INFINITE);
        if depth >= 5 && guess.abs() < WIN_BY_REPETITION {
            window = (guess - width, guess + width);
        }
        loop {
            let Some(best) = self.search_window(root, &mut moves[first..], window, depth) else {
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
        &mut self,
        root: &Node<'_, R, E::State>,
        moves: &mut [RootMove<R>],
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
                score = self.search_root_move(root, &mut moves[number], window, depth - late)?;
                if score > alpha && late > 0 {
                    score = self.search_root_move(root, &mut moves[number], window, depth)?;
                }
            }
            if number == 0 || (score > alpha && score < high) {
                score = self.search_root_move(root, &mut moves[number], (alpha, high), depth)?;
            }
            if score > best {
                best = score;
            }
            if score > alpha || number == 0 {
                moves[number].score = score;
                moves[number].depth = depth;
                for place in (0..number).rev() {
                    moves.swap(place, place + 1);
                }
                alpha = alpha.max(score);
            }
            if alpha >= high {
                break;
            }
        }
        Some(best)
    }
}
