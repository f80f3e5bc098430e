//! A square of one geometry.

use core::fmt;
use core::hash::Hash;
use core::marker::PhantomData;
use core::num::NonZeroU8;
use core::ops::Range;
use core::str::FromStr;

use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::word::Word;

/// A square of board `G`, one byte; `Option<Square<G>>` is one byte too.
///
/// The number is `column * HEIGHT + rank`, columns counted from the left as the board is printed
/// and ranks from the top, both from 0. In USI notation files count from the right: the top right
/// square is `1a`.
///
/// ```
/// use shogi_core::{Board5x5, Square};
/// let square = Square::<Board5x5>::new(4, 0).unwrap();
/// assert_eq!(square.index(), 20);
/// assert_eq!(square.to_string(), "1a");
/// assert_eq!("1a".parse(), Ok(square));
/// ```
///
/// Squares of two boards are different types:
///
/// ```compile_fail
/// use shogi_core::{Board3x4, Board5x5, Square};
/// let _ = Square::<Board5x5>::new(0, 0) == Square::<Board3x4>::new(0, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<G> {
    /// The number plus one, so that `None` has the value zero.
    plus_one: NonZeroU8,
    geometry: PhantomData<G>,
}

/// Which part of a bitboard's word holds a square. A word of 128 bits takes twice the instructions of its half.
pub(crate) enum Place {
    /// The sets have 64 bits at most.
    Whole,
    /// This bit of the lower half.
    Low(u64),
    /// This bit of the upper half.
    High(u64),
}

const _: () = {
    use crate::Board5x5;
    assert!(size_of::<Square<Board5x5>>() == 1 && size_of::<Option<Square<Board5x5>>>() == 1);
};

impl<G: Geometry> Square<G> {
    /// The square in the given column from the left and rank from the top, both from 0; `None`
    /// outside the board.
    #[inline]
    pub fn new(column: u8, rank: u8) -> Option<Self> {
        if column < G::width() && rank < G::height() {
            Self::from_index(column as usize * G::height() as usize + rank as usize)
        } else {
            None
        }
    }

    /// The square with this number; `None` outside the board.
    #[inline(always)]
    pub fn from_index(index: usize) -> Option<Self> {
        if index < G::area() {
            let plus_one = NonZeroU8::new(index as u8 + 1);
            plus_one.map(|plus_one| Self { plus_one, geometry: PhantomData })
        } else {
            None
        }
    }

    /// The square of a bit that is known to be set in a bitboard of this geometry.
    #[inline(always)]
    pub(crate) const fn from_bit(bit: u32) -> Self {
        let plus_one = NonZeroU8::MIN.saturating_add(bit as u8);
        Self { plus_one, geometry: PhantomData }
    }

    /// The number of this square, less than [`Geometry::AREA`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.plus_one.get() as usize - 1
    }

    /// Which part of a bitboard's word holds the square.
    #[inline(always)]
    pub(crate) fn place(self) -> Place {
        let index = self.index();
        if G::Word::BITS <= u64::BITS {
            Place::Whole
        } else if index < u64::BITS as usize {
            Place::Low(1 << index)
        } else {
            Place::High(1 << (index % u64::BITS as usize))
        }
    }

    /// The column from the left, from 0.
    #[inline(always)]
    pub fn column(self) -> u8 {
        self.index() as u8 / G::height()
    }

    /// The rank from the top, from 0.
    #[inline(always)]
    pub fn rank(self) -> u8 {
        self.index() as u8 % G::height()
    }

    /// The file as players number it: from 1, counted from Sente's right.
    #[inline(always)]
    pub fn file(self) -> u8 {
        G::width() - self.column()
    }

    /// The square one step back, as the given player sees it; it must not be on that player's own
    /// last rank.
    #[inline(always)]
    pub(crate) fn behind(self, colour: Colour) -> Self {
        let index = self.index() as u32;
        Self::from_bit(match colour {
            Colour::Sente => index + 1,
            Colour::Gote => index.wrapping_sub(1),
        })
    }

    /// The mirror image, left and right exchanged.
    pub fn mirror(self) -> Self {
        match Self::new(G::width() - 1 - self.column(), self.rank()) {
            Some(square) => square,
            None => self,
        }
    }

    /// The square whose place this one takes when the board is turned by 180 degrees.
    ///
    /// ```
    /// use shogi_core::{Board5x5, Square};
    /// let square: Square<Board5x5> = "1e".parse()?;
    /// assert_eq!(square.rotate().to_string(), "5a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rotate(self) -> Self {
        // This reverses the numbers of the squares.
        Self::from_bit((G::area() - 1 - self.index()) as u32)
    }

    /// All squares in order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        All { indices: 0..G::area() as u8, geometry: PhantomData }
    }

    /// Manhattan distance: files apart plus ranks apart.
    #[inline]
    pub fn manhattan(self, other: Self) -> u8 {
        self.column().abs_diff(other.column()) + self.rank().abs_diff(other.rank())
    }
}

/// See [`Square::all`].
struct All<G> {
    /// The numbers of the squares still to be returned.
    indices: Range<u8>,
    geometry: PhantomData<G>,
}

impl<G: Geometry> Iterator for All<G> {
    type Item = Square<G>;

    #[inline(always)]
    fn next(&mut self) -> Option<Square<G>> {
        self.indices.next().map(|index| Square::from_bit(u32::from(index)))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<G: Geometry> DoubleEndedIterator for All<G> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Square<G>> {
        self.indices.next_back().map(|index| Square::from_bit(u32::from(index)))
    }
}

impl<G: Geometry> ExactSizeIterator for All<G> {}

impl<G: Geometry> fmt::Display for Square<G> {
    /// USI notation: file number from the right, rank letter from the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' + self.rank()))
    }
}

impl<G: Geometry> fmt::Debug for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a file 1 to {files} and a rank a to {last_rank}")]
pub struct ParseSquareError {
    /// The number of files.
    pub files: u8,
    /// The letter of the last rank.
    pub last_rank: char,
}

impl<G: Geometry> FromStr for Square<G> {
    type Err = ParseSquareError;

    /// Reads USI notation, in the one form that `Display` writes.
    ///
    /// ```
    /// use shogi_core::{Board5x5, Square};
    /// let error = "5f".parse::<Square<Board5x5>>().unwrap_err();
    /// assert_eq!(error.to_string(), "a square is a file 1 to 5 and a rank a to e");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let error =
            ParseSquareError { files: G::width(), last_rank: char::from(b'a' + G::height() - 1) };
        let [file @ .., rank] = text.as_bytes() else { return Err(error) };
        let column = match file {
            // A file has no sign and no leading zero.
            [b'1'..=b'9', ..] => text.get(..file.len()).and_then(|file| file.parse().ok()),
            _ => None,
        };
        let column = column.and_then(|file| G::width().checked_sub(file)).ok_or(error)?;
        Self::new(column, rank.wrapping_sub(b'a')).ok_or(error)
    }
}
