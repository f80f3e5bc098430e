//! The builder of a proof.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashSet;

use super::NextMove;
use super::coordinator::{Coordinator, Scene, Task, Work};
use super::job;
use super::place::Place;
use super::progress::{Observer, Open, Replies, State};
use super::proofs::Proofs;
use super::question::Question;
use super::scene::Watched;
use super::settings::Settings;
use crate::budget::Budget;
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children, reached};

/// Builds a proof from jobs; see the [module](super).
pub struct Builder<'g, G: GameGraph, L> {
    pub(super) game: &'g G,
    goal: Goal,
    root: G::Position,
    pub(super) searches: Vec<DfPn<'g, G, L>>,
    pub(super) coordinator: Coordinator,
    /// The positions of the tree.
    pub(super) places: Vec<Place<G>>,
    pub(super) proofs: Arc<RwLock<Proofs<G>>>,
    /// The moves of the skeleton that is followed, as in its file.
    pub(super) skeleton_moves: Option<String>,
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
            searches: Vec::new(),
            coordinator: Coordinator::new(settings),
            places: Vec::new(),
            proofs: Arc::new(RwLock::new(Proofs::new(goal))),
            skeleton_moves: None,
        };
        builder.add_search(leaf);
        let roots = match game.side(&root) == goal.prover {
            true => Some(vec![builder.meet(&root)]),
            false => builder.meet_all(&root),
        };
        let decided = match reached(game, goal, &root) {
            Some(true) => Some(State::Proved),
            Some(false) => Some(State::Refuted),
            None => roots.is_none().then_some(State::Refuted),
        };
        builder.coordinator.begin(roots.unwrap_or_default(), decided);
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
        let Settings { tuning, root_epsilon, bytes, .. } = self.coordinator.settings;
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
        let watched = Watched { builder: self, observer };
        run(&mut Alone { watched, oracle }, budget);
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
        self.coordinator.state()
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
        let mut open = Vec::new();
        for &root in &self.coordinator.roots {
            open.push(self.position(root).clone());
        }
        while let Some(position) = open.pop() {
            if game.verdict(&position).is_some() || !met.insert(game.key(&position)) {
                continue;
            }
            let Some((mv, plies)) = proofs.find(game, game.parts(&position)) else {
                return false;
            };
            let after = game.play(&position, mv);
            if game.verdict(&after).is_none() {
                open.append(&mut children(game, &after));
            }
            if !each(PlanStep { position, mv, plies }) {
                break;
            }
        }
        true
    }

    /// What is open: leaves of the tree, and the positions above them.
    pub fn open(&self) -> impl Iterator<Item = Open<'_, G::Position>> {
        self.described(&self.coordinator.tree.open()).into_iter()
    }

    fn described(&self, numbers: &[u32]) -> Vec<Open<'_, G::Position>> {
        let mut open = Vec::with_capacity(numbers.len());
        for &number in numbers {
            open.push(Open::of(self.position(number), self.coordinator.tree.node(number)));
        }
        open
    }

    /// The open positions from the root to the leaf that is expected to take the most expansions.
    pub fn hardest(&self) -> Vec<Open<'_, G::Position>> {
        self.described(&self.coordinator.path_of_hardest())
    }

    /// Expansions that the whole proof is expected to take from now on.
    pub fn estimate(&self) -> f64 {
        self.coordinator.estimate()
    }

    /// The move that is followed first from an open position of the tree, and what has become of
    /// the positions after the replies to it.
    pub fn followed(&self, position: &G::Position) -> Option<(G::Move, Replies<'_, G>)> {
        let number = self.find(position)?;
        let candidate = self.coordinator.tree.best(number)?;
        let mut replies = Vec::new();
        for &reply in candidate.replies.as_ref()? {
            replies.push((self.position(reply), self.coordinator.tree.node(reply).state));
        }
        Some((self.place(number).mv(candidate.named.mv), replies))
    }

    /// Number of positions that proofs have entries for.
    pub fn steps(&self) -> usize {
        self.proofs().len()
    }

    /// Nodes of all runs so far: moves played.
    pub const fn spent(&self) -> u64 {
        self.coordinator.nodes
    }

    /// Expansions of all runs so far: positions whose moves were looked at.
    pub const fn expansions(&self) -> u64 {
        self.coordinator.expansions
    }

    /// Jobs of all runs so far.
    pub const fn jobs(&self) -> u64 {
        self.coordinator.jobs
    }

    /// Bytes that the tree and the proofs take, beside the tables.
    pub fn bytes(&self) -> usize {
        self.coordinator.tree.bytes() + self.place_bytes() + self.proofs().bytes()
    }

    pub(super) fn proofs(&self) -> RwLockReadGuard<'_, Proofs<G>> {
        read(&self.proofs)
    }

    pub(super) fn proofs_mut(&self) -> RwLockWriteGuard<'_, Proofs<G>> {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The positions after all replies, but for those that end the game well; `None` if one ends it
    /// otherwise.
    pub(super) fn meet_all(&mut self, position: &G::Position) -> Option<Vec<u32>> {
        let (game, goal) = (self.game, self.goal);
        if let Some(reached) = reached(game, goal, position) {
            return reached.then(Vec::new);
        }
        let mut met = Vec::new();
        for reply in children(game, position) {
            match reached(game, goal, &reply) {
                Some(true) => {}
                Some(false) => return None,
                None => met.push(self.meet(&reply)),
            }
        }
        Some(met)
    }

    /// The moves of a position of the tree.
    pub(super) fn legal_moves(&self, number: u32) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(self.position(number), &mut moves);
        moves
    }

    /// Asks for the moves to follow from a position.
    pub(super) fn question(&mut self, number: u32) -> Question<G> {
        let node = self.coordinator.tree.node(number);
        let place = &mut self.places[number as usize];
        let mut ranked = Vec::new();
        if node.is_leaf() {
            ranked = std::mem::take(&mut place.ranked);
        }
        for candidate in &node.candidates {
            ranked.push(place.mv(candidate.named.mv));
        }
        let spent = node.below;
        if ranked.is_empty() {
            ranked = self.legal_moves(number);
        }
        Question { position: self.position(number).clone(), ranked, spent }
    }
}

/// Who does the work that a coordinator hands out.
pub(super) trait Crew {
    fn scene(&mut self) -> &mut dyn Scene;

    /// Whether moves may be named more than once.
    fn thinks_again(&self) -> bool;

    /// Asks for the moves to follow at the end of a path, and takes the answer over.
    fn ask(&mut self, path: &[u32]);

    /// Does a job, and takes over what it finds.
    fn search(&mut self, task: Task, budget: &mut Budget<'_>);
}

impl dyn Crew + '_ {
    /// The next job; `None` if the root is decided, or all that could be done is being done.
    pub(super) fn next(&mut self) -> Option<Task> {
        let names_again = self.thinks_again();
        loop {
            match self.scene().next_work(names_again)? {
                Work::Search(task) => return Some(task),
                Work::Name(path) => self.ask(&path),
            }
        }
    }
}

/// Does one job after the other.
fn run(crew: &mut dyn Crew, budget: &mut Budget<'_>) {
    crew.scene().coordinator().stopped = false;
    while crew.scene().goes_on(budget) {
        if let Some(task) = crew.next() {
            crew.search(task, budget);
        }
    }
    crew.scene().coordinator().tree.update();
}

/// A builder that does all by itself, with one oracle.
pub(super) struct Alone<'b, 't, 'g, G: GameGraph, L> {
    pub(super) watched: Watched<'b, 't, 'g, G, L>,
    pub(super) oracle: &'b mut dyn NextMove<G>,
}

impl<G: GameGraph, L: Leaf<G>> Crew for Alone<'_, '_, '_, G, L> {
    fn scene(&mut self) -> &mut dyn Scene {
        &mut self.watched
    }

    fn thinks_again(&self) -> bool {
        self.oracle.thinks_again()
    }

    fn ask(&mut self, path: &[u32]) {
        let Some(&number) = path.last() else { return };
        let Watched { builder, .. } = &mut self.watched;
        let (game, goal) = (builder.game, builder.goal);
        let moves = builder.question(number).ask(game, goal, self.oracle);
        self.watched.take_answer(path, moves);
    }

    fn search(&mut self, task: Task, budget: &mut Budget<'_>) {
        let Some(&number) = task.path.last() else { return };
        let Builder { game, searches, coordinator, places, proofs, .. } =
            &mut *self.watched.builder;
        let turn = coordinator.jobs as usize % searches.len();
        let position = &places[number as usize].position;
        let done = job::run(*game, &mut searches[turn], position, task.budget, proofs, budget);
        let first = self.watched.builder.steps();
        self.watched.finish(task, done);
        self.watched.builder.share_proofs(first);
    }
}
