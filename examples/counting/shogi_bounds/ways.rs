//! In how many ways the squares can be filled, by the numbers of pieces of each kind on the board.

use shogi_core::Square;
use shogi_rank::BigUint;
use shogi_rules::Rules;

use crate::cells::{BEGIN, Cell, END, STATES, cells, kinds, without_pawns};

/// A number below 2^256.
type Wide = [u64; 4];

/// Adds a multiple.
#[inline(always)]
fn add(to: &mut Wide, from: &Wide, factor: u64) {
    let mut carry = 0_u128;
    for (to, from) in to.iter_mut().zip(from) {
        let sum = u128::from(*to) + u128::from(*from) * u128::from(factor) + carry;
        *to = sum as u64;
        carry = sum >> 64;
    }
    debug_assert!(carry == 0, "a number of positions fits into 256 bits");
}

/// How many pieces of each kind there are, as a number with a digit for each kind.
struct Digits {
    pieces: Vec<usize>,
    /// What one piece of each kind adds.
    steps: Vec<usize>,
    size: usize,
}

impl Digits {
    fn new<R: Rules>() -> Self {
        let start = R::start();
        let mut pieces = Vec::new();
        for kind in kinds::<R>() {
            pieces.push(start.pieces().filter(|(_, piece)| piece.face.kind == kind).count());
        }
        let mut size = 1;
        let mut steps = Vec::new();
        for count in &pieces {
            steps.push(size);
            size *= count + 1;
        }
        Self { pieces, steps, size }
    }

    /// How many pieces of a kind a number stands for.
    fn digit(&self, number: usize, kind: usize) -> usize {
        number / self.steps[kind] % (self.pieces[kind] + 1)
    }

    fn sum(&self, number: usize) -> usize {
        (0..self.pieces.len()).map(|kind| self.digit(number, kind)).sum()
    }
}

/// The positions with Gote's king on a square in which Sente, who is to move, gives no check: all that pass the stages
/// pawn and king. Mirror images are two.
pub fn positions<R: Rules>(gote: Square<R::Geometry>) -> BigUint {
    let digits = Digits::new::<R>();
    let mut ways = vec![[[0; 4]; STATES]; digits.size];
    ways[0][BEGIN][0] = 1;
    for (done, cell) in cells::<R>(gote).iter().enumerate() {
        fill(&digits, &mut ways, cell, done);
    }
    let mut sum = BigUint::ZERO;
    for (number, ways) in ways.iter().enumerate() {
        // Pieces that are not on the board are in either hand.
        let in_hands: u64 = (0..digits.pieces.len())
            .map(|kind| (digits.pieces[kind] - digits.digit(number, kind) + 1) as u64)
            .product();
        sum += wide(&ways[END]) * in_hands;
    }
    sum
}

/// Fills one more square. Larger numbers of pieces come first, so that those they are made of are still as they were.
fn fill(digits: &Digits, ways: &mut [[Wide; STATES]], cell: &Cell, done: usize) {
    for number in (0..digits.size).rev() {
        let on_board = digits.sum(number);
        if on_board > done + 1 {
            continue;
        }
        let mut after = [[0; 4]; STATES];
        if on_board <= done {
            for &(from, to, factor) in &cell.bare {
                add(&mut after[to], &ways[number][from], factor);
            }
        }
        for (kind, flow) in cell.with.iter().enumerate() {
            if digits.digit(number, kind) > 0 {
                let before = &ways[number - digits.steps[kind]];
                for &(from, to, factor) in flow {
                    add(&mut after[to], &before[from], factor);
                }
            }
        }
        if cell.ends_file {
            for state in 0..STATES {
                let to = without_pawns(state);
                if to != state {
                    let from = std::mem::take(&mut after[state]);
                    add(&mut after[to], &from, 1);
                }
            }
        }
        ways[number] = after;
    }
}

fn wide(number: &Wide) -> BigUint {
    let mut sum = BigUint::ZERO;
    for limb in number.iter().rev() {
        sum = (sum << 64_u32) + *limb;
    }
    sum
}

/// More positions than the class of `minishogi_bounds` can have: those with at most two promoted pieces. Each is one
/// without, and for each promoted piece its kind, its owner and its square. In these each player has at most one pawn on a
/// file, and the other kinds stand on what is left, one kind after the other.
pub fn most_of_class<R: Rules>() -> BigUint {
    let digits = Digits::new::<R>();
    let pawn = kinds::<R>().iter().position(|kind| kind.spec::<R>().letter == 'P');
    let (files, squares) = (
        Square::<R::Geometry>::all().filter(|s| s.rank() == 0).count(),
        Square::<R::Geometry>::all().count(),
    );
    let of_pawns =
        |pawns: usize| BigUint::from(squares / files - 1).pow(pawns as u32) * choose(files, pawns);
    let mut sum = BigUint::ZERO;
    for (sente, gote) in (0..=files).flat_map(|sente| (0..=files).map(move |gote| (sente, gote))) {
        let Some(in_hands) = digits.pieces[pawn.unwrap_or(0)].checked_sub(sente + gote) else {
            continue;
        };
        let left = squares - 2 - sente - gote;
        let others = (0..digits.pieces.len()).filter(|&kind| Some(kind) != pawn);
        let others = others.map(|kind| digits.pieces[kind]).collect::<Vec<_>>();
        sum += of_pawns(sente) * of_pawns(gote) * (in_hands + 1) * arranged(left, &others);
    }
    let promoted = 2 * digits.pieces.len() * squares;
    sum * (squares * (squares - 1)) * (1 + promoted + promoted * promoted)
}

/// Ways of putting pieces of these kinds on so many squares, of either owner, and the others in either hand.
fn arranged(squares: usize, pieces: &[usize]) -> BigUint {
    let Some((&count, others)) = pieces.split_first() else { return BigUint::from(1_u32) };
    let mut sum = BigUint::ZERO;
    for on_board in 0..=count.min(squares) {
        let ways = choose(squares, on_board) << on_board;
        sum += ways * (count - on_board + 1) * arranged(squares - on_board, others);
    }
    sum
}

fn choose(of: usize, number: usize) -> BigUint {
    (0..number).fold(BigUint::from(1_u32), |ways, index| ways * (of - index) / (index + 1))
}
