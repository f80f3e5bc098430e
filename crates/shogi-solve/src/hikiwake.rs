//! Proving draws: the closure that turns what [`Pds`] believes into certainty, and the two searches
//! that tell won, lost and drawn apart.
//!
//! After Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI Problem for Proving Draw and
//! Application to 3x4 Boards of Shogi" (2006); *hikiwake* is a draw. docs/pds.md says what their
//! method is, what it leaves open, and how it is closed here.
//!
//! The prover of a goal fails exactly where his opponent has a *safe set*: positions, none of them an
//! end that reaches the goal, in which the opponent, if to move, has a move that stays in the set, and
//! the prover, if to move, has only such moves. Whoever stays in it forever repeats himself at
//! worst, and a repetition fails the prover. Whether a set is safe can be seen without any history.

use rustc_hash::FxHashMap;
use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::budget::Budget;
use crate::game::{Game, Goal};
use crate::leaf::Leaf;
use crate::memory::map_bytes;
use crate::pds::Pds;
use crate::plan::children;
use crate::search::{Finding, Knowledge, Search, Settled};

/// What it took to make a finding certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Closure {
    /// Positions of the safe set that were only believed to be disproved before.
    pub positions: usize,
    /// Those of them to which more than one move of the set leads: the candidates for being on a
    /// cycle.
    pub junctions: usize,
    /// Beliefs that could not be upheld, in all rounds.
    pub dropped: usize,
    /// How often the root was searched.
    pub rounds: u32,
}

/// What [`hikiwake_pds`] has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The value for the player to move, if the budget and the memory were enough.
    pub value: Option<Verdict>,
    /// Whether each player, Sente first, can force a win. A disproof is certain if there is a value.
    pub wins: [Finding; 2],
    /// What it took to make the disproofs certain.
    pub closures: [Closure; 2],
}

/// Nodes that one doubtful position is given in the first round. Each round doubles them.
const EFFORT: u64 = 1 << 14;
/// Nodes of the first turn of each search. Each turn doubles them.
const TURN: u64 = 1 << 16;

/// The value of a position where a repetition is a draw, by two searches: in one a draw counts as a
/// win for Sente, in the other for Gote. If both win so, the position is drawn.
///
/// The table of each search takes half of the bytes; the searches take turns.
///
/// ```
/// use shogi_solve::hikiwake::hikiwake_pds;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Unit, Verdict};
///
/// let game = Graph::parse("a(L(W a))")?;
/// let decision = hikiwake_pds(&game, &game.start(), Unit, 1 << 20, &mut Budget::unlimited());
/// assert_eq!(decision.value, Some(Verdict::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the system refuses the memory.
pub fn hikiwake_pds<G: Game, L: Leaf<G> + Copy>(
    game: &G,
    root: &G::Position,
    leaf: L,
    bytes: usize,
    budget: &mut Budget,
) -> Decision {
    let mut searches = Colour::ALL.map(|prover| Pds::new(game, Goal::win(prover), leaf, bytes / 2));
    let mut decision = Decision {
        value: None,
        wins: [Finding::Unknown { proof: 1, disproof: 1 }; 2],
        closures: [Closure::default(); 2],
    };
    let mut turn = TURN;
    // A disproof is only believed at first: if the other search proves a win, it is not needed.
    while decision.wins != [Finding::Disproved; 2] {
        let mut stuck = true;
        for (search, won) in searches.iter_mut().zip(&mut decision.wins) {
            if *won != Finding::Disproved {
                (*won, stuck) = budget.slice(turn, |budget| {
                    let found = search.search(root, budget);
                    let stuck = stuck && !budget.is_over() && found != Finding::Disproved;
                    (found, stuck)
                });
            }
            if let Finding::Proved { .. } = won {
                decision.value = Some(won_by(search.goal().prover, game.side(root)));
                return decision;
            }
        }
        // More time does not help a search that has no memory to go on.
        if budget.is_over() || stuck {
            return decision;
        }
        turn = turn.saturating_mul(2);
    }
    for (index, search) in searches.iter_mut().enumerate() {
        (decision.wins[index], decision.closures[index]) =
            hikiwake_pds_search(search, root, budget);
        match decision.wins[index] {
            Finding::Disproved => {}
            Finding::Proved { .. } => {
                decision.value = Some(won_by(search.goal().prover, game.side(root)));
                return decision;
            }
            Finding::Unknown { .. } => return decision,
        }
    }
    decision.value = Some(Verdict::Draw);
    decision
}

fn won_by(winner: Colour, side: Colour) -> Verdict {
    if winner == side { Verdict::Win } else { Verdict::Loss }
}

/// Searches until the goal is proved or disproved for certain, or the budget is spent: a disproof is
/// closed into a safe set, what cannot be closed is forgotten, and the root is searched again.
///
/// The closure takes memory for each position of the set that was not certain before, and the
/// search keeps them as settled. Where that is more than the search has to spare, the finding is
/// unknown.
///
/// ```
/// use shogi_solve::hikiwake::hikiwake_pds_search;
/// use shogi_solve::pds::Pds;
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, Goal, Unit};
///
/// // Sente would lose, but can go round in a circle.
/// let game = Graph::parse("a(L(W a))")?;
/// let mut search = Pds::new(&game, Goal::win(Colour::Gote), Unit, 1 << 16);
/// let (found, _) = hikiwake_pds_search(&mut search, &game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Disproved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hikiwake_pds_search<G: Game, L: Leaf<G>>(
    search: &mut Pds<'_, G, L>,
    root: &G::Position,
    budget: &mut Budget,
) -> (Finding, Closure) {
    let mut closure = Closure::default();
    let mut effort = EFFORT;
    loop {
        closure.rounds += 1;
        let found = search.search(root, budget);
        let certain = match search.game().verdict(root) {
            Some(_) => true,
            None => search.knowledge(root) == Knowledge::Disproved,
        };
        if found != Finding::Disproved || certain {
            return (found, closure);
        }
        let mut walk = Walk::new(search, effort);
        let closed = walk.close(root, budget);
        closure.dropped += walk.dropped;
        if !closed {
            return (Finding::Unknown { proof: 1, disproof: 1 }, closure);
        }
        let held = walk.nodes[0].held;
        (closure.positions, closure.junctions) = walk.settle();
        if held {
            return (Finding::Disproved, closure);
        }
        effort = effort.saturating_mul(2);
    }
}

/// The positions that are reached from a root by what is believed, and the work of closing them.
struct Walk<'s, 'g, G: Game, L> {
    search: &'s mut Pds<'g, G, L>,
    effort: u64,
    /// The number of each position in `nodes`, by key.
    index: FxHashMap<u64, u32>,
    nodes: Vec<Node<G::Position>>,
    /// Which node leans on another: lists, linked by their numbers plus one.
    links: Vec<Link>,
    /// Nodes to be looked at, for the first time or again.
    queue: Vec<u32>,
    dropped: usize,
}

/// A position of a [`Walk`].
struct Node<P> {
    position: P,
    /// Whether it is still believed to be disproved.
    held: bool,
    /// The first of the links to the nodes that lean on this one, plus one; 0 for none.
    leaning: u32,
}

struct Link {
    node: u32,
    next: u32,
}

/// How well a position is known to be disproved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Support {
    /// Not at all: it is proved.
    Refuted,
    /// Not at all, so far.
    Missing,
    /// Believed.
    Believed,
    /// Believed, and in the set already.
    Held,
    /// For certain: nothing more to do.
    Certain,
}

impl<'s, 'g, G: Game, L: Leaf<G>> Walk<'s, 'g, G, L> {
    fn new(search: &'s mut Pds<'g, G, L>, effort: u64) -> Self {
        let (index, nodes, links, queue) = Default::default();
        Self { search, effort, index, nodes, links, queue, dropped: 0 }
    }

    /// Visits what is believed, from the root on, and drops what has no support until all that is
    /// held has; whether that came to an end within the budget and the memory.
    ///
    /// A node is dropped at most once and looked at again only when one that it leans on has been
    /// dropped, so there is an end.
    fn close(&mut self, root: &G::Position, budget: &mut Budget) -> bool {
        self.hold(root);
        while let Some(number) = self.queue.pop() {
            let node = &self.nodes[number as usize];
            if !node.held {
                continue;
            }
            let position = node.position.clone();
            let upheld = if self.search.game().side(&position) == self.search.goal().prover {
                self.uphold_all(number, &position, budget)
            } else {
                self.uphold_one(number, &position, budget)
            };
            if budget.is_over() || self.bytes() > self.search.spare_bytes() {
                return false;
            }
            if !upheld {
                self.drop(number);
            }
        }
        true
    }

    /// Bytes that are taken, with those that the lists keep for growing.
    fn bytes(&self) -> usize {
        let lists = self.nodes.len() * size_of::<Node<G::Position>>()
            + self.links.len() * size_of::<Link>()
            + self.queue.len() * size_of::<u32>();
        2 * lists + map_bytes::<u32>(self.nodes.len())
    }

    /// The opponent of the prover needs one move into the set.
    fn uphold_one(&mut self, number: u32, position: &G::Position, budget: &mut Budget) -> bool {
        if self.lean_on_one(number, position, budget) {
            return true;
        }
        // The move that was believed in is gone, and others have not been looked at.
        let found = budget.slice(self.effort, |budget| self.search.search(position, budget));
        let decisive = if found == Finding::Disproved { self.search.decisive_move() } else { None };
        decisive.is_some_and(|made| {
            let child = self.search.game().play(position, made);
            self.lean_on(number, &child, self.support(&child).max(self.trust(&child)))
        })
    }

    /// Looks for a move that leads to what is certain, else to what is held, else to what is
    /// believed.
    fn lean_on_one(&mut self, number: u32, position: &G::Position, budget: &mut Budget) -> bool {
        let children = self.children(position, budget);
        let supports = children.iter().map(|child| (self.support(child), child));
        let best = supports.max_by_key(|&(support, _)| support);
        best.is_some_and(|(support, child)| self.lean_on(number, child, support))
    }

    /// Each of the prover's moves has to stay in the set.
    fn uphold_all(&mut self, number: u32, position: &G::Position, budget: &mut Budget) -> bool {
        for child in self.children(position, budget) {
            let mut support = self.support(&child);
            if support == Support::Missing {
                // Never looked at, or lost from the table, or dropped: a search tells.
                let found = budget.slice(self.effort, |budget| self.search.search(&child, budget));
                support = match found {
                    Finding::Proved { .. } => Support::Refuted,
                    Finding::Disproved => self.trust(&child),
                    Finding::Unknown { .. } => Support::Missing,
                };
            }
            if support == Support::Refuted {
                // So is this position, and to search it is to note that.
                budget.slice(self.effort, |budget| self.search.search(position, budget));
            }
            if !self.lean_on(number, &child, support) {
                return false;
            }
        }
        true
    }

    fn children(&self, position: &G::Position, budget: &mut Budget) -> Vec<G::Position> {
        let children = children(self.search.game(), position);
        budget.spend(children.len() as u64);
        children
    }

    fn support(&self, position: &G::Position) -> Support {
        let game = self.search.game();
        if let Some(verdict) = game.verdict(position) {
            let reached = self.search.goal().is_reached(verdict, game.side(position));
            return if reached { Support::Refuted } else { Support::Certain };
        }
        let known = self.index.get(&game.key(position));
        let held = known.map(|&number| self.nodes[number as usize].held);
        match (self.search.knowledge(position), held) {
            (Knowledge::Disproved, _) => Support::Certain,
            (Knowledge::Proved { .. }, _) => Support::Refuted,
            (_, Some(true)) => Support::Held,
            (Knowledge::DisprovedOnce, None) => Support::Believed,
            (Knowledge::DisprovedOnce | Knowledge::Unknown, _) => Support::Missing,
        }
    }

    /// How far a disproof is trusted that was found a moment ago: unless the position was dropped.
    fn trust(&self, position: &G::Position) -> Support {
        let known = self.index.get(&self.search.game().key(position));
        let dropped = known.is_some_and(|&number| !self.nodes[number as usize].held);
        if dropped { Support::Missing } else { Support::Believed }
    }

    /// The number of a position, which is put into the set if it is new.
    fn hold(&mut self, position: &G::Position) -> u32 {
        let new = self.nodes.len() as u32;
        let number = *self.index.entry(self.search.game().key(position)).or_insert(new);
        if number == new {
            self.nodes.push(Node { position: position.clone(), held: true, leaning: 0 });
            self.queue.push(number);
        }
        number
    }

    /// Notes that a node leans on a position with this support; whether it can.
    fn lean_on(&mut self, node: u32, on: &G::Position, support: Support) -> bool {
        match support {
            Support::Refuted | Support::Missing => return false,
            Support::Certain => return true,
            Support::Believed | Support::Held => {}
        }
        let on = self.hold(on);
        let next =
            std::mem::replace(&mut self.nodes[on as usize].leaning, self.links.len() as u32 + 1);
        self.links.push(Link { node, next });
        true
    }

    /// Gives a node up, and has all that lean on it looked at again.
    fn drop(&mut self, number: u32) {
        let node = &mut self.nodes[number as usize];
        node.held = false;
        self.dropped += 1;
        self.search.distrust(&node.position);
        let mut link = node.leaning;
        while let Some(at) = link.checked_sub(1) {
            let Link { node, next } = self.links[at as usize];
            self.queue.push(node);
            link = next;
        }
    }

    /// Tells the search that what is held is certain. How many positions that are, and how many of
    /// them are junctions.
    fn settle(self) -> (usize, usize) {
        let (mut positions, mut junctions) = (0, 0);
        for node in self.nodes.iter().filter(|node| node.held) {
            self.search.settle(&node.position, Settled::Disproved);
            positions += 1;
            let second = |at: u32| self.links[at as usize].next != 0;
            junctions += usize::from(node.leaning.checked_sub(1).is_some_and(second));
        }
        (positions, junctions)
    }
}
