//! Closes disproofs into a safe set.

use crate::game::GameGraph;
use crate::numbered::{Numbered, NumberedMove, Positions, Prover, ROOT};
use crate::plan::Plan;
use crate::search::{FinalValue, Finding, Knowledge, Search};
use shogi_mate::{Budget, OutOfBudget};

/// The result of an attempt to close a disproof.
#[derive(Debug)]
pub enum Prevention<G: GameGraph> {
    /// The opponent has a plan that prevents the goal.
    Plan(Plan<G>),
    /// The opponent has none: the disproof was wrong, and the goal can be reached.
    Reached,
    /// Some disproofs could not be confirmed with little effort; the search no longer relies on them.
    Doubtful,
    /// The budget or the spare memory of the search was spent first.
    Unknown,
}

/// Builds the opponent's plan that prevents the search's goal from `root` on.
///
/// Collects positions from the root: one reply of the opponent in each, and all moves of the prover. The
/// chosen reply leads to a position that the search believes disproved; an unknown position is searched
/// with `effort` nodes. If a position turns out to be proved or doubtful, so are the positions that lead to
/// it by force, and where the opponent had chosen to go there, another reply is chosen. If the root stays,
/// the set is closed: no move leads out of it, so the prover never reaches the goal. This is the closure of
/// Shibahara, Tajima & Kotani (2006), taken as the greatest set rather than grown from the cycles.
///
/// It terminates, since each reply fails at most once.
pub fn prevent<G: GameGraph>(
    search: &mut dyn Search<G>,
    root: &G::Position,
    effort: u64,
    budget: &mut Budget,
) -> Prevention<G> {
    let mut set = SafeSet::new(search, root, effort);
    let prevention = set.close(search, budget);
    search.unwind();
    prevention.unwrap_or_else(|OutOfBudget| Prevention::Unknown)
}

/// No edge, no move, and no position after one.
const NONE: u32 = u32::MAX;

/// A position in a set.
#[derive(Clone, Copy)]
struct SetMember {
    /// The chosen reply, if the opponent is to move, and the position after it, if the game is not over
    /// there.
    reply: u32,
    below: u32,
    /// Why the position was removed from the set, if it was.
    lost: Option<Lost>,
    /// The first of the edges to positions that rely on this one.
    edges: u32,
}

impl SetMember {
    const NEW: Self = Self { reply: NONE, below: NONE, lost: None, edges: NONE };
}

/// Why a position is not in the set.
#[derive(Clone, Copy)]
enum Lost {
    /// The goal is reached from it in at most this many plies.
    Proved { plies: u32 },
    /// Nothing shows that the goal is not reached.
    Doubtful,
}

impl Lost {
    /// The reason for the position before one with this reason.
    const fn above(self) -> Self {
        match self {
            Self::Proved { plies } => Self::Proved { plies: plies.saturating_add(1) },
            Self::Doubtful => Self::Doubtful,
        }
    }
}

/// A position relies on another; the edges of one form a list.
#[derive(Clone, Copy)]
struct Edge {
    relying: u32,
    next: u32,
}

/// Candidates for a safe set, while it is being closed.
pub(crate) struct SafeSet<G: GameGraph> {
    positions: Positions<G>,
    pub(crate) set: Set,
}

impl<G: GameGraph> SafeSet<G> {
    /// A set of the root alone.
    pub(crate) fn new(search: &mut dyn Search<G>, root: &G::Position, effort: u64) -> Self {
        let mut positions = Positions::new(search.game(), root);
        let root_end = Numbered::new(search, &mut positions, &mut None).root_end();
        Self { positions, set: Set::new(root_end, effort) }
    }

    /// Examines all positions of the set, until it is safe or its root is lost.
    pub(crate) fn close(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
    ) -> Result<Prevention<G>, OutOfBudget> {
        let Self { positions, set } = self;
        let deciding = &mut None;
        let mut prover = Numbered::new(search, positions, deciding);
        Ok(match set.close(&mut prover, budget)? {
            Closed::Safe => {
                let steps = set.steps(&mut prover);
                Prevention::Plan(positions.plan(search.game(), &steps))
            }
            Closed::Reached => Prevention::Reached,
            Closed::Doubtful => Prevention::Doubtful,
            Closed::Full => Prevention::Unknown,
        })
    }

    /// Sets the positions of the set as disproved in a search.
    pub(crate) fn set_disproved(&mut self, search: &mut dyn Search<G>) {
        self.set.set_disproved(&mut Numbered::new(search, &mut self.positions, &mut None));
    }
}

/// The result of closing a set.
pub(super) enum Closed {
    /// The set is safe.
    Safe,
    /// The goal can be reached.
    Reached,
    /// Some disproofs could not be confirmed.
    Doubtful,
    /// There is no memory for more.
    Full,
}

/// A set of numbered positions.
pub(crate) struct Set {
    /// If the game is over in the root, whether the goal is reached there.
    root_end: Option<bool>,
    /// Nodes for an unknown position.
    effort: u64,
    /// The rest of these nodes for the current position.
    effort_left: Option<u64>,
    members: Vec<SetMember>,
    edges: Vec<Edge>,
    /// Positions whose moves must be examined.
    open: Vec<u32>,
    /// Number of positions removed from the set.
    pub(crate) lost: usize,
    found_proofs: bool,
}

impl Set {
    /// A set of the root alone; `root_end` is set if the game is over there.
    pub(super) fn new(root_end: Option<bool>, effort: u64) -> Self {
        let (members, open) = match root_end {
            None => (vec![SetMember::NEW], vec![ROOT]),
            Some(_) => (Vec::new(), Vec::new()),
        };
        Self {
            root_end,
            effort,
            effort_left: None,
            members,
            edges: Vec::new(),
            open,
            lost: 0,
            found_proofs: false,
        }
    }

    /// See [`SafeSet::close`].
    pub(super) fn close(
        &mut self,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
    ) -> Result<Closed, OutOfBudget> {
        if let Some(reached) = self.root_end {
            return Ok(if reached { Closed::Reached } else { Closed::Safe });
        }
        while let Some(&number) = self.open.last() {
            if budget.is_over() {
                return Err(OutOfBudget);
            }
            self.examine(number, prover, budget)?;
            match self.member(ROOT).lost {
                Some(Lost::Proved { .. }) => return Ok(Closed::Reached),
                Some(Lost::Doubtful) => {
                    self.invalidate_doubtful(prover);
                    return Ok(Closed::Doubtful);
                }
                None => {}
            }
            if self.is_full(prover) {
                return Ok(Closed::Full);
            }
        }
        Ok(Closed::Safe)
    }

    /// Number of positions of the set, and of those on which more than one other relies, which may lie on
    /// cycles.
    pub(crate) fn size(&self) -> (usize, usize) {
        let held = || self.members.iter().filter(|member| member.lost.is_none());
        let shared = |edge: u32| edge != NONE && self.edges[edge as usize].next != NONE;
        (held().count(), held().filter(|member| shared(member.edges)).count())
    }

    /// Whether a position of the set turned out to be proved; the search now knows that.
    pub(super) const fn found_proofs(&self) -> bool {
        self.found_proofs
    }

    /// See [`SafeSet::set_disproved`].
    fn set_disproved(&self, prover: &mut dyn Prover) {
        for (number, member) in self.members.iter().enumerate() {
            if member.lost.is_none() {
                prover.set_final(number as u32, FinalValue::Disproved);
            }
        }
    }

    fn member(&mut self, number: u32) -> &mut SetMember {
        &mut self.members[number as usize]
    }

    /// Whether there is no memory for more.
    fn is_full(&self, prover: &dyn Prover) -> bool {
        let lists = self.edges.len() * size_of::<Edge>() + self.open.len() * size_of::<u32>();
        prover.bytes(size_of::<SetMember>()) + 2 * lists > prover.spare_bytes()
    }

    /// The number of a listed position; a new one is queued for examination.
    fn meet(&mut self, prover: &mut dyn Prover, index: usize) -> u32 {
        let (number, new) = prover.meet(index);
        if new {
            self.members.push(SetMember::NEW);
            self.open.push(number);
        }
        number
    }

    fn rely(&mut self, relying: u32, on: u32) {
        let edge = self.edges.len() as u32;
        let next = std::mem::replace(&mut self.member(on).edges, edge);
        self.edges.push(Edge { relying, next });
    }

    /// Takes the last open position and finds what keeps the prover from the goal there.
    fn examine(
        &mut self,
        number: u32,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
    ) -> Result<(), OutOfBudget> {
        let prover_moves = prover.is_provers_turn(number);
        let treatment = if self.member(number).lost.is_some() {
            Treatment::Dropped
        } else if self.effort_left.is_some() {
            Treatment::Unknown
        } else if prover_moves {
            // All moves are followed only where the search has disproved the position.
            match prover.knowledge(number) {
                Knowledge::Unknown => Treatment::Unknown,
                Knowledge::Proved { plies } => Treatment::Lost(Lost::Proved { plies }),
                Knowledge::Disproved | Knowledge::DisprovedOnce => Treatment::All,
            }
        } else {
            self.choose(number, prover)
        };
        let treatment = match treatment {
            Treatment::Unknown => match self.doubt(number, prover, budget)? {
                Some(lost) => Treatment::Lost(lost),
                None if prover_moves => Treatment::All,
                None => {
                    let reply = prover.decisive_move(number);
                    reply.map_or(Treatment::Lost(Lost::Doubtful), Treatment::Reply)
                }
            },
            known => known,
        };
        self.open.pop();
        budget.spend(1);
        match treatment {
            Treatment::All => self.follow_all(number, prover, budget),
            Treatment::Reply(index) => self.follow(number, index, prover),
            Treatment::Lost(lost) => self.lose(number, lost, prover),
            Treatment::Dropped | Treatment::Unknown => {}
        }
        Ok(())
    }

    /// Searches an unknown position and returns the reason against it, if any.
    fn doubt(
        &mut self,
        number: u32,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Lost>, OutOfBudget> {
        let (effort, before) = (self.effort_left.unwrap_or(self.effort), budget.spent());
        let finding = budget.slice(effort, |budget| prover.search(number, budget));
        let left = effort.saturating_sub(budget.spent() - before);
        self.effort_left = None;
        Ok(match finding {
            Finding::Disproved => None,
            Finding::Proved { plies } => Some(Lost::Proved { plies }),
            Finding::Unknown { .. } if prover.is_at_work() && left > 0 => {
                self.effort_left = Some(left);
                return Err(OutOfBudget);
            }
            Finding::Unknown { .. } => {
                prover.unwind();
                Some(Lost::Doubtful)
            }
        })
    }

    /// Meets the positions after all moves of the prover.
    fn follow_all(&mut self, number: u32, prover: &mut dyn Prover, budget: &mut Budget<'_>) {
        let moves = prover.list(number);
        budget.spend(moves as u64);
        for index in 0..moves {
            match prover.end(index) {
                Some(true) => return self.lose(number, Lost::Proved { plies: 1 }, prover),
                Some(false) => continue,
                None => {}
            }
            let below = self.meet(prover, index);
            if let Some(lost) = self.member(below).lost {
                return self.lose(number, lost.above(), prover);
            }
            self.rely(number, below);
        }
    }

    /// Meets the position after the opponent's reply.
    fn follow(&mut self, number: u32, index: usize, prover: &mut dyn Prover) {
        prover.list(number);
        self.member(number).reply = index as u32;
        if prover.end(index).is_some() {
            return;
        }
        let below = self.meet(prover, index);
        self.member(number).below = below;
        self.rely(number, below);
        // A search may name a reply that is known to be lost; that does not make the others so.
        if self.member(below).lost.is_some() {
            self.lose(number, Lost::Doubtful, prover);
        }
    }

    /// The reply that is most likely to hold.
    fn choose(&self, number: u32, prover: &mut dyn Prover) -> Treatment {
        let mut best = (0, Treatment::Lost(Lost::Proved { plies: 0 }));
        for index in 0..prover.list(number) {
            let met = prover.find(index).map(|number| self.members[number as usize]);
            let proved = |plies| (0, Treatment::Lost(Lost::Proved { plies }));
            let (trust, treatment) = match (prover.end(index), met.and_then(|member| member.lost)) {
                (Some(true), _) => proved(0),
                (Some(false), _) => (6, Treatment::Reply(index)),
                (None, Some(Lost::Proved { plies })) => proved(plies),
                (None, Some(Lost::Doubtful)) => (1, Treatment::Lost(Lost::Doubtful)),
                (None, None) => match (prover.knowledge_after(index), met.is_some()) {
                    (Knowledge::Proved { plies }, _) => proved(plies),
                    (Knowledge::Unknown, false) => (2, Treatment::Unknown),
                    (Knowledge::DisprovedOnce, false) => (3, Treatment::Reply(index)),
                    (Knowledge::Disproved, false) => (4, Treatment::Reply(index)),
                    (_, true) => (5, Treatment::Reply(index)),
                },
            };
            let longer = match (&best.1, &treatment) {
                (
                    Treatment::Lost(Lost::Proved { plies: before }),
                    Treatment::Lost(Lost::Proved { plies }),
                ) => plies > before,
                _ => false,
            };
            if trust > best.0 || longer {
                best = (trust, treatment);
            }
        }
        match best.1 {
            Treatment::Lost(lost) => Treatment::Lost(lost.above()),
            treatment => treatment,
        }
    }

    /// Removes a position from the set with all that rely on it; where the opponent chose to go there,
    /// another reply is chosen.
    fn lose(&mut self, number: u32, lost: Lost, prover: &mut dyn Prover) {
        let mut losing = vec![(number, lost)];
        while let Some((number, lost)) = losing.pop() {
            let member = self.member(number);
            if member.lost.is_some() {
                continue;
            }
            member.lost = Some(lost);
            let mut edge = std::mem::replace(&mut member.edges, NONE);
            self.lost += 1;
            if let Lost::Proved { plies } = lost {
                self.found_proofs = true;
                prover.set_final(number, FinalValue::Proved { plies });
            }
            while edge != NONE {
                let Edge { relying, next } = self.edges[edge as usize];
                edge = next;
                if prover.is_provers_turn(relying) {
                    losing.push((relying, lost.above()));
                } else if self.member(relying).below == number {
                    let member = self.member(relying);
                    (member.reply, member.below) = (NONE, NONE);
                    self.open.push(relying);
                }
            }
        }
    }

    /// Invalidates the disproofs of all positions of the set.
    pub(super) fn invalidate_all(&self, prover: &mut dyn Prover) {
        for number in 0..self.members.len() {
            prover.invalidate(number as u32);
        }
    }

    /// Invalidates the disproofs that are doubtful.
    fn invalidate_doubtful(&self, prover: &mut dyn Prover) {
        for (number, member) in self.members.iter().enumerate() {
            if matches!(member.lost, Some(Lost::Doubtful)) {
                prover.invalidate(number as u32);
            }
        }
    }

    /// The opponent's steps in the closed set, in positions that can arise.
    pub(super) fn steps(&self, prover: &mut dyn Prover) -> Vec<(NumberedMove, u32)> {
        let mut steps = Vec::new();
        let mut seen = vec![false; self.members.len()];
        let mut open = Vec::new();
        if self.root_end.is_none() {
            open.push(ROOT);
        }
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let &SetMember { reply, below, .. } = &self.members[number as usize];
            if prover.is_provers_turn(number) {
                for index in 0..prover.list(number) {
                    open.extend(prover.find(index));
                }
            } else if reply != NONE {
                steps.push(((number, reply as usize), 0));
                open.extend((below != NONE).then_some(below));
            }
        }
        steps
    }
}

/// The treatment of a position.
enum Treatment {
    /// Follow all moves of the prover.
    All,
    /// Follow this reply of the opponent.
    Reply(usize),
    /// Search it, since nothing is known of it or of any unproved reply.
    Unknown,
    /// Remove it from the set.
    Lost(Lost),
    /// Nothing, since it was removed from the set.
    Dropped,
}
