//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::builder::{Builder, read};
use super::job::Task;
use super::oracle::NextMove;
use super::progress::Observer;
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::leaf::Leaf;

/// How often the coordinator looks at the clock and the stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A thread with a search.
struct Worker<P> {
    tasks: Sender<Task<P>>,
    is_busy: bool,
    /// The proofs that it knows of.
    known: usize,
}

impl<'g, G, L> Builder<'g, G, L>
where
    G: GameGraph + Sync,
    G::Position: Send + Sync,
    G::Move: Send + Sync,
    L: Leaf<G> + Send,
{
    /// [`Builder::run`] with a thread for each [search](Builder::add_search). What one proves the others
    /// know from their next job on. Which jobs are done depends on the threads' speed; with one search
    /// this is [`Builder::run`].
    ///
    /// # Panics
    ///
    /// If the system refuses a thread.
    pub fn run_parallel(
        &mut self,
        oracle: &mut impl NextMove<G>,
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        if self.searches.len() < 2 {
            return self.run(oracle, budget, observer);
        }
        self.stopped = false;
        let (game, stop) = (self.game, AtomicBool::new(false));
        let mut searches = mem::take(&mut self.searches);
        thread::scope(|scope| {
            let (results, done) = mpsc::channel();
            let known = self.steps();
            let mut workers = Vec::new();
            for (number, search) in searches.iter_mut().enumerate() {
                let (tasks, waiting) = mpsc::channel::<Task<G::Position>>();
                let (results, proofs, stop) = (results.clone(), Arc::clone(&self.proofs), &stop);
                scope.spawn(move || {
                    for task in waiting {
                        let mut budget = Budget::unlimited().stopped_by(stop);
                        let result = task.run(game, search, || read(&proofs), &mut budget);
                        if results.send((number, result)).is_err() {
                            return;
                        }
                    }
                });
                workers.push(Worker { tasks, is_busy: false, known });
            }
            drop(results);
            loop {
                for worker in workers.iter_mut().filter(|worker| !worker.is_busy) {
                    if !self.goes_on(budget) {
                        break;
                    }
                    let Some(mut task) = self.next(oracle, observer) else { break };
                    let proofs = read(&self.proofs);
                    task.news = proofs.since(worker.known).collect();
                    worker.known = proofs.len();
                    // A worker that has gone panicked, and so does the scope at its end.
                    worker.is_busy = worker.tasks.send(task).is_ok();
                }
                if !workers.iter().any(|worker| worker.is_busy) {
                    return;
                }
                if !self.goes_on(budget) {
                    stop.store(true, Ordering::Relaxed);
                }
                match done.recv_timeout(LOOK_EVERY) {
                    Ok((number, result)) => {
                        workers[number].is_busy = false;
                        budget.spend(result.nodes);
                        self.finish(result, observer);
                    }
                    Err(RecvTimeoutError::Timeout) => budget.look(),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        self.searches = searches;
        self.tree.update();
    }
}
