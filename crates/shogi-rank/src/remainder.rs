//! Numbers for the rest of a placement once the restricted faces stand: all other faces and the
//! hands.
//!
//! As in the native order each kind takes its share of the number in turn: how many of its pieces
//! stand on the board (all of them first), then how those in hand are divided, on which of the
//! empty squares the others stand, and how each lies there. The difference is that a kind has only
//! the pieces that its restricted faces have not used, and only some faces to show. Such kinds come
//! first, so that the tables for the others need not know what was used.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use shogi_core::Kind;

use crate::board::Board;
use crate::combinations::{binomial, colex_index, colex_members, sort_ascending};
use crate::file_order::Terms;
use crate::native::Empties;
use crate::number::Number;
use crate::restricted_faces::Restricted;
use crate::table::{Squares, Table, members, one};

/// The faces that a kind may show anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// None: what is left lies in the hands.
    None,
    /// This side only.
    One { promoted: bool },
    /// Either side.
    Both,
}

impl Shown {
    fn of(table: &Table, kind: Kind, restricted: &[Restricted]) -> Self {
        let faces = table.faces().map(|(face, _)| face).filter(|face| face.kind == kind);
        let mut faces = faces.filter(|face| restricted.iter().all(|r| r.face != *face));
        match (faces.next(), faces.next()) {
            (None, _) => Self::None,
            (Some(face), None) => Self::One { promoted: face.promoted },
            _ => Self::Both,
        }
    }

    /// The binary logarithm of the number of ways in which a piece can lie on its square: the
    /// owner first, then the side.
    #[inline(always)]
    const fn bits(self) -> u32 {
        match self {
            Self::None => 0,
            Self::One { .. } => 1,
            Self::Both => 2,
        }
    }
}

/// A kind in the order in which the kinds are read.
#[derive(Debug)]
struct Step {
    kind: Kind,
    /// How many pieces of it the set has.
    count: u32,
    shown: Shown,
    /// The weight of one piece of the kind in a term; 0 for kinds whose number is equal in all
    /// terms.
    stride: usize,
    /// By what is left of this kind and the later ones, as a term, and number of empty squares:
    /// the first block. [`Step::ABSENT`] where that cannot arise.
    rows: Vec<u32>,
}

impl Step {
    const ABSENT: u32 = u32::MAX;

    /// The number of pieces left, and what is left of the later kinds as a term.
    #[inline(always)]
    fn divide(&self, left: usize) -> (u32, usize) {
        match left.checked_div(self.stride) {
            Some(pieces) => (pieces as u32, left % self.stride),
            None => (self.count, left),
        }
    }
}

/// The numbers with so many pieces of a kind in hand.
#[derive(Debug)]
struct Block<N: Number> {
    /// The first of them, relative to the kind's first.
    start: N,
    /// In how many ways the later kinds can follow.
    followers: N::Divisor,
}

/// The order of what is left when the restricted faces stand.
#[derive(Debug)]
pub(crate) struct Remainder<N: Number> {
    table: &'static Table,
    steps: Vec<Step>,
    blocks: Vec<Block<N>>,
}

impl Remainder<BigUint> {
    /// The order, and by term of what is left in how many ways it can be placed. All tables are
    /// made for the terms that leave something possible.
    pub(crate) fn new(
        table: &'static Table,
        restricted: &[Restricted],
        terms: &Terms,
    ) -> (Self, Vec<BigUint>) {
        let varies = |kind: &Kind| restricted.iter().any(|r| r.face.kind == *kind);
        let (first, then): (Vec<Kind>, Vec<Kind>) = table.kinds().partition(varies);
        let steps = first.into_iter().chain(then).map(|kind| {
            let (count, shown) = (table.count(kind), Shown::of(table, kind, restricted));
            let stride = if varies(&kind) { terms.stride(kind) } else { 0 };
            // Terms before a kind that varies are below the stride of the kind before it.
            let terms = (stride * (count as usize + 1)).max(1);
            let rows = vec![Step::ABSENT; terms * (table.left_by_kings() + 1)];
            Step { kind, count, shown, stride, rows }
        });
        let mut remainder = Self { table, steps: steps.collect(), blocks: Vec::new() };
        let mut known = FxHashMap::default();
        let ways = (0..terms.len()).map(|left| {
            let used = terms.pieces(terms.last() - left).iter().map(|&n| usize::from(n)).sum();
            match table.left_by_kings().checked_sub(used) {
                Some(empty) => remainder.fill(0, left, empty, &mut known),
                None => BigUint::ZERO,
            }
        });
        let ways = ways.collect();
        (remainder, ways)
    }

    /// In how many ways the kinds from a step on can be placed; makes the blocks of that step.
    fn fill(
        &mut self,
        step: usize,
        left: usize,
        empty: usize,
        known: &mut FxHashMap<(usize, usize, usize), BigUint>,
    ) -> BigUint {
        if step == self.steps.len() {
            return BigUint::from(1u8);
        }
        if let Some(ways) = known.get(&(step, left, empty)) {
            return ways.clone();
        }
        let (pieces, later) = self.steps[step].divide(left);
        let shown = self.steps[step].shown;
        let (mut start, mut blocks) = (BigUint::ZERO, Vec::new());
        for in_hand in 0..=pieces {
            let on_board = (pieces - in_hand) as usize;
            let possible = on_board <= empty && (on_board == 0 || shown != Shown::None);
            let (own, followers) = if possible {
                let subsets = BigUint::from(binomial(empty, on_board)) * (in_hand + 1);
                let faces = on_board as u32 * shown.bits();
                (subsets << faces, self.fill(step + 1, later, empty - on_board, known))
            } else {
                (BigUint::ZERO, BigUint::from(1u8))
            };
            let size = own * &followers;
            blocks.push(Block { start: start.clone(), followers });
            start += size;
        }
        let row = left * (self.table.left_by_kings() + 1) + empty;
        self.steps[step].rows[row] = self.blocks.len() as u32;
        self.blocks.append(&mut blocks);
        known.insert((step, left, empty), start.clone());
        start
    }

    /// The same order in numbers of one word, for sets small enough.
    pub(crate) fn narrow(self) -> Remainder<u64> {
        let narrow = |Block { start, followers }: &Block<BigUint>| Block {
            start: u64::narrow(start),
            followers: u64::narrow(followers).divisor(),
        };
        let blocks = self.blocks.iter().map(narrow).collect();
        Remainder { table: self.table, steps: self.steps, blocks }
    }
}

impl<N: Number> Remainder<N> {
    #[inline(always)]
    fn blocks(&self, step: &Step, left: usize, empty: usize, pieces: u32) -> &[Block<N>] {
        let start = step.rows[left * (self.table.left_by_kings() + 1) + empty];
        &self.blocks[start as usize..][..=pieces as usize]
    }

    /// Completes a board on which kings and restricted faces stand; `left` is the term of the
    /// pieces that the restricted faces have left of their kinds.
    #[inline(always)]
    pub(crate) fn unrank(&self, board: &mut Board<Squares>, mut left: usize, number: N) {
        let mut empties = Empties::<128>::of(self.table.all_squares() & !board.occupied());
        let mut rest = number;
        for step in &self.steps {
            let (pieces, later) = step.divide(left);
            let blocks = self.blocks(step, left, empties.len(), pieces);
            left = later;
            let in_hand = blocks[1..].iter().take_while(|block| rest >= block.start).count() as u32;
            let block = &blocks[in_hand as usize];
            let (digit, after) = rest.minus(&block.start).divide(&block.followers);
            rest = after;
            let (on_board, bits) = (pieces - in_hand, step.shown.bits());
            let (subset, mut faces) = digit.split(on_board * bits);
            let shares = u128::from(in_hand) + 1;
            let sente_share = (subset % shares) as u8;
            board.hands[0].set(step.kind, sente_share);
            board.hands[1].set(step.kind, in_hand as u8 - sente_share);
            let mut squares = 0;
            colex_members(subset / shares, on_board, |position| {
                let square = u32::from(empties.take(position));
                let at_square = |bit: u64| Squares::from(bit) << square;
                squares |= at_square(1);
                board.gote |= at_square(faces & 1);
                match step.shown {
                    Shown::Both => board.promoted |= at_square(faces >> 1 & 1),
                    Shown::One { promoted } => board.promoted |= at_square(promoted.into()),
                    Shown::None => {}
                }
                faces >>= bits;
            });
            board.kinds[step.kind.index()] |= squares;
        }
    }

    /// The number of what is left of a placement on whose board kings and restricted faces stand
    /// on `taken`.
    pub(crate) fn rank(&self, board: &Board<Squares>, taken: Squares, mut left: usize) -> N {
        let mut empties = Empties::<128>::of(self.table.all_squares() & !taken);
        let mut number = N::ZERO;
        for step in &self.steps {
            let (pieces, later) = step.divide(left);
            let standing = board.kinds[step.kind.index()] & !taken;
            let on_board = standing.count_ones();
            let in_hand = pieces - on_board;
            let block = &self.blocks(step, left, empties.len(), pieces)[in_hand as usize];
            left = later;
            let mut positions: Vec<u8> =
                members(standing).map(|square| empties.position(square)).collect();
            sort_ascending(&mut positions);
            let sente_share = u128::from(board.hands[0].count(step.kind));
            let subset = colex_index(&positions) * (u128::from(in_hand) + 1) + sente_share;
            let bits = step.shown.bits();
            let mut faces = 0;
            for (i, &position) in (0..).zip(positions.iter().rev()) {
                let square = one(empties.take(usize::from(position)));
                let is_gote = u64::from(board.gote & square != 0);
                let is_promoted = u64::from(board.promoted & square != 0);
                let side = if step.shown == Shown::Both { is_promoted << 1 } else { 0 };
                faces |= (side | is_gote) << (i * bits);
            }
            let digit = N::join(subset, on_board * bits, faces);
            number = number.plus(&block.start).plus(&digit.times(&block.followers));
        }
        number
    }
}
