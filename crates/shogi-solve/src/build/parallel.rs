//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
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
struct Worker<G: GameGraph> {
    work: Sender<Work<G>>,
    is_busy: bool,
    /// The proofs that it knows of.
    known: usize,
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
        thread::scope(|scope| {
            let (results, done) = mpsc::channel();
            let known = self.steps();
            let mut workers = Vec::new();
            for (number, (search, oracle)) in searches.iter_mut().zip(oracles).enumerate() {
                let (work, waiting) = mpsc::channel();
                let (results, proofs, stop) = (results.clone(), Arc::clone(&self.proofs), &stop);
                scope.spawn(move || {
                    for work in waiting {
                        let result = match work {
                            Work::Search(task) => {
                                let mut budget = Budget::unlimited().stopped_by(stop);
                                let done = task.run(game, search, || read(&proofs), &mut budget);
                                Found::Searched(done)
                            }
                            Work::Name(question) => Found::Named(question.ask(game, goal, oracle)),
                        };
                        if results.send((number, result)).is_err() {
                            return;
                        }
                    }
                });
                workers.push(Worker { work, is_busy: false, known });
            }
            drop(results);
            loop {
                for worker in workers.iter_mut().filter(|worker| !worker.is_busy) {
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
                    worker.is_busy = worker.work.send(work).is_ok();
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
                        match result {
                            Found::Searched(done) => {
                                budget.spend(done.nodes);
                                self.finish(done, observer);
                            }
                            Found::Named(answer) => self.take_answer(answer, observer),
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
