//! Threads that are woken one by one, compiled once for all games.

use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Threads, known by their numbers, that wait for being woken.
#[derive(Default)]
pub(super) struct Staff {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Those who were woken and have not begun.
    woken: Vec<usize>,
    /// Those who have done what they were woken for.
    done: Vec<usize>,
    /// Whether nobody is woken any more.
    is_over: bool,
}

/// Runs `lead` here with `count` threads: each calls `work` with its number whenever it is woken. They end after
/// `lead`.
pub(super) fn side_by_side(
    count: usize,
    work: &(dyn Fn(usize) + Sync),
    lead: &mut dyn FnMut(&Staff),
) {
    let staff = &Staff::default();
    thread::scope(|scope| {
        let _end = End(staff);
        for number in 0..count {
            scope.spawn(move || staff.serve(number, work));
        }
        lead(staff);
    });
}

impl Staff {
    /// Has a thread do its work once.
    pub(super) fn wake(&self, number: usize) {
        self.change(|state| state.woken.push(number));
    }

    /// Waits until a thread has done what it was woken for, but no longer than this: which one, if any has.
    /// Breaks if a thread has panicked, and so does the scope at its end.
    pub(super) fn wait(&self, longest: Duration) -> ControlFlow<(), Option<usize>> {
        let waits = |state: &mut State| state.done.is_empty() && !state.is_over;
        let waited = self.changed.wait_timeout_while(self.lock(), longest, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.done.is_empty() {
            true if state.is_over => ControlFlow::Break(()),
            true => ControlFlow::Continue(None),
            false => ControlFlow::Continue(Some(state.done.remove(0))),
        }
    }

    /// Works whenever the thread with this number is woken, until all is over.
    fn serve(&self, number: usize, work: &dyn Fn(usize)) {
        let _end = End(self);
        while self.is_woken(number) {
            work(number);
            self.change(|state| state.done.push(number));
        }
    }

    /// Waits until a thread is woken, or all is over; whether it is woken.
    fn is_woken(&self, number: usize) -> bool {
        let waits = |state: &mut State| !state.woken.contains(&number) && !state.is_over;
        let waited = self.changed.wait_while(self.lock(), waits);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.woken.retain(|&woken| woken != number);
        !state.is_over
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Nothing that panics is done while it is locked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work of all where the leader has ended, or somebody panics.
struct End<'s>(&'s Staff);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_over = true);
    }
}
