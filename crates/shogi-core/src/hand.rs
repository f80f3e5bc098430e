//! A player's pieces in hand.

use crate::table::{Kind, MAX_KINDS};

/// Where each kind's count starts in the packed word.
const SHIFT: [u32; MAX_KINDS] = [27, 0, 4, 8, 12, 16, 20, 24];
/// The largest count of each kind.
const MAX_COUNTS: [u32; MAX_KINDS] = [31, 15, 15, 15, 15, 15, 15, 7];
/// The highest bit of each count, for comparing all counts at once.
const GUARDS: u32 = {
    let mut guards = 0;
    let mut kind = 0;
    while kind < MAX_KINDS {
        guards |= (MAX_COUNTS[kind] / 2 + 1) << SHIFT[kind];
        kind += 1;
    }
    guards
};

/// A multiset of kinds of any one rule table, packed into four bytes: up to 31 pieces of kind 0, 15 of kinds 1 to 6, 7
/// of kind 7.
///
/// ```
/// use shogi_core::{Hand, Kind};
/// let (pawn, rook) = (Kind::new(0), Kind::new(4));
/// let mut hand = Hand::EMPTY;
/// hand.add(pawn);
/// hand.add(pawn);
/// hand.add(rook);
/// assert_eq!((hand.count(pawn), hand.count(rook)), (2, 1));
/// assert!(hand.dominates(Hand::EMPTY) && !Hand::EMPTY.dominates(hand));
/// ```
///
/// A hand belongs to no particular game and therefore takes kinds without a game.
/// [`Placement::in_hand`](crate::Placement::in_hand) takes the constants of its own game only.
///
/// ```compile_fail,E0308
/// use shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules, Shogi};
/// Shogi::start().hand(Colour::Sente).count(Minishogi::GOLD);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hand(u32);

impl Hand {
    /// No pieces.
    pub const EMPTY: Self = Self(0);

    /// Number of pieces of a kind.
    #[inline(always)]
    pub const fn count(self, kind: Kind) -> u8 {
        (self.0 >> SHIFT[kind.index()] & MAX_COUNTS[kind.index()]) as u8
    }

    /// The largest count of a kind that a hand can hold.
    pub const fn capacity(kind: Kind) -> u8 {
        MAX_COUNTS[kind.index()] as u8
    }

    /// Whether the hand holds a piece of the kind.
    #[inline(always)]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) != 0
    }

    /// Whether the hand is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one piece; a hand that is full of the kind does not change.
    #[inline(always)]
    pub const fn add(&mut self, kind: Kind) {
        if self.count(kind) < Self::capacity(kind) {
            self.0 += 1 << SHIFT[kind.index()];
        }
    }

    /// Removes one piece; a hand without the kind does not change.
    #[inline(always)]
    pub const fn take(&mut self, kind: Kind) {
        if self.has(kind) {
            self.0 -= 1 << SHIFT[kind.index()];
        }
    }

    /// Sets the count of a kind, capped at its capacity.
    #[inline(always)]
    pub const fn set(&mut self, kind: Kind, count: u8) {
        let (shift, most) = (SHIFT[kind.index()], MAX_COUNTS[kind.index()]);
        let count = if count as u32 > most { most } else { count as u32 };
        self.0 = self.0 & !(most << shift) | count << shift;
    }

    /// As many of one kind as a hand can hold.
    pub(crate) const fn full_of(kind: Kind) -> Self {
        Self(MAX_COUNTS[kind.index()] << SHIFT[kind.index()])
    }

    /// Whether this hand holds at least as many of each kind as the other.
    ///
    /// A position that differs only by a dominating hand is at least as good for its owner.
    #[inline(always)]
    pub const fn dominates(self, other: Self) -> bool {
        // Field by field a >= b: where the top bits agree, the guarded difference of the lower
        // bits keeps its guard; where they differ, a's top bit must be the set one.
        let (a, b) = (self.0, other.0);
        let low = (a | GUARDS) - (b & !GUARDS);
        let at_least = (a & !b) | (!(a ^ b) & low);
        at_least & GUARDS == GUARDS
    }

    /// The hand with these packed counts; every word is valid.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The packed counts: two hands are equal exactly if their words are.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hand(counts: [u8; MAX_KINDS]) -> Hand {
        let mut hand = Hand::EMPTY;
        for (i, count) in counts.into_iter().enumerate() {
            hand.set(Kind::new(i as u8), count);
        }
        hand
    }

    proptest! {
        #[test]
        fn dominance_is_pointwise(
            a in proptest::array::uniform8(0u8..8), b in proptest::array::uniform8(0u8..8),
            mix in any::<bool>(),
        ) {
            let b = if mix { core::array::from_fn(|i| b[i].min(a[i])) } else { b };
            prop_assert_eq!(hand(a).dominates(hand(b)), (0..8).all(|i| a[i] >= b[i]));
        }

        #[test]
        fn counts_are_independent(counts in proptest::array::uniform8(0u8..7), i in 0u8..8) {
            let mut changed = hand(counts);
            changed.add(Kind::new(i));
            for k in 0..8u8 {
                let expected = counts[k as usize] + u8::from(k == i);
                prop_assert_eq!(changed.count(Kind::new(k)), expected);
            }
            changed.take(Kind::new(i));
            prop_assert_eq!(changed, hand(counts));
        }
    }
}
