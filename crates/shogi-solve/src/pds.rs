//! PDS: depth-first proof-number search in which a position is left only when *both* of its numbers
//! have reached their thresholds.
//!
//! Nagai, "A new depth-first search algorithm for AND/OR trees" (1999), in the form in which
//! Shibahara, Tajima & Kotani used it for 3x4 shogi, "A New Method of Dealing with GHI Problem for
//! Proving Draw and Application to 3x4 Boards of Shogi" (2006); and, so that it comes to an end in
//! graphs with cycles, with the thresholds of Kishimoto, "Dealing with Infinite Loops,
//! Underestimation, and Overestimation of Depth-First Proof-Number Search" (2010). docs/pds.md
//! develops it from plain minimax.
//!
//! What a repetition is worth is said by the [`Goal`]: it fails the prover, and so is a success of
//! his opponent. With [`Goal::win`] that is the paper's search in which "a draw counts as a win" for
//! the prover's opponent.
//!
//! A *proof* never leans on a repetition and holds however the position came about. A *disproof*
//! may lean on positions before it; the table believes it anyhow, but marks it. The
//! [`hikiwake`](crate::hikiwake) module turns beliefs into certainty.

use std::cmp::Reverse;

use shogi_rules::shogi_core::Colour;

use crate::budget::Budget;
use crate::df_pn::INFINITE;
use crate::game::{Game, Goal, Parts};
use crate::ghi::Lean;
use crate::leaf::Leaf;
use crate::memory::Memory;
use crate::path::Path;
use crate::search::{Finding, Knowledge, Search, Settled};
use crate::table::Entry;

/// A search for one goal. It keeps its table, so that it can go on after a budget was spent, and be
/// asked about other positions of the same game.
///
/// ```
/// use shogi_solve::pds::Pds;
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, Game, Goal, Knowledge, Search, Unit};
///
/// let game = Graph::parse("(L(WW))")?;
/// let mut search = Pds::new(&game, Goal::win(Colour::Sente), Unit, 1 << 16);
/// let found = search.search(&game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Proved { plies: 2 });
///
/// // From the inner node, whatever Gote does, one ply is left.
/// let inner = game.play(&game.start(), search.decisive_move().unwrap());
/// assert_eq!(search.knowledge(&inner), Knowledge::Proved { plies: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pds<'g, G: Game, L> {
    game: &'g G,
    goal: Goal,
    leaf: L,
    memory: Memory,
    path: Path<Frame<G::Position>, Child<G::Move>>,
    /// The moves of one position, while they are looked at, and what they lead to.
    moves: Vec<G::Move>,
    below: Vec<Below<G::Position>>,
    /// Whether thresholds are raised until a leaf has been expanded.
    raised: bool,
}

/// The flag of an entry whose disproof leaned on the way to it.
const PROVISIONAL: u8 = 1;

/// Proof and disproof number as a player sees them: `phi` is 0 when he has what he wants, `delta`
/// when his opponent has. For the prover they are proof and disproof number, for the opponent the
/// other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    phi: u32,
    delta: u32,
}

impl Numbers {
    /// The lowest thresholds.
    const ONE: Self = Self { phi: 1, delta: 1 };
    /// Below those of any position.
    const NONE: Self = Self { phi: 0, delta: 0 };
    /// Of a success.
    const SUCCESS: Self = Self { phi: 0, delta: INFINITE };
    /// Of a failure.
    const FAILURE: Self = Self { phi: INFINITE, delta: 0 };
    /// Of a position that is given up: as large as those of an open one can be.
    const GIVEN_UP: Self = Self { phi: INFINITE - 1, delta: INFINITE - 1 };

    /// From the prover's point of view to a player's, or back.
    const fn seen(self, by_prover: bool) -> Self {
        if by_prover { self } else { Self { phi: self.delta, delta: self.phi } }
    }

    const fn is_final(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// PDS goes on until both thresholds are reached, or there is nowhere to go on to.
    fn reach(self, threshold: Self) -> bool {
        self.is_final()
            || (self.phi >= threshold.phi && self.delta >= threshold.delta)
            || self == Self::GIVEN_UP
    }

    /// Whether one of the players has nowhere to go on to.
    const fn is_partly_given_up(self) -> bool {
        !self.is_final() && (self.phi == INFINITE - 1 || self.delta == INFINITE - 1)
    }

    /// Thresholds that these numbers do not reach, and no lower than before.
    fn above(self, numbers: Self) -> Self {
        let (phi, delta) = (grown(numbers.phi), grown(numbers.delta));
        Self { phi: self.phi.max(phi), delta: self.delta.max(delta) }
    }

    /// The thresholds that are reached when one of these numbers has grown.
    const fn raised(self, phi: bool) -> Self {
        if phi {
            Self { phi: grown(self.phi), delta: self.delta }
        } else {
            Self { phi: self.phi, delta: grown(self.delta) }
        }
    }
}

const fn grown(number: u32) -> u32 {
    if number < INFINITE { number + 1 } else { INFINITE }
}

/// Numbers of a position with what they lean on, and the plies: of the proof if it is one, else of
/// the shortest way on which the position was met. The numbers are seen by the prover, or by the
/// player to move in the frame that holds them.
#[derive(Clone, Copy, Debug)]
struct Found {
    numbers: Numbers,
    lean: Lean,
    plies: u16,
}

impl Found {
    fn open(numbers: Numbers, depth: u32) -> Self {
        let plies = depth.min(u16::MAX.into()) as u16;
        Self { numbers, lean: Lean::Nothing, plies }
    }

    const fn proved(plies: u16) -> Self {
        Self { numbers: Numbers::SUCCESS, lean: Lean::Nothing, plies }
    }

    const fn disproved(lean: Lean) -> Self {
        Self { numbers: Numbers::FAILURE, lean, plies: 0 }
    }

    const fn seen(self, by_prover: bool) -> Self {
        Self { numbers: self.numbers.seen(by_prover), ..self }
    }
}

/// A position on the way from the root.
struct Frame<P> {
    position: P,
    parts: Parts,
    prover_moves: bool,
    /// What both numbers of the player to move have to reach.
    threshold: Numbers,
    /// Moves with a smaller phi are taken for as good as this: the largest phi the position had.
    floor: u32,
    /// The move that is being searched.
    current: usize,
    /// Nodes spent when the frame was entered.
    entered: u64,
}

/// A move of a frame, with what is known of the position it leads to, as the player sees it who
/// makes the move.
struct Child<M> {
    made: M,
    found: Found,
}

/// A position one move below the path.
struct Below<P> {
    parts: Parts,
    key: u64,
    position: P,
}

/// What the moves of a frame make together.
struct Totals {
    numbers: Numbers,
    /// The move to search.
    best: usize,
}

impl<'g, G: Game, L: Leaf<G>> Pds<'g, G, L> {
    /// A search that takes so many bytes for its table and all else, or half a megabyte more than a
    /// very small number. The published one gives each leaf 1 and 1 ([`Unit`](crate::Unit)).
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new(game: &'g G, goal: Goal, leaf: L, bytes: usize) -> Self {
        let memory = Memory::with_bytes(bytes);
        Self {
            game,
            goal,
            leaf,
            path: Path::within(memory.path_bytes()),
            memory,
            moves: Vec::new(),
            below: Vec::new(),
            raised: false,
        }
    }

    /// How full the table is, from 0 to 1.
    pub fn fill(&self) -> f64 {
        self.memory.table.fill()
    }

    /// Bytes that are taken now, by the table and all else.
    pub fn bytes(&self) -> usize {
        self.memory.bytes() + self.path.bytes()
    }

    /// All that is remembered.
    pub(crate) const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The same, to be filled.
    pub(crate) const fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Puts the current move's position on the path, unless the table already knows as much of it
    /// as is wanted, or the path is full and the move is given up. Here the threshold is seen by the
    /// prover.
    fn descend(&mut self, threshold: Numbers, budget: &mut Budget) {
        let depth = self.path.depth_below();
        let (frame, children) = self.path.last();
        let (by, current) = (frame.prover_moves, frame.current);
        let position = self.game.play(&frame.position, children[current].made);
        let parts = self.game.parts(&position);
        let known = self.recall(parts, self.game.key(&position), depth);
        let mut floor = 1;
        if let Some(found) = known.filter(|found| found.numbers.reach(threshold)) {
            self.path.last_mut().1[current].found = found.seen(by);
        } else if self.path.is_full() {
            self.path.last_mut().1[current].found = Found::open(Numbers::GIVEN_UP, depth);
        } else {
            if let Some(found) = known {
                let to_move = self.game.side(&position) == self.goal.prover;
                floor = found.numbers.seen(to_move).phi;
            }
            self.enter(position, parts, known.is_none(), threshold, floor, budget);
        }
    }

    /// Puts a position on the path and looks at its moves. Here the threshold is seen by the
    /// prover.
    fn enter(
        &mut self,
        position: G::Position,
        parts: Parts,
        is_new: bool,
        threshold: Numbers,
        floor: u32,
        budget: &mut Budget,
    ) {
        if is_new {
            self.raised = false;
        }
        let prover_moves = self.game.side(&position) == self.goal.prover;
        self.moves.clear();
        self.game.moves(&position, &mut self.moves);
        // First all keys and then all looks into the table, which wait for memory side by side.
        self.below.clear();
        self.below.extend(self.moves.iter().map(|&made| {
            let position = self.game.play(&position, made);
            Below { parts: self.game.parts(&position), key: self.game.key(&position), position }
        }));
        let entered = budget.spent();
        budget.spend(self.moves.len() as u64);
        let threshold = threshold.seen(prover_moves);
        let key = self.game.key(&position);
        let frame = Frame { position, parts, prover_moves, threshold, floor, current: 0, entered };
        self.path.enter(key, frame);
        let depth = self.path.depth_below();
        for (below, &made) in self.below.iter().zip(&self.moves) {
            let (found, raised) = self.assess(below, depth);
            self.path.add(Child { made, found: found.seen(prover_moves) });
            self.raised |= raised;
        }
    }

    /// What is known of a position one move below the path, which would be at this depth; and
    /// whether it was met before on a shorter way, so that a cycle may lead back up here.
    fn assess(&self, below: &Below<G::Position>, depth: u32) -> (Found, bool) {
        if let Some(at) = self.path.depth_of(below.key) {
            return (Found::disproved(Lean::Path(at)), false);
        }
        if let Some(found) = self.recall(below.parts, below.key, depth) {
            return (found, !found.numbers.is_final() && u32::from(found.plies) < depth);
        }
        let side = self.game.side(&below.position);
        let found = match self.game.verdict(&below.position) {
            Some(verdict) if self.goal.is_reached(verdict, side) => Found::proved(0),
            Some(_) => Found::disproved(Lean::Nothing),
            None => {
                let (phi, delta) = self.leaf.numbers(self.game, self.goal, &below.position);
                Found::open(Numbers { phi, delta }, depth)
            }
        };
        (found, false)
    }

    /// What is settled or in the table about a position at this depth, as the prover sees it.
    ///
    /// A proof holds with a better hand too, and a certain disproof with a worse one. Numbers, and
    /// beliefs, are taken for this very hand only. A position that was given up may be tried again
    /// where the way to it is shorter, and is as good as new there.
    fn recall(&self, parts: Parts, key: u64, depth: u32) -> Option<Found> {
        match self.memory.settled(key) {
            Some(Settled::Proved { plies }) => return Some(Found::proved(plies)),
            Some(Settled::Disproved) => return Some(Found::disproved(Lean::Nothing)),
            None => {}
        }
        let mut recalled: Option<Found> = None;
        for entry in self.memory.table.entries(parts.board) {
            // For the prover, as the hands are Sente's.
            let (better, worse) = match self.goal.prover {
                Colour::Sente => (parts.hand, entry.hand),
                Colour::Gote => (entry.hand, parts.hand),
            };
            let same = entry.hand == parts.hand;
            if entry.pn == 0 {
                // The shortest proof is kept: plies fall along the moves of a proof only if each
                // position uses the least it knows of the next.
                let shorter = |found: Found| found.numbers.phi != 0 || found.plies > entry.length;
                if recalled.is_none_or(shorter) && (same || self.game.dominates(better, worse)) {
                    recalled = Some(Found::proved(entry.length));
                }
            } else if entry.dn == 0 && entry.flags & PROVISIONAL == 0 {
                if same || self.game.dominates(worse, better) {
                    return Some(Found::disproved(Lean::Nothing));
                }
            } else if same && recalled.is_none() {
                let numbers = Numbers { phi: entry.pn, delta: entry.dn };
                let lean = if entry.dn == 0 { Lean::Table } else { Lean::Nothing };
                if !numbers.is_partly_given_up() || depth >= entry.length.into() {
                    recalled = Some(Found { numbers, lean, plies: entry.length });
                }
            }
        }
        recalled
    }

    /// Takes the last position off the path and puts what was found into the table. The numbers
    /// are seen by the player to move, what is returned by the prover.
    fn leave(&mut self, numbers: Numbers, budget: &Budget) -> Found {
        let (frame, children) = self.path.last();
        let found = frame.finding(children, numbers, self.path.depth() as u32);
        let (parts, work) = (frame.parts, budget.spent() - frame.entered);
        self.path.leave();
        self.store(parts, found, work);
        found
    }

    /// Puts numbers into the table, seen by the prover.
    fn store(&mut self, Parts { board, hand }: Parts, found: Found, work: u64) {
        let before = self.memory.table.find(board, hand);
        let amount = before.map_or(0, |before| before.amount).max(Entry::amount_of(work));
        let Numbers { phi: pn, delta: dn } = found.numbers;
        let provisional = dn == 0 && found.lean != Lean::Nothing;
        let flags = if provisional { PROVISIONAL } else { 0 };
        let mut entry = Entry { board, hand, pn, dn, length: found.plies, amount, flags };
        // What is given up is given up at this depth, however short another way was.
        let merges = !entry.is_final() && !found.numbers.is_partly_given_up();
        if let Some(before) = before.filter(|before| merges && !before.is_final()) {
            entry.length = entry.length.min(before.length);
        }
        self.memory.table.store(entry);
    }
}

impl<G: Game, L: Leaf<G>> Search<G> for Pds<'_, G, L> {
    fn game(&self) -> &G {
        self.game
    }

    fn goal(&self) -> Goal {
        self.goal
    }

    fn search(&mut self, root: &G::Position, budget: &mut Budget) -> Finding {
        if let Some(verdict) = self.game.verdict(root) {
            let proved = self.goal.is_reached(verdict, self.game.side(root));
            // No move decides it.
            self.path.clear();
            return if proved { Finding::Proved { plies: 0 } } else { Finding::Disproved };
        }
        self.raised = false;
        self.path.clear();
        let parts = self.game.parts(root);
        let is_new = self.recall(parts, self.game.key(root), 0).is_none();
        self.enter(root.clone(), parts, is_new, Numbers::ONE, 1, budget);
        loop {
            if let (true, Some((root, children))) = (budget.wants_report(), self.path.root()) {
                let Numbers { phi, delta } = root.totals(children).numbers.seen(root.prover_moves);
                budget.tell(phi, delta, self.memory.table.fill());
            }
            let is_root = self.path.depth() == 0;
            let (frame, children) = self.path.last_mut();
            let Totals { numbers, best } = frame.totals(children);
            let threshold =
                frame.threshold.above(if self.raised { numbers } else { Numbers::NONE });
            let reached = numbers.reach(threshold);
            let ends = numbers.is_final() || numbers == Numbers::GIVEN_UP || budget.is_over();
            if reached && is_root && !ends {
                // The iteration is over and the next one begins, in place of leaving and coming
                // back at once: the smaller number has to grow.
                frame.threshold = numbers.raised(numbers.phi <= numbers.delta);
                frame.floor = numbers.phi;
            } else if reached || ends {
                let found = self.leave(numbers, budget);
                if is_root {
                    return match found.numbers {
                        Numbers::SUCCESS => Finding::Proved { plies: found.plies },
                        Numbers::FAILURE => Finding::Disproved,
                        Numbers { phi, delta } => Finding::Unknown { proof: phi, disproof: delta },
                    };
                }
                let (parent, children) = self.path.last_mut();
                children[parent.current].found = found.seen(parent.prover_moves);
            } else {
                frame.floor = frame.floor.max(numbers.phi);
                frame.current = best;
                let child = children[best].found.numbers;
                let threshold = frame.child_threshold(threshold, numbers, child);
                self.descend(threshold, budget);
            }
        }
    }

    fn decisive_move(&self) -> Option<G::Move> {
        let decides = |child: &&Child<G::Move>| child.found.numbers.phi == 0;
        let (_, children) = self.path.root()?;
        // The shortest proof, or the disproof that leans on least.
        let deciding = children.iter().filter(decides);
        let best = deciding.min_by_key(|child| (child.found.plies, Reverse(child.found.lean)));
        best.map(|child| child.made)
    }

    fn knowledge(&self, position: &G::Position) -> Knowledge {
        let parts = self.game.parts(position);
        match self.recall(parts, self.game.key(position), 0) {
            Some(Found { numbers: Numbers::SUCCESS, plies, .. }) => Knowledge::Proved { plies },
            Some(Found { numbers: Numbers::FAILURE, lean: Lean::Nothing, .. }) => {
                Knowledge::Disproved
            }
            Some(Found { numbers: Numbers::FAILURE, .. }) => Knowledge::DisprovedOnce,
            _ => Knowledge::Unknown,
        }
    }

    fn settle(&mut self, position: &G::Position, settled: Settled) {
        self.memory.settle(self.game.key(position), settled);
    }

    /// The position may be believed to be disproved again, once it has been searched again: if its
    /// disproofs were kept apart for good, there would soon be as much to search as there are ways.
    fn distrust(&mut self, position: &G::Position) {
        let Parts { board, hand } = self.game.parts(position);
        let table = &mut self.memory.table;
        if table.find(board, hand).is_some_and(|entry| entry.flags & PROVISIONAL != 0) {
            table.remove(board, hand);
        }
    }

    fn forget(&mut self) {
        self.memory.forget();
    }

    fn spare_bytes(&self) -> usize {
        self.memory.spare_bytes()
    }
}

impl<P> Frame<P> {
    fn totals<M>(&self, children: &[Child<M>]) -> Totals {
        let mut best = (u32::MAX, u32::MAX, 0);
        let (mut phi, mut delta) = (INFINITE, 0_u64);
        for (index, Child { found: Found { numbers, .. }, .. }) in children.iter().enumerate() {
            phi = phi.min(numbers.phi);
            delta += u64::from(numbers.delta);
            best = best.min((numbers.phi.max(self.floor), numbers.delta, index));
        }
        let numbers = match (phi, delta) {
            (0, _) => Numbers::SUCCESS,
            (_, 0) => Numbers::FAILURE,
            // Never infinite as long as something is open.
            _ => Numbers { phi, delta: delta.min(u64::from(INFINITE - 1)) as u32 },
        };
        Totals { numbers, best: best.2 }
    }

    /// How far a move is to be searched: until one of its numbers has grown. It is the move's delta
    /// if this position's delta has to grow and the move's phi has no need to.
    ///
    /// The threshold, the totals and the move's numbers are seen by the player to move, what is
    /// returned by the prover.
    fn child_threshold(&self, threshold: Numbers, totals: Numbers, child: Numbers) -> Numbers {
        let delta = threshold.delta > totals.delta
            && (child.delta <= child.phi || threshold.phi <= totals.phi);
        child.raised(!delta).seen(self.prover_moves)
    }

    /// What these numbers mean to the prover, with what they lean on and the plies they take.
    fn finding<M>(&self, children: &[Child<M>], numbers: Numbers, depth: u32) -> Found {
        let numbers = numbers.seen(self.prover_moves);
        let with = |wanted: Numbers| {
            let found = children.iter().map(|child| child.found.seen(self.prover_moves));
            found.filter(move |found| found.numbers == wanted)
        };
        match numbers {
            Numbers::SUCCESS => {
                let plies = with(numbers).map(|found| found.plies);
                let below = if self.prover_moves { plies.min() } else { plies.max() };
                Found::proved(below.unwrap_or(0).saturating_add(1))
            }
            Numbers::FAILURE => {
                let leans = with(numbers).map(|found| found.lean);
                let lean = if self.prover_moves { leans.min() } else { leans.max() };
                Found::disproved(lean.unwrap_or(Lean::Nothing).seen_from(depth))
            }
            _ => Found::open(numbers, depth),
        }
    }
}
