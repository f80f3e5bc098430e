//! Proof and disproof number.

use crate::table::Entry;

/// The number of what cannot be proved or disproved any more.
pub const INFINITE: u32 = Entry::INFINITE;

/// The proof and the disproof number of a position as a player sees them: `phi` is 0 where the player
/// has reached the goal, `delta` where the opponent has. For the prover they are proof and disproof
/// number, for the opponent the other way round.
///
/// With both numbers of the player to move there is one rule for both players: a position's `phi`
/// is the least `phi` of the moves, its `delta` the sum of their `delta`s.
///
/// ```
/// use shogi_solve::ProofNumbers;
/// let seen_by_prover = ProofNumbers { phi: 2, delta: 5 };
/// assert_eq!(seen_by_prover.oriented(true), seen_by_prover);
/// assert_eq!(seen_by_prover.oriented(false), ProofNumbers { phi: 5, delta: 2 });
/// assert!(ProofNumbers::SUCCESS.is_final() && !seen_by_prover.is_final());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// The player's own number.
    pub phi: u32,
    /// The opponent's number.
    pub delta: u32,
}

impl ProofNumbers {
    /// Of a new leaf in the original algorithms, and the lowest thresholds.
    pub const UNIT: Self = Self { phi: 1, delta: 1 };
    /// Of a success.
    pub const SUCCESS: Self = Self { phi: 0, delta: INFINITE };
    /// Of a failure.
    pub const FAILURE: Self = Self { phi: INFINITE, delta: 0 };
    /// Thresholds that only a final position reaches.
    pub const UNLIMITED: Self = Self { phi: INFINITE, delta: INFINITE };
    /// Of a position that is given up for want of memory for the path: larger than those of any
    /// position that can be searched on.
    pub const GIVEN_UP: Self = Self { phi: INFINITE - 1, delta: INFINITE - 1 };

    /// From the prover's point of view to that of a player, or back.
    #[inline]
    #[must_use]
    pub const fn oriented(self, is_prover: bool) -> Self {
        if is_prover { self } else { Self { phi: self.delta, delta: self.phi } }
    }

    /// Whether the goal is proved or disproved.
    #[inline]
    pub const fn is_final(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether the position is open and one of the players has no move left that is not given up.
    #[inline]
    pub const fn is_partly_given_up(self) -> bool {
        !self.is_final() && (self.phi == INFINITE - 1 || self.delta == INFINITE - 1)
    }

    /// Whether one of the numbers has reached its threshold, which is where df-pn leaves a position.
    #[inline]
    pub const fn reach_either(self, threshold: Self) -> bool {
        self.phi >= threshold.phi || self.delta >= threshold.delta
    }

    /// Whether both numbers have reached their thresholds, which is where PDS leaves a position, or
    /// there is nothing to search on for.
    #[inline]
    pub fn reach_both(self, threshold: Self) -> bool {
        self.is_final()
            || (self.phi >= threshold.phi && self.delta >= threshold.delta)
            || self == Self::GIVEN_UP
    }

    /// Thresholds that `numbers` do not reach, and no lower than these.
    #[inline]
    #[must_use]
    pub fn above(self, numbers: Self) -> Self {
        Self {
            phi: self.phi.max(incremented(numbers.phi)),
            delta: self.delta.max(incremented(numbers.delta)),
        }
    }

    /// The thresholds that both numbers reach once `phi` has grown by one.
    #[must_use]
    pub const fn with_greater_phi(self) -> Self {
        Self { phi: incremented(self.phi), delta: self.delta }
    }

    /// The thresholds that both numbers reach once `delta` has grown by one.
    #[must_use]
    pub const fn with_greater_delta(self) -> Self {
        Self { phi: self.phi, delta: incremented(self.delta) }
    }
}

const fn incremented(number: u32) -> u32 {
    if number < INFINITE { number + 1 } else { INFINITE }
}
