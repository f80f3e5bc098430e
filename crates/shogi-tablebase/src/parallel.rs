//! Work on all threads of the rayon pool, compiled once.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers in a block, the unit of work.
pub(crate) const BLOCK: u64 = 4096;

/// The numbers of a block, of those below `size`.
pub(crate) fn numbers_of(block: u64, size: u64) -> Range<u64> {
    block * BLOCK..((block + 1) * BLOCK).min(size)
}

/// Calls a function with the numbers below `size`, block by block.
pub(crate) fn in_blocks(size: u64, each: &(dyn Fn(Range<u64>) + Sync)) {
    for_each(0..size.div_ceil(BLOCK), &|block| each(numbers_of(block, size)));
}

/// What a function makes of each of some numbers, in their order.
pub(crate) fn map<T: Send>(numbers: Range<u64>, each: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    let mut places = Vec::new();
    for _ in numbers.clone() {
        places.push(Mutex::new(None));
    }
    for_each(numbers.clone(), &|number| {
        let made = each(number);
        *lock(&places[(number - numbers.start) as usize]) = Some(made);
    });
    let mut all = Vec::with_capacity(places.len());
    for place in &places {
        all.extend(lock(place).take());
    }
    all
}

/// Each thread takes the next number when it has done with one, which is a third of the code of a parallel
/// iterator.
fn for_each(numbers: Range<u64>, each: &(dyn Fn(u64) + Sync)) {
    let next = AtomicU64::new(numbers.start);
    let work = || loop {
        let number = next.fetch_add(1, Relaxed);
        if number >= numbers.end {
            break;
        }
        each(number);
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
    });
}

/// What is behind the locks of this crate is whole after every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
