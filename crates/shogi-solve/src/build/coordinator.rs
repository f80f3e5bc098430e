//! The coordinator: chooses what is done next and notes what comes of it, whatever the game is. It knows the
//! positions by their numbers in the tree, and moves by their numbers at a position.

use std::collections::VecDeque;

use super::progress::{Cost, State};
use super::settings::Settings;
use super::tree::{Choice, Tree};
use crate::budget::Budget;

/// The work of a builder.
pub(super) struct Coordinator {
    pub(super) settings: Settings,
    pub(super) tree: Tree,
    /// The positions that all have to be proved: the root, or those after each reply to it.
    pub(super) roots: Vec<u32>,
    /// What has become of the root without any work.
    decided: Option<State>,
    /// Replies to moves followed of late, with the paths to them: each gets its first job before anything
    /// else is done.
    new: VecDeque<Vec<u32>>,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
    pub(super) jobs: u64,
    /// Whether the observer has ended the run.
    pub(super) stopped: bool,
}

/// A job: a position is searched.
#[derive(Debug)]
pub(super) struct Task {
    /// The number of the position in the tree, and those above it.
    pub(super) path: Vec<u32>,
    /// The most expansions.
    pub(super) budget: u64,
}

/// What is to be done next.
#[derive(Debug)]
pub(super) enum Work {
    /// A job.
    Search(Task),
    /// An oracle is to be asked about the position at the end of a path.
    Name(Vec<u32>),
}

/// A step that is told of, with moves by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// All replies to a followed move lead to proved positions, or proofs of others hold for the position.
    Known {
        plies: u32,
    },
    LeftOpen {
        cost: Cost,
        numbers: (u32, u32),
    },
    Refuted {
        cost: Cost,
    },
    NoMoveLeft,
    Followed {
        mv: u32,
    },
    MoveFails {
        mv: u32,
    },
}

/// What a coordinator needs of the game and of the proofs, and whom it tells of what it does.
pub(super) trait Scene {
    fn coordinator(&mut self) -> &mut Coordinator;

    /// The plies of the shortest proof that is known of a position.
    fn plies(&self, number: u32) -> Option<u32>;

    /// Adds the proof of a position by this move, all replies to which are proved; its plies.
    fn prove(&mut self, number: u32, mv: u32) -> Option<u32>;

    /// The positions after all replies to a move, but for those that end the game well; `None` if one ends
    /// it otherwise.
    fn replies(&mut self, number: u32, mv: u32) -> Option<Vec<u32>>;

    fn count_moves(&self, number: u32) -> usize;

    /// Forgets how the last job has ranked the moves of a position.
    fn forget_ranking(&mut self, number: u32);

    fn tell(&mut self, number: u32, event: &Step);
}

impl Coordinator {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            settings,
            tree: Tree::new(settings.limit),
            roots: Vec::new(),
            decided: None,
            new: VecDeque::new(),
            nodes: 0,
            expansions: 0,
            jobs: 0,
            stopped: false,
        }
    }

    /// Sets what all has to be proved, and what has become of the root, if it is decided.
    pub(super) fn begin(&mut self, roots: Vec<u32>, decided: Option<State>) {
        for &root in &roots {
            self.tree.node_mut(root).limit = self.settings.root_limit;
        }
        self.roots = roots;
        self.decided = decided;
    }

    /// Whether the root is proved or refuted.
    pub(super) fn state(&self) -> State {
        let any = |state| self.tree.has_any(&self.roots, state);
        match self.decided {
            Some(state) => state,
            None if any(State::Refuted) => State::Refuted,
            None if any(State::Open) => State::Open,
            None => State::Proved,
        }
    }

    /// Expansions that the whole proof is expected to take from now on.
    pub(super) fn estimate(&self) -> f64 {
        self.tree.estimate(&self.roots)
    }

    /// The path to the leaf that is expected to take the most.
    pub(super) fn path_of_hardest(&self) -> Vec<u32> {
        self.tree.path_of_hardest(&self.roots)
    }

    fn goes_on(&self, budget: &Budget<'_>) -> bool {
        self.state() == State::Open && !budget.is_over() && !self.stopped
    }

    /// What may be done next, and the path to where; `None` if all that could be done is being done.
    fn choose(&mut self, names_again: bool) -> Option<(Choice, Vec<u32>)> {
        if let Some(path) = self.next_new() {
            return Some((Choice::Search, path));
        }
        let mut path = Vec::new();
        self.tree.update();
        let choice = self.tree.choose(&self.roots, names_again, &mut path)?;
        Some((choice, path))
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

    /// The position at the end of a path is searched or asked about no more; its number if it is open.
    pub(super) fn land(&mut self, path: &[u32]) -> Option<u32> {
        self.tree.fly(path, false);
        let &number = path.last()?;
        (self.tree.node(number).state == State::Open).then_some(number)
    }

    /// An oracle has answered; the number of the position that it was asked about, if that is open.
    pub(super) fn take_answer(&mut self, path: &[u32]) -> Option<u32> {
        let &number = path.last()?;
        self.tree.node_mut(number).is_being_named = false;
        self.land(path)
    }

    /// The number of a candidate's move.
    fn candidate(&self, number: u32, index: usize) -> u32 {
        self.tree.node(number).candidates[index].named.mv
    }

    /// Notes a job that has decided nothing.
    pub(super) fn leave(&mut self, number: u32, cost: Cost, numbers: (u32, u32)) {
        self.count(number, cost);
        let node = self.tree.node_mut(number);
        node.budget = cost.budget;
        node.expansions = node.expansions.saturating_add(cost.expansions);
        node.numbers = numbers;
        if node.is_leaf() {
            node.estimate = node.leaf_estimate();
        }
    }

    /// Counts the nodes of a job. Logs and results may come from elsewhere, with any numbers.
    pub(super) fn count_nodes(&mut self, cost: Cost) {
        self.nodes = self.nodes.saturating_add(cost.nodes);
    }

    /// Counts a job for a position.
    pub(super) fn count(&mut self, number: u32, cost: Cost) {
        self.expansions = self.expansions.saturating_add(cost.expansions);
        self.jobs += 1;
        self.tree.spend(number, cost.expansions);
    }

    /// Counts a job that has proved a position.
    pub(super) fn count_proof(&mut self, number: u32, cost: Cost) {
        self.count(number, cost);
        self.tree.node_mut(number).proved_by = cost.budget;
    }
}

impl dyn Scene + '_ {
    pub(super) fn goes_on(&mut self, budget: &Budget<'_>) -> bool {
        self.coordinator().goes_on(budget)
    }

    /// What is to be done next; `None` if the root is decided, or all that could be done is being done.
    /// `names_again` says whether moves may be named more than once.
    pub(super) fn next_work(&mut self, names_again: bool) -> Option<Work> {
        loop {
            let coordinator = self.coordinator();
            if coordinator.state() != State::Open || coordinator.stopped {
                return None;
            }
            let (choice, path) = coordinator.choose(names_again)?;
            let number = *path.last()?;
            if let Some(plies) = self.plies(number) {
                // A proof of another position went through this one, or one with a worse hand.
                self.close(number, State::Proved, &Step::Known { plies });
                continue;
            }
            let coordinator = self.coordinator();
            match choice {
                Choice::Search => {
                    let first = coordinator.settings.job;
                    let budget = coordinator.tree.node(number).next_budget(first);
                    coordinator.tree.fly(&path, true);
                    return Some(Work::Search(Task { path, budget }));
                }
                Choice::Expand => {
                    coordinator.tree.fly(&path, true);
                    coordinator.tree.node_mut(number).is_being_named = true;
                    return Some(Work::Name(path));
                }
                Choice::Follow(index) => {
                    let mv = coordinator.candidate(number, index);
                    // What follows from it is told after it.
                    self.tell(number, &Step::Followed { mv });
                    self.follow(number, index);
                    let Coordinator { tree, new, .. } = self.coordinator();
                    tree.paths_to_replies(&path, index, new);
                }
            }
        }
    }

    /// Follows a candidate.
    pub(super) fn follow(&mut self, number: u32, index: usize) {
        let mv = self.coordinator().candidate(number, index);
        let replies = self.replies(number, mv);
        if replies.is_none() {
            self.tell(number, &Step::MoveFails { mv });
        }
        self.coordinator().tree.follow(number, index, replies);
        self.settle(number);
    }

    /// Notes a job that has decided nothing, and tells of it.
    pub(super) fn leave_open(&mut self, number: u32, cost: Cost, numbers: (u32, u32)) {
        self.coordinator().leave(number, cost, numbers);
        self.tell(number, &Step::LeftOpen { cost, numbers });
    }

    /// Notes a job that has refuted a position.
    pub(super) fn refute(&mut self, number: u32, cost: Cost) {
        self.coordinator().count(number, cost);
        self.close(number, State::Refuted, &Step::Refuted { cost });
    }

    /// Notes what has become of a position, and of those above it.
    pub(super) fn close(&mut self, number: u32, state: State, event: &Step) {
        let parents = self.coordinator().tree.close(number, state);
        self.forget_ranking(number);
        self.tell(number, event);
        self.settle_all(&parents);
    }

    /// Looks at positions a reply to which has just been decided.
    pub(super) fn settle_all(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.settle(number);
        }
    }

    /// Looks whether the replies to the candidates of a position prove or refute it.
    fn settle(&mut self, number: u32) {
        let coordinator = self.coordinator();
        if coordinator.tree.node(number).state != State::Open {
            return;
        }
        let (failing, proved) = coordinator.tree.settle(number);
        for index in failing {
            let mv = self.coordinator().candidate(number, index);
            self.tell(number, &Step::MoveFails { mv });
        }
        if let Some(index) = proved {
            let mv = self.coordinator().candidate(number, index);
            if let Some(plies) = self.prove(number, mv) {
                self.close(number, State::Proved, &Step::Known { plies });
            }
            return;
        }
        // Candidates that were not named may win, so that only all moves together refute.
        let candidates = &self.coordinator().tree.node(number).candidates;
        let followed = candidates.len();
        if candidates.iter().all(|candidate| candidate.fails)
            && self.count_moves(number) == followed
        {
            self.close(number, State::Refuted, &Step::NoMoveLeft);
        }
    }

    /// Does again what was told of an earlier run, but for refutations, which are searched again.
    ///
    /// # Errors
    ///
    /// If a position is said to be known that is not.
    pub(super) fn replay(&mut self, number: u32, event: &Step) -> Result<(), &'static str> {
        let coordinator = self.coordinator();
        match *event {
            Step::LeftOpen { cost, numbers } => {
                coordinator.count_nodes(cost);
                coordinator.leave(number, cost, numbers);
            }
            Step::Refuted { cost } => {
                coordinator.count_nodes(cost);
                coordinator.count(number, cost);
            }
            Step::Known { .. } if coordinator.tree.node(number).state == State::Open => {
                let plies = self.plies(number).ok_or("no proof holds for the position")?;
                self.close(number, State::Proved, &Step::Known { plies });
            }
            Step::Followed { mv } => {
                let candidates = &coordinator.tree.node(number).candidates;
                let index = candidates.iter().position(|candidate| candidate.named.mv == mv);
                let index = index.ok_or("the move is no candidate")?;
                if candidates[index].replies.is_none() {
                    self.follow(number, index);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
