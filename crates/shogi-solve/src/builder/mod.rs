//! Builds a proof too large for one search from many searches of limited size.
//!
//! After Algorithm 1 of Shioda & Ito, "Kyoto Shogi Is Weakly Solved" (2021): an oracle names the prover's move,
//! all replies are followed, and open positions wait on a list. Their oracle is a strong player who never errs.
//! Here it may err: a position is first searched by *jobs* of df-pn, each of three times as many expansions as
//! the one before; only positions that they leave open are *expanded*. Then several moves of the prover are
//! followed side by side, and their replies are searched in turn.
//!
//! The positions with the prover to move form a graph in which each has an *estimate*, the expected expansions
//! of its proof: for a leaf, its expansions so far or a number derived from its proof number; for an expanded
//! position, the least sum over the replies to a move, times the move's factor. The next job is for the leaf
//! reached from the root by the prover's move of the least sum and the opponent's reply of the largest
//! estimate: the hardest reply first, since a move is worthless if one reply resists.
//!
//! Each proof that a job finds is checked by the rules and kept outside the tables of the searches, which may
//! overwrite theirs; [`Log`] keeps it in a file. The kept proofs are closed: each reply to one of their moves
//! ends the game well, or leads to an entry with fewer plies, possibly with a worse hand of the prover.
//!
//! ```
//! use std::ops::ControlFlow;
//! use shogi_rules::{Rules as _, Shogi34, to_usi};
//! use shogi_solve::builder::{AsRanked, Builder, Settings};
//! use shogi_solve::shogi_core::{Colour, Position};
//! use shogi_solve::{Budget, Goal, RulesGame, Unit};
//!
//! let game = RulesGame::<Shogi34>::new();
//! let root = Position::new(Shogi34::named_start("KGR")?)?;
//! // Jobs too small to prove it in one go.
//! let settings = Settings { first_expansions: 20, max_expansions: 200, hash_bytes: 1 << 20, ..Settings::default() };
//! let mut builder = Builder::new(&game, Goal::win(Colour::Sente), root, Unit, settings);
//! builder.run(&mut AsRanked, &mut Budget::unlimited(), &mut |_, _, _| ControlFlow::Continue(()));
//! let plan = builder.plan().expect("KGR is a win");
//! plan.check_reaches(&game, &root, Goal::win(Colour::Sente))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alpha_beta;
mod folder;
mod job;
mod log;
mod oracle;
mod progress;
mod proofs;
mod replay;
mod settings;
mod skeleton;
mod tasks;
mod text;
mod threads;
mod tree;
mod work;

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashSet;

use self::proofs::Proofs;
use self::tree::Tree;
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph, Goal};
use crate::harvest::{Harvest, Searched};
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children, reached};

pub use alpha_beta::AlphaBeta;
pub use folder::Refused;
pub use log::{LOG_BEGINS, Log, MOST_LINE_BYTES};
pub use oracle::{AsRanked, NAMED_AGAIN, NamedMove, NamingRequest, NextMove, by_rank};
pub use progress::{Cost, Event, Observer, OpenPosition, ProofState, Replies};
pub use replay::{CheckedLog, DamagedTail, LogError, Replayed, check, log_variant, open, replay};
pub use settings::Settings;
pub use skeleton::{SKELETON_FORMAT, Skeleton, SkeletonError, skeleton_variant};
pub use work::{JOB_FORMAT, Job, RESULT_FORMAT, WorkError, job_variant};

/// Builds a proof from jobs; see the [module](self).
///
/// [`Builder::run`], [`Builder::run_parallel`] and [`Builder::run_in_folder`] share one loop: the builder names
/// the next task, a worker does it, and the builder notes the result and its consequences.
pub struct Builder<'g, G: GameGraph, L> {
    game: &'g G,
    goal: Goal,
    root: G::Position,
    settings: Settings,
    searches: Vec<DfPn<'g, G, L>>,
    proofs: Arc<RwLock<Proofs<G>>>,
    /// The prover's positions met so far, by number.
    tree: Tree,
    /// The same positions with their moves, by number.
    positions: Vec<TreePosition<G>>,
    /// The positions that all have to be proved: the root, or those after each reply to it.
    roots: Vec<u32>,
    /// The state of the root, if the game is over there or a reply ends it badly.
    decided: Option<ProofState>,
    /// Paths to the replies to recently followed moves: each gets its first job before anything else is done.
    fresh: VecDeque<Vec<u32>>,
    /// The events since the last return, with the numbers of their positions.
    events: Vec<(u32, Event<G::Move>)>,
    nodes: u64,
    expansions: u64,
    jobs: u64,
    /// The moves of the followed skeleton, as in its file.
    skeleton_moves: Option<String>,
}

/// A position of the tree, the prover to move. The tree knows its moves by their numbers here.
struct TreePosition<G: GameGraph> {
    position: G::Position,
    /// All moves as ranked by the last job.
    ranked: Vec<G::Move>,
    /// The moves that were named.
    named: Vec<G::Move>,
}

impl<G: GameGraph> TreePosition<G> {
    const fn new(position: G::Position) -> Self {
        Self { position, ranked: Vec::new(), named: Vec::new() }
    }

    /// The move with a number.
    fn mv(&self, number: u32) -> G::Move {
        self.named[number as usize]
    }

    /// The number of a named move, assigned now if it is new.
    fn name(&mut self, mv: G::Move) -> u32 {
        let known = self.named.iter().position(|&named| named == mv);
        known.unwrap_or_else(|| {
            self.named.push(mv);
            self.named.len() - 1
        }) as u32
    }
}

/// Reads the proofs even after a panic of another thread, which leaves them consistent.
fn read<G: GameGraph>(proofs: &RwLock<Proofs<G>>) -> RwLockReadGuard<'_, Proofs<G>> {
    proofs.read().unwrap_or_else(PoisonError::into_inner)
}

impl<'g, G: GameGraph, L: Leaf<G>> Builder<'g, G, L> {
    /// A new builder with one search.
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
            proofs: Arc::new(RwLock::new(Proofs::new(goal))),
            tree: Tree::new(settings.max_expansions),
            positions: Vec::new(),
            roots: Vec::new(),
            decided: None,
            fresh: VecDeque::new(),
            events: Vec::new(),
            nodes: 0,
            expansions: 0,
            jobs: 0,
            skeleton_moves: None,
        };
        builder.add_search(leaf);
        let roots = match game.side(&root) == goal.prover {
            true => Some(vec![builder.meet(&root)]),
            false => builder.meet_all(&root),
        };
        builder.decided = match reached(game, goal, &root) {
            Some(true) => Some(ProofState::Proved),
            Some(false) => Some(ProofState::Refuted),
            None => roots.is_none().then_some(ProofState::Refuted),
        };
        builder.roots = roots.unwrap_or_default();
        for &root in &builder.roots {
            builder.tree.node_mut(root).limit = settings.root_max_expansions;
        }
        builder
    }

    /// Adds a search with a table of its own. With [`Builder::run`] the searches take turns at the jobs of a
    /// position, so that different leaves complement each other; with [`Builder::run_parallel`] each search has
    /// a thread.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn add_search(&mut self, leaf: L) {
        let Settings { tuning, root_epsilon, hash_bytes, .. } = self.settings;
        let options = Options { tuning, root_epsilon, hash_bytes, ..Options::default() };
        let mut search = DfPn::new(self.game, self.goal, leaf, options);
        for (parts, plies) in self.proofs().since(0) {
            search.add_proof(parts, plies);
        }
        self.searches.push(search);
    }

    /// Adds the proofs from this one on to the tables of all searches.
    fn share_proofs(&mut self, first: usize) {
        let added = self.proofs().since(first);
        for search in &mut self.searches {
            for &(parts, plies) in &added {
                search.add_proof(parts, plies);
            }
        }
    }

    /// The root of the proof.
    pub const fn root(&self) -> &G::Position {
        &self.root
    }

    /// The goal of the proof.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Whether the root is proved or refuted.
    pub fn state(&self) -> ProofState {
        let any = |state| self.tree.has_any(&self.roots, state);
        match self.decided {
            Some(state) => state,
            None if any(ProofState::Refuted) => ProofState::Refuted,
            None if any(ProofState::Open) => ProofState::Open,
            None => ProofState::Proved,
        }
    }

    fn is_open(&self) -> bool {
        self.state() == ProofState::Open
    }

    /// The plan that reaches the goal, if the root is proved, with only the steps that it needs.
    pub fn plan(&self) -> Option<Plan<G>> {
        let mut plan = Plan::new();
        let proved = self.each_step(|step| {
            plan.insert(self.game, step);
            Ok::<_, std::convert::Infallible>(())
        });
        matches!(proved, Ok(true)).then_some(plan)
    }

    /// Calls `each` with the steps of the [plan](Self::plan) one by one, without keeping them in memory, until
    /// it fails. Returns whether the root is proved.
    ///
    /// # Errors
    ///
    /// The error that `each` returns.
    pub fn each_step<E>(
        &self,
        mut each: impl FnMut(PlanStep<G>) -> Result<(), E>,
    ) -> Result<bool, E> {
        if self.state() != ProofState::Proved {
            return Ok(false);
        }
        let (game, proofs) = (self.game, self.proofs());
        let mut met = FxHashSet::default();
        let mut open = Vec::new();
        for &root in &self.roots {
            open.push(self.position(root).clone());
        }
        while let Some(position) = open.pop() {
            if game.verdict(&position).is_some() || !met.insert(game.key(&position)) {
                continue;
            }
            let Some((mv, plies)) = proofs.find(game, game.parts(&position)) else {
                return Ok(false);
            };
            let after = game.play(&position, mv);
            if game.verdict(&after).is_none() {
                open.append(&mut children(game, &after));
            }
            each(PlanStep { position, mv, plies })?;
        }
        Ok(true)
    }

    /// The open positions: leaves of the tree and the positions above them.
    pub fn open(&self) -> impl Iterator<Item = OpenPosition<'_, G::Position>> {
        self.described(&self.tree.open()).into_iter()
    }

    /// The open positions from the root to the leaf with the most expected expansions.
    pub fn hardest(&self) -> Vec<OpenPosition<'_, G::Position>> {
        self.described(&self.tree.path_of_hardest(&self.roots))
    }

    fn described(&self, numbers: &[u32]) -> Vec<OpenPosition<'_, G::Position>> {
        let mut open = Vec::with_capacity(numbers.len());
        for &number in numbers {
            open.push(OpenPosition::of(self.position(number), self.tree.node(number)));
        }
        open
    }

    /// Expected expansions of the rest of the proof.
    pub fn estimate(&self) -> f64 {
        self.tree.estimate(&self.roots)
    }

    /// The move that is followed first from an open position of the tree, and the states of
    /// the positions after the replies to it.
    pub fn followed(&self, position: &G::Position) -> Option<(G::Move, Replies<'_, G>)> {
        let number = self.find(position)?;
        let candidate = self.tree.best(number)?;
        let mut replies = Vec::new();
        for &reply in candidate.replies.as_ref()? {
            replies.push((self.position(reply), self.tree.node(reply).state));
        }
        Some((self.tree_position(number).mv(candidate.named.mv), replies))
    }

    /// Number of entries of the proofs.
    pub fn steps(&self) -> usize {
        self.proofs().len()
    }

    /// Nodes of all runs so far: moves played.
    pub const fn spent(&self) -> u64 {
        self.nodes
    }

    /// Expansions of all runs so far: positions whose moves were generated.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Jobs of all runs so far.
    pub const fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Bytes of the tree and the proofs, without the tables.
    pub fn bytes(&self) -> usize {
        let mut positions = self.positions.capacity() * size_of::<TreePosition<G>>();
        for TreePosition { ranked, named, .. } in &self.positions {
            positions += (ranked.capacity() + named.capacity()) * size_of::<G::Move>();
        }
        self.tree.bytes() + positions + self.proofs().bytes()
    }

    /// Makes all current searches [collect](Harvest) their findings from now on, including `open_per_mille` of
    /// a thousand open positions, chosen by their keys and a seed.
    pub fn collect(&mut self, open_per_mille: u32, seed: u64) {
        for search in &mut self.searches {
            search.set_harvest(Some(Harvest::new(open_per_mille, seed)));
        }
    }

    /// The positions collected since the last call, in the order of the searches.
    pub fn take_collected(&mut self) -> Vec<Searched<G::Position>> {
        let mut collected = Vec::new();
        for search in &mut self.searches {
            if let Some(harvest) = search.harvest_mut() {
                collected.append(&mut harvest.take());
            }
        }
        collected
    }

    /// The leaves of the searches, which may be changed between two runs.
    pub fn leaves_mut(&mut self) -> impl Iterator<Item = &mut L> {
        self.searches.iter_mut().map(|search| search.leaf_mut())
    }
}

/// Positions by number.
impl<G: GameGraph, L> Builder<'_, G, L> {
    fn proofs(&self) -> RwLockReadGuard<'_, Proofs<G>> {
        read(&self.proofs)
    }

    fn proofs_mut(&self) -> RwLockWriteGuard<'_, Proofs<G>> {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn tree_position(&self, number: u32) -> &TreePosition<G> {
        &self.positions[number as usize]
    }

    fn tree_position_mut(&mut self, number: u32) -> &mut TreePosition<G> {
        &mut self.positions[number as usize]
    }

    fn position(&self, number: u32) -> &G::Position {
        &self.tree_position(number).position
    }

    /// The move of a candidate of a position.
    fn candidate(&self, number: u32, index: usize) -> G::Move {
        self.tree_position(number).mv(self.tree.node(number).candidates[index].named.mv)
    }

    /// The legal moves of a position.
    fn legal_moves(&self, number: u32) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(self.position(number), &mut moves);
        moves
    }

    /// The plies of the shortest known proof of a position.
    fn known_plies(&self, number: u32) -> Option<u32> {
        self.proofs().plies(self.game, self.game.parts(self.position(number)))
    }

    /// The number of a position of the tree.
    fn find(&self, position: &G::Position) -> Option<u32> {
        self.tree.find(self.game.key(position))
    }

    /// The number of a position of the tree, new or not.
    fn meet(&mut self, position: &G::Position) -> u32 {
        let number = self.tree.meet(self.game.key(position));
        if number as usize == self.positions.len() {
            self.positions.push(TreePosition::new(position.clone()));
        }
        number
    }

    /// The positions after all replies, except those that end the game well; `None` if one ends it badly.
    fn meet_all(&mut self, position: &G::Position) -> Option<Vec<u32>> {
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
}
