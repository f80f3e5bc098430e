//! How a search goes deeper: all moves at the root ply by ply, or each to a depth of its own.

use std::time::Duration;

use crate::limits::micros;
use crate::root::{RootMove, Searcher, best_first, root_moves, search_all};
use crate::score::{INFINITE, MAX_PLY, MIN_WIN, Score, WIN};
use crate::thread::Thread;

/// What the threads search for.
pub(crate) struct Aim {
    /// How many moves are looked for.
    pub(crate) lines: usize,
    /// The greatest depth.
    pub(crate) most: i32,
    /// The time that the search is meant to take.
    pub(crate) optimum: Duration,
    /// Whether the time is a player's, to be kept, and not to be used up in any case.
    pub(crate) clock: bool,
}

/// A line that was found; see [`Report`](crate::Report), which has its moves by the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding<'l> {
    pub(crate) depth: u32,
    pub(crate) selective_depth: u32,
    pub(crate) line_number: usize,
    pub(crate) score: Score,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) hashfull: u32,
    /// The line, packed.
    pub(crate) line: &'l [u16],
}

/// Deepens until the other threads are done; what is found is in the table.
pub(crate) fn help(searcher: &mut dyn Searcher<'_>, moves: &[u16], number: usize) {
    let mut moves = root_moves(moves);
    for depth in 1..MAX_PLY as i32 {
        // The threads work on different depths, so that they do not all do the same.
        let ahead = (number + depth as usize) % 2;
        if !search_all(searcher, &mut moves, 0, depth + ahead as i32) {
            break;
        }
    }
    searcher.thread().report_nodes();
}

/// Iterative deepening. Gives the depth of the last iteration that came to an end.
pub(crate) fn iterate(
    searcher: &mut dyn Searcher<'_>,
    aim: &Aim,
    moves: &mut [RootMove],
    report: &mut dyn FnMut(&Finding<'_>),
) -> i32 {
    let (mut done, mut stable) = (0, 0);
    let mut last = None;
    for depth in 1..=aim.most {
        for first in 0..aim.lines {
            let complete = search_all(searcher, moves, first, depth);
            if moves[first].depth == depth {
                report_line(searcher.thread(), depth, first, &moves[first], report);
            }
            if !complete {
                return done;
            }
        }
        best_first(&mut moves[..aim.lines]);
        done = depth;
        let best = &moves[0];
        stable = if last == Some(best.mv) { stable + 1 } else { 0 };
        last = Some(best.mv);
        let thread = searcher.thread();
        if thread.shared.control.is_pondering() {
            continue;
        }
        // A win or a loss that the search has seen to its end does not change any more.
        let decided = best.score.abs() >= MIN_WIN && WIN - best.score.abs() <= depth;
        let timed = aim.optimum < Duration::MAX;
        if timed && aim.lines == 1 && decided {
            return done;
        }
        // The next iteration takes longer than all before; with a move that does not change there
        // is less to be found in it, and without a choice no more than a score and a reply.
        let only = moves.len() == 1 && aim.clock;
        let share = match stable {
            _ if only => 0.1,
            4.. => 0.45,
            _ => 0.65,
        };
        let may_end = only || !is_exact(aim, thread);
        if timed && may_end && thread.clock() >= aim.optimum.mul_f64(share) {
            return done;
        }
    }
    done
}

/// Whether all of the time is to be used, since none of it can be kept.
fn is_exact(aim: &Aim, thread: &Thread<'_>) -> bool {
    // Where there is no time at all one iteration is enough.
    !aim.optimum.is_zero() && micros(aim.optimum) >= thread.shared.maximum
}

/// Selective deepening. Gives the least depth of any move.
pub(crate) fn deepen_selectively(
    searcher: &mut dyn Searcher<'_>,
    moves: &mut [RootMove],
    (minimum, maximum): (i32, i32),
    report: &mut dyn FnMut(&Finding<'_>),
) -> i32 {
    let window = (-INFINITE, INFINITE);
    for found in moves.iter_mut() {
        match found.search(searcher, window, 1) {
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
            report_line(searcher.thread(), moves[0].depth, 0, &moves[0], report);
        }
        // A won game is not searched any longer.
        let goes_on = shallow && moves[0].score < MIN_WIN && !searcher.thread().stopped;
        let Some(next) = next.filter(|_| goes_on) else { return least };
        let depth = moves[next].depth + 1;
        match moves[next].search(searcher, window, depth) {
            Some(score) => (moves[next].score, moves[next].depth) = (score, depth),
            None => return least,
        }
    }
}

fn report_line(
    thread: &mut Thread<'_>,
    depth: i32,
    line: usize,
    found: &RootMove,
    report: &mut dyn FnMut(&Finding<'_>),
) {
    thread.report_nodes();
    report(&Finding {
        depth: depth as u32,
        selective_depth: thread.max_ply.max(depth as usize) as u32,
        line_number: line + 1,
        score: found.score(),
        nodes: thread.shared.all_nodes(),
        time: thread.shared.started.elapsed(),
        hashfull: thread.shared.table.hashfull(),
        line: &found.line,
    });
}
