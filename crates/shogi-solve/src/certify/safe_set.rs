//! Closing disproofs into a safe set.

use super::Nodes;
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::plan::{Plan, PlanStep};
use crate::search::{FinalValue, Finding, Knowledge, Search};

/// What became of an attempt to close a disproof.
#[derive(Debug)]
pub enum Prevention<G: GameGraph> {
    /// The opponent has a plan that prevents the goal.
    Plan(Plan<G>),
    /// He has none: the disproof was wrong, and the goal can be reached.
    Reached,
    /// Some disproofs could not be confirmed with little effort; the search counts on them
    /// nowhere any more.
    Doubtful,
    /// The budget was spent before, or the memory that the search has to spare.
    Unknown,
}

/// Builds a plan that keeps the prover from the search's goal from `root` on.
///
/// Collects positions from the root: one reply of the opponent in each, all moves of the prover. A
/// reply is chosen after which the goal is disproved, as far as the search knows; a position of
/// which it knows nothing is searched with `effort` nodes. Where a position turns out to be proved
/// or doubtful, so is whatever leads to it by force, and an opponent who had chosen to go there
/// chooses again. If the root stays, the set is closed: no way leads out of it, so the prover never
/// reaches the goal. This is the closure of Shibahara, Tajima & Kotani (2006), taken as the greatest
/// set rather than grown from the cycles.
///
/// It ends, since each reply is chosen at most once in vain.
pub fn prevent<G: GameGraph>(
    search: &mut dyn Search<G>,
    root: &G::Position,
    effort: u64,
    budget: &mut Budget,
) -> Prevention<G> {
    let mut set = SafeSet::new(search, root, effort);
    let prevention = set.close(search, budget);
    search.unwind();
    prevention.unwrap_or(Prevention::Unknown)
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
    Proved { plies: u32 },
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

/// Positions that may be a safe set, while it is being closed. A call that the budget ends is gone on
/// with by the next one.
pub(crate) struct SafeSet<G: GameGraph> {
    root: G::Position,
    /// Nodes for a position of which nothing is known.
    effort: u64,
    /// What is left of them for the position that is searched now.
    effort_left: Option<u64>,
    nodes: Nodes<G, Part<G::Move>>,
    edges: Vec<Edge>,
    /// Positions whose moves are to be looked at.
    open: Vec<u32>,
    /// Positions that were taken out of the set.
    lost: usize,
    found_proofs: bool,
}

/// The number of the root in a set.
const ROOT: u32 = 0;

impl<G: GameGraph> SafeSet<G> {
    /// A set of the root alone.
    pub(crate) fn new(search: &dyn Search<G>, root: &G::Position, effort: u64) -> Self {
        let (nodes, edges, open) = (Nodes::new(), Vec::new(), Vec::new());
        let root = root.clone();
        let mut set = Self {
            root,
            effort,
            effort_left: None,
            nodes,
            edges,
            open,
            lost: 0,
            found_proofs: false,
        };
        if search.game().verdict(&set.root).is_none() {
            set.meet(search.game(), &set.root.clone());
        }
        set
    }

    /// Looks at all positions of the set, until it is safe or its root is lost; `None` if the budget
    /// is spent before.
    pub(crate) fn close(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Option<Prevention<G>> {
        let game = search.game();
        if let Some(verdict) = game.verdict(&self.root) {
            let reached = search.goal().is_reached(verdict, game.side(&self.root));
            return Some(match reached {
                true => Prevention::Reached,
                false => Prevention::Plan(Plan::new()),
            });
        }
        while let Some(&number) = self.open.last() {
            if budget.is_over() {
                return None;
            }
            self.examine(number, search, budget)?;
            match self.nodes.part(ROOT).lost {
                Some(Lost::Proved { .. }) => return Some(Prevention::Reached),
                Some(Lost::Doubtful) => {
                    self.invalidate_doubtful(search);
                    return Some(Prevention::Doubtful);
                }
                None => {}
            }
            if self.is_full(search) {
                return Some(Prevention::Unknown);
            }
        }
        Some(Prevention::Plan(self.plan(search)))
    }

    /// Positions of the set, and how many of them more than one other relies on: they may lie on
    /// cycles.
    pub(crate) fn size(&self) -> (usize, usize) {
        let held = || self.nodes.nodes.iter().filter(|(_, part)| part.lost.is_none());
        let shared = |edge: u32| edge != NONE && self.edges[edge as usize].next != NONE;
        (held().count(), held().filter(|(_, part)| shared(part.edges)).count())
    }

    /// Positions that were taken out of the set.
    pub(crate) const fn lost(&self) -> usize {
        self.lost
    }

    /// Whether a position of the set turned out to be proved, which the search knows from now on.
    pub(crate) const fn found_proofs(&self) -> bool {
        self.found_proofs
    }

    /// The positions of the set.
    pub(crate) fn positions(&self) -> impl Iterator<Item = &G::Position> {
        let held = self.nodes.nodes.iter().filter(|(_, part)| part.lost.is_none());
        held.map(|(position, _)| position)
    }

    /// Whether there is no memory for more.
    fn is_full(&self, search: &dyn Search<G>) -> bool {
        let lists = self.edges.len() * size_of::<Edge>() + self.open.len() * size_of::<u32>();
        self.nodes.bytes() + 2 * lists > search.spare_bytes()
    }

    fn meet(&mut self, game: &G, position: &G::Position) -> u32 {
        let (number, new) = self.nodes.number(game, position);
        if new {
            self.open.push(number);
        }
        number
    }

    fn rely(&mut self, relying: u32, on: u32) {
        let edge = self.edges.len() as u32;
        let part = self.nodes.part(on);
        self.edges.push(Edge { relying, next: part.edges });
        part.edges = edge;
    }

    /// Finds what keeps the prover from the goal in the last open position, which is open no more
    /// then; `None` if the budget is spent before.
    fn examine(
        &mut self,
        number: u32,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Option<()> {
        let position = self.nodes.position(number).clone();
        let side = search.game().side(&position);
        let choice = if self.nodes.part(number).lost.is_some() {
            Choice::Dropped
        } else if self.effort_left.is_some() {
            Choice::Unknown
        } else if side == search.goal().prover {
            // All moves are followed only where the search has disproved the position.
            match search.knowledge(&position) {
                Knowledge::Unknown => Choice::Unknown,
                Knowledge::Proved { plies } => Choice::Lost(Lost::Proved { plies }),
                Knowledge::Disproved | Knowledge::DisprovedOnce => Choice::All,
            }
        } else {
            self.choose(search, &position)
        };
        let choice = match choice {
            Choice::Unknown => match self.doubt(&position, search, budget)? {
                Some(lost) => Choice::Lost(lost),
                None if side == search.goal().prover => Choice::All,
                None => search.decisive_move().map_or(Choice::Lost(Lost::Doubtful), Choice::Reply),
            },
            known => known,
        };
        self.open.pop();
        budget.spend(1);
        match choice {
            Choice::All => self.follow_all(number, &position, search, budget),
            Choice::Reply(mv) => self.follow(number, &position, mv, search),
            Choice::Lost(lost) => self.lose(number, lost, search),
            Choice::Dropped | Choice::Unknown => {}
        }
        Some(())
    }

    /// Searches a position of which nothing is known: what speaks against it, if anything;
    /// `None` if the budget is spent before.
    fn doubt(
        &mut self,
        position: &G::Position,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Option<Option<Lost>> {
        let (effort, before) = (self.effort_left.unwrap_or(self.effort), budget.spent());
        let finding = budget.slice(effort, |budget| search.search(position, budget));
        let left = effort.saturating_sub(budget.spent() - before);
        self.effort_left = None;
        Some(match finding {
            Finding::Disproved => None,
            Finding::Proved { plies } => Some(Lost::Proved { plies }),
            Finding::Unknown { .. } if search.is_at_work() && left > 0 => {
                self.effort_left = Some(left);
                return None;
            }
            Finding::Unknown { .. } => {
                search.unwind();
                Some(Lost::Doubtful)
            }
        })
    }

    /// Meets the positions after all moves of the prover.
    fn follow_all(
        &mut self,
        number: u32,
        position: &G::Position,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) {
        let mut moves = Vec::new();
        search.game().moves(position, &mut moves);
        budget.spend(moves.len() as u64);
        for mv in moves {
            let game = search.game();
            let child = game.play(position, mv);
            if let Some(verdict) = game.verdict(&child) {
                if search.goal().is_reached(verdict, game.side(&child)) {
                    return self.lose(number, Lost::Proved { plies: 1 }, search);
                }
                continue;
            }
            let below = self.meet(game, &child);
            if let Some(lost) = self.nodes.part(below).lost {
                return self.lose(number, lost.above(), search);
            }
            self.rely(number, below);
        }
    }

    /// Meets the position after the opponent's reply.
    fn follow(
        &mut self,
        number: u32,
        position: &G::Position,
        mv: G::Move,
        search: &mut dyn Search<G>,
    ) {
        let child = search.game().play(position, mv);
        if search.game().verdict(&child).is_some() {
            self.nodes.part(number).choice = Some((mv, NONE));
            return;
        }
        let below = self.meet(search.game(), &child);
        self.nodes.part(number).choice = Some((mv, below));
        self.rely(number, below);
        // A search may name a reply that is known to be lost; that does not make the others so.
        if self.nodes.part(below).lost.is_some() {
            self.lose(number, Lost::Doubtful, search);
        }
    }

    /// The reply that is most likely to hold.
    fn choose(&self, search: &dyn Search<G>, position: &G::Position) -> Choice<G::Move> {
        let (game, goal) = (search.game(), search.goal());
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut best = (0, Choice::Lost(Lost::Proved { plies: 0 }));
        for mv in moves {
            let child = game.play(position, mv);
            let met =
                self.nodes.find(game, &child).map(|number| &self.nodes.nodes[number as usize].1);
            let proved = |plies| (0, Choice::Lost(Lost::Proved { plies }));
            let (trust, choice) = match (game.verdict(&child), met.and_then(|part| part.lost)) {
                (Some(verdict), _) if goal.is_reached(verdict, game.side(&child)) => proved(0),
                (Some(_), _) => (6, Choice::Reply(mv)),
                (None, Some(Lost::Proved { plies })) => proved(plies),
                (None, Some(Lost::Doubtful)) => (1, Choice::Lost(Lost::Doubtful)),
                (None, None) => match (search.knowledge(&child), met.is_some()) {
                    (Knowledge::Proved { plies }, _) => proved(plies),
                    (Knowledge::Unknown, false) => (2, Choice::Unknown),
                    (Knowledge::DisprovedOnce, false) => (3, Choice::Reply(mv)),
                    (Knowledge::Disproved, false) => (4, Choice::Reply(mv)),
                    (_, true) => (5, Choice::Reply(mv)),
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
        match best.1 {
            Choice::Lost(lost) => Choice::Lost(lost.above()),
            choice => choice,
        }
    }

    /// Takes a position out of the set, and all that rely on it; where the opponent chose to go
    /// there, he chooses again.
    fn lose(&mut self, number: u32, lost: Lost, search: &mut dyn Search<G>) {
        let mut losing = vec![(number, lost)];
        while let Some((number, lost)) = losing.pop() {
            let part = self.nodes.part(number);
            if part.lost.is_some() {
                continue;
            }
            part.lost = Some(lost);
            self.lost += 1;
            let mut edge = std::mem::replace(&mut part.edges, NONE);
            if let Lost::Proved { plies } = lost {
                self.found_proofs = true;
                let position = self.nodes.position(number).clone();
                search.set_final(&position, FinalValue::Proved { plies });
            }
            while edge != NONE {
                let Edge { relying, next } = self.edges[edge as usize];
                edge = next;
                let side = search.game().side(self.nodes.position(relying));
                if side == search.goal().prover {
                    losing.push((relying, lost.above()));
                } else if self.nodes.part(relying).choice.is_some_and(|(_, on)| on == number) {
                    self.nodes.part(relying).choice = None;
                    self.open.push(relying);
                }
            }
        }
    }

    /// Invalidates the disproofs of all positions of the set.
    pub(crate) fn invalidate_all(&self, search: &mut dyn Search<G>) {
        for (position, _) in &self.nodes.nodes {
            search.invalidate(position);
        }
    }

    /// Invalidates the disproofs that are doubtful.
    fn invalidate_doubtful(&self, search: &mut dyn Search<G>) {
        for (position, part) in &self.nodes.nodes {
            if matches!(part.lost, Some(Lost::Doubtful)) {
                search.invalidate(position);
            }
        }
    }

    /// The opponent's part of what is closed, as far as it can come about.
    fn plan(&self, search: &dyn Search<G>) -> Plan<G> {
        let (game, goal) = (search.game(), search.goal());
        let mut plan = Plan::new();
        let mut seen = vec![false; self.nodes.nodes.len()];
        let mut open = vec![ROOT];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let (position, part) = &self.nodes.nodes[number as usize];
            if game.side(position) == goal.prover {
                for child in crate::plan::children(game, position) {
                    open.extend(self.nodes.find(game, &child));
                }
            } else if let Some((mv, below)) = part.choice {
                plan.insert(game, PlanStep { position: position.clone(), mv, plies: 0 });
                open.extend((below != NONE).then_some(below));
            }
        }
        plan
    }
}

/// What is to be done about a position.
enum Choice<M> {
    /// All moves of the prover are followed.
    All,
    /// The opponent replies so.
    Reply(M),
    /// It is searched, as nothing is known of it, or of any reply that is not proved.
    Unknown,
    /// It is taken out of the set.
    Lost(Lost),
    /// Nothing, as it has been taken out of the set.
    Dropped,
}
