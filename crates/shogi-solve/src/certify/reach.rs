//! Ordering proofs into a plan that comes nearer to the end with each move.

use super::Nodes;
use super::decide::{Decision, decide};
use crate::budget::Budget;
use crate::game::{Game, Goal};
use crate::plan::{Plan, Step, children};
use crate::retrograde::plies_to;
use crate::search::{Knowledge, Search, Settled};

/// Builds a plan that reaches the search's goal from `root`, which the search has proved; `None` if
/// the budget is spent before, or the memory that the search has to spare.
///
/// Collects positions from the root: the prover's move of the shortest proof known in each, all
/// moves of the opponent. What the table has lost is searched again. A proof in the table uses
/// shorter ones, so that following it comes to an end; but where one was lost and found again by
/// other moves, moves chosen at different times may run in a circle. So the plies are counted
/// afresh, from the ends back, over all moves within what was collected; if the root gets none, what
/// has them is kept and the rest is searched once more.
pub fn reach<G: Game, S: Search<G>>(
    search: &mut S,
    root: &G::Position,
    budget: &mut Budget,
) -> Option<Plan<G>> {
    if search.game().verdict(root).is_some() {
        return Some(Plan::new());
    }
    let mut collected = 0;
    loop {
        let nodes = collect(search, root, budget)?;
        let order = Order::new(&nodes, search.game(), search.goal());
        if order.plies[0].is_some() {
            return Some(order.plan(&nodes, search.game(), search.goal()));
        }
        let ordered = order.plies.iter().flatten().count();
        if ordered <= collected {
            // A table too small for the proof: nothing would be different the next time.
            return None;
        }
        collected = ordered;
        search.forget();
        for ((position, _), plies) in nodes.nodes.iter().zip(&order.plies) {
            if let Some(plies) = *plies {
                let plies = u16::try_from(plies).unwrap_or(u16::MAX);
                search.settle(position, Settled::Proved { plies });
            }
        }
    }
}

/// The positions of a proof, the root first.
fn collect<G: Game, S: Search<G>>(
    search: &mut S,
    root: &G::Position,
    budget: &mut Budget,
) -> Option<Nodes<G, ()>> {
    let mut nodes = Nodes::new();
    nodes.number(search.game(), root);
    let mut open = vec![0];
    let mut moves = Vec::new();
    // Where the moves lead, and the way back, is put into lists later.
    let mut edges = 0;
    while let Some(number) = open.pop() {
        if nodes.bytes() + order_bytes(nodes.nodes.len(), edges) > search.spare_bytes() {
            return None;
        }
        let position = nodes.position(number).clone();
        let prover_moves = search.game().side(&position) == search.goal().prover;
        if prover_moves {
            moves.clear();
            moves.push(winning_move(search, &position, budget)?);
        } else {
            moves.clear();
            search.game().moves(&position, &mut moves);
        }
        if !budget.spend(moves.len() as u64) {
            return None;
        }
        edges += moves.len();
        for &made in &moves {
            let child = search.game().play(&position, made);
            if search.game().verdict(&child).is_none() {
                let (below, new) = nodes.number(search.game(), &child);
                open.extend(new.then_some(below));
            }
        }
    }
    Some(nodes)
}

fn winning_move<G: Game, S: Search<G>>(
    search: &mut S,
    position: &G::Position,
    budget: &mut Budget,
) -> Option<G::Move> {
    let mut moves = Vec::new();
    search.game().moves(position, &mut moves);
    let (game, goal) = (search.game(), search.goal());
    let plies = |&made: &G::Move| {
        let child = game.play(position, made);
        match game.verdict(&child) {
            Some(verdict) => goal.is_reached(verdict, game.side(&child)).then_some(0),
            None => match search.knowledge(&child) {
                Knowledge::Proved { plies } => Some(plies),
                _ => None,
            },
        }
    };
    let known = moves.iter().filter_map(|made| Some((plies(made)?, *made)));
    if let Some((_, made)) = known.min_by_key(|&(plies, _)| plies) {
        return Some(made);
    }
    // The position is proved, so that a disproof is believed wrongly, and is found out to be.
    match decide(search, position, budget) {
        Decision::Proved { .. } => search.decisive_move(),
        Decision::Prevented(_) | Decision::Open(_) => None,
    }
}

/// Only those steps of a plan that are needed from `root`, with the fewest plies that its positions
/// allow; `None` if it does not reach the goal.
pub(crate) fn shorten<G: Game>(
    game: &G,
    root: &G::Position,
    goal: Goal,
    plan: &Plan<G>,
) -> Option<Plan<G>> {
    if game.verdict(root).is_some() {
        return Some(Plan::new());
    }
    let mut nodes = Nodes::new();
    nodes.number(game, root);
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        let position = nodes.position(number);
        let next = if game.side(position) == goal.prover {
            vec![game.play(position, plan.get(game, position)?.made)]
        } else {
            children(game, position)
        };
        for child in next.iter().filter(|child| game.verdict(child).is_none()) {
            let (below, new) = nodes.number(game, child);
            open.extend(new.then_some(below));
        }
    }
    let order = Order::new(&nodes, game, goal);
    order.plies[0].is_some().then(|| order.plan(&nodes, game, goal))
}

/// The positions of a proof in the order of the plies that are left.
struct Order {
    plies: Vec<Option<u32>>,
    /// Where the moves lead within the proof. All ends that reach the goal are one more position,
    /// the last.
    children: Vec<Vec<u32>>,
}

/// Bytes that an [`Order`] takes while it is made, and lists that tell where moves come from.
const fn order_bytes(positions: usize, edges: usize) -> usize {
    let lists = 2 * (size_of::<Vec<u32>>() + ALLOCATION) + size_of::<(usize, Option<u32>)>();
    positions * lists + 4 * edges * size_of::<u32>()
}

/// Bytes that an allocation of memory costs by itself.
const ALLOCATION: usize = 16;

impl Order {
    fn new<G: Game>(nodes: &Nodes<G, ()>, game: &G, goal: Goal) -> Self {
        let end = nodes.nodes.len() as u32;
        let targets = |(number, (position, ())): (usize, &(G::Position, ()))| -> Vec<u32> {
            let below = children(game, position);
            let targets = below.iter().map(|child| target(nodes, game, goal, child));
            if game.side(position) == goal.prover {
                targets.flatten().collect()
            } else {
                // A way out of the proof is a way back to where it starts: it never ends.
                targets.map(|target| target.unwrap_or(number as u32)).collect()
            }
        };
        let mut children: Vec<Vec<_>> = nodes.nodes.iter().enumerate().map(targets).collect();
        children.push(Vec::new());
        let any = |number: u32| {
            nodes.nodes.get(number as usize).is_none_or(|(p, ())| game.side(p) == goal.prover)
        };
        let mut plies = plies_to(&children, vec![end], any);
        plies.pop();
        Self { plies, children }
    }

    /// The prover's shortest moves, as far as they are needed.
    fn plan<G: Game>(&self, nodes: &Nodes<G, ()>, game: &G, goal: Goal) -> Plan<G> {
        let end = nodes.nodes.len();
        let left = |number: u32| match number as usize == end {
            true => Some(0),
            false => self.plies[number as usize],
        };
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
            let best = targets.iter().filter_map(|&target| Some((left(target)?, target))).min();
            let Some((plies, best)) = best else { continue };
            let leads_there = |&made: &G::Move| {
                target(nodes, game, goal, &game.play(position, made)) == Some(best)
            };
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            if let Some(made) = moves.into_iter().find(leads_there) {
                plan.insert(game, Step { position: position.clone(), made, plies: plies + 1 });
                open.push(best);
            }
        }
        plan
    }
}

/// The number of a position within a proof.
fn target<G: Game>(
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
