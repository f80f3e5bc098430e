//! The predecessors of open positions, by which the search finds where two lines to a position part.
//!
//! A king may flee to two squares and from either reach the same third one two plies later. The sum of the
//! proof numbers then counts the work for that position twice; a king driven round the board passes many such
//! *forks*, and the sum doubles with each. So if a position on the path has a move to one that was last reached
//! from elsewhere, the predecessors of that one are followed back to the path; there the two lines part, and of
//! their two moves only the harder counts (Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002; source node detection of Kishimoto, "Dealing with infinite loops, underestimation, and
//! overestimation of depth-first proof-number search", 2010).
//!
//! This changes only numbers of open positions: the order of the search, never what is proved.

use shogi_core::Hand;

/// The most initial slots, and the factor of growth.
const FIRST: usize = 1 << 10;
const GROWTH: usize = 4;
/// The key of the spot; the board of its predecessor; the predecessor's hand and the meeting moves.
type Slot = [u64; 3];
/// A slot without an entry.
const VACANT: Slot = [0; 3];

/// A board with the attacker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Key without the hands.
    pub board: u64,
    /// The attacker's hand.
    pub hand: Hand,
}

impl Spot {
    /// A key of both.
    pub fn key(self) -> u64 {
        let hand = u64::from(self.hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (self.board ^ hand).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// The predecessor of each spot, until another spot takes its slot.
#[derive(Debug)]
pub struct Forks {
    slots: Vec<Slot>,
    filled: usize,
    /// The greatest number of slots.
    limit: usize,
    /// The peak of bytes in use.
    peak: usize,
}

impl Forks {
    /// An empty map with at most `limit` slots of 30 bytes each, the copy during growth included.
    pub const fn growing_to(limit: usize) -> Self {
        Self { slots: Vec::new(), filled: 0, limit, peak: 0 }
    }

    /// The spot from which this one was last reached, if it is still kept.
    pub fn before(&self, spot: Spot) -> Option<Spot> {
        let [_, board, rest] = *self.find(spot)?;
        Some(Spot { board, hand: Hand::from_bits(rest as u32) })
    }

    /// The moves of this spot whose lines are known to meet, a bit each from its first move.
    pub fn meeting(&self, spot: Spot) -> u32 {
        self.find(spot).map_or(0, |slot| (slot[2] >> 32) as u32)
    }

    /// Stores the predecessor of a spot and its meeting moves.
    pub fn store(&mut self, spot: Spot, before: Spot, meeting: u32) {
        if self.filled * 2 >= self.slots.len() && self.slots.len() < self.limit {
            self.grow();
        }
        let rest = u64::from(before.hand.bits()) | u64::from(meeting) << 32;
        self.put([spot.key(), before.board, rest]);
    }

    /// The peak of bytes in use by the slots.
    pub const fn peak_bytes(&self) -> usize {
        self.peak
    }

    fn find(&self, spot: Spot) -> Option<&Slot> {
        let key = spot.key();
        self.slots.get(self.index(key)).filter(|slot| slot[0] == key)
    }

    /// The slot of a key. The key is random, so its high part is uniform.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    fn put(&mut self, entry: Slot) {
        let index = self.index(entry[0]);
        if let Some(slot) = self.slots.get_mut(index) {
            self.filled += usize::from(*slot == VACANT);
            *slot = entry;
        }
    }

    /// Moves all entries to more slots, if the system has the memory.
    #[cold]
    fn grow(&mut self) {
        let old = self.slots.len();
        let mut count = self.limit;
        while count > FIRST && count / GROWTH > old {
            count /= GROWTH;
        }
        if Vec::<Slot>::new().try_reserve_exact(count).is_err() {
            self.limit = old;
            return;
        }
        let entries = std::mem::replace(&mut self.slots, vec![VACANT; count]);
        self.peak = (old + count) * size_of::<Slot>();
        self.filled = 0;
        entries.into_iter().filter(|slot| *slot != VACANT).for_each(|slot| self.put(slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(number: u64) -> Spot {
        let hand = Hand::from_bits((number % 3) as u32);
        Spot { board: (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), hand }
    }

    #[test]
    fn the_last_way_to_a_spot_is_found_and_the_limit_kept() {
        let limit = 100_000;
        let mut forks = Forks::growing_to(limit);
        assert_eq!((forks.before(spot(1)), forks.meeting(spot(1))), (None, 0));
        for round in 1..=2 {
            for number in 0..40_000 {
                forks.store(spot(number), spot(number + round), number as u32);
                assert_eq!(forks.before(spot(number)), Some(spot(number + round)));
                assert_eq!(forks.meeting(spot(number)), number as u32);
            }
        }
        let found = |forks: &Forks, number| match forks.before(spot(number)) {
            Some(before) => {
                assert_eq!(
                    (before, forks.meeting(spot(number))),
                    (spot(number + 2), number as u32)
                );
                true
            }
            None => false,
        };
        // Some positions share a slot.
        let kept = (0..40_000).filter(|&number| found(&forks, number)).count();
        assert!(kept > 30_000 && kept < 40_000, "{kept}");
        (40_000..400_000).for_each(|number| forks.store(spot(number), spot(number + 2), 0));
        assert_eq!(forks.slots.len(), limit);
        assert_eq!(forks.peak_bytes(), (limit + limit / GROWTH) * size_of::<Slot>());
    }

    #[test]
    fn without_slots_nothing_is_kept() {
        let mut forks = Forks::growing_to(0);
        forks.store(spot(1), spot(2), 3);
        assert_eq!(
            (forks.before(spot(1)), forks.meeting(spot(1)), forks.peak_bytes()),
            (None, 0, 0)
        );
    }
}
