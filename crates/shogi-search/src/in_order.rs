//! Numbered pieces of work on several threads, whose results come in the order of their numbers.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use crate::limits::Control;

/// Does the work with these numbers, each on one of several threads, and gives the results in order to
/// `each` until that breaks off. Whether it did, and with what.
///
/// Each thread works with what `tools` makes for it. Work gives `None` once `control` has stopped it.
///
/// # Panics
///
/// If the system refuses a thread, or a piece of work panics.
pub(crate) fn in_order<Tools, Done: Send, Broken>(
    numbers: Range<u32>,
    threads: usize,
    tools: impl Fn() -> Tools + Sync,
    work: impl Fn(u32, &mut Tools, &Control) -> Option<Done> + Sync,
    mut each: impl FnMut(Done) -> ControlFlow<Broken>,
) -> ControlFlow<Broken> {
    let next = AtomicU32::new(numbers.start);
    let control = Control::new();
    let results = Mutex::new(Waiting { wanted: numbers.start, results: VecDeque::new() });
    thread::scope(|scope| {
        // Only numbers are sent: a channel is a lot of code for every type that goes through one.
        let (done, finished) = mpsc::channel::<u32>();
        for _ in 0..threads.max(1) {
            let done = done.clone();
            let (next, control, results, tools, work) = (&next, &control, &results, &tools, &work);
            scope.spawn(move || {
                let mut tools = tools();
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= numbers.end || control.is_stopped() {
                        break;
                    }
                    let Some(result) = work(number, &mut tools, control) else { break };
                    lock(results).put(number, result);
                    // The receiver is gone once the work was broken off.
                    if done.send(number).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done);
        for _ in finished {
            loop {
                // Not held while the result is looked at, so that no thread waits for that.
                let Some(result) = lock(&results).next() else { break };
                let flow = each(result);
                if flow.is_break() {
                    control.stop();
                    return flow;
                }
            }
        }
        ControlFlow::Continue(())
    })
}

/// Results that came before their turn.
struct Waiting<Done> {
    /// The number of the first.
    wanted: u32,
    results: VecDeque<Option<Done>>,
}

impl<Done> Waiting<Done> {
    fn put(&mut self, number: u32, result: Done) {
        let place = (number - self.wanted) as usize;
        while self.results.len() <= place {
            self.results.push_back(None);
        }
        self.results[place] = Some(result);
    }

    /// The one whose turn it is, if it is there.
    fn next(&mut self) -> Option<Done> {
        let result = self.results.front_mut()?.take()?;
        self.results.pop_front();
        self.wanted += 1;
        Some(result)
    }
}

/// Nothing that panics is done while the results are locked.
fn lock<T>(results: &Mutex<T>) -> MutexGuard<'_, T> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [0, 1, 2, 7] {
            let made = AtomicU32::new(0);
            let mut seen = Vec::new();
            let flow: ControlFlow<()> = in_order(
                3..40,
                threads,
                || made.fetch_add(1, Relaxed),
                |number, _, _| {
                    // Every third is late.
                    if number % 3 == 0 {
                        thread::yield_now();
                    }
                    Some(number * number)
                },
                |square| {
                    seen.push(square);
                    ControlFlow::Continue(())
                },
            );
            assert!(flow.is_continue());
            assert_eq!(seen, (3..40).map(|number| number * number).collect::<Vec<u32>>());
            assert_eq!(made.into_inner() as usize, threads.max(1));
        }
    }

    #[test]
    fn breaking_off_stops_the_work() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let flow = in_order(
                0..u32::MAX,
                threads,
                || (),
                |number, (), control| (!control.is_stopped()).then_some(number),
                |number| {
                    seen.push(number);
                    if number == 20 {
                        ControlFlow::Break("enough")
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            assert_eq!(flow, ControlFlow::Break("enough"));
            assert_eq!(seen, (0..=20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_numbers_are_no_work() {
        let flow: ControlFlow<()> = in_order(
            5..5,
            2,
            || (),
            |_, (), _| -> Option<()> { unreachable!() },
            |()| unreachable!(),
        );
        assert!(flow.is_continue());
    }
}
