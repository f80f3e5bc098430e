//! The order in which moves are searched, and their generation in stages.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shogi_core::{
    Batch, Bitboard, CheckSquares, Face, Move, Origin, Position, Promotion, RuleTable, Square,
};
use shogi_eval::Values;
use shogi_rules::Rules;

use crate::history::{Capture, History, LOW_PLIES, Quiet, Rows, Scores, piece_to, piece_to_of};
use crate::outgrown::Outgrown;
use crate::packed::{pack, unpack};
use crate::see::see_ge;

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
    /// Whether it gives check, if that is known.
    pub(crate) checks: Option<bool>,
}

impl<R: Rules> Candidate<R> {
    /// A legal move of a position.
    pub(crate) fn of(position: &Position<R>, values: &Values, mv: Move<R>) -> Self {
        let promotes = match mv {
            Move::Board { from, turn: true, .. } => position
                .piece(from)
                .is_some_and(|piece| growth::<R>(values, piece.face) >= MIN_GROWTH),
            _ => false,
        };
        let tactical = promotes || position.piece(mv.to()).is_some();
        Self { mv, piece_to: piece_to_of(position, mv), tactical, checks: None }
    }

    /// The move as history knows it, if it is quiet.
    #[inline]
    pub(crate) fn quiet(&self) -> Quiet {
        Quiet { packed: pack(self.mv), piece_to: self.piece_to }
    }

    /// The move as history knows it, if it is a capture or promotion.
    #[inline]
    pub(crate) fn capture(&self, position: &Position<R>) -> Capture {
        let taken = position.piece(self.mv.to()).map(|piece| piece.face);
        Capture { piece_to: self.piece_to, taken }
    }

    /// The material that a capture or promotion gains at once.
    #[inline]
    pub(crate) fn gain(&self, position: &Position<R>, values: &Values) -> i32 {
        let taken = position.piece(self.mv.to()).map_or(0, |piece| values.capture(piece.face));
        match self.mv {
            Move::Board { from, turn: true, .. } => {
                let grown = position.piece(from).map_or(0, |piece| growth::<R>(values, piece.face));
                taken + grown
            }
            _ => taken,
        }
    }
}

/// Which moves are returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveSet {
    All,
    /// Captures, and promotions to something better.
    Tactical,
}

/// The moves generated so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The table's move is still to be tried.
    Table,
    /// Nothing but the table's move.
    Nothing,
    Tactical,
    All,
}

/// Returns the moves of a position, best first, and generates them only when they are needed: the table's move; captures
/// and promotions that lose little, by material and capture history; quiet moves by history, with checks
/// first; and before the worst of these, captures and promotions that lose material.
pub(crate) struct MovePicker<R: RuleTable> {
    moves: ArrayVec<Candidate<R>, MAX_MOVES>,
    /// Their scores; moves with larger scores are searched first. They lie side by side, so that
    /// processors compare many at a time.
    scores: ArrayVec<i32, MAX_MOVES>,
    /// Number of moves returned, without the table's.
    returned: usize,
    stage: Stage,
    set: MoveSet,
    /// The table's move, once it has been returned.
    tried: Option<Move<R>>,
}

/// The data that score moves.
pub(crate) struct Scoring<'a, R: RuleTable> {
    pub(crate) values: &'a Values,
    pub(crate) history: &'a History,
    /// The table's move, packed, or [`NONE`](crate::packed::NONE).
    pub(crate) table_move: u16,
    pub(crate) outgrown: Outgrown,
    /// The rows of continuation history.
    pub(crate) rows: Rows,
    pub(crate) ply: usize,
    /// Where pieces give check; without it, checks are as other moves.
    pub(crate) checks: Option<&'a CheckSquares<R>>,
}

impl<R: RuleTable> Scoring<'_, R> {
    /// The moves of a batch that give check, if that is wanted and can be seen without making them.
    #[inline]
    fn checks_of(&self, batch: Batch<R>) -> Option<Batch<R>> {
        self.checks.and_then(|checks| checks.checks_of(batch))
    }
}

/// Captures and promotions score at least this much, as long as they are not known to lose material.
const TACTICAL: i32 = 1 << 24;
/// Captures and promotions that lose material come after quiet moves with larger scores.
const LOSING: i32 = -12_000;
/// The bonus of checks that do not lose more than [`CHECK_LOSS`].
const CHECK: i32 = 16_384;
const CHECK_LOSS: i32 = 150;

impl<R: Rules> MovePicker<R> {
    /// A picker of moves of a set; the list is too large to be moved about.
    #[inline]
    pub(crate) fn new(set: MoveSet) -> Self {
        let (moves, scores) = (ArrayVec::new(), ArrayVec::new());
        Self { moves, scores, returned: 0, stage: Stage::Table, set, tried: None }
    }

    /// The next move, the first of equal ones. They are not sorted, since few are returned before a cutoff.
    #[inline]
    pub(crate) fn next(
        &mut self,
        position: &Position<R>,
        scoring: &Scoring<'_, R>,
    ) -> Option<Candidate<R>> {
        if self.stage == Stage::Table {
            self.stage = Stage::Nothing;
            if let Some(candidate) = self.table_move(position, scoring) {
                self.tried = Some(candidate.mv);
                return Some(candidate);
            }
        }
        if self.stage == Stage::Nothing {
            self.stage = Stage::Tactical;
            self.generate_tactical(position, scoring);
        }
        loop {
            let best = greatest(&self.scores[self.returned..]).map(|at| at + self.returned);
            match best {
                Some(best) if self.scores[best] >= TACTICAL / 2 => {
                    let (mv, score) = (self.moves[best].mv, self.scores[best] - TACTICAL);
                    // A capture that has often been good may lose something.
                    let all = self.set == MoveSet::All;
                    if all && !see_ge(position, scoring.values, mv, -score / 8) {
                        self.scores[best] = LOSING + score / 16;
                        continue;
                    }
                    return Some(self.take(best));
                }
                _ if self.stage == Stage::Tactical && self.set == MoveSet::All => {
                    self.generate_quiet(position, scoring);
                }
                Some(best) => return Some(self.take(best)),
                None => return None,
            }
        }
    }

    /// The table's move, if it is a legal move of the set.
    fn table_move(&self, position: &Position<R>, scoring: &Scoring<'_, R>) -> Option<Candidate<R>> {
        let mv = unpack::<R>(scoring.table_move).filter(|&mv| position.is_legal(mv))?;
        let candidate = Candidate::of(position, scoring.values, mv);
        (candidate.tactical || self.set == MoveSet::All).then_some(candidate)
    }

    #[inline]
    fn take(&mut self, best: usize) -> Candidate<R> {
        let first = self.returned;
        self.scores.swap(first, best);
        self.moves.swap(first, best);
        self.returned += 1;
        self.moves[first]
    }

    #[inline]
    fn push(&mut self, candidate: Candidate<R>, score: i32) {
        // There is room for every move of a legal position.
        let _ = self.moves.try_push(candidate);
        let _ = self.scores.try_push(score);
    }

    /// A batch without the table's move, if that has been returned.
    #[inline]
    fn untried(&self, mut batch: Batch<R>) -> Batch<R> {
        if let Some(tried) = self.tried.filter(|&tried| batch.contains(tried)) {
            match tried {
                Move::Board { turn: true, .. } => batch.turn.remove(tried.to()),
                _ => batch.keep.remove(tried.to()),
            }
        }
        batch
    }

    /// Generates captures and promotions.
    fn generate_tactical(&mut self, position: &Position<R>, scoring: &Scoring<'_, R>) {
        let (values, us) = (scoring.values, position.side());
        let enemies = position.of(!us);
        let grows = |face| growth::<R>(values, face) >= MIN_GROWTH;
        let narrow = |face, squares| if grows(face) { squares } else { squares & enemies };
        let _: ControlFlow<()> = position.generate_on_board(narrow, |batch| {
            let growth = growth::<R>(values, batch.face);
            let keep = scoring.outgrown.keep(&batch) & enemies;
            let turn = if growth >= MIN_GROWTH { batch.turn } else { batch.turn & enemies };
            let wanted = self.untried(Batch { keep, turn, ..batch });
            if !wanted.is_empty() {
                self.push_tactical(position, scoring, wanted, growth);
            }
            ControlFlow::Continue(())
        });
    }

    /// Adds the moves of a batch, all of them captures or promotions. A promotion gains `growth`.
    fn push_tactical(
        &mut self,
        position: &Position<R>,
        scoring: &Scoring<'_, R>,
        batch: Batch<R>,
        growth: i32,
    ) {
        let (values, checking) = (scoring.values, scoring.checks_of(batch));
        let risked = values.capture(batch.face).min(5000);
        for (turn, grown) in [(false, 0), (true, growth)] {
            for to in batch.targets(turn) {
                let mv = batch.to(to, turn);
                let piece_to = piece_to::<R>(batch.face, to);
                let taken = position.piece(to).map(|piece| piece.face);
                let won = taken.map_or(0, |face| values.capture(face)) + grown;
                let learnt = scoring.history.capture(batch.colour, Capture { piece_to, taken });
                let score = TACTICAL + 4 * won - risked / 4 + learnt;
                let checks = checking.map(|checking| checking.targets(turn).contains(to));
                self.push(Candidate { mv, piece_to, tactical: true, checks }, score);
            }
        }
    }

    /// Generates the quiet moves.
    fn generate_quiet(&mut self, position: &Position<R>, scoring: &Scoring<'_, R>) {
        self.stage = Stage::All;
        let us = position.side();
        let enemies = position.of(!us);
        let scores = scoring.history.scores(us, scoring.rows);
        let first = self.moves.len();
        let _: ControlFlow<()> = position.generate(|batch| {
            let promotes = growth::<R>(scoring.values, batch.face) >= MIN_GROWTH;
            let turn = if promotes { Bitboard::EMPTY } else { batch.turn - enemies };
            let keep = scoring.outgrown.keep(&batch) - enemies;
            let batch = self.untried(Batch { keep, turn, ..batch });
            self.push_quiet(position, scoring, &scores, batch);
            ControlFlow::Continue(())
        });
        if scoring.ply < LOW_PLIES {
            self.add_near_root(first, scoring);
        }
    }

    /// Adds the moves of a batch, all of them quiet.
    #[inline(always)]
    fn push_quiet(
        &mut self,
        position: &Position<R>,
        scoring: &Scoring<'_, R>,
        scores: &Scores<'_>,
        batch: Batch<R>,
    ) {
        let (checking, of_face) = (scoring.checks_of(batch), scores.of_face::<R>(batch.face));
        let (checks, history) = (checking.map(|_| false), scoring.history);
        for turn in [false, true] {
            let targets = batch.targets(turn);
            let Some(to) = targets.first() else { continue };
            let first = self.moves.len();
            let from = scores.alone_from::<R>(pack(batch.to(to, turn)));
            let alone = |to: Square<R::Geometry>| i32::from(from[to.index()]);
            let scored = |to: Square<R::Geometry>, alone: i32| {
                let (mv, piece_to) = (batch.to(to, turn), piece_to::<R>(batch.face, to));
                let score = 2 * alone + of_face.to(to.index());
                (Candidate { mv, piece_to, tactical: false, checks }, score)
            };
            let behind = |to| history.alone(batch.colour, pack(batch.to(to, turn)));
            // Each origin has a loop of its own, in which nothing depends on it.
            match batch.origin {
                Origin::Board(_) => self.push_each(targets, |to| scored(to, alone(to))),
                Origin::Hand => self.push_each(targets, |to| scored(to, alone(to))),
                Origin::Behind => self.push_each(targets, |to| scored(to, behind(to))),
            }
            for to in checking.map_or(Bitboard::EMPTY, |checking| checking.targets(turn)) {
                self.mark_check(position, scoring.values, first + targets.len_before(to) as usize);
            }
        }
    }

    /// Adds the move to each target, which `scored` returns with its score.
    #[inline(always)]
    fn push_each(
        &mut self,
        targets: Bitboard<R::Geometry>,
        scored: impl Fn(Square<R::Geometry>) -> (Candidate<R>, i32),
    ) {
        targets.iter().for_each(|to| {
            let (candidate, score) = scored(to);
            self.push(candidate, score);
        });
    }

    /// Marks a quiet move that gives check, and adds the bonus if it loses little.
    fn mark_check(&mut self, position: &Position<R>, values: &Values, at: usize) {
        let Some(candidate) = self.moves.get_mut(at) else { return };
        candidate.checks = Some(true);
        if see_ge(position, values, candidate.mv, -CHECK_LOSS) {
            self.scores[at] += CHECK;
        }
    }

    /// Adds the scores near the root to those of the quiet moves from number `first`.
    fn add_near_root(&mut self, first: usize, scoring: &Scoring<'_, R>) {
        for (candidate, score) in self.moves[first..].iter().zip(&mut self.scores[first..]) {
            *score += scoring.history.near_root(scoring.ply, pack(candidate.mv));
        }
    }

    /// Drops the quiet moves that remain and for which `keep` is false.
    pub(crate) fn retain_quiet(
        &mut self,
        position: &Position<R>,
        scoring: &Scoring<'_, R>,
        keep: impl Fn(&Candidate<R>) -> bool,
    ) {
        if matches!(self.stage, Stage::Table | Stage::Nothing) {
            self.generate_tactical(position, scoring);
        }
        if self.stage != Stage::All {
            self.generate_quiet(position, scoring);
        }
        let mut kept = self.returned;
        for at in self.returned..self.moves.len() {
            if self.moves[at].tactical || keep(&self.moves[at]) {
                self.moves.swap(kept, at);
                self.scores.swap(kept, at);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
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
    use shogi_rules::Game;
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// A quiet move's score by the definition, from the move alone.
    fn quiet_score<R: Rules>(
        position: &Position<R>,
        candidate: &Candidate<R>,
        scoring: &Scoring<'_, R>,
    ) -> i32 {
        let Quiet { packed, piece_to } = candidate.quiet();
        let history = scoring.history.scores(position.side(), scoring.rows).of(packed, piece_to);
        let near_root = scoring.history.near_root(scoring.ply, packed);
        let checks = R::royal_safety()
            && position.play_unchecked(candidate.mv).is_check()
            && see_ge(position, scoring.values, candidate.mv, -CHECK_LOSS);
        history + near_root + if checks && scoring.checks.is_some() { CHECK } else { 0 }
    }

    /// The moves that a picker has left, in its order.
    fn rest<R: Rules>(
        picker: &mut MovePicker<R>,
        position: &Position<R>,
        scoring: &Scoring<'_, R>,
    ) -> Vec<Candidate<R>> {
        std::iter::from_fn(|| picker.next(position, scoring)).collect()
    }

    fn sorted<R: Rules>(candidates: &[Candidate<R>]) -> Vec<u16> {
        let mut moves: Vec<u16> = candidates.iter().map(|candidate| pack(candidate.mv)).collect();
        moves.sort_unstable();
        moves
    }

    /// Each move comes once and as what it is: the table's first, the quiet ones by their scores, and what loses material after
    /// those that are good.
    fn check_order<R: Rules>(position: &Position<R>, scoring: &Scoring<'_, R>) -> usize {
        let all: Vec<_> = position
            .legal_moves()
            .iter()
            .filter(|&&mv| {
                pack(mv) == scoring.table_move || !scoring.outgrown.leaves_out(position, mv)
            })
            .map(|&mv| Candidate::of(position, scoring.values, mv))
            .collect();
        let found = rest(&mut MovePicker::new(MoveSet::All), position, scoring);
        assert_eq!(sorted(&found), sorted(&all));
        assert_eq!(pack(found[0].mv), scoring.table_move);
        for (at, candidate) in found.iter().enumerate() {
            let checks = position.play_unchecked(candidate.mv).is_check();
            assert!(candidate.checks.is_none_or(|known| known == checks), "{candidate:?}");
            let known = at > 0 && scoring.checks.is_some() && R::royal_safety();
            assert_eq!(candidate.checks.is_some(), known, "{candidate:?}");
        }
        let scores: Vec<(bool, i32)> = found[1..]
            .iter()
            .map(|candidate| (candidate.tactical, quiet_score(position, candidate, scoring)))
            .collect();
        let quiet: Vec<_> = scores.iter().filter(|(tactical, _)| !tactical).collect();
        assert!(quiet.is_sorted_by_key(|(_, score)| -score));
        let first = scores.iter().position(|&(tactical, _)| !tactical).unwrap_or(scores.len());
        for (at, &(tactical, _)) in scores.iter().enumerate().skip(first) {
            // A capture among the quiet moves loses material, and so no good one comes after it.
            let late = |&(tactical, score): &(bool, i32)| tactical || score <= LOSING + 2_000;
            assert!(!tactical || scores[at..].iter().all(late), "{scores:?}");
        }
        let tactical = rest(&mut MovePicker::new(MoveSet::Tactical), position, scoring);
        let expected: Vec<_> = all.into_iter().filter(|candidate| candidate.tactical).collect();
        assert_eq!(sorted(&tactical), sorted(&expected));
        tactical.len()
    }

    /// Only the quiet moves that are kept remain.
    fn check_retained<R: Rules>(position: &Position<R>, scoring: &Scoring<'_, R>, given: usize) {
        let keep = |candidate: &Candidate<R>| !pack(candidate.mv).is_multiple_of(3);
        let mut picker = MovePicker::new(MoveSet::All);
        for _ in 0..given {
            picker.next(position, scoring);
        }
        let mut plain = MovePicker::new(MoveSet::All);
        let all = rest(&mut plain, position, scoring);
        picker.retain_quiet(position, scoring, keep);
        let kept = rest(&mut picker, position, scoring);
        let expected: Vec<_> = all
            .into_iter()
            .skip(given)
            .filter(|candidate| candidate.tactical || keep(candidate))
            .collect();
        assert_eq!(sorted(&kept), sorted(&expected));
    }

    fn compare<R: Rules>(games: u64) {
        let values = Values::by_freedom::<R>();
        let mut random = Random::new(3);
        let mut tactical_moves = 0;
        for _ in 0..games {
            let (mut game, mut history) = (Game::<R>::from_start(), History::new::<R>());
            let mut earlier = [None; 5];
            while game.outcome().is_none() && game.moves().len() < 60 {
                let position = *game.position();
                let (moves, side) = (position.legal_moves(), position.side());
                let rows = history.rows(side, 1, earlier);
                // Moves that earlier searches found good or bad, some of them in this position.
                for _ in 0..8 {
                    let candidate = Candidate::of(&position, &values, random.pick(&moves));
                    let bonus = random.below(4096) as i32 - 2048;
                    history.update(side, 1, rows, candidate.quiet(), bonus);
                    history.update_capture(side, candidate.capture(&position), bonus);
                }
                let table_move = pack(random.pick(&moves));
                let squares = CheckSquares::new(&position);
                let checks = (random.below(2) == 0).then_some(&squares);
                let (values, history) = (&values, &history);
                let outgrown = Outgrown::of::<R>();
                let scoring =
                    Scoring { values, history, table_move, outgrown, rows, ply: 1, checks };
                tactical_moves += check_order(&position, &scoring);
                check_retained(&position, &scoring, 1 + random.below(3));
                let mv = random.pick(&moves);
                earlier.rotate_right(1);
                earlier[0] = Some(piece_to_of(&position, mv));
                game.play(mv).unwrap();
            }
        }
        assert!(tactical_moves > 100, "captures and promotions are among the moves");
    }

    for_every_variant!(moves_come_once_each_in_the_order_of_their_stages: compare(30; shogi: 8));
}
