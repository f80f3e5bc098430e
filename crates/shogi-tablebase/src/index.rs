//! The positions of a world, numbered.
//!
//! With the kings on their squares, the other squares are filled one after another from a stock of pieces; the
//! hands share the rest of the stock. For each square, stock and piece, a table has the number of fillings
//! before those with this piece on the square. A rank is the sum of one entry for each piece on the board: a
//! few loads and additions, all from the table of the kings' squares, which fits in the first-level cache.
//!
//! Boards that differ only in the hands have numbers that follow each other. [`IndexWalk`] goes through
//! numbers in growing order and unranks each such board once.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, NotClassic, Piece, Placement, Role, Square, Word,
    face_attacks,
};
use shogi_rules::{RepetitionResult, RepetitionRule};

use crate::board::{Board, Codes, FIRST, MAX_SQUARES};
use crate::error::IndexError;
use crate::pieces::PieceSet;
use crate::tables::{IndexRules, NEVER, PairNumbers, SamePrefix, Tables};
use crate::world::World;

/// The positions that an index numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Members {
    /// Positions in which Gote's king cannot be captured by the other king and the squares of the kings alone
    /// do not end the game. A tablebase stores these.
    Safe,
    /// All positions with both kings on the board.
    All,
}

/// A numbering of the positions with Sente to move that have the pieces of a set.
///
/// A position with Gote to move has the number of the one with the players exchanged. Of two mirror images, the
/// one with Sente's king on the left has the number, or with Gote's on the left if Sente's is on the middle
/// file; with both on the middle file each image has its own.
///
/// Some illegal positions have numbers: with two pawns on a file, or with Gote's king attacked from a distance.
/// Adjacent attacks and pieces that could never move again are left out.
///
/// ```
/// use shogi_rules::Dobutsu;
/// use shogi_tablebase::shogi_core::Position;
/// use shogi_tablebase::{Index, Members, PieceSet};
///
/// let set = PieceSet::<Dobutsu>::parse("G1L2").ok_or("no such set")?;
/// let index = Index::new(set, Members::Safe)?;
/// let position: Position<Dobutsu> = "2l/3/G2/L2 b - 1".parse()?;
/// let rank = index.rank_u64(&position).ok_or("no member")?;
/// // The position itself or its mirror image.
/// let placement = index.unrank_u64(rank).ok_or("no placement")?;
/// assert_eq!(index.rank_u64(&placement), Some(rank));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index<R: World> {
    set: PieceSet<R>,
    tables: Tables,
}

/// Checks that moves alone decide the games of a rule set, so that values can be found from the end backwards.
fn check_values<R: World>() -> Result<(), IndexError> {
    let RepetitionRule { count, result, perpetual_check } = R::repetition();
    if count > 0 && matches!(result, RepetitionResult::Win(_) | RepetitionResult::RepeaterLoses) {
        return Err(IndexError::Repetition);
    }
    // A rule set of one's own in Rust says by `World` that its repetitions are draws.
    if R::RUNTIME && count > 0 && perpetual_check && R::royal_safety() {
        return Err(IndexError::PerpetualCheck);
    }
    if R::impasse().is_some() {
        return Err(IndexError::Impasse);
    }
    // Whether a move can be taken back does not depend on other moves.
    if R::must_capture() { Err(NotClassic::MustCapture.into()) } else { Ok(()) }
}

impl<R: World> Index<R> {
    /// The index of the positions with these pieces.
    ///
    /// # Errors
    ///
    /// If tablebases are not made for such rules, the set does not have one king for each player, the board has
    /// more than 32 squares, or there are too many positions.
    pub fn new(set: PieceSet<R>, members: Members) -> Result<Self, IndexError> {
        if !R::is_mirror_symmetric() {
            return Err(IndexError::Mirror);
        }
        if members == Members::Safe {
            check_values::<R>()?;
        }
        if R::Geometry::area() > MAX_SQUARES {
            return Err(IndexError::Board { squares: R::Geometry::area() });
        }
        if !set.has_kings() {
            return Err(IndexError::Kings);
        }
        let safe = members == Members::Safe;
        let square = |index| Square::<R::Geometry>::from_index(index);
        let ground = IndexRules {
            width: R::Geometry::width().into(),
            height: R::Geometry::height().into(),
            is_left_out: &|sente, gote| match (square(sente), square(gote)) {
                (Some(sente), Some(gote)) => safe && Self::is_unsafe(sente, gote),
                _ => true,
            },
            may_stand: &|piece, at, gote| match (square(at), square(gote)) {
                (Some(at), Some(gote)) => Self::may_stand(piece, at, gote, safe),
                _ => false,
            },
        };
        let mut kinds = Vec::new();
        for kind in set.kinds() {
            kinds.push((kind, set.count(kind)));
        }
        Ok(Self { set, tables: Tables::new(&kinds, &ground)? })
    }

    /// Whether Sente's king can capture Gote's, or the squares of the two end the game.
    fn is_unsafe(sente: Square<R::Geometry>, gote: Square<R::Geometry>) -> bool {
        let king = Kind::all::<R>().find(|kind| kind.spec::<R>().role == Role::Royal);
        let near =
            king.is_some_and(|king| Self::is_near(Face::front(king), Colour::Sente, sente, gote));
        near || R::is_over_with_kings(sente, gote)
    }

    /// Whether a piece may stand on a square, whatever else is on the board.
    fn may_stand(
        Piece { face, colour }: Piece,
        square: Square<R::Geometry>,
        gote: Square<R::Geometry>,
        safe: bool,
    ) -> bool {
        if face.promoted && face.kind.spec::<R>().back.is_none() {
            return false;
        }
        let mut placement = Placement::<R>::EMPTY;
        placement.put(square, Piece { face, colour });
        let misplaced = placement.has_immobile() || placement.has_outsider();
        let near = || Self::is_near(face, colour, square, gote);
        !(misplaced || safe && colour == Colour::Sente && near())
    }

    /// Whether a piece attacks a square whatever else is on the board: on a full board a slide goes one square.
    fn is_near(
        face: Face,
        colour: Colour,
        square: Square<R::Geometry>,
        target: Square<R::Geometry>,
    ) -> bool {
        let Some(movement) = face.movement::<R>() else { return false };
        face_attacks::<R>((face, movement), colour, square, Bitboard::all()).contains(target)
    }

    /// The pieces.
    pub const fn set(&self) -> &PieceSet<R> {
        &self.set
    }

    /// Number of numbers.
    pub const fn size(&self) -> u64 {
        self.tables.size
    }

    /// Bytes that the tables of the index take.
    pub fn bytes(&self) -> u64 {
        4 * self.tables.before.len() as u64
    }

    /// Whether every safe pair of squares of the kings has a number.
    pub(crate) fn has_all_kings(&self) -> bool {
        for sente in Square::all() {
            for gote in Square::all() {
                if gote != sente && R::is_over_with_kings(sente, gote) {
                    return false;
                }
            }
        }
        true
    }

    pub(crate) const fn codes(&self) -> &Codes {
        &self.tables.codes
    }

    /// The rank of a board with Sente to move, or, `exchanged`, with Gote to move; `None` if the index does not
    /// number it.
    #[inline]
    pub(crate) fn rank_board(&self, board: &Board, exchanged: bool) -> Option<u64> {
        self.rank_at(self.place_of(board.kings, exchanged)?, board, exchanged)
    }

    /// The numbers of the positions with the kings on two squares, if they have any.
    #[inline]
    pub(crate) fn place_of(&self, kings: [u8; 2], exchanged: bool) -> Option<PairNumbers> {
        let [sente, gote] = kings.map(usize::from);
        *self.tables.places[usize::from(exchanged)].get(sente * R::Geometry::area() + gote)?
    }

    /// The rank of a board, given the numbers of its kings' squares.
    #[inline]
    pub(crate) fn rank_at(
        &self,
        place: PairNumbers,
        board: &Board,
        exchanged: bool,
    ) -> Option<u64> {
        self.rank_with(board, exchanged, usize::from(place.pair), place.is_mirrored)
    }

    /// The rank of the mirror image of a board, if that has a number of its own.
    #[inline]
    pub(crate) fn rank_twin(&self, board: &Board, exchanged: bool) -> Option<u64> {
        self.twin_at(self.place_of(board.kings, exchanged)?, board, exchanged)
    }

    /// As [`Index::rank_twin`], given the numbers of the kings' squares.
    #[inline]
    pub(crate) fn twin_at(
        &self,
        place: PairNumbers,
        board: &Board,
        exchanged: bool,
    ) -> Option<u64> {
        if !place.has_twins {
            return None;
        }
        self.rank_with(board, exchanged, usize::from(place.pair), true)
    }

    #[inline]
    fn rank_with(
        &self,
        board: &Board,
        exchanged: bool,
        pair: usize,
        mirrored: bool,
    ) -> Option<u64> {
        let (stocks, width) = (self.tables.stocks.len, self.tables.pieces.len());
        let view = &self.tables.views[usize::from(exchanged)][usize::from(mirrored)];
        let mut rest = seen::<R::Geometry>(board.occupied, exchanged, mirrored);
        let rows = pair * R::Geometry::area();
        let mut stock = self.tables.stocks.full();
        let mut sum = 0u32;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let code = board.contents[usize::from(view[square] & 31)] ^ u8::from(exchanged);
            let row = ((rows + square) * stocks + usize::from(stock)) * width;
            let before = *self.tables.before.get(row + usize::from(code))?;
            if before >= NEVER {
                return None;
            }
            sum += before;
            stock = stock.wrapping_sub(self.tables.codes.units[usize::from(code & 63)]);
        }
        let place = self.tables.stocks.place(stock, board.hands[usize::from(exchanged)])?;
        Some(self.tables.pairs[pair].start + u64::from(sum) + u64::from(place))
    }

    /// The board of a rank, with Sente to move; below [`Index::size`].
    pub(crate) fn unrank_board(&self, rank: u64) -> Board {
        let number = self.tables.pair_of(rank);
        let mut board = Board { kings: self.tables.pairs[number].kings, ..Board::EMPTY };
        let mut part = self.tables.empty_part(number);
        while let Some((code, next)) = self.next_part(number, &part, rank) {
            board.put(next.square(), code);
            part = next;
        }
        let share = self.tables.stocks.shares(part.stock)[(rank - part.start) as usize];
        board.hands = [share, part.stock - share];
        board
    }

    /// Puts the next piece of the position with this rank on the board. Returns its number and the positions of
    /// the part that have it there; `None` if no piece follows.
    #[inline(always)]
    fn next_part(&self, number: usize, part: &SamePrefix, rank: u64) -> Option<(u8, SamePrefix)> {
        if part.stock == 0 {
            return None;
        }
        let (stocks, width) = (self.tables.stocks.len, self.tables.pieces.len());
        let rest = (rank - part.start) as u32;
        let rows = number * R::Geometry::area();
        let mut end = part.end;
        for square in usize::from(part.next)..R::Geometry::area() {
            let row = ((rows + square) * stocks + usize::from(part.stock)) * width;
            let before = &self.tables.before[row..row + width];
            // On the squares of the kings this is more than any rest.
            if rest < before[1] {
                end = end.min(part.start + u64::from(before[1]));
                continue;
            }
            // The last piece with at most that many fillings before it; no remainder is below the first.
            let pieces = &before[usize::from(FIRST)..];
            let fitting = pieces.partition_point(|&before| before & !NEVER <= rest);
            let code = usize::from(FIRST) - 1 + fitting;
            let start = |&before: &u32| part.start + u64::from(before & !NEVER);
            let next = SamePrefix {
                next: square as u8 + 1,
                stock: part.stock - self.tables.codes.units[code],
                start: start(&before[code]),
                end: before.get(code + 1).map_or(end, start),
            };
            return Some((code as u8, next));
        }
        None
    }

    /// The placement of a board, with Sente to move.
    #[inline]
    pub(crate) fn placement_of(&self, board: &Board) -> Placement<R> {
        let mut placement = Placement::EMPTY;
        let king = Kind::all::<R>().find(|kind| kind.spec::<R>().role == Role::Royal);
        for colour in Colour::ALL {
            let square = Square::from_index(usize::from(board.kings[colour.index()]));
            if let (Some(square), Some(kind)) = (square, king) {
                placement.put(square, Piece { face: Face::front(kind), colour });
            }
            *placement.hand_mut(colour) = self.tables.stocks.hand(board.hands[colour.index()]);
        }
        let mut rest = board.occupied;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let piece = self.tables.pieces[usize::from(board.contents[square])];
            if let (Some(square), Some(piece)) = (Square::from_index(square), piece) {
                placement.put(square, piece);
            }
        }
        placement
    }

    /// The board of a placement; `None` if its pieces are not those of the set.
    pub(crate) fn board_of(&self, placement: &Placement<R>) -> Option<Board> {
        if PieceSet::of(placement) != self.set {
            return None;
        }
        let mut board = Board::EMPTY;
        for colour in Colour::ALL {
            board.kings[colour.index()] = placement.king(colour)?.index() as u8;
            for (place, kind) in self.set.kinds().enumerate() {
                let count = u16::from(placement.hand(colour).count(kind));
                board.hands[colour.index()] += count * self.tables.stocks.units[place];
            }
        }
        for (square, Piece { face, colour }) in placement.pieces() {
            if self.tables.codes.fronts[face.kind.index()] != 0 {
                board.put(square.index(), self.tables.codes.of(face, colour));
            }
        }
        Some(board)
    }

    /// The number of a position with either player to move; `None` if it has none.
    pub fn rank_u64(&self, placement: &Placement<R>) -> Option<u64> {
        self.rank_board(&self.board_of(placement)?, placement.side() == Colour::Gote)
    }

    /// The position with a number, Sente to move; `None` if the number is too large.
    pub fn unrank_u64(&self, rank: u64) -> Option<Placement<R>> {
        (rank < self.tables.size).then(|| self.placement_of(&self.unrank_board(rank)))
    }

    /// Whether a number belongs to the second of two mirror images that both have one. Counts that fold mirror
    /// images must skip it.
    pub fn is_second_twin(&self, rank: u64) -> bool {
        let number = self.tables.pairs.partition_point(|pair| pair.start <= rank);
        let symmetric =
            self.tables.pairs.get(number.wrapping_sub(1)).is_some_and(|pair| pair.is_symmetric);
        let twin = || self.rank_twin(&self.unrank_board(rank), false);
        symmetric && rank < self.tables.size && twin().is_some_and(|twin| twin < rank)
    }
}

/// Boards and placements of numbers in rising order. Each is made from the one before, since mostly only the
/// last pieces differ.
pub(crate) struct IndexWalk<'a, R: World> {
    index: &'a Index<R>,
    /// The pair of squares of the kings.
    pair: usize,
    /// The positions with these squares and, for each piece on the board, the positions that share it and all
    /// pieces before it.
    parts: Vec<SamePrefix>,
    /// The numbers of the positions with this board and any hands.
    ranks: std::ops::Range<u64>,
    /// The pieces in both hands together.
    stock: u16,
    board: Board,
    placement: Placement<R>,
}

impl<'a, R: World> IndexWalk<'a, R> {
    /// Before the first number.
    pub(crate) const fn new(index: &'a Index<R>) -> Self {
        let (board, placement) = (Board::EMPTY, Placement::EMPTY);
        Self { index, pair: 0, parts: Vec::new(), ranks: 0..0, stock: 0, board, placement }
    }

    /// The position with a number, Sente to move; no number may be below an earlier one.
    #[inline]
    pub(crate) fn to(&mut self, rank: u64) -> (&Board, &Placement<R>) {
        let stocks = &self.index.tables.stocks;
        if !self.ranks.contains(&rank) {
            self.unrank(rank);
        }
        let share = stocks.shares(self.stock)[(rank - self.ranks.start) as usize];
        self.board.hands = [share, self.stock - share];
        for colour in Colour::ALL {
            *self.placement.hand_mut(colour) = stocks.hand(self.board.hands[colour.index()]);
        }
        (&self.board, &self.placement)
    }

    fn unrank(&mut self, rank: u64) {
        let mut last = self.parts.pop();
        while let Some(part) = last.filter(|part| part.end <= rank) {
            if part.next > 0 {
                self.lift(part.square());
            }
            last = self.parts.pop();
        }
        let mut part = last.unwrap_or_else(|| {
            self.pair = self.index.tables.pair_of(rank);
            self.board = Board { kings: self.index.tables.pairs[self.pair].kings, ..Board::EMPTY };
            self.placement = self.index.placement_of(&self.board);
            self.index.tables.empty_part(self.pair)
        });
        while let Some((code, next)) = self.index.next_part(self.pair, &part, rank) {
            self.put(next.square(), code);
            self.parts.push(part);
            part = next;
        }
        self.stock = part.stock;
        let shares = self.index.tables.stocks.shares(part.stock).len() as u64;
        self.ranks = part.start..part.start + shares;
        self.parts.push(part);
    }

    fn put(&mut self, square: usize, code: u8) {
        self.board.put(square, code);
        let piece = self.index.tables.pieces[usize::from(code)];
        if let (Some(square), Some(piece)) = (Square::from_index(square), piece) {
            self.placement.put(square, piece);
        }
    }

    fn lift(&mut self, square: usize) {
        self.board.lift(square);
        if let Some(square) = Square::from_index(square) {
            self.placement.remove(Bitboard::of(square));
        }
    }
}

/// A set of squares with the players exchanged, in a mirror, or both.
#[inline]
fn seen<G: Geometry>(squares: u32, exchanged: bool, mirrored: bool) -> u32 {
    let mut set = Bitboard::<G>::from_word(G::Word::truncate(u128::from(squares)));
    if exchanged {
        set = set.rotate();
    }
    if mirrored {
        set = set.mirror();
    }
    set.word().widen() as u32
}
