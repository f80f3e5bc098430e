//! Threads that are woken one by one, compiled once for all games.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// Hands work out, given what wakes each thread and what tells who has done it.
pub(super) type Lead<'l> = dyn FnMut(&[Sender<()>], &Receiver<usize>) + 'l;

/// Runs `lead` here, with what wakes each of `count` threads, and what tells the numbers of those that have
/// done what they were woken for: each calls `work` with its number then. They end after `lead`.
pub(super) fn side_by_side(count: usize, work: &(dyn Fn(usize) + Sync), lead: &mut Lead<'_>) {
    thread::scope(|scope| {
        let (ready, done) = mpsc::channel();
        let mut wakers = Vec::new();
        for number in 0..count {
            let (wake, waiting) = mpsc::channel();
            let ready = ready.clone();
            scope.spawn(move || {
                for () in waiting {
                    work(number);
                    if ready.send(number).is_err() {
                        return;
                    }
                }
            });
            wakers.push(wake);
        }
        drop(ready);
        lead(&wakers, &done);
        // Without what wakes them they end.
        drop(wakers);
    });
}
