//! Wins and losses of more plies than a byte holds.

use std::ops::Range;

use crate::value::{LONGEST, is_deep};

/// The most bytes of memory for a listed position: its number, room for the list to grow, and a copy
/// while the lists of several threads are joined.
const POSITION: u64 = 24;

/// The positions of more plies than a byte holds, by plies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Deep {
    /// The numbers of the positions of `LONGEST + 1` plies and more, one list for each. Only the last
    /// list is unsorted, while its pass runs.
    lists: Vec<Vec<u64>>,
}

impl Deep {
    /// The positions of this many plies, which must be more than a byte holds.
    pub(crate) fn list(&self, plies: u32) -> &[u64] {
        self.lists.get((plies - LONGEST - 1) as usize).map_or(&[], Vec::as_slice)
    }

    /// Adds positions of this many plies.
    pub(crate) fn extend(&mut self, plies: u32, ranks: &[u64]) {
        if ranks.is_empty() {
            return;
        }
        let place = (plies - LONGEST - 1) as usize;
        if self.lists.len() <= place {
            self.lists.resize(place + 1, Vec::new());
        }
        self.lists[place].extend_from_slice(ranks);
    }

    /// Sorts the last list once it is complete.
    pub(crate) fn sort(&mut self) {
        if let Some(last) = self.lists.last_mut() {
            last.sort_unstable();
            last.dedup();
        }
    }

    /// Number of listed positions.
    pub(crate) fn len(&self) -> u64 {
        self.lists.iter().map(|list| list.len() as u64).sum()
    }

    /// The most bytes of memory that the lists take.
    pub(crate) fn bytes(&self) -> u64 {
        POSITION * self.len()
    }

    /// The most plies; `None` without a position.
    pub(crate) fn longest(&self) -> Option<u32> {
        (!self.lists.is_empty()).then(|| LONGEST + self.lists.len() as u32)
    }

    /// All positions and their plies, in the order of their numbers.
    pub(crate) fn by_rank(&self) -> Vec<(u64, u32)> {
        let mut all = Vec::new();
        for (plies, list) in (LONGEST + 1..).zip(&self.lists) {
            all.extend(list.iter().map(|&rank| (rank, plies)));
        }
        all.sort_unstable();
        all
    }

    /// The plies of the positions in a range of numbers, in order of number.
    pub(crate) fn plies(&self, ranks: Range<u64>) -> Vec<u32> {
        // Each with its place in the range above its plies, so that all are sorted as plain numbers.
        let mut found = Vec::new();
        let mut plies = u64::from(LONGEST);
        for list in &self.lists {
            plies += 1;
            let start = list.partition_point(|&rank| rank < ranks.start);
            for &rank in &list[start..] {
                if rank >= ranks.end {
                    break;
                }
                found.push((rank - ranks.start) << u32::BITS | plies);
            }
        }
        found.sort_unstable();
        found.into_iter().map(|found| found as u32).collect()
    }
}

/// Bytes for the plies of a position after a block.
const PLIES: usize = size_of::<u32>();

/// Appends plies to the bytes of a block, in the order of the bytes that cannot hold them.
pub(crate) fn append(block: &mut Vec<u8>, plies: &[u32]) {
    for plies in plies {
        block.extend_from_slice(&plies.to_le_bytes());
    }
}

/// The most bytes of a block of this length with its appended plies.
pub(crate) const fn most(length: usize) -> usize {
    length * (1 + PLIES)
}

/// Number of bytes that are appended to these in a block.
pub(crate) fn appended(bytes: &[u8]) -> usize {
    PLIES * bytes.iter().filter(|&&byte| is_deep(byte)).count()
}

/// The plies that were appended to the first `length` bytes of a block, by their places in it.
pub(crate) fn plies_in(block: &[u8], length: usize) -> impl Iterator<Item = (usize, u32)> {
    let (bytes, plies) = block.split_at(length.min(block.len()));
    let places = bytes.iter().enumerate().filter(|&(_, &byte)| is_deep(byte));
    let plies = plies
        .chunks_exact(PLIES)
        .map(|plies| plies.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)));
    places.map(|(place, _)| place).zip(plies)
}

/// The plies that were appended for one byte of a block, if the byte cannot hold them.
pub(crate) fn plies_at(block: &[u8], length: usize, place: usize) -> Option<u32> {
    is_deep(*block.get(place)?)
        .then(|| plies_in(block, length).find(|&(at, _)| at == place))
        .flatten()
        .map(|(_, plies)| plies)
}
