//! Alpha-beta: principal variation search. What is done in a position before its moves are searched.
//!
//! Each step that leaves something out is a function named as in other programs. Only mate-distance pruning and
//! the transposition cutoff are exact; the others do not apply to scores that are wins or losses.

use std::cell::LazyCell;

use shogi_core::{CheckSquares, Geometry, Move, Position};
use shogi_rules::Rules;

use crate::correction::Corrections;
use crate::evaluate::Evaluator;
use crate::history::{Quiet, Rows};
use crate::keys::pawn_key;
use crate::move_picker::{Candidate, MovePicker, MoveSet, Scoring};
use crate::outgrown::Outgrown;
use crate::packed::{NONE, captures, pack, unpack};
use crate::parameters::Parameters;
use crate::path::PathEntry;
use crate::score::{KNOWN_WIN, MAX_EVAL, MAX_PLY, MIN_WIN, WIN};
use crate::see::see_ge;
use crate::table::{Bound, TableEntry};
use crate::worker::{Node, Worker};

/// Facts about a position before its moves are searched.
#[derive(Clone, Copy)]
pub(crate) struct NodeInfo {
    pub(crate) entry: Option<TableEntry>,
    /// The evaluation without its correction; `None` in check.
    pub(crate) static_eval: Option<i32>,
    /// The evaluation with its correction.
    pub(crate) eval: Option<i32>,
    /// Whether it is better than at the player's last turn, or above beta.
    pub(crate) improving: bool,
    /// Whether the position may be one of the principal variation.
    pub(crate) pv: bool,
    /// Whether it has been one, in this search or an earlier one.
    pub(crate) table_pv: bool,
    /// Whether a beta cutoff is expected.
    pub(crate) cut: bool,
    /// The table's move, packed, or [`NONE`]; at the root the best move so far.
    pub(crate) table_move: u16,
    /// Whether it captures.
    pub(crate) table_captures: bool,
    /// The move that is left out, packed, or [`NONE`].
    pub(crate) excluded: u16,
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position for the player to move: exact between `alpha` and `beta`, otherwise a bound.
    /// Meaningless once the search is stopped. `cut` says whether a beta cutoff is expected.
    pub(crate) fn search(
        &mut self,
        node: Node<'_, R>,
        (alpha, beta): (i32, i32),
        depth: i32,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(node, alpha, beta);
        }
        if let Some(score) = self.enter(&node) {
            return score;
        }
        self.thread.frames.at_mut(node.ply).excluded = NONE;
        self.thread.follow_line(node.ply);
        self.search_position(node, (alpha, beta), depth.min(MAX_PLY as i32), cut)
    }

    /// The search of a position that has been entered.
    pub(crate) fn search_position(
        &mut self,
        node: Node<'_, R>,
        (alpha, beta): (i32, i32),
        depth: i32,
        cut: bool,
    ) -> i32 {
        let pv = beta - alpha > 1;
        let (alpha, beta) = mate_distance_pruning(alpha, beta, node.ply);
        if alpha >= beta {
            return alpha;
        }
        let entry = self.probe(&node);
        let whole = self.thread.frames.at(node.ply).excluded == NONE;
        // The root is not decided without one of its moves.
        let inner = whole && node.ply > 0;
        if inner {
            if let Some(score) = main_cutoff(entry, pv, (alpha, beta), depth, cut) {
                self.learn_from_table(&node, entry, beta, depth);
                return score;
            }
            if !node.check
                && looks_for_mate(entry, pv)
                && let Some(score) = self.mate_in_one(&node)
            {
                return score;
            }
        }
        let mut info = self.assess(&node, entry, pv, cut);
        let depth = if whole { self.hindsight(&node, &info, depth) } else { depth };
        if let Some(score) = self.prune_position(&node, &info, (alpha, beta), depth) {
            return score;
        }
        info.improving |= info.eval.is_some_and(|eval| eval >= beta);
        let depth = self.internal_iterative_reduction(&node, &info, depth);
        if inner && let Some(score) = self.prob_cut(&node, &info, beta, depth) {
            return score;
        }
        if inner && let Some(score) = table_prob_cut(entry, beta, depth) {
            return score;
        }
        self.search_moves(node, (alpha, beta), depth, info)
    }

    /// Evaluates the position and notes what later plies need of it.
    fn assess(
        &mut self,
        node: &Node<'_, R>,
        entry: Option<TableEntry>,
        pv: bool,
        cut: bool,
    ) -> NodeInfo {
        let static_eval = match entry {
            _ if node.check => None,
            Some(entry) => Some(entry.eval),
            None => Some(self.first_evaluation(node, pv)),
        };
        let eval = static_eval.map(|eval| self.corrected(node, eval));
        let frames = &mut self.thread.frames;
        frames.at_mut(node.ply + 2).cutoffs = 0;
        let frame = frames.at_mut(node.ply);
        let excluded = frame.excluded;
        (frame.eval, frame.known) = (eval, entry.is_some());
        if excluded == NONE {
            frame.score = 0;
            frame.table_pv = pv || entry.is_some_and(|entry| entry.pv);
        }
        let table_pv = frame.table_pv;
        let improving = frames.is_improving(node.ply);
        if excluded == NONE {
            self.learn_from_change(node, eval, entry.is_some());
        }
        let best = match node.ply {
            0 => self.thread.best_root(),
            _ => entry.map(|entry| entry.best),
        };
        let table_move = best.unwrap_or(NONE);
        let table_captures = captures(node.position, table_move);
        NodeInfo {
            entry,
            static_eval,
            eval,
            improving,
            pv,
            table_pv,
            cut,
            table_move,
            table_captures,
            excluded,
        }
    }

    /// The evaluation of a position that the table does not know; now it does.
    fn first_evaluation(&mut self, node: &Node<'_, R>, pv: bool) -> i32 {
        let (eval, bound) = (self.evaluate(node), Bound::None);
        self.store(node, TableEntry { best: NONE, score: 0, eval, depth: -1, bound, pv });
        eval
    }

    /// History of the opponent's last move, by how it changed the evaluation.
    fn learn_from_change(&mut self, node: &Node<'_, R>, eval: Option<i32>, known: bool) {
        let last = *self.thread.frames.before(node.ply, 1);
        if let (Some(now), Some(before), Some(mv)) = (eval, last.eval, last.quiet) {
            // The evaluations are those of different players.
            let better = (-now - before).clamp(-214, 171) + 60;
            let side = !node.position.side();
            self.thread.history.update_alone(side, mv, 10 * better);
            if !known {
                let key = node.pawn_key_before();
                self.thread.history.update_with_pawns(side, key, mv, 12 * better);
            }
        }
    }

    /// History of the table's move, where the table makes a search unnecessary.
    fn learn_from_table(
        &mut self,
        node: &Node<'_, R>,
        entry: Option<TableEntry>,
        beta: i32,
        depth: i32,
    ) {
        let Some(entry) = entry.filter(|entry| entry.score >= beta && entry.best != NONE) else {
            return;
        };
        let Some(mv) = unpack::<R>(entry.best) else { return };
        let mv = Candidate::of(node.position, self.evaluator.values(), mv);
        if !mv.tactical {
            let (rows, bonus) = (self.rows(node), self.thread.shared.parameters.bonus(depth));
            let (side, bonus) = (node.position.side(), bonus.min(1_043));
            self.thread.history.update(side, node.ply, rows, mv.quiet(), bonus);
        }
        let last = *self.thread.frames.before(node.ply, 1);
        if let Some(mv) = last.quiet.filter(|_| last.number < 4) {
            self.learn_before(node, mv, -2_142);
        }
    }

    /// Continuation history of the opponent's last move.
    pub(crate) fn learn_before(&mut self, node: &Node<'_, R>, mv: Quiet, bonus: i32) {
        let frames = &self.thread.frames;
        let check = frames.before(node.ply, 1).eval.is_none();
        let earlier = frames.earlier(node.ply - 1, check);
        let rows = self.thread.history.continuation_rows(!node.position.side(), earlier);
        self.thread.history.update_continuation(rows, mv.piece_to, bonus);
    }

    /// Hindsight: a move that was reduced much is searched deeper if it made the opponent's position no better, and less deeply
    /// if both evaluations agree that it is good.
    fn hindsight(&self, node: &Node<'_, R>, info: &NodeInfo, depth: i32) -> i32 {
        let last = self.thread.frames.before(node.ply, 1);
        let (Some(now), Some(before)) = (info.eval, last.eval) else { return depth };
        if last.reduction >= 3 && now <= -before {
            depth + 1
        } else if last.reduction >= 2 && depth >= 2 && now + before > 173 {
            depth - 1
        } else {
            depth
        }
    }

    /// Prunes the position as a whole by its evaluation. Returns its score if it is pruned.
    fn prune_position(
        &mut self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> Option<i32> {
        let eval = info.eval.filter(|_| !info.pv && beta.abs() < KNOWN_WIN)?;
        if self.may_be_declared(node) {
            return None;
        }
        // The table's score is that of the move left out, if there is one.
        let estimate = estimate(eval, info.entry.filter(|_| info.excluded == NONE));
        let parameters = &self.thread.shared.parameters;
        if razoring(parameters, estimate, alpha, depth) {
            return Some(self.quiesce(*node, alpha, beta));
        }
        let last = self.thread.frames.before(node.ply, 1);
        let worsening = last.eval.is_some_and(|before| eval > -before);
        if reverse_futility_pruning(parameters, info, (estimate, beta), depth, worsening) {
            return Some((2 * beta + estimate) / 3);
        }
        let margin = parameters.null_move_margin - 16 * depth - 53 * i32::from(info.improving);
        let may_pass = info.cut && info.excluded == NONE && node.ply >= self.thread.null_from;
        if may_pass && eval >= beta + margin {
            return self.null_move_pruning(node, beta, depth);
        }
        None
    }

    /// Null-move pruning: if even a pass would fail high, so does the position. Returns its score if it is
    /// pruned.
    ///
    /// On small boards only with a piece in hand: a player who can drop something is hardly ever in zugzwang.
    fn null_move_pruning(&mut self, node: &Node<'_, R>, beta: i32, depth: i32) -> Option<i32> {
        let position = node.position;
        if is_small::<R>() && position.hand(position.side()).is_empty() {
            return None;
        }
        let reduction = 7 + depth / 3;
        let passed = position.pass();
        self.states.leave(node.ply);
        self.thread.path.push(PathEntry::of(&passed, false));
        let frame = self.thread.frames.at_mut(node.ply);
        (frame.piece_to, frame.quiet, frame.capture, frame.reduction) = (None, None, None, 0);
        frame.packed = NONE;
        let ply = node.ply + 1;
        // Where no cutoff is expected, no pass is tried: nobody passes twice in turn.
        let before = Some((node, None));
        let child = Node { position: &passed, before, ply, check: false, previous: None };
        let score = -self.search(child, (-beta, 1 - beta), depth - reduction, false);
        self.thread.path.pop();
        if self.thread.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A forced mate by a player with two moves in a row proves nothing.
        let score = if score >= KNOWN_WIN { beta } else { score };
        if self.thread.null_from > 0 || depth < 16 {
            return Some(score);
        }
        // Verified without another pass near here.
        self.thread.null_from = node.ply + 3 * (depth - reduction).max(0) as usize / 4 + 1;
        let verified = self.search_position(*node, (beta - 1, beta), depth - reduction, false);
        self.thread.null_from = 0;
        (verified >= beta).then_some(score)
    }

    /// Internal iterative reduction: the depth to search to, one less without a table move; the search leaves one
    /// for the next time.
    fn internal_iterative_reduction(&self, node: &Node<'_, R>, info: &NodeInfo, depth: i32) -> i32 {
        let follows = self.thread.frames.at(node.ply).follows;
        let unknown = info.table_move == NONE && (info.pv || info.cut) && depth >= 6 && !follows;
        let reduced = unknown && self.thread.frames.before(node.ply, 1).reduction <= 3;
        if reduced { depth - 1 } else { depth }
    }

    /// ProbCut: if a capture is far above beta after a shallow search, the position is above beta. Returns its score if it is
    /// pruned.
    fn prob_cut(
        &mut self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let eval = info.eval.filter(|_| depth >= 3 && beta.abs() < KNOWN_WIN)?;
        let margin = self.thread.shared.parameters.prob_cut_margin;
        let high = beta + margin - 60 * i32::from(info.improving);
        if info.entry.is_some_and(|entry| entry.is_scored() && entry.score < high) {
            return None;
        }
        let position = node.position;
        // Mostly no capture gains enough to be searched.
        let squares = LazyCell::new(|| CheckSquares::new(position));
        let rows = self.thread.history.no_rows();
        let mut picker = MovePicker::new(MoveSet::Tactical);
        while let Some(candidate) =
            picker.next(position, &self.scoring(node, info.table_move, rows, None))
        {
            if !see_ge(position, self.evaluator.values(), candidate.mv, high - eval) {
                continue;
            }
            let gives_check = squares.gives_check(position, candidate.mv);
            let score = self.after(node, &candidate, gives_check, |worker, child| {
                let score = -worker.quiesce(child, -high, 1 - high);
                match depth - 4 {
                    rest if score >= high && rest > 0 => {
                        -worker.search(child, (-high, 1 - high), rest, !info.cut)
                    }
                    _ => score,
                }
            });
            if self.thread.stopped {
                return Some(0);
            }
            if score >= high {
                let (best, eval) = (pack(candidate.mv), info.static_eval.unwrap_or(0));
                let (bound, pv, depth) = (Bound::Lower, info.table_pv, depth - 3);
                self.store(node, TableEntry { best, score, eval, depth, bound, pv });
                return Some(if score.abs() < KNOWN_WIN { score - (high - beta) } else { score });
            }
        }
        None
    }

    /// Searches the position after a move. The line and its frame have the move meanwhile.
    #[inline]
    pub(crate) fn after<T>(
        &mut self,
        node: &Node<'_, R>,
        candidate: &Candidate<R>,
        gives_check: bool,
        visit: impl FnOnce(&mut Self, Node<'_, R>) -> T,
    ) -> T {
        self.thread.count_node();
        let next = node.position.play_unchecked(candidate.mv);
        self.thread.shared.table.prefetch(next.key());
        self.states.leave(node.ply);
        self.thread.path.push(PathEntry::of(&next, gives_check));
        let frame = self.thread.frames.at_mut(node.ply);
        frame.packed = pack(candidate.mv);
        frame.piece_to = Some(candidate.piece_to);
        frame.quiet = (!candidate.tactical).then(|| candidate.quiet());
        frame.capture = candidate.tactical.then(|| candidate.capture(node.position));
        let child = Node {
            position: &next,
            before: Some((node, Some(candidate.mv))),
            ply: node.ply + 1,
            check: gives_check,
            previous: Some(candidate.piece_to),
        };
        let found = visit(self, child);
        self.thread.path.pop();
        found
    }

    /// The data that score moves.
    #[inline]
    pub(crate) fn scoring<'s>(
        &'s self,
        node: &Node<'_, R>,
        table_move: u16,
        rows: Rows,
        checks: Option<&'s CheckSquares<R>>,
    ) -> Scoring<'s, R> {
        let (values, history) = (self.evaluator.values(), &*self.thread.history);
        let ply = node.ply;
        // The moves at the root are chosen already.
        let outgrown = if ply == 0 { Outgrown::NONE } else { self.outgrown };
        Scoring { values, history, table_move, outgrown, rows, ply, checks }
    }

    /// The rows of [`History`](crate::history::History) for the moves of a position.
    #[inline]
    pub(crate) fn rows(&self, node: &Node<'_, R>) -> Rows {
        let earlier = self.thread.frames.earlier(node.ply, node.check);
        self.thread.history.rows(node.position.side(), pawn_key(node.position), earlier)
    }

    /// Correction history: corrects an evaluation by the errors in similar positions.
    #[inline]
    pub(crate) fn corrected(&self, node: &Node<'_, R>, eval: i32) -> i32 {
        let places = Corrections::places(node.position, node.previous);
        let most = self.thread.shared.parameters.correction_most;
        (eval + self.thread.history.corrections.of(places, most)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Correction history: updates the errors of the evaluation after a search, if the score implies one.
    /// Skipped if the best move wins material, which no evaluation sees.
    pub(crate) fn learn_correction(&mut self, node: &Node<'_, R>, eval: i32, found: &TableEntry) {
        let above = found.bound != Bound::Upper;
        if (found.score > eval) == above && found.score.abs() < MIN_WIN {
            let places = Corrections::places(node.position, node.previous);
            self.thread.history.corrections.learn(places, found.score - eval, found.depth);
        }
    }
}

/// Mate-distance pruning: the window without scores better than a win by the next move or worse than an
/// immediate loss. If it is empty, another line is as good.
const fn mate_distance_pruning(alpha: i32, beta: i32, ply: usize) -> (i32, i32) {
    let (lost, won) = (ply as i32 - WIN, WIN - ply as i32 - 1);
    (if alpha > lost { alpha } else { lost }, if beta < won { beta } else { won })
}

/// The transposition cutoff: the score in the table, if it decides a position outside the principal variation.
#[inline]
pub(crate) fn cutoff(
    entry: Option<TableEntry>,
    pv: bool,
    alpha: i32,
    beta: i32,
    depth: i32,
) -> Option<i32> {
    entry.filter(|_| !pv).and_then(|entry| entry.cutoff(alpha, beta, depth))
}

/// The transposition cutoff of the main search: shallow searches are only trusted to be of the kind that is expected.
fn main_cutoff(
    entry: Option<TableEntry>,
    pv: bool,
    (alpha, beta): (i32, i32),
    depth: i32,
    cut: bool,
) -> Option<i32> {
    let entry = entry.filter(|entry| cut == (entry.score >= beta) || depth > 5);
    let above = entry.is_some_and(|entry| entry.score > beta);
    cutoff(entry, pv, alpha, beta, depth + i32::from(above))
}

/// ProbCut by the table alone: a slightly shallower search found the position far above beta.
fn table_prob_cut(entry: Option<TableEntry>, beta: i32, depth: i32) -> Option<i32> {
    let high = beta + 416;
    let known = entry.filter(|entry| entry.is_least() && entry.depth >= depth - 4)?;
    ((high..KNOWN_WIN).contains(&known.score) && beta.abs() < KNOWN_WIN).then_some(high)
}

/// Whether to look for a mate in one: in new positions, and in the principal variation, which the table does
/// not cut off, if the table has a win.
pub(crate) fn looks_for_mate(entry: Option<TableEntry>, pv: bool) -> bool {
    entry.is_none_or(|entry| pv && entry.score >= MIN_WIN)
}

/// The evaluation, or the score in the table if that is more accurate.
pub(crate) fn estimate(eval: i32, entry: Option<TableEntry>) -> i32 {
    let scored = entry.filter(|entry| entry.score.abs() < KNOWN_WIN);
    // A bound says more than the evaluation if it lies beyond it.
    scored.filter(|entry| entry.decides(eval, eval)).map_or(eval, |entry| entry.score)
}

/// Razoring: whether the estimate is so far below `alpha` that only captures are tried.
const fn razoring(parameters: &Parameters, estimate: i32, alpha: i32, depth: i32) -> bool {
    let Parameters { razoring_base, razoring_slope, .. } = *parameters;
    depth < 16 && estimate < alpha - razoring_base - razoring_slope * depth * depth
}

/// Reverse futility pruning: whether the estimate exceeds `beta` so far that a search to `depth` would hardly
/// bring the score below it. `worsening` says whether the opponent's last move made their position worse.
fn reverse_futility_pruning(
    parameters: &Parameters,
    info: &NodeInfo,
    (estimate, beta): (i32, i32),
    depth: i32,
    worsening: bool,
) -> bool {
    let margin = parameters.reverse_futility_margin * if info.entry.is_none() { 3 } else { 4 } / 4;
    let eased = 2 * margin * i32::from(info.improving) + margin / 3 * i32::from(worsening);
    !info.table_pv
        && depth < 15
        && (info.table_move == NONE || info.table_captures)
        && (beta..KNOWN_WIN).contains(&(estimate - (margin * depth - eased).max(0)))
}

/// Whether the board is small: with fewer squares than that of chess.
#[inline]
fn is_small<R: Rules>() -> bool {
    R::Geometry::area() < 64
}

/// Whether a move ends the game on the board, such as a try.
#[inline]
pub(crate) fn ends_game<R: Rules>(position: &Position<R>, mv: Move<R>) -> bool {
    R::can_be_over() && R::is_over(&position.placement().play_unchecked(mv))
}
