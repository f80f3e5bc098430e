//! Numbered units of work, on several threads or on this one, with results in order of number.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use shogi_rules::threads::spawn_scoped;
use shogi_search::Control;

/// Does the work with a number; the result is `None` once `control` has stopped it.
pub(crate) type Worker<'w, Done> = Box<dyn FnMut(u32, &Control) -> Option<Done> + 'w>;

/// Does the work with a number, keeps the result, and returns whether there is one.
type KeepingWorker<'w> = Box<dyn FnMut(u32, &Control) -> bool + 'w>;

/// Does the work with these numbers, and passes the results in order to `each` until it breaks. Returns whether it did.
/// Several threads are started; a single one is this one, since WebAssembly has no other.
///
/// `worker` makes the worker of each thread.
///
/// # Panics
///
/// If the system refuses a thread, or a unit of work panics.
pub(crate) fn in_order<'w, Done: Send>(
    numbers: Range<u32>,
    threads: usize,
    worker: &(dyn Fn() -> Worker<'w, Done> + Sync),
    each: &mut dyn FnMut(Done) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // The results are kept here, and the threads pass numbers.
    let results = &Mutex::new(Vec::new());
    let results_now = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let keeping_worker = || -> KeepingWorker<'_> {
        let mut work = worker();
        Box::new(move |number, control| {
            let Some(done) = work(number, control) else { return false };
            results_now().push((number, done));
            true
        })
    };
    numbers_in_order(numbers, threads, &keeping_worker, &mut |wanted| {
        let mut results = results_now();
        let Some(place) = results.iter().position(|&(number, _)| number == wanted) else {
            return ControlFlow::Continue(());
        };
        let (_, done) = results.swap_remove(place);
        drop(results);
        each(done)
    })
}

/// Does the work with these numbers, and passes the finished numbers in order to `each` until it breaks.
fn numbers_in_order<'w>(
    numbers: Range<u32>,
    threads: usize,
    worker: &(dyn Fn() -> KeepingWorker<'w> + Sync),
    each: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let control = &Control::new();
    if threads <= 1 {
        let mut work = worker();
        return numbers.take_while(|&number| work(number, control)).try_for_each(each);
    }
    let next = &AtomicU32::new(numbers.start);
    let (sender, done) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let started = spawn_scoped(scope, move || {
                let mut work = worker();
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= numbers.end || control.is_stopped() {
                        break;
                    }
                    if !work(number, control) || sender.send(number).is_err() {
                        break;
                    }
                }
            });
            started.expect("a thread for the work");
        }
        // The numbers end when the last thread has ended.
        drop(sender);
        let mut early = BTreeSet::new();
        let mut wanted = numbers.start;
        for number in done {
            early.insert(number);
            while early.remove(&wanted) {
                if each(wanted).is_break() {
                    control.stop();
                    return ControlFlow::Break(());
                }
                wanted += 1;
            }
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
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
