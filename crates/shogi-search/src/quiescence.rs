//! Quiescence search: captures and promotions until the position is quiet.

use std::ops::ControlFlow;

use shogi_rules::Rules;

use crate::evaluate::{Evaluator, LazyState};
use crate::move_picker::{Candidate, MovePicker, MoveSet};
use crate::packed::{NONE, pack};
use crate::score::{INFINITE, MIN_WIN, WIN};
use crate::search::{cutoff, looks_for_mate};
use crate::see::see_ge;
use crate::table::{Bound, TableEntry};
use crate::worker::{Node, Worker};

impl<R: Rules, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position if only captures and promotions that do not lose material are searched, or all
    /// moves in check. The player to move may also keep the evaluation (stand pat). `depth` is 0 at the first
    /// position, and -1, -2, ... below.
    pub(crate) fn quiesce(
        &mut self,
        node: Node<'_, R, E::State>,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        if let Some(score) = self.enter(&node) {
            return score;
        }
        let pv = beta - alpha > 1;
        let entry = self.probe(&node);
        if let Some(score) = cutoff(entry, pv, alpha, beta, 0) {
            return score;
        }
        let (mut best, mut static_eval) = (-INFINITE, 0);
        if !node.check {
            match self.stand_pat(&node, entry, (pv, beta), depth) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue(evals) => (best, static_eval) = evals,
            }
            alpha = alpha.max(best);
        }
        let Node { position, ply, check, previous, .. } = node;
        if check {
            self.thread.history.refresh(position.side(), previous);
        }
        let set = if check { MoveSet::All } else { MoveSet::Tactical };
        let mut picker = MovePicker::new();
        picker.generate(position, set, &self.scoring(&node, entry));
        if check && picker.is_empty() {
            return ply as i32 - WIN;
        }
        let (first_alpha, mut best_move) = (alpha, NONE);
        // In check, once an evasion is found, quiet moves from this number on are not searched.
        let quiet_evasions = self.thread.shared.parameters.quiet_evasions as usize;
        for (number, candidate) in picker.by_ref().enumerate() {
            // As long as every move found is a loss, none is left out.
            let may_prune = best > -MIN_WIN;
            if may_prune && check && number >= quiet_evasions && !candidate.tactical {
                break;
            }
            if may_prune && !see_ge(position, self.evaluator.values(), candidate.mv, 0) {
                continue;
            }
            let score = self.quiesce_move(&node, &candidate, (alpha, beta), depth);
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
        let bound = Bound::of(best, first_alpha, beta);
        let eval = static_eval;
        self.store(&node, TableEntry { best: best_move, score: best, eval, depth: 0, bound });
        best
    }

    /// A mate in one or the evaluation (stand pat). Breaks with the score if that ends the search; otherwise
    /// returns the evaluation with and without its correction.
    #[inline]
    fn stand_pat(
        &mut self,
        node: &Node<'_, R, E::State>,
        entry: Option<TableEntry>,
        (pv, beta): (bool, i32),
        depth: i32,
    ) -> ControlFlow<i32, (i32, i32)> {
        if (depth == 0 || entry.is_some()) && looks_for_mate(entry, pv) {
            if let Some(score) = self.mate_in_one(node) {
                return ControlFlow::Break(score);
            }
        }
        let static_eval = match entry {
            Some(entry) => entry.eval,
            None => self.evaluate(node),
        };
        let eval = self.corrected(node, static_eval);
        if eval < beta {
            return ControlFlow::Continue((eval, static_eval));
        }
        if entry.is_none() {
            let bound = Bound::Lower;
            let entry = TableEntry { best: NONE, score: eval, eval: static_eval, depth: 0, bound };
            self.store(node, entry);
        }
        ControlFlow::Break(eval)
    }

    /// The score of a move; meaningless once the search is stopped.
    #[inline]
    fn quiesce_move(
        &mut self,
        node: &Node<'_, R, E::State>,
        candidate: &Candidate<R>,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> i32 {
        let next = node.position.play_unchecked(candidate.mv);
        let gives_check = next.is_check();
        let state = LazyState::after(node.position, node.state, Some(candidate.mv));
        self.thread.path.push(next.key(), gives_check);
        let child = Node {
            position: &next,
            state: &state,
            ply: node.ply + 1,
            check: gives_check,
            previous: Some(candidate.piece_to),
            evals: [None; 2],
        };
        let score = -self.quiesce(child, -beta, -alpha, depth - 1);
        self.thread.path.pop();
        score
    }
}
