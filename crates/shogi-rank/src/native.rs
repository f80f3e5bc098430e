//! The native order: made so that unranking takes few steps that depend on each other.
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

use std::marker::PhantomData;

use num_bigint::BigUint;
use shogi_core::{
    Bitboard, Colour, Geometry, Hand, Kind, MAX_KINDS, Placement, RuleTable, Square, Word,
};

use crate::combinations::{binomial, colex_index, colex_members, sort_descending};
use crate::constants::Constants;
use crate::kings::KingPairs;
use crate::number::Number;

/// The native order of the space of `R`, with numbers of type `N`.
#[derive(Debug)]
pub(crate) struct Native<R: RuleTable, N: Number> {
    /// Placements for each king pair.
    per_pair: N::Divisor,
    /// For each kind, number of empty squares and number of pieces in hand.
    blocks: Vec<Block<N>>,
    rules: PhantomData<R>,
}

/// The ranks with a certain number of pieces of a kind on the board.
#[derive(Debug)]
struct Block<N: Number> {
    /// The first of them, relative to the kind's first.
    start: N,
    /// In how many ways the later kinds can follow.
    followers: N::Divisor,
}

/// For each kind, in how many ways it and the later kinds can be placed, by the number of empty
/// squares; and a row of ones after the last kind.
pub(crate) fn completions<R: RuleTable>() -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::from(1u8); Constants::<R>::LEFT_BY_KINGS + 1]; MAX_KINDS + 1];
    for kind in Constants::<R>::kinds().rev() {
        let later = &rows[kind.index() + 1];
        let hands = 0..=Constants::<R>::count(kind);
        let ways =
            |empty| hands.clone().map(|in_hand| block::<R>(kind, empty, in_hand, later)).sum();
        // A royal kind between the others hands on what comes after it.
        let row: Vec<_> = (0..=Constants::<R>::LEFT_BY_KINGS).map(ways).collect();
        rows[..=kind.index()].fill(row);
    }
    rows
}

/// Ways to place a kind with `in_hand` pieces in hand on `empty` squares, and the later kinds.
fn block<R: RuleTable>(kind: Kind, empty: usize, in_hand: u32, later: &[BigUint]) -> BigUint {
    let on_board = (Constants::<R>::count(kind) - in_hand) as usize;
    if on_board > empty {
        return BigUint::ZERO;
    }
    let subsets = BigUint::from(binomial(empty, on_board)) * (in_hand + 1);
    (subsets << (on_board as u32 * Constants::<R>::face_bits(kind))) * &later[empty - on_board]
}

impl<R: RuleTable, N: Number> Native<R, N> {
    /// Blocks for each kind and number of empty squares.
    const STRIDE: usize = {
        let (mut most, mut k) = (0, 0);
        while k < R::KINDS.len() {
            if R::KINDS[k].count > most {
                most = R::KINDS[k].count;
            }
            k += 1;
        }
        most as usize + 1
    };

    /// The tables of the order; the size of the space must fit in `N`.
    pub(crate) fn new() -> Self {
        let completions = completions::<R>();
        let mut blocks = Vec::new();
        for kind in Kind::all::<R>() {
            let later = &completions[kind.index() + 1];
            let count = Constants::<R>::count(kind);
            for empty in 0..=Constants::<R>::LEFT_BY_KINGS {
                let mut start = BigUint::ZERO;
                for in_hand in 0..Self::STRIDE as u32 {
                    let on_board = count.saturating_sub(in_hand) as usize;
                    let followers = N::narrow(&later[empty.saturating_sub(on_board)]).divisor();
                    blocks.push(Block { start: N::narrow(&start), followers });
                    if in_hand <= count {
                        start += block::<R>(kind, empty, in_hand, later);
                    }
                }
            }
        }
        let per_pair = N::narrow(&completions[0][Constants::<R>::LEFT_BY_KINGS]).divisor();
        Self { per_pair, blocks, rules: PhantomData }
    }

    /// The blocks of a kind with this many empty squares, all pieces on the board first.
    #[inline(always)]
    fn blocks(&self, kind: Kind, empty: usize) -> &[Block<N>] {
        let row = kind.index() * (Constants::<R>::LEFT_BY_KINGS + 1) + empty;
        let start = row * Self::STRIDE;
        &self.blocks[start..][..=Constants::<R>::count(kind) as usize]
    }

    /// The placement with a rank below the size of the space.
    #[inline]
    pub(crate) fn unrank(&self, kings: &KingPairs<R::Geometry>, rank: N) -> Placement<R> {
        if const { R::Geometry::AREA <= 32 } {
            self.unrank_in::<32>(kings, rank)
        } else {
            self.unrank_in::<128>(kings, rank)
        }
    }

    #[inline(always)]
    fn unrank_in<const CAPACITY: usize>(
        &self,
        kings: &KingPairs<R::Geometry>,
        rank: N,
    ) -> Placement<R> {
        let (pair, rest) = rank.divide(&self.per_pair);
        let (sente_king, gote_king) = kings.pair(pair.split(0).0 as usize);
        let mut kinds = [Bitboard::EMPTY; MAX_KINDS];
        kinds[Constants::<R>::ROYAL.index()] = Bitboard::of(sente_king) | Bitboard::of(gote_king);
        let mut unranking = Unranking::<R, N, CAPACITY> {
            rest,
            empties: Empties::all::<R::Geometry>(),
            kinds,
            promoted: Bitboard::EMPTY,
            gote: Bitboard::of(gote_king),
            hands: [Hand::EMPTY; 2],
        };
        unranking.empties.take_kings(sente_king, gote_king);
        // Written out, because as arguments known at compile time the kinds leave nothing of the
        // rule table to be looked up.
        const { assert!(MAX_KINDS == 8, "every kind is placed below") };
        unranking.place::<0>(self);
        unranking.place::<1>(self);
        unranking.place::<2>(self);
        unranking.place::<3>(self);
        unranking.place::<4>(self);
        unranking.place::<5>(self);
        unranking.place::<6>(self);
        unranking.place::<7>(self);
        let Unranking { kinds, promoted, gote, hands, .. } = unranking;
        let occupied = kinds.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares);
        Placement::from_parts(kinds, promoted, [occupied - gote, gote], hands, Colour::Sente)
    }

    /// The rank of a placement that [`Space`](crate::Space) has found to be a member, with the
    /// number of its king pair.
    pub(crate) fn rank(
        &self,
        kings: &KingPairs<R::Geometry>,
        pair: usize,
        placement: &Placement<R>,
    ) -> N {
        let (sente_king, gote_king) = kings.pair(pair);
        let mut empties = Empties::<128>::all::<R::Geometry>();
        empties.take_kings(sente_king, gote_king);
        let mut rank = N::join(pair as u128, 0, 0).times(&self.per_pair);
        for kind in Constants::<R>::kinds() {
            let mut positions = [0; Hand::capacity(Kind::new(0)) as usize + 1];
            let on_board = placement.kind(kind).len();
            for (position, square) in positions.iter_mut().zip(placement.kind(kind)) {
                *position = empties.position(square);
            }
            let positions = &mut positions[..on_board as usize];
            sort_descending(positions);
            let in_hand = Constants::<R>::count(kind) - on_board;
            let block = &self.blocks(kind, empties.len)[in_hand as usize];
            let face_bits = Constants::<R>::face_bits(kind);
            let mut faces = 0;
            let shares = u128::from(in_hand) + 1;
            let sente_share = u128::from(placement.hand(Colour::Sente).count(kind));
            let subset = colex_index(positions) * shares + sente_share;
            for (i, &mut position) in positions.iter_mut().enumerate() {
                let bit = word::<R>(1) << u32::from(empties.take(usize::from(position)));
                let square = Bitboard::from_word(bit);
                let is_gote = u64::from(placement.of(Colour::Gote).meets(square));
                let is_promoted = u64::from(placement.promoted().meets(square));
                faces |= (is_promoted << 1 | is_gote) << (i as u32 * face_bits);
            }
            let digit = N::join(subset, on_board * face_bits, faces);
            rank = rank.plus(&block.start).plus(&digit.times(&block.followers));
        }
        rank
    }
}

/// A placement in the making.
struct Unranking<R: RuleTable, N: Number, const CAPACITY: usize> {
    /// The number that the kinds to come have to divide among themselves.
    rest: N,
    empties: Empties<CAPACITY>,
    kinds: [Bitboard<R::Geometry>; MAX_KINDS],
    promoted: Bitboard<R::Geometry>,
    gote: Bitboard<R::Geometry>,
    hands: [Hand; 2],
}

impl<R: RuleTable, N: Number, const CAPACITY: usize> Unranking<R, N, CAPACITY> {
    /// Places the pieces of kind number `K`, if there is such a kind beside the kings.
    #[inline(always)]
    fn place<const K: u8>(&mut self, native: &Native<R, N>) {
        let kind = const { Kind::new(K) };
        if const { K as usize >= R::KINDS.len() || K as usize == Constants::<R>::ROYAL.index() } {
            return;
        }
        let blocks = native.blocks(kind, self.empties.len);
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
        let count = Constants::<R>::count(kind);
        if in_hand == 0 {
            let (subset, faces) = digit.split(count * Constants::<R>::face_bits(kind));
            self.stand(kind, count, subset, faces);
        } else {
            let on_board = count - in_hand as u32;
            let (subset, faces) = digit.split(on_board * Constants::<R>::face_bits(kind));
            let shares = in_hand as u128 + 1;
            let sente_share = (subset % shares) as u8;
            self.hands[0].set(kind, sente_share);
            self.hands[1].set(kind, in_hand as u8 - sente_share);
            self.stand(kind, on_board, subset / shares, faces);
        }
    }

    /// Puts pieces of a kind on a subset of the empty squares.
    #[inline(always)]
    fn stand(&mut self, kind: Kind, pieces: u32, subset: u128, mut faces: u64) {
        let mut squares = Bitboard::EMPTY;
        colex_members(subset, pieces, |position| {
            let square = u32::from(self.empties.take(position));
            let at_square = |bit| Bitboard::from_word(word::<R>(bit) << square);
            squares |= at_square(1);
            self.gote |= at_square(faces & 1);
            if Constants::<R>::face_bits(kind) == 2 {
                self.promoted |= at_square(faces >> 1 & 1);
            }
            faces >>= Constants::<R>::face_bits(kind);
        });
        self.kinds[kind.index()] = squares;
    }
}

/// The lowest bits of the board's word.
#[inline(always)]
pub(crate) fn word<R: RuleTable>(bits: u64) -> <R::Geometry as Geometry>::Word {
    Word::truncate(u128::from(bits))
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
    const fn all<G: Geometry>() -> Self {
        Self { squares: Self::ALL, len: G::AREA }
    }

    /// These squares, in order.
    #[inline(always)]
    pub(crate) fn of<G: Geometry>(squares: Bitboard<G>) -> Self {
        let mut list = Self { squares: [0; CAPACITY], len: 0 };
        for square in squares {
            list.squares[list.len & (CAPACITY - 1)] = square.index() as u8;
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
    fn take_kings<G: Geometry>(&mut self, a: Square<G>, b: Square<G>) {
        self.take(a.index().max(b.index()));
        self.take(a.index().min(b.index()));
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
    pub(crate) fn position<G: Geometry>(&self, square: Square<G>) -> u8 {
        let square = square.index() as u8;
        self.squares[..self.len].iter().position(|&s| s == square).unwrap_or(0) as u8
    }
}
