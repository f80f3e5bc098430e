//! The coordinator: chooses jobs, hands them out and keeps what they find.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashSet;

use super::NextMove;
use super::job::{Done, Outcome, Task};
use super::place::Place;
use super::progress::{Cost, Event, Observer, Open, Replies, State};
use super::proofs::{Gap, Proofs};
use super::question::{Answer, Question};
use super::settings::Settings;
use super::tree::{Choice, Tree};
use crate::budget::Budget;
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children};

/// Builds a proof from jobs; see the [module](super).
pub struct Builder<'g, G: GameGraph, L> {
    pub(super) game: &'g G,
    goal: Goal,
    root: G::Position,
    settings: Settings,
    pub(super) searches: Vec<DfPn<'g, G, L>>,
    pub(super) tree: Tree,
    /// The positions of the tree.
    pub(super) places: Vec<Place<G>>,
    /// The positions that all have to be proved: the root, or those after each reply to it.
    pub(super) roots: Vec<u32>,
    /// Whether a reply to the root ends the game badly for the prover.
    lost: bool,
    pub(super) proofs: Arc<RwLock<Proofs<G>>>,
    /// Replies to moves followed of late, with the paths to them: each gets its first job before anything
    /// else is done.
    new: VecDeque<Vec<u32>>,
    pub(super) nodes: u64,
    expansions: u64,
    jobs: u64,
    /// Whether the observer has ended the run.
    pub(super) stopped: bool,
}

/// What is to be done next.
#[derive(Debug)]
pub(super) enum Work<G: GameGraph> {
    /// A job.
    Search(Task<G::Position>),
    /// An oracle is to be asked.
    Name(Question<G>),
}

pub(super) fn read<G: GameGraph>(proofs: &RwLock<Proofs<G>>) -> RwLockReadGuard<'_, Proofs<G>> {
    proofs.read().unwrap_or_else(PoisonError::into_inner)
}

impl<'g, G: GameGraph, L: Leaf<G>> Builder<'g, G, L> {
    /// A builder that has not done anything yet, with one search.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new(game: &'g G, goal: Goal, root: G::Position, leaf: L, settings: Settings) -> Self {
        let mut builder = Self {
            game,
            goal,
            root: root.clone(),
            settings,
            searches: Vec::new(),
            tree: Tree::new(settings.limit),
            places: Vec::new(),
            roots: Vec::new(),
            lost: false,
            proofs: Arc::new(RwLock::new(Proofs::new(goal))),
            new: VecDeque::new(),
            nodes: 0,
            expansions: 0,
            jobs: 0,
            stopped: false,
        };
        builder.add_search(leaf);
        if game.side(&root) == goal.prover {
            builder.roots = vec![builder.meet(&root)];
        } else {
            let met = builder.meet_all(&root);
            builder.lost = met.is_none();
            builder.roots = met.unwrap_or_default();
        }
        for &root in &builder.roots {
            builder.tree.node_mut(root).limit = settings.root_limit;
        }
        builder
    }

    /// Adds a search with a table of its own. [`Builder::run`] has the searches take turns at the
    /// jobs of a position, so that leaves which differ complement each other;
    /// [`Builder::run_parallel`] has each search work in a thread.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn add_search(&mut self, leaf: L) {
        let Settings { tuning, root_epsilon, bytes, .. } = self.settings;
        let options = Options { tuning, root_epsilon, hash_bytes: bytes, ..Options::default() };
        let mut search = DfPn::new(self.game, self.goal, leaf, options);
        for (parts, plies) in self.proofs().since(0) {
            search.add_proof(parts, plies);
        }
        self.searches.push(search);
    }

    /// Works until the root is proved or refuted, the budget is spent or the observer breaks.
    /// `observer` receives each step when it is done.
    ///
    /// The same builder with the same budget of nodes always does the same.
    pub fn run(
        &mut self,
        oracle: &mut impl NextMove<G>,
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        self.stopped = false;
        while self.goes_on(budget) {
            let Some(task) = self.next(oracle, observer) else { continue };
            let turn = self.jobs as usize % self.searches.len();
            let (game, search, proofs) = (self.game, &mut self.searches[turn], &self.proofs);
            let done = task.run(game, search, proofs, budget);
            let first = self.proofs().len();
            self.finish(done, observer);
            self.share_proofs(first);
        }
        self.tree.update();
    }

    /// Tells all searches the proofs from this one on.
    pub(super) fn share_proofs(&mut self, first: usize) {
        let added = self.proofs().since(first);
        for search in &mut self.searches {
            for &(parts, plies) in &added {
                search.add_proof(parts, plies);
            }
        }
    }

    pub(super) fn goes_on(&self, budget: &Budget) -> bool {
        self.state() == State::Open && !budget.is_over() && !self.stopped
    }

    /// The position that the proof is for.
    pub const fn root(&self) -> &G::Position {
        &self.root
    }

    /// What is proved of it.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Whether the root is proved or refuted.
    pub fn state(&self) -> State {
        let any = |state| self.tree.has_any(&self.roots, state);
        let ended = self.game.verdict(&self.root);
        match ended {
            Some(verdict) if self.goal.is_reached(verdict, self.game.side(&self.root)) => {
                State::Proved
            }
            Some(_) => State::Refuted,
            None if self.lost || any(State::Refuted) => State::Refuted,
            None if any(State::Open) => State::Open,
            None => State::Proved,
        }
    }

    /// The plan that reaches the goal, if the root is proved: only what is needed.
    pub fn plan(&self) -> Option<Plan<G>> {
        let mut plan = Plan::new();
        let proved = self.steps_while(&mut |step| {
            plan.insert(self.game, step);
            true
        });
        proved.then_some(plan)
    }

    /// Calls `each` with the steps of the [plan](Self::plan) one by one, so that not all have to be
    /// in memory, until one fails; whether the root is proved.
    ///
    /// # Errors
    ///
    /// What `each` returns.
    pub fn each_step<E>(
        &self,
        mut each: impl FnMut(PlanStep<G>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut done = Ok(());
        let proved = self.steps_while(&mut |step| {
            done = each(step);
            done.is_ok()
        });
        done.map(|()| proved)
    }

    /// Calls `each` with the steps of the plan for as long as it says to go on; whether the root is proved.
    fn steps_while(&self, each: &mut dyn FnMut(PlanStep<G>) -> bool) -> bool {
        if self.state() != State::Proved {
            return false;
        }
        let (game, proofs) = (self.game, self.proofs());
        let mut met = FxHashSet::default();
        let mut open: Vec<_> = self.roots.iter().map(|&root| self.position(root).clone()).collect();
        while let Some(position) = open.pop() {
            if game.verdict(&position).is_some() || !met.insert(game.key(&position)) {
                continue;
            }
            let Some((mv, plies)) = proofs.find(game, game.parts(&position)) else {
                return false;
            };
            let after = game.play(&position, mv);
            if game.verdict(&after).is_none() {
                open.extend(children(game, &after));
            }
            if !each(PlanStep { position, mv, plies }) {
                break;
            }
        }
        true
    }

    /// What is open: leaves of the tree, and the positions above them.
    pub fn open(&self) -> impl Iterator<Item = Open<'_, G::Position>> {
        let open = self.tree.open().into_iter();
        open.map(|number| Open::of(self.position(number), self.tree.node(number)))
    }

    /// The open positions from the root to the leaf that is expected to take the most expansions.
    pub fn hardest(&self) -> Vec<Open<'_, G::Position>> {
        let mut hardest = Vec::new();
        for number in self.tree.path_of_hardest(&self.roots) {
            hardest.push(Open::of(self.position(number), self.tree.node(number)));
        }
        hardest
    }

    /// Expansions that the whole proof is expected to take from now on.
    pub fn estimate(&self) -> f64 {
        self.tree.estimate(&self.roots)
    }

    /// The move that is followed first from an open position of the tree, and what has become of
    /// the positions after the replies to it.
    pub fn followed(&self, position: &G::Position) -> Option<(G::Move, Replies<'_, G>)> {
        let number = self.find(position)?;
        let candidate = self.tree.best(number)?;
        let mut replies = Vec::new();
        for &reply in candidate.replies.as_ref()? {
            replies.push((self.position(reply), self.tree.node(reply).state));
        }
        Some((self.place(number).mv(candidate), replies))
    }

    /// Number of positions that proofs have entries for.
    pub fn steps(&self) -> usize {
        self.proofs().len()
    }

    /// Nodes of all runs so far: moves played.
    pub const fn spent(&self) -> u64 {
        self.nodes
    }

    /// Expansions of all runs so far: positions whose moves were looked at.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Jobs of all runs so far.
    pub const fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Bytes that the tree and the proofs take, beside the tables.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.place_bytes() + self.proofs().bytes()
    }

    pub(super) fn proofs(&self) -> RwLockReadGuard<'_, Proofs<G>> {
        read(&self.proofs)
    }

    pub(super) fn proofs_mut(&self) -> RwLockWriteGuard<'_, Proofs<G>> {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The positions after all replies, but for those that end the game well; `None` if one ends it
    /// otherwise.
    fn meet_all(&mut self, position: &G::Position) -> Option<Vec<u32>> {
        let (game, goal) = (self.game, self.goal);
        let reached = |position: &G::Position| {
            game.verdict(position).map(|verdict| goal.is_reached(verdict, game.side(position)))
        };
        if let Some(reached) = reached(position) {
            return reached.then(Vec::new);
        }
        let mut met = Vec::new();
        for reply in children(game, position) {
            match reached(&reply) {
                Some(true) => {}
                Some(false) => return None,
                None => met.push(self.meet(&reply)),
            }
        }
        Some(met)
    }

    /// The next job; `None` if the root is decided, or all that could be done is being done.
    pub(super) fn next(
        &mut self,
        oracle: &mut impl NextMove<G>,
        observer: &mut Observer<'_, 'g, G, L>,
    ) -> Option<Task<G::Position>> {
        loop {
            match self.next_work(oracle.thinks_again(), observer)? {
                Work::Search(task) => return Some(task),
                Work::Name(question) => {
                    let answer = question.ask(self.game, self.goal, oracle);
                    self.take_answer(answer, observer);
                }
            }
        }
    }

    /// What is to be done next; `None` if the root is decided, or all that could be done is being done.
    /// `names_again` says whether moves may be named more than once.
    pub(super) fn next_work(
        &mut self,
        names_again: bool,
        observer: &mut Observer<'_, 'g, G, L>,
    ) -> Option<Work<G>> {
        while self.state() == State::Open && !self.stopped {
            let (choice, path) = match self.next_new() {
                Some(path) => (Choice::Search, path),
                None => {
                    let mut path = Vec::new();
                    self.tree.update();
                    (self.tree.choose(&self.roots, names_again, &mut path)?, path)
                }
            };
            let number = *path.last()?;
            let position = self.position(number).clone();
            let known = self.proofs().find(self.game, self.game.parts(&position));
            if let Some((_, plies)) = known {
                // A proof of another position went through this one, or one with a worse hand.
                self.close(number, State::Proved, Event::Known { plies }, observer);
                continue;
            }
            match choice {
                Choice::Search => {
                    let budget = self.tree.node(number).next_budget(self.settings.job);
                    self.tree.fly(&path, true);
                    return Some(Work::Search(Task { path, position, budget, news: Vec::new() }));
                }
                Choice::Expand => return Some(Work::Name(self.question(path, number, position))),
                Choice::Follow(index) => {
                    let mv = self.candidate(number, index);
                    // What follows from it is told after it.
                    self.tell(&position, &Event::Followed { mv }, observer);
                    self.follow(number, index, observer);
                    self.tree.paths_to_replies(&path, index, &mut self.new);
                }
            }
        }
        None
    }

    /// The path to the next reply that waits for its first job.
    fn next_new(&mut self) -> Option<Vec<u32>> {
        while let Some(path) = self.new.pop_front() {
            let node = self.tree.node(*path.last()?);
            if node.is_new() && node.in_flight == 0 {
                return Some(path);
            }
        }
        None
    }

    /// Asks for the moves to follow at the end of a path.
    fn question(&mut self, path: Vec<u32>, number: u32, position: G::Position) -> Question<G> {
        self.tree.fly(&path, true);
        let node = self.tree.node_mut(number);
        node.is_being_named = true;
        let (node, place) = (&*node, &mut self.places[number as usize]);
        let mut ranked = Vec::new();
        if node.is_leaf() {
            ranked = std::mem::take(&mut place.ranked);
        }
        for candidate in &node.candidates {
            ranked.push(place.mv(candidate));
        }
        let spent = node.below;
        if ranked.is_empty() {
            self.game.moves(&position, &mut ranked);
        }
        Question { path, position, ranked, spent }
    }

    /// Takes over what an oracle has answered.
    pub(super) fn take_answer(&mut self, answer: Answer<G>, observer: &mut Observer<'_, 'g, G, L>) {
        let Answer { path, moves } = answer;
        self.tree.fly(&path, false);
        let Some(&number) = path.last() else { return };
        let node = self.tree.node_mut(number);
        node.is_being_named = false;
        if node.state == State::Open {
            let position = self.position(number).clone();
            self.expand(number, &moves);
            self.tell(&position, &Event::Expanded { moves }, observer);
        }
    }

    /// Follows a candidate.
    pub(super) fn follow(
        &mut self,
        number: u32,
        index: usize,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        let (position, mv) = (self.position(number).clone(), self.candidate(number, index));
        let replies = self.meet_all(&self.game.play(&position, mv));
        if replies.is_none() {
            self.tell(&position, &Event::MoveFails { mv }, observer);
        }
        self.tree.follow(number, index, replies);
        self.settle(number, observer);
    }

    /// Takes over what a job has found.
    pub(super) fn finish(&mut self, done: Done<G>, observer: &mut Observer<'_, 'g, G, L>) {
        let Done { path, budget, outcome, nodes, expansions } = done;
        self.tree.fly(&path, false);
        self.nodes += nodes;
        let Some(&number) = path.last() else { return };
        if self.tree.node(number).state == State::Open {
            let position = self.position(number).clone();
            let cost = Cost { budget, nodes, expansions };
            self.take(number, &position, outcome, cost, observer);
        }
    }

    fn take(
        &mut self,
        number: u32,
        position: &G::Position,
        outcome: Outcome<G>,
        cost: Cost,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        match outcome {
            Outcome::Cut => {}
            Outcome::Open { numbers: (proof, disproof), ranked } => {
                self.leave(number, cost, (proof, disproof));
                self.place_mut(number).ranked = ranked;
                self.tell(position, &Event::LeftOpen { cost, proof, disproof }, observer);
            }
            Outcome::Refuted => {
                self.count(number, cost);
                self.close(number, State::Refuted, Event::Refuted { cost }, observer);
            }
            Outcome::Proved(found) => {
                let game = self.game;
                let mv = |position: &G::Position| Some(found.find(game, game.parts(position))?.0);
                let added = self.proofs_mut().add(None, game, position, mv);
                match added {
                    Ok(moves) => {
                        self.count(number, cost);
                        self.tree.node_mut(number).proved_by = cost.budget;
                        self.close(number, State::Proved, Event::Proved { cost, moves }, observer);
                    }
                    // Only where two positions have one key.
                    Err(Gap(_)) => self.leave(number, cost, (1, 1)),
                }
            }
        }
    }

    /// Notes a job that has decided nothing.
    pub(super) fn leave(&mut self, number: u32, cost: Cost, numbers: (u32, u32)) {
        self.count(number, cost);
        let node = self.tree.node_mut(number);
        node.budget = cost.budget;
        node.expansions += cost.expansions;
        node.numbers = numbers;
        if node.is_leaf() {
            node.estimate = node.leaf_estimate();
        }
    }

    /// Counts a job for a position.
    pub(super) fn count(&mut self, number: u32, cost: Cost) {
        self.expansions += cost.expansions;
        self.jobs += 1;
        self.tree.spend(number, cost.expansions);
    }

    /// Notes what has become of a position, and of those above it.
    pub(super) fn close(
        &mut self,
        number: u32,
        state: State,
        event: Event<G::Move>,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        let position = self.position(number).clone();
        let parents = self.tree.close(number, state);
        self.place_mut(number).ranked = Vec::new();
        self.tell(&position, &event, observer);
        for parent in parents {
            self.settle(parent, observer);
        }
    }

    /// Looks whether the replies to the candidates of a position prove or refute it.
    fn settle(&mut self, number: u32, observer: &mut Observer<'_, 'g, G, L>) {
        if self.tree.node(number).state != State::Open {
            return;
        }
        let position = self.position(number).clone();
        let (failing, proved) = self.tree.settle(number);
        for index in failing {
            let mv = self.candidate(number, index);
            self.tell(&position, &Event::MoveFails { mv }, observer);
        }
        if let Some(index) = proved {
            let mv = self.candidate(number, index);
            let added = self.proofs_mut().add(None, self.game, &position, |_| Some(mv));
            if added.is_ok() {
                let known = self.proofs().find(self.game, self.game.parts(&position));
                let plies = known.map_or(0, |(_, plies)| plies);
                self.close(number, State::Proved, Event::Known { plies }, observer);
            }
            return;
        }
        // Candidates that were not named may win, so that only all moves together refute.
        let candidates = &self.tree.node(number).candidates;
        if candidates.iter().all(|candidate| candidate.fails) {
            let mut moves = Vec::new();
            self.game.moves(&position, &mut moves);
            if candidates.len() == moves.len() {
                self.close(number, State::Refuted, Event::NoMoveLeft, observer);
            }
        }
    }

    fn tell(
        &mut self,
        position: &G::Position,
        event: &Event<G::Move>,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        if observer(self, position, event).is_break() {
            self.stopped = true;
        }
    }
}
