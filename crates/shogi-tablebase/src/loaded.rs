//! Whole tables in memory.

use rayon::prelude::*;

use crate::deep;
use crate::error::FileError;
use crate::header::Stored;
use crate::tablebase::Tablebase;
use crate::value::Value;
use crate::world::World;

/// Blocks that are decompressed before they are joined.
const BATCH: u64 = 1024;

/// The bytes of a tablebase in memory.
pub(crate) struct Loaded {
    stored: Stored,
    bytes: Vec<u8>,
    /// In growing order, the numbers with more plies than a byte holds, and these.
    deep: Vec<(u64, u32)>,
}

impl<R: World> Tablebase<R> {
    /// The whole table in memory.
    pub(crate) fn load(&self) -> Result<Loaded, FileError> {
        let container = self.container();
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
        Ok(Loaded { stored: self.stored(), bytes, deep })
    }
}

impl Loaded {
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
