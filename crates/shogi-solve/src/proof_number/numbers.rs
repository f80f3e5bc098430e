//! Proof and disproof number.

use crate::table::Entry;

/// The number of what cannot be proved or disproved any more.
pub const INFINITE: u32 = Entry::INFINITE;

/// The number of a player who has no move left that is not given up.
const GIVEN_UP: u32 = INFINITE - 1;

/// The largest number of a position that can be searched on. Sums may grow without bound in a graph
/// with cycles, and must not be taken for [`GIVEN_UP`].
const LARGEST: u32 = INFINITE - 2;

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
    pub const GIVEN_UP: Self = Self { phi: GIVEN_UP, delta: GIVEN_UP };

    /// Of a position whose moves have this least phi and this sum of deltas, of which `greatest` is
    /// the greatest. Both are above 0 for an open position.
    #[inline]
    pub(crate) const fn of_moves(phi: u32, sum: u64, greatest: u32) -> Self {
        let delta = match (phi, sum) {
            (0, _) => return Self::SUCCESS,
            (_, 0) => return Self::FAILURE,
            _ if greatest == GIVEN_UP => GIVEN_UP,
            _ if sum > LARGEST as u64 => LARGEST,
            _ => sum as u32,
        };
        Self { phi, delta }
    }

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
        !self.is_final() && (self.phi == GIVEN_UP || self.delta == GIVEN_UP)
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

    /// The greater of each.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { phi: self.phi.max(other.phi), delta: self.delta.max(other.delta) }
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

/// A number, one more, and so many sixteenths of it more, up to [`INFINITE`].
#[inline]
pub(crate) fn raised(number: u32, sixteenths: u32) -> u32 {
    let number = u64::from(number);
    (number + 1 + number * u64::from(sixteenths) / 16).min(u64::from(INFINITE)) as u32
}
