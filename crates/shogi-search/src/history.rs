//! Knowledge from elsewhere in the search: history, killer moves and corrections of the evaluation.

use shogi_core::{Colour, Face, Geometry, Move, Position, RuleTable, Square};

use crate::correction::Corrections;
use crate::score::MAX_PLY;

/// Scores of moves by what they did elsewhere; killer moves; errors of the evaluation.
#[derive(Clone)]
pub(crate) struct History {
    /// Quiet moves by player and move (butterfly history).
    butterfly: Vec<i16>,
    /// Quiet moves by player and piece-to index.
    pieces: Vec<i16>,
    /// Quiet moves by an earlier move and their piece-to index: a row for each earlier move by a player in the
    /// same line (continuation history). The last row stands for no move and stays empty.
    continuation: Vec<i16>,
    /// Captures and promotions by player, piece-to index and captured face.
    captures: Vec<i16>,
    /// Two quiet moves for each ply that caused a beta cutoff there, packed.
    killers: Vec<[u16; 2]>,
    pub(crate) corrections: Corrections,
    /// The number of piece-to indices.
    pieces_to: usize,
    board: Board,
}

/// The bounds of the magnitude of scores.
const MAX_BUTTERFLY: i32 = 7_200;
const MAX_PIECES: i32 = 8_192;
const MAX_CONTINUATION: i32 = 30_000;
const MAX_CAPTURES: i32 = 10_700;

/// How many plies before a move the earlier ones of its [`Rows`] were made.
pub(crate) const DISTANCES: [usize; 4] = [1, 2, 4, 6];
/// Parts of 1,024 in which the scores after these earlier moves learn.
const SHARES: [i32; 4] = [1024, 640, 540, 420];
/// Numbers of the faces that are dropped or the squares that are left, at least.
const FACES: usize = Face::MAX;
/// Numbers of captured faces, and one for none.
const CAPTURED: usize = Face::MAX + 1;

/// The rows of [`History`] for the moves that were made [`DISTANCES`] plies before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows([usize; 4]);

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
        let packed = packed as usize;
        let (to, origin, way) = (packed & 127, packed >> 7 & 127, packed >> 14);
        (way * self.origins + origin) * self.area + to
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
        Self {
            butterfly: vec![0; 2 * board.moves()],
            pieces: vec![0; 2 * pieces_to],
            continuation: vec![0; (4 * pieces_to + 1) * pieces_to],
            captures: vec![0; 2 * pieces_to * CAPTURED],
            killers: vec![[0; 2]; MAX_PLY + 2],
            corrections: Corrections::new(),
            pieces_to,
            board,
        }
    }

    /// The bytes of the scores, nearly all of the memory.
    pub(crate) const fn bytes<R: RuleTable>() -> usize {
        let pieces_to = Face::MAX * R::Geometry::AREA;
        let alone = 2 * Board::of::<R>().moves() + 2 * pieces_to * (1 + CAPTURED);
        (alone + (4 * pieces_to + 1) * pieces_to) * size_of::<i16>()
    }

    /// Halves the scores of moves by themselves before the next search and clears the killer moves. What is known of moves
    /// after others, or of captures, is as true as before.
    pub(crate) fn age(&mut self) {
        self.killers.fill([0; 2]);
        self.butterfly.iter_mut().for_each(|value| *value /= 2);
        self.pieces.iter_mut().for_each(|value| *value /= 2);
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([0; 2]);
        self.butterfly.fill(0);
        self.pieces.fill(0);
        self.continuation.fill(0);
        self.captures.fill(0);
        self.corrections.clear();
    }

    /// The rows for a player's moves after those with these piece-to indices; none before the first move, or where a player
    /// passed.
    #[inline]
    pub(crate) fn rows(&self, side: Colour, earlier: [Option<u16>; 4]) -> Rows {
        let mut rows = [4 * self.pieces_to * self.pieces_to; 4];
        for (number, row) in rows.iter_mut().enumerate() {
            if let Some(piece_to) = earlier[number] {
                // Moves at even distances are the player's own.
                let own = usize::from(DISTANCES[number].is_multiple_of(2));
                let block = (2 * own + side.index()) * self.pieces_to;
                *row = (block + usize::from(piece_to)) * self.pieces_to;
            }
        }
        Rows(rows)
    }

    /// The scores of a player's quiet moves.
    #[inline]
    pub(crate) fn scores(&self, side: Colour, Rows(rows): Rows) -> Scores<'_> {
        let own = side.index() * self.pieces_to;
        let moves = self.board.moves();
        Scores {
            board: self.board,
            butterfly: &self.butterfly[side.index() * moves..][..moves],
            pieces: &self.pieces[own..own + self.pieces_to],
            rows: rows.map(|row| &self.continuation[row..row + self.pieces_to]),
        }
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

    /// Rewards a quiet move (`bonus` above zero) or punishes it.
    pub(crate) fn update(&mut self, side: Colour, rows: Rows, mv: Quiet, bonus: i32) {
        self.update_alone(side, mv, bonus);
        self.update_continuation(rows, mv.piece_to, bonus);
    }

    /// Rewards or punishes a quiet move, whatever went before.
    pub(crate) fn update_alone(&mut self, side: Colour, mv: Quiet, bonus: i32) {
        let own = side.index() * self.pieces_to + usize::from(mv.piece_to);
        approach(&mut self.pieces[own], bonus, MAX_PIECES);
        let own = side.index() * self.board.moves() + self.board.number(mv.packed);
        approach(&mut self.butterfly[own], bonus, MAX_BUTTERFLY);
    }

    /// Rewards or punishes a quiet move after the moves before it.
    pub(crate) fn update_continuation(&mut self, Rows(rows): Rows, piece_to: u16, bonus: i32) {
        for (row, share) in rows.into_iter().zip(SHARES) {
            if row < 4 * self.pieces_to * self.pieces_to {
                let score = &mut self.continuation[row + usize::from(piece_to)];
                approach(score, bonus * share / 1024, MAX_CONTINUATION);
            }
        }
    }

    /// The killer moves of a ply, the newest first.
    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// Notes a quiet move that caused a beta cutoff, `ply` plies from the root.
    pub(crate) fn set_killer(&mut self, ply: usize, packed: u16) {
        let killers = &mut self.killers[ply];
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
    }
}

/// The scores of a player's quiet moves in a position.
pub(crate) struct Scores<'h> {
    board: Board,
    butterfly: &'h [i16],
    pieces: &'h [i16],
    rows: [&'h [i16]; 4],
}

impl Scores<'_> {
    /// The score that orders quiet moves: positive if the move was good elsewhere.
    #[inline]
    pub(crate) fn of(&self, packed: u16, piece_to: u16) -> i32 {
        let at = usize::from(piece_to);
        let mut sum = 2 * self.alone(packed) + i32::from(self.pieces[at]);
        for row in self.rows {
            sum += i32::from(row[at]);
        }
        sum
    }

    /// The score of a move by itself.
    #[inline]
    pub(crate) fn alone(&self, packed: u16) -> i32 {
        i32::from(self.butterfly[self.board.number(packed)])
    }

    /// The score of a move after the last two moves.
    #[inline]
    pub(crate) fn after_last(&self, piece_to: u16) -> i32 {
        let at = usize::from(piece_to);
        i32::from(self.rows[0][at]) + i32::from(self.rows[1][at])
    }

    /// The score of a piece's move to a square.
    #[inline]
    pub(crate) fn piece(&self, piece_to: u16) -> i32 {
        i32::from(self.pieces[usize::from(piece_to)])
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
        let rows = history.rows(Colour::Sente, [Some(3), Some(5), None, Some(7)]);
        let (mv, capture) =
            (Quiet { packed: 9, piece_to: 11 }, Capture { piece_to: 11, taken: None });
        for bonus in [100_000, -100_000, 2_000, -2_000] {
            for _ in 0..200 {
                history.update(Colour::Sente, rows, mv, bonus);
                history.update_capture(Colour::Sente, capture, bonus);
                let most = 2 * MAX_BUTTERFLY + MAX_PIECES + 3 * MAX_CONTINUATION;
                assert!(history.scores(Colour::Sente, rows).of(9, 11).abs() <= most);
                assert!(history.capture(Colour::Sente, capture).abs() <= MAX_CAPTURES);
            }
            let score = history.scores(Colour::Sente, rows).of(9, 11);
            assert_eq!(score.signum(), bonus.signum());
            assert_eq!(history.capture(Colour::Sente, capture).signum(), bonus.signum());
        }
    }

    #[test]
    fn a_move_learns_after_the_moves_that_were_made_and_nowhere_else() {
        let mut history = History::new::<Dobutsu>();
        let rows = history.rows(Colour::Gote, [Some(3), None, Some(5), None]);
        history.update_continuation(rows, 11, 1_000);
        let of = |history: &History, side, earlier| {
            let rows = history.rows(side, earlier);
            history.scores(side, rows).of(0, 11)
        };
        assert!(of(&history, Colour::Gote, [Some(3), None, None, None]) > 900);
        // The player's own moves share their rows, however long ago they were made.
        assert!(of(&history, Colour::Gote, [None, Some(5), None, None]) > 400);
        assert_eq!(of(&history, Colour::Gote, [None; 4]), 0);
        assert_eq!(of(&history, Colour::Gote, [Some(5), Some(3), None, None]), 0);
        assert_eq!(of(&history, Colour::Sente, [Some(3), Some(5), None, None]), 0);
    }
}
