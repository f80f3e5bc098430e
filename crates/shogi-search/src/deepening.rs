//! Iterative deepening: all moves at the root, ply by ply.

use std::cmp::Reverse;
use std::time::Duration;

use shogi_rules::Rules;

use crate::evaluate::Evaluator;
use crate::limits::{Allotment, Limits, micros};
use crate::packed::unpacked;
use crate::player::Settings;
use crate::report::{Reporter, SearchReport};
use crate::root::{RootMove, insert_last};
use crate::score::{INFINITE, KNOWN_WIN, MAX_PLY, MIN_WIN, WIN, WIN_BY_REPETITION};
use crate::thread::Thread;
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
    fn is_reached(&self, thread: &Thread<'_>, depth: i32, stable: u32) -> bool {
        let moves = &thread.roots;
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
    pub(crate) fn iterative_deepening(&mut self, aim: &Aim, reporter: &mut Reporter<'_, R>) -> i32 {
        let (mut completed, mut stable) = (0, 0);
        let mut last_best = None;
        for depth in 1..=aim.max_depth {
            self.begin_iteration(depth);
            for line in 0..aim.lines {
                self.thread.lines = line;
                let is_complete = self.aspiration_search(depth);
                if self.thread.roots[line].depth == depth {
                    let place = insert_last(&mut self.thread.roots[..=line]);
                    for number in place..=line {
                        self.report_line(number, reporter);
                    }
                }
                if !is_complete {
                    self.print_statistics();
                    return completed;
                }
            }
            completed = depth;
            let best = Some(self.thread.roots[0].mv);
            stable = if last_best == best { stable + 1 } else { 0 };
            last_best = best;
            if aim.is_reached(&self.thread, depth, stable) {
                break;
            }
        }
        self.print_statistics();
        completed
    }

    /// Begins an iteration of this depth: its scores are those before it from now on.
    fn begin_iteration(&mut self, depth: i32) {
        self.thread.root_depth = depth;
        for found in &mut self.thread.roots {
            found.previous = found.score;
        }
    }

    fn print_statistics(&mut self) {
        self.thread.report_nodes();
        self.thread.statistics.print(self.thread.shared.all_nodes());
    }

    /// Deepens beside the first thread until that is done; the table has the findings.
    pub(crate) fn help(&mut self, number: usize) {
        for depth in 1..MAX_PLY as i32 {
            // The threads work at different depths, so they do not all repeat the same work.
            let ahead = (number + depth as usize) % 2;
            self.begin_iteration(depth + ahead as i32);
            if !self.aspiration_search(depth + ahead as i32) {
                break;
            }
        }
        self.thread.report_nodes();
    }

    /// Searches the moves at the root that begin no line yet to a depth, with aspiration windows, and sorts them. Returns
    /// whether the search was completed; if not, the first is still the best move known, with its last exact score.
    fn aspiration_search(&mut self, depth: i32) -> bool {
        let first = self.thread.lines;
        let RootMove { previous: guess, mean, depth: depth_before, .. } = self.thread.roots[first];
        let mean = mean.unwrap_or(0);
        // The larger a score, the more it changes.
        let mut width = self.thread.shared.parameters.aspiration_window
            + mean.clamp(-4_000, 4_000).pow(2) / 9_000;
        let (mut window, mut failed_high) = ((-INFINITE, INFINITE), 0);
        if depth >= 3 && mean.abs() < WIN_BY_REPETITION {
            window = (mean - width, mean + width);
        }
        loop {
            let best = self.search_root(window, (depth - failed_high).max(1));
            // Of equal moves the first stays the first.
            self.thread.roots[first..].sort_by_key(|found| Reverse((found.score, found.previous)));
            if self.thread.stopped {
                // If the first moves fail or lose, the moves not reached may still be good.
                let found = &mut self.thread.roots[first];
                if found.depth == depth && (found.score <= window.0 || found.score <= -KNOWN_WIN) {
                    (found.score, found.depth) = (guess, depth_before);
                }
                return false;
            }
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

    /// Searches the root within a window. Meaningless once the search is stopped.
    fn search_root(&mut self, (low, high): (i32, i32), depth: i32) -> i32 {
        let root = self.root;
        let check = root.is_check();
        let node = Node { position: root, before: None, ply: 0, check, previous: None };
        self.thread.root_width = high - low;
        self.thread.clear_pv(0);
        self.thread.frames.at_mut(0).follows = true;
        self.search_position(node, (low, high), depth, false)
    }

    /// Reports the line of a root move, as line number `line`.
    fn report_line(&mut self, line: usize, reporter: &mut Reporter<'_, R>) {
        self.thread.report_nodes();
        let found = &self.thread.roots[line];
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
