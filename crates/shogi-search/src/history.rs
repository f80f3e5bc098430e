//! Knowledge from elsewhere in the search: history and corrections of the evaluation.

use shogi_core::{Colour, Face, Geometry, Move, Position, RuleTable, Square};

use crate::correction::Corrections;
use crate::keys::slot;

/// Scores of moves by what they did elsewhere; errors of the evaluation.
#[derive(Clone)]
pub(crate) struct History {
    /// Quiet moves by player and move (butterfly history).
    butterfly: Vec<i16>,
    /// Quiet moves by the structure of pawns, player and piece-to index (pawn history).
    pawns: Vec<i16>,
    /// Quiet moves by an earlier move and their piece-to index: a row for each earlier move by a player in the
    /// same line (continuation history). The last row stands for no move and stays empty.
    continuation: Vec<i16>,
    /// Captures and promotions by player, piece-to index and captured face.
    captures: Vec<i16>,
    /// Quiet moves by ply, near the root of the present search, and move.
    low_ply: Vec<i16>,
    pub(crate) corrections: Corrections,
    /// The number of piece-to indices.
    pieces_to: usize,
    board: Board,
}

/// The bounds of the magnitude of scores.
const MAX_BUTTERFLY: i32 = 7_200;
const MAX_PAWNS: i32 = 8_192;
const MAX_CONTINUATION: i32 = 30_000;
const MAX_CAPTURES: i32 = 10_700;

/// Scores of moves of which nothing is known: less than those of moves that are as often good as not.
const UNKNOWN_PAWNS: i16 = -1_238;
const UNKNOWN_CONTINUATION: i16 = -523;
const UNKNOWN_CAPTURES: i16 = -678;
const UNKNOWN_LOW_PLY: i16 = 98;

/// How many plies before a move the earlier ones of its [`Rows`] were made.
pub(crate) const DISTANCES: [usize; 5] = [1, 2, 3, 4, 6];
/// Parts of 1,024 in which the scores after these earlier moves learn.
const SHARES: [i32; 5] = [1157, 648, 288, 576, 441];
/// Plies from the root whose moves have a history of their own.
pub(crate) const LOW_PLIES: usize = 5;
/// Slots for structures of pawns, as a power of two. Without pawns all positions share one.
const PAWN_BITS: u32 = 9;
const PAWN_SLOTS: usize = 1 << PAWN_BITS;
/// Numbers of the faces that are dropped or the squares that are left, at least.
const FACES: usize = Face::MAX;
/// Numbers of captured faces, and one for none.
const CAPTURED: usize = Face::MAX + 1;

/// The rows of [`History`] for the moves of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) continuation: ContinuationRows,
    pawns: usize,
}

/// The rows of continuation history for the moves that were made [`DISTANCES`] plies before.
pub(crate) type ContinuationRows = [usize; 5];

/// The sizes of butterfly history.
#[derive(Clone, Copy, Debug)]
struct Board {
    /// Squares of the board.
    area: usize,
    /// Squares or faces that a move may begin with.
    origins: usize,
}

impl Board {
    const fn of<R: RuleTable>() -> Self {
        let area = R::Geometry::AREA;
        Self { area, origins: if area > FACES { area } else { FACES } }
    }

    /// The number of moves: that keep the face, that turn the piece, and drops.
    const fn moves(self) -> usize {
        3 * self.origins * self.area
    }

    /// The number of a packed move.
    #[inline]
    const fn number(self, packed: u16) -> usize {
        self.first(packed) + (packed & 127) as usize
    }

    /// The number of the packed move that is like this one but for its target, the first square.
    #[inline]
    const fn first(self, packed: u16) -> usize {
        let (origin, way) = (packed as usize >> 7 & 127, packed as usize >> 14);
        (way * self.origins + origin) * self.area
    }
}

/// A quiet move as [`History`] knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Quiet {
    pub(crate) packed: u16,
    pub(crate) piece_to: u16,
}

/// A capture or promotion as [`History`] knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capture {
    pub(crate) piece_to: u16,
    pub(crate) taken: Option<Face>,
}

/// The index of a moving piece's face with its target square.
#[inline]
pub(crate) fn piece_to<R: RuleTable>(face: Face, to: Square<R::Geometry>) -> u16 {
    (face.index() * R::Geometry::AREA + to.index()) as u16
}

/// [`piece_to`] of a move in a position.
pub(crate) fn piece_to_of<R: RuleTable>(position: &Position<R>, mv: Move<R>) -> u16 {
    let face = match mv {
        Move::Drop { face, .. } => Some(face),
        Move::Board { from, .. } => position.piece(from).map(|piece| piece.face),
    };
    // Every legal move moves a piece.
    face.map_or(0, |face| piece_to::<R>(face, mv.to()))
}

impl History {
    pub(crate) fn new<R: RuleTable>() -> Self {
        let pieces_to = Face::MAX * R::Geometry::AREA;
        let board = Board::of::<R>();
        let mut history = Self {
            butterfly: vec![0; 2 * board.moves()],
            pawns: vec![0; PAWN_SLOTS * 2 * pieces_to],
            continuation: vec![0; (4 * pieces_to + 1) * pieces_to],
            captures: vec![0; 2 * pieces_to * CAPTURED],
            low_ply: vec![0; LOW_PLIES * board.moves()],
            corrections: Corrections::new(),
            pieces_to,
            board,
        };
        history.clear();
        history
    }

    /// The bytes of the scores, nearly all of the memory.
    pub(crate) const fn bytes<R: RuleTable>() -> usize {
        let pieces_to = Face::MAX * R::Geometry::AREA;
        let alone =
            (2 + LOW_PLIES) * Board::of::<R>().moves() + 2 * pieces_to * (PAWN_SLOTS + CAPTURED);
        (alone + (4 * pieces_to + 1) * pieces_to) * size_of::<i16>()
    }

    /// Forgets the moves near the root before the next search. What is known of all others is as true as before.
    pub(crate) fn age(&mut self) {
        self.low_ply.fill(UNKNOWN_LOW_PLY);
    }

    pub(crate) fn clear(&mut self) {
        self.low_ply.fill(UNKNOWN_LOW_PLY);
        self.butterfly.fill(0);
        self.pawns.fill(UNKNOWN_PAWNS);
        let none = self.no_row();
        self.continuation[..none].fill(UNKNOWN_CONTINUATION);
        self.captures.fill(UNKNOWN_CAPTURES);
        self.corrections.clear();
    }

    /// The rows for a player's moves with pawns of this key, after moves with these piece-to indices.
    #[inline]
    pub(crate) fn rows(&self, side: Colour, pawn_key: u64, earlier: [Option<u16>; 5]) -> Rows {
        let pawns = self.pawn_row(side, pawn_key);
        Rows { continuation: self.continuation_rows(side, earlier), pawns }
    }

    /// The rows of continuation history for a player's moves after those with these piece-to indices; none before the first
    /// move, or where a player passed.
    #[inline]
    pub(crate) fn continuation_rows(
        &self,
        side: Colour,
        earlier: [Option<u16>; 5],
    ) -> ContinuationRows {
        let mut rows = [self.no_row(); 5];
        for (number, row) in rows.iter_mut().enumerate() {
            if let Some(piece_to) = earlier[number] {
                // Moves at even distances are the player's own.
                let own = usize::from(DISTANCES[number].is_multiple_of(2));
                let block = (2 * own + side.index()) * self.pieces_to;
                *row = (block + usize::from(piece_to)) * self.pieces_to;
            }
        }
        rows
    }

    /// The row of pawn history for a player's moves with pawns of this key.
    #[inline]
    const fn pawn_row(&self, side: Colour, pawn_key: u64) -> usize {
        (2 * slot(pawn_key, PAWN_BITS) + side.index()) * self.pieces_to
    }

    /// Rows for moves that are not ordered by them.
    #[inline]
    pub(crate) const fn no_rows(&self) -> Rows {
        Rows { continuation: [self.no_row(); 5], pawns: 0 }
    }

    /// The row of continuation history for no move.
    #[inline]
    const fn no_row(&self) -> usize {
        4 * self.pieces_to * self.pieces_to
    }

    /// The scores of a player's quiet moves.
    #[inline]
    pub(crate) fn scores(&self, side: Colour, rows: Rows) -> Scores<'_> {
        let moves = self.board.moves();
        Scores {
            board: self.board,
            butterfly: &self.butterfly[side.index() * moves..][..moves],
            pawns: &self.pawns[rows.pawns..rows.pawns + self.pieces_to],
            rows: rows.continuation.map(|row| &self.continuation[row..row + self.pieces_to]),
        }
    }

    /// The score of a player's quiet move by itself.
    #[inline]
    pub(crate) fn alone(&self, side: Colour, packed: u16) -> i32 {
        let own = side.index() * self.board.moves();
        i32::from(self.butterfly[own + self.board.number(packed)])
    }

    /// The score of a quiet move with these pawns.
    #[inline]
    pub(crate) fn with_pawns(&self, rows: Rows, piece_to: u16) -> i32 {
        i32::from(self.pawns[rows.pawns + usize::from(piece_to)])
    }

    /// The score of a quiet move after the last two moves.
    #[inline]
    pub(crate) fn after_last(&self, rows: Rows, piece_to: u16) -> i32 {
        let [last, before, ..] = rows.continuation;
        let after = |row: usize| i32::from(self.continuation[row + usize::from(piece_to)]);
        after(last) + after(before)
    }

    /// The score of a capture or promotion, from -10,700 to 10,700.
    #[inline]
    pub(crate) fn capture(&self, side: Colour, mv: Capture) -> i32 {
        i32::from(self.captures[self.captured(side, mv)])
    }

    #[inline]
    fn captured(&self, side: Colour, Capture { piece_to, taken }: Capture) -> usize {
        let taken = taken.map_or(Face::MAX, Face::index);
        (side.index() * self.pieces_to + usize::from(piece_to)) * CAPTURED + taken
    }

    /// Rewards a capture or promotion (`bonus` above zero) or punishes it.
    pub(crate) fn update_capture(&mut self, side: Colour, mv: Capture, bonus: i32) {
        let at = self.captured(side, mv);
        approach(&mut self.captures[at], bonus, MAX_CAPTURES);
    }

    /// Rewards a quiet move (`bonus` above zero), `ply` plies from the root, or punishes it.
    pub(crate) fn update(&mut self, side: Colour, ply: usize, rows: Rows, mv: Quiet, bonus: i32) {
        self.update_alone(side, mv, bonus);
        let share = if bonus > 0 { 850 } else { 550 };
        self.update_pawn_row(rows.pawns, mv, bonus * share / 1024);
        self.update_continuation(rows.continuation, mv.piece_to, bonus * 955 / 1024);
        if ply < LOW_PLIES {
            let at = ply * self.board.moves() + self.board.number(mv.packed);
            approach(&mut self.low_ply[at], bonus * 761 / 1024, MAX_BUTTERFLY);
        }
    }

    /// Rewards or punishes a quiet move by itself.
    pub(crate) fn update_alone(&mut self, side: Colour, mv: Quiet, bonus: i32) {
        let own = side.index() * self.board.moves() + self.board.number(mv.packed);
        approach(&mut self.butterfly[own], bonus, MAX_BUTTERFLY);
    }

    /// Rewards or punishes a quiet move with pawns of this key.
    pub(crate) fn update_with_pawns(&mut self, side: Colour, pawn_key: u64, mv: Quiet, bonus: i32) {
        self.update_pawn_row(self.pawn_row(side, pawn_key), mv, bonus);
    }

    fn update_pawn_row(&mut self, row: usize, mv: Quiet, bonus: i32) {
        approach(&mut self.pawns[row + usize::from(mv.piece_to)], bonus, MAX_PAWNS);
    }

    /// Rewards or punishes a quiet move after the moves before it.
    pub(crate) fn update_continuation(
        &mut self,
        rows: ContinuationRows,
        piece_to: u16,
        bonus: i32,
    ) {
        let none = self.no_row();
        for (number, (row, share)) in rows.into_iter().zip(SHARES).enumerate() {
            if row < none {
                let score = &mut self.continuation[row + usize::from(piece_to)];
                // Replies are searched because they are good: they drift upwards.
                let drift = if number == 0 { 88 } else { 0 };
                approach(score, bonus * share / 1024 + drift, MAX_CONTINUATION);
            }
        }
    }

    /// The score that is added to a quiet move's at one of the first [`LOW_PLIES`] plies.
    #[inline]
    pub(crate) fn near_root(&self, ply: usize, packed: u16) -> i32 {
        let at = ply * self.board.moves() + self.board.number(packed);
        8 * i32::from(self.low_ply[at]) / (1 + ply as i32)
    }
}

/// The scores of a player's quiet moves in a position.
pub(crate) struct Scores<'h> {
    board: Board,
    butterfly: &'h [i16],
    pawns: &'h [i16],
    rows: [&'h [i16]; 5],
}

/// The scores of the quiet moves of a face, by the squares to which they lead. All have the length of the board, which
/// the compiler knows: it then checks a square once for all of them.
#[derive(Clone, Copy)]
pub(crate) struct FaceScores<'h> {
    pawns: &'h [i16],
    rows: [&'h [i16]; 5],
}

impl FaceScores<'_> {
    /// The score that orders quiet moves, positive if they were good elsewhere, without twice the move's own.
    #[inline(always)]
    pub(crate) fn to(&self, square: usize) -> i32 {
        let mut sum = 2 * i32::from(self.pawns[square]);
        for row in self.rows {
            sum += i32::from(row[square]);
        }
        sum
    }
}

impl<'h> Scores<'h> {
    /// The score that orders quiet moves, by its definition.
    #[cfg(test)]
    pub(crate) fn of(&self, packed: u16, piece_to: u16) -> i32 {
        let rows = self.rows.map(|row| i32::from(row[usize::from(piece_to)]));
        let pawns = i32::from(self.pawns[usize::from(piece_to)]);
        let alone = i32::from(self.butterfly[self.board.number(packed)]);
        2 * alone + 2 * pawns + rows.iter().sum::<i32>()
    }

    /// The scores of the moves of a face.
    #[inline(always)]
    pub(crate) fn of_face<R: RuleTable>(&self, face: Face) -> FaceScores<'h> {
        let first = face.index() * R::Geometry::AREA;
        let of_face = |scores: &'h [i16]| &scores[first..][..R::Geometry::AREA];
        FaceScores { pawns: of_face(self.pawns), rows: self.rows.map(of_face) }
    }

    /// The scores by themselves of the moves that differ from a packed one only in their targets, by these.
    #[inline(always)]
    pub(crate) fn alone_from<R: RuleTable>(&self, packed: u16) -> &'h [i16] {
        &self.butterfly[self.board.first(packed)..][..R::Geometry::AREA]
    }
}

/// Moves a score towards a bound, by less the nearer it is (gravity).
fn approach(value: &mut i16, bonus: i32, most: i32) {
    let bonus = bonus.clamp(-most, most);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / most) as i16;
}

#[cfg(test)]
mod tests {
    use shogi_rules::Dobutsu;

    use super::*;

    #[test]
    fn scores_stay_within_their_bounds() {
        let mut history = History::new::<Dobutsu>();
        let rows = history.rows(Colour::Sente, 1, [Some(3), Some(5), None, Some(7), None]);
        let (mv, capture) =
            (Quiet { packed: 9, piece_to: 11 }, Capture { piece_to: 11, taken: None });
        for bonus in [100_000, -100_000, 2_000, -2_000] {
            for _ in 0..200 {
                history.update(Colour::Sente, 2, rows, mv, bonus);
                history.update_capture(Colour::Sente, capture, bonus);
                let most = 2 * MAX_BUTTERFLY + 2 * MAX_PAWNS + 3 * MAX_CONTINUATION;
                assert!(history.scores(Colour::Sente, rows).of(9, 11).abs() <= most);
                assert!(history.capture(Colour::Sente, capture).abs() <= MAX_CAPTURES);
                assert!(history.near_root(2, 9).abs() <= 8 * MAX_BUTTERFLY / 3);
            }
            let score = history.scores(Colour::Sente, rows).of(9, 11);
            assert_eq!(score.signum(), bonus.signum());
            assert_eq!(history.capture(Colour::Sente, capture).signum(), bonus.signum());
        }
    }

    #[test]
    fn a_move_learns_after_the_moves_that_were_made_and_nowhere_else() {
        let mut history = History::new::<Dobutsu>();
        let rows = history.continuation_rows(Colour::Gote, [Some(3), None, None, Some(5), None]);
        history.update_continuation(rows, 11, 1_000);
        let fresh = History::new::<Dobutsu>();
        // What the score of a move after others has gained.
        let gained = |side, earlier| {
            let of =
                |history: &History| history.scores(side, history.rows(side, 1, earlier)).of(0, 11);
            of(&history) - of(&fresh)
        };
        assert!(gained(Colour::Gote, [Some(3), None, None, None, None]) > 900);
        // The player's own moves share their rows, however long ago they were made.
        assert!(gained(Colour::Gote, [None, Some(5), None, None, None]) > 400);
        assert_eq!(gained(Colour::Gote, [None; 5]), 0);
        assert_eq!(gained(Colour::Gote, [Some(5), Some(3), None, None, None]), 0);
        assert_eq!(gained(Colour::Sente, [Some(3), Some(5), None, None, None]), 0);
    }

    #[test]
    fn a_move_learns_with_the_pawns_that_stand() {
        let mut history = History::new::<Dobutsu>();
        let mv = Quiet { packed: 9, piece_to: 11 };
        history.update_with_pawns(Colour::Gote, 7, mv, 2_000);
        let score = |side, key| history.with_pawns(history.rows(side, key, [None; 5]), 11);
        assert!(score(Colour::Gote, 7) > 0);
        let unknown = i32::from(UNKNOWN_PAWNS);
        assert_eq!([score(Colour::Gote, 8), score(Colour::Sente, 7)], [unknown; 2]);
    }

    #[test]
    fn moves_near_the_root_are_remembered_for_one_search() {
        let mut history = History::new::<Dobutsu>();
        let rows = history.rows(Colour::Sente, 1, [None; 5]);
        let unknown = history.near_root(1, 9);
        history.update(Colour::Sente, 1, rows, Quiet { packed: 9, piece_to: 11 }, 1_000);
        assert!(history.near_root(1, 9) > unknown + 1_000);
        assert_eq!(history.near_root(2, 9), 8 * i32::from(UNKNOWN_LOW_PLY) / 3);
        history.age();
        assert_eq!(history.near_root(1, 9), unknown);
        assert!(history.alone(Colour::Sente, 9) > 0);
    }
}
