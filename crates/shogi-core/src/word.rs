//! The machine words that bitboards are made of.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// An unsigned machine word used as a set of squares.
///
/// Implemented for `u16`, `u32`, `u64` and `u128`. A geometry takes the smallest word that holds
/// its squares: on 5x5, `u32` words are three times faster than `u128`.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The word without a bit set.
    const ZERO: Self;
    /// The word with only its lowest bit set.
    const ONE: Self;
    /// Number of bits.
    const BITS: u32;

    /// Number of bits set.
    fn count_ones(self) -> u32;
    /// Index of the lowest bit set; [`Word::BITS`] for zero.
    fn trailing_zeros(self) -> u32;
    /// Number of zeros above the highest bit set; [`Word::BITS`] for zero.
    fn leading_zeros(self) -> u32;
    /// `self - 1`, wrapping around at zero.
    fn decrement(self) -> Self;
    /// The bits in reverse order.
    fn reverse(self) -> Self;
    /// The word of this type with the value's low bits.
    fn truncate(value: u128) -> Self;
    /// The word's value.
    fn widen(self) -> u128;
}

macro_rules! word {
    ($($t:ty)*) => {$(
        impl Word for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const BITS: u32 = <$t>::BITS;
            #[inline(always)]
            fn count_ones(self) -> u32 { self.count_ones() }
            #[inline(always)]
            fn trailing_zeros(self) -> u32 { self.trailing_zeros() }
            #[inline(always)]
            fn leading_zeros(self) -> u32 { self.leading_zeros() }
            #[inline(always)]
            fn decrement(self) -> Self { self.wrapping_sub(1) }
            #[inline(always)]
            fn reverse(self) -> Self { self.reverse_bits() }
            #[inline(always)]
            fn truncate(value: u128) -> Self { value as $t }
            #[inline(always)]
            fn widen(self) -> u128 { u128::from(self) }
        }
    )*};
}
word!(u16 u32 u64 u128);
