//! The value of a position, with what proves it.

use std::fmt;

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::budget::Budget;
use crate::certify::{EFFORT, Prevention, prevent, reach};
use crate::df_pn::{DfPn, Tuning};
use crate::game::{Game, Goal};
use crate::ghi::Ghi;
use crate::leaf::Unit;
use crate::plan::{Flaw, Plan};
use crate::search::{Finding, Search};

/// Which search is run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Depth-first proof-number search, [`DfPn`].
    #[default]
    DfPn,
    /// Proof and disproof-number search, [`Pds`].
    Pds,
}

/// What a position that comes up again is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Repetition {
    /// Nobody has won.
    #[default]
    Draw,
    /// This player has lost.
    LosesFor(Colour),
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The search.
    pub algorithm: Algorithm,
    /// What a repetition is worth.
    pub repetition: Repetition,
    /// What df-pn does about the history.
    pub ghi: Ghi,
    /// What shapes df-pn.
    pub tuning: Tuning,
    /// Bytes for the tables of all searches together.
    pub hash: usize,
}

impl Default for Options {
    /// Df-pn, repetition is a draw, and 64 MiB.
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            repetition: Repetition::default(),
            ghi: Ghi::default(),
            tuning: Tuning::default(),
            hash: 64 << 20,
        }
    }
}

/// A plan with what it is for.
#[derive(Debug)]
pub struct Certificate<G: Game> {
    /// The goal.
    pub goal: Goal,
    /// Whether the plan is the prover's and reaches the goal, or the opponent's and prevents it.
    pub reaches: bool,
    /// The plan.
    pub plan: Plan<G>,
}

impl<G: Game> Certificate<G> {
    /// Checks the plan from `root` by the rules of the game alone.
    ///
    /// # Errors
    ///
    /// The first position found where it does not hold.
    pub fn check(&self, game: &G, root: &G::Position) -> Result<(), Flaw<G::Position>> {
        if self.reaches {
            self.plan.check_reaches(game, root, self.goal)
        } else {
            self.plan.check_prevents(game, root, self.goal)
        }
    }

    /// The same plan for a stronger claim, if it carries one: where no end it can come to is drawn,
    /// and a repetition is none either.
    fn strengthened(self, game: &G, root: &G::Position) -> Self {
        let goal = Goal { draw_suffices: !self.reaches, ..self.goal };
        let stronger = Self { goal, ..self };
        if stronger.goal == self.goal || stronger.check(game, root).is_ok() {
            stronger
        } else {
            Self { goal: self.goal, ..stronger }
        }
    }

    /// Whether the plan shows that Sente gets at least a win, or at least a draw, or that he does
    /// not.
    fn settles(&self) -> (Verdict, bool) {
        let Goal { prover, draw_suffices } = self.goal;
        match (prover, draw_suffices) {
            (Colour::Sente, false) => (Verdict::Win, self.reaches),
            (Colour::Sente, true) => (Verdict::Draw, self.reaches),
            (Colour::Gote, false) => (Verdict::Draw, !self.reaches),
            (Colour::Gote, true) => (Verdict::Win, !self.reaches),
        }
    }
}

/// What is known of a position after solving.
pub struct Answer<G: Game> {
    /// The value for the player to move, if the budget was enough to prove it.
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition: plies to the end at most.
    pub plies: Option<u32>,
    /// What proves the value: one plan for a win or a loss, two for a draw (or one that shows
    /// both halves). Without a value, what is proved all the same.
    pub certificates: Vec<Certificate<G>>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// The numbers of the searches that were left, by goal.
    pub open: Vec<(Goal, Finding)>,
}

impl<G: Game> fmt::Debug for Answer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("value", &self.value)
            .field("plies", &self.plies)
            .field("nodes", &self.nodes)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

/// Solves a position without a limit; see [`solve_within`].
pub fn solve<G: Game>(game: &G, root: &G::Position, options: &Options) -> Answer<G> {
    solve_within(game, root, options, &mut Budget::unlimited())
}

/// Solves a position: win, draw or loss for the player to move.
///
/// Two questions settle the value for Sente: whether it is a win, and whether it is a draw at
/// least. Each is a search for the player to whom a repetition is no help, so that what he proves
/// holds whatever the history; if he fails, the other's plan proves that. The searches take turns,
/// each time with twice the nodes, until the plans found settle the value: no value is given that a
/// plan does not carry.
pub fn solve_within<G: Game>(
    game: &G,
    root: &G::Position,
    options: &Options,
    budget: &mut Budget,
) -> Answer<G> {
    let mut questions: Vec<_> = goals(options.repetition)
        .into_iter()
        .map(|goal| Question { goal, search: None, finding: None })
        .collect();
    let mut certificates = Vec::new();
    let mut slice = FIRST_SLICE;
    while value_for_sente(&certificates).is_none() && !budget.is_over() {
        for index in 0..questions.len() {
            // The same player's weaker goal waits: mostly no end is drawn and one answer is both.
            let waits = index > 0
                && questions[0].goal.prover == questions[index].goal.prover
                && questions[0].is_open(&certificates);
            let question = &mut questions[index];
            if waits || !question.is_open(&certificates) {
                continue;
            }
            let found = budget.slice(slice, |budget| question.ask(game, root, options, budget));
            certificates.extend(found.map(|certificate| match options.repetition {
                Repetition::Draw => certificate,
                Repetition::LosesFor(_) => certificate.strengthened(game, root),
            }));
            if value_for_sente(&certificates).is_some() {
                break;
            }
        }
        slice = slice.saturating_mul(2);
    }
    let value = value_for_sente(&certificates);
    let mover = game.side(root);
    let plies = certificates
        .iter()
        .filter(|certificate| certificate.reaches && value.is_some_and(|v| v != Verdict::Draw))
        .filter_map(|certificate| certificate.plan.plies(game, root, certificate.goal))
        .min();
    let left = questions.iter().filter(|question| question.is_open(&certificates));
    let open = left.filter_map(|question| Some((question.goal, question.finding?))).collect();
    let value = value.map(|value| seen_by(mover, value));
    Answer { value, plies, certificates, nodes: budget.spent(), open }
}

/// Nodes of the first turn of each search.
const FIRST_SLICE: u64 = 20_000;

/// The goals that settle whether Sente wins, and whether he does not lose: each for the player to
/// whom a repetition is no help.
fn goals(repetition: Repetition) -> [Goal; 2] {
    let goal = |prover, draw_suffices| Goal { prover, draw_suffices };
    match repetition {
        Repetition::Draw => [goal(Colour::Sente, false), goal(Colour::Gote, false)],
        Repetition::LosesFor(prover) => [goal(prover, false), goal(prover, true)],
    }
}

/// The value for Sente, if certificates settle it.
fn value_for_sente<G: Game>(certificates: &[Certificate<G>]) -> Option<Verdict> {
    let settled = |wanted| {
        certificates.iter().map(Certificate::settles).find(|&(verdict, holds)| match wanted {
            // A win is a draw at least, and who does not get a draw does not win.
            Verdict::Win => verdict == Verdict::Win || !holds,
            _ => verdict == Verdict::Draw || holds,
        })
    };
    match (settled(Verdict::Win), settled(Verdict::Draw)) {
        (Some((_, true)), _) => Some(Verdict::Win),
        (_, Some((_, false))) => Some(Verdict::Loss),
        (Some((_, false)), Some((_, true))) => Some(Verdict::Draw),
        _ => None,
    }
}

fn seen_by(side: Colour, value: Verdict) -> Verdict {
    match (side, value) {
        (Colour::Gote, Verdict::Win) => Verdict::Loss,
        (Colour::Gote, Verdict::Loss) => Verdict::Win,
        _ => value,
    }
}

/// One of the two questions, with the search that works on it.
struct Question<'g, G: Game> {
    goal: Goal,
    search: Option<AnySearch<'g, G>>,
    finding: Option<Finding>,
}

enum AnySearch<'g, G: Game> {
    DfPn(Box<DfPn<'g, G, Unit>>),
}

impl<'g, G: Game> Question<'g, G> {
    fn is_open(&self, certificates: &[Certificate<G>]) -> bool {
        let settles = |certificate: &Certificate<G>| {
            certificate.goal == self.goal
                // A plan may show more than was asked.
                || certificate.goal.prover == self.goal.prover
                    && certificate.goal.draw_suffices != certificate.reaches
        };
        !certificates.iter().any(settles)
    }

    fn ask(
        &mut self,
        game: &'g G,
        root: &G::Position,
        options: &Options,
        budget: &mut Budget,
    ) -> Option<Certificate<G>> {
        let goal = self.goal;
        let bytes = options.hash / 2;
        let search = self.search.get_or_insert_with(|| match options.algorithm {
            Algorithm::DfPn => {
                let search = DfPn::new(game, goal, Unit, options.ghi, options.tuning, bytes);
                AnySearch::DfPn(Box::new(search))
            }
            Algorithm::Pds => unreachable!(),
        });
        let (finding, certificate) = match search {
            AnySearch::DfPn(search) => settle(&mut **search, root, budget),
        };
        self.finding = Some(finding);
        if certificate.is_some() {
            // Its table is of no more use.
            self.search = None;
        }
        certificate
    }
}

/// Searches and turns the finding into a certificate.
fn settle<G: Game, S: Search<G>>(
    search: &mut S,
    root: &G::Position,
    budget: &mut Budget,
) -> (Finding, Option<Certificate<G>>) {
    let goal = search.goal();
    let mut effort = EFFORT;
    loop {
        let before = budget.spent();
        let finding = search.search(root, budget);
        // Where doubts change nothing that the search believes, they are looked into deeper.
        effort = if budget.spent() - before < EFFORT { effort.saturating_mul(2) } else { EFFORT };
        let (reaches, plan) = match finding {
            Finding::Unknown { .. } => (false, None),
            Finding::Proved { .. } => (true, reach(search, root, budget)),
            Finding::Disproved => match prevent(search, root, effort, budget) {
                Prevention::Plan(plan) => (false, Some(plan)),
                // What was believed wrongly is known now, and the search goes on from there.
                Prevention::Reached | Prevention::Doubtful => continue,
                Prevention::Unknown => (false, None),
            },
        };
        return (finding, plan.map(|plan| Certificate { goal, reaches, plan }));
    }
}
