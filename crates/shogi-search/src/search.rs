//! Alpha-beta: principal variation search with pruning, reductions and extensions.
//!
//! Each step that leaves something out is a function named as in other programs. Only mate-distance pruning and
//! the transposition cutoff are exact; the others do not apply to the principal variation or to scores that are
//! wins or losses.

use arrayvec::ArrayVec;
use shogi_core::{CheckSquares, Move, Position};
use shogi_eval::Values;
use shogi_rules::{Rules, Stalemate};

use crate::correction::Corrections;
use crate::evaluate::{Evaluator, LazyState};
use crate::move_picker::{Candidate, MovePicker, MoveSet, Scoring};
use crate::packed::{NONE, pack};
use crate::parameters::Parameters;
use crate::score::{INFINITE, MAX_EVAL, MIN_WIN, WIN};
use crate::see::see_ge;
use crate::table::{Bound, TableEntry};
use crate::worker::{Node, Worker};

/// Facts about a position before its moves are searched.
#[derive(Clone, Copy)]
struct NodeInfo {
    entry: Option<TableEntry>,
    /// The evaluation without its correction; `None` in check.
    static_eval: Option<i32>,
    /// The evaluation with its correction.
    eval: Option<i32>,
    /// Whether it is better than at the player's last turn.
    improving: bool,
    /// Whether the position may be one of the principal variation.
    pv: bool,
}

/// Facts about a move before it is searched.
#[derive(Clone, Copy)]
struct MoveInfo<R: Rules> {
    candidate: Candidate<R>,
    /// The number of moves searched before it.
    number: usize,
    quiet: bool,
    gives_check: bool,
    /// Its history score; 0 unless it is quiet.
    history: i32,
}

/// The best of the moves searched so far.
struct BestMove {
    score: i32,
    /// The move, packed; none as long as no score has exceeded alpha.
    mv: u16,
    quiet: bool,
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position for the player to move: exact between `alpha` and `beta`, otherwise a bound.
    /// Meaningless once the search is stopped.
    ///
    /// `allow_null` is false after a null move: two in a row would be a search of less depth.
    pub(crate) fn search(
        &mut self,
        node: Node<'_, R, E::State>,
        alpha: i32,
        beta: i32,
        depth: i32,
        allow_null: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(node, alpha, beta, 0);
        }
        if let Some(score) = self.enter(&node) {
            return score;
        }
        let pv = beta - alpha > 1;
        let (alpha, beta) = mate_distance_pruning(alpha, beta, node.ply);
        if alpha >= beta {
            return alpha;
        }
        let entry = self.probe(&node);
        if let Some(score) = cutoff(entry, pv, alpha, beta, depth) {
            return score;
        }
        if !node.check && looks_for_mate(entry, pv) {
            if let Some(score) = self.mate_in_one(&node) {
                return score;
            }
        }
        let static_eval = match entry {
            _ if node.check => None,
            Some(entry) => Some(entry.eval),
            None => Some(self.evaluate(&node)),
        };
        let eval = static_eval.map(|eval| self.corrected(&node, eval));
        let improving = is_improving(eval, node.evals[1]);
        if let Some(eval) = eval_to_prune_by(eval, pv, beta) {
            let estimate = estimate(eval, entry);
            if reverse_futility_pruning(
                &self.thread.shared.parameters,
                estimate,
                beta,
                depth,
                improving,
            ) {
                return estimate;
            }
            if allow_null {
                if let Some(score) = self.null_move_pruning(&node, eval, estimate, beta, depth) {
                    return score;
                }
            }
        }
        let depth = internal_iterative_reduction(entry, depth);
        let info = NodeInfo { entry, static_eval, eval, improving, pv };
        self.search_moves(node, (alpha, beta), depth, info)
    }

    /// Null-move pruning: if even a pass would fail high, so does the position. Returns its score if it is
    /// pruned.
    ///
    /// Only with a piece in hand: a player who can drop something is hardly ever in zugzwang.
    fn null_move_pruning(
        &mut self,
        node: &Node<'_, R, E::State>,
        eval: i32,
        estimate: i32,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let position = node.position;
        let can_drop = !position.hand(position.side()).is_empty();
        if depth < 3 || estimate < beta || !can_drop {
            return None;
        }
        let reduction = 3
            + depth / 4
            + ((estimate - beta) / self.thread.shared.parameters.null_move_margin).min(3);
        let passed = position.pass();
        let state = LazyState::after(position, node.state, None);
        self.thread.path.push(passed.key(), false);
        let child = Node {
            position: &passed,
            state: &state,
            ply: node.ply + 1,
            check: false,
            previous: None,
            evals: [Some(eval), node.evals[0]],
        };
        let score = -self.search(child, -beta, 1 - beta, depth - reduction, false);
        self.thread.path.pop();
        if self.thread.stopped {
            return Some(0);
        }
        // That a player with two moves in a row mates by force proves nothing.
        (score >= beta).then_some(if score >= MIN_WIN { beta } else { score })
    }

    /// Searches the moves of a position.
    fn search_moves(
        &mut self,
        node: Node<'_, R, E::State>,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        info: NodeInfo,
    ) -> i32 {
        let Node { position, ply, check, .. } = node;
        self.thread.history.refresh(position.side(), node.previous);
        let mut picker = MovePicker::new();
        picker.generate(position, MoveSet::All, &self.scoring(&node, info.entry));
        if picker.is_empty() {
            let lost = check || R::stalemate() == Stalemate::Loss;
            return if lost { ply as i32 - WIN } else { 0 };
        }
        let check_squares = CheckSquares::new(position);
        let first_alpha = alpha;
        let mut best = BestMove { score: -INFINITE, mv: NONE, quiet: true };
        let mut quiets_searched: ArrayVec<u16, 64> = ArrayVec::new();
        let (mut number, mut quiets, mut is_late) = (0, 0, false);
        let late = late_move_pruning(&self.thread.shared.parameters, depth, info.improving);
        while let Some(candidate) = picker.next() {
            let found = self.move_info(&node, &check_squares, candidate, number);
            // As long as every move found is a loss, none is left out; nor is a move that ends the
            // game, such as a try.
            if best.score > -MIN_WIN && !info.pv {
                if found.quiet && !check && !is_late && quiets >= late {
                    is_late = true;
                    leave_out_quiets(&mut picker, position, &check_squares);
                }
                let futile = self.is_futile(check, &info, &found, is_late, (alpha, depth));
                let pruned = futile || self.loses_exchange(position, &candidate, depth);
                if pruned && !ends_game(position, candidate.mv) {
                    number += 1;
                    quiets += i32::from(futile);
                    continue;
                }
            }
            quiets += i32::from(found.quiet);
            let score = self.search_move(&node, &info, &found, (alpha, beta), depth);
            if self.thread.stopped {
                return 0;
            }
            best.score = best.score.max(score);
            if score > alpha {
                alpha = score;
                (best.mv, best.quiet) = (pack(candidate.mv), found.quiet);
                self.thread.update_pv(ply, best.mv);
            }
            if alpha >= beta {
                self.update_history(&node, &candidate, &quiets_searched, depth);
                break;
            }
            if found.quiet {
                // Those that there is no room for are not punished.
                let _ = quiets_searched.try_push(candidate.piece_to);
            }
            number += 1;
        }
        self.store_best(&node, &info, &best, depth, Bound::of(best.score, first_alpha, beta));
        best.score
    }

    /// The data that score moves.
    #[inline]
    pub(crate) fn scoring(
        &self,
        node: &Node<'_, R, E::State>,
        entry: Option<TableEntry>,
    ) -> Scoring<'_> {
        Scoring {
            values: self.evaluator.values(),
            history: self.thread.history,
            table_move: table_move(entry),
            previous: node.previous,
            ply: node.ply,
        }
    }

    #[inline]
    fn move_info(
        &self,
        node: &Node<'_, R, E::State>,
        check_squares: &CheckSquares<R>,
        candidate: Candidate<R>,
        number: usize,
    ) -> MoveInfo<R> {
        let quiet = !candidate.tactical;
        let gives_check = check_squares.gives_check(node.position, candidate.mv);
        let history = if quiet {
            let side = node.position.side();
            self.thread.history.score(side, node.previous, candidate.piece_to)
        } else {
            0
        };
        MoveInfo { candidate, number, quiet, gives_check, history }
    }

    /// Late-move pruning and futility pruning: whether a quiet move comes so late, or promises so little, that it is
    /// left out.
    #[inline]
    fn is_futile(
        &self,
        check: bool,
        info: &NodeInfo,
        found: &MoveInfo<R>,
        is_late: bool,
        (alpha, depth): (i32, i32),
    ) -> bool {
        let parameters = &self.thread.shared.parameters;
        found.quiet
            && !check
            && !found.gives_check
            && (is_late || futility_pruning(parameters, info.eval, found.history, alpha, depth))
    }

    /// Static exchange pruning, see [`see_pruning`].
    #[inline]
    fn loses_exchange(&self, position: &Position<R>, candidate: &Candidate<R>, depth: i32) -> bool {
        let parameters = &self.thread.shared.parameters;
        see_pruning(parameters, position, self.evaluator.values(), candidate, depth)
    }

    /// Principal variation search of one move: first with an empty window, which only shows whether it is
    /// better than earlier ones, and late moves to a reduced depth; then again where that fails high.
    /// Meaningless once the search is stopped.
    #[inline]
    fn search_move(
        &mut self,
        node: &Node<'_, R, E::State>,
        info: &NodeInfo,
        found: &MoveInfo<R>,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> i32 {
        let &MoveInfo { candidate, number, gives_check, .. } = found;
        let next = node.position.play_unchecked(candidate.mv);
        let state = LazyState::after(node.position, node.state, Some(candidate.mv));
        self.thread.path.push(next.key(), gives_check);
        let child = Node {
            position: &next,
            state: &state,
            ply: node.ply + 1,
            check: gives_check,
            previous: Some(candidate.piece_to),
            evals: [info.eval, node.evals[0]],
        };
        let parameters = &self.thread.shared.parameters;
        let extension = check_extension(parameters, gives_check, node.ply, depth);
        let new_depth = depth - 1 + i32::from(extension);
        let mut score = -INFINITE;
        let mut full_window = info.pv && number == 0;
        if !full_window {
            let mut reduction = 0;
            if depth >= 3 && number >= 2 && found.quiet {
                let reductions = &self.thread.reductions;
                let base = reductions[depth.min(63) as usize][number.min(63)];
                reduction = late_move_reduction(parameters, base, node.check, info, found);
                reduction = reduction.clamp(0, (new_depth - 1).max(0));
            }
            score = -self.search(child, -alpha - 1, -alpha, new_depth - reduction, true);
            if score > alpha && reduction > 0 {
                score = -self.search(child, -alpha - 1, -alpha, new_depth, true);
            }
            full_window = info.pv && score > alpha && score < beta;
        }
        if full_window {
            score = -self.search(child, -beta, -alpha, new_depth, true);
        }
        self.thread.path.pop();
        score
    }

    /// Stores the entry and updates correction history.
    #[inline]
    fn store_best(
        &mut self,
        node: &Node<'_, R, E::State>,
        info: &NodeInfo,
        best: &BestMove,
        depth: i32,
        bound: Bound,
    ) {
        let eval = info.static_eval.unwrap_or(0);
        let entry = TableEntry { best: best.mv, score: best.score, eval, depth, bound };
        if let (Some(eval), true) = (info.eval, best.quiet) {
            self.learn_correction(node, eval, &entry);
        }
        self.store(node, entry);
    }

    /// Correction history: corrects an evaluation by the errors in similar positions.
    #[inline]
    pub(crate) fn corrected(&self, node: &Node<'_, R, E::State>, eval: i32) -> i32 {
        let places = Corrections::places(node.position, node.previous);
        let most = self.thread.shared.parameters.correction_most;
        (eval + self.thread.history.corrections.of(places, most)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Correction history: updates the errors of the evaluation after a search, if the score implies one.
    /// Skipped if the best move wins material, which no evaluation sees.
    fn learn_correction(&mut self, node: &Node<'_, R, E::State>, eval: i32, found: &TableEntry) {
        if found.decides(eval, eval) && found.score.abs() < MIN_WIN {
            let places = Corrections::places(node.position, node.previous);
            self.thread.history.corrections.learn(places, found.score - eval, found.depth);
        }
    }

    /// Killer moves and history, after a beta cutoff: rewards the move that caused it, if it is quiet, and punishes the
    /// quiet moves searched before it.
    fn update_history(
        &mut self,
        node: &Node<'_, R, E::State>,
        cutoff: &Candidate<R>,
        quiets_searched: &[u16],
        depth: i32,
    ) {
        let (us, previous) = (node.position.side(), node.previous);
        let Parameters { history_bonus, history_bonus_most, .. } = self.thread.shared.parameters;
        let bonus = (history_bonus * depth * depth).min(history_bonus_most);
        if !cutoff.tactical {
            self.thread.history.set_killer(node.ply, pack(cutoff.mv));
            self.thread.history.update(us, previous, cutoff.piece_to, bonus);
        }
        for &piece_to in quiets_searched {
            self.thread.history.update(us, previous, piece_to, -bonus);
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

/// The move in the table, packed, or [`NONE`].
#[inline]
fn table_move(entry: Option<TableEntry>) -> u16 {
    entry.map_or(NONE, |entry| entry.best)
}

/// Whether to look for a mate in one: in new positions, and in the principal variation, which the table does
/// not cut off, if the table has a win.
pub(crate) fn looks_for_mate(entry: Option<TableEntry>, pv: bool) -> bool {
    entry.is_none_or(|entry| pv && entry.score >= MIN_WIN)
}

/// Whether the evaluation is better than at the player's last turn.
#[inline]
fn is_improving(eval: Option<i32>, before: Option<i32>) -> bool {
    matches!((eval, before), (Some(now), Some(before)) if now > before)
}

/// The evaluation, if it may be used for pruning.
#[inline]
fn eval_to_prune_by(eval: Option<i32>, pv: bool, beta: i32) -> Option<i32> {
    eval.filter(|_| !pv && beta.abs() < MIN_WIN)
}

/// The evaluation, or the score in the table if that is more accurate.
fn estimate(eval: i32, entry: Option<TableEntry>) -> i32 {
    let scored = entry.filter(|entry| entry.score.abs() < MIN_WIN);
    // A bound says more than the evaluation if it lies beyond it.
    scored.filter(|entry| entry.decides(eval, eval)).map_or(eval, |entry| entry.score)
}

/// Reverse futility pruning: whether the estimate exceeds `beta` so far that a search to `depth` would hardly
/// bring the score below it.
const fn reverse_futility_pruning(
    parameters: &Parameters,
    estimate: i32,
    beta: i32,
    depth: i32,
    improving: bool,
) -> bool {
    depth <= 7 && estimate - parameters.futility_margin * (depth - improving as i32) >= beta
}

/// Internal iterative reduction: the depth to search to, one less without a table move; the search leaves one
/// for the next time.
fn internal_iterative_reduction(entry: Option<TableEntry>, depth: i32) -> i32 {
    let no_move = entry.is_none_or(|entry| entry.best == NONE);
    if no_move && depth >= 5 { depth - 1 } else { depth }
}

/// Late-move pruning: the number of quiet moves after which the others are left out.
const fn late_move_pruning(parameters: &Parameters, depth: i32, improving: bool) -> i32 {
    if depth > 8 {
        return i32::MAX;
    }
    let Parameters { late_move_pruning_base, late_move_pruning_slope, .. } = *parameters;
    let limit = late_move_pruning_base + late_move_pruning_slope * depth * depth / 100;
    limit / if improving { 1 } else { 2 }
}

/// Futility pruning: whether the evaluation is so far below `alpha` that a quiet move with this
/// history will hardly bring it above.
fn futility_pruning(
    parameters: &Parameters,
    eval: Option<i32>,
    history: i32,
    alpha: i32,
    depth: i32,
) -> bool {
    let Parameters { futility_margin, futility_base, futility_history, .. } = *parameters;
    let margin = || futility_margin * depth + futility_base + history / futility_history;
    depth <= 6 && eval.is_some_and(|eval| eval + margin() <= alpha)
}

/// Static exchange pruning: whether the move loses more than a search to `depth` can win back.
fn see_pruning<R: Rules>(
    parameters: &Parameters,
    position: &Position<R>,
    values: &Values,
    candidate: &Candidate<R>,
    depth: i32,
) -> bool {
    let Parameters { see_pruning_tactical, see_pruning_quiet, .. } = *parameters;
    let threshold = if candidate.tactical {
        see_pruning_tactical * depth * depth
    } else {
        see_pruning_quiet * depth
    };
    depth <= 7 && !see_ge(position, values, candidate.mv, -threshold)
}

/// Late-move reduction: the reduction of a quiet move in plies, based on depth and number: less for moves that
/// are likely to matter, more if the position is not improving.
#[inline]
fn late_move_reduction<R: Rules>(
    parameters: &Parameters,
    base: u8,
    check: bool,
    info: &NodeInfo,
    found: &MoveInfo<R>,
) -> i32 {
    i32::from(base) - i32::from(info.pv) - i32::from(found.gives_check) - i32::from(check)
        + i32::from(!info.improving)
        - (found.history / parameters.late_move_reduction_history).clamp(-2, 2)
}

/// Late-move pruning: drops the picker's remaining moves, which are all quiet, except checks and moves that end
/// the game.
#[inline]
fn leave_out_quiets<R: Rules>(
    picker: &mut MovePicker<R>,
    position: &Position<R>,
    check_squares: &CheckSquares<R>,
) {
    picker.retain(|mv| check_squares.gives_check(position, mv) || ends_game(position, mv));
}

/// Whether a move ends the game on the board, such as a try.
#[inline]
fn ends_game<R: Rules>(position: &Position<R>, mv: Move<R>) -> bool {
    R::can_be_over() && R::is_over(&position.placement().play_unchecked(mv))
}

/// Check extension: whether a checking move is searched one ply deeper, which it is unless the line is already
/// long. Checks that give a piece away are included, since mates begin with them.
const fn check_extension(
    parameters: &Parameters,
    gives_check: bool,
    ply: usize,
    depth: i32,
) -> bool {
    gives_check && (ply as i32) < 2 * depth + parameters.check_extension_plies
}
