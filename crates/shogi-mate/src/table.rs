//! A transposition table of fixed size for proof-number searches.
//!
//! An entry is known by a *board* key and the pieces in one player's *hand*. A result for one hand often
//! decides others (Nagai 2002; Seo, Iida & Uiterwijk 2001, "dominance"), so all hands of one board lie close
//! together and one walk finds them.
//!
//! The table is open addressing without wrap-around: entries of a board start at its home slot and follow
//! each other, mixed with those of neighbouring homes, up to the first vacant slot or the end of a window. A
//! walk therefore reads one or two cache lines in order at ordinary fill. Only a sweep moves entries: it
//! drops the least valuable ones and then pulls the others towards their homes, so that no vacant slot comes
//! before an entry.
//!
//! ```
//! use shogi_mate::table::{Entry, TranspositionTable};
//!
//! let mut table = TranspositionTable::with_bytes(1 << 20);
//! table.store(Entry { board: 7, hand: 2, pn: 3, dn: 1, ..Entry::default() });
//! table.store(Entry { board: 7, hand: 0, pn: 0, dn: Entry::INFINITE, ..Entry::default() });
//! assert_eq!(table.find(7, 2).map(|entry| entry.pn), Some(3));
//! assert!(table.entries(7).any(|entry| entry.is_final()));
//! ```

mod entry;

use std::hint::black_box;

pub use entry::Entry;
use entry::{Slot, VACANT, WORTHS, is_vacant};

/// Slots in which an entry can lie, counted from its home.
const WINDOW: usize = 64;
/// The most initial slots of a growing table, and the factor of each growth.
const FIRST: usize = 1 << 14;
const GROWTH: usize = 8;
/// See the [module](self).
#[derive(Clone, Debug)]
pub struct TranspositionTable {
    slots: Vec<Slot>,
    len: usize,
    /// Number of slots at first, and of those to which the table grows.
    first: usize,
    limit: usize,
    sweeps: u64,
    /// The peak of bytes in use.
    peak: usize,
}

impl TranspositionTable {
    /// A table of at most this many bytes, or a few kilobytes if that is less than it needs. The memory is
    /// allocated once and never grows.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn with_bytes(bytes: usize) -> Self {
        let count = slots_in(bytes);
        Self::with_slots(count, count)
    }

    /// Like [`TranspositionTable::with_bytes`], but the table begins small and grows as it fills: the
    /// entries of a short search then lie close together, so that a page of memory serves hundreds of them.
    /// Growing copies the entries, which briefly takes a sixteenth of the table within the limit. If the
    /// system refuses more memory, the table keeps its size.
    ///
    /// ```
    /// use shogi_mate::table::{Entry, TranspositionTable};
    /// let mut table = TranspositionTable::growing_to(25_500_000);
    /// let small = table.capacity();
    /// for board in 0..500_000_u64 {
    ///     let board = board.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ///     table.store(Entry { board, ..Entry::default() });
    /// }
    /// assert!(small < 20_000 && table.capacity() == 1_000_000 && table.len() == 500_000);
    /// ```
    pub fn growing_to(bytes: usize) -> Self {
        // The copy has an entry for every other slot of a table that is an eighth as large.
        let limit = slots_in(bytes - bytes / (2 * GROWTH + 1));
        let mut first = limit;
        while first > FIRST {
            first /= GROWTH;
        }
        Self::with_slots(first, limit)
    }

    fn with_slots(first: usize, limit: usize) -> Self {
        let peak = first * Entry::BYTES;
        Self { slots: vec![VACANT; first], len: 0, first, limit, sweeps: 0, peak }
    }

    /// All entries of a board, with any hand.
    #[inline]
    pub fn entries(&self, board: u64) -> impl Iterator<Item = Entry> {
        let mut slots = self.window(board).iter();
        std::iter::from_fn(move || {
            loop {
                let slot = slots.next().filter(|slot| !is_vacant(slot))?;
                if slot[0] == board {
                    return Some(Entry::unpack(*slot));
                }
            }
        })
    }

    /// Prefetches the home slots of boards, with the next cache line of each, so that later look-ups overlap
    /// their memory accesses. On Kyoto shogi with a table of 512 MiB it halves the cycles of a search.
    #[inline]
    pub fn touch(&self, boards: impl Iterator<Item = u64>) {
        black_box(boards.fold(0, |words, board| {
            let slots = self.window(board);
            words ^ slots[0][0] ^ slots[2][2]
        }));
    }

    /// All entries, in an order in which an empty table of the same size reproduces this layout: storing
    /// them in turn, no entry finds a vacant slot before its own.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.slots.iter().filter(|slot| !is_vacant(slot)).map(|&slot| Entry::unpack(slot))
    }

    /// The entry of a board with exactly this hand.
    #[inline]
    pub fn find(&self, board: u64, hand: u32) -> Option<Entry> {
        self.entries(board).find(|entry| entry.hand == hand)
    }

    /// Stores an entry: in place of the one with the same board and hand, or else in a vacant slot, or else
    /// in place of the least valuable entry within reach, which may be the new one itself.
    ///
    /// A table that is three quarters full is swept first, in time proportional to its size; a table that
    /// can grow does so when it is half full. A fuller table has longer walks: with sweeps at nine tenths a
    /// search of Kyoto shogi takes 15 % more time.
    #[inline]
    pub fn store(&mut self, entry: Entry) {
        let home = self.home(entry.board);
        let packed = entry.pack();
        let mut least = (usize::MAX, home);
        for index in home..home + WINDOW {
            let slot = self.slots[index];
            if is_vacant(&slot) {
                if self.len * 2 >= self.slots.len() && self.make_room() {
                    return self.store(entry);
                }
                self.len += 1;
                self.slots[index] = packed;
                return;
            }
            if slot[0] == entry.board && slot[1] as u32 == entry.hand {
                self.slots[index] = packed;
                return;
            }
            least = least.min((Entry::unpack(slot).worth(), index));
        }
        if least.0 <= entry.worth() {
            self.slots[least.1] = packed;
        }
    }

    /// Removes the entry of a board with exactly this hand. Returns whether there was one.
    pub fn remove(&mut self, board: u64, hand: u32) -> bool {
        let home = self.home(board);
        let same = |slot: &Slot| slot[0] == board && slot[1] as u32 == hand;
        let mut rest = self.slots[home..home + WINDOW].iter().take_while(|slot| !is_vacant(slot));
        let Some(offset) = rest.position(same) else { return false };
        self.slots[home + offset] = VACANT;
        self.len -= 1;
        // No vacant slot may come between a home and its entries.
        let next = home + offset + 1;
        let following = self.slots[next..].iter().take_while(|slot| !is_vacant(slot)).count();
        self.compact(next, next + following);
        true
    }

    /// Grows an empty table to the size at which it holds this many entries, as far as it may grow: entries of
    /// [`TranspositionTable::iter`] come in the order of their homes, which in a smaller table all lie at its start.
    ///
    /// ```
    /// use shogi_mate::table::{Entry, TranspositionTable};
    /// let mut table = TranspositionTable::growing_to(10 << 20);
    /// for board in 0..30_000_u64 {
    ///     let board = board.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ///     table.store(Entry { board, ..Entry::default() });
    /// }
    /// let mut copy = TranspositionTable::growing_to(10 << 20);
    /// copy.reserve(table.len());
    /// table.iter().for_each(|entry| copy.store(entry));
    /// assert_eq!((copy.len(), copy.capacity()), (30_000, table.capacity()));
    /// ```
    pub fn reserve(&mut self, entries: usize) {
        while entries > self.slots.len() / 2 && self.slots.len() < self.limit {
            self.grow();
        }
    }

    /// Clears the table; a grown table shrinks to its initial size.
    pub fn clear(&mut self) {
        let count = self.first;
        // The old memory goes before the new comes, and new memory is zero without being touched.
        self.slots = Vec::new();
        self.slots = vec![VACANT; count];
        self.len = 0;
        self.sweeps = 0;
        self.peak = count * Entry::BYTES;
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the table is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Current number of slots.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Number of slots to which the table grows.
    pub(crate) const fn most_slots(&self) -> usize {
        self.limit
    }

    /// The peak of bytes in use since the table was made or cleared.
    pub const fn peak_bytes(&self) -> usize {
        self.peak
    }

    /// Used slots in thousandths of the greatest number of slots.
    pub const fn hashfull(&self) -> u32 {
        (self.len as u64 * 1000 / self.limit as u64) as u32
    }

    /// Number of sweeps since the table was made or cleared.
    pub const fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// The home slot of a board. The key is random, so its high part is uniform.
    #[inline]
    fn home(&self, board: u64) -> usize {
        let homes = self.slots.len() - WINDOW + 1;
        ((u128::from(board) * homes as u128) >> 64) as usize
    }

    #[inline]
    fn window(&self, board: u64) -> &[Slot] {
        let home = self.home(board);
        &self.slots[home..home + WINDOW]
    }

    /// Grows or sweeps if necessary. Returns whether the slots have changed.
    fn make_room(&mut self) -> bool {
        if self.slots.len() < self.limit {
            self.grow();
        } else if self.len * 4 >= self.slots.len() * 3 {
            self.sweep();
        } else {
            return false;
        }
        true
    }

    /// Puts all entries into more slots.
    #[cold]
    fn grow(&mut self) {
        let mut entries = Vec::new();
        if entries.try_reserve_exact(self.len).is_err() {
            self.limit = self.slots.len();
            return;
        }
        entries.extend(self.iter());
        let old = self.slots.len();
        let nearly = old * GROWTH * GROWTH > self.limit;
        let mut count = if nearly { self.limit } else { old * GROWTH };
        // The old memory goes before the new comes.
        self.slots = Vec::new();
        if Vec::<Slot>::new().try_reserve_exact(count).is_err() {
            // The system has no memory for so many slots.
            self.limit = old;
            count = old;
        }
        self.slots = vec![VACANT; count];
        self.peak = count * Entry::BYTES + entries.capacity() * size_of::<Entry>();
        self.len = 0;
        entries.into_iter().for_each(|entry| self.store(entry));
    }

    /// Drops the least valuable entries until about half of the slots are taken.
    #[cold]
    fn sweep(&mut self) {
        self.sweeps += 1;
        let mut worths = [0_usize; WORTHS];
        for slot in self.slots.iter().filter(|slot| !is_vacant(slot)) {
            worths[Entry::unpack(*slot).worth()] += 1;
        }
        let keep = self.slots.len() / 2;
        let mut excess = self.len.saturating_sub(keep);
        // Entries of the limiting worth go as they come, the later ones stay.
        let mut limit = 0;
        while excess > worths[limit] {
            excess -= worths[limit];
            limit += 1;
        }
        for slot in self.slots.iter_mut().filter(|slot| !is_vacant(slot)) {
            let worth = Entry::unpack(*slot).worth();
            let drop = worth < limit || worth == limit && excess > 0;
            if drop {
                excess -= usize::from(worth == limit);
                *slot = VACANT;
                self.len -= 1;
            }
        }
        self.compact(0, self.slots.len());
    }

    /// Moves the entries of these slots, in order, to the first vacant slot from their home.
    ///
    /// An entry never moves up, and entries below the current slot stay in place.
    fn compact(&mut self, from: usize, to: usize) {
        for index in from..to {
            let slot = self.slots[index];
            if is_vacant(&slot) {
                continue;
            }
            let home = self.home(slot[0]);
            let vacant = (home..index).find(|&other| is_vacant(&self.slots[other]));
            if let Some(vacant) = vacant {
                self.slots.swap(vacant, index);
            }
        }
    }
}

/// The number of slots in this many bytes, or the least that a table works with.
fn slots_in(bytes: usize) -> usize {
    (bytes / size_of::<Slot>()).max(2 * WINDOW)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// Spreads small numbers over all keys.
    fn key(number: u64) -> u64 {
        number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let numbers = (any::<u32>(), any::<u32>(), any::<u16>(), 1..=255_u8, any::<u8>());
        (0..40_u64, 0..6_u32, numbers).prop_map(|(board, hand, (pn, dn, length, amount, flags))| {
            Entry { board: key(board), hand, pn, dn, length, amount, flags }
        })
    }

    proptest! {
        #[test]
        fn a_slot_keeps_the_entry(entry in entry()) {
            prop_assert_eq!(Entry::unpack(entry.pack()), entry);
        }

        #[test]
        fn entries_go_through_bytes_and_a_copy_lies_as_the_original(
            entries in proptest::collection::vec(entry(), 0..400)
        ) {
            let mut table = TranspositionTable::with_bytes(500 * 24);
            for entry in entries {
                let sound = (entry.pn | entry.dn) != 0
                    && entry.pn.max(entry.dn) <= Entry::INFINITE;
                prop_assert_eq!(Entry::from_bytes(entry.to_bytes()), sound.then_some(entry));
                table.store(entry);
                if entry.hand == 0 {
                    table.remove(entry.board, entry.hand);
                }
            }
            let mut copy = TranspositionTable::with_bytes(500 * 24);
            table.iter().for_each(|entry| copy.store(entry));
            prop_assert_eq!(copy.slots, table.slots);
            prop_assert_eq!(copy.len, table.len);
        }

        /// While there is room, the table is a map; the 240 keys do not fill its 600 slots.
        #[test]
        fn a_roomy_table_is_a_map(
            operations in proptest::collection::vec((entry(), 0..4_u8), 0..600)
        ) {
            let mut table = TranspositionTable::with_bytes(600 * 24);
            let mut map = HashMap::new();
            for (entry, choice) in operations {
                if choice == 0 {
                    let removed = map.remove(&(entry.board, entry.hand)).is_some();
                    prop_assert_eq!(table.remove(entry.board, entry.hand), removed);
                } else {
                    map.insert((entry.board, entry.hand), entry);
                    table.store(entry);
                }
                prop_assert_eq!(table.len(), map.len());
            }
            for board in (0..40).map(key) {
                let found: HashMap<_, _> = table.entries(board).map(|e| (e.hand, e)).collect();
                for hand in 0..6 {
                    prop_assert_eq!(table.find(board, hand), map.get(&(board, hand)).copied());
                    prop_assert_eq!(found.get(&hand), map.get(&(board, hand)));
                }
            }
        }
    }

    #[test]
    fn entries_are_24_bytes_and_the_size_is_kept() {
        assert_eq!(size_of::<Slot>(), 24);
        assert_eq!(TranspositionTable::with_bytes(24_000).capacity(), 1000);
        assert!(TranspositionTable::with_bytes(0).capacity() > 0);
    }

    /// Growing loses nothing, and what grows as far as it can is like a table of that size.
    #[test]
    fn a_table_that_grows_is_a_map_too() {
        let limit = 3_000_000;
        let bytes = limit * 24 / 16 * 17;
        let mut table = TranspositionTable::growing_to(bytes);
        let mut map = HashMap::new();
        let mut capacities = vec![table.capacity()];
        for i in 0..400_000_u64 {
            let board = key(i * i % 300_007);
            let entry = Entry { board, hand: (i % 3) as u32, pn: i as u32, ..Entry::default() };
            if i % 5 == 0 {
                let removed = map.remove(&(entry.board, entry.hand)).is_some();
                assert_eq!(table.remove(entry.board, entry.hand), removed);
            } else {
                map.insert((entry.board, entry.hand), entry);
                table.store(entry);
            }
            if table.capacity() != capacities[capacities.len() - 1] {
                capacities.push(table.capacity());
            }
            assert!(table.len() == map.len() && table.len() * 2 <= table.capacity() + 1);
        }
        assert_eq!(capacities, [5_859, 46_872, 374_976, limit][..capacities.len()]);
        assert!(capacities.len() >= 3);
        for (&(board, hand), &entry) in &map {
            assert_eq!(table.find(board, hand), Some(entry));
        }
        for i in 0..4_000_000 {
            table.store(Entry { board: key(i), ..Entry::default() });
        }
        assert!(table.sweeps() > 0 && table.hashfull() > 500 && table.capacity() == limit);
        assert!(table.peak_bytes() > limit * 24 && table.peak_bytes() <= bytes);
        table.clear();
        assert_eq!((table.len(), table.capacity()), (0, 5_859));
        assert_eq!(table.peak_bytes(), 5_859 * 24);
    }

    #[test]
    fn a_full_table_stays_within_its_slots_and_keeps_what_is_valuable() {
        let mut table = TranspositionTable::with_bytes(10_000 * 24);
        let valuable = |i| Entry { board: key(i), amount: 200, ..Entry::default() };
        let proved = |i| Entry { board: key(i), pn: 0, ..Entry::default() };
        (0..1000).for_each(|i| table.store(valuable(i)));
        (1000..3000).for_each(|i| table.store(proved(i)));
        for i in 3000..100_000 {
            table.store(Entry { board: key(i), hand: i as u32, ..Entry::default() });
            assert!(table.len() * 10 <= table.capacity() * 9 + 10);
        }
        assert!(table.sweeps() > 10 && table.hashfull() > 500);
        assert!((0..1000).all(|i| table.find(key(i), 0) == Some(valuable(i))));
        assert!((1000..3000).all(|i| table.find(key(i), 0) == Some(proved(i))));
        let kept = (3000..100_000).filter(|&i| table.find(key(i), i as u32).is_some()).count();
        assert_eq!(kept, table.len() - 3000, "what is counted can be found");
        table.clear();
        assert_eq!((table.len(), table.find(key(0), 0)), (0, None));
    }

    #[test]
    fn of_too_many_hands_of_one_board_the_valuable_stay() {
        let mut table = TranspositionTable::with_bytes(100_000);
        for hand in 0..1000 {
            let amount = if hand % 20 == 0 { 9 } else { 2 };
            table.store(Entry { board: 5, hand, amount, ..Entry::default() });
        }
        assert_eq!(table.entries(5).count(), WINDOW);
        assert!((0..1000).step_by(20).all(|hand| table.find(5, hand).is_some()));
    }
}
