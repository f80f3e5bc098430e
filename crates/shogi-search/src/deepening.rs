//! How a search goes deeper: all moves at the root ply by ply, or each to a depth of its own.

use std::time::Duration;

use shogi_core::{Move, Position};
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, LazyState};
use crate::limits::micros;
use crate::player::Report;
use crate::root::{RootMove, best_first, root_moves};
use crate::score::{INFINITE, MAX_PLY, MIN_WIN, WIN};
use crate::worker::{Node, Worker};

/// What the threads search.
pub(crate) struct Root<'p, R: Rules> {
    pub(crate) position: &'p Position<R>,
    /// How many moves are looked for.
    pub(crate) lines: usize,
    /// The greatest depth.
    pub(crate) most: i32,
    /// The time that the search is meant to take.
    pub(crate) optimum: Duration,
    /// Whether the time is a player's, to be kept, and not to be used up in any case.
    pub(crate) clock: bool,
}

/// The root as a node of the tree.
fn node<'p, R: Rules, S>(
    position: &'p Position<R>,
    state: &'p LazyState<'p, R, S>,
) -> Node<'p, R, S> {
    let check = position.is_check();
    Node { position, state, ply: 0, check, previous: None, evals: [None; 2] }
}

/// Deepens until the other threads are done; what is found is in the table.
pub(crate) fn help<R: Rules, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    position: &Position<R>,
    moves: &[Move<R>],
    number: usize,
) {
    let state = LazyState::start();
    let root = node(position, &state);
    let mut moves = root_moves(moves);
    for depth in 1..MAX_PLY as i32 {
        // The threads work on different depths, so that they do not all do the same.
        let ahead = (number + depth as usize) % 2;
        if !worker.search_all(&root, &mut moves, 0, depth + ahead as i32) {
            break;
        }
    }
    worker.report_nodes();
}

/// Iterative deepening. Gives the depth of the last iteration that came to an end.
pub(crate) fn iterate<R: Rules, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    root: &Root<'_, R>,
    moves: &mut [RootMove<R>],
    report: &mut dyn FnMut(&Report<R>),
) -> i32 {
    let state = LazyState::start();
    let node = node(root.position, &state);
    let (mut done, mut stable) = (0, 0);
    let mut last = None;
    for depth in 1..=root.most {
        for first in 0..root.lines {
            let complete = worker.search_all(&node, moves, first, depth);
            if moves[first].depth == depth {
                report_line(worker, depth, first, &moves[first], report);
            }
            if !complete {
                return done;
            }
        }
        best_first(&mut moves[..root.lines]);
        done = depth;
        let best = &moves[0];
        stable = if last == Some(best.mv) { stable + 1 } else { 0 };
        last = Some(best.mv);
        if worker.shared.control.is_pondering() {
            continue;
        }
        // A win or a loss that the search has seen to its end does not change any more.
        let decided = best.score.abs() >= MIN_WIN && WIN - best.score.abs() <= depth;
        let timed = root.optimum < Duration::MAX;
        if timed && root.lines == 1 && decided {
            return done;
        }
        // The next iteration takes longer than all before; with a move that does not change there
        // is less to be found in it, and without a choice no more than a score and a reply.
        let only = moves.len() == 1 && root.clock;
        let share = match stable {
            _ if only => 0.1,
            4.. => 0.45,
            _ => 0.65,
        };
        let may_end = only || !is_exact(root, worker);
        if timed && may_end && worker.clock() >= root.optimum.mul_f64(share) {
            return done;
        }
    }
    done
}

/// Whether all of the time is to be used, since none of it can be kept.
fn is_exact<R: Rules, E: Evaluator<R>>(root: &Root<'_, R>, worker: &Worker<'_, R, E>) -> bool {
    // Where there is no time at all one iteration is enough.
    !root.optimum.is_zero() && micros(root.optimum) >= worker.shared.maximum
}

/// Selective deepening. Gives the least depth of any move.
pub(crate) fn deepen_selectively<R: Rules, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    root: &Root<'_, R>,
    moves: &mut [RootMove<R>],
    (minimum, maximum): (i32, i32),
    report: &mut dyn FnMut(&Report<R>),
) -> i32 {
    let state = LazyState::start();
    let node = node(root.position, &state);
    let window = (-INFINITE, INFINITE);
    for found in moves.iter_mut() {
        match worker.search_root_move(&node, found, window, 1) {
            Some(score) => (found.score, found.depth) = (score, 1),
            None => break,
        }
    }
    loop {
        best_first(moves);
        let (mut least, mut shallow, mut next) = (i32::MAX, false, None);
        for (number, found) in moves.iter().enumerate() {
            least = least.min(found.depth);
            // What is won or lost is not searched any deeper.
            if found.score.abs() < MIN_WIN {
                shallow |= found.depth < minimum;
                if found.depth < maximum && next.is_none() {
                    next = Some(number);
                }
            }
        }
        if moves[0].depth > 0 {
            report_line(worker, moves[0].depth, 0, &moves[0], report);
        }
        // A won game is not searched any longer.
        let goes_on = shallow && moves[0].score < MIN_WIN && !worker.stopped;
        let Some(next) = next.filter(|_| goes_on) else { return least };
        let depth = moves[next].depth + 1;
        match worker.search_root_move(&node, &mut moves[next], window, depth) {
            Some(score) => (moves[next].score, moves[next].depth) = (score, depth),
            None => return least,
        }
    }
}

fn report_line<R: Rules, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    depth: i32,
    line: usize,
    found: &RootMove<R>,
    report: &mut dyn FnMut(&Report<R>),
) {
    worker.report_nodes();
    report(&Report {
        depth: depth as u32,
        selective_depth: worker.max_ply.max(depth as usize) as u32,
        line_number: line + 1,
        score: found.score(),
        nodes: worker.shared.all_nodes(),
        time: worker.shared.started.elapsed(),
        hashfull: worker.shared.table.hashfull(),
        line: found.line.to_vec(),
    });
}
