//! Whole tables in memory.

use std::mem;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::container::Container;
use crate::deep;
use crate::error::FileError;
use crate::header::Stored;
use crate::parallel::{self, lock};
use crate::statistics::Statistics;
use crate::value::Value;

/// Blocks that are decompressed before they are joined.
const BATCH: u64 = 1024;

/// The bytes of a tablebase in memory.
pub(crate) struct Loaded {
    stored: Stored,
    bytes: Vec<u8>,
    /// The numbers with more plies than a byte holds, in rising order, with the plies.
    deep: Vec<(u64, u32)>,
}

impl Loaded {
    /// The bytes of a finished build, and the positions of more plies than a byte holds in order of number.
    pub(crate) const fn new(bytes: Vec<u8>, deep: Vec<(u64, u32)>) -> Self {
        Self { stored: Stored::Plies, bytes, deep }
    }

    /// The whole table of a file.
    pub(crate) fn read(container: &Container, stored: Stored) -> Result<Self, FileError> {
        let layout = container.layout();
        let mut bytes = Vec::with_capacity(layout.size as usize);
        let mut deep = Vec::new();
        for first in (0..layout.blocks()).step_by(BATCH as usize) {
            let batch = first..layout.blocks().min(first + BATCH);
            let blocks = parallel::map(batch.clone(), &|block| container.block(block));
            for (number, block) in batch.zip(blocks) {
                let block = block?;
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

    /// Counts the positions with numbers below `size` by value, except those that are left out.
    pub(crate) fn statistics(
        &self,
        size: u64,
        is_left_out: &(dyn Fn(u64) -> bool + Sync),
    ) -> Statistics {
        let all = Mutex::new(Statistics::default());
        parallel::in_blocks(size, &|ranks| {
            let mut counts = Statistics::default();
            for rank in ranks {
                if let Some(value) = self.value(rank)
                    && !is_left_out(rank)
                {
                    counts.add(value);
                }
            }
            let mut all = lock(&all);
            *all = mem::take(&mut *all).merged(&counts);
        });
        mem::take(&mut *lock(&all))
    }

    /// The smallest number below `size` of a position that is won or lost in this many plies.
    pub(crate) fn first_of(&self, size: u64, plies: u32) -> Option<u64> {
        let has_plies = |value: Value| value.plies == Some(plies);
        let first = AtomicU64::new(size);
        parallel::in_blocks(size, &|ranks| {
            for rank in ranks.start..ranks.end.min(first.load(Relaxed)) {
                if self.value(rank).is_some_and(has_plies) {
                    first.fetch_min(rank, Relaxed);
                    break;
                }
            }
        });
        Some(first.into_inner()).filter(|&rank| rank < size)
    }

    /// The value of the position with a number; `None` if no legal position has it.
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
