//! The positions of a world, numbered.
//!
//! With the kings on their squares, the other squares are filled one after another from a stock of
//! pieces; what is left of the stock is divided between the hands. A table says, for each square,
//! stock and piece, how many fillings come before those with this piece on the square. A rank is
//! the sum of one entry for each piece on the board, so that it takes a few loads and additions,
//! all from the one table of the kings' squares, which fits in the first cache.
//!
//! Boards that differ only in the hands have numbers that follow each other. [`Walk`] goes through
//! numbers in growing order and unranks each such board once.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Movement, Piece, Placement, Role, Square, Word,
    attacks, camp,
};

use crate::board::{Board, Codes, EMPTY, FIRST, MAX_AREA};
use crate::error::IndexError;
use crate::pieces::PieceSet;
use crate::stocks::Stocks;
use crate::world::World;

/// Marks the entry of a piece that cannot stand on a square. It is that of the piece after it
/// otherwise, so that entries grow from one piece to the next.
const NEVER: u32 = 1 << 31;

/// Which positions an index has room for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Members {
    /// Those in which Gote's king cannot be captured and the game is not over by the places of the
    /// kings alone: what a tablebase stores.
    Safe,
    /// All with both kings on the board.
    All,
}

/// A numbering of the positions with Sente to move that have the pieces of a set.
///
/// A position with Gote to move stands for the one with the players exchanged. Of two mirror images
/// one has a number, that with Sente's king on the left, or Gote's where Sente's is on the middle
/// file; only with both on the middle file each image has its own.
///
/// There is room for some positions that are illegal: with two pawns on a file, or with Gote's king
/// attacked from a distance. Attacks from near by and pieces that could never move again are left
/// out.
#[derive(Clone, Debug)]
pub struct Index<R: World> {
    set: PieceSet<R>,
    stocks: Stocks,
    codes: Codes,
    /// By number, the pieces.
    pieces: Vec<Option<Piece>>,
    pairs: Vec<Pair<R::Geometry>>,
    /// By exchange and squares of the kings, where their positions have numbers.
    places: [Vec<Option<Place>>; 2],
    /// By pair, square, stock and number of the piece: the fillings that come before; for number 1
    /// those with the square empty.
    before: Vec<u32>,
    /// By exchange and mirroring, the square that is read as the square of this number.
    views: [[[u8; MAX_AREA]; 2]; 2],
    size: u64,
}

/// Where the positions with the kings on two squares have their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The number of the pair of squares.
    pair: u16,
    /// Whether the numbers are those of the mirror images.
    pub(crate) is_mirrored: bool,
    /// Whether the mirror images have numbers too.
    pub(crate) has_twins: bool,
}

/// Squares of the kings, with the positions that have them there.
#[derive(Clone, Copy, Debug)]
struct Pair<G: Geometry> {
    sente: Square<G>,
    gote: Square<G>,
    start: u64,
}

impl<G: Geometry> Pair<G> {
    fn kings(&self) -> [u8; 2] {
        [self.sente, self.gote].map(|square| square.index() as u8)
    }

    /// Whether the mirror images of its positions have numbers too.
    fn is_symmetric(&self) -> bool {
        is_middle(self.sente) && is_middle(self.gote)
    }
}

/// Positions that are alike on some squares.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The first square on which they differ.
    next: u8,
    /// What is left for it, the squares that follow and the hands.
    stock: u16,
    /// Their first number, and the one after the last.
    start: u64,
    end: u64,
}

impl Part {
    /// The last square on which they are alike.
    fn square(&self) -> usize {
        usize::from(self.next) - 1
    }
}

fn is_middle<G: Geometry>(square: Square<G>) -> bool {
    square == square.mirror()
}

fn rotate<G: Geometry>(square: Square<G>) -> usize {
    G::AREA - 1 - square.index()
}

impl<R: World> Index<R> {
    /// The index of the positions with these pieces.
    ///
    /// # Errors
    ///
    /// If the set has not one king for each player, the board has more than 32 squares or there
    /// are too many positions.
    pub fn new(set: PieceSet<R>, members: Members) -> Result<Self, IndexError> {
        if R::Geometry::AREA > MAX_AREA {
            return Err(IndexError::Board { squares: R::Geometry::AREA });
        }
        if !set.has_kings() {
            return Err(IndexError::Kings);
        }
        let stocks = Stocks::new(&set).ok_or(IndexError::TooMany)?;
        let mut codes = Codes { fronts: [0; shogi_core::MAX_KINDS], units: [0; 64] };
        let mut pieces = vec![None; usize::from(FIRST)];
        for (kind, &unit) in set.kinds().zip(&stocks.units) {
            codes.fronts[kind.index()] = pieces.len() as u8;
            for face in [Face::front(kind), Face::back(kind)] {
                for colour in Colour::ALL {
                    codes.units[pieces.len()] = unit;
                    pieces.push(Some(Piece { face, colour }));
                }
            }
        }
        let views = [false, true].map(|exchanged| {
            [false, true].map(|mirrored| {
                let mut view = [0; MAX_AREA];
                for square in Square::<R::Geometry>::all() {
                    let seen = if mirrored { square.mirror() } else { square };
                    view[square.index()] =
                        if exchanged { rotate(seen) } else { seen.index() } as u8;
                }
                view
            })
        });
        let squares = R::Geometry::AREA * R::Geometry::AREA;
        let mut index = Self {
            set,
            stocks,
            codes,
            pieces,
            pairs: Vec::new(),
            places: [vec![None; squares], vec![None; squares]],
            before: Vec::new(),
            views,
            size: 0,
        };
        for sente in Square::all() {
            for gote in Square::all().filter(|&gote| gote != sente) {
                index.add_pair(sente, gote, members)?;
            }
        }
        Ok(index)
    }

    /// Takes positions with the kings on these squares in, unless they are mirror images of others.
    fn add_pair(
        &mut self,
        sente: Square<R::Geometry>,
        gote: Square<R::Geometry>,
        members: Members,
    ) -> Result<(), IndexError> {
        let left = |square: Square<R::Geometry>| square.column() <= square.mirror().column();
        if !(left(sente) && (left(gote) || !is_middle(sente))) {
            return Ok(());
        }
        let safe = members == Members::Safe;
        let king = Movement::KING;
        let adjacent = attacks(king, Colour::Sente, sente, Bitboard::EMPTY).contains(gote);
        if safe && (adjacent || R::is_over_with_kings(sente, gote)) {
            return Ok(());
        }
        let pair = Pair { sente, gote, start: self.size };
        for is_mirrored in [true, false] {
            let number = self.pairs.len() as u16;
            let place = Place { pair: number, is_mirrored, has_twins: pair.is_symmetric() };
            let squares = [sente, gote];
            let images = if is_mirrored { squares.map(Square::mirror) } else { squares };
            let [s, g] = images.map(|square| square.index());
            self.places[0][s * R::Geometry::AREA + g] = Some(place);
            let [s, g] = images.map(rotate);
            self.places[1][g * R::Geometry::AREA + s] = Some(place);
        }
        self.pairs.push(pair);
        let ways = self.fill(sente, gote, safe).ok_or(IndexError::TooMany)?;
        self.size += u64::from(ways);
        Ok(())
    }

    /// Makes the table for the kings on these squares and returns the number of fillings.
    fn fill(
        &mut self,
        sente: Square<R::Geometry>,
        gote: Square<R::Geometry>,
        safe: bool,
    ) -> Option<u32> {
        let (stocks, width) = (self.stocks.len, self.pieces.len());
        let start = self.before.len();
        self.before.resize(start + R::Geometry::AREA * stocks * width, NEVER);
        let mut ways: Vec<u32> =
            (0..stocks).map(|stock| self.stocks.shares(stock as u16).len() as u32).collect();
        for square in Square::<R::Geometry>::all().rev() {
            if square == sente || square == gote {
                continue;
            }
            let mut next = ways.clone();
            for stock in 0..stocks {
                let row = start + (square.index() * stocks + stock) * width;
                let mut sum = ways[stock];
                self.before[row + usize::from(EMPTY)] = 0;
                self.before[row + 1] = sum;
                for code in usize::from(FIRST)..width {
                    let Some(piece) = self.pieces[code] else { continue };
                    let kind = (code - usize::from(FIRST)) / 4;
                    let left = self.stocks.count(stock as u16, kind);
                    if left == 0 || !Self::may_stand(piece, square, gote, safe) {
                        self.before[row + code] = NEVER | sum;
                        continue;
                    }
                    self.before[row + code] = sum;
                    let unit = usize::from(self.stocks.units[kind]);
                    sum += ways[stock - unit];
                    if sum >= NEVER {
                        return None;
                    }
                }
                next[stock] = sum;
            }
            ways = next;
        }
        ways.last().copied()
    }

    /// Whether a piece may stand on a square, whatever else is on the board.
    fn may_stand(
        Piece { face, colour }: Piece,
        square: Square<R::Geometry>,
        gote: Square<R::Geometry>,
        safe: bool,
    ) -> bool {
        let Some(movement) = face.movement::<R>() else { return false };
        let dead = movement.dead_ranks();
        let immobile = !R::ALLOWS_IMMOBILE && dead > 0 && camp(colour, dead).contains(square);
        // On a full board a slide goes one square.
        let near = || attacks(movement, colour, square, Bitboard::ALL).contains(gote);
        !(immobile || safe && colour == Colour::Sente && near())
    }

    /// The pieces.
    pub const fn set(&self) -> &PieceSet<R> {
        &self.set
    }

    /// How many numbers there are.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that the tables of the index take.
    pub fn bytes(&self) -> u64 {
        4 * self.before.len() as u64
    }

    /// Whether every safe pair of squares of the kings has a number.
    pub(crate) fn has_all_kings(&self) -> bool {
        Square::<R::Geometry>::all().all(|sente| {
            Square::all().all(|gote| gote == sente || !R::is_over_with_kings(sente, gote))
        })
    }

    pub(crate) const fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The rank of a board with Sente to move, or, `exchanged`, with Gote to move; `None` if the
    /// index has no room for it.
    #[inline]
    pub(crate) fn rank_board(&self, board: &Board, exchanged: bool) -> Option<u64> {
        self.rank_at(self.place_of(board.kings, exchanged)?, board, exchanged)
    }

    /// Where the positions with the kings on two squares have their numbers, if they have any.
    #[inline]
    pub(crate) fn place_of(&self, kings: [u8; 2], exchanged: bool) -> Option<Place> {
        let [sente, gote] = kings.map(usize::from);
        *self.places[usize::from(exchanged)].get(sente * R::Geometry::AREA + gote)?
    }

    /// The rank of a board, the place of whose kings is known.
    #[inline]
    pub(crate) fn rank_at(&self, place: Place, board: &Board, exchanged: bool) -> Option<u64> {
        self.rank_with(board, exchanged, usize::from(place.pair), place.is_mirrored)
    }

    /// The rank of the mirror image of a board, where that has a number of its own.
    #[inline]
    pub(crate) fn rank_twin(&self, board: &Board, exchanged: bool) -> Option<u64> {
        self.twin_at(self.place_of(board.kings, exchanged)?, board, exchanged)
    }

    /// The same where the place of the kings is known.
    #[inline]
    pub(crate) fn twin_at(&self, place: Place, board: &Board, exchanged: bool) -> Option<u64> {
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
        let (stocks, width) = (self.stocks.len, self.pieces.len());
        let view = &self.views[usize::from(exchanged)][usize::from(mirrored)];
        let mut rest = seen::<R::Geometry>(board.occupied, exchanged, mirrored);
        let rows = pair * R::Geometry::AREA;
        let mut stock = self.stocks.full();
        let mut sum = 0u32;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let code = board.contents[usize::from(view[square] & 31)] ^ u8::from(exchanged);
            let row = ((rows + square) * stocks + usize::from(stock)) * width;
            let before = *self.before.get(row + usize::from(code))?;
            if before >= NEVER {
                return None;
            }
            sum += before;
            stock = stock.wrapping_sub(self.codes.units[usize::from(code & 63)]);
        }
        let place = self.stocks.place(stock, board.hands[usize::from(exchanged)])?;
        Some(self.pairs[pair].start + u64::from(sum) + u64::from(place))
    }

    /// The board of a rank, with Sente to move; below [`Index::size`].
    pub(crate) fn unrank_board(&self, rank: u64) -> Board {
        let number = self.pair_of(rank);
        let mut board = Board { kings: self.pairs[number].kings(), ..Board::EMPTY };
        let mut part = self.empty_part(number);
        while let Some((code, next)) = self.next_part(number, &part, rank) {
            board.put(next.square(), code);
            part = next;
        }
        let share = self.stocks.shares(part.stock)[(rank - part.start) as usize];
        board.hands = [share, part.stock - share];
        board
    }

    /// The number of the pair of squares of the kings.
    fn pair_of(&self, rank: u64) -> usize {
        self.pairs.partition_point(|pair| pair.start <= rank) - 1
    }

    /// All positions with the kings on these squares.
    fn empty_part(&self, number: usize) -> Part {
        let start = self.pairs[number].start;
        let end = self.pairs.get(number + 1).map_or(self.size, |next| next.start);
        Part { next: 0, stock: self.stocks.full(), start, end }
    }

    /// Puts the first piece that follows on the board: its number, and the positions of a part that
    /// have it there. `None` if there is none in the position with this rank.
    #[inline(always)]
    fn next_part(&self, number: usize, part: &Part, rank: u64) -> Option<(u8, Part)> {
        if part.stock == 0 {
            return None;
        }
        let (stocks, width) = (self.stocks.len, self.pieces.len());
        let rest = (rank - part.start) as u32;
        let rows = number * R::Geometry::AREA;
        let mut end = part.end;
        for square in usize::from(part.next)..R::Geometry::AREA {
            let row = ((rows + square) * stocks + usize::from(part.stock)) * width;
            let before = &self.before[row..row + width];
            // On the squares of the kings this is more than any rest.
            if rest < before[1] {
                end = end.min(part.start + u64::from(before[1]));
                continue;
            }
            // The last piece that so many fillings come before; no rest is less than the first.
            let pieces = &before[usize::from(FIRST)..];
            let fitting = pieces.partition_point(|&before| before & !NEVER <= rest);
            let code = usize::from(FIRST) - 1 + fitting;
            let start = |&before: &u32| part.start + u64::from(before & !NEVER);
            let next = Part {
                next: square as u8 + 1,
                stock: part.stock - self.codes.units[code],
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
            *placement.hand_mut(colour) = self.stocks.hand(board.hands[colour.index()]);
        }
        let mut rest = board.occupied;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let piece = self.pieces[usize::from(board.contents[square])];
            if let (Some(square), Some(piece)) = (Square::from_index(square), piece) {
                placement.put(square, piece);
            }
        }
        placement
    }

    /// The board of a placement; `None` if it has not the pieces of the set.
    pub(crate) fn board_of(&self, placement: &Placement<R>) -> Option<Board> {
        if PieceSet::of(placement) != self.set {
            return None;
        }
        let mut board = Board::EMPTY;
        for colour in Colour::ALL {
            board.kings[colour.index()] = placement.king(colour)?.index() as u8;
            for (place, kind) in self.set.kinds().enumerate() {
                let count = u16::from(placement.hand(colour).count(kind));
                board.hands[colour.index()] += count * self.stocks.units[place];
            }
        }
        for (square, Piece { face, colour }) in placement.pieces() {
            if self.codes.fronts[face.kind.index()] != 0 {
                board.put(square.index(), self.codes.of(face, colour));
            }
        }
        Some(board)
    }

    /// The number of a position, whoever is to move; `None` if the index has no room for it.
    pub fn rank_u64(&self, placement: &Placement<R>) -> Option<u64> {
        self.rank_board(&self.board_of(placement)?, placement.side() == Colour::Gote)
    }

    /// The position with a number, Sente to move; `None` if there are not so many numbers.
    pub fn unrank_u64(&self, rank: u64) -> Option<Placement<R>> {
        (rank < self.size).then(|| self.placement_of(&self.unrank_board(rank)))
    }

    /// Whether a number belongs to the second of two mirror images that both have one, so that it
    /// must not be counted where these are folded.
    pub fn is_second_twin(&self, rank: u64) -> bool {
        let number = self.pairs.partition_point(|pair| pair.start <= rank);
        let symmetric = self.pairs.get(number.wrapping_sub(1)).is_some_and(Pair::is_symmetric);
        let twin = || self.rank_twin(&self.unrank_board(rank), false);
        symmetric && rank < self.size && twin().is_some_and(|twin| twin < rank)
    }
}

/// Boards and placements of numbers that are asked for in growing order. Each is made from the one
/// before: mostly only the last pieces are others.
pub(crate) struct Walk<'a, R: World> {
    index: &'a Index<R>,
    /// The pair of squares of the kings.
    pair: usize,
    /// The positions with these squares, and for each piece on the board those that have it and
    /// all pieces before it there.
    parts: Vec<Part>,
    /// The numbers of the positions with this board, whatever is in the hands.
    ranks: std::ops::Range<u64>,
    /// What is in the hands together.
    stock: u16,
    board: Board,
    placement: Placement<R>,
}

impl<'a, R: World> Walk<'a, R> {
    /// Before the first number.
    pub(crate) const fn new(index: &'a Index<R>) -> Self {
        let (board, placement) = (Board::EMPTY, Placement::EMPTY);
        Self { index, pair: 0, parts: Vec::new(), ranks: 0..0, stock: 0, board, placement }
    }

    /// The position with a number, Sente to move; no number is below one asked for before.
    #[inline]
    pub(crate) fn to(&mut self, rank: u64) -> (&Board, &Placement<R>) {
        let stocks = &self.index.stocks;
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
            self.pair = self.index.pair_of(rank);
            self.board = Board { kings: self.index.pairs[self.pair].kings(), ..Board::EMPTY };
            self.placement = self.index.placement_of(&self.board);
            self.index.empty_part(self.pair)
        });
        while let Some((code, next)) = self.index.next_part(self.pair, &part, rank) {
            self.put(next.square(), code);
            self.parts.push(part);
            part = next;
        }
        self.stock = part.stock;
        let shares = self.index.stocks.shares(part.stock).len() as u64;
        self.ranks = part.start..part.start + shares;
        self.parts.push(part);
    }

    fn put(&mut self, square: usize, code: u8) {
        self.board.put(square, code);
        let piece = self.index.pieces[usize::from(code)];
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

/// A set of squares as it is read with the players exchanged, in a mirror, or both.
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
