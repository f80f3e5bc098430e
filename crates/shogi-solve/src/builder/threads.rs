//! A builder whose searches work side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use shogi_rules::threads::spawn_scoped;

use super::Builder;
use super::job;
use super::oracle::{NamingRequest, NextMove};
use super::progress::Observer;
use super::proofs::Proofs;
use super::tasks::{Task, TaskKind, TaskResult};
use crate::df_pn::DfPn;
use crate::game::{GameGraph, Goal, Parts};
use crate::leaf::Leaf;
use shogi_mate::Budget;

/// The interval between checks of clock and stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A message to a thread.
enum Message<G: GameGraph> {
    Search {
        position: G::Position,
        max_expansions: u64,
        /// The proofs of other threads since its last job.
        proofs: Vec<(Parts, u32)>,
    },
    NameMoves(NamingRequest<G>),
}

/// The resources of a thread.
struct Worker<'w, 'g, G: GameGraph, L> {
    game: &'g G,
    goal: Goal,
    search: &'w mut DfPn<'g, G, L>,
    oracle: &'w mut (dyn NextMove<G> + Send),
    proofs: &'w RwLock<Proofs<G>>,
    stop: &'w AtomicBool,
}

impl<G: GameGraph, L: Leaf<G>> Worker<'_, '_, G, L> {
    fn handle(&mut self, message: Message<G>) -> TaskResult<G> {
        match message {
            Message::Search { position, max_expansions, proofs } => {
                for (parts, plies) in proofs {
                    self.search.add_proof(parts, plies);
                }
                let budget = &mut Budget::unlimited().stopped_by(self.stop);
                let Self { game, search, proofs, .. } = self;
                let result = job::run(*game, search, &position, max_expansions, proofs, budget);
                TaskResult::Searched(result)
            }
            Message::NameMoves(request) => {
                TaskResult::Named(request.named_by(self.game, self.goal, self.oracle))
            }
        }
    }
}

/// The places through which a thread gets tasks and returns results. The channels beside it only signal them.
struct Exchange<G: GameGraph> {
    message: Mutex<Option<Message<G>>>,
    result: Mutex<Option<TaskResult<G>>>,
}

/// Puts something in place for another thread.
fn put<T>(place: &Mutex<Option<T>>, content: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(content);
}

/// Takes what another thread has put in place.
fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// A thread as the dispatcher sees it.
struct WorkerThread<'s, G: GameGraph> {
    thread: ScopedJoinHandle<'s, ()>,
    exchange: &'s Exchange<G>,
    messages: Sender<()>,
    /// Its current task.
    task: Option<Task>,
    /// Number of proofs that its search knows.
    known: usize,
}

impl<'g, G, L> Builder<'g, G, L>
where
    G: GameGraph + Sync,
    G::Position: Send + Sync,
    G::Move: Send + Sync,
    L: Leaf<G> + Send,
{
    /// [`Builder::run`] with a thread for each [search](Builder::add_search), which also has an oracle of its
    /// own. Proofs of one thread are known to the others from their next job on. The jobs depend on the
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
        let count = self.searches.len();
        assert!(oracles.len() >= count, "{} oracles for {count} searches", oracles.len());
        if count < 2 {
            return self.run(&mut oracles[0], budget, observer);
        }
        let names_again = oracles[0].thinks_again();
        let (game, goal, known) = (self.game, self.goal, self.steps());
        let (proofs, stop) = (&*Arc::clone(&self.proofs), &AtomicBool::new(false));
        let mut searches = mem::take(&mut self.searches);
        let mut exchanges = Vec::with_capacity(count);
        exchanges.resize_with(count, || Exchange { message: None.into(), result: None.into() });
        thread::scope(|scope| {
            let (results_in, results) = mpsc::channel();
            let mut threads = Vec::with_capacity(count);
            let searches = searches.iter_mut().zip(oracles).zip(&exchanges);
            for (number, ((search, oracle), exchange)) in searches.enumerate() {
                let mut worker = Worker { game, goal, search, oracle, proofs, stop };
                let (messages, received) = mpsc::channel();
                let results_in = results_in.clone();
                let started = spawn_scoped(scope, move || {
                    for () in received {
                        let Some(message) = take(&exchange.message) else { continue };
                        put(&exchange.result, worker.handle(message));
                        // If the other side is gone, nobody needs the messages.
                        let _ = results_in.send(number);
                    }
                });
                let thread = started.expect("a thread for each search");
                threads.push(WorkerThread { thread, exchange, messages, task: None, known });
            }
            self.keep_busy(&mut threads, &results, names_again, stop, budget, observer);
        });
        self.searches = searches;
        self.tree.update();
    }

    /// Keeps all threads busy until the root is decided or no task is left.
    fn keep_busy(
        &mut self,
        threads: &mut [WorkerThread<'_, G>],
        results: &Receiver<usize>,
        names_again: bool,
        stop: &AtomicBool,
        budget: &mut Budget<'_>,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        let mut goes_on = true;
        loop {
            goes_on &= self.is_open() && !budget.is_over();
            goes_on = goes_on && self.assign(threads, names_again, observer);
            if !goes_on {
                stop.store(true, Ordering::Relaxed);
            }
            if threads.iter().all(|worker| worker.task.is_none()) {
                return;
            }
            match results.recv_timeout(LOOK_EVERY) {
                Ok(number) => {
                    let WorkerThread { task, exchange, .. } = &mut threads[number];
                    let (Some(task), Some(result)) = (task.take(), take(&exchange.result)) else {
                        continue;
                    };
                    if let TaskResult::Searched(found) = &result {
                        budget.spend(found.nodes);
                    }
                    let events = self.done(task, result);
                    goes_on &= !self.report(&events, observer);
                }
                // A thread that has panicked has no result; the scope passes the panic on.
                Err(_) if threads.iter().any(|worker| worker.thread.is_finished()) => {
                    return stop.store(true, Ordering::Relaxed);
                }
                Err(_) => budget.look(),
            }
        }
    }

    /// Gives each free thread a task, as long as there are tasks; false if the observer has ended the run.
    fn assign(
        &mut self,
        threads: &mut [WorkerThread<'_, G>],
        names_again: bool,
        observer: &mut Observer<'_, 'g, G, L>,
    ) -> bool {
        for worker in threads.iter_mut().filter(|worker| worker.task.is_none()) {
            let task = loop {
                let Some(task) = self.next(names_again) else { return true };
                match task.kind {
                    TaskKind::Search { .. } | TaskKind::NameMoves => break task,
                    TaskKind::Follow(_) | TaskKind::TakeKnownProof { .. } => {
                        let events = self.done(task, TaskResult::Nothing);
                        if self.report(&events, observer) {
                            return false;
                        }
                    }
                }
            };
            let message = self.message(&task, &mut worker.known);
            // A thread that has panicked sends nothing; the code that waits for its result notices that.
            put(&worker.exchange.message, message);
            let _ = worker.messages.send(());
            worker.task = Some(task);
        }
        true
    }

    /// The message for a task, to a thread whose search knows `known` proofs.
    fn message(&mut self, task: &Task, known: &mut usize) -> Message<G> {
        let number = task.number();
        match task.kind {
            TaskKind::Search { max_expansions } => {
                let proofs = self.proofs();
                let first = mem::replace(known, proofs.len());
                let position = self.position(number).clone();
                Message::Search { position, max_expansions, proofs: proofs.since(first) }
            }
            _ => Message::NameMoves(self.naming_request(number)),
        }
    }
}
