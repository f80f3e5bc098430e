//! The value of a position with its proof.

use std::fmt;
use std::time::Duration;

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;
use shogi_rules::shogi_core::clock::Instant;

use crate::df_pn::Tuning;
use crate::game::{GameGraph, Goal};
use crate::ghi::Ghi;
use crate::leaf::StartLeaf;
use crate::plan::{Plan, PlanError};
use crate::question::Question;
use crate::search::Finding;
use crate::value::{PlanClaim, is_open, value_for};
use crate::whole::{Bounds, DeadEnd, Whole};
use shogi_mate::{Budget, Limit};

/// The search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Depth-first proof-number search, [`DfPn`](crate::df_pn::DfPn).
    #[default]
    DfPn,
    /// Proof and disproof-number search, [`Pds`](crate::pds::Pds).
    Pds,
}

impl Algorithm {
    /// `dfpn` or `pds`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DfPn => "dfpn",
            Self::Pds => "pds",
        }
    }
}

/// The value of a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RepetitionValue {
    /// Nobody has won.
    #[default]
    Draw,
    /// This player has lost.
    LosesFor(Colour),
    /// The player who makes the last repetition has lost. Who that is depends on the number of occurrences,
    /// which the searches do not know: only wins and losses without a repetition are proved.
    LosesForRepeater,
}

/// Options of a solver.
#[derive(Clone, Debug)]
pub struct Options {
    /// The search.
    pub algorithm: Algorithm,
    /// The initial numbers of new leaves.
    pub leaf: StartLeaf,
    /// The value of a repetition.
    pub repetition: RepetitionValue,
    /// The treatment of the history by df-pn.
    pub ghi: Ghi,
    /// The tuning of df-pn.
    pub tuning: Tuning,
    /// Bytes for all searches together: their tables, their paths and the plans made from their findings. In
    /// addition each search may use half a megabyte, and the exploration of a small game at most twice this
    /// number.
    pub hash_bytes: usize,
    /// The most positions of a small game. Such a game is explored as a whole, position by position, beside the
    /// first million nodes or more of the searches; 0 leaves everything to the searches. Detecting that a game
    /// is larger takes at most as many moves as the searches make up to a million, and an eighth of theirs
    /// beyond.
    pub small_game: usize,
}

impl Default for Options {
    /// Df-pn, leaves of 1 and 1, repetition is a draw, 64 MiB, and four million positions of a small game.
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            leaf: StartLeaf::default(),
            repetition: RepetitionValue::default(),
            ghi: Ghi::default(),
            tuning: Tuning::default(),
            hash_bytes: 64 << 20,
            small_game: 4_000_000,
        }
    }
}

/// A plan with its goal.
#[derive(Debug)]
pub struct GoalPlan<G: GameGraph> {
    /// The goal.
    pub goal: Goal,
    /// Whether the plan is the prover's and reaches the goal, or the opponent's and prevents it.
    pub reaches: bool,
    /// The plan.
    pub plan: Plan<G>,
}

impl<G: GameGraph> GoalPlan<G> {
    /// Checks the plan from `root` by the rules of the game alone.
    ///
    /// # Errors
    ///
    /// The first position found in which it does not hold.
    pub fn check(&self, game: &G, root: &G::Position) -> Result<(), PlanError<G::Position>> {
        self.plan.check(game, root, self.goal, self.reaches)
    }

    /// The player whose moves the plan has.
    pub fn planner(&self) -> Colour {
        if self.reaches { self.goal.prover } else { !self.goal.prover }
    }

    /// Whether the plan wins for the planner, or only avoids a loss.
    pub const fn planner_wins(&self) -> bool {
        self.goal.draw_suffices != self.reaches
    }

    /// The plan with a stronger claim, if it supports one: if none of its possible ends is a draw, and a
    /// repetition is not a draw, either.
    fn strengthened(self, game: &G, root: &G::Position) -> Self {
        let goal = Goal { draw_suffices: !self.reaches, ..self.goal };
        let stronger = Self { goal, ..self };
        if stronger.goal == self.goal || stronger.check(game, root).is_ok() {
            stronger
        } else {
            Self { goal: self.goal, ..stronger }
        }
    }

    /// The claim of the plan.
    const fn claim(&self) -> PlanClaim {
        PlanClaim { goal: self.goal, reaches: self.reaches }
    }
}

/// Why the work on a position ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ended {
    /// The value is proved.
    Solved,
    /// The nodes of the budget are spent, or there was no run.
    Nodes,
    /// The time of the budget is spent.
    Time,
    /// The stop signal was given.
    Stopped,
    /// [`Options::hash_bytes`] is too small for the path of the search or for a plan.
    Memory,
    /// A position has neither moves nor a verdict: the [`GameGraph`] breaks its contract.
    NoMoves,
    /// Nobody wins without a repetition, and the value of a repetition depends on who makes it:
    /// [`RepetitionValue::LosesForRepeater`].
    Repetition,
    /// The searches have answers, but the rules of the variant do not accept them as a proof; see
    /// [`Solved::refuted`](crate::Solved::refuted).
    Stuck,
}

impl Ended {
    /// `solved`, `nodes`, `time`, `interrupted`, `memory`, `nomoves`, `repetition` or `stuck`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Stopped => "interrupted",
            Self::Memory => "memory",
            Self::NoMoves => "nomoves",
            Self::Repetition => "repetition",
            Self::Stuck => "stuck",
        }
    }
}

/// The method that found a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// The searches.
    Search,
    /// The exploration of a small game as a whole: [`Options::small_game`].
    Whole,
}

impl Method {
    /// `search` or `whole`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Whole => "whole",
        }
    }
}

/// The result of solving a position.
pub struct Solution<G: GameGraph> {
    /// The value for the player to move, if it was proved within the budget.
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition, the most plies to the end.
    pub plies: Option<u32>,
    /// The plans that prove the value: one for a win or a loss, two for a draw (or one that shows both halves).
    /// Without a value, the plans proved so far.
    pub certificates: Vec<GoalPlan<G>>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// Positions entered in all searches together.
    pub expansions: u64,
    /// Why the work ended.
    pub ended: Ended,
    /// The method that found the certificates: [`Method::Whole`] if it found one of them.
    pub method: Method,
    /// The last findings of unfinished searches, by goal. A proof or a disproof among them has no certificate.
    pub open: Vec<(Goal, Finding)>,
}

impl<G: GameGraph> fmt::Debug for Solution<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("value", &self.value)
            .field("plies", &self.plies)
            .field("nodes", &self.nodes)
            .field("expansions", &self.expansions)
            .field("ended", &self.ended)
            .field("method", &self.method)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

/// Solves a position without a limit on time; see [`solve_within`].
pub fn solve<G: GameGraph>(game: &G, root: &G::Position, options: &Options) -> Solution<G> {
    solve_within(game, root, options, &mut Budget::unlimited())
}

/// Solves a position within a budget; see [`Solver`].
pub fn solve_within<G: GameGraph>(
    game: &G,
    root: &G::Position,
    options: &Options,
    budget: &mut Budget,
) -> Solution<G> {
    let mut solver = Solver::new(game, root.clone(), options.clone());
    solver.run(budget);
    solver.into_solution()
}

/// Solves a position: win, draw or loss for the player to move.
///
/// Two questions decide the value for Sente: whether it is a win, and whether it is a draw at least. Each is a
/// search for the player whom a repetition does not help, so that proofs hold for every history; if there is no
/// proof, the other player's plan shows it. The searches take turns with doubling nodes until the plans show
/// the value; no value is returned without a plan. Beside them a small game is explored as a whole
/// ([`Options::small_game`]), which yields the plans at once.
///
/// A solver can be run with one budget after another and resumes where it stopped, however small the budgets:
/// together they spend at most about an eighth more than a single sufficient one.
///
/// ```
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, GameGraph, Options, Solver, Verdict};
///
/// let game = Graph::parse("a(L(W a))")?;
/// let mut solver = Solver::new(&game, game.start(), Options::default());
/// while solver.value().is_none() {
///     solver.run(&mut Budget::nodes(100));
/// }
/// assert_eq!(solver.value(), Some(Verdict::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<'g, G: GameGraph> {
    pub(crate) game: &'g G,
    pub(crate) root: G::Position,
    pub(crate) options: Options,
    pub(crate) questions: [Question<'g, G>; 2],
    pub(crate) certificates: Vec<GoalPlan<G>>,
    /// The exploration of the whole game, unless it is left to the searches.
    whole: Option<Whole<G>>,
    method: Method,
    pub(crate) turn: Turn,
    pub(crate) nodes: u64,
    pub(crate) expansions: u64,
    pub(crate) elapsed: Duration,
    /// The limit that ended the last run, unless the searches ended first.
    limit: Limit,
}

/// The current turn: the question and its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// The index of the question.
    pub(crate) question: usize,
    /// Nodes of each question in this round.
    pub(crate) nodes: u64,
    /// The rest of these nodes for the current question.
    pub(crate) left: u64,
}

impl<'g, G: GameGraph> Solver<'g, G> {
    /// A new solver. The tables are allocated with the first nodes.
    pub fn new(game: &'g G, root: G::Position, options: Options) -> Self {
        let question = |goal| Question::new(goal);
        let [first, second] = goals(options.repetition);
        Self {
            game,
            root,
            questions: [question(first), question(second)],
            whole: (options.small_game > 0).then(Whole::new),
            method: Method::Search,
            options,
            certificates: Vec::new(),
            turn: Turn { question: 0, nodes: FIRST_TURN, left: FIRST_TURN },
            nodes: 0,
            expansions: 0,
            limit: Limit::Nodes,
            elapsed: Duration::ZERO,
        }
    }

    /// The position to solve.
    pub const fn root(&self) -> &G::Position {
        &self.root
    }

    /// Searches until the value is proved, the budget is spent, or the solver is
    /// [stuck](Self::is_stuck).
    ///
    /// # Panics
    ///
    /// If the system refuses the memory for the tables.
    pub fn run(&mut self, budget: &mut Budget) {
        let (started, begun) = (Instant::now(), budget.spent());
        while self.value().is_none() && !budget.is_over() && !self.is_stuck() {
            if self.turn.left == 0 || !self.is_due(self.turn.question) {
                self.turn.pass();
                continue;
            }
            let (before, expansions) = (budget.spent(), budget.expansions());
            let Self { game, root, options, questions, turn, .. } = self;
            let question = &mut questions[turn.question];
            let found = budget.slice(turn.left, |part| question.search(game, root, options, part));
            let spent = budget.spent() - before;
            turn.left = turn.left.saturating_sub(spent);
            if turn.left == 0 {
                question.unwind(u64::MAX);
            }
            self.nodes += spent;
            self.expansions += budget.expansions() - expansions;
            let (index, is_dead_end) = (self.turn.question, question.has_dead_end());
            if let Some(certificate) = found {
                self.accept(index, certificate);
            }
            if is_dead_end {
                self.give_up(Ended::NoMoves);
            }
            self.look_at_whole(budget);
            let claims = self.claims();
            for question in &mut self.questions {
                if !is_open(question.goal, &claims) {
                    question.close();
                }
            }
        }
        // A checkpoint has no path. After a short run the path is kept: rebuilding it would cost most of
        // the next run.
        for question in &mut self.questions {
            question.unwind((budget.spent() - begun) / 8);
        }
        self.limit = budget.ended_by().unwrap_or(Limit::Nodes);
        self.elapsed += started.elapsed();
    }

    /// Keeps the answer to a question.
    fn accept(&mut self, index: usize, certificate: GoalPlan<G>) {
        let Self { game, root, options, certificates, .. } = self;
        match options.repetition {
            RepetitionValue::Draw => certificates.push(certificate),
            RepetitionValue::LosesFor(_) => certificates.push(certificate.strengthened(game, root)),
            RepetitionValue::LosesForRepeater if certificate.reaches => {
                certificates.push(certificate);
            }
            // Some lines of the plan may run in cycles, and the player who repeats in them loses.
            RepetitionValue::LosesForRepeater => {
                self.questions[index].stuck = Some(Ended::Repetition);
            }
        }
    }

    /// Ends the open questions without an answer.
    fn give_up(&mut self, reason: Ended) {
        let claims = self.claims();
        for question in self.questions.iter_mut().filter(|question| is_open(question.goal, &claims))
        {
            question.stuck = Some(reason);
        }
    }

    /// Continues the exploration of the whole game, by about as much as the searches have done.
    fn look_at_whole(&mut self, budget: &mut Budget) {
        let bounds = Bounds {
            positions: self.options.small_game,
            bytes: self.options.hash_bytes.saturating_mul(2),
            moves: moves_beside(self.nodes),
        };
        while let Some(index) = (0..2).find(|&index| self.is_due(index)) {
            let goal = self.questions[index].goal;
            let Some(whole) = &mut self.whole else { return };
            match whole.look(self.game, &self.root, goal, bounds, budget) {
                None => return,
                Some(Err(DeadEnd)) => self.give_up(Ended::NoMoves),
                Some(Ok((reaches, plan))) => {
                    self.method = Method::Whole;
                    self.accept(index, GoalPlan { goal, reaches, plan });
                }
            }
        }
    }

    /// Whether a question still takes turns.
    fn is_due(&self, index: usize) -> bool {
        let claims = self.claims();
        let (first, question) = (&self.questions[0], &self.questions[index]);
        // The same player's weaker goal waits: mostly no end is drawn and one answer is both.
        let waits = index > 0
            && first.goal.prover == question.goal.prover
            && is_open(first.goal, &claims)
            && first.stuck.is_none();
        !waits && question.stuck.is_none() && is_open(question.goal, &claims)
    }

    /// The claims of the certificates.
    fn claims(&self) -> Vec<PlanClaim> {
        let mut claims = Vec::with_capacity(self.certificates.len());
        for certificate in &self.certificates {
            claims.push(certificate.claim());
        }
        claims
    }

    /// Whether more time is useless: the remaining searches have ended for lack of memory
    /// ([`Options::hash_bytes`] is too small for the path from the root or for a plan), with a plan whose lines
    /// run in cycles of unknown value ([`RepetitionValue::LosesForRepeater`]), or at a position without moves
    /// and verdict ([`Ended::NoMoves`]).
    pub fn is_stuck(&self) -> bool {
        !self.is_due(0) && !self.is_due(1) && self.value().is_none()
    }

    /// The value for the player to move, once it is proved.
    pub fn value(&self) -> Option<Verdict> {
        value_for(self.game.side(&self.root), &self.claims())
    }

    /// Why the last run ended.
    pub fn ended(&self) -> Ended {
        match self.limit {
            _ if self.value().is_some() => Ended::Solved,
            _ if self.is_stuck() => {
                let mut reasons = self.questions.iter().filter_map(|question| question.stuck);
                if self.questions.iter().any(|question| question.stuck == Some(Ended::NoMoves)) {
                    Ended::NoMoves
                } else if reasons.all(|reason| reason == Ended::Repetition) {
                    Ended::Repetition
                } else {
                    Ended::Memory
                }
            }
            Limit::Nodes => Ended::Nodes,
            Limit::Time => Ended::Time,
            Limit::Stopped => Ended::Stopped,
        }
    }

    /// Positions entered in all searches together, in all runs.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Moves played in all searches together, in all runs.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time spent in all runs.
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Frees the tables and returns the current result.
    pub fn into_solution(self) -> Solution<G> {
        let (ended, value, claims) = (self.ended(), self.value(), self.claims());
        let Self { game, root, questions, certificates, nodes, expansions, method, .. } = self;
        let mut open = Vec::new();
        for question in &questions {
            if let (true, Some(finding)) = (is_open(question.goal, &claims), question.finding) {
                open.push((question.goal, finding));
            }
        }
        let mut plies: Option<u32> = None;
        for GoalPlan { goal, plan, reaches } in &certificates {
            if *reaches
                && value.is_some_and(|value| value != Verdict::Draw)
                && let Some(own) = plan.plies(game, &root, *goal)
            {
                plies = Some(plies.map_or(own, |least| least.min(own)));
            }
        }
        Solution { value, plies, certificates, nodes, expansions, ended, method, open }
    }
}

impl Turn {
    /// Moves to the next question, and after the last one to the next round.
    const fn pass(&mut self) {
        self.question += 1;
        if self.question == 2 {
            self.question = 0;
            self.nodes = self.nodes.saturating_mul(2);
        }
        self.left = self.nodes;
    }
}

/// Moves of the exploration of the whole game beside this many nodes of the searches.
const fn moves_beside(nodes: u64) -> u64 {
    /// The number of nodes up to which moves equal nodes.
    const EVEN: u64 = 1 << 20;
    let even = if nodes < EVEN { nodes } else { EVEN };
    even + nodes / 8
}

/// Nodes of the first turn of each search.
const FIRST_TURN: u64 = 20_000;

/// The goals that decide whether Sente wins, and whether Sente does not lose: each for the player whom a
/// repetition does not help.
fn goals(repetition: RepetitionValue) -> [Goal; 2] {
    let goal = |prover, draw_suffices| Goal { prover, draw_suffices };
    match repetition {
        RepetitionValue::Draw | RepetitionValue::LosesForRepeater => {
            [goal(Colour::Sente, false), goal(Colour::Gote, false)]
        }
        RepetitionValue::LosesFor(prover) => [goal(prover, false), goal(prover, true)],
    }
}
