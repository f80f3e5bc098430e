//! The order in which moves are searched.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shogi_core::{Face, Move, Origin, Position, Promotion, RuleTable};
use shogi_eval::Values;
use shogi_rules::Rules;

use crate::history::{History, piece_to};
use crate::packed::pack;

/// Room for the moves of a position: no legal shogi position has more than 593.
const MAX_MOVES: usize = 600;

/// A move with the data that order it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<R: RuleTable> {
    pub(crate) mv: Move<R>,
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

/// Generates the moves of a position and returns them best first: the table's move, captures and
/// promotions by the values of pieces, killer moves, the other quiet moves by history.
pub(crate) struct MovePicker<R: RuleTable> {
    moves: ArrayVec<Candidate<R>, MAX_MOVES>,
    /// Their scores; moves with larger scores are searched first. They lie side by side, so that
    /// processors compare many at a time.
    scores: ArrayVec<i32, MAX_MOVES>,
    /// Number of moves returned.
    returned: usize,
}

/// The data that score moves.
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
    pub(crate) fn new() -> Self {
        Self { moves: ArrayVec::new(), scores: ArrayVec::new(), returned: 0 }
    }

    /// Generates and scores the legal moves of the set. The list is filled in place, since it is too
    /// large to be returned.
    #[inline]
    pub(crate) fn generate(&mut self, position: &Position<R>, set: MoveSet, scoring: &Scoring<'_>) {
        let Scoring { values, history, table_move, previous, ply } = *scoring;
        let us = position.side();
        let enemies = position.of(!us);
        let killers = history.killers(ply);
        let quiet_scores = history.scores(us, previous);
        let _: ControlFlow<()> = position.generate(|batch| {
            if batch.origin == Origin::Hand && set == MoveSet::Tactical {
                return ControlFlow::Break(());
            }
            let growth = growth::<R>(values, batch.face);
            for (turn, grown) in [(false, 0), (true, growth)] {
                let promotes = grown >= MIN_GROWTH;
                let mut targets = if turn { batch.turn } else { batch.keep };
                if set == MoveSet::Tactical && !promotes {
                    targets &= enemies;
                }
                for to in targets {
                    let mv = batch.to(to, turn);
                    let capture = enemies.contains(to);
                    let tactical = capture || promotes;
                    let piece_to = piece_to::<R>(batch.face, to);
                    let packed = pack(mv);
                    let score = if packed == table_move {
                        TABLE_MOVE
                    } else if tactical {
                        let taken = if capture { position.piece(to) } else { None };
                        let won = taken.map_or(0, |piece| values.capture(piece.face));
                        TACTICAL + 16 * (won + grown) - values.capture(batch.face).min(5000)
                    } else if packed == killers[0] {
                        KILLER
                    } else if packed == killers[1] {
                        KILLER - 1
                    } else {
                        quiet_scores.of(piece_to)
                    };
                    // There is room for every move of a legal position.
                    let _ = self.moves.try_push(Candidate { mv, piece_to, tactical });
                    let _ = self.scores.try_push(score);
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Drops the remaining moves for which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl Fn(Move<R>) -> bool) {
        let mut kept = self.returned;
        for at in self.returned..self.moves.len() {
            if keep(self.moves[at].mv) {
                self.moves.swap(kept, at);
                self.scores.swap(kept, at);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
    }

    /// Whether the position has no move of the set.
    pub(crate) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

impl<R: Rules> Iterator for MovePicker<R> {
    type Item = Candidate<R>;

    /// The best of the remaining moves, the first of equal ones. They are not sorted, since few are
    /// returned before a cutoff.
    #[inline]
    fn next(&mut self) -> Option<Candidate<R>> {
        let first = self.returned;
        let best = first + greatest(&self.scores[first..])?;
        self.scores.swap(first, best);
        self.moves.swap(first, best);
        self.returned += 1;
        Some(self.moves[first])
    }
}

/// The place of the greatest score, the first of several.
#[inline]
fn greatest(scores: &[i32]) -> Option<usize> {
    let greatest = scores.iter().fold(i32::MIN, |best, &score| best.max(score));
    scores.iter().position(|&score| score == greatest)
}

/// Promotions that gain at least this much are tactical.
const MIN_GROWTH: i32 = 150;

/// The gain from turning a piece over; 0 if every move turns it.
#[inline]
fn growth<R: RuleTable>(values: &Values, face: Face) -> i32 {
    if face.promoted
        || R::promotion() == Promotion::EveryMove
        || face.kind.spec::<R>().back.is_none()
    {
        return 0;
    }
    values.board(Face::back(face.kind)) - values.board(face)
}

#[cfg(test)]
mod tests {
    use shogi_core::Piece;
    use shogi_rules::Game;
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;
    use crate::history::piece_to_of;

    /// A move as a picker returns it, with its score, by the definitions, from the move alone.
    fn scored<R: Rules>(
        position: &Position<R>,
        mv: Move<R>,
        scoring: &Scoring<'_>,
    ) -> (Candidate<R>, i32) {
        let (values, us) = (scoring.values, position.side());
        let taken = position.piece(mv.to());
        let (face, grown) = match mv {
            Move::Drop { face, .. } => (face, 0),
            Move::Board { from, turn, .. } => {
                let Piece { face, .. } = position.piece(from).unwrap();
                (face, if turn { growth::<R>(values, face) } else { 0 })
            }
        };
        let tactical = taken.is_some() || grown >= MIN_GROWTH;
        let piece_to = piece_to_of(position, mv);
        let killers = scoring.history.killers(scoring.ply);
        let score = if pack(mv) == scoring.table_move {
            TABLE_MOVE
        } else if tactical {
            let won = taken.map_or(0, |piece| values.capture(piece.face));
            TACTICAL + 16 * (won + grown) - values.capture(face).min(5000)
        } else if let Some(n) = killers.iter().position(|&killer| killer == pack(mv)) {
            KILLER - n as i32
        } else {
            scoring.history.score(us, scoring.previous, piece_to)
        };
        (Candidate { mv, piece_to, tactical }, score)
    }

    /// All moves best first, by looking through those that are left.
    fn selected<R: Rules>(mut moves: Vec<(Candidate<R>, i32)>) -> Vec<(Move<R>, i32, u16)> {
        for returned in 0..moves.len() {
            let mut best = returned;
            for at in returned + 1..moves.len() {
                if moves[at].1 > moves[best].1 {
                    best = at;
                }
            }
            moves.swap(returned, best);
        }
        moves.iter().map(|(candidate, score)| (candidate.mv, *score, candidate.piece_to)).collect()
    }

    /// The moves that a picker has left, in its order, with their scores.
    fn returned<R: Rules>(mut picker: MovePicker<R>) -> Vec<(Move<R>, i32, u16)> {
        let mut moves = Vec::new();
        while let Some(Candidate { mv, piece_to, .. }) = picker.next() {
            moves.push((mv, picker.scores[picker.returned - 1], piece_to));
        }
        moves
    }

    fn compare<R: Rules>(games: u64) {
        let values = Values::by_freedom::<R>();
        let mut random = Random::new(3);
        let mut tactical_moves = 0;
        for _ in 0..games {
            let (mut game, mut history) = (Game::<R>::from_start(), History::new::<R>());
            let mut previous = None;
            while game.outcome().is_none() && game.moves().len() < 60 {
                let position = *game.position();
                let moves = position.legal_moves();
                // Moves that earlier searches found good or bad, some of them in this position.
                for _ in 0..8 {
                    let mv = random.pick(&moves);
                    let bonus = random.below(4096) as i32 - 2048;
                    history.update(position.side(), previous, piece_to_of(&position, mv), bonus);
                    history.set_killer(1, pack(random.pick(&moves)));
                }
                let table_move = pack(random.pick(&moves));
                let scoring =
                    Scoring { values: &values, history: &history, table_move, previous, ply: 1 };
                let expected: Vec<_> =
                    moves.iter().map(|&mv| scored(&position, mv, &scoring)).collect();
                for set in [MoveSet::All, MoveSet::Tactical] {
                    let mut picker = MovePicker::new();
                    picker.generate(&position, set, &scoring);
                    let mut expected = expected.clone();
                    expected.retain(|(candidate, _)| set == MoveSet::All || candidate.tactical);
                    assert_eq!(picker.is_empty(), expected.is_empty());
                    let returned = returned(picker);
                    assert_eq!(returned, selected(expected));
                    tactical_moves += if set == MoveSet::Tactical { returned.len() } else { 0 };
                }
                let mut picker = MovePicker::new();
                picker.generate(&position, MoveSet::All, &scoring);
                let given_before = picker.by_ref().take(random.below(4)).count();
                let keep = |mv: Move<R>| pack(mv) % 3 != 0;
                let mut left = selected(expected).split_off(given_before);
                left.retain(|&(mv, ..)| keep(mv));
                picker.retain(keep);
                let kept = returned(picker);
                assert!(kept.is_sorted_by_key(|&(_, score, _)| -score));
                // Moves with equal scores may come in another order.
                let sorted = |mut moves: Vec<(Move<R>, i32, u16)>| {
                    moves.sort();
                    moves
                };
                assert_eq!(sorted(kept), sorted(left));
                let mv = random.pick(&moves);
                previous = Some(piece_to_of(&position, mv));
                game.play(mv).unwrap();
            }
        }
        assert!(tactical_moves > 100, "captures and promotions are among the moves");
    }

    for_every_variant!(moves_come_as_if_they_were_scored_and_sorted_one_by_one: compare(30; shogi: 8));
}
