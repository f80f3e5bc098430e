//! The order of ranks of the program published with Ishii & Tanaka's paper.
//!
//! A rank is the offset of its hand class plus a number in mixed radix, least significant digit
//! first: Sente's share of each kind in hand, the king pair, and for each kind on the board how
//! its pieces stand there.

use std::ops::Range;

use shogi_core::{Colour, Face, Kind, Piece};

use crate::board::Board;
use crate::combinations::{binomial, lex_index, lex_members};
use crate::table::{Squares, Table, members, one};

/// The kinds in the order in which the published program places them, with the codes by which it
/// sorts hand classes.
const KINDS: [(char, u8); 5] = [('G', 4), ('P', 6), ('S', 5), ('R', 2), ('B', 3)];

/// The faces and owners in the order in which pieces of a kind are placed: (back up, owner).
const GROUPS: [(bool, Colour); 4] =
    [(true, Colour::Sente), (true, Colour::Gote), (false, Colour::Sente), (false, Colour::Gote)];

/// The published order of a space.
#[derive(Debug)]
pub(crate) struct IshiiTanaka {
    table: &'static Table,
    /// The rule table's kinds in the published order.
    kinds: [Kind; 5],
    /// The hand classes in order, with their first ranks.
    classes: Vec<(u64, [u8; 5])>,
    /// The first rank of each class, by its [number](hand_number).
    offsets: Vec<u64>,
}

impl IshiiTanaka {
    /// The order, if the rule table has just its kinds; the space must fit in 64 bits.
    pub(crate) fn new(table: &'static Table) -> Option<Self> {
        let by_letter = |letter| table.kinds().find(|&kind| table.spec(kind).letter == letter);
        let mut kinds = [table.royal; 5];
        for (kind, (letter, _)) in kinds.iter_mut().zip(KINDS) {
            *kind = by_letter(letter)?;
        }
        let has_back = |&kind: &Kind| table.spec(kind).back.is_some();
        let only_gold_has_no_back =
            kinds.iter().all(|kind| has_back(kind) == (table.spec(*kind).letter != 'G'));
        if table.kinds().count() != KINDS.len() || !only_gold_has_no_back {
            return None;
        }
        let mut hands = vec![[0; 5]];
        for (i, &kind) in kinds.iter().enumerate() {
            for mut hand in hands.clone() {
                for count in 1..=table.spec(kind).count {
                    hand[i] = count;
                    let key = class_key(&hand);
                    let place = hands.partition_point(|before| class_key(before) < key);
                    hands.insert(place, hand);
                }
            }
        }
        let mut next = 0u64;
        let mut classes = Vec::with_capacity(hands.len());
        let mut offsets = vec![0; hands.len()];
        for hand in hands {
            classes.push((next, hand));
            offsets[hand_number(table, &kinds, &hand)] = next;
            next = next.checked_add(class_size(table, &kinds, &hand))?;
        }
        Some(Self { table, kinds, classes, offsets })
    }

    /// The board of a rank below the size of the space.
    pub(crate) fn unrank(&self, rank: u64) -> Board<Squares> {
        let class = self.classes.partition_point(|&(offset, _)| offset <= rank).saturating_sub(1);
        let (offset, in_hand) = self.classes[class];
        let mut digits = Digits(rank - offset);
        let mut board = Board::EMPTY;
        for (&kind, &count) in self.kinds.iter().zip(&in_hand).filter(|&(_, &count)| count > 0) {
            let share = digits.next(u64::from(count) + 1) as u8;
            board.hands[0].set(kind, share);
            board.hands[1].set(kind, count - share);
        }
        let mut empties: Vec<u8> = self.table.squares().collect();
        let pair = digits.next(self.table.king_pairs());
        for (square, colour) in take_king_pair(self.table, pair, &mut empties) {
            board.put_piece(square, Piece { face: Face::front(self.table.royal), colour });
        }
        for (&kind, &count) in self.kinds.iter().zip(&in_hand) {
            let on_board = self.table.spec(kind).count - count;
            if on_board > 0 {
                let digit = digits.next(ways(self.table, kind, empties.len(), on_board));
                let has_back = self.table.spec(kind).back.is_some();
                place(&mut board, &mut empties, (kind, has_back), on_board, digit);
            }
        }
        board
    }

    /// The rank of the board of a member of the space.
    pub(crate) fn rank(&self, board: &Board<Squares>) -> u64 {
        let [sente, gote] = board.hands;
        let in_hand = self.kinds.map(|kind| sente.count(kind) + gote.count(kind));
        let class = hand_number(self.table, &self.kinds, &in_hand);
        let (mut rank, mut radix) = (self.offsets[class], 1u64);
        let mut append = |digit: u64, base: u64| {
            rank += digit * radix;
            radix = radix.wrapping_mul(base);
        };
        for (&kind, &count) in self.kinds.iter().zip(&in_hand).filter(|&(_, &count)| count > 0) {
            append(u64::from(sente.count(kind)), u64::from(count) + 1);
        }
        let kings = Colour::ALL.map(|colour| {
            let king = Piece { face: Face::front(self.table.royal), colour };
            board.piece(king).trailing_zeros() as u8
        });
        append(king_pair_number(self.table, kings), self.table.king_pairs());
        let mut empties = self.table.all_squares() & !one(kings[0]) & !one(kings[1]);
        for (&kind, &count) in self.kinds.iter().zip(&in_hand) {
            let on_board = self.table.spec(kind).count - count;
            if on_board > 0 {
                let base = ways(self.table, kind, empties.count_ones() as usize, on_board);
                let has_back = self.table.spec(kind).back.is_some();
                append(displace(board, &mut empties, (kind, has_back), on_board), base);
            }
        }
        rank
    }
}

/// A number in mixed radix, read from its least significant digit.
struct Digits(u64);

impl Digits {
    fn next(&mut self, base: u64) -> u64 {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

/// Hand classes are sorted by the codes and counts of what is in hand.
fn class_key(in_hand: &[u8; 5]) -> [(u8, u8); 5] {
    let mut key = [(0, 0); 5];
    let held = KINDS.iter().zip(in_hand).filter(|&(_, &count)| count > 0);
    for (place, (&(_, code), &count)) in key.iter_mut().zip(held) {
        *place = (code, count);
    }
    key
}

/// The number of a hand class in mixed radix.
fn hand_number(table: &Table, kinds: &[Kind; 5], in_hand: &[u8; 5]) -> usize {
    let digits = kinds.iter().zip(in_hand);
    digits.fold(0, |number, (&kind, &count)| {
        number * (usize::from(table.spec(kind).count) + 1) + usize::from(count)
    })
}

/// The number of placements with these totals in hand.
fn class_size(table: &Table, kinds: &[Kind; 5], in_hand: &[u8; 5]) -> u64 {
    let mut size = table.king_pairs();
    let mut empty = table.left_by_kings();
    for (&kind, &count) in kinds.iter().zip(in_hand) {
        let on_board = table.spec(kind).count - count;
        size *= (u64::from(count) + 1) * ways(table, kind, empty, on_board);
        empty = empty.saturating_sub(usize::from(on_board));
    }
    size
}

/// In how many ways `on_board` pieces of a kind stand on `empty` squares.
fn ways(table: &Table, kind: Kind, empty: usize, on_board: u8) -> u64 {
    (binomial(empty, usize::from(on_board)) as u64) << (u32::from(on_board) * table.face_bits(kind))
}

/// Takes the squares of a king pair from the list of all squares: pairs with Sente's king on the
/// left half come first, Sente's square running fastest.
fn take_king_pair(table: &Table, number: u64, empties: &mut Vec<u8>) -> [(u8, Colour); 2] {
    let (left, others) = (table.left_half(), table.area() as u64 - 1);
    let (sente, gote) = if number < left * others {
        (number % left, number / left)
    } else {
        let (number, middle) = (number - left * others, table.middle_file());
        (left + number % middle, number / middle)
    };
    let sente = empties.remove(sente as usize);
    let gote = empties.remove(gote as usize);
    [(sente, Colour::Sente), (gote, Colour::Gote)]
}

/// The number of a king pair of the space.
fn king_pair_number(table: &Table, kings: [u8; 2]) -> u64 {
    let (left, others) = (table.left_half(), table.area() as u64 - 1);
    let [s, g] = kings.map(u64::from);
    let g = if g > s { g - 1 } else { g };
    if s < left { g * left + s } else { left * others + g * table.middle_file() + (s - left) }
}

/// The wanted division of `pieces` among the groups, with the numbers of its ways to stand on `empty` squares.
/// Divisions come in lexicographic order; a kind without a back has no piece in the first two groups.
fn find_division(
    (pieces, has_back): (u8, bool),
    empty: usize,
    is_it: &dyn Fn([u8; 4], &Range<u64>) -> bool,
) -> ([u8; 4], Range<u64>) {
    let max_backs = if has_back { pieces } else { 0 };
    let (mut division, mut numbers) = ([0; 4], 0..0);
    for a in 0..=max_backs {
        for b in 0..=max_backs - a {
            for c in 0..=pieces - a - b {
                division = [a, b, c, pieces - a - b - c];
                numbers = numbers.end..numbers.end + division_ways(division, empty);
                if is_it(division, &numbers) {
                    return (division, numbers);
                }
            }
        }
    }
    (division, numbers)
}

/// In how many ways a division stands on `empty` squares.
fn division_ways(division: [u8; 4], mut empty: usize) -> u64 {
    let mut ways = 1;
    for count in division.map(usize::from) {
        ways *= binomial(empty, count) as u64;
        empty = empty.saturating_sub(count);
    }
    ways
}

/// Puts the pieces of a kind on the board as `digit` says.
fn place(
    board: &mut Board<Squares>,
    empties: &mut Vec<u8>,
    (kind, has_back): (Kind, bool),
    on_board: u8,
    digit: u64,
) {
    let holds_digit = |_, numbers: &Range<u64>| digit < numbers.end;
    let (chosen, numbers) = find_division((on_board, has_back), empties.len(), &holds_digit);
    let mut digits = Digits(digit - numbers.start);
    for (count, (promoted, colour)) in chosen.into_iter().zip(GROUPS) {
        let (count, empty) = (usize::from(count), empties.len());
        let subset = digits.next(binomial(empty, count) as u64);
        for &member in lex_members(subset, count, empty).iter().rev() {
            board
                .put_piece(empties.remove(member), Piece { face: Face { kind, promoted }, colour });
        }
    }
}

/// The digit that says how the pieces of a kind stand on the board; takes their squares away.
fn displace(
    board: &Board<Squares>,
    empties: &mut Squares,
    (kind, has_back): (Kind, bool),
    on_board: u8,
) -> u64 {
    let groups = GROUPS
        .map(|(promoted, colour)| board.piece(Piece { face: Face { kind, promoted }, colour }));
    let found = groups.map(|squares| squares.count_ones() as u8);
    let empty = empties.count_ones() as usize;
    let is_found = |division, _: &Range<u64>| division == found;
    let mut digit = find_division((on_board, has_back), empty, &is_found).1.start;
    let mut radix = 1;
    for squares in groups {
        let empty = empties.count_ones() as usize;
        let place = |square| (*empties & (one(square) - 1)).count_ones() as usize;
        let members: Vec<usize> = members(squares).map(place).collect();
        digit += lex_index(&members, empty) * radix;
        radix *= binomial(empty, members.len()) as u64;
        *empties &= !squares;
    }
    digit
}
