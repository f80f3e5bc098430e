//! The part of a search thread that is independent of the rule set: the state shared with other threads, and
//! the state along a line.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use arrayvec::ArrayVec;
use shogi_core::clock::Instant;
use shogi_rules::EnteringKingRule;

use crate::frames::Frames;
use crate::history::History;
use crate::limits::Control;
use crate::parameters::Parameters;
use crate::path::Path;
use crate::root::RootMove;
use crate::score::{INFINITE, KNOWN_WIN, MAX_PLY};
use crate::statistics::Statistics;
use crate::table::TranspositionTable;

/// A line of play, its moves packed.
pub(crate) type Line = ArrayVec<u16, MAX_PLY>;

/// The state shared by all threads of a search.
pub(crate) struct SharedState<'a> {
    pub(crate) control: &'a Control,
    pub(crate) parameters: Parameters,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) entering_king: EnteringKingRule,
    /// Points of Sente and Gote in impasse for the odds they gave.
    pub(crate) odds: [u32; 2],
    pub(crate) started: Instant,
    /// Nodes reported by all threads.
    pub(crate) nodes: AtomicU64,
    /// Nodes of the search for a mate before this one, which do not count towards `max_nodes`.
    pub(crate) nodes_before: u64,
    pub(crate) max_nodes: u64,
    /// Set when the first thread is done.
    pub(crate) done: AtomicBool,
    /// Microseconds from the start at which the player's clock began to run.
    pub(crate) clock_started: AtomicU64,
    /// Microseconds on the clock after which a search is stopped.
    pub(crate) maximum: u64,
    /// Microseconds from the start after which it is stopped; `u64::MAX` until the clock runs.
    pub(crate) deadline: AtomicU64,
    pub(crate) threads: usize,
    /// Whether all moves at the root are searched.
    pub(crate) root_is_whole: bool,
}

impl SharedState<'_> {
    /// Nodes reported by all threads, with those of the search for a mate.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes_before + self.nodes.load(Relaxed)
    }

    /// Number of nodes after which a thread reports its nodes and reads the clock. 512 nodes take about a millisecond, too
    /// long for a search that has less than ten.
    #[inline]
    const fn check_interval(&self) -> u64 {
        if self.maximum < 10_000 { 8 } else { 512 }
    }
}

/// One thread of a search.
pub(crate) struct Thread<'a> {
    pub(crate) shared: &'a SharedState<'a>,
    pub(crate) path: Path,
    pub(crate) history: &'a mut History,
    /// The moves at the root, best first.
    pub(crate) roots: Vec<RootMove>,
    /// Lines that are found already, which are the first of these moves.
    pub(crate) lines: usize,
    /// The principal variation from each ply on.
    pv: Vec<Line>,
    /// The plies of the line.
    pub(crate) frames: Frames,
    /// Late-move reductions by depth and number of the move, in parts of a ply.
    pub(crate) reductions: Box<[[i16; 64]; 64]>,
    /// The depth of the iteration.
    pub(crate) root_depth: i32,
    /// The width of the window at the root.
    pub(crate) root_width: i32,
    /// The ply from which null moves are tried, while one is verified; otherwise 0.
    pub(crate) null_from: usize,
    pub(crate) statistics: Statistics,
    nodes: u64,
    /// Nodes already reported.
    reported: u64,
    /// The longest line searched.
    pub(crate) max_ply: usize,
    pub(crate) stopped: bool,
}

impl<'a> Thread<'a> {
    pub(crate) fn new(
        shared: &'a SharedState<'a>,
        path: Path,
        history: &'a mut History,
        roots: Vec<RootMove>,
    ) -> Self {
        let slope = f64::from(shared.parameters.late_move_reduction_slope) * 10.24;
        let mut reductions = Box::new([[0; 64]; 64]);
        let logarithms: [f64; 64] = std::array::from_fn(|n| (n.max(1) as f64).ln());
        for (row, ln_depth) in reductions.iter_mut().zip(logarithms) {
            for (reduction, ln_number) in row.iter_mut().zip(logarithms) {
                *reduction = (slope * ln_depth * ln_number) as i16;
            }
        }
        let pv = vec![Line::new(); MAX_PLY + 2];
        Self {
            shared,
            path,
            history,
            roots,
            lines: 0,
            pv,
            frames: Frames::new(),
            reductions,
            root_depth: 0,
            root_width: 1,
            null_from: 0,
            statistics: Statistics::default(),
            nodes: 0,
            reported: 0,
            max_ply: 0,
            stopped: false,
        }
    }

    /// Begins the principal variation from the ply on.
    #[inline]
    pub(crate) fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// Ends the principal variation with a move at the ply.
    #[inline]
    pub(crate) fn end_pv(&mut self, ply: usize, mv: u16) {
        self.pv[ply].push(mv);
    }

    /// Sets the principal variation to a move followed by the variation after it.
    pub(crate) fn update_pv(&mut self, ply: usize, mv: u16) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        extend(&mut above[ply], mv, &below[0]);
    }

    /// The best move at the root so far, of those that begin no line found already.
    pub(crate) fn best_root(&self) -> Option<u16> {
        self.roots.get(self.lines).map(|found| found.mv)
    }

    /// Whether a move at the root is to be searched.
    pub(crate) fn is_open_root(&self, mv: u16) -> bool {
        self.roots[self.lines..].iter().any(|found| found.mv == mv)
    }

    /// Whether the table may know what a search of the root finds: not if moves were left out.
    pub(crate) fn stores_root(&self) -> bool {
        self.lines == 0 && self.shared.root_is_whole
    }

    /// Notes the score of a move at the root, and its line if it is the best so far.
    pub(crate) fn note_root_move(&mut self, mv: u16, score: i32, is_best: bool) {
        let found = self.roots[self.lines..].iter_mut().find(|found| found.mv == mv);
        let Some(found) = found else { return };
        // Wins and losses are not averaged with other scores.
        let before = found.mean.filter(|mean| mean.abs().max(score.abs()) < KNOWN_WIN);
        found.mean = Some(before.map_or(score, |mean| i32::midpoint(mean, score)));
        found.score = if is_best { score } else { -INFINITE };
        if is_best {
            found.depth = self.root_depth;
            extend(&mut found.line, mv, &self.pv[1]);
        }
    }

    /// Notes whether the position at the ply is one of the line that the iteration before found.
    #[inline]
    pub(crate) fn follow_line(&mut self, ply: usize) {
        let last = self.frames.before(ply, 1);
        let line = &self.roots[self.lines].line;
        let follows = last.follows && line.get(ply - 1).is_some_and(|&mv| mv == last.packed);
        self.frames.at_mut(ply).follows = follows;
    }

    /// Counts a node, that is a move made, and stops the search at its limits. A move that is searched again, deeper or with
    /// another window, counts once, as elsewhere.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes - self.reported >= self.shared.check_interval() {
            self.report_nodes();
        }
        if self.shared.threads == 1 && self.nodes >= self.shared.max_nodes {
            self.stopped = true;
        }
    }

    /// Adds the nodes since the last report to those of all threads, and stops at the shared limits.
    #[cold]
    pub(crate) fn report_nodes(&mut self) {
        let shared = self.shared;
        let new = self.nodes - self.reported;
        let total = shared.nodes.fetch_add(new, Relaxed) + new;
        self.reported = self.nodes;
        let elapsed = shared.started.elapsed().as_micros() as u64;
        let deadline = shared.deadline.load(Relaxed);
        if deadline == u64::MAX && shared.maximum < u64::MAX && !shared.control.is_pondering() {
            shared.clock_started.store(elapsed, Relaxed);
            shared.deadline.store(elapsed.saturating_add(shared.maximum), Relaxed);
        }
        if elapsed >= deadline
            || shared.control.is_stopped()
            || shared.done.load(Relaxed)
            || (shared.threads > 1 && total >= shared.max_nodes)
        {
            self.stopped = true;
        }
    }

    /// Time on the player's clock.
    pub(crate) fn clock(&self) -> Duration {
        let started = Duration::from_micros(self.shared.clock_started.load(Relaxed));
        self.shared.started.elapsed().saturating_sub(started)
    }
}

/// Sets a line to a move and the line after it; a line of maximal length loses its last move.
pub(crate) fn extend(line: &mut Line, mv: u16, after: &[u16]) {
    line.clear();
    line.push(mv);
    let room = line.remaining_capacity();
    let _ = line.try_extend_from_slice(&after[..after.len().min(room)]);
}
