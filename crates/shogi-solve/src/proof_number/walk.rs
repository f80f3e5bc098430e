//! The part of a walk through a graph that is independent of the game.

use crate::game::{Goal, Parts};
use crate::ghi::Ghi;
use crate::memory::Memory;
use crate::path::Path;
use crate::proof_number::lookup::{INITIAL, INVALIDATED, PROVISIONAL, is_given_up_below};
use crate::proof_number::{Assessment, Frame, ProofNumbers, Sums};
use crate::search::Finding;
use crate::table::Entry;
use shogi_mate::Budget;

/// The table and the path of a search for one goal.
pub(crate) struct Walk {
    pub(crate) goal: Goal,
    pub(super) ghi: Ghi,
    sums: Box<dyn Sums>,
    pub(crate) memory: Memory,
    /// The assessments of moves are as seen by the player who makes them.
    pub(crate) path: Path<Frame, Assessment>,
    /// The key of the root of a search that has begun and not been left.
    root: Option<u64>,
    /// Nodes spent in all searches.
    pub(super) spent: u64,
    /// Steps of simulations not yet charged to the budget.
    pub(super) simulated: u64,
    /// Whether thresholds are raised until a new position has been entered: the threshold
    /// controlling algorithm of Kishimoto, "Dealing with Infinite Loops, Underestimation, and
    /// Overestimation of Depth-First Proof-Number Search" (2010).
    pub(crate) raised: bool,
}

/// The next step of a search.
pub(crate) enum Turn {
    /// Leave the last position of the path with these numbers, as seen by the player to move.
    Leave(ProofNumbers),
    /// Stop, since the budget is spent.
    Stop,
    /// Enter the position after the current move with this threshold, as seen by the player who makes it.
    Enter(ProofNumbers),
}

/// The key of the path to a position, from the key of the path to the one above it.
pub(super) const fn path_key_below(path_key: u64, key: u64) -> u64 {
    (path_key.rotate_left(7) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Walk {
    /// An empty walk, with positions and moves of these types kept beside its path. Panics if the system
    /// refuses the memory.
    pub(super) fn new<P, M>(goal: Goal, ghi: Ghi, sums: Box<dyn Sums>, bytes: usize) -> Self {
        let memory = Memory::with_bytes(bytes);
        let path = Path::within::<P, M>(memory.path_bytes());
        Self { goal, ghi, sums, memory, path, root: None, spent: 0, simulated: 0, raised: false }
    }

    /// Bytes in use, by the table and everything else.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.bytes() + self.path.bytes()
    }

    /// Whether the root of a search is on the path: the search has begun and not been left.
    pub(crate) const fn is_at_work(&self) -> bool {
        self.root.is_some()
    }

    /// Whether that search is of the position with this key.
    pub(super) fn is_at_work_on(&self, root: u64) -> bool {
        self.root == Some(root)
    }

    /// Number of moves of all positions on the path of a search that has not been left.
    pub(crate) fn moves_on_path(&self) -> usize {
        if self.is_at_work() { self.path.moves() } else { 0 }
    }

    /// Begins a search of the position with this key and clears the path.
    pub(super) fn begin(&mut self, root: u64) {
        self.path.clear();
        self.raised = false;
        self.root = Some(root);
    }

    /// Ends a search and clears the path.
    pub(crate) fn end(&mut self) {
        self.path.clear();
        self.root = None;
    }

    /// Puts a position on the path, below one with this path key, without moves. The threshold is as seen by
    /// the prover.
    #[inline]
    pub(super) fn enter(
        &mut self,
        key: u64,
        above: u64,
        prover_moves: bool,
        threshold: ProofNumbers,
        floor: u32,
    ) {
        self.path.enter(
            key,
            Frame {
                path_key: path_key_below(above, key),
                prover_moves,
                threshold: threshold.oriented(prover_moves),
                floor,
                current: 0,
                entered: self.spent,
            },
        );
    }

    /// Counts a position put on the path with this many moves.
    #[inline]
    pub(super) fn count(&mut self, moves: u64, budget: &mut Budget<'_>) {
        let nodes = moves + std::mem::take(&mut self.simulated);
        self.spent += nodes;
        budget.count_expansion();
        budget.spend(nodes);
    }

    /// The combined numbers of the last position's moves, as seen by the player to move.
    pub(super) fn last_numbers(&self) -> ProofNumbers {
        let (frame, children) = self.path.last();
        self.sums.numbers(frame, children)
    }

    /// The root's numbers, as seen by the prover; those of a leaf without a search.
    fn root_numbers(&self) -> ProofNumbers {
        let Some((root, children)) = self.path.root() else { return ProofNumbers::UNIT };
        self.sums.numbers(root, children).oriented(root.prover_moves)
    }

    /// The finding if the budget ends before the search: the root's numbers.
    pub(crate) fn unknown(&self) -> Finding {
        let ProofNumbers { phi, delta } = self.root_numbers();
        Finding::Unknown { proof: phi, disproof: delta }
    }

    /// Reports the root's numbers if a report is due.
    #[inline]
    pub(crate) fn report(&self, budget: &mut Budget<'_>) {
        if budget.wants_report() {
            self.report_now(budget);
        }
    }

    #[cold]
    fn report_now(&self, budget: &mut Budget<'_>) {
        if self.path.root().is_some() {
            let ProofNumbers { phi, delta } = self.root_numbers();
            budget.report(phi, delta, self.memory.table.hashfull());
        }
    }

    /// Whether a position below the last one is not in the table or counts as new.
    #[inline]
    pub(crate) fn is_new_below(&self, Parts { board, hand }: Parts) -> bool {
        let depth = self.path.depth_below();
        let is_new = |entry: Entry| entry.flags & INITIAL != 0 || is_given_up_below(entry, depth);
        self.memory.table.find(board, hand).is_none_or(is_new)
    }

    /// Gives up the current move, since there is no memory for a longer path.
    pub(crate) fn give_up_current(&mut self, budget: &mut Budget<'_>) {
        budget.spend(1);
        let depth = self.path.depth_below();
        self.set_current(Assessment::open(ProofNumbers::GIVEN_UP, depth));
    }

    /// Sets the assessment of the current move of the last position, as seen by the player who makes it.
    pub(crate) fn set_current(&mut self, known: Assessment) {
        let (frame, children) = self.path.last_mut();
        children[frame.current] = known;
    }

    /// Removes the last position, which has these parts, from the path and stores its finding in the table and
    /// in the position above. The numbers are as the player to move sees them, the result as the prover does.
    pub(super) fn leave(&mut self, parts: Parts, numbers: ProofNumbers) -> Assessment {
        let depth = self.path.depth();
        let (frame, children) = self.path.last();
        let known = frame.assessment(children, numbers, depth as u32);
        let (path_key, work) = (frame.path_key, self.spent - frame.entered);
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

    /// The index of the move that decides the root: the shortest proof, or the disproof that depends on least.
    pub(super) fn decisive_move(&self) -> Option<usize> {
        let (_, children) = self.path.root()?;
        let mut best: Option<(usize, Assessment)> = None;
        for (index, &known) in children.iter().enumerate() {
            if known.numbers.phi == 0 && best.is_none_or(|(_, best)| known.decides_sooner(best)) {
                best = Some((index, known));
            }
        }
        Some(best?.0)
    }

    /// Marks a disproof of a position to be simulated wherever the position occurs.
    pub(crate) fn invalidate_for_good(&mut self, Parts { board, hand }: Parts) {
        let entry = self.memory.table.find(board, hand).unwrap_or(Entry {
            board,
            hand,
            ..Entry::default()
        });
        if entry.pn == 0 {
            return;
        }
        let (pn, dn) = if entry.is_final() { (1, 1) } else { (entry.pn, entry.dn) };
        // Counted like much work, so that it is not lost soon.
        let amount = entry.amount.max(Entry::amount_of(1 << 20));
        let flags = PROVISIONAL | INVALIDATED;
        self.memory.table.store(Entry { pn, dn, flags, amount, ..entry });
    }

    /// Drops a provisional disproof of a position, until it is found again.
    pub(crate) fn invalidate_once(&mut self, Parts { board, hand }: Parts) {
        let table = &mut self.memory.table;
        if table.find(board, hand).is_some_and(|entry| entry.flags & PROVISIONAL != 0) {
            table.remove(board, hand);
        }
    }
}
