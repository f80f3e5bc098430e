//! The moves of a position: what is left out, reduced or extended, and what is learnt from them.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shogi_core::{CheckSquares, Position};
use shogi_rules::{Rules, Stalemate};

use crate::evaluate::Evaluator;
use crate::history::{Capture, Quiet, Rows};
use crate::move_picker::{Candidate, MovePicker, MoveSet};
use crate::packed::{NONE, pack};
use crate::parameters::Parameters;
use crate::score::{INFINITE, KNOWN_WIN, WIN};
use crate::search::{NodeInfo, ends_game};
use crate::see::see_ge;
use crate::table::{Bound, TableEntry};
use crate::worker::{Node, Worker};

/// Facts about a move before it is searched.
#[derive(Clone, Copy)]
struct MoveInfo<R: Rules> {
    candidate: Candidate<R>,
    packed: u16,
    /// The number of moves searched before it.
    number: usize,
    gives_check: bool,
    /// Its history score, for late-move reductions.
    score: i32,
    /// The reduction by depth and number, in parts of a ply.
    reduction: i32,
    /// The depth to search it to, neither reduced nor extended.
    depth: i32,
}

/// The search of a position's moves so far.
struct MoveLoop<R: Rules> {
    /// The window, and its lower bound at first.
    alpha: i32,
    beta: i32,
    first_alpha: i32,
    depth: i32,
    /// The rows of continuation history.
    rows: Rows,
    /// Whether the position is the root.
    root: bool,
    /// The best score, and the move that has it; none as long as no score has exceeded alpha.
    score: i32,
    best: Option<Candidate<R>>,
    /// The moves searched that were not the best.
    quiet: ArrayVec<Quiet, 64>,
    tactical: ArrayVec<Capture, 32>,
}

/// A ply of reductions.
pub(crate) const PLY: i32 = 1024;

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// Searches the moves of a position.
    pub(crate) fn search_moves(
        &mut self,
        node: Node<'_, R>,
        (alpha, beta): (i32, i32),
        depth: i32,
        info: NodeInfo,
    ) -> i32 {
        let Node { position, ply, check, .. } = node;
        let squares = CheckSquares::new(position);
        let rows = self.rows(&node);
        let mut moves = MoveLoop::new((alpha, beta), depth, rows, ply == 0);
        let mut picker = MovePicker::new(MoveSet::All);
        let late = late_move_pruning(&self.thread.shared.parameters, depth, info.improving);
        let (mut number, mut is_late) = (0, false);
        loop {
            let scoring = self.scoring(&node, info.table_move, rows, Some(&squares));
            let Some(candidate) = picker.next(position, &scoring) else { break };
            if !check && !is_late && number >= late && moves.may_leave_out() && alpha < KNOWN_WIN {
                is_late = true;
                let keep = |found: &Candidate<R>| {
                    gives_check(position, found, &squares) || ends_game(position, found.mv)
                };
                picker.retain_quiet(position, &scoring, keep);
            }
            let found = self.move_info(&node, &info, &moves, (candidate, number), &squares);
            if found.packed == info.excluded || ply == 0 && !self.thread.is_open_root(found.packed)
            {
                continue;
            }
            number += 1;
            if moves.may_leave_out() && moves.alpha < KNOWN_WIN {
                let left_out = self.prune_move(&node, &info, &moves, &found);
                if let Some(bound) = left_out.filter(|_| !ends_game(position, candidate.mv)) {
                    moves.score = moves.score.max(bound);
                    continue;
                }
            }
            let extension = match self.singular_extension(&node, &info, &mut moves, &found) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue(extension) => extension,
            };
            let score = self.search_move(&node, &info, &moves, &found, extension);
            if self.thread.stopped {
                return 0;
            }
            self.note_line(&node, &found, score, moves.alpha);
            if moves.add(position, candidate, score) {
                self.thread.frames.at_mut(ply).cutoffs += u32::from(extension < 2 || info.pv);
                self.thread.statistics.cutoff(number);
                break;
            }
        }
        if number == 0 {
            return no_move::<R>(ply, check, info.excluded, alpha);
        }
        self.finish(&node, &info, moves)
    }

    /// Notes the line that begins with a move, if that is better than `alpha` or the first at the root.
    #[inline]
    fn note_line(&mut self, node: &Node<'_, R>, found: &MoveInfo<R>, score: i32, alpha: i32) {
        if node.ply == 0 {
            self.thread.note_root_move(found.packed, score, found.number == 0 || score > alpha);
        }
        if score > alpha {
            self.thread.update_pv(node.ply, found.packed);
        }
    }

    #[inline]
    fn move_info(
        &self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        (candidate, number): (Candidate<R>, usize),
        squares: &CheckSquares<R>,
    ) -> MoveInfo<R> {
        let (position, side) = (node.position, node.position.side());
        let packed = pack(candidate.mv);
        let gives_check = gives_check(position, &candidate, squares);
        let history = &*self.thread.history;
        let score = if candidate.tactical {
            let gain = candidate.gain(position, self.evaluator.values());
            3 * gain + history.capture(side, candidate.capture(position))
        } else {
            2 * history.alone(side, packed) + history.after_last(moves.rows, candidate.piece_to)
        };
        let width = moves.beta - moves.alpha;
        let reduction = self.reduction(moves.depth, number, info.improving, width)
            + 1_013 * i32::from(info.table_pv);
        let depth = moves.depth - 1;
        MoveInfo { candidate, packed, number, gives_check, score, reduction, depth }
    }

    /// Whether a move is left out, as it comes late or promises little: returns a bound of its score, which may be below all
    /// scores.
    #[inline]
    fn prune_move(
        &self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &MoveInfo<R>,
    ) -> Option<i32> {
        let reduced = found.depth - found.reduction / PLY;
        if found.candidate.tactical || found.gives_check {
            self.prune_tactical(node, info, moves, found, reduced)
        } else {
            self.prune_quiet(node, info, moves, found, reduced)
        }
    }

    /// Futility pruning and static exchange pruning of a capture, promotion or check.
    fn prune_tactical(
        &self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &MoveInfo<R>,
        reduced: i32,
    ) -> Option<i32> {
        let (position, values) = (node.position, self.evaluator.values());
        let parameters = &self.thread.shared.parameters;
        let candidate = &found.candidate;
        let mut learnt = 0;
        if candidate.tactical {
            let capture = candidate.capture(position);
            learnt = self.thread.history.capture(position.side(), capture);
            if let Some(eval) = info.eval.filter(|_| !found.gives_check && reduced < 7) {
                let gain = candidate.gain(position, values);
                let margin = 2 * parameters.futility_base + 230 * reduced.max(0) + learnt / 8;
                if eval + gain + margin <= moves.alpha {
                    return Some(-INFINITE);
                }
            }
        }
        let most = (parameters.see_pruning_tactical * moves.depth + learnt / 24).max(0);
        (!see_ge(position, values, candidate.mv, -most)).then_some(-INFINITE)
    }

    /// History pruning, futility pruning and static exchange pruning of a quiet move.
    fn prune_quiet(
        &self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &MoveInfo<R>,
        mut reduced: i32,
    ) -> Option<i32> {
        let parameters = &self.thread.shared.parameters;
        let candidate = &found.candidate;
        if info.pv && self.thread.frames.at(node.ply).follows {
            // Whatever was the best line before is looked at closely.
            return None;
        }
        let history = &*self.thread.history;
        let with_pawns = history.with_pawns(moves.rows, candidate.piece_to);
        let after = history.after_last(moves.rows, candidate.piece_to) + with_pawns;
        if after < -parameters.history_pruning * moves.depth {
            return Some(-INFINITE);
        }
        reduced += (found.score + with_pawns) / parameters.history_plies;
        if let Some(eval) = info.eval.filter(|_| reduced < 13) {
            let bound = eval
                + parameters.futility_base
                + parameters.futility_margin * reduced.max(0)
                + 150 * i32::from(moves.best.is_none())
                + 96 * i32::from(eval > moves.alpha);
            if bound <= moves.alpha {
                return Some(if bound.abs() < KNOWN_WIN { bound } else { -INFINITE });
            }
        }
        let reduced = reduced.clamp(0, 16);
        let most = parameters.see_pruning_quiet * reduced * reduced;
        let loses = !see_ge(node.position, self.evaluator.values(), candidate.mv, -most);
        loses.then_some(-INFINITE)
    }

    /// Singular extension: whether the table's move is the only good one, by a search without it. Returns the plies by which
    /// it is searched deeper, or breaks with a score if another move fails high as well (multi-cut).
    fn singular_extension(
        &mut self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &mut MoveLoop<R>,
        found: &MoveInfo<R>,
    ) -> ControlFlow<i32, i32> {
        let MoveLoop { beta, depth, .. } = *moves;
        let Some(entry) = info.entry else { return ControlFlow::Continue(0) };
        if depth < 6 + i32::from(info.table_pv)
            || found.packed != entry.best
            || info.excluded != NONE
            || node.ply == 0
            || entry.depth < depth - 3
            || !entry.is_least()
            || entry.score.abs() >= KNOWN_WIN
            || node.ply as i32 >= 2 * self.thread.root_depth
        {
            return ControlFlow::Continue(0);
        }
        let off_line = i32::from(info.table_pv && !info.pv);
        let margin = self.thread.shared.parameters.singular_margin * depth * (1 + off_line) / 100;
        let low = entry.score - margin;
        self.thread.frames.at_mut(node.ply).excluded = found.packed;
        let score = self.search_position(*node, (low - 1, low), (depth - 1) / 2, info.cut);
        self.thread.frames.at_mut(node.ply).excluded = NONE;
        self.thread.clear_pv(node.ply);
        if self.thread.stopped {
            return ControlFlow::Break(0);
        }
        if score < low {
            moves.depth += 1;
            return ControlFlow::Continue(1 + self.further_extensions(node, info, low - score));
        }
        if score >= beta && score.abs() < KNOWN_WIN {
            return ControlFlow::Break(score);
        }
        ControlFlow::Continue(match () {
            () if entry.score >= beta => -3,
            () if info.cut => -2,
            () => 0,
        })
    }

    /// How many plies more the table's move is searched deeper, if all others are this much below the bound of a singular
    /// extension: most where it is quiet and not in the principal variation.
    fn further_extensions(&self, node: &Node<'_, R>, info: &NodeInfo, below: i32) -> i32 {
        let far = 45 * i32::from(node.ply as i32 > self.thread.root_depth);
        let (pv, quiet) = (i32::from(info.pv), i32::from(!info.table_captures));
        let twice = 212 * pv - 182 * quiet - far;
        let thrice = 73 + 320 * pv - 218 * quiet + 92 * i32::from(info.table_pv) - far;
        i32::from(below > twice) + i32::from(below > thrice)
    }

    /// Principal variation search of one move: first with an empty window, which only shows whether it is
    /// better than earlier ones, and late moves to a reduced depth; then again where that fails high.
    /// Meaningless once the search is stopped.
    #[inline]
    fn search_move(
        &mut self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &MoveInfo<R>,
        extension: i32,
    ) -> i32 {
        let &MoveInfo { candidate, number, gives_check, .. } = found;
        let MoveLoop { alpha, beta, rows, score: best, .. } = *moves;
        // A shorter win than the one that is known is not to be missed.
        let reduction = match alpha < KNOWN_WIN {
            true => self.late_move_reduction(node, info, moves, found),
            false => 0,
        };
        let mut new_depth = found.depth + extension;
        let frame = self.thread.frames.at_mut(node.ply);
        (frame.number, frame.score, frame.reduction) = (number, found.score, 0);
        self.after(node, &candidate, gives_check, |worker, child| {
            let empty = (-alpha - 1, -alpha);
            let mut score = alpha + 1;
            if found.depth > 0 && number > 0 {
                let reduced = (new_depth - reduction / PLY).min(new_depth + 2);
                let shallow = reduced.max(1) + i32::from(info.pv);
                worker.thread.frames.at_mut(node.ply).reduction = new_depth - shallow;
                score = -worker.search(child, empty, shallow, true);
                worker.thread.frames.at_mut(node.ply).reduction = 0;
                if score > alpha && !worker.thread.stopped {
                    // The first search says how deep the second should go.
                    let deeper = shallow < new_depth && score > best + 48;
                    let shallower = score < best + 9;
                    new_depth += i32::from(deeper) - i32::from(shallower);
                    if new_depth > shallow {
                        score = -worker.search(child, empty, new_depth, !info.cut);
                    }
                    let history = &mut worker.thread.history;
                    history.update_continuation(rows.continuation, candidate.piece_to, 1_400);
                }
            } else if !info.pv || number > 0 {
                let lost = if info.table_move == NONE { 1_057 } else { 0 };
                let far = i32::from(reduction + lost > 4_628)
                    + i32::from(reduction + lost > 5_772 && new_depth > 2);
                score = -worker.search(child, empty, new_depth - far, !info.cut);
            }
            if info.pv && (number == 0 || score > alpha) {
                let deep = info.entry.is_some_and(|entry| entry.depth > 1);
                if deep && found.packed == info.table_move {
                    // Better than quiescence search is known already.
                    new_depth = new_depth.max(1);
                }
                score = -worker.search(child, (-beta, -alpha), new_depth, false);
            }
            score
        })
    }

    /// The reduction of a move by depth and number, in parts of a ply.
    #[inline]
    pub(crate) fn reduction(&self, depth: i32, number: usize, improving: bool, width: i32) -> i32 {
        let row = &self.thread.reductions[depth.min(63) as usize];
        let base = i32::from(row[(number + 1).min(63)]);
        let wide = 585 * width.min(self.thread.root_width) / self.thread.root_width.max(1);
        base + 1_133 - wide + if improving { 0 } else { base * 206 / 512 }
    }

    /// Late-move reduction: the reduction of a move in parts of a ply: less for moves that are likely to matter, more where a
    /// cutoff is expected anyway.
    #[inline]
    fn late_move_reduction(
        &self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &MoveInfo<R>,
    ) -> i32 {
        let parameters = &self.thread.shared.parameters;
        let all = !info.pv && !info.cut;
        let mut reduction = found.reduction + 691 - 65 * (found.number as i32 + 1);
        if info.table_pv {
            reduction -= 2_819 + 973 * i32::from(info.pv);
            if let Some(entry) = info.entry {
                let deep = 935 + 959 * i32::from(info.cut);
                let above = entry.is_scored() && entry.score > moves.alpha;
                reduction -= 905 * i32::from(above);
                reduction -= deep * i32::from(entry.depth >= moves.depth);
            }
        }
        if info.cut {
            let lost = i32::from(info.table_move == NONE);
            reduction += parameters.late_move_reduction_cut * PLY / 100 + 985 * lost;
        }
        if info.table_captures {
            reduction += 1_054;
        }
        let cutoffs = self.thread.frames.at(node.ply + 1).cutoffs;
        if cutoffs > 1 {
            reduction += 251 + 1_124 * i32::from(cutoffs > 2) + 1_042 * i32::from(all);
        }
        if found.packed == info.table_move {
            reduction -= 2_239;
        }
        reduction -= found.score * PLY / parameters.late_move_reduction_history;
        if all { reduction + reduction * 273 / (256 * moves.depth + 260) } else { reduction }
    }

    /// Stores what was found, and learns from it.
    fn finish(&mut self, node: &Node<'_, R>, info: &NodeInfo, mut moves: MoveLoop<R>) -> i32 {
        let MoveLoop { first_alpha, beta, depth, .. } = moves;
        if moves.score >= beta && moves.score.abs() < KNOWN_WIN && beta.abs() < KNOWN_WIN {
            // A score above the window is trusted the more, the deeper the search.
            moves.score = (moves.score * depth + beta) / (depth + 1);
        }
        let mut pv = info.table_pv;
        match moves.best {
            Some(found) => self.learn_from_best(node, info, &moves, &found),
            None => {
                self.learn_from_refuted(node, info, depth, moves.score);
                pv |= self.thread.frames.before(node.ply, 1).table_pv;
            }
        }
        let score = moves.score;
        if info.excluded == NONE && (node.ply > 0 || self.thread.stores_root()) {
            let best = moves.best.map_or(NONE, |found| pack(found.mv));
            let bound = Bound::of(score, first_alpha, beta);
            let eval = info.static_eval.unwrap_or(0);
            let entry = TableEntry { best, score, eval, depth, bound, pv };
            let quiet = moves.best.is_none_or(|found| !found.tactical);
            if let (Some(eval), true) = (info.eval, quiet) {
                self.learn_correction(node, eval, &entry);
            }
            self.store(node, entry);
        }
        score
    }

    /// History, once a move is better than alpha: rewards it, and punishes the moves searched before it.
    fn learn_from_best(
        &mut self,
        node: &Node<'_, R>,
        info: &NodeInfo,
        moves: &MoveLoop<R>,
        found: &Candidate<R>,
    ) {
        let (depth, rows) = (moves.depth, moves.rows);
        let (position, side) = (node.position, node.position.side());
        let parameters = &self.thread.shared.parameters;
        let last = *self.thread.frames.before(node.ply, 1);
        let known = if pack(found.mv) == info.table_move { 353 } else { 0 };
        let bonus = parameters.bonus(depth) + known + last.score / 32;
        let malus = parameters.malus(depth);
        let history = &mut *self.thread.history;
        if found.tactical {
            history.update_capture(side, found.capture(position), bonus * 1286 / 1024);
        } else {
            history.update(side, node.ply, rows, found.quiet(), bonus * 806 / 1024);
            // The later a move came, the less was expected of it.
            let mut malus = malus * 1113 / 1024;
            for &mv in &moves.quiet {
                malus = malus * 977 / 1024;
                history.update(side, node.ply, rows, mv, -malus);
            }
        }
        for &mv in &moves.tactical {
            history.update_capture(side, mv, -malus * 1559 / 1024);
        }
        // The first move that the opponent chose by its own order, if this refutes it.
        if let Some(mv) = last.quiet.filter(|_| last.number == usize::from(last.known)) {
            self.learn_before(node, mv, -malus * 616 / 1024);
        }
    }

    /// History of the opponent's last move, which no move here refutes: the more, the less that was expected.
    fn learn_from_refuted(&mut self, node: &Node<'_, R>, info: &NodeInfo, depth: i32, score: i32) {
        let last = *self.thread.frames.before(node.ply, 1);
        let side = !node.position.side();
        if let Some(capture) = last.capture {
            self.thread.history.update_capture(side, capture, 1_018);
        }
        let Some(mv) = last.quiet else { return };
        let worse = info.eval.is_some_and(|eval| score <= eval - 110);
        let better = last.eval.is_some_and(|eval| score <= -eval - 73);
        let scale = (59 * depth).min(454) - 232 - last.score / 108
            + 169 * i32::from(last.number >= 8)
            + 145 * i32::from(worse)
            + 154 * i32::from(better);
        let bonus = self.thread.shared.parameters.bonus(depth) * scale.max(0);
        self.learn_before(node, mv, bonus * 221 / 16_384);
        self.thread.history.update_alone(side, mv, bonus * 235 / 32_768);
        let key = node.pawn_key_before();
        self.thread.history.update_with_pawns(side, key, mv, bonus * 290 / 8_192);
    }
}

impl<R: Rules> MoveLoop<R> {
    fn new((alpha, beta): (i32, i32), depth: i32, rows: Rows, root: bool) -> Self {
        let (quiet, tactical) = (ArrayVec::new(), ArrayVec::new());
        let (score, best, first_alpha) = (-INFINITE, None, alpha);
        Self { alpha, beta, first_alpha, depth, rows, root, score, best, quiet, tactical }
    }

    /// Whether moves may be left out: not at the root, nor as long as every move found is a loss.
    #[inline]
    const fn may_leave_out(&self) -> bool {
        !self.root && self.score > -KNOWN_WIN
    }

    /// Adds a move with its score, and returns whether it causes a beta cutoff.
    #[inline]
    fn add(&mut self, position: &Position<R>, candidate: Candidate<R>, score: i32) -> bool {
        self.score = self.score.max(score);
        let mut other = Some(candidate);
        if score > self.alpha {
            other = self.best.replace(candidate);
            self.alpha = score;
            if (3..14).contains(&self.depth) && score < self.beta && score.abs() < KNOWN_WIN {
                // The other moves are less likely to matter.
                self.depth -= 2;
            }
        }
        // Moves without room in the lists are not punished.
        match other {
            Some(other) if other.tactical => {
                let _ = self.tactical.try_push(other.capture(position));
            }
            Some(other) => {
                let _ = self.quiet.try_push(other.quiet());
            }
            None => {}
        }
        score >= self.beta
    }
}

/// The score of a position without a move that may be searched.
fn no_move<R: Rules>(ply: usize, check: bool, excluded: u16, alpha: i32) -> i32 {
    if excluded != NONE {
        // The only move is left out: no other is better.
        return alpha;
    }
    let lost = check || R::stalemate() == Stalemate::Loss;
    if lost { ply as i32 - WIN } else { 0 }
}

/// Late-move pruning: the number of moves after which quiet ones are left out.
const fn late_move_pruning(parameters: &Parameters, depth: i32, improving: bool) -> usize {
    let Parameters { late_move_pruning_base, late_move_pruning_slope, .. } = *parameters;
    let limit = late_move_pruning_base + late_move_pruning_slope * depth * depth / 100;
    (limit / if improving { 1 } else { 2 }) as usize
}

/// Whether a move gives check.
#[inline]
fn gives_check<R: Rules>(
    position: &Position<R>,
    candidate: &Candidate<R>,
    squares: &CheckSquares<R>,
) -> bool {
    candidate.checks.unwrap_or_else(|| squares.gives_check(position, candidate.mv))
}
