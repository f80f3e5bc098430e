//! The loop of a builder: the choice of the next task, and the consequences of results.

use super::Builder;
use super::job::{self, JobOutcome, JobResult};
use super::oracle::{NamedMove, NamingRequest, NextMove};
use super::progress::{Cost, Event, Observer, ProofState};
use super::proofs::Gap;
use super::tree::TreeChoice;
use crate::game::GameGraph;
use crate::leaf::Leaf;
use shogi_mate::Budget;

/// A task at a position of the tree.
#[derive(Debug)]
pub(super) struct Task {
    /// The number of the position, and before it those above it.
    pub(super) path: Vec<u32>,
    pub(super) kind: TaskKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TaskKind {
    /// A job: search the position.
    Search { max_expansions: u64 },
    /// Name the moves to follow, by an oracle.
    NameMoves,
    /// Follow the candidate with this index.
    Follow(usize),
    /// Take over a known proof: a proof of another position contains this one, or one with a worse hand.
    TakeKnownProof { plies: u32 },
}

/// The result of a task.
#[derive(Debug)]
pub(super) enum TaskResult<G: GameGraph> {
    Searched(JobResult<G>),
    Named(Vec<NamedMove<G::Move>>),
    /// No result: the other tasks imply their consequences.
    Nothing,
}

impl Task {
    /// The number of the position.
    pub(super) fn number(&self) -> u32 {
        self.path[self.path.len() - 1]
    }
}

/// Events with the numbers of their positions, in order.
pub(super) type Events<M> = Vec<(u32, Event<M>)>;

impl<'g, G: GameGraph, L: Leaf<G>> Builder<'g, G, L> {
    /// Works until the root is proved or refuted, the budget is spent or the observer breaks. `observer`
    /// receives each step after it is done.
    ///
    /// The same builder with the same budget of nodes always does the same work.
    pub fn run(
        &mut self,
        oracle: &mut impl NextMove<G>,
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, G, L>,
    ) {
        let mut stopped = false;
        while !stopped && !budget.is_over() {
            let Some(task) = self.next(oracle.thinks_again()) else { break };
            let events = self.do_here(task, oracle, budget);
            stopped = self.report(&events, observer);
        }
        self.tree.update();
    }

    /// The next task; `None` if the root is decided or every possible task is under way. `names_again`:
    /// whether moves may be named more than once.
    pub(super) fn next(&mut self, names_again: bool) -> Option<Task> {
        if self.state() != ProofState::Open {
            return None;
        }
        let (choice, path) = self.choose(names_again)?;
        let number = *path.last()?;
        let kind = match (self.known_plies(number), choice) {
            (Some(plies), _) => TaskKind::TakeKnownProof { plies },
            (None, TreeChoice::Search) => {
                let first = self.settings.first_expansions;
                TaskKind::Search { max_expansions: self.tree.node(number).next_budget(first) }
            }
            (None, TreeChoice::Expand) => {
                self.tree.node_mut(number).is_being_named = true;
                TaskKind::NameMoves
            }
            (None, TreeChoice::Follow(index)) => TaskKind::Follow(index),
        };
        self.tree.begin_task(&path);
        Some(Task { path, kind })
    }

    /// The next choice and the path to its position.
    fn choose(&mut self, names_again: bool) -> Option<(TreeChoice, Vec<u32>)> {
        while let Some(path) = self.fresh.pop_front() {
            let node = self.tree.node(*path.last()?);
            if node.is_new() && node.in_flight == 0 {
                return Some((TreeChoice::Search, path));
            }
        }
        self.tree.update();
        let mut path = Vec::new();
        let choice = self.tree.choose(&self.roots, names_again, &mut path)?;
        Some((choice, path))
    }

    /// Notes the result of a task and its consequences for the positions above. Returns all events.
    pub(super) fn done(&mut self, task: Task, result: TaskResult<G>) -> Events<G::Move> {
        let number = task.number();
        self.tree.end_task(&task.path);
        if matches!(task.kind, TaskKind::NameMoves) {
            self.tree.node_mut(number).is_being_named = false;
        }
        if let TaskResult::Searched(JobResult { nodes, .. }) = result {
            self.count_nodes(nodes);
        }
        // Another task may have decided the position meanwhile.
        if self.tree.node(number).state == ProofState::Open {
            match (task.kind, result) {
                (TaskKind::Search { max_expansions }, TaskResult::Searched(result)) => {
                    self.take_result(number, max_expansions, result);
                }
                (TaskKind::NameMoves, TaskResult::Named(moves)) => {
                    self.expand(number, &moves);
                    self.events.push((number, Event::Expanded { moves }));
                }
                (TaskKind::Follow(index), _) => {
                    self.follow(number, index);
                    self.tree.paths_to_replies(&task.path, index, &mut self.fresh);
                }
                (TaskKind::TakeKnownProof { plies }, _) => {
                    self.close(number, ProofState::Proved, Event::Known { plies });
                }
                _ => {}
            }
        }
        std::mem::take(&mut self.events)
    }

    /// Does a task with the searches of the builder and this oracle, and notes its result.
    pub(super) fn do_here(
        &mut self,
        task: Task,
        oracle: &mut dyn NextMove<G>,
        budget: &mut Budget<'_>,
    ) -> Events<G::Move> {
        let number = task.number();
        match task.kind {
            TaskKind::Search { max_expansions } => {
                let Self { game, searches, positions, proofs, .. } = self;
                let turn = self.jobs as usize % searches.len();
                let (search, position) =
                    (&mut searches[turn], &positions[number as usize].position);
                let result = job::run(*game, search, position, max_expansions, proofs, budget);
                let first = self.steps();
                let events = self.done(task, TaskResult::Searched(result));
                self.share_proofs(first);
                events
            }
            TaskKind::NameMoves => {
                let moves = self.naming_request(number).named_by(self.game, self.goal, oracle);
                self.done(task, TaskResult::Named(moves))
            }
            TaskKind::Follow(_) | TaskKind::TakeKnownProof { .. } => {
                self.done(task, TaskResult::Nothing)
            }
        }
    }

    /// The request to name the moves to follow from a position.
    pub(super) fn naming_request(&mut self, number: u32) -> NamingRequest<G> {
        let node = self.tree.node(number);
        let at = &mut self.positions[number as usize];
        let mut ranked = Vec::new();
        if node.is_leaf() {
            ranked = std::mem::take(&mut at.ranked);
        }
        for candidate in &node.candidates {
            ranked.push(at.mv(candidate.named.mv));
        }
        let spent = node.total_expansions;
        if ranked.is_empty() {
            ranked = self.legal_moves(number);
        }
        NamingRequest { position: self.position(number).clone(), ranked, spent }
    }

    /// Passes events to an observer and returns whether it ends the run.
    pub(super) fn report(
        &self,
        events: &Events<G::Move>,
        observer: &mut Observer<'_, 'g, G, L>,
    ) -> bool {
        let mut stopped = false;
        for (number, event) in events {
            stopped |= observer(self, self.position(*number), event).is_break();
        }
        stopped
    }
}

/// Consequences of findings, new ones or those of a log.
impl<G: GameGraph, L: Leaf<G>> Builder<'_, G, L> {
    fn take_result(&mut self, number: u32, max_expansions: u64, result: JobResult<G>) {
        let JobResult { outcome, nodes, expansions } = result;
        let cost = Cost { budget: max_expansions, nodes, expansions };
        match outcome {
            JobOutcome::Cut => {}
            JobOutcome::Open { numbers, ranked } => {
                self.tree_position_mut(number).ranked = ranked;
                self.leave_open(number, cost, numbers);
                let (proof, disproof) = numbers;
                self.events.push((number, Event::LeftOpen { cost, proof, disproof }));
            }
            JobOutcome::Refuted => {
                self.count_job(number, cost);
                self.close(number, ProofState::Refuted, Event::Refuted { cost });
            }
            JobOutcome::Proved(found) => {
                let game = self.game;
                let next = &mut |at: &G::Position| Some(found.find(game, game.parts(at))?.0);
                match self.add_proof(number, next) {
                    Ok(moves) => self.note_proof(number, cost, moves),
                    // Only where two positions have one key.
                    Err(_) => self.leave_open(number, cost, (1, 1)),
                }
            }
        }
    }

    /// Adds the proof of a position by these moves of the prover, and returns the moves.
    ///
    /// # Errors
    ///
    /// If the moves are not a proof.
    pub(super) fn add_proof(
        &self,
        number: u32,
        next: &mut dyn FnMut(&G::Position) -> Option<G::Move>,
    ) -> Result<Vec<G::Move>, Gap> {
        self.proofs_mut().add(None, self.game, self.position(number), next)
    }

    /// Notes a job that has proved a position by these moves.
    pub(super) fn note_proof(&mut self, number: u32, cost: Cost, moves: Vec<G::Move>) {
        self.count_job(number, cost);
        self.tree.node_mut(number).proved_by = cost.budget;
        self.close(number, ProofState::Proved, Event::Proved { cost, moves });
    }

    /// Notes a job that has decided nothing.
    pub(super) fn leave_open(&mut self, number: u32, cost: Cost, numbers: (u32, u32)) {
        self.count_job(number, cost);
        let node = self.tree.node_mut(number);
        node.last_budget = cost.budget;
        node.expansions = node.expansions.saturating_add(cost.expansions);
        node.numbers = numbers;
        if node.is_leaf() {
            node.estimate = node.leaf_estimate();
        }
    }

    /// Counts the nodes of a job without overflow, since logs and results may have any numbers.
    pub(super) fn count_nodes(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// Counts a job for a position.
    pub(super) fn count_job(&mut self, number: u32, cost: Cost) {
        self.expansions = self.expansions.saturating_add(cost.expansions);
        self.jobs += 1;
        self.tree.spend(number, cost.expansions);
    }

    /// Makes these moves the first candidates of an open position.
    pub(super) fn expand(&mut self, number: u32, moves: &[NamedMove<G::Move>]) {
        let at = self.tree_position_mut(number);
        let mut candidates = Vec::with_capacity(moves.len());
        for &NamedMove { mv, factor } in moves {
            candidates.push(NamedMove { mv: at.name(mv), factor });
        }
        self.tree.expand(number, &candidates);
    }

    /// Follows a candidate.
    pub(super) fn follow(&mut self, number: u32, index: usize) {
        let mv = self.candidate(number, index);
        self.events.push((number, Event::Followed { mv }));
        let after = self.game.play(self.position(number), mv);
        let replies = self.meet_all(&after);
        if replies.is_none() {
            self.events.push((number, Event::MoveFails { mv }));
        }
        self.tree.follow(number, index, replies);
        self.settle(number);
    }

    /// Notes that a position is proved or refuted, with the consequences for those above it.
    pub(super) fn close(&mut self, number: u32, state: ProofState, event: Event<G::Move>) {
        let parents = self.tree.close(number, state);
        self.tree_position_mut(number).ranked = Vec::new();
        self.events.push((number, event));
        for parent in parents {
            self.settle(parent);
        }
    }

    /// Checks whether the replies to the candidates of a position prove or refute it.
    fn settle(&mut self, number: u32) {
        if self.tree.node(number).state != ProofState::Open {
            return;
        }
        for index in self.tree.mark_failing(number) {
            let mv = self.candidate(number, index);
            self.events.push((number, Event::MoveFails { mv }));
        }
        if let Some(index) = self.tree.proving_candidate(number) {
            let mv = self.candidate(number, index);
            if self.add_proof(number, &mut |_| Some(mv)).is_ok() {
                let plies = self.known_plies(number).unwrap_or(0);
                self.close(number, ProofState::Proved, Event::Known { plies });
            }
            return;
        }
        // Candidates that were not named may win, so that only all moves together refute.
        let candidates = &self.tree.node(number).candidates;
        if candidates.iter().all(|candidate| candidate.fails)
            && candidates.len() == self.game.count_moves(self.position(number))
        {
            self.close(number, ProofState::Refuted, Event::NoMoveLeft);
        }
    }
}
