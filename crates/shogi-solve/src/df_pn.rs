//! Df-pn: depth-first proof-number search within bounded memory.
//!
//! Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002), with 1 + epsilon
//! thresholds (Pawlewicz & Lew, "Improving Depth-First PN-Search: 1+epsilon Trick", 2006) and the
//! threshold controlling algorithm for graphs with cycles (Kishimoto, "Dealing with Infinite Loops,
//! Underestimation, and Overestimation of Depth-First Proof-Number Search", 2010).
//!
//! A *proof* never leans on a repetition, since a repetition fails the prover; so it holds however
//! the position came about, and the table may give it to anybody who asks. A *disproof* may: see
//! [`Ghi`] and docs/ghi.md.

use std::cmp::Reverse;

use shogi_rules::shogi_core::Colour;

use crate::budget::Budget;
use crate::game::{Game, Goal, Parts};
use crate::ghi::{Ghi, Lean};
use crate::leaf::Leaf;
use crate::memory::Memory;
use crate::path::Path;
use crate::search::{Finding, Knowledge, Search, Settled};
use crate::table::Entry;

/// The number of what cannot be proved or disproved any more.
pub const INFINITE: u32 = Entry::INFINITE;

/// How the disproof numbers of a prover's moves, or the proof numbers of his opponent's, make one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Their sum, as in the original algorithm. In a graph the same work is counted many times.
    Sum,
    /// The largest, one for each other unsolved move, and this many sixteenths of the rest of the
    /// sum (after Ueda, Hashimoto, Hashimoto & Iida, "Weak Proof-Number Search", 2008).
    Weak {
        /// Sixteenths, 0 to 16.
        sixteenths: u32,
    },
}

/// What shapes a search, but not its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// How the proof numbers of the opponent's moves make one.
    pub proof: Combine,
    /// How the disproof numbers of the prover's moves make one.
    pub disproof: Combine,
    /// A move is left when its number is above the second best one's by one and this many
    /// sixteenths of it.
    pub epsilon: u32,
}

impl Tuning {
    /// Weak sums, and a quarter for epsilon.
    pub const DEFAULT: Self = Self {
        proof: Combine::Weak { sixteenths: 1 },
        disproof: Combine::Weak { sixteenths: 1 },
        epsilon: 4,
    };

    /// What suits leaves whose numbers tell an effort: the disproof number does not sum up.
    pub const LEARNT: Self = Self { disproof: Combine::Weak { sixteenths: 0 }, ..Self::DEFAULT };
}

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A search for one goal. It keeps its table, so that it can go on after a budget was spent, and be
/// asked about other positions of the same game.
pub struct DfPn<'g, G: Game, L> {
    game: &'g G,
    goal: Goal,
    leaf: L,
    ghi: Ghi,
    tuning: Tuning,
    memory: Memory,
    path: Path<Frame<G::Position>, Child<G::Move>>,
    /// The moves of one position, while they are looked at, and what they lead to.
    moves: Vec<G::Move>,
    below: Vec<Below<G>>,
    /// Steps of simulations that the budget has not been told of.
    simulated: u64,
    /// Whether thresholds are raised until a leaf has been expanded.
    raised: bool,
}

/// A position on the way from the root.
struct Frame<P> {
    position: P,
    parts: Parts,
    /// Names the way from the root to here.
    way: u64,
    prover_moves: bool,
    threshold: Numbers,
    /// The move that is being searched.
    current: usize,
    /// Nodes spent when the frame was entered.
    entered: u64,
}

/// A move of a frame, with what is known of the position it leads to.
struct Child<M> {
    made: M,
    numbers: Numbers,
    lean: Lean,
    /// Plies of the proof, if it is proved.
    plies: u16,
    key: u64,
}

/// A move, and the position it leads to.
struct Below<G: Game> {
    made: G::Move,
    parts: Parts,
    key: u64,
    position: G::Position,
}

/// Whether an entry is of a position that was given up, but on a longer way than one of this depth:
/// there it may be tried again, and is as good as new.
fn is_given_up_below(entry: Entry, depth: u32) -> bool {
    let numbers = Numbers { proof: entry.pn, disproof: entry.dn };
    numbers.is_partly_given_up() && u32::from(entry.length) > depth
}

/// Names the way to a position by the way to the one above it.
const fn way_below(way: u64, key: u64) -> u64 {
    (way.rotate_left(7) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The flag of an entry whose disproof leaned on the way to it.
const PROVISIONAL: u8 = 1;
/// The flag of an entry whose position has a disproof that somebody believed wrongly: it is looked
/// at anew wherever the position comes up, as in [`Ghi::Simulation`].
const DISTRUSTED: u8 = 2;
/// The flag of an entry whose numbers are a leaf's, no search having been there.
const LEAF: u8 = 4;
/// Most positions that one simulation looks at.
const SIMULATION_STEPS: u32 = 100;

/// Proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Numbers {
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };
    const UNLIMITED: Self = Self { proof: INFINITE, disproof: INFINITE };
    /// Of a position that is given up: as large as those of an open one can be.
    const GIVEN_UP: Self = Self { proof: INFINITE - 1, disproof: INFINITE - 1 };

    /// The number by which the player to move chooses, and the one that his moves sum up.
    const fn seen_by(self, prover: bool) -> (u32, u32) {
        if prover { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    const fn is_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    const fn reach(self, threshold: Self) -> bool {
        self.proof >= threshold.proof || self.disproof >= threshold.disproof
    }

    /// Whether one of the players has nowhere to go on to.
    const fn is_partly_given_up(self) -> bool {
        !self.is_final() && (self.proof == INFINITE - 1 || self.disproof == INFINITE - 1)
    }
}

impl<'g, G: Game, L: Leaf<G>> DfPn<'g, G, L> {
    /// A search that takes so many bytes for its table and all else, or half a megabyte more than a
    /// very small number.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new(game: &'g G, goal: Goal, leaf: L, ghi: Ghi, tuning: Tuning, bytes: usize) -> Self {
        let memory = Memory::with_bytes(bytes);
        Self {
            game,
            goal,
            leaf,
            ghi,
            tuning,
            path: Path::within(memory.path_bytes()),
            memory,
            moves: Vec::new(),
            below: Vec::new(),
            simulated: 0,
            raised: false,
        }
    }

    /// The moves of a position by what the table tells of them, the most promising for the player
    /// to move first.
    pub fn ranked_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let prover_moves = self.game.side(position) == self.goal.prover;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let numbers = |made: &G::Move| {
            let child = self.game.play(position, *made);
            let record = self.record(self.game.parts(&child), self.game.key(&child));
            let open = |entry: Entry| Numbers { proof: entry.pn, disproof: entry.dn };
            let known = record.ended.map(|found| found.numbers).or(record.exact.map(open));
            // What the search never came to is behind what it did.
            known.map_or((INFINITE - 1, 0), |numbers| numbers.seen_by(prover_moves))
        };
        moves.sort_by_cached_key(numbers);
        moves
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

    /// Puts the current move's position on the path, or gives the move up if the path is full.
    fn descend(&mut self, threshold: Numbers, budget: &mut Budget) {
        let full = self.path.is_full();
        let (frame, children) = self.path.last_mut();
        let child = &mut children[frame.current];
        if full {
            child.numbers = Numbers::GIVEN_UP;
            return;
        }
        let position = self.game.play(&frame.position, child.made);
        let (key, way) = (child.key, way_below(frame.way, child.key));
        self.enter(position, key, way, threshold, budget);
    }

    /// Puts a position on the path and looks at its moves.
    fn enter(
        &mut self,
        position: G::Position,
        key: u64,
        way: u64,
        threshold: Numbers,
        budget: &mut Budget,
    ) {
        let parts = self.game.parts(&position);
        let depth = self.path.depth_below();
        let known = self.memory.table.find(parts.board, parts.hand);
        if known.is_none_or(|entry| entry.flags & LEAF != 0 || is_given_up_below(entry, depth)) {
            self.raised = false;
        }
        self.moves.clear();
        self.game.moves(&position, &mut self.moves);
        let prover_moves = self.game.side(&position) == self.goal.prover;
        let entered = budget.spent();
        // First all keys and then all looks into the table, which wait for memory side by side.
        let mut below = std::mem::take(&mut self.below);
        below.clear();
        below.extend(self.moves.iter().map(|&made| {
            let position = self.game.play(&position, made);
            let (parts, key) = (self.game.parts(&position), self.game.key(&position));
            Below { made, parts, key, position }
        }));
        let frame = Frame { position, parts, way, prover_moves, threshold, current: 0, entered };
        self.path.enter(key, frame);
        for below in &below {
            let child = self.assess(below, depth + 1, way);
            self.path.add(child);
        }
        self.below = below;
        budget.spend(self.moves.len() as u64 + std::mem::take(&mut self.simulated));
    }

    /// What is known of a position one move below the path, which would be at this depth.
    fn assess(&mut self, below: &Below<G>, depth: u32, way: u64) -> Child<G::Move> {
        let &Below { made, parts, key, ref position } = below;
        let child = |numbers, lean, plies| Child { made, numbers, lean, plies, key };
        if let Some(at) = self.path.depth_of(key) {
            return child(Numbers::DISPROVED, Lean::Path(at), 0);
        }
        let record = self.record(parts, key);
        if let Some(found) = record.ended {
            return child(found.numbers, found.lean, found.plies);
        }
        if self.ghi == Ghi::ByPath {
            let apart = self.memory.table.find(parts.board ^ way_below(way, key), parts.hand);
            if let Some(entry) = apart {
                return child(Numbers::DISPROVED, Lean::Path(entry.length.into()), 0);
            }
        }
        if let Some(entry) = record.exact {
            let simulates = self.ghi == Ghi::Simulation || entry.flags & DISTRUSTED != 0;
            if simulates && entry.flags & PROVISIONAL != 0 {
                let mut steps = SIMULATION_STEPS;
                let lean = self.simulate(position, depth, &mut steps);
                self.simulated += u64::from(SIMULATION_STEPS - steps);
                if let Some(lean) = lean {
                    return child(Numbers::DISPROVED, lean, 0);
                }
            }
            if !is_given_up_below(entry, depth) {
                // Met before on a shorter way: a cycle may lead back up here.
                if entry.flags & LEAF == 0 && u32::from(entry.length) < depth {
                    self.raised = true;
                }
                let numbers = Numbers { proof: entry.pn, disproof: entry.dn };
                return child(numbers, Lean::Nothing, 0);
            }
        }
        let reached = |verdict| self.goal.is_reached(verdict, self.game.side(position));
        match self.game.verdict(position) {
            Some(verdict) if reached(verdict) => child(Numbers::PROVED, Lean::Nothing, 0),
            Some(_) => child(Numbers::DISPROVED, Lean::Nothing, 0),
            None => {
                let (numbers, plies) = match self.leaf.numbers(self.game, self.goal, position) {
                    (0, _) => (Numbers::PROVED, 1),
                    (proof, disproof) => (Numbers { proof, disproof }, 0),
                };
                if L::COSTLY && record.exact.is_none() {
                    let Parts { board, hand } = parts;
                    let Numbers { proof: pn, disproof: dn } = numbers;
                    let entry =
                        Entry { board, hand, pn, dn, length: plies, amount: 1, flags: LEAF };
                    self.memory.table.store(entry);
                }
                child(numbers, Lean::Nothing, plies)
            }
        }
    }

    /// What the table and the settled positions tell about a position.
    fn record(&self, parts: Parts, key: u64) -> Record {
        let ended = |numbers, lean, plies| Some(Ended { numbers, lean, plies });
        let mut record = Record { ended: None, exact: None };
        for entry in self.memory.table.entries(parts.board) {
            // For the prover, as the hands are Sente's.
            let (better, worse) = match self.goal.prover {
                Colour::Sente => (parts.hand, entry.hand),
                Colour::Gote => (entry.hand, parts.hand),
            };
            if entry.pn == 0 && self.game.dominates(better, worse) {
                // The shortest proof is kept: plies fall along the moves of a proof only if each
                // position uses the least it knows of the next.
                let shorter =
                    |found: Ended| found.lean != Lean::Nothing || found.plies > entry.length;
                if record.ended.is_none_or(shorter) {
                    record.ended = ended(Numbers::PROVED, Lean::Nothing, entry.length);
                }
            } else if entry.dn == 0 && self.game.dominates(worse, better) {
                let doubtful = entry.flags & PROVISIONAL != 0;
                let lean = if doubtful { Lean::Table } else { Lean::Nothing };
                // What is believed of a position is believed of no other, so that distrust of the
                // position ends it.
                let holds = !doubtful || entry.hand == parts.hand;
                if holds && record.ended.is_none_or(|found| found.lean < lean) {
                    record.ended = ended(Numbers::DISPROVED, lean, 0);
                }
            } else if entry.hand == parts.hand && !entry.is_final() {
                record.exact = Some(entry);
            }
        }
        let certain = record.ended.is_some_and(|found| found.lean == Lean::Nothing);
        if !certain {
            match self.memory.settled(key) {
                Some(Settled::Proved { plies }) => {
                    record.ended = ended(Numbers::PROVED, Lean::Nothing, plies);
                }
                Some(Settled::Disproved) => {
                    record.ended = ended(Numbers::DISPROVED, Lean::Nothing, 0);
                }
                None => {}
            }
        }
        record
    }

    /// Whether a disproof found on another way holds on this one too: the position is lost for the
    /// prover by disproofs that lean on nothing, by repetitions of what is on the path now, and by
    /// disproofs that were found once and are looked at in the same way.
    fn simulate(&mut self, position: &G::Position, depth: u32, steps: &mut u32) -> Option<Lean> {
        let key = self.game.key(position);
        self.path.mark(key, depth);
        let prover_moves = self.game.side(position) == self.goal.prover;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut lean = if prover_moves { Some(Lean::Nothing) } else { None };
        for made in moves {
            let child = self.game.play(position, made);
            let found = self.simulate_child(&child, depth + 1, steps);
            lean = if prover_moves { lean.min(found) } else { lean.max(found) };
            if lean == if prover_moves { None } else { Some(Lean::Nothing) } {
                break;
            }
        }
        self.path.unmark(key);
        lean.map(|lean| lean.seen_from(depth))
    }

    fn simulate_child(
        &mut self,
        position: &G::Position,
        depth: u32,
        steps: &mut u32,
    ) -> Option<Lean> {
        let key = self.game.key(position);
        if let Some(at) = self.path.depth_of(key) {
            return Some(Lean::Path(at));
        }
        let record = self.record(self.game.parts(position), key);
        if let Some(found) = record.ended {
            return (found.numbers == Numbers::DISPROVED).then_some(found.lean);
        }
        if let Some(verdict) = self.game.verdict(position) {
            let reached = self.goal.is_reached(verdict, self.game.side(position));
            return (!reached).then_some(Lean::Nothing);
        }
        *steps = steps.checked_sub(1)?;
        let disproved_once = record.exact.is_some_and(|entry| entry.flags & PROVISIONAL != 0);
        if disproved_once { self.simulate(position, depth, steps) } else { None }
    }

    /// Takes the last position off the path and puts what was found into the table.
    fn leave(&mut self, numbers: Numbers, budget: &Budget) -> Ended {
        let depth = self.path.depth();
        let (frame, children) = self.path.last();
        let found = frame.finding(children, numbers, depth as u32);
        let Frame { parts: Parts { board, hand }, way, .. } = *frame;
        let work = budget.spent() - frame.entered;
        self.path.leave();
        let before = self.memory.table.find(board, hand).filter(|before| before.flags & LEAF == 0);
        let mut entry = Entry {
            board,
            hand,
            pn: numbers.proof,
            dn: numbers.disproof,
            length: found.plies,
            amount: Entry::amount_of(work),
            flags: 0,
        };
        if let Some(before) = before {
            entry.amount = entry.amount.max(before.amount);
        }
        if !numbers.is_final() {
            entry.length = depth.min(usize::from(u16::MAX)) as u16;
            if let Some(before) = before.filter(|before| !before.is_final()) {
                // What is given up is given up at this depth, however short another way was.
                if !numbers.is_partly_given_up() {
                    entry.length = entry.length.min(before.length);
                }
                entry.flags = before.flags;
            }
        } else if found.lean != Lean::Nothing {
            let distrusted = before.is_some_and(|before| before.flags & DISTRUSTED != 0);
            if let (Ghi::ByPath, Lean::Path(at)) = (self.ghi, found.lean) {
                let (board, length) = (board ^ way, at.min(u16::MAX.into()) as u16);
                self.memory.table.store(Entry { board, length, ..entry });
            }
            if self.ghi != Ghi::Provisional || distrusted {
                // Elsewhere the numbers from before stand.
                let before = before.filter(|before| !before.is_final());
                (entry.pn, entry.dn) = before.map_or((1, 1), |before| (before.pn, before.dn));
                let depth = depth.min(usize::from(u16::MAX)) as u16;
                entry.length = before.map_or(depth, |before| depth.min(before.length));
                entry.flags = before.map_or(0, |before| before.flags);
            }
            entry.flags |= PROVISIONAL;
        }
        self.memory.table.store(entry);
        found
    }
}

impl<G: Game, L: Leaf<G>> Search<G> for DfPn<'_, G, L> {
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
        let key = self.game.key(root);
        self.enter(root.clone(), key, way_below(0, key), Numbers::UNLIMITED, budget);
        loop {
            if let (true, Some((root, children))) = (budget.wants_report(), self.path.root()) {
                let Numbers { proof, disproof } = root.totals(children, self.tuning).numbers;
                budget.tell(proof, disproof, self.memory.table.fill());
            }
            let is_root = self.path.depth() == 0;
            let (frame, children) = self.path.last_mut();
            let totals = frame.totals(children, self.tuning);
            let mut threshold = frame.threshold;
            if self.raised {
                threshold.proof = threshold.proof.max(totals.numbers.proof + 1);
                threshold.disproof = threshold.disproof.max(totals.numbers.disproof + 1);
            }
            let numbers = totals.numbers;
            let ends = numbers.is_final() || numbers == Numbers::GIVEN_UP || budget.is_over();
            if !ends && !numbers.reach(threshold) {
                frame.current = totals.best;
                let best = children[totals.best].numbers;
                let threshold = frame.child_threshold(threshold, &totals, best, self.tuning);
                self.descend(threshold, budget);
                continue;
            }
            let left = self.leave(numbers, budget);
            if is_root {
                return match numbers {
                    Numbers::PROVED => Finding::Proved { plies: left.plies },
                    Numbers::DISPROVED => Finding::Disproved,
                    Numbers { proof, disproof } => Finding::Unknown { proof, disproof },
                };
            }
            let (parent, children) = self.path.last_mut();
            let child = &mut children[parent.current];
            (child.numbers, child.lean, child.plies) = (left.numbers, left.lean, left.plies);
        }
    }

    fn decisive_move(&self) -> Option<G::Move> {
        let (frame, children) = self.path.root()?;
        let wanted = if frame.prover_moves { Numbers::PROVED } else { Numbers::DISPROVED };
        let decides = |child: &&Child<G::Move>| child.numbers == wanted;
        // The shortest proof, or the disproof that leans on least.
        let best = children.iter().filter(decides).min_by_key(|c| (c.plies, Reverse(c.lean)));
        best.map(|child| child.made)
    }

    fn knowledge(&self, position: &G::Position) -> Knowledge {
        let record = self.record(self.game.parts(position), self.game.key(position));
        let once = record.exact.is_some_and(|entry| entry.flags & PROVISIONAL != 0);
        match record.ended {
            Some(Ended { numbers: Numbers::PROVED, plies, .. }) => Knowledge::Proved { plies },
            Some(Ended { lean: Lean::Nothing, .. }) => Knowledge::Disproved,
            Some(_) => Knowledge::DisprovedOnce,
            None if once => Knowledge::DisprovedOnce,
            None => Knowledge::Unknown,
        }
    }

    fn settle(&mut self, position: &G::Position, settled: Settled) {
        self.memory.settle(self.game.key(position), settled);
    }

    fn distrust(&mut self, position: &G::Position) {
        let Parts { board, hand } = self.game.parts(position);
        let flags = PROVISIONAL | DISTRUSTED;
        let entry = self.memory.table.find(board, hand).unwrap_or(Entry {
            board,
            hand,
            ..Entry::default()
        });
        if entry.pn == 0 {
            return;
        }
        let (pn, dn) = if entry.is_final() { (1, 1) } else { (entry.pn, entry.dn) };
        // It had better be remembered.
        let amount = entry.amount.max(Entry::amount_of(1 << 20));
        self.memory.table.store(Entry { pn, dn, flags, amount, ..entry });
    }

    fn forget(&mut self) {
        self.memory.forget();
    }

    fn spare_bytes(&self) -> usize {
        self.memory.spare_bytes()
    }
}

/// What the table tells about a position.
struct Record {
    /// A proof or a disproof, of this position or of one that compares with it.
    ended: Option<Ended>,
    /// The numbers of the position itself.
    exact: Option<Entry>,
}

/// A finding of a position below the root.
#[derive(Clone, Copy)]
struct Ended {
    numbers: Numbers,
    lean: Lean,
    plies: u16,
}

/// What the moves of a frame make together.
struct Totals {
    numbers: Numbers,
    /// The move to search.
    best: usize,
    /// The least number of another move that the best one is chosen by.
    second: u32,
    /// What the other moves add to the number that is summed up, beyond the best one's own.
    others: u32,
}

impl<P> Frame<P> {
    fn totals<M>(&self, children: &[Child<M>], tuning: Tuning) -> Totals {
        let combine = if self.prover_moves { tuning.disproof } else { tuning.proof };
        let (mut best, mut first, mut second) = (0, INFINITE, INFINITE);
        let (mut sum, mut largest, mut count, mut of_best) = (0_u64, 0, 0_u64, 0);
        for (index, child) in children.iter().enumerate() {
            let (chosen_by, summed) = child.numbers.seen_by(self.prover_moves);
            if chosen_by < first || (chosen_by == first && summed < of_best) {
                (second, first) = (first, chosen_by);
                (best, of_best) = (index, summed);
            } else {
                second = second.min(chosen_by);
            }
            sum += u64::from(summed);
            largest = largest.max(summed);
            count += u64::from(summed > 0);
        }
        let (whole, others) = match combine {
            Combine::Sum => (sum, sum - u64::from(of_best)),
            Combine::Weak { sixteenths } => {
                let part = |rest: u64| rest * u64::from(sixteenths) / 16;
                let largest = u64::from(largest);
                let each = count.saturating_sub(1);
                (largest + each + part(sum - largest), each + part(sum - u64::from(of_best)))
            }
        };
        let unsolved = u64::from(INFINITE - 1);
        let (chosen_by, summed) = match (first, count) {
            (0, _) => (0, INFINITE),
            (_, 0) => (INFINITE, 0),
            _ => (first, whole.min(unsolved) as u32),
        };
        let numbers = match self.prover_moves {
            true => Numbers { proof: chosen_by, disproof: summed },
            false => Numbers { proof: summed, disproof: chosen_by },
        };
        Totals { numbers, best, second, others: others.min(unsolved) as u32 }
    }

    /// How far the best move is to be searched, if this frame is searched to `threshold`.
    fn child_threshold(
        &self,
        threshold: Numbers,
        totals: &Totals,
        best: Numbers,
        tuning: Tuning,
    ) -> Numbers {
        let (chosen_by, summed) = threshold.seen_by(self.prover_moves);
        let second = u64::from(totals.second);
        let leave = second + 1 + second * u64::from(tuning.epsilon) / 16;
        let chosen_by = u64::from(chosen_by).min(leave) as u32;
        let (_, own) = best.seen_by(self.prover_moves);
        let summed = match summed {
            INFINITE => INFINITE,
            _ => summed.saturating_sub(totals.others).max(own + 1),
        };
        match self.prover_moves {
            true => Numbers { proof: chosen_by, disproof: summed },
            false => Numbers { proof: summed, disproof: chosen_by },
        }
    }

    /// The finding that these numbers mean, with what it leans on and the plies it takes.
    fn finding<M>(&self, children: &[Child<M>], numbers: Numbers, depth: u32) -> Ended {
        let with = |wanted: Numbers| children.iter().filter(move |c| c.numbers == wanted);
        let (mut lean, mut plies) = (Lean::Nothing, 0);
        if numbers == Numbers::PROVED {
            let of_children = with(Numbers::PROVED).map(|child| child.plies);
            let plies_below = if self.prover_moves { of_children.min() } else { of_children.max() };
            plies = plies_below.unwrap_or(0).saturating_add(1);
        } else if numbers == Numbers::DISPROVED {
            let of_children = with(Numbers::DISPROVED).map(|child| child.lean);
            let leaned = if self.prover_moves { of_children.min() } else { of_children.max() };
            lean = leaned.unwrap_or(Lean::Nothing).seen_from(depth);
        }
        Ended { numbers, lean, plies }
    }
}
