//! One thread of a search: what it shares with the others, and what it keeps along a line.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use arrayvec::ArrayVec;
use shogi_core::clock::Instant;
use shogi_core::{Move, Position, camp};
use shogi_rules::{Declaration, GameResult, ImpasseRule, Rules, Verdict, mate_in_one};

use crate::evaluate::{Evaluator, LazyState};
use crate::history::History;
use crate::known::KnownValues;
use crate::limits::Control;
use crate::packed::pack;
use crate::parameters::Parameters;
use crate::path::Path;
use crate::score::{MAX_EVAL, MAX_PLY, WIN};
use crate::table::{Bound, Entry, TranspositionTable};

/// A line of play.
pub(crate) type Line<R> = ArrayVec<Move<R>, MAX_PLY>;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) control: &'a Control,
    pub(crate) parameters: Parameters,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) impasse: Option<ImpasseRule>,
    /// Points that Sente and Gote have in impasse for what they gave as odds.
    pub(crate) odds: [u32; 2],
    pub(crate) started: Instant,
    /// Nodes of all threads, as far as they have been reported.
    pub(crate) nodes: AtomicU64,
    /// Nodes of the search for a mate before this one, which do not count towards `max_nodes`.
    pub(crate) nodes_before: u64,
    pub(crate) max_nodes: u64,
    /// Set when the first thread is done.
    pub(crate) done: AtomicBool,
    /// Microseconds from the start at which the player's clock began to run.
    pub(crate) clock_started: AtomicU64,
    /// Microseconds on the clock after which a search is broken off.
    pub(crate) maximum: u64,
    /// Microseconds from the start after which it is broken off; `u64::MAX` until the clock runs.
    pub(crate) deadline: AtomicU64,
    pub(crate) threads: usize,
}

impl Shared<'_> {
    /// Nodes of all threads, as far as they have been reported, with those of the search for a mate.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes_before + self.nodes.load(Relaxed)
    }
}

/// A thread reports its nodes and reads the clock every so many nodes.
const CHECK_INTERVAL: u64 = 512;

/// One thread of a search.
pub(crate) struct Worker<'a, R: Rules, E: Evaluator<R>> {
    pub(crate) evaluator: &'a E,
    pub(crate) shared: &'a Shared<'a>,
    /// Values that no search is needed for.
    known: Option<&'a dyn KnownValues<R>>,
    pub(crate) path: Path,
    pub(crate) history: &'a mut History,
    /// The principal variation from each ply on.
    pv: Vec<Line<R>>,
    /// Late-move reductions by depth and number of the move.
    pub(crate) reductions: [[u8; 64]; 64],
    pub(crate) nodes: u64,
    /// Nodes that the other threads know of.
    reported: u64,
    /// The longest line searched.
    pub(crate) max_ply: usize,
    pub(crate) stopped: bool,
}

/// A position in the tree.
pub(crate) struct Node<'p, R: Rules, S> {
    pub(crate) position: &'p Position<R>,
    pub(crate) state: &'p LazyState<'p, R, S>,
    /// Plies from the root.
    pub(crate) ply: usize,
    pub(crate) check: bool,
    /// The piece-to index of the last move; none after a null move.
    pub(crate) previous: Option<u16>,
    /// The evaluations one and two plies before, where there was one.
    pub(crate) evals: [Option<i32>; 2],
}

// Derived, they would ask for a state that can be copied.
impl<R: Rules, S> Clone for Node<'_, R, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules, S> Copy for Node<'_, R, S> {}

impl<'a, R: Rules, E: Evaluator<R>> Worker<'a, R, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        shared: &'a Shared<'a>,
        known: Option<&'a dyn KnownValues<R>>,
        path: Path,
        history: &'a mut History,
    ) -> Self {
        let parameters = &shared.parameters;
        let base = f64::from(parameters.late_move_reduction_base) / 100.0;
        let divisor = f64::from(parameters.late_move_reduction_divisor) / 100.0;
        let mut reductions = [[0; 64]; 64];
        let logarithms: [f64; 64] = std::array::from_fn(|n| (n as f64).ln());
        for (row, ln_depth) in reductions.iter_mut().zip(logarithms).skip(1) {
            for (reduction, ln_number) in row.iter_mut().zip(logarithms).skip(1) {
                *reduction = (base + ln_depth * ln_number / divisor) as u8;
            }
        }
        let pv = vec![Line::new(); MAX_PLY + 2];
        let (nodes, reported, max_ply, stopped) = (0, 0, 0, false);
        Self {
            evaluator,
            shared,
            known,
            path,
            history,
            pv,
            reductions,
            nodes,
            reported,
            max_ply,
            stopped,
        }
    }

    /// The principal variation from the ply on.
    pub(crate) fn pv(&self, ply: usize) -> &Line<R> {
        &self.pv[ply]
    }

    /// Counts a node; whether the search is over.
    #[inline]
    fn visit(&mut self) -> bool {
        if self.stopped {
            // On the way back from where it was stopped nothing is searched any more.
            return true;
        }
        self.nodes += 1;
        if self.nodes - self.reported >= CHECK_INTERVAL {
            self.report_nodes();
        }
        if self.shared.threads == 1 && self.nodes >= self.shared.max_nodes {
            self.stopped = true;
        }
        self.stopped
    }

    /// Adds the nodes since the last report to those of all threads, and stops at the limits that
    /// they share.
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

    /// Begins a node; its score if nothing is to be searched: the search is over, the game has
    /// ended, or the line is as long as it may be.
    #[inline]
    pub(crate) fn enter(&mut self, node: &Node<'_, R, E::State>) -> Option<i32> {
        self.pv[node.ply].clear();
        if self.visit() {
            return Some(0);
        }
        self.max_ply = self.max_ply.max(node.ply);
        if let Some(score) = self.ending(node) {
            return Some(score);
        }
        (node.ply >= MAX_PLY).then(|| self.evaluate(node))
    }

    /// The score of a game that has ended here, or whose end is known, for the player to move.
    #[inline]
    fn ending(&self, node: &Node<'_, R, E::State>) -> Option<i32> {
        let (position, ply) = (node.position, node.ply as i32);
        if R::is_over(position) {
            return Some(match R::verdict(position) {
                Some(Verdict::Win) => WIN - ply,
                Some(Verdict::Loss) => ply - WIN,
                Some(Verdict::Draw) | None => 0,
            });
        }
        if let Some(rule) = self.shared.impasse {
            let side = position.side();
            let king = position.royals() & position.of(side);
            if king.meets(camp(side, R::ZONE)) {
                let mut declaration = Declaration::new(position);
                declaration.points += self.shared.odds[side.index()];
                if rule.declared(&declaration).result == GameResult::Win(side) {
                    return Some(WIN - ply);
                }
            }
        }
        if let Some(score) = self.path.repetition(position.side()) {
            return Some(score);
        }
        Some(self.known?.value(position)?.score(node.ply))
    }

    /// The evaluation of a position, for the player to move.
    #[inline]
    pub(crate) fn evaluate(&self, node: &Node<'_, R, E::State>) -> i32 {
        let state = node.state.get(self.evaluator, node.position);
        self.evaluator.evaluate(state, node.position).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a position with a mate in one, which becomes its principal variation.
    #[inline]
    pub(crate) fn mate_in_one(&mut self, node: &Node<'_, R, E::State>) -> Option<i32> {
        if !R::ROYAL_SAFETY {
            // The game ends with the capture of the royal piece, one ply after a mate.
            return None;
        }
        let mate = mate_in_one(node.position)?;
        let score = WIN - node.ply as i32 - 1;
        self.pv[node.ply].push(mate);
        let (eval, depth) = (MAX_EVAL, MAX_PLY as i32);
        self.store(node, Entry { best: pack(mate), score, eval, depth, bound: Bound::Exact });
        Some(score)
    }

    /// Makes a move followed by the principal variation after it the principal variation.
    pub(crate) fn update_pv(&mut self, ply: usize, mv: Move<R>) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        // A line as long as the deepest search has no room for one move more.
        let room = MAX_PLY - 1;
        let rest = &below[0][..below[0].len().min(room)];
        let _ = line.try_extend_from_slice(rest);
    }

    /// What the table has of the position.
    #[inline]
    pub(crate) fn probe(&self, node: &Node<'_, R, E::State>) -> Option<Entry> {
        self.shared.table.probe(node.position.key(), node.ply)
    }

    #[inline]
    pub(crate) fn store(&self, node: &Node<'_, R, E::State>, entry: Entry) {
        self.shared.table.store(node.position.key(), node.ply, entry);
    }
}
