//! One thread of a search by the rules of a rule set.

use shogi_core::{Bitboard, Move, Position, camp};
use shogi_rules::{Declaration, EnteringKingRule, GameResult, Rules, Verdict, mate_in_one};

use crate::evaluate::{Evaluator, LazyStates};
use crate::keys::pawn_key;
use crate::known::KnownValues;
use crate::outgrown::Outgrown;
use crate::packed::pack;
use crate::score::{MAX_EVAL, MAX_PLY, WIN};
use crate::table::{Bound, TableEntry};
use crate::thread::Thread;

/// One thread of a search.
pub(crate) struct Worker<'a, R: Rules, E: Evaluator<R>> {
    pub(crate) evaluator: &'a E,
    pub(crate) root: &'a Position<R>,
    pub(crate) states: LazyStates<E::State>,
    /// Values known without a search.
    known: Option<&'a dyn KnownValues<R>>,
    /// Squares on which kings win by a try, in games with that rule.
    try_squares: [Bitboard<R::Geometry>; 2],
    pub(crate) outgrown: Outgrown,
    pub(crate) thread: Thread<'a>,
}

/// A position in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Node<'p, R: Rules> {
    pub(crate) position: &'p Position<R>,
    /// The position before, and the move from there, or none for a null move; `None` at the root.
    pub(crate) before: Option<(&'p Self, Option<Move<R>>)>,
    /// Plies from the root.
    pub(crate) ply: usize,
    pub(crate) check: bool,
    /// The piece-to index of the last move; `None` after a null move.
    pub(crate) previous: Option<u16>,
}

impl<R: Rules> Node<'_, R> {
    /// The key of the pawns as they stood when the last move was chosen, which it may have changed.
    pub(crate) fn pawn_key_before(&self) -> u64 {
        self.before.map_or(0, |(before, _)| pawn_key(before.position))
    }
}

impl<'a, R: Rules, E: Evaluator<R>> Worker<'a, R, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        root: &'a Position<R>,
        known: Option<&'a dyn KnownValues<R>>,
        thread: Thread<'a>,
    ) -> Self {
        let try_squares = thread.shared.entering_king.try_squares::<R>();
        let (states, outgrown) = (LazyStates::of(evaluator.start(root)), Outgrown::of::<R>());
        Self { evaluator, root, states, known, try_squares, outgrown, thread }
    }

    /// Enters a node. Returns its score if there is nothing to search: the search is over, the game
    /// has ended, or the line has its greatest length.
    #[inline]
    pub(crate) fn enter(&mut self, node: &Node<'_, R>) -> Option<i32> {
        self.thread.clear_pv(node.ply);
        if self.thread.stopped {
            // Nothing more is searched on the way back to the root.
            return Some(0);
        }
        self.thread.max_ply = self.thread.max_ply.max(node.ply);
        if let Some(score) = self.ending(node) {
            return Some(score);
        }
        (node.ply >= MAX_PLY).then(|| self.evaluate(node))
    }

    /// The score for the player to move if the game has ended here or its value is known.
    #[inline]
    fn ending(&self, node: &Node<'_, R>) -> Option<i32> {
        let (position, ply) = (node.position, node.ply as i32);
        if R::is_over(position) {
            return Some(match R::verdict(position) {
                Some(Verdict::Win) => WIN - ply,
                Some(Verdict::Loss) => ply - WIN,
                Some(Verdict::Draw) | None => 0,
            });
        }
        match self.thread.shared.entering_king {
            EnteringKingRule::None => {}
            EnteringKingRule::Points { rule, .. } => {
                let side = position.side();
                let king = position.royals() & position.of(side);
                if king.meets(camp(side, R::zone())) {
                    let mut declaration = Declaration::new(position);
                    declaration.points += self.thread.shared.odds[side.index()];
                    if rule.declared(&declaration).result == GameResult::Win(side) {
                        return Some(WIN - ply);
                    }
                }
            }
            EnteringKingRule::Try => {
                let opponent = !position.side();
                let king = position.royals() & position.of(opponent);
                if king.meets(self.try_squares[opponent.index()]) {
                    return Some(ply - WIN);
                }
            }
        }
        if let Some(score) = self.thread.path.repetition(position.side()) {
            return Some(score);
        }
        Some(self.known?.value(position)?.score(node.ply))
    }

    /// Whether the opponent may declare with the next move, which no evaluation sees.
    #[inline]
    pub(crate) fn may_be_declared(&self, node: &Node<'_, R>) -> bool {
        let opponent = !node.position.side();
        let king = || node.position.royals() & node.position.of(opponent);
        matches!(self.thread.shared.entering_king, EnteringKingRule::Points { .. })
            && king().meets(camp(opponent, R::zone()))
    }

    /// The evaluation of a position, for the player to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, node: &Node<'_, R>) -> i32 {
        let state = self.states.at(self.evaluator, node);
        self.evaluator.evaluate(state, node.position).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a position with a mate in one, which becomes its principal variation.
    #[inline]
    pub(crate) fn mate_in_one(&mut self, node: &Node<'_, R>) -> Option<i32> {
        if !R::royal_safety() {
            // The game ends with the capture of the royal piece, one ply after a mate.
            return None;
        }
        let mate = mate_in_one(node.position)?;
        let score = WIN - node.ply as i32 - 1;
        let best = pack(mate);
        self.thread.end_pv(node.ply, best);
        let (eval, depth) = (MAX_EVAL, MAX_PLY as i32);
        self.store(node, TableEntry { best, score, eval, depth, bound: Bound::Exact, pv: false });
        Some(score)
    }

    /// The table's entry of the position.
    #[inline]
    pub(crate) fn probe(&self, node: &Node<'_, R>) -> Option<TableEntry> {
        self.thread.shared.table.probe(node.position.key(), node.ply)
    }

    #[inline]
    pub(crate) fn store(&self, node: &Node<'_, R>, entry: TableEntry) {
        self.thread.shared.table.store(node.position.key(), node.ply, entry);
    }
}
