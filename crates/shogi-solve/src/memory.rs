//! What a search remembers, and how its bytes are shared out.

use rustc_hash::FxHashMap;

use crate::search::Settled;
use crate::table::{Entry, Table};

/// Bytes that a map from keys takes at most with so many items: of sixteen places at least
/// seven are taken, and each has a byte of its own.
pub(crate) const fn map_bytes<T>(items: usize) -> usize {
    items * (size_of::<(u64, T)>() + 1) * 16 / 7
}

/// However little memory a search is given, so much is for its path, and for what lies aside.
const LEAST: usize = 1 << 18;

/// The table of a search and the positions that were settled, within so many bytes.
///
/// One part in sixteen is left to the path from the root ([`Memory::path_bytes`]), one in eight to
/// what lies aside: the settled positions, and what is collected to close a disproof or to order a
/// proof ([`Memory::spare_bytes`]). The rest is the table's.
pub(crate) struct Memory {
    pub(crate) table: Table,
    /// Positions whose value is settled outside the table, by key.
    settled: FxHashMap<u64, Settled>,
    bytes: usize,
}

impl Memory {
    /// Panics if the system refuses the memory.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let table = Table::with_bytes(bytes - bytes / 16 - bytes / 8);
        Self { table, settled: FxHashMap::default(), bytes }
    }

    /// Bytes that the path may take.
    pub(crate) fn path_bytes(&self) -> usize {
        (self.bytes / 16).max(LEAST)
    }

    /// Bytes that may be taken aside now.
    pub(crate) fn spare_bytes(&self) -> usize {
        (self.bytes / 8).max(LEAST) - self.settled_bytes()
    }

    /// What the settled positions take at most.
    fn settled_bytes(&self) -> usize {
        map_bytes::<Settled>(self.settled.len())
    }

    /// Bytes that are taken now.
    pub(crate) fn bytes(&self) -> usize {
        self.table.capacity() * Entry::BYTES + self.settled_bytes()
    }

    /// What was settled of a position.
    #[inline]
    pub(crate) fn settled(&self, key: u64) -> Option<Settled> {
        // Mostly nothing is settled, and then nothing is looked up.
        if self.settled.is_empty() { None } else { self.settled.get(&key).copied() }
    }

    /// Notes what holds of a position. Of what lies aside half is for such notes; a new one that
    /// comes when they fill it is lost, as an entry of a full table may be.
    pub(crate) fn settle(&mut self, key: u64, settled: Settled) {
        let room = self.settled_bytes() < (self.bytes / 8).max(LEAST) / 2;
        if room || self.settled.contains_key(&key) {
            self.settled.insert(key, settled);
        }
    }

    /// All that is settled, by rising key.
    pub(crate) fn all_settled(&self) -> Vec<(u64, Settled)> {
        let mut all: Vec<_> = self.settled.iter().map(|(&key, &settled)| (key, settled)).collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        all
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.settled = FxHashMap::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_within_the_whole() {
        for bytes in [8 << 20, 64 << 20, (100 << 20) + 17] {
            let mut memory = Memory::with_bytes(bytes);
            let parts = memory.bytes() + memory.path_bytes() + memory.spare_bytes();
            assert!(parts <= bytes && parts + 24 > bytes, "{bytes}");
            let spare = memory.spare_bytes();
            for key in 0..bytes as u64 / 64 {
                memory.settle(key, Settled::Disproved);
            }
            assert_eq!(memory.settled(5), Some(Settled::Disproved));
            assert!(memory.spare_bytes() >= spare / 2 - 64 && memory.spare_bytes() < spare);
            assert_eq!(memory.bytes() + memory.path_bytes() + memory.spare_bytes(), parts);
            assert!(
                memory.settled.capacity() * 17 * 8 / 7 <= spare,
                "no larger than it is taken for"
            );
            // What is settled already can be settled anew.
            memory.settle(5, Settled::Proved { plies: 3 });
            assert_eq!(memory.settled(5), Some(Settled::Proved { plies: 3 }));
            memory.forget();
            assert_eq!((memory.settled(5), memory.spare_bytes()), (None, spare));
        }
    }
}
