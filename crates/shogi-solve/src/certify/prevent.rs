//! Closing disproofs into a safe set.

use super::Nodes;
use crate::budget::Budget;
use crate::game::Game;
use crate::plan::{Plan, Step};
use crate::search::{Finding, Knowledge, Search, Settled};

/// What became of an attempt to close a disproof.
#[derive(Debug)]
pub enum Prevention<G: Game> {
    /// The opponent has a plan that prevents the goal.
    Plan(Plan<G>),
    /// He has none: the disproof was believed wrongly, and the goal can be reached.
    Reached,
    /// The budget was spent before.
    Unknown,
}

/// Builds a plan that keeps the prover from the search's goal from `root` on.
///
/// Collects positions from the root: one reply of the opponent in each, all moves of the prover. A
/// reply is chosen where the search believes that the goal is not reached any more, and a position
/// of which it believes nothing is searched. Where a position turns out to be proved, whatever leads
/// to it by force is proved too, and an opponent who had chosen to go there chooses again. In the
/// end the set is closed: no way leads out of it, so the prover never reaches the goal. This is the
/// closure of Shibahara, Tajima & Kotani (2006), taken as the greatest set rather than grown from
/// the cycles.
///
/// It ends, since a position is proved once and for all: each reply is chosen at most once in vain.
pub fn prevent<G: Game, S: Search<G>>(
    search: &mut S,
    root: &G::Position,
    budget: &mut Budget,
) -> Prevention<G> {
    let goal = search.goal();
    if let Some(verdict) = search.game().verdict(root) {
        let reached = goal.is_reached(verdict, search.game().side(root));
        return if reached { Prevention::Reached } else { Prevention::Plan(Plan::new()) };
    }
    let mut closure = Closure { search, nodes: Nodes::new(), edges: Vec::new(), open: Vec::new() };
    let (root, _) = closure.meet(root);
    while let Some(number) = closure.open.pop() {
        if closure.settle(number, budget).is_none() {
            return Prevention::Unknown;
        }
        if closure.nodes.part(root).proved.is_some() {
            return Prevention::Reached;
        }
    }
    Prevention::Plan(closure.plan(root))
}

/// No edge.
const NONE: u32 = u32::MAX;

struct Part<M> {
    /// The reply that was chosen, if the opponent is to move.
    choice: Option<(M, u32)>,
    /// Plies to the goal at most, if it is reached after all.
    proved: Option<u16>,
    /// The first of the edges to positions that rely on this one.
    edges: u32,
}

impl<M> Default for Part<M> {
    fn default() -> Self {
        Self { choice: None, proved: None, edges: NONE }
    }
}

/// A position relies on another; the edges of one form a list.
struct Edge {
    relying: u32,
    next: u32,
}

struct Closure<'s, G: Game, S> {
    search: &'s mut S,
    nodes: Nodes<G, Part<G::Move>>,
    edges: Vec<Edge>,
    /// Positions whose moves are to be looked at.
    open: Vec<u32>,
}

impl<G: Game, S: Search<G>> Closure<'_, G, S> {
    fn meet(&mut self, position: &G::Position) -> (u32, bool) {
        let (number, new) = self.nodes.number(self.search.game(), position);
        if new {
            self.open.push(number);
        }
        (number, new)
    }

    fn rely(&mut self, relying: u32, on: u32) {
        let edge = self.edges.len() as u32;
        let part = self.nodes.part(on);
        self.edges.push(Edge { relying, next: part.edges });
        part.edges = edge;
    }

    /// Finds what keeps the prover from the goal in a position; `None` if the budget is spent.
    fn settle(&mut self, number: u32, budget: &mut Budget) -> Option<()> {
        if self.nodes.part(number).proved.is_some() {
            return Some(());
        }
        let position = self.nodes.position(number).clone();
        let game = self.search.game();
        if game.side(&position) == self.search.goal().prover {
            if self.search.knowledge(&position) == Knowledge::Unknown {
                // Before all moves are followed, somebody should believe that they can be.
                match self.search.search(&position, budget) {
                    Finding::Disproved => {}
                    Finding::Proved { plies } => {
                        self.prove(number, plies);
                        return Some(());
                    }
                    Finding::Unknown { .. } => return None,
                }
            }
            return self.follow_all(number, &position, budget);
        }
        let made = match self.choose(&position) {
            Choice::Reply(made) => made,
            Choice::Lost { plies } => {
                self.prove(number, plies.saturating_add(1));
                return Some(());
            }
            Choice::Unknown => match self.search.search(&position, budget) {
                Finding::Disproved => self.search.decisive_move()?,
                Finding::Proved { plies } => {
                    self.prove(number, plies);
                    return Some(());
                }
                Finding::Unknown { .. } => return None,
            },
        };
        let child = self.search.game().play(&position, made);
        if self.search.game().verdict(&child).is_some() {
            self.nodes.part(number).choice = Some((made, NONE));
            return Some(());
        }
        let (below, _) = self.meet(&child);
        self.nodes.part(number).choice = Some((made, below));
        self.rely(number, below);
        Some(())
    }

    /// Meets the positions after all moves of the prover.
    fn follow_all(
        &mut self,
        number: u32,
        position: &G::Position,
        budget: &mut Budget,
    ) -> Option<()> {
        let mut moves = Vec::new();
        self.search.game().moves(position, &mut moves);
        if !budget.spend(moves.len() as u64) {
            return None;
        }
        for made in moves {
            let game = self.search.game();
            let child = game.play(position, made);
            if let Some(verdict) = game.verdict(&child) {
                if self.search.goal().is_reached(verdict, game.side(&child)) {
                    self.prove(number, 1);
                    return Some(());
                }
                continue;
            }
            let (below, _) = self.meet(&child);
            if let Some(plies) = self.nodes.part(below).proved {
                self.prove(number, plies.saturating_add(1));
                return Some(());
            }
            self.rely(number, below);
        }
        Some(())
    }

    /// The reply that is most likely to hold.
    fn choose(&self, position: &G::Position) -> Choice<G::Move> {
        let (game, goal) = (self.search.game(), self.search.goal());
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut best = (0, Choice::Lost { plies: 0 });
        for made in moves {
            let child = game.play(position, made);
            let met =
                self.nodes.find(game, &child).map(|number| &self.nodes.nodes[number as usize].1);
            let (trust, choice) = if let Some(verdict) = game.verdict(&child) {
                let reached = goal.is_reached(verdict, game.side(&child));
                if reached { (0, Choice::Lost { plies: 0 }) } else { (5, Choice::Reply(made)) }
            } else if let Some(plies) = met.and_then(|part| part.proved) {
                (0, Choice::Lost { plies })
            } else {
                match (self.search.knowledge(&child), met.is_some()) {
                    (Knowledge::Proved { plies }, _) => (0, Choice::Lost { plies }),
                    (Knowledge::Unknown, _) => (1, Choice::Unknown),
                    (Knowledge::DisprovedOnce, false) => (2, Choice::Reply(made)),
                    (Knowledge::Disproved, false) => (3, Choice::Reply(made)),
                    (_, true) => (4, Choice::Reply(made)),
                }
            };
            best = match (&best.1, &choice) {
                // The longest resistance.
                (Choice::Lost { plies: a }, Choice::Lost { plies: b }) if a >= b => best,
                (Choice::Lost { .. }, Choice::Lost { .. }) => (trust, choice),
                _ if trust > best.0 => (trust, choice),
                _ => best,
            };
        }
        best.1
    }

    /// Takes a position for proved, and all that is proved by it.
    fn prove(&mut self, number: u32, plies: u16) {
        let mut proved = vec![(number, plies)];
        while let Some((number, plies)) = proved.pop() {
            let part = self.nodes.part(number);
            if part.proved.is_some() {
                continue;
            }
            part.proved = Some(plies);
            let mut edge = std::mem::replace(&mut part.edges, NONE);
            let position = self.nodes.position(number).clone();
            self.search.settle(&position, Settled::Proved { plies });
            while edge != NONE {
                let Edge { relying, next } = self.edges[edge as usize];
                edge = next;
                let side = self.search.game().side(self.nodes.position(relying));
                if side == self.search.goal().prover {
                    proved.push((relying, plies.saturating_add(1)));
                } else if self.nodes.part(relying).choice.is_some_and(|(_, on)| on == number) {
                    self.nodes.part(relying).choice = None;
                    self.open.push(relying);
                }
            }
        }
    }

    /// The opponent's part of what is closed, as far as it can come about.
    fn plan(&self, root: u32) -> Plan<G> {
        let (game, goal) = (self.search.game(), self.search.goal());
        let mut plan = Plan::new();
        let mut seen = vec![false; self.nodes.nodes.len()];
        let mut open = vec![root];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let (position, part) = &self.nodes.nodes[number as usize];
            if game.side(position) == goal.prover {
                let below = crate::plan::children(game, position);
                open.extend(below.iter().filter_map(|child| self.nodes.find(game, child)));
            } else if let Some((made, below)) = part.choice {
                plan.insert(game, Step { position: position.clone(), made, plies: 0 });
                open.extend((below != NONE).then_some(below));
            }
        }
        plan
    }
}

enum Choice<M> {
    /// This one.
    Reply(M),
    /// Nothing is believed of any that is not proved.
    Unknown,
    /// All are proved, in so many plies at most.
    Lost { plies: u16 },
}
