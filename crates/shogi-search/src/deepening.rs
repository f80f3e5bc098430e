//! Iterative deepening: all moves at the root, ply by ply.

use std::time::Duration;

use shogi_core::CheckSquares;
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, LazyState};
use crate::limits::{Allotment, Limits, micros};
use crate::move_picker::Candidate;
use crate::moves::PLY;
use crate::packed::{unpack, unpacked};
use crate::player::Settings;
use crate::report::{Reporter, SearchReport};
use crate::root::{RootMove, insert_last};
use crate::score::{INFINITE, KNOWN_WIN, MAX_EVAL, MAX_PLY, MIN_WIN, WIN, WIN_BY_REPETITION};
use crate::thread::{Thread, extend};
use crate::worker::{Node, Worker};

/// The aim of the threads of a search.
pub(crate) struct Aim {
    /// Number of lines to search for.
    lines: usize,
    /// The greatest depth.
    max_depth: i32,
    /// The intended time of the search.
    optimum: Duration,
    /// Whether the time is on a player's clock, so that unused time is kept.
    clock: bool,
}

impl Aim {
    /// The aim of a search for this many lines, at least one.
    pub(crate) fn new(
        settings: &Settings,
        limits: &Limits,
        allotment: &Allotment,
        moves: usize,
    ) -> Self {
        let deepest = MAX_PLY as u32 - 1;
        Self {
            lines: settings.lines.min(moves).max(1),
            max_depth: limits.depth.map_or(deepest, |depth| depth.clamp(1, deepest)) as i32,
            optimum: allotment.optimum,
            clock: limits.clock.is_some(),
        }
    }

    /// Whether the iteration of this depth is the last, after `stable` others with the same best move.
    fn is_reached(&self, thread: &Thread<'_>, moves: &[RootMove], depth: i32, stable: u32) -> bool {
        let timed = self.optimum < Duration::MAX;
        if !timed || thread.shared.control.is_pondering() {
            return false;
        }
        // A win or a loss that the search has followed to its end stays.
        let best = moves[0].score.abs();
        if self.lines == 1 && best >= MIN_WIN && WIN - best <= depth {
            return true;
        }
        // The next iteration takes longer than all before; with a move that does not change there
        // is less to be found in it, and without a choice no more than a score and a reply.
        let only = moves.len() == 1 && self.clock;
        let share = match stable {
            _ if only => 0.1,
            4.. => 0.45,
            _ => 0.65,
        };
        let may_end = only || !self.is_exact(thread);
        may_end && thread.clock() >= self.optimum.mul_f64(share)
    }

    /// Whether to use all of the time, since none of it can be kept.
    fn is_exact(&self, thread: &Thread<'_>) -> bool {
        // Where there is no time at all one iteration is enough.
        !self.optimum.is_zero() && micros(self.optimum) >= thread.shared.maximum
    }
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// Iterative deepening. Returns the depth of the last iteration that was completed.
    pub(crate) fn iterative_deepening(
        &mut self,
        aim: &Aim,
        moves: &mut [RootMove],
        reporter: &mut Reporter<'_, R>,
    ) -> i32 {
        let (mut completed, mut stable) = (0, 0);
        let mut last_best = None;
        self.enter_root();
        for depth in 1..=aim.max_depth {
            for line in 0..aim.lines {
                let is_complete = self.aspiration_search(moves, line, depth);
                if moves[line].depth == depth {
                    let place = insert_last(&mut moves[..=line]);
                    for (number, found) in moves.iter().enumerate().take(line + 1).skip(place) {
                        self.report_line(found, number, reporter);
                    }
                }
                if !is_complete {
                    self.print_statistics();
                    return completed;
                }
            }
            completed = depth;
            let best = Some(moves[0].mv);
            stable = if last_best == best { stable + 1 } else { 0 };
            last_best = best;
            if aim.is_reached(&self.thread, moves, depth, stable) {
                break;
            }
        }
        self.print_statistics();
        completed
    }

    /// Notes what positions below need of the root.
    fn enter_root(&mut self) {
        let root = self.root;
        if !root.is_check() {
            let eval = self.evaluator.evaluate(&self.root_state, root);
            self.thread.frames.at_mut(0).eval = Some(eval.clamp(-MAX_EVAL, MAX_EVAL));
        }
        self.thread.frames.at_mut(0).table_pv = true;
    }

    fn print_statistics(&mut self) {
        self.thread.report_nodes();
        self.thread.statistics.print(self.thread.shared.all_nodes());
    }

    /// Deepens beside the first thread until that is done; the table has the findings.
    pub(crate) fn help(&mut self, moves: &mut [RootMove], number: usize) {
        self.enter_root();
        for depth in 1..MAX_PLY as i32 {
            // The threads work at different depths, so they do not all repeat the same work.
            let ahead = (number + depth as usize) % 2;
            if !self.aspiration_search(moves, 0, depth + ahead as i32) {
                break;
            }
        }
        self.thread.report_nodes();
    }

    /// Searches all moves from `first` on to a depth, with aspiration windows, and moves the best of them to
    /// `first`. The moves before it are lines found already. Returns whether the search was completed; if not,
    /// `moves[first]` is still the best move known, with its last exact score.
    fn aspiration_search(&mut self, moves: &mut [RootMove], first: usize, depth: i32) -> bool {
        let (guess, depth_before) = (moves[first].score, moves[first].depth);
        // The larger a score, the more it changes.
        let mut width = self.thread.shared.parameters.aspiration_window
            + guess.clamp(-4_000, 4_000).pow(2) / 9_000;
        let (mut window, mut failed_high) = ((-INFINITE, INFINITE), 0);
        if depth >= 3 && guess.abs() < WIN_BY_REPETITION {
            window = (guess - width, guess + width);
        }
        loop {
            let depths = (depth, (depth - failed_high).max(1));
            let Some(best) = self.search_root(&mut moves[first..], window, depths) else {
                // If the first moves fail or lose, the moves not reached may still be good.
                let found = &mut moves[first];
                if found.depth == depth && (found.score <= window.0 || found.score <= -KNOWN_WIN) {
                    (found.score, found.depth) = (guess, depth_before);
                }
                return false;
            };
            if best > window.0 && best < window.1 {
                return true;
            }
            if best <= window.0 {
                let low = if width > 2_000 { -INFINITE } else { best - width };
                (window, failed_high) = ((low, window.0), 0);
            } else {
                // A move that has become better need not be searched as deep to be better still.
                let high = if width > 2_000 { INFINITE } else { best + width };
                (window, failed_high) = ((window.0.max(window.1 - width), high), failed_high + 1);
            }
            width += width / 3;
        }
    }

    /// One pass over the moves. Moves the best one to the front; the others keep their order.
    fn search_root(
        &mut self,
        moves: &mut [RootMove],
        (low, high): (i32, i32),
        (iteration, depth): (i32, i32),
    ) -> Option<i32> {
        let mut alpha = low;
        let mut best = -INFINITE;
        (self.thread.root_depth, self.thread.root_width) = (iteration, high - low);
        for number in 0..moves.len() {
            // A shorter win than the one that is known is not to be missed.
            let late = match alpha < KNOWN_WIN {
                true => self.root_reduction(depth, number, high - alpha),
                false => 0,
            };
            let mv = &mut moves[number];
            let mut score = alpha;
            if number > 0 {
                let window = (alpha, alpha + 1);
                score = self.search_root_move(mv, window, (depth - late, number))?;
                if score > alpha && late > 0 {
                    score = self.search_root_move(mv, window, (depth, number))?;
                }
            }
            if number == 0 || (score > alpha && score < high) {
                score = self.search_root_move(mv, (alpha, high), (depth, number))?;
            }
            best = best.max(score);
            if score > alpha || number == 0 {
                (mv.score, mv.depth) = (score, iteration);
                moves[..=number].rotate_right(1);
                alpha = alpha.max(score);
            }
            if alpha >= high {
                break;
            }
        }
        Some(best)
    }

    /// Late-move reduction at the root, in plies: less than elsewhere, as these moves are to be played.
    fn root_reduction(&self, depth: i32, number: usize, width: i32) -> i32 {
        if depth < 3 || number < 2 {
            return 0;
        }
        let reduction = self.reduction(depth, number, false, width) - 4_000 - 65 * number as i32;
        (reduction / PLY).clamp(0, depth - 2)
    }

    /// Searches a move to a depth, within a window. Returns its score if the search was completed.
    fn search_root_move(
        &mut self,
        found: &mut RootMove,
        (alpha, beta): (i32, i32),
        (depth, number): (i32, usize),
    ) -> Option<i32> {
        let (root, mv) = (self.root, unpack(found.mv)?);
        let root_state = LazyState::of(self.root_state.clone());
        let check = root.is_check();
        let node = Node { position: root, state: &root_state, ply: 0, check, previous: None };
        let candidate = Candidate::of(root, self.evaluator.values(), mv);
        let gives_check = CheckSquares::new(root).gives_check(root, mv);
        self.thread.frames.at_mut(0).number = number;
        let cut = beta - alpha == 1;
        let score = self.after(&node, &candidate, gives_check, |worker, child| {
            -worker.search(child, (-beta, -alpha), depth - 1, cut)
        });
        if self.thread.stopped {
            return None;
        }
        if score > alpha {
            extend(&mut found.line, found.mv, self.thread.pv(1));
        }
        Some(score)
    }

    /// Reports the line of a root move, as line number `line`.
    fn report_line(&mut self, found: &RootMove, line: usize, reporter: &mut Reporter<'_, R>) {
        self.thread.report_nodes();
        let shared = self.thread.shared;
        reporter.report(&SearchReport {
            depth: found.depth as u32,
            selective_depth: self.thread.max_ply.max(found.depth as usize) as u32,
            line_number: line + 1,
            score: found.score(),
            nodes: shared.all_nodes(),
            time: shared.started.elapsed(),
            hashfull: shared.table.hashfull(),
            line: unpacked(&found.line),
        });
    }
}
