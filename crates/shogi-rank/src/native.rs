//! The native order, designed so that unranking has few steps that depend on each other.
//!
//! A rank is read from the top. Its first digit is the king pair. Then each kind, in the order of
//! the rule table, takes its share of what remains: the numbers are divided into blocks by how
//! many pieces of the kind stand on the board, all of them first (that is where most placements
//! are, so the branch is easy to predict); inside the block the digit says how the pieces in hand
//! are divided, on which of the empty squares the others stand, and how each lies there. What is
//! left belongs to the later kinds.
//!
//! The empty squares are kept in a list. A square that is taken is replaced by the last of the
//! list, so taking one costs two loads and a store, where counting through the bits of a set would
//! cost a loop. The order of the list is part of the definition of the order.

use num_bigint::BigUint;
use shogi_core::{Geometry, Hand, Kind, MAX_KINDS, Placement, RuleTable, Word};

use crate::board::{Board, WordOf};
use crate::combinations::{binomial, colex_index, colex_members, sort_ascending};
use crate::constants::Constants;
use crate::king_pairs::KingPairs;
use crate::number::Number;
use crate::table::{Squares, Table, members};

/// The native order of a space, with numbers of type `N`.
#[derive(Debug)]
pub(crate) struct Native<N: Number> {
    /// Placements for each king pair.
    per_pair: N::Divisor,
    /// For each kind, number of empty squares and number of pieces in hand.
    blocks: Vec<Block<N>>,
}

/// The ranks with a certain number of pieces of a kind on the board.
#[derive(Debug)]
struct Block<N: Number> {
    /// The first of them, relative to the kind's first.
    start: N,
    /// In how many ways the later kinds can follow.
    followers: N::Divisor,
}

/// The number of placements in the space of a rule table.
pub(crate) fn size(table: &Table) -> BigUint {
    &completions(table)[0][table.left_by_kings()] * table.king_pairs()
}

/// For each kind, in how many ways it and the later kinds can be placed, by the number of empty
/// squares; and a row of ones after the last kind.
fn completions(table: &Table) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::from(1u8); table.left_by_kings() + 1]; MAX_KINDS + 1];
    for kind in table.kinds().rev() {
        let later = &rows[kind.index() + 1];
        let mut row = vec![BigUint::ZERO; table.left_by_kings() + 1];
        for (empty, ways) in row.iter_mut().enumerate() {
            for in_hand in 0..=table.count(kind) {
                *ways += block(table, kind, empty, in_hand, later);
            }
        }
        // A royal kind between the others passes on the value after it.
        rows[..=kind.index()].fill(row);
    }
    rows
}

/// Ways to place a kind with `in_hand` pieces in hand on `empty` squares, and the later kinds.
fn block(table: &Table, kind: Kind, empty: usize, in_hand: u32, later: &[BigUint]) -> BigUint {
    let on_board = (table.count(kind) - in_hand) as usize;
    if on_board > empty {
        return BigUint::ZERO;
    }
    let subsets = BigUint::from(binomial(empty, on_board)) * (in_hand + 1);
    (subsets << (on_board as u32 * table.face_bits(kind))) * &later[empty - on_board]
}

/// A kind, with what it takes to place its pieces.
#[derive(Clone, Copy)]
struct KindBlocks {
    kind: Kind,
    count: u32,
    face_bits: u32,
    /// The first of its blocks.
    first: usize,
    /// Blocks for each number of empty squares.
    stride: usize,
}

impl KindBlocks {
    /// The part of kind number `k`, if there is such a kind beside the kings.
    const fn number(table: &Table, k: u8) -> Option<Self> {
        if (k as usize) < table.kinds.len() && k as usize != table.royal.index() {
            Some(Self::of(table, Kind::new(k)))
        } else {
            None
        }
    }

    const fn of(table: &Table, kind: Kind) -> Self {
        let first = kind.index() * (table.left_by_kings() + 1) * table.shares;
        let (count, face_bits) = (table.count(kind), table.face_bits(kind));
        Self { kind, count, face_bits, first, stride: table.shares }
    }
}

impl<N: Number> Native<N> {
    /// The tables of the order; the size of the space must fit in `N`.
    pub(crate) fn new(table: &Table) -> Self {
        let completions = completions(table);
        let mut blocks = Vec::new();
        for kind in table.all_kinds() {
            let later = &completions[kind.index() + 1];
            let count = table.count(kind);
            for empty in 0..=table.left_by_kings() {
                let mut start = BigUint::ZERO;
                for in_hand in 0..table.shares as u32 {
                    let on_board = count.saturating_sub(in_hand) as usize;
                    let followers = N::narrow(&later[empty.saturating_sub(on_board)]).divisor();
                    blocks.push(Block { start: N::narrow(&start), followers });
                    if in_hand <= count {
                        start += block(table, kind, empty, in_hand, later);
                    }
                }
            }
        }
        let per_pair = N::narrow(&completions[0][table.left_by_kings()]).divisor();
        Self { per_pair, blocks }
    }

    /// The blocks of a kind with this many empty squares, all pieces on the board first.
    #[inline(always)]
    fn blocks(&self, part: KindBlocks, empty: usize) -> &[Block<N>] {
        &self.blocks[part.first + empty * part.stride..][..=part.count as usize]
    }

    /// The kings of a rank, and the number that is left for the other pieces.
    #[inline(always)]
    fn split(&self, kings: &KingPairs, rank: N) -> ((u8, u8), N) {
        let (pair, rest) = rank.divide(&self.per_pair);
        (kings.pair(pair.split(0).0 as usize), rest)
    }

    /// The board of a rank below the size of the space, by what a table says while the program runs.
    fn unrank_by(&self, table: &Table, kings: &KingPairs, rank: N) -> Board<Squares> {
        let (kings, rest) = self.split(kings, rank);
        let (empties, board) = (Empties::all(table.area()), Board::EMPTY);
        let mut unranking = Unranking::<Squares, N, 128> { rest, empties, board };
        unranking.place_kings(table.royal, kings);
        for kind in table.kinds() {
            unranking.place(self, KindBlocks::of(table, kind));
        }
        unranking.board
    }

    /// The rank of a placement that [`Space`](crate::Space) has found to be a member, with the
    /// number of its king pair.
    #[inline(always)]
    fn rank_in<W: Word>(
        &self,
        table: &Table,
        kings: &KingPairs,
        pair: usize,
        placement: &Board<W>,
    ) -> N {
        let (sente_king, gote_king) = kings.pair(pair);
        let mut empties = Empties::<128>::all(table.area());
        empties.take_kings(sente_king, gote_king);
        let mut rank = N::join(pair as u128, 0, 0).times(&self.per_pair);
        for kind in table.kinds() {
            let mut positions = [0; Hand::capacity(Kind::new(0)) as usize + 1];
            let standing = placement.kinds[kind.index()];
            let on_board = standing.count_ones();
            for (position, square) in positions.iter_mut().zip(members(standing)) {
                *position = empties.position(square);
            }
            let positions = &mut positions[..on_board as usize];
            sort_ascending(positions);
            let part = KindBlocks::of(table, kind);
            let in_hand = part.count - on_board;
            let block = &self.blocks(part, empties.len)[in_hand as usize];
            let face_bits = part.face_bits;
            let mut faces = 0;
            let shares = u128::from(in_hand) + 1;
            let sente_share = u128::from(placement.hands[0].count(kind));
            let subset = colex_index(positions) * shares + sente_share;
            for (i, &position) in positions.iter().rev().enumerate() {
                let square = W::ONE << u32::from(empties.take(usize::from(position)));
                let is_gote = u64::from(placement.gote & square != W::ZERO);
                let is_promoted = u64::from(placement.promoted & square != W::ZERO);
                faces |= (is_promoted << 1 | is_gote) << (i as u32 * face_bits);
            }
            let digit = N::join(subset, on_board * face_bits, faces);
            rank = rank.plus(&block.start).plus(&digit.times(&block.followers));
        }
        rank
    }
}

/// With numbers of one word, all is compiled for the rule set, if that is known then.
impl Native<u64> {
    /// The placement with a rank below the size of the space.
    #[inline]
    pub(crate) fn unrank<R: RuleTable>(&self, kings: &KingPairs, rank: u64) -> Placement<R> {
        let by_constants = || {
            if const { R::Geometry::AREA <= 32 } {
                self.unrank_in::<R, 32>(kings, rank)
            } else {
                self.unrank_in::<R, 128>(kings, rank)
            }
        };
        let by_table = || self.unrank_by(kings.table(), kings, rank).placement();
        R::compiled_or_loaded(by_constants, by_table)
    }

    #[inline(always)]
    fn unrank_in<R: RuleTable, const CAPACITY: usize>(
        &self,
        kings: &KingPairs,
        rank: u64,
    ) -> Placement<R> {
        let (kings, rest) = self.split(kings, rank);
        let (empties, board) = (Empties::all(R::Geometry::AREA), Board::EMPTY);
        let mut unranking = Unranking::<WordOf<R>, u64, CAPACITY> { rest, empties, board };
        unranking.place_kings(Constants::<R>::ROYAL, kings);
        // Written out: with the kinds as compile-time arguments nothing of the rule table is looked
        // up.
        const { assert!(MAX_KINDS == 8, "every kind is placed below") };
        unranking.place_if_any::<R, 0>(self);
        unranking.place_if_any::<R, 1>(self);
        unranking.place_if_any::<R, 2>(self);
        unranking.place_if_any::<R, 3>(self);
        unranking.place_if_any::<R, 4>(self);
        unranking.place_if_any::<R, 5>(self);
        unranking.place_if_any::<R, 6>(self);
        unranking.place_if_any::<R, 7>(self);
        unranking.board.placement()
    }

    /// The rank of a member, with the number of its king pair.
    pub(crate) fn rank<R: RuleTable>(
        &self,
        kings: &KingPairs,
        pair: usize,
        placement: &Placement<R>,
    ) -> u64 {
        self.rank_in(Constants::<R>::table(), kings, pair, &Board::<WordOf<R>>::of(placement))
    }
}

/// With longer numbers, arithmetic takes most of the time.
impl Native<BigUint> {
    /// The board of a rank below the size of the space.
    pub(crate) fn unrank(&self, table: &Table, kings: &KingPairs, rank: BigUint) -> Board<Squares> {
        self.unrank_by(table, kings, rank)
    }

    /// The rank of the board of a member, with the number of its king pair.
    pub(crate) fn rank(
        &self,
        table: &Table,
        kings: &KingPairs,
        pair: usize,
        board: &Board<Squares>,
    ) -> BigUint {
        self.rank_in(table, kings, pair, board)
    }
}

/// A placement in the making.
struct Unranking<W: Word, N: Number, const CAPACITY: usize> {
    /// The number that the kinds to come have to divide among themselves.
    rest: N,
    empties: Empties<CAPACITY>,
    board: Board<W>,
}

impl<W: Word, N: Number, const CAPACITY: usize> Unranking<W, N, CAPACITY> {
    /// Puts the kings on their squares.
    #[inline(always)]
    fn place_kings(&mut self, royal: Kind, (sente, gote): (u8, u8)) {
        let one = |square: u8| W::ONE << u32::from(square);
        self.board.kinds[royal.index()] = one(sente) | one(gote);
        self.board.gote = one(gote);
        self.empties.take_kings(sente, gote);
    }

    /// Places the pieces of kind number `K`, if there is such a kind beside the kings.
    #[inline(always)]
    fn place_if_any<R: RuleTable, const K: u8>(&mut self, native: &Native<N>) {
        if let Some(part) = const { KindBlocks::number(Constants::<R>::TABLE, K) } {
            self.place(native, part);
        }
    }

    /// Places the pieces of a kind.
    #[inline(always)]
    fn place(&mut self, native: &Native<N>, part: KindBlocks) {
        let KindBlocks { kind, count, face_bits, .. } = part;
        let blocks = native.blocks(part, self.empties.len);
        let mut in_hand = 0;
        for block in &blocks[1..] {
            if self.rest < block.start {
                break;
            }
            in_hand += 1;
        }
        let block = &blocks[in_hand];
        let first = std::mem::replace(&mut self.rest, N::ZERO).minus(&block.start);
        let (digit, rest) = first.divide(&block.followers);
        self.rest = rest;
        if in_hand == 0 {
            let (subset, faces) = digit.split(count * face_bits);
            self.stand(kind, face_bits, count, subset, faces);
        } else {
            let on_board = count - in_hand as u32;
            let (subset, faces) = digit.split(on_board * face_bits);
            let shares = in_hand as u128 + 1;
            let sente_share = (subset % shares) as u8;
            self.board.hands[0].set(kind, sente_share);
            self.board.hands[1].set(kind, in_hand as u8 - sente_share);
            self.stand(kind, face_bits, on_board, subset / shares, faces);
        }
    }

    /// Puts pieces of a kind on a subset of the empty squares.
    #[inline(always)]
    fn stand(&mut self, kind: Kind, face_bits: u32, pieces: u32, subset: u128, mut faces: u64) {
        let mut squares = W::ZERO;
        colex_members(subset, pieces, |position| {
            let square = u32::from(self.empties.take(position));
            let at_square = |bit: u64| W::truncate(u128::from(bit)) << square;
            squares |= at_square(1);
            self.board.gote |= at_square(faces & 1);
            if face_bits == 2 {
                self.board.promoted |= at_square(faces >> 1 & 1);
            }
            faces >>= face_bits;
        });
        self.board.kinds[kind.index()] = squares;
    }
}

/// The empty squares in a list; `CAPACITY` is a power of two, not below the number of squares.
pub(crate) struct Empties<const CAPACITY: usize> {
    squares: [u8; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> Empties<CAPACITY> {
    /// All squares in order, numbered as the board does.
    const ALL: [u8; CAPACITY] = {
        let mut squares = [0; CAPACITY];
        let mut i = 0;
        while i < CAPACITY {
            squares[i] = i as u8;
            i += 1;
        }
        squares
    };

    /// All squares.
    #[inline(always)]
    const fn all(area: usize) -> Self {
        Self { squares: Self::ALL, len: area }
    }

    /// These squares, in order.
    #[inline(always)]
    pub(crate) fn of(squares: Squares) -> Self {
        let mut list = Self { squares: [0; CAPACITY], len: 0 };
        for square in members(squares) {
            list.squares[list.len & (CAPACITY - 1)] = square;
            list.len += 1;
        }
        list
    }

    /// How many squares there are.
    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Takes the kings' squares from the list of all squares, the higher number first.
    ///
    /// Not a constructor: returning a list just written to would copy bytes that the processor
    /// cannot yet forward from its store buffer as the words it copies by.
    #[inline(always)]
    fn take_kings(&mut self, a: u8, b: u8) {
        self.take(usize::from(a.max(b)));
        self.take(usize::from(a.min(b)));
    }

    /// Takes the square at a position of the list; the last one moves there.
    #[inline(always)]
    pub(crate) fn take(&mut self, position: usize) -> u8 {
        // Masks instead of bounds checks: positions and lengths are below the capacity.
        let square = self.squares[position & (CAPACITY - 1)];
        self.len -= 1;
        self.squares[position & (CAPACITY - 1)] = self.squares[self.len & (CAPACITY - 1)];
        square
    }

    /// The position of a square in the list.
    pub(crate) fn position(&self, square: u8) -> u8 {
        self.squares[..self.len].iter().position(|&s| s == square).unwrap_or(0) as u8
    }
}
