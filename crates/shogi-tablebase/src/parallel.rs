//! Work on all threads of the rayon pool, block by block.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use shogi_rules::threads;

/// Numbers in a block, the unit of work.
pub(crate) const BLOCK: u64 = 4096;

/// The numbers of a block, of those below `size`.
pub(crate) fn numbers_of(block: u64, size: u64) -> Range<u64> {
    block * BLOCK..((block + 1) * BLOCK).min(size)
}

/// Calls a function with the numbers below `size`, block by block.
pub(crate) fn in_blocks(size: u64, each: &(dyn Fn(Range<u64>) + Sync)) {
    map(0..size.div_ceil(BLOCK), &|block| each(numbers_of(block, size)));
}

/// The results of a function on each number, in order.
pub(crate) fn map<T: Send>(numbers: Range<u64>, each: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    threads::map(numbers.collect(), each)
}

/// Locks a mutex, even a poisoned one: the guarded values of this crate are consistent after every
/// step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
