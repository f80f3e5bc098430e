//! Plans, which prove a value and can be checked without any search.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::game::{GameGraph, Goal};

/// One player's moves in every position that can arise while the player keeps to them.
///
/// A plan belongs to a [`Goal`] and is of one of two kinds. A plan that *reaches* the goal is the prover's:
/// the [`PlanStep::plies`] of each position exceeds that of all its successors, so the game must end, and
/// well for the prover. A plan that *prevents* the goal is the opponent's: play may cycle forever, but no
/// possible end reaches the goal.
///
/// Positions are distinguished by [`GameGraph::key`], so a plan and its checks are exact unless 64-bit keys
/// collide. The strategies of proof files, which are made from plans, compare whole positions instead.
///
/// ```
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{GameGraph, Goal, Plan, PlanStep};
///
/// let (game, goal) = (Graph::parse("(LW)")?, Goal::win(Colour::Sente));
/// let root = game.start();
/// let mut moves = Vec::new();
/// game.moves(&root, &mut moves);
/// let plan_of = |mv| {
///     let mut plan = Plan::new();
///     plan.insert(&game, PlanStep { position: root, mv, plies: 1 });
///     plan
/// };
/// assert!(plan_of(moves[0]).check_reaches(&game, &root, goal).is_err());
/// assert!(plan_of(moves[1]).check_reaches(&game, &root, goal).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Plan<G: GameGraph> {
    steps: Vec<PlanStep<G>>,
    /// Their numbers, by the key of the position.
    index: FxHashMap<u64, u32>,
}

/// A move of a [`Plan`].
#[derive(Clone, Debug)]
pub struct PlanStep<G: GameGraph> {
    /// The position of the move.
    pub position: G::Position,
    /// The move.
    pub mv: G::Move,
    /// The most plies from here to the end; 0 in a plan that prevents.
    pub plies: u32,
}

/// Where a plan does not hold.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason} at {position:?}")]
pub struct PlanError<P: std::fmt::Debug> {
    /// The fault.
    pub reason: &'static str,
    /// The position.
    pub position: P,
}

impl<G: GameGraph> Plan<G> {
    /// A plan without steps, which suffices if the game is over or all replies end it.
    pub fn new() -> Self {
        Self { steps: Vec::new(), index: FxHashMap::default() }
    }

    /// Adds a step, in place of one for the same position.
    pub fn insert(&mut self, game: &G, step: PlanStep<G>) {
        let next = self.steps.len() as u32;
        let number = *self.index.entry(game.key(&step.position)).or_insert(next);
        match self.steps.get_mut(number as usize) {
            Some(before) => *before = step,
            None => self.steps.push(step),
        }
    }

    /// The step for a position.
    pub fn get(&self, game: &G, position: &G::Position) -> Option<&PlanStep<G>> {
        let number = *self.index.get(&game.key(position))?;
        self.steps.get(number as usize)
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps, in no particular order.
    pub fn steps(&self) -> impl Iterator<Item = &PlanStep<G>> {
        self.index.values().map(|&number| &self.steps[number as usize])
    }

    /// The most plies until the goal is reached, for a plan that reaches it from `root`.
    pub fn plies(&self, game: &G, root: &G::Position, goal: Goal) -> Option<u32> {
        if game.verdict(root).is_some() {
            return Some(0);
        }
        if game.side(root) == goal.prover {
            return Some(self.get(game, root)?.plies);
        }
        let mut most = 0;
        for child in children(game, root) {
            let plies = match game.verdict(&child) {
                Some(_) => 0,
                None => self.get(game, &child)?.plies,
            };
            most = most.max(plies.saturating_add(1));
        }
        Some(most)
    }

    /// Checks that the plan reaches the goal from `root`, by the rules of the game alone.
    ///
    /// # Errors
    ///
    /// The first position found in which it does not.
    pub fn check_reaches(
        &self,
        game: &G,
        root: &G::Position,
        goal: Goal,
    ) -> Result<(), PlanError<G::Position>> {
        self.check(game, root, goal, true)
    }

    /// Checks that the plan prevents the goal from `root` on forever.
    ///
    /// # Errors
    ///
    /// The first position found in which it does not.
    pub fn check_prevents(
        &self,
        game: &G,
        root: &G::Position,
        goal: Goal,
    ) -> Result<(), PlanError<G::Position>> {
        self.check(game, root, goal, false)
    }

    /// Checks that the plan reaches the goal, or prevents it.
    pub(crate) fn check(
        &self,
        game: &G,
        root: &G::Position,
        goal: Goal,
        reaches: bool,
    ) -> Result<(), PlanError<G::Position>> {
        let (plan, at) = (self, root.clone());
        let mut check = Check { plan, game, goal, reaches, open: Vec::new(), at };
        check.run(root).map_err(|reason| PlanError { reason, position: check.at })
    }
}

/// A check under way.
struct Check<'a, G: GameGraph> {
    plan: &'a Plan<G>,
    game: &'a G,
    goal: Goal,
    reaches: bool,
    /// The planner's positions still to be checked.
    open: Vec<G::Position>,
    /// The current position, where a plan that fails does so.
    at: G::Position,
}

impl<G: GameGraph> Check<'_, G> {
    /// Checks the plan and returns the fault, if any.
    fn run(&mut self, root: &G::Position) -> Result<(), &'static str> {
        let (game, goal) = (self.game, self.goal);
        let planner = if self.reaches { goal.prover } else { !goal.prover };
        let mut seen = FxHashSet::default();
        if game.verdict(root).is_some() || game.side(root) != planner {
            self.replies(root, u32::MAX)?;
        } else {
            self.open.push(root.clone());
        }
        while let Some(position) = self.open.pop() {
            if !seen.insert(game.key(&position)) {
                continue;
            }
            let Some(step) = self.plan.get(game, &position) else {
                return self.fail(&position, "no move is planned");
            };
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            if !moves.contains(&step.mv) {
                return self.fail(&position, "the planned move is illegal");
            }
            self.replies(&game.play(&position, step.mv), step.plies)?;
        }
        Ok(())
    }

    /// Checks all replies in a position with this many plies left.
    fn replies(&mut self, position: &G::Position, left: u32) -> Result<(), &'static str> {
        if self.has_ended(position)? {
            return Ok(());
        }
        let replies = children(self.game, position);
        if replies.is_empty() {
            return self.fail(position, "there are no moves, and the game is not over");
        }
        for reply in &replies {
            if self.has_ended(reply)? {
                continue;
            }
            if let (true, Some(step)) = (self.reaches, self.plan.get(self.game, reply))
                && step.plies >= left
            {
                return self.fail(reply, "the end comes no nearer");
            }
            self.open.push(reply.clone());
        }
        Ok(())
    }

    fn has_ended(&mut self, position: &G::Position) -> Result<bool, &'static str> {
        match reached(self.game, self.goal, position) {
            None => Ok(false),
            Some(reached) if reached == self.reaches => Ok(true),
            Some(_) => self.fail(position, "the game ends otherwise").map(|()| true),
        }
    }

    fn fail(&mut self, position: &G::Position, reason: &'static str) -> Result<(), &'static str> {
        self.at = position.clone();
        Err(reason)
    }
}

impl<G: GameGraph> Default for Plan<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: GameGraph> std::fmt::Debug for Plan<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.steps().map(|s| (&s.position, (&s.mv, s.plies)))).finish()
    }
}

/// Whether the goal is reached in a position in which the game is over; `None` if it is not over.
#[inline]
pub(crate) fn reached<G: GameGraph>(game: &G, goal: Goal, position: &G::Position) -> Option<bool> {
    let verdict = game.verdict(position)?;
    Some(goal.is_reached(verdict, game.side(position)))
}

/// The positions after each move.
pub(crate) fn children<G: GameGraph>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    after_each(game, position, &moves)
}

/// The positions after each move, in the order of files.
pub(crate) fn children_for_files<G: GameGraph>(
    game: &G,
    position: &G::Position,
) -> Vec<G::Position> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    game.sort_for_files(&mut moves);
    after_each(game, position, &moves)
}

/// The positions after these moves.
pub(crate) fn after_each<G: GameGraph>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
) -> Vec<G::Position> {
    let mut after = Vec::with_capacity(moves.len());
    for &mv in moves {
        after.push(game.play(position, mv));
    }
    after
}
