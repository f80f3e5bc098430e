//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::builder::{Builder, Work};
use super::job::Done;
use super::oracle::NextMove;
use super::progress::Observer;
use super::question::Answer;
use super::threads::side_by_side;
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::leaf::Leaf;

/// How often the coordinator looks at the clock and the stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A thread with a search and an oracle.
struct Worker {
    is_busy: bool,
    /// The proofs that it knows of.
    known: usize,
}

/// What coordinator and worker hand over to each other: what goes through the channels is the same for all games.
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
        let proofs = Arc::clone(&self.proofs);
        let mut searches = mem::take(&mut self.searches);
        let (mut desks, mut staff, mut workers) = (Vec::new(), Vec::new(), Vec::new());
        for (search, oracle) in searches.iter_mut().zip(oracles) {
            desks.push(Mutex::new(Desk { work: None, found: None }));
            // Each is locked by one thread alone.
            staff.push(Mutex::new((search, oracle)));
            workers.push(Worker { is_busy: false, known: self.steps() });
        }
        let work = |number: usize| {
            let (search, oracle) = &mut *lock(&staff[number]);
            let Some(work) = lock(&desks[number]).work.take() else { return };
            let found = match work {
                Work::Search(task) => {
                    let mut budget = Budget::unlimited().stopped_by(&stop);
                    Found::Searched(task.run(game, search, &proofs, &mut budget))
                }
                Work::Name(question) => Found::Named(question.ask(game, goal, oracle)),
            };
            lock(&desks[number]).found = Some(found);
        };
        side_by_side(workers.len(), &work, &mut |wakers, done| {
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
                        let proofs = self.proofs();
                        task.news = proofs.since(worker.known);
                        worker.known = proofs.len();
                    }
                    // A worker that has gone panicked, and so does the scope at its end.
                    lock(&desks[number]).work = Some(work);
                    worker.is_busy = wakers[number].send(()).is_ok();
                }
                if !workers.iter().any(|worker| worker.is_busy) {
                    return;
                }
                if !self.goes_on(budget) {
                    stop.store(true, Ordering::Relaxed);
                }
                match done.recv_timeout(LOOK_EVERY) {
                    Ok(number) => {
                        workers[number].is_busy = false;
                        let found = lock(&desks[number]).found.take();
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
        drop(staff);
        self.searches = searches;
        self.tree.update();
    }
}

/// Nothing that panics is done while a desk is locked, and of the staff nobody is locked twice after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
