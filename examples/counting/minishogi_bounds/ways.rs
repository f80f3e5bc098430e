//! In how many ways fronts stand about two kings and a core's promoted pieces, counted square by square.

use shogi_core::{Board5x5, Colour, Face, Square};
use shogi_rules::Minishogi;

use crate::class::{MOST_PROMOTED, Set, Sights, kinds};

/// The kinds of Minishogi but the king, each with two pieces.
pub const KINDS: usize = 5;
/// Ways of having 0, 1 or 2 fronts of each kind on the board.
const TOTALS: usize = 3_usize.pow(KINDS as u32);
/// Differences of the numbers of fronts, from -10 to 10.
const DIFFERENCES: usize = 21;
/// Whether either player has a pawn on the file.
const PAWNS: usize = 4;

/// One of a square's possible pieces.
struct Choice {
    kind: usize,
    /// By how much the fronts of the player who moved last outnumber the others then.
    more: isize,
    /// The bit of the player's pawn on this file.
    pawn: usize,
}

/// Counts for one pair of kings. Sente is to move, so Gote has moved last.
pub struct Ways {
    kings: Set,
    /// For each square the pieces that may stand there.
    choices: Vec<Vec<Choice>>,
}

impl Ways {
    /// What may stand where, if no piece may see the other player's king.
    pub fn new(sights: &Sights, kings: [Square<Board5x5>; 2]) -> Self {
        let mut choices: Vec<Vec<Choice>> = Square::<Board5x5>::all().map(|_| Vec::new()).collect();
        for colour in Colour::ALL {
            for (number, kind) in kinds().enumerate() {
                let is_pawn = kind.spec::<Minishogi>().letter == 'P';
                let last_rank = if colour == Colour::Sente { 0 } else { 4 };
                for square in sights.blind(colour, Face::front(kind), kings[(!colour).index()]) {
                    if is_pawn && square.rank() == last_rank {
                        continue;
                    }
                    choices[square.index()].push(Choice {
                        kind: number,
                        more: if colour == Colour::Gote { 1 } else { -1 },
                        pawn: if is_pawn { 1 << colour.index() } else { 0 },
                    });
                }
            }
        }
        Self { kings: kings.into_iter().collect(), choices }
    }

    /// Calls `visit` for each set of at most two squares off which the fronts stand, with the ways by the numbers of
    /// fronts of each kind in which Gote has as many of them on the board as Sente or one more.
    pub fn for_each_blocked(&self, visit: &mut impl FnMut(Set, &Totals)) {
        let mut ways = vec![0; TOTALS * DIFFERENCES * PAWNS];
        ways[state(0, DIFFERENCES / 2, 0)] = 1;
        let squares: Vec<_> = Square::all().collect();
        self.go_on(&squares, ways, Set::EMPTY, visit);
    }

    /// Continues with the squares that are left: each is blocked, if it may still be, or not.
    fn go_on(
        &self,
        squares: &[Square<Board5x5>],
        mut ways: Vec<u64>,
        blocked: Set,
        visit: &mut impl FnMut(Set, &Totals),
    ) {
        for (number, &square) in squares.iter().enumerate() {
            if square.rank() == 0 {
                forget_pawns(&mut ways);
            }
            if self.kings.contains(square) {
                continue;
            }
            if blocked.len() < MOST_PROMOTED {
                let rest = &squares[number + 1..];
                self.go_on(rest, ways.clone(), blocked | Set::of(square), visit);
            }
            ways = self.with_square(&ways, square);
        }
        forget_pawns(&mut ways);
        let balanced = |totals| {
            [0, 1].map(|more| ways[state(totals, DIFFERENCES / 2 + more, 0)]).iter().sum::<u64>()
        };
        visit(blocked, &Totals((0..TOTALS).map(balanced).collect()));
    }

    /// The ways with one more square.
    fn with_square(&self, before: &[u64], square: Square<Board5x5>) -> Vec<u64> {
        let mut after = before.to_vec();
        for totals in 0..TOTALS {
            let begins = state(totals, 0, 0);
            if before[begins..begins + DIFFERENCES * PAWNS].iter().all(|&ways| ways == 0) {
                continue;
            }
            for choice in &self.choices[square.index()] {
                let power = 3_usize.pow(choice.kind as u32);
                if totals / power % 3 < 2 {
                    add_choice(before, &mut after, choice, [totals, totals + power]);
                }
            }
        }
        after
    }
}

/// Ways by the numbers of fronts of each kind on the board.
pub struct Totals(Vec<u64>);

impl Totals {
    /// Positions where so many pieces of each kind are left: those not on the board are in either player's hand.
    pub fn positions(&self, left: [usize; KINDS]) -> u128 {
        let ways = self.0.iter().enumerate().map(|(totals, &ways)| {
            let in_hands = (0..KINDS).zip(left).map(|(kind, left)| {
                (left + 1).saturating_sub(totals / 3_usize.pow(kind as u32) % 3) as u128
            });
            u128::from(ways) * in_hands.product::<u128>()
        });
        ways.sum()
    }
}

/// Adds the ways with a choice, of the states with the first totals, to those of the totals with it.
fn add_choice(before: &[u64], after: &mut [u64], choice: &Choice, [totals, with]: [usize; 2]) {
    for difference in 1..DIFFERENCES - 1 {
        for pawns in (0..PAWNS).filter(|pawns| pawns & choice.pawn == 0) {
            let ways = before[state(totals, difference, pawns)];
            let difference = difference.wrapping_add_signed(choice.more);
            after[state(with, difference, pawns | choice.pawn)] += ways;
        }
    }
}

/// Adds up the ways that differ only in pawns on the file, which is done.
fn forget_pawns(ways: &mut [u64]) {
    for ways in ways.chunks_exact_mut(PAWNS) {
        let sum = ways.iter().sum();
        ways.fill(0);
        ways[0] = sum;
    }
}

fn state(totals: usize, difference: usize, pawns: usize) -> usize {
    (totals * DIFFERENCES + difference) * PAWNS + pawns
}
