//! Constant functions that fill the attack tables of a geometry.
//!
//! Everything is computed on `u128` words over const-generic sizes and narrowed by
//! [`geometry!`](crate::geometry!) to the word of the board. A square is `column * H + rank`,
//! columns counted from the left and ranks from the top.

use crate::colour::Colour;

/// A direction on the printed board, clockwise from Sente's forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Up: Sente's forward.
    North = 0,
    /// Up and right.
    NorthEast,
    /// Right.
    East,
    /// Down and right.
    SouthEast,
    /// Down: Gote's forward.
    South,
    /// Down and left.
    SouthWest,
    /// Left.
    West,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// This direction as seen by a player: unchanged for Sente, turned by 180 degrees for Gote.
    ///
    /// ```
    /// use shogi_core::{Colour, Direction};
    /// assert_eq!(Direction::NorthEast.seen_by(Colour::Gote), Direction::SouthWest);
    /// ```
    #[inline(always)]
    pub const fn seen_by(self, colour: Colour) -> Self {
        Self::ALL[(self as usize + 4 * colour.index()) % 8]
    }

    /// Whether it is one of the four diagonals.
    pub(crate) const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// Whether square numbers grow in this direction.
    #[inline(always)]
    pub const fn ascends(self) -> bool {
        matches!(self, Self::NorthEast | Self::East | Self::SouthEast | Self::South)
    }
}

/// (column, rank) offsets: the eight directions, then the two knight jumps of Sente.
pub(crate) const OFFSETS: [(isize, isize); 10] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (1, -2), (-1, -2)];

/// For each [`Step`](crate::Step), in its order, which of the ten offsets it has (bit i: offset i).
#[doc(hidden)]
pub const PATTERNS: [u16; 8] = [
    0,
    0b00_0000_0001,
    0b11_0000_0000,
    0b00_1010_1011,
    0b00_1101_0111,
    0b00_1111_1111,
    0b00_0101_0101,
    0b00_1010_1010,
];

/// Table builders for a board of `W` files and `H` ranks, `N = W * H` squares.
#[doc(hidden)]
pub struct Steps<const W: usize, const H: usize, const N: usize>;

impl<const W: usize, const H: usize, const N: usize> Steps<W, H, N> {
    /// The square at an offset, or `N` where that leaves the board.
    const fn offset(square: usize, offset: (isize, isize)) -> usize {
        let column = (square / H) as isize + offset.0;
        let rank = (square % H) as isize + offset.1;
        if column < 0 || column >= W as isize || rank < 0 || rank >= H as isize {
            N
        } else {
            column as usize * H + rank as usize
        }
    }

    /// Squares reached by step pattern number `pattern`, from each square.
    pub const fn steps(pattern: usize, gote: bool) -> [u128; N] {
        let mut table = [0; N];
        let mut square = 0;
        while square < N {
            let mut i = 0;
            while i < OFFSETS.len() {
                if PATTERNS[pattern] >> i & 1 == 1 {
                    let (column, rank) = OFFSETS[i];
                    let offset = if gote { (-column, -rank) } else { (column, rank) };
                    let target = Self::offset(square, offset);
                    if target < N {
                        table[square] |= 1 << target;
                    }
                }
                i += 1;
            }
            square += 1;
        }
        table
    }

    /// Squares from each square to the edge in one direction.
    pub const fn rays(direction: usize) -> [u128; N] {
        let mut table = [0; N];
        let mut square = 0;
        while square < N {
            let mut target = Self::offset(square, OFFSETS[direction]);
            while target < N {
                table[square] |= 1 << target;
                target = Self::offset(target, OFFSETS[direction]);
            }
            square += 1;
        }
        table
    }

    /// Squares strictly between `a` and each square on a line with it.
    pub const fn between(a: usize) -> [u128; N] {
        let mut table = [0; N];
        let mut direction = 0;
        while direction < 8 {
            let mut passed = 0;
            let mut target = Self::offset(a, OFFSETS[direction]);
            while target < N {
                table[target] = passed;
                passed |= 1 << target;
                target = Self::offset(target, OFFSETS[direction]);
            }
            direction += 1;
        }
        table
    }

    /// For each player, the n farthest ranks (n = 0 to 15, capped at the board).
    pub const fn camps() -> [[u128; 16]; 2] {
        let mut table = [[0; 16]; 2];
        let mut n = 0;
        while n < 16 {
            let mut square = 0;
            while square < N {
                let rank = square % H;
                if rank < n {
                    table[0][n] |= 1 << square;
                }
                if H - 1 - rank < n {
                    table[1][n] |= 1 << square;
                }
                square += 1;
            }
            n += 1;
        }
        table
    }
}
