//! Numbered pieces of work on several threads, whose results come in the order of their numbers.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::Control;
use crate::threads::{Helper, beside};

/// Does the work with a number, which is `None` once `control` has stopped it.
pub(crate) type Worker<'w, Done> = Box<dyn FnMut(u32, &Control) -> Option<Done> + 'w>;

/// Does the work with these numbers, each on one of several threads, and gives the results in order to
/// `each` until that breaks off. Whether it did.
///
/// Each thread works with what `worker` makes for it.
///
/// # Panics
///
/// If the system refuses a thread, or a piece of work panics.
pub(crate) fn in_order<'w, Done: Send>(
    numbers: Range<u32>,
    threads: usize,
    worker: &(dyn Fn() -> Worker<'w, Done> + Sync),
    each: &mut dyn FnMut(Done) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let control = Control::new();
    // Those that came before their turn, with their numbers.
    let results = Mutex::new(Vec::new());
    let step = || -> Step<'_> {
        let mut work = worker();
        let (control, results) = (&control, &results);
        Box::new(move |number| match work(number, control) {
            None => false,
            Some(result) => {
                lock(results).push((number, result));
                true
            }
        })
    };
    let mut flow = ControlFlow::Continue(());
    numbers_in_order(numbers, threads, &control, &step, &mut |number| {
        // Not held while the result is looked at, so that no thread waits for that.
        if let Some(result) = take(&mut lock(&results), number) {
            flow = each(result);
        }
        flow.is_continue()
    });
    flow
}

/// Does the work with a number; whether it came to an end.
type Step<'w> = Box<dyn FnMut(u32) -> bool + 'w>;

/// Has threads do the work with these numbers, and calls `each` with the numbers in order until it is false,
/// which stops the work.
fn numbers_in_order<'w>(
    numbers: Range<u32>,
    threads: usize,
    control: &Control,
    step: &(dyn Fn() -> Step<'w> + Sync),
    each: &mut dyn FnMut(u32) -> bool,
) {
    let next = AtomicU32::new(numbers.start);
    let threads = threads.max(1);
    let finished = Finished::by(threads);
    let mut helpers: Vec<Helper<'_>> = Vec::new();
    for _ in 0..threads {
        helpers.push(Box::new(|| {
            let _leaves = Leaves(&finished);
            let mut work = step();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= numbers.end || control.is_stopped() || !work(number) {
                    break;
                }
                finished.add(number);
            }
        }));
    }
    beside(helpers, &mut || {
        for wanted in numbers.clone() {
            if !finished.take(wanted) {
                break;
            }
            if !each(wanted) {
                control.stop();
                break;
            }
        }
    });
}

/// The work that is done, known by its numbers.
struct Finished {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Numbers that were not yet taken.
    numbers: Vec<u32>,
    /// Threads that are at work.
    threads: usize,
}

impl Finished {
    /// Nothing, by so many threads.
    const fn by(threads: usize) -> Self {
        let state = State { numbers: Vec::new(), threads };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn add(&self, number: u32) {
        lock(&self.state).numbers.push(number);
        self.changed.notify_one();
    }

    /// Waits until the work with a number is done, and takes it out; whether it was done before all threads had
    /// ended.
    fn take(&self, number: u32) -> bool {
        let waits = |state: &mut State| state.threads > 0 && !state.numbers.contains(&number);
        let waited = self.changed.wait_while(lock(&self.state), waits);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let before = state.numbers.len();
        state.numbers.retain(|&finished| finished != number);
        state.numbers.len() < before
    }
}

/// Counts a thread out at its end, also where it panics.
struct Leaves<'f>(&'f Finished);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).threads -= 1;
        self.0.changed.notify_one();
    }
}

/// Takes the result with a number out of all that are there.
fn take<Done>(results: &mut Vec<(u32, Done)>, number: u32) -> Option<Done> {
    for place in 0..results.len() {
        if results[place].0 == number {
            return Some(results.swap_remove(place).1);
        }
    }
    None
}

/// Nothing that panics is done while anything here is locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::thread;

    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [0, 1, 2, 7] {
            let made = AtomicU32::new(0);
            let mut seen = Vec::new();
            let worker = || -> Worker<'_, u32> {
                made.fetch_add(1, Relaxed);
                Box::new(|number, _| {
                    // Every third is late.
                    if number % 3 == 0 {
                        thread::yield_now();
                    }
                    Some(number * number)
                })
            };
            let flow = in_order(3..40, threads, &worker, &mut |square| {
                seen.push(square);
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            assert_eq!(seen, (3..40).map(|number| number * number).collect::<Vec<u32>>());
            assert_eq!(made.into_inner() as usize, threads.max(1));
        }
    }

    #[test]
    fn breaking_off_stops_the_work() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let worker = || -> Worker<'_, u32> {
                Box::new(|number, control| (!control.is_stopped()).then_some(number))
            };
            let flow = in_order(0..u32::MAX, threads, &worker, &mut |number| {
                seen.push(number);
                if number == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(flow.is_break());
            assert_eq!(seen, (0..=20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_numbers_are_no_work() {
        let worker = || -> Worker<'_, ()> { Box::new(|_, _| unreachable!()) };
        assert!(in_order(5..5, 2, &worker, &mut |()| unreachable!()).is_continue());
    }
}
