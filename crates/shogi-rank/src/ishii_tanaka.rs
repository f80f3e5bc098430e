//! The order of ranks of the program published with Ishii & Tanaka's paper.
//!
//! A rank is the offset of its hand class plus a number in mixed radix, least significant digit
//! first: Sente's share of each kind in hand, the king pair, and for each kind on the board how
//! its pieces stand there.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use shogi_core::{Colour, Face, Geometry, Kind, Piece, Placement, RuleTable, Square};

use crate::combinations::{binomial, lex_index, lex_members};
use crate::constants::Constants;
use crate::error::Outside;

/// The kinds in the order in which the published program places them, with the codes by which it
/// sorts hand classes.
const KINDS: [(char, u8); 5] = [('G', 4), ('P', 6), ('S', 5), ('R', 2), ('B', 3)];

/// The faces and owners in the order in which pieces of a kind are placed: (back up, owner).
const GROUPS: [(bool, Colour); 4] =
    [(true, Colour::Sente), (true, Colour::Gote), (false, Colour::Sente), (false, Colour::Gote)];

/// The published order of the space of `R`.
#[derive(Debug)]
pub(crate) struct IshiiTanaka<R: RuleTable> {
    /// The rule table's kinds in the published order.
    kinds: [Kind; 5],
    /// The hand classes in order, with their first ranks.
    classes: Vec<(u64, [u8; 5])>,
    /// The first rank of each class.
    offsets: BTreeMap<[u8; 5], u64>,
    rules: PhantomData<R>,
}

impl<R: RuleTable> IshiiTanaka<R> {
    /// The order, if the rule table has just its kinds; the space must fit in 64 bits.
    pub(crate) fn new() -> Option<Self> {
        let by_letter = |letter| Constants::<R>::kinds().find(|k| k.spec::<R>().letter == letter);
        let mut kinds = [Constants::<R>::ROYAL; 5];
        for (kind, (letter, _)) in kinds.iter_mut().zip(KINDS) {
            *kind = by_letter(letter)?;
        }
        let only_gold_has_no_back =
            kinds.iter().all(|k| k.spec::<R>().back.is_none() == (k.spec::<R>().letter == 'G'));
        if Constants::<R>::kinds().count() != KINDS.len() || !only_gold_has_no_back {
            return None;
        }
        let mut hands = vec![[0; 5]];
        for (i, kind) in kinds.iter().enumerate() {
            let counts = 0..=kind.spec::<R>().count;
            let with = |hand: [u8; 5], count| {
                std::array::from_fn(|j| if i == j { count } else { hand[j] })
            };
            hands =
                hands.into_iter().flat_map(|h| counts.clone().map(move |c| with(h, c))).collect();
        }
        hands.sort_by_key(class_key);
        let mut next = 0u64;
        let mut classes = Vec::with_capacity(hands.len());
        for hand in hands {
            classes.push((next, hand));
            next = next.checked_add(class_size::<R>(&kinds, &hand))?;
        }
        // Listed first, so that the map is compiled once for all rule tables.
        let offsets: Vec<_> = classes.iter().map(|&(offset, hand)| (hand, offset)).collect();
        let offsets = BTreeMap::from_iter(offsets);
        Some(Self { kinds, classes, offsets, rules: PhantomData })
    }

    /// The placement with a rank below the size of the space.
    pub(crate) fn unrank(&self, rank: u64) -> Placement<R> {
        let class = self.classes.partition_point(|&(offset, _)| offset <= rank).saturating_sub(1);
        let (offset, in_hand) = self.classes[class];
        let mut digits = Digits(rank - offset);
        let mut placement = Placement::EMPTY;
        for (&kind, &count) in self.kinds.iter().zip(&in_hand).filter(|&(_, &count)| count > 0) {
            let share = digits.next(u64::from(count) + 1) as u8;
            placement.hand_mut(Colour::Sente).set(kind, share);
            placement.hand_mut(Colour::Gote).set(kind, count - share);
        }
        let mut empties: Vec<Square<R::Geometry>> = Square::all().collect();
        for (square, colour) in
            take_king_pair(digits.next(king_pairs::<R::Geometry>()), &mut empties)
        {
            placement.put(square, Piece { face: Face::front(Constants::<R>::ROYAL), colour });
        }
        for (&kind, &count) in self.kinds.iter().zip(&in_hand) {
            let on_board = kind.spec::<R>().count - count;
            if on_board > 0 {
                let digit = digits.next(ways::<R>(kind, empties.len(), on_board));
                place(&mut placement, &mut empties, kind, on_board, digit);
            }
        }
        placement
    }

    /// The rank of a member of the space.
    pub(crate) fn rank(&self, placement: &Placement<R>) -> Result<u64, Outside> {
        let in_hand = self.kinds.map(|kind| {
            placement.hand(Colour::Sente).count(kind) + placement.hand(Colour::Gote).count(kind)
        });
        let (mut rank, mut radix) = (self.offsets.get(&in_hand).copied().unwrap_or(0), 1u64);
        let mut append = |digit: u64, base: u64| {
            rank += digit * radix;
            radix = radix.wrapping_mul(base);
        };
        for (&kind, &count) in self.kinds.iter().zip(&in_hand).filter(|&(_, &count)| count > 0) {
            let share = placement.hand(Colour::Sente).count(kind);
            append(u64::from(share), u64::from(count) + 1);
        }
        let mut empties: Vec<Square<R::Geometry>> = Square::all().collect();
        let king = |colour| placement.king(colour).ok_or(Outside::KingMissing(colour));
        let pair = king_pair_number(king(Colour::Sente)?, king(Colour::Gote)?);
        append(pair, king_pairs::<R::Geometry>());
        empties.retain(|&square| !placement.royals().contains(square));
        for (&kind, &count) in self.kinds.iter().zip(&in_hand) {
            let on_board = kind.spec::<R>().count - count;
            if on_board > 0 {
                let base = ways::<R>(kind, empties.len(), on_board);
                append(displace(placement, &mut empties, kind, on_board), base);
            }
        }
        Ok(rank)
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
fn class_key(in_hand: &[u8; 5]) -> Vec<(u8, u8)> {
    let codes = KINDS.iter().map(|&(_, code)| code);
    codes.zip(in_hand.iter().copied()).filter(|&(_, count)| count > 0).collect()
}

/// The number of placements with these totals in hand.
fn class_size<R: RuleTable>(kinds: &[Kind; 5], in_hand: &[u8; 5]) -> u64 {
    let mut size = king_pairs::<R::Geometry>();
    let mut empty = Constants::<R>::LEFT_BY_KINGS;
    for (&kind, &count) in kinds.iter().zip(in_hand) {
        let on_board = kind.spec::<R>().count - count;
        size *= (u64::from(count) + 1) * ways::<R>(kind, empty, on_board);
        empty = empty.saturating_sub(usize::from(on_board));
    }
    size
}

/// In how many ways `on_board` pieces of a kind stand on `empty` squares.
fn ways<R: RuleTable>(kind: Kind, empty: usize, on_board: u8) -> u64 {
    (binomial(empty, usize::from(on_board)) as u64)
        << (u32::from(on_board) * Constants::<R>::face_bits(kind))
}

/// The number of squares on which Sente's king stands with no regard to Gote's.
fn left_half<G: Geometry>() -> u64 {
    u64::from(G::HEIGHT) * u64::from(G::WIDTH / 2)
}

/// The number of squares on the middle file.
fn middle_file<G: Geometry>() -> u64 {
    u64::from(G::HEIGHT) * u64::from(G::WIDTH % 2)
}

fn king_pairs<G: Geometry>() -> u64 {
    let others = G::AREA as u64 - 1;
    left_half::<G>() * others
        + middle_file::<G>() * (left_half::<G>() + middle_file::<G>()).saturating_sub(1)
}

/// Takes the squares of a king pair from the list of all squares: pairs with Sente's king on the
/// left half come first, Sente's square running fastest.
fn take_king_pair<G: Geometry>(
    number: u64,
    empties: &mut Vec<Square<G>>,
) -> [(Square<G>, Colour); 2] {
    let (left, others) = (left_half::<G>(), G::AREA as u64 - 1);
    let (sente, gote) = if number < left * others {
        (number % left, number / left)
    } else {
        let number = number - left * others;
        (left + number % middle_file::<G>(), number / middle_file::<G>())
    };
    let sente = empties.remove(sente as usize);
    let gote = empties.remove(gote as usize);
    [(sente, Colour::Sente), (gote, Colour::Gote)]
}

/// The number of a king pair of the space.
fn king_pair_number<G: Geometry>(sente: Square<G>, gote: Square<G>) -> u64 {
    let (left, others) = (left_half::<G>(), G::AREA as u64 - 1);
    let (s, g) = (sente.index() as u64, gote.index() as u64);
    let g = if g > s { g - 1 } else { g };
    if s < left { g * left + s } else { left * others + g * middle_file::<G>() + (s - left) }
}

/// All ways to divide `pieces` among the groups, in lexicographic order; a kind without a back has
/// none in the first two.
fn divisions(pieces: u8, has_back: bool) -> impl Iterator<Item = [u8; 4]> {
    let max_backs = if has_back { pieces } else { 0 };
    (0..=max_backs).flat_map(move |a| {
        (0..=max_backs - a)
            .flat_map(move |b| (0..=pieces - a - b).map(move |c| [a, b, c, pieces - a - b - c]))
    })
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
fn place<R: RuleTable>(
    placement: &mut Placement<R>,
    empties: &mut Vec<Square<R::Geometry>>,
    kind: Kind,
    on_board: u8,
    digit: u64,
) {
    let mut digits = Digits(digit);
    let mut chosen = [0; 4];
    for division in divisions(on_board, kind.spec::<R>().back.is_some()) {
        chosen = division;
        let ways = division_ways(division, empties.len());
        if digits.0 < ways {
            break;
        }
        digits.0 -= ways;
    }
    for (count, (promoted, colour)) in chosen.into_iter().zip(GROUPS) {
        let (count, empty) = (usize::from(count), empties.len());
        let subset = digits.next(binomial(empty, count) as u64);
        for &member in lex_members(subset, count, empty).iter().rev() {
            placement.put(empties.remove(member), Piece { face: Face { kind, promoted }, colour });
        }
    }
}

/// The digit that says how the pieces of a kind stand on the board; takes their squares away.
fn displace<R: RuleTable>(
    placement: &Placement<R>,
    empties: &mut Vec<Square<R::Geometry>>,
    kind: Kind,
    on_board: u8,
) -> u64 {
    let group = |(promoted, colour)| placement.face(Face { kind, promoted }) & placement.of(colour);
    let found = GROUPS.map(|g| group(g).len() as u8);
    let mut digit: u64 = divisions(on_board, kind.spec::<R>().back.is_some())
        .take_while(|&division| division != found)
        .map(|division| division_ways(division, empties.len()))
        .sum();
    let mut radix = 1;
    for squares in GROUPS.map(group) {
        let is_member = |&i: &usize| squares.contains(empties[i]);
        let members: Vec<usize> = (0..empties.len()).filter(is_member).collect();
        digit += lex_index(&members, empties.len()) * radix;
        radix *= binomial(empties.len(), members.len()) as u64;
        empties.retain(|&square| !squares.contains(square));
    }
    digit
}
