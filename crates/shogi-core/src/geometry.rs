//! Board geometries: zero-size markers with their attack tables computed at compile time.
//!
//! A geometry is a type, so squares and bitboards of two boards cannot be mixed. Its tables are
//! filled by the constant functions of [`crate::steps`], written once over const generics; there
//! is no build script and nothing to initialise at run time.

use core::fmt::Debug;
use core::hash::Hash;

use crate::Colour;
use crate::movement::Step;
use crate::square::Square;
use crate::steps::Direction;
use crate::word::Word;

/// Keeps [`Geometry`] closed: only [`geometry!`](crate::geometry!) implements it, because the
/// tables must agree with the sizes.
#[doc(hidden)]
pub trait Sealed {}

/// A rectangular board of at most 15 ranks and 128 squares.
///
/// Implemented by [`Board3x4`], [`Board5x5`], [`Board9x9`], by any type made with
/// [`geometry!`](crate::geometry!), and by [`RuntimeBoard`](crate::RuntimeBoard). Squares are numbered column by column from the left as the
/// board is printed with Sente below, and from the top within a column, so that a pawn's step is a
/// shift by one and a file is one run of bits.
pub trait Geometry:
    Sealed + Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static
{
    /// Number of files.
    const WIDTH: u8;
    /// Number of ranks.
    const HEIGHT: u8;
    /// Number of squares.
    const AREA: usize = Self::WIDTH as usize * Self::HEIGHT as usize;
    /// The word that holds one bit for each square.
    type Word: Word;

    /// The word with a bit set for each square.
    #[doc(hidden)]
    const FULL: Self::Word;

    /// Number of files: [`Geometry::WIDTH`], or the width of the loaded board.
    #[inline(always)]
    fn width() -> u8 {
        Self::WIDTH
    }

    /// Number of ranks: [`Geometry::HEIGHT`], or the height of the loaded board.
    #[inline(always)]
    fn height() -> u8 {
        Self::HEIGHT
    }

    /// Number of squares: [`Geometry::AREA`], or the area of the loaded board.
    #[inline(always)]
    fn area() -> usize {
        Self::AREA
    }

    /// The word with a bit set for each square: [`Geometry::FULL`], or that of the loaded board.
    #[doc(hidden)]
    #[inline(always)]
    fn full() -> Self::Word {
        Self::FULL
    }

    /// The word with the bit of a square alone.
    #[doc(hidden)]
    #[inline(always)]
    fn square_word(square: Square<Self>) -> Self::Word {
        Self::Word::ONE << square.index() as u32
    }

    /// All squares of the file that a square stands on.
    #[doc(hidden)]
    #[inline(always)]
    fn file_word(square: Square<Self>) -> Self::Word {
        let height = u32::from(Self::HEIGHT);
        !(!Self::Word::ZERO << height) << (u32::from(square.column()) * height)
    }

    /// Squares reached by a step pattern of the given player from square number `square`.
    #[doc(hidden)]
    fn step_word(step: Step, colour: Colour, square: usize) -> Self::Word;
    /// Squares from `square` (excluded) to the edge.
    #[doc(hidden)]
    fn ray_word(direction: Direction, square: usize) -> Self::Word;
    /// Squares on the four diagonals or the four orthogonals through `square`, itself excluded.
    #[doc(hidden)]
    fn line_word(diagonal: bool, square: usize) -> Self::Word;
    /// Squares strictly between two squares on a common line, else none.
    #[doc(hidden)]
    fn between_word(a: usize, b: usize) -> Self::Word;
    /// The `ranks` ranks farthest from the given player's own side.
    #[doc(hidden)]
    fn camp_word(colour: Colour, ranks: usize) -> Self::Word;
}

/// Declares a board geometry: a zero-size marker type that implements [`Geometry`].
///
/// The word must have at least as many bits as the board has squares; a smaller one does not
/// compile.
///
/// ```
/// use shogi_core::{Bitboard, Geometry, geometry};
/// geometry! {
///     /// The board of Judkins shogi.
///     pub Board6x6: 6 x 6 in u64;
/// }
/// assert_eq!(Bitboard::<Board6x6>::ALL.len(), 36);
/// ```
#[macro_export]
macro_rules! geometry {
    ($($(#[$meta:meta])* $vis:vis $name:ident: $w:literal x $h:literal in $word:ty;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        $vis struct $name;

        const _: () = {
            const N: usize = $w * $h;
            const _: () = assert!(N <= <$word>::BITS as usize, "the word is too small for the board");
            const _: () = assert!($h >= 3 && $h <= 15 && $w >= 1, "a board has 3 to 15 ranks");

            const fn narrow(wide: [u128; N]) -> [$word; N] {
                let mut words = [0 as $word; N];
                let mut i = 0;
                while i < N {
                    words[i] = wide[i] as $word;
                    i += 1;
                }
                words
            }

            // Words of 128 bits are looked up faster than shifted; no number of a square needs a check.
            static SQUARES: [$word; 256] = {
                let mut table = [0; 256];
                let mut i = 0;
                while i < N {
                    table[i] = 1 << i;
                    i += 1;
                }
                table
            };
            static STEPS: [[[$word; N]; 2]; $crate::steps::PATTERNS.len()] = {
                let mut table = [[[0 as $word; N]; 2]; $crate::steps::PATTERNS.len()];
                let mut p = 0;
                while p < table.len() {
                    table[p][0] = narrow($crate::steps::Steps::<$w, $h, N>::steps(p, false));
                    table[p][1] = narrow($crate::steps::Steps::<$w, $h, N>::steps(p, true));
                    p += 1;
                }
                table
            };
            static RAYS: [[$word; N]; 8] = {
                let mut table = [[0 as $word; N]; 8];
                let mut d = 0;
                while d < 8 {
                    table[d] = narrow($crate::steps::Steps::<$w, $h, N>::rays(d));
                    d += 1;
                }
                table
            };
            static LINES: [[$word; N]; 2] = {
                let mut table = [[0 as $word; N]; 2];
                let mut d = 0;
                while d < 8 {
                    let mut i = 0;
                    while i < N {
                        table[d % 2][i] |= RAYS[d][i];
                        i += 1;
                    }
                    d += 1;
                }
                table
            };
            static BETWEEN: [[$word; N]; N] = {
                let mut table = [[0 as $word; N]; N];
                let mut a = 0;
                while a < N {
                    table[a] = narrow($crate::steps::Steps::<$w, $h, N>::between(a));
                    a += 1;
                }
                table
            };
            static CAMPS: [[$word; 16]; 2] = {
                let wide = $crate::steps::Steps::<$w, $h, N>::camps();
                let mut table = [[0 as $word; 16]; 2];
                let mut n = 0;
                while n < 16 {
                    table[0][n] = wide[0][n] as $word;
                    table[1][n] = wide[1][n] as $word;
                    n += 1;
                }
                table
            };

            impl $crate::geometry::Sealed for $name {}
            impl $crate::Geometry for $name {
                const WIDTH: u8 = $w;
                const HEIGHT: u8 = $h;
                type Word = $word;
                const FULL: $word = <$word>::MAX >> (<$word>::BITS as usize - N);

                #[inline(always)]
                fn square_word(square: $crate::Square<Self>) -> $word {
                    match <$word>::BITS {
                        128 => SQUARES[square.index()],
                        _ => 1 << square.index(),
                    }
                }
                #[inline(always)]
                fn step_word(step: $crate::Step, colour: $crate::Colour, square: usize) -> $word {
                    STEPS[step as usize][colour as usize][square]
                }
                #[inline(always)]
                fn ray_word(direction: $crate::Direction, square: usize) -> $word {
                    RAYS[direction as usize][square]
                }
                #[inline(always)]
                fn line_word(diagonal: bool, square: usize) -> $word {
                    LINES[diagonal as usize][square]
                }
                #[inline(always)]
                fn between_word(a: usize, b: usize) -> $word {
                    BETWEEN[a][b]
                }
                #[inline(always)]
                fn camp_word(colour: $crate::Colour, ranks: usize) -> $word {
                    CAMPS[colour as usize][ranks]
                }
            }
        };
    )+};
}

geometry! {
    /// Three files by four ranks: Dobutsu shogi and 3x4 shogi.
    pub Board3x4: 3 x 4 in u16;
    /// Five by five: Minishogi and Kyoto shogi.
    pub Board5x5: 5 x 5 in u32;
    /// Nine by nine: standard shogi.
    pub Board9x9: 9 x 9 in u128;
}
