//! The storage of a search: its own table, or one that several searches use at the same time.

#[cfg(feature = "proof")]
use std::io;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::forks::Spot;
#[cfg(feature = "proof")]
use crate::table::Entry;
use crate::table::TranspositionTable;

/// Parts of a shared table, each behind its own lock, so that searches seldom wait for each other.
const PARTS: usize = 64;
/// Counters for the spots on paths.
const COUNTERS: usize = 1 << 17;

/// The table of a search.
#[derive(Debug)]
pub enum Store<'t> {
    /// Its own table.
    Own(&'t mut TranspositionTable),
    /// A table shared with other searches.
    Shared(&'t SharedTable),
}

impl<'t> From<&'t mut TranspositionTable> for Store<'t> {
    fn from(table: &'t mut TranspositionTable) -> Self {
        Self::Own(table)
    }
}

impl<'t> From<&'t SharedTable> for Store<'t> {
    fn from(table: &'t SharedTable) -> Self {
        Self::Shared(table)
    }
}

impl<'t> Store<'t> {
    /// Reads entries of a board, under any key.
    #[inline(always)]
    pub fn read<T>(&self, board: u64, read: impl FnOnce(&TranspositionTable) -> T) -> T {
        let guard;
        read(match self {
            Self::Own(table) => table,
            Self::Shared(shared) => {
                guard = shared.part(board);
                &guard
            }
        })
    }

    /// Reads and changes entries of a board, under any key, while no other search does.
    #[inline(always)]
    pub fn change<T>(
        &mut self,
        board: u64,
        change: impl FnOnce(&mut TranspositionTable) -> T,
    ) -> T {
        let mut guard;
        change(match self {
            Self::Own(table) => table,
            Self::Shared(shared) => {
                guard = shared.part(board);
                &mut guard
            }
        })
    }

    /// The table, if it is shared.
    pub const fn shared(&self) -> Option<&'t SharedTable> {
        match self {
            Self::Own(_) => None,
            Self::Shared(shared) => Some(shared),
        }
    }

    /// The greatest number of slots, for each search that uses the table.
    pub fn most_slots(&self) -> usize {
        match self {
            Self::Own(table) => table.most_slots(),
            Self::Shared(shared) => shared.part(0).most_slots() * PARTS / shared.searches,
        }
    }

    /// Used slots in thousandths of the greatest number of slots.
    pub fn hashfull(&self) -> u32 {
        match self {
            Self::Own(table) => table.hashfull(),
            // Keys are random, so all parts are as full as the first.
            Self::Shared(shared) => shared.part(0).hashfull(),
        }
    }
}

/// A table for several searches from the same root, with the places of their paths.
#[derive(Debug)]
pub struct SharedTable {
    parts: Vec<Mutex<TranspositionTable>>,
    searches: usize,
    /// Numbers of searches with a spot on their path; spots may share a counter.
    visitors: Vec<AtomicU16>,
    decided: AtomicUsize,
}

impl SharedTable {
    /// A table for this many searches with at most this many bytes, but at least some kilobytes.
    pub fn growing_to(bytes: usize, searches: usize) -> Self {
        let part = || Mutex::new(TranspositionTable::growing_to(bytes / PARTS));
        Self {
            parts: std::iter::repeat_with(part).take(PARTS).collect(),
            searches: searches.max(1),
            visitors: std::iter::repeat_with(AtomicU16::default).take(COUNTERS).collect(),
            decided: AtomicUsize::new(0),
        }
    }

    /// The part with all entries of a board.
    #[inline(never)]
    fn part(&self, board: u64) -> MutexGuard<'_, TranspositionTable> {
        // Within a part the high bits choose.
        let part = &self.parts[board as usize & (PARTS - 1)];
        // No operation under a lock panics half-way.
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of entries.
    #[cfg(feature = "proof")]
    pub fn len(&self) -> usize {
        (0..PARTS as u64).map(|part| self.part(part).len()).sum()
    }

    /// Gives each entry, in any order.
    #[cfg(feature = "proof")]
    pub fn each_entry(&self, visit: &mut dyn FnMut(Entry) -> io::Result<()>) -> io::Result<()> {
        (0..PARTS as u64).try_for_each(|part| self.part(part).iter().try_for_each(&mut *visit))
    }

    /// Grows an empty table to hold this many entries, as far as it may grow.
    #[cfg(feature = "proof")]
    pub fn reserve(&self, entries: usize) {
        // Keys are random: no part has a sixteenth more than its share, unless there are few.
        let share = entries / PARTS + entries / PARTS / 16;
        (0..PARTS as u64).for_each(|part| self.part(part).reserve(share));
    }

    /// Stores an entry.
    #[cfg(feature = "proof")]
    pub fn store(&self, entry: Entry) {
        self.part(entry.board).store(entry);
    }

    fn counter(&self, spot: u64) -> &AtomicU16 {
        &self.visitors[(spot >> 32) as usize & (COUNTERS - 1)]
    }

    /// Number of searches with a spot of this key on their path.
    pub fn visitors(&self, spot: u64) -> u16 {
        self.counter(spot).load(Ordering::Relaxed)
    }

    /// Notes that a search puts a spot on its path.
    pub fn enter(&self, spot: Spot) {
        self.counter(spot.key()).fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a search removes a spot from its path, after storing its findings. If they are final and
    /// other searches are there, these must check their paths.
    pub fn leave(&self, spot: Spot, is_final: bool) {
        let before = self.counter(spot.key()).fetch_sub(1, Ordering::Relaxed);
        if before > 1 && is_final {
            self.decided.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Number of decisions of spots that may be on other paths.
    pub fn decided(&self) -> usize {
        self.decided.load(Ordering::Relaxed)
    }

    /// The peak of bytes in use by the table.
    pub fn peak_bytes(&self) -> usize {
        let table: usize = (0..PARTS as u64).map(|part| self.part(part).peak_bytes()).sum();
        table + COUNTERS * size_of::<AtomicU16>()
    }
}
