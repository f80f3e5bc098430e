//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::builder::Builder;
use super::coordinator::{Scene, Task, Work};
use super::job::{self, Done};
use super::oracle::{Named, NextMove};
use super::progress::Observer;
use super::question::Question;
use super::scene::Watched;
use super::threads::side_by_side;
use crate::budget::Budget;
use crate::game::{GameGraph, Parts};
use crate::leaf::Leaf;

/// How often the coordinator looks at the clock and the stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What coordinator and worker hand over to each other: what goes through the channels is the same for all games.
enum Desk<G: GameGraph> {
    Empty,
    Search {
        position: G::Position,
        /// The most expansions.
        most: u64,
        /// What others have proved since the last job.
        news: Vec<(Parts, u32)>,
    },
    Ask(Question<G>),
    Searched(Done<G>),
    Named(Vec<Named<G::Move>>),
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
        let names_again = oracles[0].thinks_again();
        let (game, goal, stop) = (self.game, self.goal(), AtomicBool::new(false));
        let proofs = Arc::clone(&self.proofs);
        let mut searches = mem::take(&mut self.searches);
        let (mut desks, mut staff, mut known) = (Vec::new(), Vec::new(), Vec::new());
        let mut oracles = oracles.iter_mut();
        for search in &mut searches {
            let Some(oracle) = oracles.next() else { break };
            desks.push(Mutex::new(Desk::Empty));
            // Each is locked by one thread alone.
            let oracle: &mut (dyn NextMove<G> + Send) = oracle;
            staff.push(Mutex::new((search, oracle)));
            known.push(self.steps());
        }
        let work = |number: usize| {
            let (search, oracle) = &mut *lock(&staff[number]);
            let work = mem::replace(&mut *lock(&desks[number]), Desk::Empty);
            let found = match work {
                Desk::Search { position, most, news } => {
                    for (parts, plies) in news {
                        search.add_proof(parts, plies);
                    }
                    let mut budget = Budget::unlimited().stopped_by(&stop);
                    Desk::Searched(job::run(game, search, &position, most, &proofs, &mut budget))
                }
                Desk::Ask(question) => Desk::Named(question.ask(game, goal, *oracle)),
                _ => return,
            };
            *lock(&desks[number]) = found;
        };
        let watched = Watched { builder: self, observer };
        let office = &mut Desks { watched, desks: &desks, known };
        side_by_side(desks.len(), &work, &mut |wakers, done| {
            lead(office, names_again, budget, &stop, wakers, done);
        });
        drop(staff);
        self.searches = searches;
        self.coordinator.tree.update();
    }
}

/// What the leader of several workers needs.
trait Office {
    fn scene(&mut self) -> &mut dyn Scene;

    /// Lays on a worker's desk what is to be done.
    fn lay(&mut self, worker: usize, work: &Work);

    /// Takes over what a worker has found.
    fn take(&mut self, worker: usize, work: Work, budget: &mut Budget<'_>);
}

/// Keeps all workers busy, until the root is decided or nothing more is to be done.
fn lead(
    office: &mut dyn Office,
    names_again: bool,
    budget: &mut Budget<'_>,
    stop: &AtomicBool,
    wakers: &[Sender<()>],
    done: &Receiver<usize>,
) {
    office.scene().coordinator().stopped = false;
    let mut under_way = Vec::new();
    under_way.resize_with(wakers.len(), || None);
    loop {
        for (number, waker) in wakers.iter().enumerate() {
            if under_way[number].is_some() {
                continue;
            }
            if !office.scene().goes_on(budget) {
                break;
            }
            let Some(work) = office.scene().next_work(names_again) else { break };
            office.lay(number, &work);
            // A worker that has gone panicked, and so does the scope at its end.
            under_way[number] = waker.send(()).is_ok().then_some(work);
        }
        if under_way.iter().all(Option::is_none) {
            return;
        }
        if !office.scene().goes_on(budget) {
            stop.store(true, Ordering::Relaxed);
        }
        match done.recv_timeout(LOOK_EVERY) {
            Ok(number) => {
                if let Some(work) = under_way[number].take() {
                    office.take(number, work, budget);
                }
            }
            Err(RecvTimeoutError::Timeout) => budget.look(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The leader's side of the desks.
struct Desks<'b, 't, 'g, G: GameGraph, L> {
    watched: Watched<'b, 't, 'g, G, L>,
    desks: &'b [Mutex<Desk<G>>],
    /// The proofs that each worker knows of.
    known: Vec<usize>,
}

impl<G: GameGraph, L: Leaf<G>> Office for Desks<'_, '_, '_, G, L> {
    fn scene(&mut self) -> &mut dyn Scene {
        &mut self.watched
    }

    fn lay(&mut self, worker: usize, work: &Work) {
        let builder = &mut *self.watched.builder;
        let (Work::Search(Task { path, .. }) | Work::Name(path)) = work;
        let Some(&number) = path.last() else { return };
        *lock(&self.desks[worker]) = match work {
            Work::Search(task) => {
                let proofs = builder.proofs();
                let news = proofs.since(self.known[worker]);
                self.known[worker] = proofs.len();
                let position = builder.position(number).clone();
                Desk::Search { position, most: task.budget, news }
            }
            Work::Name(_) => Desk::Ask(builder.question(number)),
        };
    }

    fn take(&mut self, worker: usize, work: Work, budget: &mut Budget<'_>) {
        let found = mem::replace(&mut *lock(&self.desks[worker]), Desk::Empty);
        match (found, work) {
            (Desk::Searched(done), Work::Search(task)) => {
                budget.spend(done.nodes);
                self.watched.finish(task, done);
            }
            (Desk::Named(moves), Work::Name(path)) => self.watched.take_answer(&path, moves),
            // A worker that panicked leaves nothing.
            _ => {}
        }
    }
}

/// Nothing that panics is done while a desk is locked, and of the staff nobody is locked twice after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
