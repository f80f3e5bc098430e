//! Several searches side by side, each in a thread with a table of its own.

use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use super::builder::Builder;
use super::coordinator::{Scene, Task, Work};
use super::job::{self, Done};
use super::oracle::{Named, NextMove};
use super::progress::Observer;
use super::proofs::Proofs;
use super::question::Question;
use super::scene::Watched;
use super::threads::{Staff, side_by_side};
use crate::budget::Budget;
use crate::df_pn::DfPn;
use crate::game::{GameGraph, Goal, Parts};
use crate::leaf::Leaf;

/// How often the coordinator looks at the clock and the stop signal while all searches are busy.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What coordinator and worker hand over to each other: what wakes them is the same for all games.
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

/// A search with its oracle and its desk. Coordinator and worker lock it in turns, so that none of them ever waits.
struct Worker<'w, 'g, G: GameGraph, L> {
    search: &'w mut DfPn<'g, G, L>,
    oracle: &'w mut (dyn NextMove<G> + Send),
    /// The proofs that the search knows of.
    known: usize,
    desk: Desk<G>,
}

impl<'g, G: GameGraph, L: Leaf<G>> Worker<'_, 'g, G, L> {
    /// Does what lies on the desk.
    fn work(&mut self, game: &'g G, goal: Goal, proofs: &RwLock<Proofs<G>>, stop: &AtomicBool) {
        self.desk = match mem::replace(&mut self.desk, Desk::Empty) {
            Desk::Search { position, most, news } => {
                for (parts, plies) in news {
                    self.search.add_proof(parts, plies);
                }
                let mut budget = Budget::unlimited().stopped_by(stop);
                Desk::Searched(job::run(game, self.search, &position, most, proofs, &mut budget))
            }
            Desk::Ask(question) => Desk::Named(question.ask(game, goal, self.oracle)),
            other => other,
        };
    }
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
        let (mut workers, known) = (Vec::with_capacity(searches.len()), self.steps());
        let mut oracles = oracles.iter_mut();
        for search in &mut searches {
            let Some(oracle) = oracles.next() else { break };
            workers.push(Mutex::new(Worker { search, oracle, known, desk: Desk::Empty }));
        }
        let work = |number: usize| lock(&workers[number]).work(game, goal, &proofs, &stop);
        let watched = Watched { builder: self, observer };
        let office = &mut Workers { watched, workers: &workers };
        side_by_side(workers.len(), &work, &mut |staff| {
            lead(office, names_again, budget, &stop, staff, workers.len());
        });
        drop(workers);
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
    staff: &Staff,
    count: usize,
) {
    office.scene().coordinator().stopped = false;
    let mut under_way = Vec::new();
    under_way.resize_with(count, || None);
    loop {
        for (number, work) in under_way.iter_mut().enumerate() {
            if work.is_some() {
                continue;
            }
            if !office.scene().goes_on(budget) {
                break;
            }
            let Some(next) = office.scene().next_work(names_again) else { break };
            office.lay(number, &next);
            *work = Some(next);
            staff.wake(number);
        }
        if under_way.iter().all(Option::is_none) {
            return;
        }
        if !office.scene().goes_on(budget) {
            stop.store(true, Ordering::Relaxed);
        }
        match staff.wait(LOOK_EVERY) {
            ControlFlow::Continue(Some(number)) => {
                if let Some(work) = under_way[number].take() {
                    office.take(number, work, budget);
                }
            }
            ControlFlow::Continue(None) => budget.look(),
            ControlFlow::Break(()) => {
                stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// The leader's side of the workers.
struct Workers<'b, 't, 'w, 'g, G: GameGraph, L> {
    watched: Watched<'b, 't, 'g, G, L>,
    workers: &'b [Mutex<Worker<'w, 'g, G, L>>],
}

impl<G: GameGraph, L: Leaf<G>> Office for Workers<'_, '_, '_, '_, G, L> {
    fn scene(&mut self) -> &mut dyn Scene {
        &mut self.watched
    }

    fn lay(&mut self, worker: usize, work: &Work) {
        let builder = &mut *self.watched.builder;
        let (Work::Search(Task { path, .. }) | Work::Name(path)) = work;
        let Some(&number) = path.last() else { return };
        let mut worker = lock(&self.workers[worker]);
        worker.desk = match work {
            Work::Search(task) => {
                let proofs = builder.proofs();
                let news = proofs.since(worker.known);
                worker.known = proofs.len();
                let position = builder.position(number).clone();
                Desk::Search { position, most: task.budget, news }
            }
            Work::Name(_) => Desk::Ask(builder.question(number)),
        };
    }

    fn take(&mut self, worker: usize, work: Work, budget: &mut Budget<'_>) {
        let found = mem::replace(&mut lock(&self.workers[worker]).desk, Desk::Empty);
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

/// After a panic no worker works again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
