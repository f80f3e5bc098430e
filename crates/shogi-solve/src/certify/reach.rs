//! Ordering proofs into a plan that comes nearer to the end with each move.

use super::Nodes;
use super::collection::{Collection, known_winning_move};
use super::decide::{Deciding, Decision};
use crate::budget::Budget;
use crate::game::{GameGraph, Goal};
use crate::plan::{Plan, PlanStep, children};
use crate::retrograde::plies_to;
use crate::search::{FinalValue, Search};

/// Builds a plan that reaches the search's goal from `root`, which the search has proved; `None` if
/// the budget is spent before, or the memory that the search has to spare.
///
/// Collects positions from the root: the prover's move of the shortest proof known in each, all
/// moves of the opponent. What the table has lost is searched again. A proof in the table uses
/// shorter ones, so that following it comes to an end; but where one was lost and found again by
/// other moves, moves chosen at different times may run in a circle. So the plies are counted
/// afresh, from the ends back, over all moves within what was collected; if the root gets none, what
/// has them is kept and the rest is searched once more.
pub fn reach<G: GameGraph>(
    search: &mut dyn Search<G>,
    root: &G::Position,
    budget: &mut Budget,
) -> Option<Plan<G>> {
    let plan = Reaching::new(search.game(), root.clone()).run(search, budget);
    search.unwind();
    plan?
}

/// [`reach`] under way. A call that the budget ends is gone on with by the next one.
pub(crate) struct Reaching<G: GameGraph> {
    root: G::Position,
    collection: Collection<G>,
    /// The position that is searched again, if one is.
    deciding: Option<Deciding<G>>,
    /// Positions that had an order in the round before.
    ordered: usize,
}

impl<G: GameGraph> Reaching<G> {
    pub(crate) fn new(game: &G, root: G::Position) -> Self {
        let collection = Collection::new(game, &root);
        Self { root, collection, deciding: None, ordered: 0 }
    }

    /// Goes on; `None` if the budget is spent before the end, and no plan if there is no memory for
    /// one.
    pub(crate) fn run(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Option<Option<Plan<G>>> {
        if search.game().verdict(&self.root).is_some() {
            return Some(Some(Plan::new()));
        }
        loop {
            let Self { collection, deciding, .. } = self;
            let all = collection.collect(search, budget, &mut |search, position, budget| {
                winning_move(deciding, search, position, budget)
            });
            if !all? {
                return Some(None);
            }
            let nodes = &self.collection.nodes;
            let order = Order::new(nodes, search.game(), search.goal());
            if order.plies[0].is_some() {
                return Some(Some(order.plan(nodes, search.game(), search.goal())));
            }
            let ordered = order.plies.iter().flatten().count();
            if ordered <= self.ordered {
                // A table too small for the proof: nothing would be different the next time.
                return Some(None);
            }
            search.forget();
            for ((position, ()), plies) in nodes.nodes.iter().zip(&order.plies) {
                if let Some(plies) = *plies {
                    search.set_final(position, FinalValue::Proved { plies });
                }
            }
            *self = Self { ordered, ..Self::new(search.game(), self.root.clone()) };
        }
    }
}

/// The prover's move of the shortest proof that is known, if the search finds one; `None` outside if the
/// budget is spent before.
fn winning_move<G: GameGraph>(
    deciding: &mut Option<Deciding<G>>,
    search: &mut dyn Search<G>,
    position: &G::Position,
    budget: &mut Budget,
) -> Option<Option<G::Move>> {
    if deciding.is_none() {
        if let Some(mv) = known_winning_move(search, position) {
            return Some(Some(mv));
        }
    }
    // The position is proved, so that a disproof of it is wrong, and a search corrects it.
    let under_way = deciding.get_or_insert_with(|| Deciding::new(position.clone()));
    let decision = under_way.run(search, budget)?;
    *deciding = None;
    Some(match decision {
        Decision::Proved { .. } => search.decisive_move(),
        Decision::Prevented(_) | Decision::Open(_) => None,
    })
}

/// The positions of a proof in the order of the plies that are left.
struct Order {
    plies: Vec<Option<u32>>,
    /// Where the moves lead within the proof. All ends that reach the goal are one more position,
    /// the last.
    children: Vec<Vec<u32>>,
}

impl Order {
    fn new<G: GameGraph>(nodes: &Nodes<G, ()>, game: &G, goal: Goal) -> Self {
        let end = nodes.nodes.len() as u32;
        let mut below = Vec::with_capacity(nodes.nodes.len() + 1);
        for (number, (position, ())) in nodes.nodes.iter().enumerate() {
            // A way out of the proof is a way back to where it starts: it never ends.
            let outside = (game.side(position) != goal.prover).then_some(number as u32);
            let mut targets = Vec::new();
            for child in children(game, position) {
                targets.extend(target(nodes, game, goal, &child).or(outside));
            }
            below.push(targets);
        }
        below.push(Vec::new());
        let any = |number: u32| {
            nodes.nodes.get(number as usize).is_none_or(|(p, ())| game.side(p) == goal.prover)
        };
        let mut plies = plies_to(&below, vec![end], &any);
        plies.pop();
        Self { plies, children: below }
    }

    /// The prover's shortest moves, as far as they are needed.
    fn plan<G: GameGraph>(&self, nodes: &Nodes<G, ()>, game: &G, goal: Goal) -> Plan<G> {
        let end = nodes.nodes.len();
        let mut plan = Plan::new();
        let mut seen = vec![false; end + 1];
        seen[end] = true;
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let targets = &self.children[number as usize];
            let position = nodes.position(number);
            if game.side(position) != goal.prover {
                open.extend(targets);
                continue;
            }
            let Some((plies, best)) = self.shortest(number) else { continue };
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            for mv in moves {
                if target(nodes, game, goal, &game.play(position, mv)) == Some(best) {
                    let position = position.clone();
                    plan.insert(game, PlanStep { position, mv, plies: plies + 1 });
                    open.push(best);
                    break;
                }
            }
        }
        plan
    }

    /// The fewest plies that are left after a move of a position, with where it leads.
    fn shortest(&self, number: u32) -> Option<(u32, u32)> {
        let left = |target: u32| self.plies.get(target as usize).copied().unwrap_or(Some(0));
        let targets = &self.children[number as usize];
        targets.iter().filter_map(|&target| Some((left(target)?, target))).min()
    }
}

/// The number of a position within a proof.
fn target<G: GameGraph>(
    nodes: &Nodes<G, ()>,
    game: &G,
    goal: Goal,
    position: &G::Position,
) -> Option<u32> {
    match game.verdict(position) {
        Some(verdict) => {
            goal.is_reached(verdict, game.side(position)).then_some(nodes.nodes.len() as u32)
        }
        None => nodes.find(game, position),
    }
}
