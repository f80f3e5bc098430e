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
    /// Some of what was believed could not be upheld with little effort; the search believes it
    /// nowhere any more.
    Doubtful,
    /// The budget was spent before, or the memory that the search has to spare.
    Unknown,
}

/// Builds a plan that keeps the prover from the search's goal from `root` on.
///
/// Collects positions from the root: one reply of the opponent in each, all moves of the prover. A
/// reply is chosen where the search believes that the goal is not reached any more; a position of
/// which it believes nothing is searched with `effort` nodes. Where a position turns out to be proved
/// or doubtful, so is whatever leads to it by force, and an opponent who had chosen to go there
/// chooses again. If the root stays, the set is closed: no way leads out of it, so the prover never
/// reaches the goal. This is the closure of Shibahara, Tajima & Kotani (2006), taken as the greatest
/// set rather than grown from the cycles.
///
/// It ends, since each reply is chosen at most once in vain.
pub fn prevent<G: Game, S: Search<G>>(
    search: &mut S,
    root: &G::Position,
    effort: u64,
    budget: &mut Budget,
) -> Prevention<G> {
    let goal = search.goal();
    if let Some(verdict) = search.game().verdict(root) {
        let reached = goal.is_reached(verdict, search.game().side(root));
        return if reached { Prevention::Reached } else { Prevention::Plan(Plan::new()) };
    }
    let (nodes, edges, open) = (Nodes::new(), Vec::new(), Vec::new());
    let mut closure = Closure { search, effort, nodes, edges, open };
    let (root, _) = closure.meet(root);
    while let Some(number) = closure.open.pop() {
        if !budget.spend(1) || closure.settle(number, budget).is_none() || closure.is_full() {
            return Prevention::Unknown;
        }
        match closure.nodes.part(root).lost {
            Some(Lost::Proved { .. }) => return Prevention::Reached,
            Some(Lost::Doubtful) => {
                closure.distrust();
                return Prevention::Doubtful;
            }
            None => {}
        }
    }
    Prevention::Plan(closure.plan(root))
}

/// No edge.
const NONE: u32 = u32::MAX;

struct Part<M> {
    /// The reply that was chosen, if the opponent is to move.
    choice: Option<(M, u32)>,
    /// Why the position is not in the set after all, if so.
    lost: Option<Lost>,
    /// The first of the edges to positions that rely on this one.
    edges: u32,
}

impl<M> Default for Part<M> {
    fn default() -> Self {
        Self { choice: None, lost: None, edges: NONE }
    }
}

/// Why a position is not in the set.
#[derive(Clone, Copy)]
enum Lost {
    /// The goal is reached from it in at most so many plies.
    Proved { plies: u16 },
    /// Nothing shows that it is not.
    Doubtful,
}

impl Lost {
    /// What a move to such a position makes of the one before.
    const fn above(self) -> Self {
        match self {
            Self::Proved { plies } => Self::Proved { plies: plies.saturating_add(1) },
            Self::Doubtful => Self::Doubtful,
        }
    }
}

/// A position relies on another; the edges of one form a list.
struct Edge {
    relying: u32,
    next: u32,
}

struct Closure<'s, G: Game, S> {
    search: &'s mut S,
    /// Nodes for a position of which nothing is believed.
    effort: u64,
    nodes: Nodes<G, Part<G::Move>>,
    edges: Vec<Edge>,
    /// Positions whose moves are to be looked at.
    open: Vec<u32>,
}

impl<G: Game, S: Search<G>> Closure<'_, G, S> {
    /// Whether there is no memory for more.
    fn is_full(&self) -> bool {
        let lists = self.edges.len() * size_of::<Edge>() + self.open.len() * size_of::<u32>();
        self.nodes.bytes() + 2 * lists > self.search.spare_bytes()
    }

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
        if self.nodes.part(number).lost.is_some() {
            return Some(());
        }
        let position = self.nodes.position(number).clone();
        if self.search.game().side(&position) == self.search.goal().prover {
            // Before all moves are followed, somebody should believe that they can be.
            let doubt = match self.search.knowledge(&position) {
                Knowledge::Unknown => self.doubt(&position, budget)?,
                Knowledge::Proved { plies } => Some(Lost::Proved { plies }),
                Knowledge::Disproved | Knowledge::DisprovedOnce => None,
            };
            match doubt {
                Some(lost) => self.lose(number, lost),
                None => self.follow_all(number, &position, budget)?,
            }
            return Some(());
        }
        let chosen = match self.choose(&position) {
            Choice::Reply(made) => Ok(made),
            Choice::Lost(lost) => Err(lost.above()),
            Choice::Unknown => match self.doubt(&position, budget)? {
                Some(lost) => Err(lost),
                None => Ok(self.search.decisive_move()?),
            },
        };
        let made = match chosen {
            Ok(made) => made,
            Err(lost) => {
                self.lose(number, lost);
                return Some(());
            }
        };
        let child = self.search.game().play(&position, made);
        if self.search.game().verdict(&child).is_some() {
            self.nodes.part(number).choice = Some((made, NONE));
            return Some(());
        }
        let (below, _) = self.meet(&child);
        self.nodes.part(number).choice = Some((made, below));
        self.rely(number, below);
        // A search may name a reply that is known to be lost; that does not make the others so.
        if self.nodes.part(below).lost.is_some() {
            self.lose(number, Lost::Doubtful);
        }
        Some(())
    }

    /// Searches a position of which nothing is believed: what speaks against it, if anything.
    fn doubt(&mut self, position: &G::Position, budget: &mut Budget) -> Option<Option<Lost>> {
        let finding = budget.slice(self.effort, |budget| self.search.search(position, budget));
        match finding {
            Finding::Disproved => Some(None),
            Finding::Proved { plies } => Some(Some(Lost::Proved { plies })),
            Finding::Unknown { .. } if budget.is_over() => None,
            Finding::Unknown { .. } => Some(Some(Lost::Doubtful)),
        }
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
                    self.lose(number, Lost::Proved { plies: 1 });
                    return Some(());
                }
                continue;
            }
            let (below, _) = self.meet(&child);
            if let Some(lost) = self.nodes.part(below).lost {
                self.lose(number, lost.above());
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
        let mut best = (0, Choice::Lost(Lost::Proved { plies: 0 }));
        for made in moves {
            let child = game.play(position, made);
            let met =
                self.nodes.find(game, &child).map(|number| &self.nodes.nodes[number as usize].1);
            let proved = |plies| (0, Choice::Lost(Lost::Proved { plies }));
            let (trust, choice) = match (game.verdict(&child), met.and_then(|part| part.lost)) {
                (Some(verdict), _) if goal.is_reached(verdict, game.side(&child)) => proved(0),
                (Some(_), _) => (6, Choice::Reply(made)),
                (None, Some(Lost::Proved { plies })) => proved(plies),
                (None, Some(Lost::Doubtful)) => (1, Choice::Lost(Lost::Doubtful)),
                (None, None) => match (self.search.knowledge(&child), met.is_some()) {
                    (Knowledge::Proved { plies }, _) => proved(plies),
                    (Knowledge::Unknown, false) => (2, Choice::Unknown),
                    (Knowledge::DisprovedOnce, false) => (3, Choice::Reply(made)),
                    (Knowledge::Disproved, false) => (4, Choice::Reply(made)),
                    (_, true) => (5, Choice::Reply(made)),
                },
            };
            let longer = match (&best.1, &choice) {
                (
                    Choice::Lost(Lost::Proved { plies: before }),
                    Choice::Lost(Lost::Proved { plies }),
                ) => plies > before,
                _ => false,
            };
            if trust > best.0 || longer {
                best = (trust, choice);
            }
        }
        best.1
    }

    /// Takes a position out of the set, and all that rely on it; where the opponent chose to go
    /// there, he chooses again.
    fn lose(&mut self, number: u32, lost: Lost) {
        let mut losing = vec![(number, lost)];
        while let Some((number, lost)) = losing.pop() {
            let part = self.nodes.part(number);
            if part.lost.is_some() {
                continue;
            }
            part.lost = Some(lost);
            let mut edge = std::mem::replace(&mut part.edges, NONE);
            if let Lost::Proved { plies } = lost {
                let position = self.nodes.position(number).clone();
                self.search.settle(&position, Settled::Proved { plies });
            }
            while edge != NONE {
                let Edge { relying, next } = self.edges[edge as usize];
                edge = next;
                let side = self.search.game().side(self.nodes.position(relying));
                if side == self.search.goal().prover {
                    losing.push((relying, lost.above()));
                } else if self.nodes.part(relying).choice.is_some_and(|(_, on)| on == number) {
                    self.nodes.part(relying).choice = None;
                    self.open.push(relying);
                }
            }
        }
    }

    /// Tells the search what it should not have believed.
    fn distrust(&mut self) {
        for (position, part) in &self.nodes.nodes {
            if matches!(part.lost, Some(Lost::Doubtful)) {
                self.search.distrust(position);
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
    /// None can be chosen.
    Lost(Lost),
}
