//! One of the two questions that a [`Solver`](crate::Solver) answers, with the search that works on it.

use crate::budget::{Budget, OutOfBudget};
use crate::certify::{Deciding, Decision, Reaching};
use crate::df_pn::{self, DfPn};
use crate::game::{GameGraph, Goal};
use crate::leaf::StartLeaf;
use crate::memory::Memory;
use crate::pds::Pds;
use crate::plan::Plan;
use crate::search::{Finding, Search};
use crate::solve::{Algorithm, Ended, GoalPlan, Options};

/// One of the two questions, with the search that works on it.
pub(crate) struct Question<'g, G: GameGraph> {
    pub(crate) goal: Goal,
    pub(crate) search: Option<AnySearch<'g, G>>,
    /// What the search is doing.
    work: Option<QuestionWork<G>>,
    pub(crate) finding: Option<Finding>,
    /// Why the search ended without an answer and before its budget did, if it has.
    pub(crate) stuck: Option<Ended>,
}

/// The search of an [`Algorithm`].
pub(crate) enum AnySearch<'g, G: GameGraph> {
    DfPn(Box<DfPn<'g, G, StartLeaf>>),
    Pds(Box<Pds<'g, G, StartLeaf>>),
}

impl<'g, G: GameGraph> AnySearch<'g, G> {
    /// A search that takes its half of the bytes.
    pub(crate) fn new(game: &'g G, goal: Goal, options: &Options) -> Self {
        let Options { algorithm, leaf, ghi, tuning, hash_bytes, .. } = *options;
        match algorithm {
            Algorithm::DfPn => {
                let hash_bytes = hash_bytes / 2;
                let options = df_pn::Options { ghi, tuning, hash_bytes, ..Default::default() };
                Self::DfPn(Box::new(DfPn::new(game, goal, leaf, options)))
            }
            Algorithm::Pds => Self::Pds(Box::new(Pds::new(game, goal, leaf, hash_bytes / 2))),
        }
    }

    fn search(&mut self) -> &mut dyn Search<G> {
        match self {
            Self::DfPn(search) => &mut **search,
            Self::Pds(search) => &mut **search,
        }
    }

    /// Whether the search has met a position without moves and without a verdict.
    fn has_dead_end(&self) -> bool {
        match self {
            Self::DfPn(search) => search.explorer.has_dead_end,
            Self::Pds(search) => search.explorer.has_dead_end,
        }
    }

    /// What the search remembers.
    pub(crate) fn memory(&self) -> &Memory {
        match self {
            Self::DfPn(search) => &search.explorer.walk.memory,
            Self::Pds(search) => &search.explorer.walk.memory,
        }
    }

    /// What the search remembers, to be filled.
    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        match self {
            Self::DfPn(search) => &mut search.explorer.walk.memory,
            Self::Pds(search) => &mut search.explorer.walk.memory,
        }
    }
}

impl<'g, G: GameGraph> Question<'g, G> {
    /// A question that nobody has worked at.
    pub(crate) const fn new(goal: Goal) -> Self {
        Self { goal, search: None, work: None, finding: None, stuck: None }
    }

    /// Gives its search up, which is of no more use.
    pub(crate) fn close(&mut self) {
        (self.search, self.work) = (None, None);
    }

    /// Works at the question; a certificate if that answers it.
    pub(crate) fn search(
        &mut self,
        game: &'g G,
        root: &G::Position,
        options: &Options,
        budget: &mut Budget,
    ) -> Option<GoalPlan<G>> {
        let search = self.search.get_or_insert_with(|| AnySearch::new(game, self.goal, options));
        let work =
            self.work.get_or_insert_with(|| QuestionWork::Deciding(Deciding::new(game, root)));
        let plan = work.run(search.search(), root, &mut self.finding, budget).ok()?;
        self.work = None;
        self.stuck = plan.is_none().then_some(Ended::Memory);
        let (reaches, plan) = plan?;
        Some(GoalPlan { goal: self.goal, reaches, plan })
    }

    /// Whether its search has met a position without moves and without a verdict.
    pub(crate) fn has_dead_end(&self) -> bool {
        self.search.as_ref().is_some_and(AnySearch::has_dead_end)
    }

    /// Leaves the path of a search that the budget has ended, if it takes no more nodes to come back
    /// to it.
    pub(crate) fn unwind(&mut self, nodes: u64) {
        let Some(search) = &mut self.search else { return };
        let search = search.search();
        if search.moves_on_path() as u64 > nodes {
            return;
        }
        // The search may be one of a position below.
        if let (Some(found), Some(QuestionWork::Deciding(deciding))) = (search.unwind(), &self.work)
        {
            if deciding.is_searching() {
                self.finding = Some(found);
            }
        }
    }
}

/// What is done about a question.
pub(crate) enum QuestionWork<G: GameGraph> {
    /// The root is searched, and the disproof closed.
    Deciding(Deciding<G>),
    /// The proof is made into a plan.
    Reaching(Reaching<G>),
}

impl<G: GameGraph> QuestionWork<G> {
    /// Works until there is a plan, with whether it reaches the goal; no plan if there is no memory for one.
    fn run(
        &mut self,
        search: &mut dyn Search<G>,
        root: &G::Position,
        finding: &mut Option<Finding>,
        budget: &mut Budget,
    ) -> Result<Option<(bool, Plan<G>)>, OutOfBudget> {
        loop {
            match self {
                Self::Deciding(deciding) => {
                    let decision = deciding.run(search, budget);
                    *finding = Some(deciding.finding());
                    match decision? {
                        Decision::Proved { .. } => {
                            *self = Self::Reaching(Reaching::new(search.game(), root));
                        }
                        Decision::Prevented(plan) => return Ok(Some((false, plan))),
                        Decision::Open(_) => return Ok(None),
                    }
                }
                Self::Reaching(reaching) => {
                    return Ok(reaching.run(search, budget)?.map(|plan| (true, plan)));
                }
            }
        }
    }
}
