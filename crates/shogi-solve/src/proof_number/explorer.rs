//! The walk through the graph.

use crate::budget::Budget;
use crate::game::{GameGraph, Goal, Parts};
use crate::ghi::{Ghi, PathDependence};
use crate::harvest::Harvest;
use crate::leaf::Leaf;
use crate::memory::Memory;
use crate::order::in_rising_order;
use crate::path::Path;
use crate::proof_number::lookup::{INITIAL, INVALIDATED, Lookup, PROVISIONAL, is_given_up_below};
use crate::proof_number::{Assessment, Child, Frame, ProofNumbers, Sums};
use crate::search::{FinalValue, Finding, Knowledge};
use crate::table::Entry;

/// The game, the table and the path of a search for one goal.
pub(crate) struct Explorer<'g, G: GameGraph> {
    pub(crate) game: &'g G,
    pub(crate) goal: Goal,
    ghi: Ghi,
    sums: Sums,
    pub(crate) memory: Memory,
    pub(crate) path: Path<Frame<G::Position>, Child<G::Move>>,
    /// The moves of one position and what they lead to, while they are looked up.
    below: Vec<Below<G>>,
    /// The key of the root of a search that has been begun and not been left.
    root: Option<u64>,
    /// Nodes spent in all searches.
    spent: u64,
    /// Steps of simulations that the budget has not been charged for.
    pub(super) simulated: u64,
    /// Whether thresholds are raised until a new position has been entered: the threshold
    /// controlling algorithm of Kishimoto, "Dealing with Infinite Loops, Underestimation, and
    /// Overestimation of Depth-First Proof-Number Search" (2010).
    pub(crate) raised: bool,
    /// Who collects what is found.
    pub(crate) harvest: Option<Harvest<G::Position>>,
}

/// A move, and the position it leads to.
struct Below<G: GameGraph> {
    mv: G::Move,
    parts: Parts,
    key: u64,
    position: G::Position,
}

/// The key of the path to a position, from the key of the path to the one above it.
const fn path_key_below(path_key: u64, key: u64) -> u64 {
    (path_key.rotate_left(7) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'g, G: GameGraph> Explorer<'g, G> {
    /// Panics if the system refuses the memory.
    pub(crate) fn new(game: &'g G, goal: Goal, ghi: Ghi, sums: Sums, bytes: usize) -> Self {
        let memory = Memory::with_bytes(bytes);
        Self {
            game,
            goal,
            ghi,
            sums,
            path: Path::within(memory.path_bytes()),
            memory,
            below: Vec::new(),
            root: None,
            spent: 0,
            simulated: 0,
            raised: false,
            harvest: None,
        }
    }

    /// Bytes that are taken now, by the table and all else.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.bytes() + self.path.bytes()
    }

    /// Whether the goal is reached in a position in which the game is over; `None` if it is not over.
    pub(crate) fn reached(&self, position: &G::Position) -> Option<bool> {
        let verdict = self.game.verdict(position)?;
        Some(self.goal.is_reached(verdict, self.game.side(position)))
    }

    pub(super) fn look_up(&self, parts: Parts, key: u64) -> Lookup {
        self.memory.look_up(self.game, self.goal, parts, key)
    }

    /// Whether the prover is to move.
    pub(crate) fn is_prover(&self, position: &G::Position) -> bool {
        self.game.side(position) == self.goal.prover
    }

    /// Whether the root of a search is on the path: the search has been begun, and not been left.
    pub(crate) const fn is_at_work(&self) -> bool {
        self.root.is_some()
    }

    /// The same, for a search of this position.
    fn is_at_work_on(&self, root: &G::Position) -> bool {
        self.root == Some(self.game.key(root))
    }

    /// Moves of all positions on the path of a search that has not been left.
    pub(crate) fn moves_on_path(&self) -> usize {
        if self.is_at_work() { self.path.moves() } else { 0 }
    }

    /// Takes up the search of a position: goes on with the one that is at work, or begins one with this
    /// threshold, seen by the prover. Returns what is found where the game is over.
    pub(crate) fn take_up(
        &mut self,
        root: &G::Position,
        threshold: ProofNumbers,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) -> Option<Finding> {
        if let Some(reached) = self.reached(root) {
            // No move decides it, and no path leads on.
            self.path.clear();
            self.root = None;
            return Some(if reached { Finding::Proved { plies: 0 } } else { Finding::Disproved });
        }
        if !self.is_at_work_on(root) {
            self.unwind();
            self.begin(root);
            self.enter(root.clone(), 0, threshold, 1, leaf, budget);
        }
        None
    }

    /// Begins a search of a position in which the game is not over: empties the path.
    fn begin(&mut self, root: &G::Position) {
        self.path.clear();
        self.raised = false;
        if let Some(harvest) = &mut self.harvest {
            harvest.begin();
        }
        self.root = Some(self.game.key(root));
    }

    /// Leaves all positions of a search that is at work, the root last. Returns what is found of it.
    pub(crate) fn unwind(&mut self) -> Option<Finding> {
        let mut root = None;
        while self.is_at_work() {
            let (frame, children) = self.path.last();
            root = Some(self.leave(frame.numbers(children, self.sums)).finding());
        }
        root
    }

    /// The root's numbers, seen by the prover; those of a leaf if there was no search.
    fn root_numbers(&self) -> ProofNumbers {
        let Some((root, children)) = self.path.root() else { return ProofNumbers::UNIT };
        root.numbers(children, self.sums).oriented(root.prover_moves)
    }

    /// What is found where the budget ends before the search: the root's numbers.
    pub(crate) fn unknown(&self) -> Finding {
        let ProofNumbers { phi, delta } = self.root_numbers();
        Finding::Unknown { proof: phi, disproof: delta }
    }

    /// Reports the root's numbers if a report is due.
    #[inline]
    pub(crate) fn report(&self, budget: &mut Budget) {
        if budget.wants_report() && self.path.root().is_some() {
            let ProofNumbers { phi, delta } = self.root_numbers();
            budget.report(phi, delta, self.memory.table.hashfull());
        }
    }

    /// Whether a position below the last one is in no table, or as good as new.
    pub(crate) fn is_new_below(&self, position: &G::Position) -> bool {
        let Parts { board, hand } = self.game.parts(position);
        let depth = self.path.depth_below();
        let is_new = |entry: Entry| entry.flags & INITIAL != 0 || is_given_up_below(entry, depth);
        self.memory.table.find(board, hand).is_none_or(is_new)
    }

    /// The position after the current move of the last position.
    #[inline]
    pub(crate) fn position_below(&self) -> G::Position {
        let (frame, children) = self.path.last();
        self.game.play(&frame.position, children[frame.current].mv)
    }

    /// Gives the current move up, since there is no memory for a longer path.
    pub(crate) fn give_up_current(&mut self, budget: &mut Budget) {
        budget.spend(1);
        let depth = self.path.depth_below();
        self.set_current(Assessment::open(ProofNumbers::GIVEN_UP, depth));
    }

    /// Puts the position after the current move on the path, which must not be full. The threshold
    /// is seen by the player who makes the move.
    pub(crate) fn enter_below(
        &mut self,
        position: G::Position,
        threshold: ProofNumbers,
        floor: u32,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) {
        let (frame, _) = self.path.last();
        let threshold = threshold.oriented(frame.prover_moves);
        self.enter(position, frame.path_key, threshold, floor, leaf, budget);
    }

    /// Puts a position on the path, below one with this key of the path, and looks its moves up. The threshold
    /// is seen by the prover.
    fn enter(
        &mut self,
        position: G::Position,
        above: u64,
        threshold: ProofNumbers,
        floor: u32,
        leaf: &mut impl Leaf<G>,
        budget: &mut Budget,
    ) {
        let key = self.game.key(&position);
        let path_key = path_key_below(above, key);
        let depth = self.path.depth_below();
        let prover_moves = self.game.side(&position) == self.goal.prover;
        self.look_below(&position);
        let below = std::mem::take(&mut self.below);
        self.path.enter(
            key,
            Frame {
                position,
                path_key,
                prover_moves,
                threshold: threshold.oriented(prover_moves),
                floor,
                current: 0,
                entered: self.spent,
            },
        );
        for below in &below {
            let known = self.assess(below, depth + 1, path_key, leaf).oriented(prover_moves);
            self.path.add(Child { mv: below.mv, known });
        }
        let nodes = below.len() as u64 + std::mem::take(&mut self.simulated);
        self.below = below;
        self.spent += nodes;
        if let Some(harvest) = &mut self.harvest {
            harvest.enter();
        }
        budget.count_expansion();
        budget.spend(nodes);
    }

    /// Lists the moves of a position. First all keys and then all looks into the table, which wait for memory
    /// side by side.
    fn look_below(&mut self, position: &G::Position) {
        let Self { game, memory, below, .. } = self;
        below.clear();
        game.children(position, |mv, position| {
            let (parts, key) = (game.parts(&position), game.key(&position));
            below.push(Below { mv, parts, key, position });
        });
        memory.table.touch(below.iter().map(|below| below.parts.board));
    }

    /// What is known of a position one move below the path, which would be at this depth; seen by
    /// the prover.
    fn assess(
        &mut self,
        below: &Below<G>,
        depth: u32,
        path_key: u64,
        leaf: &mut impl Leaf<G>,
    ) -> Assessment {
        let &Below { parts, key, ref position, .. } = below;
        if let Some(at) = self.path.depth_of(key) {
            return Assessment::disproved(PathDependence::Path(at));
        }
        let lookup = self.look_up(parts, key);
        if let Some(known) = lookup.ended {
            return known;
        }
        if self.ghi == Ghi::ByPath {
            let board = parts.board ^ path_key_below(path_key, key);
            if let Some(entry) = self.memory.table.find(board, parts.hand) {
                return Assessment::disproved(PathDependence::Path(entry.length.into()));
            }
        }
        if let Some(entry) = lookup.open {
            let simulates = self.ghi == Ghi::Simulation || entry.flags & INVALIDATED != 0;
            if simulates && lookup.was_disproved_once() {
                if let Some(dependence) = self.simulate(position, depth) {
                    return Assessment::disproved(dependence);
                }
            }
        }
        if let Some(entry) = lookup.open_at(depth) {
            // Met before on a shorter path: a cycle may lead back up here.
            self.raised |= entry.flags & INITIAL == 0 && u32::from(entry.length) < depth;
            return Assessment::of_entry(entry);
        }
        match self.reached(position) {
            Some(true) => Assessment::proved(0),
            Some(false) => Assessment::disproved(PathDependence::None),
            None => self.initial(below, depth, lookup.open.is_none(), leaf),
        }
    }

    /// The initial numbers of a position that a move leads to from the last one on the path, which are
    /// kept if the table has none of it.
    fn initial(
        &mut self,
        &Below { mv, parts: Parts { board, hand }, ref position, .. }: &Below<G>,
        depth: u32,
        is_new: bool,
        leaf: &mut impl Leaf<G>,
    ) -> Assessment {
        let above = &self.path.last().0.position;
        let known = match leaf.numbers_below(self.game, self.goal, above, mv, position) {
            (0, _) => Assessment::proved(1),
            (phi, delta) => Assessment::open(ProofNumbers { phi, delta }, depth),
        };
        if is_new && leaf.is_costly() {
            let ProofNumbers { phi: pn, delta: dn } = known.numbers;
            let length = if known.numbers.is_final() { known.plies } else { 0 };
            let entry = Entry { board, hand, pn, dn, length, amount: 1, flags: INITIAL };
            self.memory.table.store(entry);
        }
        known
    }

    /// Sets what is known of the current move of the last position, seen by the player who makes it.
    pub(crate) fn set_current(&mut self, known: Assessment) {
        let (frame, children) = self.path.last_mut();
        children[frame.current].known = known;
    }

    /// What is remembered of a position that would be put below the last one; seen by the prover.
    pub(crate) fn recall(&self, position: &G::Position) -> Option<Assessment> {
        let depth = self.path.depth_below();
        let lookup = self.look_up(self.game.parts(position), self.game.key(position));
        lookup.ended.or_else(|| lookup.open_at(depth).map(Assessment::of_entry))
    }

    /// Takes the last position off the path and puts what was found into the table; the position
    /// above learns it too. The numbers are seen by the player to move, what is returned by the
    /// prover.
    pub(crate) fn leave(&mut self, numbers: ProofNumbers) -> Assessment {
        let depth = self.path.depth();
        let (frame, children) = self.path.last();
        let known = frame.assessment(children, numbers, depth as u32);
        let (parts, path_key, work) =
            (self.game.parts(&frame.position), frame.path_key, self.spent - frame.entered);
        if let Some(harvest) = &mut self.harvest {
            harvest.leave(self.game.key(&frame.position), &frame.position, known.numbers);
        }
        self.path.leave();
        self.memory.note(self.ghi, parts, path_key, known, depth, work);
        if depth == 0 {
            self.root = None;
        } else {
            let by_prover = self.path.last().0.prover_moves;
            self.set_current(known.oriented(by_prover));
        }
        known
    }

    /// The move that decides the root: the shortest proof, or the disproof that depends on least.
    pub(crate) fn decisive_move(&self) -> Option<G::Move> {
        let (_, children) = self.path.root()?;
        let mut best: Option<&Child<G::Move>> = None;
        for child in children {
            if child.known.numbers.phi == 0
                && best.is_none_or(|best| child.known.decides_sooner(best.known))
            {
                best = Some(child);
            }
        }
        Some(best?.mv)
    }

    /// The moves of a position by what the table has of them, the most promising for the player
    /// to move first.
    pub(crate) fn ranked_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let prover_moves = self.game.side(position) == self.goal.prover;
        let (mut moves, mut ranks) = (Vec::new(), Vec::new());
        self.game.moves(position, &mut moves);
        for &mv in &moves {
            let child = self.game.play(position, mv);
            let lookup = self.look_up(self.game.parts(&child), self.game.key(&child));
            ranks.push(lookup.rank(prover_moves));
        }
        let mut ranked = Vec::with_capacity(moves.len());
        for index in in_rising_order(&ranks) {
            ranked.push(moves[index]);
        }
        ranked
    }

    /// Reads what lies where positions are remembered, so that memory has it at hand.
    pub(crate) fn bring(&self, positions: &[G::Position]) {
        let mut boards = Vec::with_capacity(positions.len());
        for position in positions {
            boards.push(self.game.parts(position).board);
        }
        self.memory.table.touch(boards.into_iter());
    }

    /// What is remembered of a position in which the game is not over.
    pub(crate) fn knowledge(&self, position: &G::Position) -> Knowledge {
        let lookup = self.look_up(self.game.parts(position), self.game.key(position));
        match lookup.ended {
            Some(Assessment { numbers: ProofNumbers::SUCCESS, plies, .. }) => {
                Knowledge::Proved { plies: plies.into() }
            }
            Some(Assessment { dependence: PathDependence::None, .. }) => Knowledge::Disproved,
            Some(_) => Knowledge::DisprovedOnce,
            None if lookup.was_disproved_once() => Knowledge::DisprovedOnce,
            None => Knowledge::Unknown,
        }
    }

    /// Forgets everything, the search that is at work too.
    pub(crate) fn forget(&mut self) {
        self.path.clear();
        self.root = None;
        self.memory.forget();
    }

    pub(crate) fn set_final(&mut self, position: &G::Position, value: FinalValue) {
        self.memory.set_final(self.game.key(position), value);
    }

    /// Has a disproof of a position simulated from now on wherever the position comes up.
    pub(crate) fn invalidate_for_good(&mut self, position: &G::Position) {
        let Parts { board, hand } = self.game.parts(position);
        let entry = self.memory.table.find(board, hand).unwrap_or(Entry {
            board,
            hand,
            ..Entry::default()
        });
        if entry.pn == 0 {
            return;
        }
        let (pn, dn) = if entry.is_final() { (1, 1) } else { (entry.pn, entry.dn) };
        // As much as if it had taken much work, since it must not be lost soon.
        let amount = entry.amount.max(Entry::amount_of(1 << 20));
        let flags = PROVISIONAL | INVALIDATED;
        self.memory.table.store(Entry { pn, dn, flags, amount, ..entry });
    }

    /// Forgets a provisional disproof of a position, until it is found again.
    pub(crate) fn invalidate_once(&mut self, position: &G::Position) {
        let Parts { board, hand } = self.game.parts(position);
        let table = &mut self.memory.table;
        if table.find(board, hand).is_some_and(|entry| entry.flags & PROVISIONAL != 0) {
            table.remove(board, hand);
        }
    }
}
