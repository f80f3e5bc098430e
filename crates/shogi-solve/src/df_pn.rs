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

use rustc_hash::FxHashMap;
use shogi_rules::shogi_core::Colour;

use crate::budget::Budget;
use crate::game::{Game, Goal, Parts};
use crate::ghi::{Ghi, Lean};
use crate::leaf::Leaf;
use crate::search::{Finding, Knowledge, Search, Settled};
use crate::table::{Entry, Table};

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
    table: Table,
    /// Positions whose value is settled outside the table, by key.
    settled: FxHashMap<u64, Settled>,
    /// The depth of each position on the way from the root.
    path: FxHashMap<u64, u32>,
    /// Frames in use are those of the path; the others keep their memory for later.
    frames: Vec<Frame<G>>,
    /// The moves of one position, while they are looked at.
    moves: Vec<G::Move>,
    /// Steps of simulations that the budget has not been told of.
    simulated: u64,
    /// Whether thresholds are raised until a leaf has been expanded.
    raised: bool,
}

/// A position on the way from the root.
struct Frame<G: Game> {
    position: G::Position,
    parts: Parts,
    key: u64,
    /// Names the way from the root to here.
    way: u64,
    prover_moves: bool,
    children: Vec<Child<G::Move>>,
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
}

impl<'g, G: Game, L: Leaf<G>> DfPn<'g, G, L> {
    /// A search with a table of so many bytes.
    pub fn new(game: &'g G, goal: Goal, leaf: L, ghi: Ghi, tuning: Tuning, bytes: usize) -> Self {
        Self {
            game,
            goal,
            leaf,
            ghi,
            tuning,
            table: Table::with_bytes(bytes),
            settled: FxHashMap::default(),
            path: FxHashMap::default(),
            frames: Vec::new(),
            moves: Vec::new(),
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
        self.table.fill()
    }

    /// All that is remembered: the table, and what was settled.
    pub(crate) const fn memory(&self) -> (&Table, &FxHashMap<u64, Settled>) {
        (&self.table, &self.settled)
    }

    /// The same, to be filled.
    pub(crate) const fn memory_mut(&mut self) -> (&mut Table, &mut FxHashMap<u64, Settled>) {
        (&mut self.table, &mut self.settled)
    }

    /// Puts a position on the path and looks at its moves.
    fn enter(
        &mut self,
        depth: usize,
        position: G::Position,
        key: u64,
        threshold: Numbers,
        budget: &mut Budget,
    ) {
        let parts = self.game.parts(&position);
        let way = match depth.checked_sub(1) {
            Some(above) => way_below(self.frames[above].way, key),
            None => way_below(0, key),
        };
        if self.table.find(parts.board, parts.hand).is_none_or(|entry| entry.flags & LEAF != 0) {
            self.raised = false;
        }
        self.path.insert(key, depth as u32);
        let mut children = match self.frames.get_mut(depth) {
            Some(frame) => std::mem::take(&mut frame.children),
            None => Vec::new(),
        };
        children.clear();
        self.moves.clear();
        self.game.moves(&position, &mut self.moves);
        for index in 0..self.moves.len() {
            let made = self.moves[index];
            let child = self.game.play(&position, made);
            children.push(self.assess(made, &child, depth as u32 + 1, way));
        }
        let entered = budget.spent();
        budget.spend(children.len() as u64 + std::mem::take(&mut self.simulated));
        let prover_moves = self.game.side(&position) == self.goal.prover;
        let frame = Frame {
            position,
            parts,
            key,
            way,
            prover_moves,
            children,
            threshold,
            current: 0,
            entered,
        };
        if depth < self.frames.len() {
            self.frames[depth] = frame;
        } else {
            self.frames.push(frame);
        }
    }

    /// What is known of a position one move below the path, which would be at this depth.
    fn assess(
        &mut self,
        made: G::Move,
        position: &G::Position,
        depth: u32,
        way: u64,
    ) -> Child<G::Move> {
        let key = self.game.key(position);
        let parts = self.game.parts(position);
        let child = |numbers, lean, plies| Child { made, numbers, lean, plies, key };
        if let Some(&at) = self.path.get(&key) {
            return child(Numbers::DISPROVED, Lean::Path(at), 0);
        }
        let record = self.record(parts, key);
        if let Some(found) = record.ended {
            return child(found.numbers, found.lean, found.plies);
        }
        if self.ghi == Ghi::ByPath {
            let apart = self.table.find(parts.board ^ way_below(way, key), parts.hand);
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
            // Met before on a shorter way: a cycle may lead back up here.
            if entry.flags & LEAF == 0 && u32::from(entry.length) < depth {
                self.raised = true;
            }
            let numbers = Numbers { proof: entry.pn, disproof: entry.dn };
            return child(numbers, Lean::Nothing, 0);
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
                if L::COSTLY {
                    let Parts { board, hand } = parts;
                    let Numbers { proof: pn, disproof: dn } = numbers;
                    let entry =
                        Entry { board, hand, pn, dn, length: plies, amount: 1, flags: LEAF };
                    self.table.store(entry);
                }
                child(numbers, Lean::Nothing, plies)
            }
        }
    }

    /// What the table and the settled positions tell about a position.
    fn record(&self, parts: Parts, key: u64) -> Record {
        let ended = |numbers, lean, plies| Some(Ended { numbers, lean, plies });
        let mut record = Record { ended: None, exact: None };
        for entry in self.table.entries(parts.board) {
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
        // Mostly nothing is settled, and then nothing is looked up.
        if !certain && !self.settled.is_empty() {
            match self.settled.get(&key) {
                Some(&Settled::Proved { plies }) => {
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
        self.path.insert(key, depth);
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
        self.path.remove(&key);
        lean.map(|lean| lean.seen_from(depth))
    }

    fn simulate_child(
        &mut self,
        position: &G::Position,
        depth: u32,
        steps: &mut u32,
    ) -> Option<Lean> {
        let key = self.game.key(position);
        if let Some(&at) = self.path.get(&key) {
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
    fn leave(&mut self, depth: usize, numbers: Numbers, budget: &Budget) -> Ended {
        let frame = &self.frames[depth];
        self.path.remove(&frame.key);
        let found = frame.finding(numbers, depth as u32);
        let Frame { parts: Parts { board, hand }, way, .. } = *frame;
        let work = budget.spent() - frame.entered;
        let before = self.table.find(board, hand).filter(|before| before.flags & LEAF == 0);
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
                entry.length = entry.length.min(before.length);
                entry.flags = before.flags;
            }
        } else if found.lean != Lean::Nothing {
            let distrusted = before.is_some_and(|before| before.flags & DISTRUSTED != 0);
            if let (Ghi::ByPath, Lean::Path(at)) = (self.ghi, found.lean) {
                let (board, length) = (board ^ way, at.min(u16::MAX.into()) as u16);
                self.table.store(Entry { board, length, ..entry });
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
        self.table.store(entry);
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
            self.frames.clear();
            return if proved { Finding::Proved { plies: 0 } } else { Finding::Disproved };
        }
        self.raised = false;
        let mut depth = 0;
        self.enter(depth, root.clone(), self.game.key(root), Numbers::UNLIMITED, budget);
        loop {
            let frame = &self.frames[depth];
            let totals = frame.totals(self.tuning);
            if budget.wants_report() {
                let root = self.frames[0].totals(self.tuning).numbers;
                budget.tell(root.proof, root.disproof, self.table.fill());
            }
            let mut threshold = frame.threshold;
            if self.raised {
                threshold.proof = threshold.proof.max(totals.numbers.proof + 1);
                threshold.disproof = threshold.disproof.max(totals.numbers.disproof + 1);
            }
            let finished = totals.numbers.is_final() || totals.numbers.reach(threshold);
            if finished || budget.is_over() {
                let left = self.leave(depth, totals.numbers, budget);
                if depth == 0 {
                    return match totals.numbers {
                        Numbers::PROVED => Finding::Proved { plies: left.plies },
                        Numbers::DISPROVED => Finding::Disproved,
                        Numbers { proof, disproof } => Finding::Unknown { proof, disproof },
                    };
                }
                depth -= 1;
                let parent = &mut self.frames[depth];
                let child = &mut parent.children[parent.current];
                (child.numbers, child.lean, child.plies) = (left.numbers, left.lean, left.plies);
            } else {
                let threshold = frame.child_threshold(threshold, &totals, self.tuning);
                let (made, key) =
                    (frame.children[totals.best].made, frame.children[totals.best].key);
                let position = self.game.play(&frame.position, made);
                self.frames[depth].current = totals.best;
                depth += 1;
                self.enter(depth, position, key, threshold, budget);
            }
        }
    }

    fn decisive_move(&self) -> Option<G::Move> {
        let frame = self.frames.first()?;
        let wanted = if frame.prover_moves { Numbers::PROVED } else { Numbers::DISPROVED };
        let decides = |child: &&Child<G::Move>| child.numbers == wanted;
        // The shortest proof, or the disproof that leans on least.
        let best = frame.children.iter().filter(decides).min_by_key(|c| (c.plies, Reverse(c.lean)));
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
        self.settled.insert(self.game.key(position), settled);
    }

    fn distrust(&mut self, position: &G::Position) {
        let Parts { board, hand } = self.game.parts(position);
        let flags = PROVISIONAL | DISTRUSTED;
        let entry =
            self.table.find(board, hand).unwrap_or(Entry { board, hand, ..Entry::default() });
        if entry.pn == 0 {
            return;
        }
        let (pn, dn) = if entry.is_final() { (1, 1) } else { (entry.pn, entry.dn) };
        // It had better be remembered.
        let amount = entry.amount.max(Entry::amount_of(1 << 20));
        self.table.store(Entry { pn, dn, flags, amount, ..entry });
    }

    fn forget(&mut self) {
        self.table.clear();
        self.settled.clear();
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

impl<G: Game> Frame<G> {
    fn totals(&self, tuning: Tuning) -> Totals {
        let combine = if self.prover_moves { tuning.disproof } else { tuning.proof };
        let (mut best, mut first, mut second) = (0, INFINITE, INFINITE);
        let (mut sum, mut largest, mut count, mut of_best) = (0_u64, 0, 0_u64, 0);
        for (index, child) in self.children.iter().enumerate() {
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
    fn child_threshold(&self, threshold: Numbers, totals: &Totals, tuning: Tuning) -> Numbers {
        let (chosen_by, summed) = threshold.seen_by(self.prover_moves);
        let second = u64::from(totals.second);
        let leave = second + 1 + second * u64::from(tuning.epsilon) / 16;
        let chosen_by = u64::from(chosen_by).min(leave) as u32;
        let (_, own) = self.children[totals.best].numbers.seen_by(self.prover_moves);
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
    fn finding(&self, numbers: Numbers, depth: u32) -> Ended {
        let with = |wanted: Numbers| self.children.iter().filter(move |c| c.numbers == wanted);
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
