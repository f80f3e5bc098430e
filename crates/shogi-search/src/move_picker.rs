//! The order in which moves are searched.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shogi_core::{Face, Move, Origin, Position, Promotion, RuleTable};
use shogi_learn::Values;
use shogi_rules::Rules;

use crate::history::{History, piece_to};
use crate::packed::pack;

/// Room for the moves of a position: no legal shogi position has more than 593.
const MAX_MOVES: usize = 600;

/// A move with what is known of it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove<R: RuleTable> {
    pub(crate) mv: Move<R>,
    /// Moves with larger scores are searched first.
    pub(crate) score: i32,
    /// The piece-to index, for [`History`].
    pub(crate) piece_to: u16,
    /// Whether it captures, or promotes to something better; all other moves are quiet.
    pub(crate) tactical: bool,
}

/// Which moves are generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveSet {
    All,
    /// Captures, and promotions to something better.
    Tactical,
}

/// Generates the moves of a position and gives them best first: the table's move, captures and
/// promotions by the values of pieces, killer moves, the other quiet moves by history.
pub(crate) struct MovePicker<R: RuleTable> {
    moves: ArrayVec<ScoredMove<R>, MAX_MOVES>,
    /// How many have been given.
    given: usize,
}

/// What moves are scored by.
pub(crate) struct Scoring<'a> {
    pub(crate) values: &'a Values,
    pub(crate) history: &'a History,
    /// The table's move, packed, or [`NONE`](crate::packed::NONE).
    pub(crate) table_move: u16,
    /// The piece-to index of the opponent's last move.
    pub(crate) previous: Option<u16>,
    pub(crate) ply: usize,
}

const TABLE_MOVE: i32 = 1 << 30;
const TACTICAL: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;

impl<R: Rules> MovePicker<R> {
    /// A picker without moves.
    pub(crate) const fn new() -> Self {
        Self { moves: ArrayVec::new_const(), given: 0 }
    }

    /// Generates and scores the legal moves of the set. The list is filled in place, since it is too
    /// large to be returned.
    #[inline]
    pub(crate) fn generate(&mut self, position: &Position<R>, set: MoveSet, scoring: &Scoring<'_>) {
        let Scoring { values, history, table_move, previous, ply } = *scoring;
        let us = position.side();
        let enemies = position.of(!us);
        let killers = history.killers(ply);
        let _: ControlFlow<()> = position.generate(|batch| {
            if batch.origin == Origin::Hand && set == MoveSet::Tactical {
                return ControlFlow::Break(());
            }
            let growth = growth::<R>(values, batch.face);
            for mv in batch.moves() {
                let to = mv.to();
                let capture = enemies.contains(to);
                let turn = matches!(mv, Move::Board { turn: true, .. });
                let tactical = capture || (turn && growth >= MIN_GROWTH);
                if set == MoveSet::Tactical && !tactical {
                    continue;
                }
                let piece_to = piece_to::<R>(batch.face, to);
                let packed = pack(mv);
                let score = if packed == table_move {
                    TABLE_MOVE
                } else if tactical {
                    let taken = position.piece(to).filter(|_| capture);
                    let won = taken.map_or(0, |piece| values.capture(piece.face));
                    let grown = if turn { growth } else { 0 };
                    TACTICAL + 16 * (won + grown) - values.capture(batch.face).min(5000)
                } else if let Some(n) = killers.iter().position(|&killer| killer == packed) {
                    KILLER - n as i32
                } else {
                    history.score(us, previous, piece_to)
                };
                // There is room for every move of a legal position.
                let _ = self.moves.try_push(ScoredMove { mv, score, piece_to, tactical });
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether the position has no move of the set.
    pub(crate) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

impl<R: Rules> Iterator for MovePicker<R> {
    type Item = ScoredMove<R>;

    /// The best of the moves not given yet: few are given before a cutoff, so they are not sorted.
    #[inline]
    fn next(&mut self) -> Option<ScoredMove<R>> {
        let first = self.given;
        if first == self.moves.len() {
            return None;
        }
        let mut best = first;
        for at in first + 1..self.moves.len() {
            if self.moves[at].score > self.moves[best].score {
                best = at;
            }
        }
        self.moves.swap(first, best);
        self.given += 1;
        Some(self.moves[first])
    }
}

/// Promotions that gain at least this much are tactical.
const MIN_GROWTH: i32 = 150;

/// What turning a piece over gains; nothing where every move turns it.
fn growth<R: RuleTable>(values: &Values, face: Face) -> i32 {
    if face.promoted || R::PROMOTION == Promotion::EveryMove || face.kind.spec::<R>().back.is_none()
    {
        return 0;
    }
    values.board(Face::back(face.kind)) - values.board(face)
}
