//! Proof and disproof numbers.

use crate::table::Entry;

/// The number of a proof or disproof that has become impossible.
pub const INFINITE: u32 = Entry::INFINITE;

/// The number of a player whose remaining moves are all given up.
const GIVEN_UP: u32 = INFINITE - 1;

/// The largest number of a position whose search can continue. Sums may grow without bound in a graph
/// with cycles, and must not be mistaken for [`GIVEN_UP`].
const LARGEST: u32 = INFINITE - 2;

/// The proof and the disproof number of a position as a player sees them: `phi` is 0 where the player
/// has reached the goal, `delta` where the opponent has. For the prover they are proof and disproof
/// number, for the opponent the other way round.
///
/// With both numbers of the player to move there is one rule for both players: a position's `phi`
/// is the least `phi` of the moves, its `delta` the sum of their `delta`s.
///
/// ```
/// use shogi_mate::ProofNumbers;
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
    /// The numbers of a new leaf in the original algorithms, and the lowest thresholds.
    pub const UNIT: Self = Self { phi: 1, delta: 1 };
    /// The numbers of a success.
    pub const SUCCESS: Self = Self { phi: 0, delta: INFINITE };
    /// The numbers of a failure.
    pub const FAILURE: Self = Self { phi: INFINITE, delta: 0 };
    /// Thresholds that only a final position reaches.
    pub const UNLIMITED: Self = Self { phi: INFINITE, delta: INFINITE };
    /// The numbers of a position given up for lack of memory for the path, larger than those of any
    /// position whose search can continue.
    pub const GIVEN_UP: Self = Self { phi: GIVEN_UP, delta: GIVEN_UP };

    /// The numbers of a position whose moves have this least phi and this sum of deltas, with
    /// `greatest` as the greatest delta. Both are above 0 for an open position.
    #[inline]
    pub const fn of_moves(phi: u32, sum: u64, greatest: u32) -> Self {
        let delta = match (phi, sum) {
            (0, _) => return Self::SUCCESS,
            (_, 0) => return Self::FAILURE,
            _ if greatest == GIVEN_UP => GIVEN_UP,
            _ if sum > LARGEST as u64 => LARGEST,
            _ => sum as u32,
        };
        Self { phi, delta }
    }

    /// Converts between the views of the prover and of a player.
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

    /// Whether the position is open and all remaining moves of one player are given up.
    #[inline]
    pub const fn is_partly_given_up(self) -> bool {
        !self.is_final() && (self.phi == GIVEN_UP || self.delta == GIVEN_UP)
    }

    /// Whether one of the numbers has reached its threshold, at which df-pn leaves a position.
    #[inline]
    pub const fn reach_either(self, threshold: Self) -> bool {
        self.phi >= threshold.phi || self.delta >= threshold.delta
    }

    /// Whether both numbers have reached their thresholds, at which PDS leaves a position, or the
    /// search cannot continue.
    #[inline]
    pub fn reach_both(self, threshold: Self) -> bool {
        self.is_final()
            || (self.phi >= threshold.phi && self.delta >= threshold.delta)
            || self == Self::GIVEN_UP
    }

    /// The least thresholds not below these that `numbers` do not reach.
    #[inline]
    #[must_use]
    pub fn above(self, numbers: Self) -> Self {
        Self {
            phi: self.phi.max(incremented(numbers.phi)),
            delta: self.delta.max(incremented(numbers.delta)),
        }
    }

    /// The maximum of each number.
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

/// A number plus one plus this many sixteenths of it, up to [`INFINITE`].
#[inline]
pub fn raised(number: u32, sixteenths: u32) -> u32 {
    let number = u64::from(number);
    (number + 1 + number * u64::from(sixteenths) / 16).min(u64::from(INFINITE)) as u32
}
