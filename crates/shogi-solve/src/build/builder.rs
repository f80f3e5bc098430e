//! The tree of jobs.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Event, NextMove};
use crate::budget::Budget;
use crate::certify::{Decision, decide, reach, shorten};
use crate::df_pn::{DfPn, Options, Tuning};
use crate::game::{GameGraph, Goal};
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children};
use crate::search::Finding;

/// What is found but has no plan yet.
const UNCERTAIN: Finding = Finding::Unknown { proof: 1, disproof: 1 };

/// Rounds between two jobs for a position that is followed move by move.
pub(super) const PAUSE: u32 = 3;

/// How a builder works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Nodes of a job in the first round; each round doubles them.
    pub nodes: u64,
    /// Rounds after which one more of the oracle's moves is followed beside the first.
    pub patience: u32,
    /// Bytes of the table that all jobs share.
    pub bytes: usize,
    /// What shapes the searches.
    pub tuning: Tuning,
}

impl Default for Settings {
    /// A million nodes, a second move every other round, 256 MiB.
    fn default() -> Self {
        Self { nodes: 1_000_000, patience: 2, bytes: 256 << 20, tuning: Tuning::default() }
    }
}

/// How far a position of the tree has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Neither proved nor refuted.
    Open,
    /// The prover reaches the goal.
    Proved,
    /// He does not.
    Refuted,
}

/// A position with the prover to move.
#[derive(Clone, Debug)]
pub(super) struct Node<G: GameGraph> {
    pub(super) position: G::Position,
    pub(super) state: State,
    /// Jobs done so far.
    pub(super) jobs: u32,
    /// The first round that has a job for it.
    pub(super) next: u32,
    /// Proof and disproof number after the last job.
    pub(super) numbers: (u32, u32),
    /// The oracle's moves, from the first expansion on.
    pub(super) moves: Vec<Followed<G>>,
    /// The round of the first expansion.
    pub(super) expanded: Option<u32>,
}

/// A move of the oracle.
#[derive(Clone, Debug)]
pub(super) struct Followed<G: GameGraph> {
    pub(super) mv: G::Move,
    pub(super) fails: bool,
    /// The positions after the replies, once the move is followed.
    pub(super) replies: Option<Vec<u32>>,
}

/// A position that is neither proved nor refuted, with the numbers of its last job.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a, P> {
    /// The position, the prover to move.
    pub position: &'a P,
    /// Its proof number.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// Whether a move was followed from here, so that its replies are what is open.
    pub expanded: bool,
}

/// The positions after the replies to a move, and what has become of them.
pub type Replies<'a, G> = Vec<(&'a <G as GameGraph>::Position, State)>;

/// Called with each event of a builder and its position.
pub type OnEvent<'t, 'g, G, L> =
    dyn FnMut(&Builder<'g, G, L>, &<G as GameGraph>::Position, Event<<G as GameGraph>::Move>) + 't;

/// Builds a proof from jobs; see the [module](super).
pub struct Builder<'g, G: GameGraph, L> {
    pub(super) game: &'g G,
    pub(super) goal: Goal,
    pub(super) root: G::Position,
    pub(super) settings: Settings,
    search: DfPn<'g, G, L>,
    pub(super) nodes: Vec<Node<G>>,
    index: FxHashMap<u64, u32>,
    /// The positions that all have to be proved: the root, or those after each reply to it.
    pub(super) roots: Vec<u32>,
    /// Whether a reply to the root ends the game badly for the prover.
    lost: bool,
    /// Steps of all proofs so far; of a position the one that needs the fewest plies. Any step
    /// leads to positions that need fewer, in whichever proof it was found, so that all of them
    /// together hold no circle.
    pub(super) steps: Plan<G>,
    pub(super) round: u32,
    /// Nodes that all runs so far have spent.
    pub(super) spent: u64,
}

impl<'g, G: GameGraph, L: Leaf<G>> Builder<'g, G, L> {
    /// A builder that has not done anything yet.
    pub fn new(game: &'g G, goal: Goal, root: G::Position, leaf: L, settings: Settings) -> Self {
        let Settings { tuning, bytes, .. } = settings;
        let options = Options { tuning, hash_bytes: bytes, ..Options::default() };
        let search = DfPn::new(game, goal, leaf, options);
        let mut builder = Self {
            game,
            goal,
            root: root.clone(),
            settings,
            search,
            nodes: Vec::new(),
            index: FxHashMap::default(),
            roots: Vec::new(),
            lost: false,
            steps: Plan::new(),
            round: 0,
            spent: 0,
        };
        if game.side(&root) == goal.prover {
            builder.roots = vec![builder.meet(root)];
        } else {
            let met = builder.meet_all(&root);
            builder.lost = met.is_none();
            builder.roots = met.unwrap_or_default();
        }
        builder
    }

    /// Works until the root is proved or refuted, or the budget is spent. `on_event` is called after
    /// each step.
    pub fn run(
        &mut self,
        oracle: &mut impl NextMove<G>,
        budget: &mut Budget,
        on_event: &mut OnEvent<'_, 'g, G, L>,
    ) {
        let before = budget.spent();
        let mut work =
            Work { oracle, budget, on_event, path: FxHashSet::default(), before, base: self.spent };
        while self.state() == State::Open && !work.budget.is_over() {
            for root in self.roots.clone() {
                self.visit(root, &mut work);
            }
            if !work.budget.is_over() {
                self.round += 1;
            }
        }
        self.spent = work.base + work.budget.spent() - before;
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
        let any = |state| self.roots.iter().any(|&root| self.nodes[root as usize].state == state);
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

    /// The plan that reaches the goal, if the root is proved: only what is needed, each position
    /// with the fewest plies that the proofs together allow.
    pub fn plan(&self) -> Option<Plan<G>> {
        match self.state() {
            State::Proved => shorten(self.game, &self.root, self.goal, &self.steps),
            State::Open | State::Refuted => None,
        }
    }

    /// What is open: leaves of the tree, and the positions above them.
    pub fn open(&self) -> impl Iterator<Item = Open<'_, G::Position>> {
        self.nodes.iter().filter(|node| node.state == State::Open).map(|node| Open {
            position: &node.position,
            proof: node.numbers.0,
            disproof: node.numbers.1,
            expanded: node.expanded.is_some(),
        })
    }

    /// The first move followed from a position of the tree that has not failed, and what has become
    /// of the positions after its replies.
    pub fn followed(&self, position: &G::Position) -> Option<(G::Move, Replies<'_, G>)> {
        let number = *self.index.get(&self.game.key(position))?;
        let moves = &self.nodes[number as usize].moves;
        let followed = moves.iter().find(|followed| !followed.fails)?;
        let replies = followed.replies.as_ref()?.iter().map(|&reply| {
            let node = &self.nodes[reply as usize];
            (&node.position, node.state)
        });
        Some((followed.mv, replies.collect()))
    }

    /// Number of positions in the proofs found so far.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Nodes of all runs so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// The number of a position of the tree, new or not.
    pub(super) fn meet(&mut self, position: G::Position) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.index.entry(self.game.key(&position)).or_insert(next);
        if number == next {
            self.nodes.push(Node {
                position,
                state: State::Open,
                jobs: 0,
                next: 0,
                numbers: (1, 1),
                moves: Vec::new(),
                expanded: None,
            });
        }
        number
    }

    /// The positions after all replies, but for those that end the game well; `None` if one ends it
    /// otherwise.
    fn meet_all(&mut self, position: &G::Position) -> Option<Vec<u32>> {
        let mut met = Vec::new();
        if let Some(verdict) = self.game.verdict(position) {
            let reached = self.goal.is_reached(verdict, self.game.side(position));
            return reached.then_some(met);
        }
        for reply in children(self.game, position) {
            match self.game.verdict(&reply) {
                Some(verdict) if self.goal.is_reached(verdict, self.game.side(&reply)) => {}
                Some(_) => return None,
                None => met.push(self.meet(reply)),
            }
        }
        Some(met)
    }

    /// Does what this round has for a position and all below it.
    fn visit<O: NextMove<G>>(&mut self, number: u32, work: &mut Work<'_, '_, 'g, G, L, O>) {
        let node = &self.nodes[number as usize];
        if node.state != State::Open || work.budget.is_over() || !work.path.insert(number) {
            return;
        }
        let position = node.position.clone();
        if let Some(step) = self.steps.get(self.game, &position) {
            // A proof of another position went through this one.
            let plies = step.plies;
            self.finish(number, State::Proved, Event::Proved { plies }, work);
        } else {
            if node.next <= self.round {
                self.job(number, &position, work);
            }
            let node = &self.nodes[number as usize];
            // Two jobs in vain: the tree so grows by one move a round, not all the way down.
            let ripe = node.expanded.is_some() || node.jobs > 1;
            if node.state == State::Open && ripe && !work.budget.is_over() {
                self.follow(number, &position, work);
            }
        }
        work.path.remove(&number);
    }

    /// Searches a leaf.
    fn job<O: NextMove<G>>(
        &mut self,
        number: u32,
        position: &G::Position,
        work: &mut Work<'_, '_, 'g, G, L, O>,
    ) {
        let nodes = self.settings.nodes.saturating_mul(1 << self.round.min(40));
        let (search, steps, game) = (&mut self.search, &mut self.steps, self.game);
        let before = work.budget.spent();
        let mut finding = match work.budget.slice(nodes, |budget| decide(search, position, budget))
        {
            Decision::Proved { plies } => Finding::Proved { plies },
            Decision::Prevented(_) => Finding::Disproved,
            Decision::Open(unknown @ Finding::Unknown { .. }) => unknown,
            Decision::Open(_) => UNCERTAIN,
        };
        if let Finding::Proved { .. } = finding {
            // What was cheap to find is not dear to write down.
            let plan = work.budget.slice(nodes, |budget| reach(search, position, budget));
            match plan {
                Some(plan) => add(game, steps, plan),
                None => finding = UNCERTAIN,
            }
        }
        match finding {
            Finding::Proved { .. } => {
                let plies = self.steps.get(game, position).map_or(0, |step| step.plies);
                self.finish(number, State::Proved, Event::Proved { plies }, work);
            }
            Finding::Disproved => self.finish(number, State::Refuted, Event::Refuted, work),
            Finding::Unknown { proof, disproof } => {
                let node = &mut self.nodes[number as usize];
                node.numbers = (proof, disproof);
                // A job that the whole budget has cut short is done again.
                if !work.budget.is_over() {
                    // What is followed move by move is mostly proved that way; but only a job
                    // finds out that play runs in circles.
                    let pause = if node.expanded.is_some() { PAUSE } else { 1 };
                    (node.jobs, node.next) = (node.jobs + 1, self.round + pause);
                    let nodes = work.budget.spent() - before;
                    let ranked = self.search.ranked_moves(position);
                    if node.expanded.is_none() {
                        let named = work.oracle.moves(game, self.goal, position, &ranked);
                        let mut moves: Vec<Followed<G>> = Vec::new();
                        for mv in named {
                            // An oracle may err in this too.
                            let new = moves.iter().all(|followed| followed.mv != mv);
                            if new && ranked.contains(&mv) {
                                moves.push(Followed { mv, fails: false, replies: None });
                            }
                        }
                        self.nodes[number as usize].moves = moves;
                    }
                    self.report(position, Event::LeftOpen { nodes, proof, disproof }, work);
                }
            }
        }
    }

    /// Follows the oracle's moves, as many as the round allows.
    fn follow<O: NextMove<G>>(
        &mut self,
        number: u32,
        position: &G::Position,
        work: &mut Work<'_, '_, 'g, G, L, O>,
    ) {
        let round = self.round;
        let since = round - *self.nodes[number as usize].expanded.get_or_insert(round);
        let width = 1 + (since / self.settings.patience.max(1)) as usize;
        let mut followed = 0;
        for index in 0..self.nodes[number as usize].moves.len() {
            if self.nodes[number as usize].moves[index].fails {
                continue;
            }
            if followed == width || work.budget.is_over() {
                return;
            }
            followed += 1;
            let mv = self.nodes[number as usize].moves[index].mv;
            let replies = match self.nodes[number as usize].moves[index].replies.clone() {
                Some(replies) => Some(replies),
                None => {
                    let after = self.game.play(position, mv);
                    let replies = self.meet_all(&after);
                    if let Some(replies) = &replies {
                        let event = Event::Expanded { mv, replies: replies.len() };
                        self.report(position, event, work);
                    }
                    replies
                }
            };
            let state = match &replies {
                Some(replies) => self.visit_all(replies, work),
                None => State::Refuted,
            };
            self.nodes[number as usize].moves[index].replies = replies;
            match state {
                State::Proved => {
                    let plies = self.plies_after(number, index) + 2;
                    let step = PlanStep { position: position.clone(), mv, plies };
                    add_step(self.game, &mut self.steps, step);
                    return self.finish(number, State::Proved, Event::Proved { plies }, work);
                }
                State::Refuted => {
                    self.nodes[number as usize].moves[index].fails = true;
                    self.report(position, Event::MoveFails { mv }, work);
                    followed -= 1;
                }
                State::Open => {}
            }
        }
        // The oracle has no other move. It may have left out a winning one, so that this refutes
        // nothing unless all moves were named.
        let node = &self.nodes[number as usize];
        let all = node.moves.iter().all(|followed| followed.fails);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        if all && node.moves.len() == moves.len() {
            self.finish(number, State::Refuted, Event::Refuted, work);
        }
    }

    /// Visits the positions after all replies to a move, and tells what has become of them.
    fn visit_all<O: NextMove<G>>(
        &mut self,
        replies: &[u32],
        work: &mut Work<'_, '_, 'g, G, L, O>,
    ) -> State {
        let mut state = State::Proved;
        for &reply in replies {
            self.visit(reply, work);
            match self.nodes[reply as usize].state {
                State::Refuted => return State::Refuted,
                State::Open => state = State::Open,
                State::Proved => {}
            }
        }
        state
    }

    /// The most plies that a followed move leaves after a reply.
    fn plies_after(&self, number: u32, index: usize) -> u32 {
        let replies = self.nodes[number as usize].moves[index].replies.iter().flatten();
        let position = |&reply: &u32| &self.nodes[reply as usize].position;
        let plies = replies.map(|reply| self.steps.get(self.game, position(reply)));
        plies.flatten().map(|step| step.plies).max().unwrap_or(0)
    }

    fn finish<O: NextMove<G>>(
        &mut self,
        number: u32,
        state: State,
        event: Event<G::Move>,
        work: &mut Work<'_, '_, 'g, G, L, O>,
    ) {
        let node = &mut self.nodes[number as usize];
        node.state = state;
        let position = node.position.clone();
        self.report(&position, event, work);
    }

    fn report<O: NextMove<G>>(
        &mut self,
        position: &G::Position,
        event: Event<G::Move>,
        work: &mut Work<'_, '_, 'g, G, L, O>,
    ) {
        self.spent = work.base + work.budget.spent() - work.before;
        (work.on_event)(self, position, event);
    }
}

/// What a run brings along.
struct Work<'w, 'b, 'g, G: GameGraph, L, O> {
    oracle: &'w mut O,
    budget: &'w mut Budget<'b>,
    on_event: &'w mut OnEvent<'w, 'g, G, L>,
    /// The positions that are being visited.
    path: FxHashSet<u32>,
    /// Nodes of the budget, and of the builder, before the run.
    before: u64,
    base: u64,
}

/// Adds the steps of a plan, where they are shorter than what is there.
fn add<G: GameGraph>(game: &G, steps: &mut Plan<G>, plan: Plan<G>) {
    for step in plan.into_steps() {
        add_step(game, steps, step);
    }
}

fn add_step<G: GameGraph>(game: &G, steps: &mut Plan<G>, step: PlanStep<G>) {
    if steps.get(game, &step.position).is_none_or(|before| before.plies > step.plies) {
        steps.insert(game, step);
    }
}
