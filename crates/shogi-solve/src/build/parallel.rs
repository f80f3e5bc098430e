//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::builder::{Builder, Work, read};
use super::job::Done;
use super::oracle::NextMove;
use super::progress::Observer;
use super::question::Answer;
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::leaf::Leaf;

/// How often the coordinator looks at the clock and the stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A thread with a search and an oracle.
struct Worker {
    /// Wakes it, once there is work for it.
    wake: Sender<u32>,
    is_busy: bool,
    /// The proofs that it knows of.
    known: usize,
}

/// What coordinator and worker hand over to each other. They send numbers of workers only: a channel is a lot of code
/// for every type that goes through one.
struct Desk<G: GameGraph> {
    work: Option<Work<G>>,
    found: Option<Found<G>>,
}

/// What a worker has done.
enum Found<G: GameGraph> {
    Searched(Done<G>),
    Named(Answer<G>),
}

impl<'g, G, L> Builder<'g, G, L>
where
    G: GameGraph + Sync,
    G::Position: Send + Sync,
    G::Move: Send + Sync,
    L: Leaf<G> + Send,
{
    /// [`Builder::run`] with a thread for each [search](Builder::add_search), which also asks an oracle
    /// of its own. What one proves the others know from their next job on. Which jobs are done depends on the
    /// threads' speed; with one search this is [`Builder::run`].
    ///
    /// # Panics
    ///
    /// If there are fewer oracles than searches, or the system refuses a thread.
    pub fn run_parallel(
        &mut self,
        oracles: &mut [impl NextMove<G> + Send],
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        let searches = self.searches.len();
        assert!(oracles.len() >= searches, "{} oracles for {searches} searches", oracles.len());
        if searches < 2 {
            return self.run(&mut oracles[0], budget, observer);
        }
        self.stopped = false;
        let names_again = oracles[0].thinks_again();
        let (game, goal, stop) = (self.game, self.goal(), AtomicBool::new(false));
        let mut searches = mem::take(&mut self.searches);
        let empty = |_| Mutex::new(Desk { work: None, found: None });
        let desks: Vec<Mutex<Desk<G>>> = (0..searches.len()).map(empty).collect();
        thread::scope(|scope| {
            let (ready, done) = mpsc::channel::<u32>();
            let known = self.steps();
            let mut workers = Vec::new();
            for (number, (search, oracle)) in searches.iter_mut().zip(oracles).enumerate() {
                let (wake, waiting) = mpsc::channel::<u32>();
                let (ready, proofs, stop) = (ready.clone(), Arc::clone(&self.proofs), &stop);
                let desk = &desks[number];
                scope.spawn(move || {
                    for number in waiting {
                        let Some(work) = lock(desk).work.take() else { continue };
                        let found = match work {
                            Work::Search(task) => {
                                let mut budget = Budget::unlimited().stopped_by(stop);
                                let done = task.run(game, search, || read(&proofs), &mut budget);
                                Found::Searched(done)
                            }
                            Work::Name(question) => Found::Named(question.ask(game, goal, oracle)),
                        };
                        lock(desk).found = Some(found);
                        if ready.send(number).is_err() {
                            return;
                        }
                    }
                });
                workers.push(Worker { wake, is_busy: false, known });
            }
            drop(ready);
            loop {
                for (number, worker) in workers.iter_mut().enumerate() {
                    if worker.is_busy {
                        continue;
                    }
                    if !self.goes_on(budget) {
                        break;
                    }
                    let Some(mut work) = self.next_work(names_again, observer) else { break };
                    if let Work::Search(task) = &mut work {
                        let proofs = read(&self.proofs);
                        task.news = proofs.since(worker.known).collect();
                        worker.known = proofs.len();
                    }
                    // A worker that has gone panicked, and so does the scope at its end.
                    lock(&desks[number]).work = Some(work);
                    worker.is_busy = worker.wake.send(number as u32).is_ok();
                }
                if !workers.iter().any(|worker| worker.is_busy) {
                    return;
                }
                if !self.goes_on(budget) {
                    stop.store(true, Ordering::Relaxed);
                }
                match done.recv_timeout(LOOK_EVERY) {
                    Ok(number) => {
                        workers[number as usize].is_busy = false;
                        let found = lock(&desks[number as usize]).found.take();
                        match found {
                            Some(Found::Searched(done)) => {
                                budget.spend(done.nodes);
                                self.finish(done, observer);
                            }
                            Some(Found::Named(answer)) => self.take_answer(answer, observer),
                            None => {}
                        }
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

/// Nothing that panics is done while a desk is locked.
fn lock<G: GameGraph>(desk: &Mutex<Desk<G>>) -> MutexGuard<'_, Desk<G>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}
