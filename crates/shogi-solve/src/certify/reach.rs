//! Orders proofs into a plan that comes nearer to the end with each move.

use std::ops::Range;

use super::collection::{Collection, WinningMoves, known_move};
use super::decide::Deciding;
use crate::game::GameGraph;
use crate::numbered::{Numbered, NumberedMove, Positions, Prover, ROOT};
use crate::plan::Plan;
use crate::retrograde::{Edges, plies_to};
use crate::search::{FinalValue, Search};
use shogi_mate::{Budget, OutOfBudget};

/// Builds a plan that reaches the search's goal from `root`, which the search has proved; `None` if the budget
/// or the spare memory of the search is spent first.
///
/// Collects positions from the root: the prover's move of the shortest known proof in each, and all moves of
/// the opponent. Positions that the table has lost are searched again. A proof in the table uses shorter ones,
/// so following it comes to an end; but if one was lost and found again with other moves, moves chosen at
/// different times may run in a cycle. So plies are recounted from the ends back over all collected moves. If
/// the root gets none, the positions that have plies are kept and the rest is searched again. If that brings
/// nothing new, all moves of the prover are followed, until there are enough positions or no memory for more.
pub fn reach_plan<G: GameGraph>(
    search: &mut dyn Search<G>,
    root: &G::Position,
    budget: &mut Budget,
) -> Option<Plan<G>> {
    let plan = Reaching::new(search.game(), root).run(search, budget);
    search.unwind();
    plan.ok().flatten()
}

/// [`reach_plan`] under way.
pub(crate) struct Reaching<G: GameGraph> {
    positions: Positions<G>,
    /// The position under a new search, if any.
    deciding: Option<Deciding<G>>,
    ordering: Ordering,
}

impl<G: GameGraph> Reaching<G> {
    pub(crate) fn new(game: &G, root: &G::Position) -> Self {
        let ordering = Ordering::new();
        Self { positions: Positions::new(game, root), deciding: None, ordering }
    }

    /// Continues building; returns no plan if there is no memory for one.
    pub(crate) fn run(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Result<Option<Plan<G>>, OutOfBudget> {
        let Self { positions, deciding, ordering } = self;
        let steps = ordering.run(&mut Numbered::new(search, positions, deciding), budget)?;
        Ok(steps.map(|steps| positions.plan(search.game(), &steps)))
    }
}

/// The rounds in which a proof is collected and ordered. Positions that have an order keep it, since the
/// positions that it depends on stay.
struct Ordering {
    collection: Collection,
    /// The plies of the positions in the last round; `None` without an order.
    plies: Vec<Option<u32>>,
    /// The most positions that had an order in a round.
    ordered: usize,
    /// The value of `ordered` when all positions were last dropped.
    forgotten_at: usize,
    /// Whether all moves of the prover are followed.
    follows_all: bool,
}

impl Ordering {
    fn new() -> Self {
        let (collection, plies) = (Collection::new(), Vec::new());
        Self { collection, plies, ordered: 0, forgotten_at: 0, follows_all: false }
    }

    /// The steps of a plan with their remaining plies, if there is memory for it.
    fn run(
        &mut self,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<(NumberedMove, u32)>>, OutOfBudget> {
        if prover.root_end().is_some() {
            return Ok(Some(Vec::new()));
        }
        loop {
            let moves: &mut WinningMoves<'_> =
                if self.follows_all { &mut all_moves } else { &mut winning_move };
            if !self.collection.collect(prover, budget, moves)? {
                if self.ordered == self.forgotten_at {
                    return Ok(None);
                }
                // There may be memory for just one more round.
                self.keep_order(prover);
                prover.restart();
                let ordered = self.ordered;
                *self = Self { ordered, forgotten_at: ordered, ..Self::new() };
                continue;
            }
            let order = Order::new(prover);
            if order.plies[0].is_some() {
                return Ok(Some(order.steps(prover)));
            }
            let ordered = order.plies.iter().flatten().count();
            if self.follows_all {
                // The root is not won.
                return Ok(None);
            }
            // The table is too small for the proof, and the search would find the same again.
            self.follows_all = ordered <= self.ordered;
            self.ordered = self.ordered.max(ordered);
            self.plies = order.plies;
            self.keep_order(prover);
            self.collection.again(&self.plies);
        }
    }

    /// Makes the search forget everything except ordered positions.
    fn keep_order(&self, prover: &mut dyn Prover) {
        prover.forget();
        for (number, plies) in self.plies.iter().enumerate() {
            if let Some(plies) = *plies {
                prover.set_final(number as u32, FinalValue::Proved { plies });
            }
        }
    }
}

/// All moves of a position.
fn all_moves(
    prover: &mut dyn Prover,
    number: u32,
    _: &mut Budget<'_>,
) -> Result<Option<Range<usize>>, OutOfBudget> {
    Ok(Some(0..prover.list(number)))
}

/// The prover's move of the shortest known proof, if the search finds one.
fn winning_move(
    prover: &mut dyn Prover,
    number: u32,
    budget: &mut Budget<'_>,
) -> Result<Option<Range<usize>>, OutOfBudget> {
    if !prover.is_deciding()
        && let Some(index) = known_move(prover, number)
    {
        return Ok(Some(index..index + 1));
    }
    // The position is proved, so its disproof is wrong, and a search corrects it.
    let proved = prover.decide(number, budget)?;
    let decisive = if proved { prover.decisive_move(number) } else { None };
    Ok(decisive.map(|index| index..index + 1))
}

/// The positions of a proof in order of remaining plies.
struct Order {
    plies: Vec<Option<u32>>,
    /// The targets of the moves within the proof. All ends that reach the goal are one additional position,
    /// the last.
    children: Vec<Vec<u32>>,
}

impl Order {
    fn new(prover: &mut dyn Prover) -> Self {
        let end = prover.len() as u32;
        let mut below = Vec::with_capacity(prover.len() + 1);
        for number in 0..end {
            // A way out of the proof is a way back to where it starts: it never ends.
            let outside = (!prover.is_provers_turn(number)).then_some(number);
            let mut targets = Vec::new();
            for index in 0..prover.list(number) {
                targets.extend(target(prover, index).or(outside));
            }
            below.push(targets);
        }
        below.push(Vec::new());
        let any = |number: u32| number == end || prover.is_provers_turn(number);
        let mut plies = plies_to(&Edges::of(&below), vec![end], &any);
        plies.pop();
        Self { plies, children: below }
    }

    /// The prover's shortest moves that are needed, with the remaining plies.
    fn steps(&self, prover: &mut dyn Prover) -> Vec<(NumberedMove, u32)> {
        let end = prover.len();
        let mut steps = Vec::new();
        let mut seen = vec![false; end + 1];
        seen[end] = true;
        let mut open = vec![ROOT];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            if !prover.is_provers_turn(number) {
                open.extend(&self.children[number as usize]);
                continue;
            }
            let Some((plies, best)) = self.shortest(number) else { continue };
            let mut moves = 0..prover.list(number);
            if let Some(index) = moves.find(|&index| target(prover, index) == Some(best)) {
                steps.push(((number, index), plies + 1));
                open.push(best);
            }
        }
        steps
    }

    /// The fewest remaining plies after a move of a position, with its target.
    fn shortest(&self, number: u32) -> Option<(u32, u32)> {
        let left = |target: u32| self.plies.get(target as usize).copied().unwrap_or(Some(0));
        let targets = &self.children[number as usize];
        targets.iter().filter_map(|&target| Some((left(target)?, target))).min()
    }
}

/// The number of a listed position within a proof.
fn target(prover: &dyn Prover, index: usize) -> Option<u32> {
    match prover.end(index) {
        Some(reached) => reached.then_some(prover.len() as u32),
        None => prover.find(index),
    }
}
