//! One of the two questions that a [`Solver`](crate::Solver) answers, with the search that works on it.

use crate::certify::{Deciding, Decision, Reaching};
use crate::df_pn::{self, DfPn};
use crate::game::{GameGraph, Goal};
use crate::leaf::StartLeaf;
use crate::memory::Memory;
use crate::pds::Pds;
use crate::plan::Plan;
use crate::search::{Finding, Search};
use crate::solve::{Algorithm, Ended, GoalPlan, Options};
use shogi_mate::{Budget, OutOfBudget};

/// One of the two questions, with the search that works on it.
pub(crate) struct Question<'g, G: GameGraph> {
    pub(crate) goal: Goal,
    pub(crate) search: Option<AnySearch<'g, G>>,
    /// The current work of the search.
    work: Option<QuestionWork<G>>,
    pub(crate) finding: Option<Finding>,
    /// Why the search ended without an answer before its budget did, if so.
    pub(crate) stuck: Option<Ended>,
}

/// The search of an [`Algorithm`].
pub(crate) enum AnySearch<'g, G: GameGraph> {
    DfPn(Box<DfPn<'g, G, StartLeaf>>),
    Pds(Box<Pds<'g, G, StartLeaf>>),
}

impl<'g, G: GameGraph> AnySearch<'g, G> {
    /// A search with half of the bytes.
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

    /// The memory of the search.
    pub(crate) fn memory(&self) -> &Memory {
        match self {
            Self::DfPn(search) => &search.explorer.walk.memory,
            Self::Pds(search) => &search.explorer.walk.memory,
        }
    }

    /// The memory of the search, mutable.
    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        match self {
            Self::DfPn(search) => &mut search.explorer.walk.memory,
            Self::Pds(search) => &mut search.explorer.walk.memory,
        }
    }
}

impl<'g, G: GameGraph> Question<'g, G> {
    /// A new question.
    pub(crate) const fn new(goal: Goal) -> Self {
        Self { goal, search: None, work: None, finding: None, stuck: None }
    }

    /// Drops its search, which is no longer needed.
    pub(crate) fn close(&mut self) {
        (self.search, self.work) = (None, None);
    }

    /// Works on the question and returns a certificate once it is answered.
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

    /// Abandons the path of a paused search, if returning to it takes at most `nodes` nodes.
    pub(crate) fn unwind(&mut self, nodes: u64) {
        let Some(search) = &mut self.search else { return };
        let search = search.search();
        if search.moves_on_path() as u64 > nodes {
            return;
        }
        // The search may be one of a position below.
        if let (Some(found), Some(QuestionWork::Deciding(deciding))) = (search.unwind(), &self.work)
            && deciding.is_searching()
        {
            self.finding = Some(found);
        }
    }
}

/// The work on a question.
pub(crate) enum QuestionWork<G: GameGraph> {
    /// Search the root and close the disproof.
    Deciding(Deciding<G>),
    /// Make a plan from the proof.
    Reaching(Reaching<G>),
}

impl<G: GameGraph> QuestionWork<G> {
    /// Works until there is a plan. Returns it with whether it reaches the goal, or no plan if there is no
    /// memory for one.
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
