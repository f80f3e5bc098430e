//! Quiescence search: captures and promotions until the position is quiet.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use shogi_core::{CheckSquares, Geometry};
use shogi_rules::Rules;

use crate::evaluate::Evaluator;
use crate::move_picker::{Candidate, MovePicker, MoveSet};
use crate::packed::{NONE, pack};
use crate::score::{INFINITE, KNOWN_WIN, MIN_WIN, WIN};
use crate::search::{cutoff, estimate, looks_for_mate};
use crate::see::see_ge;
use crate::table::{Bound, TableEntry};
use crate::worker::{Node, Worker};

/// Moves that neither capture where the opponent moved last nor give check, after which no more of them are searched.
const OTHERS: usize = 2;
/// The material that a move of quiescence search may lose.
const LOSS: i32 = 150;

/// Facts about a position of quiescence search.
struct QuietInfo<R: Rules> {
    entry: Option<TableEntry>,
    /// The score of keeping the position; below all scores in check.
    kept: i32,
    /// The evaluation without its correction; 0 in check.
    static_eval: i32,
    /// The evaluation with the margin of delta pruning; `None` in check.
    futility_base: Option<i32>,
    /// The square of the opponent's last move.
    last_to: Option<usize>,
    squares: OnceCell<CheckSquares<R>>,
}

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position if only captures and promotions that promise something are searched, or all
    /// moves in check. The player to move may also keep the evaluation (stand pat).
    pub(crate) fn quiesce(&mut self, node: Node<'_, R>, mut alpha: i32, beta: i32) -> i32 {
        if let Some(score) = self.enter(&node) {
            return score;
        }
        self.thread.statistics.quiescence();
        let pv = beta - alpha > 1;
        let entry = self.probe(&node);
        if let Some(score) = cutoff(entry, pv, alpha, beta, 0) {
            return score;
        }
        let last = self.thread.frames.before(node.ply, 1).piece_to;
        let mut info = QuietInfo {
            entry,
            kept: -INFINITE,
            static_eval: 0,
            futility_base: None,
            last_to: last.map(|piece_to| usize::from(piece_to) % R::Geometry::AREA),
            squares: OnceCell::new(),
        };
        if !node.check {
            match self.stand_pat(&node, entry, (pv, beta)) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue((kept, static_eval, eval)) => {
                    (info.kept, info.static_eval) = (kept, static_eval);
                    let margin = self.thread.shared.parameters.delta_margin;
                    info.futility_base = Some(eval + margin);
                    alpha = alpha.max(kept);
                }
            }
        }
        self.quiesce_moves(node, &info, (alpha, beta))
    }

    /// Quiescence search of the moves, if keeping the position does not decide it.
    fn quiesce_moves(
        &mut self,
        node: Node<'_, R>,
        info: &QuietInfo<R>,
        (first_alpha, beta): (i32, i32),
    ) -> i32 {
        let Node { position, ply, check, .. } = node;
        let mut picker = MovePicker::new(if check { MoveSet::All } else { MoveSet::Tactical });
        let (mut alpha, mut best, mut best_move, mut number) = (first_alpha, info.kept, NONE, 0);
        let table_move = info.entry.map_or(NONE, |entry| entry.best);
        // Only quiet moves are ordered by what came before.
        let rows = if check { self.rows(&node) } else { self.thread.history.no_rows() };
        while let Some(candidate) =
            picker.next(position, &self.scoring(&node, table_move, rows, None))
        {
            number += 1;
            // As long as every move found is a loss, none is left out.
            if best > -KNOWN_WIN {
                match self.leave_out(&node, info, &candidate, number, alpha) {
                    ControlFlow::Break(()) => break,
                    ControlFlow::Continue(None) => {}
                    ControlFlow::Continue(Some(bound)) => {
                        best = best.max(bound);
                        continue;
                    }
                }
            }
            let gives_check = info.gives_check(&node, &candidate);
            let score = self.after(&node, &candidate, gives_check, |worker, child| {
                -worker.quiesce(child, -beta, -alpha)
            });
            if self.thread.stopped {
                return 0;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_move = pack(candidate.mv);
                self.thread.update_pv(ply, best_move);
                if alpha >= beta {
                    break;
                }
            }
        }
        if check && number == 0 {
            return ply as i32 - WIN;
        }
        if best > beta && best < KNOWN_WIN {
            best = (best + beta) / 2;
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let pv = info.entry.is_some_and(|entry| entry.pv);
        let eval = info.static_eval;
        self.store(&node, TableEntry { best: best_move, score: best, eval, depth: 0, bound, pv });
        best
    }

    /// Whether a move is left out: with a bound of its score, or, by breaking, with all moves that follow.
    #[inline]
    fn leave_out(
        &self,
        node: &Node<'_, R>,
        info: &QuietInfo<R>,
        candidate: &Candidate<R>,
        number: usize,
        alpha: i32,
    ) -> ControlFlow<(), Option<i32>> {
        let (position, values) = (node.position, self.evaluator.values());
        if let Some(base) = info.futility_base {
            let recaptures = info.last_to == Some(candidate.mv.to().index());
            if !recaptures && base > -KNOWN_WIN {
                let reached = base + candidate.gain(position, values);
                let futile = number > OTHERS || reached <= alpha;
                let quiet = || !info.gives_check(node, candidate);
                if futile && quiet() {
                    // Delta pruning: not even the captured piece brings the score up to alpha.
                    let bound = if number > OTHERS { -INFINITE } else { reached };
                    return ControlFlow::Continue(Some(bound));
                }
                if !see_ge(position, values, candidate.mv, alpha - base) && quiet() {
                    // Nor does what is left of it after the exchange.
                    return ControlFlow::Continue(Some(base.min(alpha)));
                }
            }
        } else if !candidate.tactical
            && number > self.thread.shared.parameters.quiet_evasions as usize
        {
            // An evasion has been found.
            return ControlFlow::Break(());
        }
        let loses = !see_ge(position, values, candidate.mv, -LOSS);
        ControlFlow::Continue(loses.then_some(-INFINITE))
    }

    /// A mate in one or the evaluation (stand pat). Breaks with the score if that ends the search; otherwise returns the score
    /// of keeping the position, and the evaluation without and with its correction.
    #[inline]
    fn stand_pat(
        &mut self,
        node: &Node<'_, R>,
        entry: Option<TableEntry>,
        (pv, beta): (bool, i32),
    ) -> ControlFlow<i32, (i32, i32, i32)> {
        if looks_for_mate(entry, pv)
            && let Some(score) = self.mate_in_one(node)
        {
            return ControlFlow::Break(score);
        }
        let static_eval = match entry {
            Some(entry) => entry.eval,
            None => self.evaluate(node),
        };
        let eval = self.corrected(node, static_eval);
        let kept = estimate(eval, entry);
        if kept < beta {
            return ControlFlow::Continue((kept, static_eval, eval));
        }
        if entry.is_none() {
            let bound = Bound::Lower;
            let (best, score, eval, pv) = (NONE, kept, static_eval, false);
            self.store(node, TableEntry { best, score, eval, depth: 0, bound, pv });
        }
        ControlFlow::Break(if kept.abs() < MIN_WIN { (kept + beta) / 2 } else { kept })
    }
}

impl<R: Rules> QuietInfo<R> {
    /// Whether a move gives check.
    #[inline]
    fn gives_check(&self, node: &Node<'_, R>, candidate: &Candidate<R>) -> bool {
        let squares = self.squares.get_or_init(|| CheckSquares::new(node.position));
        squares.gives_check(node.position, candidate.mv)
    }
}
