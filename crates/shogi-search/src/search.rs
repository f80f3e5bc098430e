//! Alpha-beta: principal variation search with pruning, reductions and extensions.
//!
//! Each step that leaves something out is a function of its own, named as in other programs.
//! None is exact but mate-distance pruning and the transposition cutoff; the others stay away from
//! the principal variation, and from scores that are wins or losses.

use arrayvec::ArrayVec;
use shogi_core::{CheckSquares, Position};
use shogi_eval::Values;
use shogi_rules::Rules;

use crate::correction::Corrections;
use crate::evaluate::{Evaluator, LazyState};
use crate::move_picker::{Candidate, MovePicker, MoveSet, Scoring};
use crate::packed::{NONE, pack};
use crate::parameters::Parameters;
use crate::score::{INFINITE, MAX_EVAL, MIN_WIN, WIN};
use crate::see::see_ge;
use crate::table::{Bound, Entry};
use crate::worker::{Node, Worker};

/// What is known of a position before its moves are searched.
#[derive(Clone, Copy)]
struct Known {
    entry: Option<Entry>,
    /// The evaluation as it is; none in check.
    static_eval: Option<i32>,
    /// The same with its correction.
    eval: Option<i32>,
    /// Whether it is better than at the player's last turn.
    improving: bool,
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position, for the player to move: exact between `alpha` and `beta`, else a
    /// bound. Without meaning once the search is stopped.
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
        if !node.check && asks_for_mate(entry, pv) {
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
        self.search_moves(node, alpha, beta, depth, Known { entry, static_eval, eval, improving })
    }

    /// Null-move pruning: where even to pass would fail high, so does the position. Its score, if
    /// it is pruned.
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
        mut alpha: i32,
        beta: i32,
        depth: i32,
        known: Known,
    ) -> i32 {
        let Node { position, ply, check, previous, .. } = node;
        let Known { entry, static_eval, eval, improving } = known;
        let pv = beta - alpha > 1;
        let us = position.side();
        self.thread.history.refresh(us, previous);
        let scoring = Scoring {
            values: self.evaluator.values(),
            history: self.thread.history,
            table_move: table_move(entry),
            previous,
            ply,
        };
        let mut picker = MovePicker::new();
        picker.generate(position, MoveSet::All, &scoring);
        if picker.is_empty() {
            // A player without a legal move has lost, in every game of the family.
            return ply as i32 - WIN;
        }
        let check_squares = CheckSquares::new(position);
        let first_alpha = alpha;
        let (mut best, mut best_move, mut best_is_quiet) = (-INFINITE, NONE, true);
        let mut quiets_searched: ArrayVec<u16, 64> = ArrayVec::new();
        let mut quiets = 0;
        let mut number = 0;
        let mut is_late = false;
        let parameters = &self.thread.shared.parameters;
        let late = late_move_pruning(parameters, depth, improving);
        let ends = |mv| R::CAN_BE_OVER && R::is_over(&position.placement().play(mv));
        while let Some(candidate) = picker.next() {
            let quiet = !candidate.tactical;
            let history =
                if quiet { self.thread.history.score(us, previous, candidate.piece_to) } else { 0 };
            let gives_check = check_squares.gives_check(position, candidate.mv);
            // As long as every move found is a loss, none is left out; nor is a move that ends the
            // game, such as a try.
            if best > -MIN_WIN && !pv {
                if quiet && !check && !is_late && quiets >= late {
                    is_late = true;
                    // All that follow are quiet, too.
                    picker.retain(|mv| check_squares.gives_check(position, mv) || ends(mv));
                }
                let futile = quiet
                    && !check
                    && !gives_check
                    && (is_late || futility_pruning(parameters, eval, history, alpha, depth));
                let values = self.evaluator.values();
                if (futile || see_pruning(parameters, position, values, &candidate, depth))
                    && !ends(candidate.mv)
                {
                    number += 1;
                    quiets += i32::from(futile);
                    continue;
                }
            }
            if quiet {
                quiets += 1;
            }
            let next = position.play(candidate.mv);
            let state = LazyState::after(position, node.state, Some(candidate.mv));
            self.thread.path.push(next.key(), gives_check);
            let child = Node {
                position: &next,
                state: &state,
                ply: ply + 1,
                check: gives_check,
                previous: Some(candidate.piece_to),
                evals: [eval, node.evals[0]],
            };
            let new_depth =
                depth - 1 + i32::from(check_extension(parameters, gives_check, ply, depth));
            let mut score = -INFINITE;
            let mut full_window = pv && number == 0;
            if !full_window {
                let mut reduction = 0;
                if depth >= 3 && number >= 2 && quiet {
                    let base = self.thread.reductions[depth.min(63) as usize][number.min(63)];
                    // Less for moves that are likely to matter, more where things get worse.
                    reduction =
                        i32::from(base) - i32::from(pv) - i32::from(gives_check) - i32::from(check)
                            + i32::from(!improving)
                            - (history / parameters.late_move_reduction_history).clamp(-2, 2);
                    reduction = reduction.clamp(0, (new_depth - 1).max(0));
                }
                score = -self.search(child, -alpha - 1, -alpha, new_depth - reduction, true);
                if score > alpha && reduction > 0 {
                    score = -self.search(child, -alpha - 1, -alpha, new_depth, true);
                }
                full_window = pv && score > alpha && score < beta;
            }
            if full_window {
                score = -self.search(child, -beta, -alpha, new_depth, true);
            }
            self.thread.path.pop();
            if self.thread.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    (best_move, best_is_quiet) = (pack(candidate.mv), quiet);
                    self.thread.update_pv(ply, best_move);
                }
            }
            if alpha >= beta {
                self.update_history(&node, &candidate, &quiets_searched, depth);
                break;
            }
            if quiet {
                // Those that there is no room for are not punished.
                let _ = quiets_searched.try_push(candidate.piece_to);
            }
            number += 1;
        }
        let bound = Bound::of(best, first_alpha, beta);
        let static_eval = static_eval.unwrap_or(0);
        let entry = Entry { best: best_move, score: best, eval: static_eval, depth, bound };
        if let (Some(eval), true) = (eval, best_is_quiet) {
            self.learn_correction(&node, eval, &entry);
        }
        self.store(&node, entry);
        best
    }

    /// An evaluation with what it was wrong by in positions like this one.
    #[inline]
    pub(crate) fn corrected(&self, node: &Node<'_, R, E::State>, eval: i32) -> i32 {
        let places = Corrections::places(node.position, node.previous);
        let most = self.thread.shared.parameters.correction_most;
        (eval + self.thread.history.corrections.of(places, most)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// After a search whose best move is not one that wins material, which no evaluation sees: learns what the
    /// evaluation was wrong by, if the score says so.
    fn learn_correction(&mut self, node: &Node<'_, R, E::State>, eval: i32, found: &Entry) {
        if found.decides(eval, eval) && found.score.abs() < MIN_WIN {
            let places = Corrections::places(node.position, node.previous);
            self.thread.history.corrections.learn(places, found.score - eval, found.depth);
        }
    }

    /// After a beta cutoff: rewards the move that caused it, if it is quiet, and punishes the quiet
    /// moves searched before it.
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

/// Mate-distance pruning: the window without the scores that are better than a win with the next
/// move or worse than to have lost. Where it is empty, another line is as good.
const fn mate_distance_pruning(alpha: i32, beta: i32, ply: usize) -> (i32, i32) {
    let (lost, won) = (ply as i32 - WIN, WIN - ply as i32 - 1);
    (if alpha > lost { alpha } else { lost }, if beta < won { beta } else { won })
}

/// The transposition cutoff: the score in the table, if it decides a position outside the principal variation.
#[inline]
pub(crate) fn cutoff(
    entry: Option<Entry>,
    pv: bool,
    alpha: i32,
    beta: i32,
    depth: i32,
) -> Option<i32> {
    entry.filter(|_| !pv).and_then(|entry| entry.cutoff(alpha, beta, depth))
}

/// The move in the table, packed, or [`NONE`].
#[inline]
pub(crate) fn table_move(entry: Option<Entry>) -> u16 {
    entry.map_or(NONE, |entry| entry.best)
}

/// Whether to look for a mate in one: in new positions, and for the principal variation, which is not
/// cut off by the table, where the table has a win.
pub(crate) fn asks_for_mate(entry: Option<Entry>, pv: bool) -> bool {
    entry.is_none_or(|entry| pv && entry.score >= MIN_WIN)
}

/// Whether the evaluation is better than at the player's last turn.
#[inline]
fn is_improving(eval: Option<i32>, before: Option<i32>) -> bool {
    matches!((eval, before), (Some(now), Some(before)) if now > before)
}

/// The evaluation, where positions may be pruned by it.
#[inline]
fn eval_to_prune_by(eval: Option<i32>, pv: bool, beta: i32) -> Option<i32> {
    eval.filter(|_| !pv && beta.abs() < MIN_WIN)
}

/// The evaluation, or the score in the table where that is nearer to the truth.
fn estimate(eval: i32, entry: Option<Entry>) -> i32 {
    let scored = entry.filter(|entry| entry.score.abs() < MIN_WIN);
    // A bound says more than the evaluation if it lies beyond it.
    scored.filter(|entry| entry.decides(eval, eval)).map_or(eval, |entry| entry.score)
}

/// Reverse futility pruning: whether the estimate exceeds `beta` by so much that a search to
/// `depth` would hardly bring the score below it.
const fn reverse_futility_pruning(
    parameters: &Parameters,
    estimate: i32,
    beta: i32,
    depth: i32,
    improving: bool,
) -> bool {
    depth <= 7 && estimate - parameters.futility_margin * (depth - improving as i32) >= beta
}

/// Internal iterative reduction: the depth to search to. Without a move from the table it is one
/// less, which leaves a move there for the next time.
fn internal_iterative_reduction(entry: Option<Entry>, depth: i32) -> i32 {
    let no_move = entry.is_none_or(|entry| entry.best == NONE);
    if no_move && depth >= 5 { depth - 1 } else { depth }
}

/// Late-move pruning: how many quiet moves are considered before the others are left out.
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

/// Check extension: whether a move that gives check is searched one ply deeper: unless the line is
/// already long. Checks that give a piece away are no exception, since mates begin with them.
const fn check_extension(
    parameters: &Parameters,
    gives_check: bool,
    ply: usize,
    depth: i32,
) -> bool {
    gives_check && (ply as i32) < 2 * depth + parameters.check_extension_plies
}
