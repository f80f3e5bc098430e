//! The memory of a search and the division of its bytes.

use rustc_hash::FxHashMap;
use shogi_mate::map_bytes;

use crate::game::Parts;
use crate::search::FinalValue;
use crate::table::{Entry, TranspositionTable};

/// The least bytes for the path, and for data outside the table, however little memory a search has.
const MIN_ASIDE: usize = 1 << 18;

/// The table of a search and the final values beside it, within a number of bytes.
///
/// A sixteenth is for the path from the root ([`Memory::path_bytes`]), an eighth for data outside the
/// table: final values, and positions collected to close a disproof or to order a proof
/// ([`Memory::spare_bytes`]). The table has the rest.
pub(crate) struct Memory {
    pub(crate) table: TranspositionTable,
    /// Final values kept outside the table, by key.
    final_values: FxHashMap<u64, FinalValue>,
    bytes: usize,
}

impl Memory {
    /// Panics if the system refuses the memory.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let table = TranspositionTable::with_bytes(bytes - bytes / 16 - bytes / 8);
        Self { table, final_values: FxHashMap::default(), bytes }
    }

    /// Bytes that the path may take.
    pub(crate) fn path_bytes(&self) -> usize {
        (self.bytes / 16).max(MIN_ASIDE)
    }

    /// Bytes now available outside the table.
    pub(crate) fn spare_bytes(&self) -> usize {
        (self.bytes / 8).max(MIN_ASIDE) - self.final_bytes()
    }

    /// The most bytes of the final values.
    fn final_bytes(&self) -> usize {
        map_bytes::<FinalValue>(self.final_values.len())
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.table.capacity() * Entry::BYTES + self.final_bytes()
    }

    /// The final value of a position, if it was set.
    #[inline]
    pub(crate) fn final_value(&self, key: u64) -> Option<FinalValue> {
        // Mostly no value is set, and then nothing is looked up.
        if self.final_values.is_empty() { None } else { self.final_values.get(&key).copied() }
    }

    /// Sets the final value of a position. Half of the bytes outside the table are for such values;
    /// when they are full a new value is lost, as an entry of a full table may be.
    pub(crate) fn set_final(&mut self, key: u64, value: FinalValue) {
        let room = self.final_bytes() < (self.bytes / 8).max(MIN_ASIDE) / 2;
        if room || self.final_values.contains_key(&key) {
            self.final_values.insert(key, value);
        }
    }

    /// Notes a proof from outside the search, unless a proof as short is known.
    pub(crate) fn add_proof(&mut self, Parts { board, hand }: Parts, plies: u32) {
        let length = u16::try_from(plies).unwrap_or(u16::MAX);
        let known = self.table.find(board, hand);
        if known.is_none_or(|known| known.pn != 0 || known.length > length) {
            let amount = known.map_or_else(|| Entry::amount_of(1), |known| known.amount);
            let dn = Entry::INFINITE;
            self.table.store(Entry { board, hand, pn: 0, dn, length, amount, flags: 0 });
        }
    }

    /// All final values, by rising key.
    pub(crate) fn all_final_values(&self) -> Vec<(u64, FinalValue)> {
        let values = self.final_values.iter();
        let mut all: Vec<_> = values.map(|(&key, &value)| (key, value)).collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        all
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.final_values = FxHashMap::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_added_proof_is_kept_as_one_of_the_least_effort() {
        let mut memory = Memory::with_bytes(8 << 20);
        let parts = Parts { board: 5, hand: 7 };
        memory.add_proof(parts, 9);
        let amount = |memory: &Memory| memory.table.find(5, 7).unwrap().amount;
        assert_eq!(amount(&memory), Entry::amount_of(1));
        // The effort of an entry that is there is kept.
        let known =
            Entry { pn: 3, amount: Entry::amount_of(1_000), ..memory.table.find(5, 7).unwrap() };
        memory.table.store(known);
        memory.add_proof(parts, 5);
        assert_eq!(amount(&memory), Entry::amount_of(1_000));
    }

    #[test]
    fn the_parts_are_within_the_whole() {
        for bytes in [8 << 20, 64 << 20, (100 << 20) + 17] {
            let mut memory = Memory::with_bytes(bytes);
            let parts = memory.bytes() + memory.path_bytes() + memory.spare_bytes();
            assert!(parts <= bytes && parts + 24 > bytes, "{bytes}");
            let spare = memory.spare_bytes();
            for key in 0..bytes as u64 / 64 {
                memory.set_final(key, FinalValue::Disproved);
            }
            assert_eq!(memory.final_value(5), Some(FinalValue::Disproved));
            assert!(memory.spare_bytes() >= spare / 2 - 64 && memory.spare_bytes() < spare);
            assert_eq!(memory.bytes() + memory.path_bytes() + memory.spare_bytes(), parts);
            assert!(
                memory.final_values.capacity() * 17 * 8 / 7 <= spare,
                "no larger than it is taken for"
            );
            // An existing value can be replaced.
            memory.set_final(5, FinalValue::Proved { plies: 3 });
            assert_eq!(memory.final_value(5), Some(FinalValue::Proved { plies: 3 }));
            memory.forget();
            assert_eq!((memory.final_value(5), memory.spare_bytes()), (None, spare));
        }
    }
}
