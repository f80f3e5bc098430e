//! Whole tables in memory.

use rayon::prelude::*;

use crate::container::Container;
use crate::deep;
use crate::error::FileError;
use crate::header::Stored;
use crate::statistics::Statistics;
use crate::value::Value;

/// Blocks that are decompressed before they are joined.
const BATCH: u64 = 1024;

/// The bytes of a tablebase in memory.
pub(crate) struct Loaded {
    stored: Stored,
    bytes: Vec<u8>,
    /// In growing order, the numbers with more plies than a byte holds, and these.
    deep: Vec<(u64, u32)>,
}

impl Loaded {
    /// The whole table of a file.
    pub(crate) fn read(container: &Container, stored: Stored) -> Result<Self, FileError> {
        let layout = container.layout();
        let mut bytes = Vec::with_capacity(layout.size as usize);
        let mut deep = Vec::new();
        for first in (0..layout.blocks()).step_by(BATCH as usize) {
            let batch = first..layout.blocks().min(first + BATCH);
            let blocks: Result<Vec<_>, _> =
                batch.clone().into_par_iter().map(|block| container.block(block)).collect();
            for (number, block) in batch.zip(blocks?) {
                let length = container.length(number);
                if layout.has_deep {
                    let start = layout.range(number).start;
                    let plies = deep::plies_in(&block, length);
                    deep.extend(plies.map(|(place, plies)| (start + place as u64, plies)));
                }
                bytes.extend_from_slice(&block[..length]);
            }
        }
        Ok(Self { stored, bytes, deep })
    }

    /// Counts the positions with numbers below `size` by value, without those that are left out.
    pub(crate) fn statistics(
        &self,
        size: u64,
        is_left_out: &(dyn Fn(u64) -> bool + Sync),
    ) -> Statistics {
        let counts = (0..size).into_par_iter().fold(Statistics::default, |mut counts, rank| {
            if let Some(value) = self.value(rank).filter(|_| !is_left_out(rank)) {
                counts.add(value);
            }
            counts
        });
        counts.reduce(Statistics::default, |a, b| a.merged(&b))
    }

    /// The smallest number below `size` of a position that is won or lost in so many plies.
    pub(crate) fn first_of(&self, size: u64, plies: u32) -> Option<u64> {
        let has_plies = |value: Value| value.plies == Some(plies);
        let is_found = |&rank: &u64| self.value(rank).is_some_and(has_plies);
        (0..size).into_par_iter().find_first(is_found)
    }

    /// The value of the position with a number; `None` where no legal position has it.
    pub(crate) fn value(&self, rank: u64) -> Option<Value> {
        let byte = *self.bytes.get((rank / self.stored.positions()) as usize)?;
        match self.stored {
            Stored::Plies => Value::of_byte(byte).map(|value| match value {
                Value { plies: None, .. } => self.deep_value(rank).unwrap_or(value),
                _ => value,
            }),
            Stored::Verdict => Value::of_bits(byte >> (2 * (rank % 4))),
        }
    }

    fn deep_value(&self, rank: u64) -> Option<Value> {
        let place = self.deep.binary_search_by_key(&rank, |&(rank, _)| rank).ok()?;
        Some(Value::of_plies(self.deep[place].1))
    }
}
