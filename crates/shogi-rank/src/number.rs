//! The two kinds of numbers that ranks are made of: one machine word, or as many as it takes; and words that count ways.

use num_bigint::BigUint;

/// A natural number with the few operations that ranking needs.
pub(crate) trait Number: Clone + Ord {
    /// A number prepared for being divided and multiplied by.
    type Divisor: std::fmt::Debug;

    /// Zero.
    const ZERO: Self;

    /// The number, which must be small enough for this type; otherwise its lowest bits.
    fn narrow(value: &BigUint) -> Self;
    /// Prepares a number, not zero, as a divisor.
    fn divisor(self) -> Self::Divisor;
    /// Quotient and remainder.
    fn divide(self, divisor: &Self::Divisor) -> (Self, Self);
    /// The product with a prepared divisor.
    fn times(self, divisor: &Self::Divisor) -> Self;
    /// The sum.
    fn plus(self, other: &Self) -> Self;
    /// The difference; `other` is not larger.
    fn minus(self, other: &Self) -> Self;
    /// The number above its lowest `bits` bits (at most 62), and these bits.
    fn split(self, bits: u32) -> (u128, u64);
    /// The number with these parts: the reverse of [`Number::split`].
    fn join(high: u128, bits: u32, low: u64) -> Self;
}

/// A divisor with its reciprocal: one multiplication and one correction in place of a division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reciprocal {
    divisor: u64,
    /// `floor((2^64 - 1) / divisor)`.
    inverse: u64,
}

impl Number for u64 {
    type Divisor = Reciprocal;
    const ZERO: Self = 0;

    fn narrow(value: &BigUint) -> Self {
        value.iter_u64_digits().next().unwrap_or(0)
    }

    fn divisor(self) -> Reciprocal {
        Reciprocal { divisor: self, inverse: Self::MAX / self }
    }

    /// The reciprocal is less than one unit below 2^64 / divisor, so the estimated quotient is
    /// at most one too small.
    #[inline(always)]
    fn divide(self, by: &Reciprocal) -> (Self, Self) {
        let estimate = ((u128::from(self) * u128::from(by.inverse)) >> 64) as Self;
        let rest = self.wrapping_sub(estimate.wrapping_mul(by.divisor));
        if rest >= by.divisor { (estimate + 1, rest - by.divisor) } else { (estimate, rest) }
    }

    #[inline(always)]
    fn times(self, by: &Reciprocal) -> Self {
        self.wrapping_mul(by.divisor)
    }

    #[inline(always)]
    fn plus(self, other: &Self) -> Self {
        self.wrapping_add(*other)
    }

    #[inline(always)]
    fn minus(self, other: &Self) -> Self {
        self.wrapping_sub(*other)
    }

    #[inline(always)]
    fn split(self, bits: u32) -> (u128, u64) {
        (u128::from(self >> bits), self & ((1 << bits) - 1))
    }

    #[inline(always)]
    fn join(high: u128, bits: u32, low: u64) -> Self {
        (high as Self) << bits | low
    }
}

/// How large the numbers of ways are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// Below 2^64.
    Narrow,
    /// Below 2^128.
    Wide,
}

impl Width {
    /// The width of a number; `None` from 2^128 on.
    pub(crate) fn of(number: &BigUint) -> Option<Self> {
        match number.bits() {
            0..=64 => Some(Self::Narrow),
            65..=128 => Some(Self::Wide),
            _ => None,
        }
    }
}

/// A machine word that counts ways, modulo its power of two.
pub(crate) trait CountWord: Copy + Ord + Send + Sync {
    /// Zero.
    const ZERO: Self;

    /// The lowest bits of a number.
    fn lowest(number: u128) -> Self;
    /// The number.
    fn widen(self) -> u128;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The product with a small number.
    fn times(self, factor: u8) -> Self;
}

macro_rules! count_word {
    ($word:ty) => {
        impl CountWord for $word {
            const ZERO: Self = 0;

            #[inline(always)]
            fn lowest(number: u128) -> Self {
                number as Self
            }

            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn times(self, factor: u8) -> Self {
                self.wrapping_mul(Self::from(factor))
            }
        }
    };
}

count_word!(u64);
count_word!(u128);

impl Number for BigUint {
    type Divisor = Self;
    const ZERO: Self = Self::ZERO;

    fn narrow(value: &BigUint) -> Self {
        value.clone()
    }

    fn divisor(self) -> Self {
        self
    }

    fn divide(self, by: &Self) -> (Self, Self) {
        let quotient = &self / by;
        let rest = self - &quotient * by;
        (quotient, rest)
    }

    fn times(self, by: &Self) -> Self {
        self * by
    }

    fn plus(self, other: &Self) -> Self {
        self + other
    }

    fn minus(self, other: &Self) -> Self {
        self - other
    }

    fn split(self, bits: u32) -> (u128, u64) {
        let low = self.iter_u64_digits().next().unwrap_or(0) & ((1 << bits) - 1);
        let high = self >> bits;
        let mut words = high.iter_u64_digits().map(u128::from);
        let (first, second) = (words.next().unwrap_or(0), words.next().unwrap_or(0));
        (second << 64 | first, low)
    }

    fn join(high: u128, bits: u32, low: u64) -> Self {
        (Self::from(high) << bits) + low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reciprocals_divide(value in any::<u64>(), shift in 0u32..64, divisor in 1u64..) {
            let divisor = (divisor >> shift).max(1);
            for value in [value, value >> shift, u64::MAX, 0, divisor, divisor - 1] {
                let expected = (value / divisor, value % divisor);
                prop_assert_eq!(value.divide(&divisor.divisor()), expected);
                let wide = BigUint::from(value).divide(&BigUint::from(divisor));
                prop_assert_eq!(wide, (expected.0.into(), expected.1.into()));
            }
        }

        #[test]
        fn split_and_join_are_inverse(value in any::<u64>(), bits in 0u32..63) {
            let (high, low) = value.split(bits);
            prop_assert_eq!(u64::join(high, bits, low), value);
            prop_assert_eq!(BigUint::from(value).split(bits), (high, low));
            prop_assert_eq!(BigUint::join(high, bits, low), BigUint::from(value));
        }
    }
}
