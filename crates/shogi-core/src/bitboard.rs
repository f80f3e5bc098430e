//! A bitboard: an ordered set of squares.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::square::Square;
use crate::word::Word;

/// An ordered set of squares of board `G`, in one machine word.
///
/// The operators are set algebra: `&` intersection, `|` union, `^` symmetric difference, `-`
/// difference, `!` complement. `Debug` draws the board; [`picture!`](crate::picture!) reads such a
/// drawing back, so a test can be the diagram:
///
/// ```
/// use shogi_core::{Bitboard, Board5x5, Square, picture};
/// let centre = Square::<Board5x5>::new(2, 2).unwrap();
/// let mut neighbours = Bitboard::<Board5x5>::EMPTY;
/// for square in Square::all().filter(|s| s.manhattan(centre) == 1) {
///     neighbours.insert(square);
/// }
/// assert_eq!(neighbours, picture!(Board5x5:
///     . . . . .
///     . . # . .
///     . # . # .
///     . . # . .
///     . . . . .
/// ));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard<G: Geometry>(G::Word);

/// Reads a board drawn with `#` (member) and `.` (not a member), rank by rank from the top.
///
/// # Panics
///
/// If the drawing does not have exactly one mark for each square.
#[macro_export]
macro_rules! picture {
    ($g:ty: $($mark:tt)*) => {
        $crate::Bitboard::<$g>::from_picture(&[$(stringify!($mark)),*])
    };
}

impl<G: Geometry> Bitboard<G> {
    /// The empty set.
    pub const EMPTY: Self = Self(G::Word::ZERO);

    /// The set of all squares of a board known at compile time; [`Bitboard::all`] works for every
    /// board.
    pub const ALL: Self = Self(G::FULL);

    /// The set of all squares of any board.
    #[inline(always)]
    pub fn all() -> Self {
        Self(G::full())
    }

    /// The set with these bits; bits outside the board are dropped.
    #[inline(always)]
    pub fn from_word(word: G::Word) -> Self {
        Self(word & G::full())
    }

    /// The word: bit i is square number i.
    #[inline(always)]
    pub const fn word(self) -> G::Word {
        self.0
    }

    /// Wraps a word that is known to hold squares of the board only.
    #[inline(always)]
    pub(crate) const fn from_table(word: G::Word) -> Self {
        Self(word)
    }

    /// Reads the marks of [`picture!`](crate::picture!).
    ///
    /// # Panics
    ///
    /// Unless there is one mark, `#` or `.`, for each square.
    #[doc(hidden)]
    pub fn from_picture(marks: &[&str]) -> Self {
        assert_eq!(marks.len(), G::area(), "one mark for each square");
        let mut set = Self::EMPTY;
        for (i, mark) in marks.iter().enumerate() {
            let (rank, column) = (i / G::width() as usize, i % G::width() as usize);
            match *mark {
                "#" => set.insert(Square::from_bit((column * G::height() as usize + rank) as u32)),
                "." => {}
                other => panic!("a picture is drawn with # and ., not {other}"),
            }
        }
        set
    }

    /// The bits of the first 64 squares, and those of the others.
    #[inline(always)]
    pub(crate) fn halves(self) -> [u64; 2] {
        let word = self.0.widen();
        [word as u64, (word >> u64::BITS) as u64]
    }

    /// The set of one square.
    #[inline(always)]
    pub fn of(square: Square<G>) -> Self {
        Self(G::square_word(square))
    }

    /// All squares of the file that the square stands on.
    #[inline(always)]
    pub fn file(square: Square<G>) -> Self {
        Self(G::file_word(square))
    }

    /// Whether the square is a member.
    #[inline(always)]
    pub fn contains(self, square: Square<G>) -> bool {
        !(self & Self::of(square)).is_empty()
    }

    /// Adds a square.
    #[inline(always)]
    pub fn insert(&mut self, square: Square<G>) {
        *self |= Self::of(square);
    }

    /// Removes a square.
    #[inline(always)]
    pub fn remove(&mut self, square: Square<G>) {
        *self -= Self::of(square);
    }

    /// The set after moving the bit of `from` to `to`.
    #[inline(always)]
    pub(crate) fn moved(self, from: Square<G>, to: Square<G>) -> Self {
        let bit = self.0 >> from.index() as u32 & G::Word::ONE;
        Self((self - Self::of(from) - Self::of(to)).0 | bit << to.index() as u32)
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::Word::ZERO
    }

    /// Whether there is more than one member.
    #[inline(always)]
    pub fn has_many(self) -> bool {
        self.0 & self.0.decrement() != G::Word::ZERO
    }

    /// Number of members.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Number of members before a square, which need not be one.
    ///
    /// ```
    /// use shogi_core::{Bitboard, Board9x9, Square};
    /// let at = |square: &str| square.parse::<Square<Board9x9>>().unwrap();
    /// let two: Bitboard<Board9x9> = [at("1a"), at("9i")].into_iter().collect();
    /// assert_eq!(["9i", "5e", "1a"].map(|square| two.len_before(at(square))), [0, 1, 1]);
    /// ```
    #[inline(always)]
    pub fn len_before(self, square: Square<G>) -> u32 {
        (self.0 & Self::of(square).0.decrement()).count_ones()
    }

    /// The first member.
    #[inline(always)]
    pub fn first(self) -> Option<Square<G>> {
        if self.is_empty() { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }

    /// Removes and returns the first member.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Square<G>> {
        let first = self.first()?;
        self.0 &= self.0.decrement();
        Some(first)
    }

    /// Whether the two sets share a member.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The squares one step ahead of the members, as the given player sees it.
    ///
    /// ```
    /// use shogi_core::{Board3x4, Colour, picture};
    /// let pawns = picture!(Board3x4: # . .  . . .  . # .  . . #);
    /// let ahead = picture!(Board3x4: . . .  . # .  . . #  . . .);
    /// assert_eq!(pawns.forward(Colour::Sente), ahead);
    /// ```
    #[inline(always)]
    pub fn forward(self, colour: Colour) -> Self {
        // A file is one run of bits; the farthest rank must not step into the next file.
        let movable = self - Self(G::camp_word(colour, 1));
        Self(match colour {
            Colour::Sente => movable.0 >> 1,
            Colour::Gote => movable.0 << 1,
        })
    }

    /// The set seen in a mirror, left and right exchanged.
    ///
    /// ```
    /// use shogi_core::{Board3x4, picture};
    /// let corner = picture!(Board3x4: # . .  . . .  . . .  # # .);
    /// assert_eq!(corner.mirror(), picture!(Board3x4: . . #  . . .  . . .  . # #));
    /// ```
    #[inline]
    pub fn mirror(self) -> Self {
        let height = u32::from(G::height());
        let column = !(!G::Word::ZERO << height);
        let mut mirrored = G::Word::ZERO;
        for i in 0..u32::from(G::width()) {
            let bits = self.0 >> (i * height) & column;
            mirrored |= bits << ((u32::from(G::width()) - 1 - i) * height);
        }
        Self(mirrored)
    }

    /// The set turned by 180 degrees, as the opponent sees it.
    #[inline(always)]
    pub fn rotate(self) -> Self {
        Self(self.0.reverse() >> (G::Word::BITS - G::area() as u32))
    }

    /// The members in order.
    #[inline(always)]
    pub fn iter(self) -> Squares<G> {
        Squares(self)
    }
}

/// The members of a bitboard, in order of their numbers; see [`Bitboard::iter`].
#[derive(Clone, Debug)]
pub struct Squares<G: Geometry>(Bitboard<G>);

impl<G: Geometry> Iterator for Squares<G> {
    type Item = Square<G>;

    #[inline(always)]
    fn next(&mut self) -> Option<Square<G>> {
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }

    /// The squares of a word of 128 bits are visited in two words of 64, since a step then takes half the instructions.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square<G>) -> B>(self, mut folded: B, mut f: F) -> B {
        for (mut half, first) in self.0.halves().into_iter().zip([0, u64::BITS]) {
            while half != 0 {
                folded = f(folded, Square::from_bit(first + half.trailing_zeros()));
                half &= half - 1;
            }
        }
        folded
    }
}

impl<G: Geometry> ExactSizeIterator for Squares<G> {}

impl<G: Geometry> IntoIterator for Bitboard<G> {
    type Item = Square<G>;
    type IntoIter = Squares<G>;

    #[inline(always)]
    fn into_iter(self) -> Squares<G> {
        self.iter()
    }
}

impl<G: Geometry> FromIterator<Square<G>> for Bitboard<G> {
    fn from_iter<I: IntoIterator<Item = Square<G>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! set_operator {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident: $a:ident $b:ident => $word:expr;)*) => {$(
        impl<G: Geometry> $trait for Bitboard<G> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($word)
            }
        }
        impl<G: Geometry> $assign for Bitboard<G> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}
set_operator! {
    BitAnd bitand BitAndAssign bitand_assign: a b => a & b;
    BitOr bitor BitOrAssign bitor_assign: a b => a | b;
    BitXor bitxor BitXorAssign bitxor_assign: a b => a ^ b;
    Sub sub SubAssign sub_assign: a b => a & !b;
}

impl<G: Geometry> Not for Bitboard<G> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & G::full())
    }
}

impl<G: Geometry> fmt::Debug for Bitboard<G> {
    /// Draws the board, `#` for members and `.` for the other squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..G::height() {
            for column in 0..G::width() {
                let member = Square::new(column, rank).is_some_and(|s| self.contains(s));
                let separator = if column == 0 { "\n" } else { " " };
                write!(f, "{separator}{}", if member { '#' } else { '.' })?;
            }
        }
        Ok(())
    }
}
