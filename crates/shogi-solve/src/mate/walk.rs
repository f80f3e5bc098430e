//! The path of a mate search, as far as it is the same for all rule sets.

use rustc_hash::FxHashMap;
use shogi_core::Colour;

use super::expansion::{Child, Selection};
use super::memory::{self, Known, Place, UNLIMITED};
use crate::budget::Budget;
use crate::memory::map_bytes;
use crate::proof_number::ProofNumbers;
use crate::table::TranspositionTable;

/// No path is longer; far beyond every known mate.
const DEEPEST: usize = 20_000;
/// A move may get worse than the second best by this part of it, a quarter, before the search goes over
/// to that (Pawlewicz & Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2006).
const EPSILON: u32 = 4;

/// A position on the path.
#[derive(Debug)]
pub struct Frame {
    pub place: Place,
    pub attacking: bool,
    /// The numbers, seen by the attacker, at which the search goes back.
    threshold: ProofNumbers,
    /// Where its moves start.
    pub start: usize,
    /// The move on the path, counted from there.
    current: usize,
    /// Nodes when it was entered.
    entered: u64,
    /// The frame above with the same board.
    same_board: Option<u32>,
}

/// The path, and the table.
#[derive(Debug)]
pub struct Walk<'t> {
    pub table: &'t mut TranspositionTable,
    pub attacker: Colour,
    pub frames: Vec<Frame>,
    /// What is known of the moves of all frames, one after the other.
    pub children: Vec<Child>,
    /// The last frame with each board on the path.
    boards: FxHashMap<u64, u32>,
    /// How many new positions are to be reached before limits count again; see
    /// [`MateSearch::enter`](super::search::MateSearch).
    pub extensions: u32,
    pub expansions: u64,
    /// Whether all frames are being left.
    stop: bool,
}

/// What a search does next.
pub enum Turn {
    /// The position after a move, which has this place among all moves, is searched to this threshold, seen by
    /// the attacker.
    Enter(usize, ProofNumbers),
    /// The last position of the path is left.
    Leave(Selection),
}

impl<'t> Walk<'t> {
    pub fn new(table: &'t mut TranspositionTable, attacker: Colour) -> Self {
        Self {
            table,
            attacker,
            frames: Vec::new(),
            children: Vec::new(),
            boards: FxHashMap::default(),
            extensions: 0,
            expansions: 0,
            stop: false,
        }
    }

    /// The most bytes that the path has taken, with so many more for each frame and for each move: frames and
    /// moves are never given back.
    pub fn bytes(&self, position: usize, mv: usize) -> usize {
        self.frames.capacity() * (size_of::<Frame>() + position)
            + self.children.capacity() * (size_of::<Child>() + mv)
            + map_bytes::<u32>(self.boards.capacity())
    }

    /// Begins a search.
    pub fn begin(&mut self) {
        self.extensions = 0;
        self.stop = false;
    }

    /// What is done next.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Turn {
        if budget.wants_report() {
            let (_, ProofNumbers { phi: pn, delta: dn }) = self.select(0);
            budget.report(pn, dn, self.table.hashfull());
        }
        let top = self.frames.len() - 1;
        let (selection, numbers) = self.select(top);
        let threshold = match self.extensions {
            0 => self.frames[top].threshold,
            // A final position is left in any case.
            _ => self.frames[top].threshold.above(numbers),
        };
        // Once it is set, all frames are left.
        self.stop |= budget.is_over() || self.frames.len() > DEEPEST;
        if numbers.reach_either(threshold) || self.stop {
            return Turn::Leave(selection);
        }
        let frame = &mut self.frames[top];
        frame.current = selection.best;
        let index = frame.start + selection.best;
        let child = &mut self.children[index];
        if child.is_new {
            child.is_new = false;
            self.extensions = self.extensions.saturating_sub(1);
        }
        let mut threshold = threshold.oriented(frame.attacking);
        let second = selection.second;
        threshold.phi = threshold.phi.min(second.saturating_add(1 + second / EPSILON));
        threshold.delta = threshold.delta.saturating_sub(selection.rest);
        Turn::Enter(index, threshold.oriented(frame.attacking))
    }

    /// What the moves of a frame add up to, with its numbers as the attacker sees them.
    fn select(&self, index: usize) -> (Selection, ProofNumbers) {
        let frame = &self.frames[index];
        let end = self.frames.get(index + 1).map_or(self.children.len(), |next| next.start);
        let selection = Selection::new(&self.children[frame.start..end], frame.attacking);
        (selection, selection.numbers.oriented(frame.attacking))
    }

    /// Puts a position on the path, without moves yet.
    pub fn enter(
        &mut self,
        place: Place,
        attacking: bool,
        threshold: ProofNumbers,
        budget: &mut Budget<'_>,
    ) {
        let same_board = self.boards.insert(place.board, self.frames.len() as u32);
        let start = self.children.len();
        self.expansions += 1;
        budget.count_expansion();
        self.frames.push(Frame {
            place,
            attacking,
            threshold,
            start,
            current: 0,
            entered: budget.spent(),
            same_board,
        });
    }

    /// The depth of a position on the path that this one repeats: the board is the same and the
    /// attacker has no more in hand. What mates from here on would have mated there.
    ///
    /// With a limit repetition needs no thought, since fewer plies are left.
    #[inline]
    pub fn repeats(&self, place: &Place) -> Option<u16> {
        if place.limit != UNLIMITED {
            return None;
        }
        let mut same = self.boards.get(&place.board).copied();
        while let Some(index) = same {
            let frame = &self.frames[index as usize];
            if frame.place.hand.dominates(place.hand) {
                return Some(frame.place.depth);
            }
            same = frame.same_board;
        }
        None
    }

    /// Notes what is known of a move of the last frame; gives the one that is to be looked up next, since it has
    /// waited for this one.
    #[inline]
    pub fn note(&mut self, index: usize, known: Known, is_new: bool) -> Option<usize> {
        let frame = &self.frames[self.frames.len() - 1];
        let child = &mut self.children[index];
        (child.known, child.is_new, child.waits) = (known, is_new, false);
        match child.follower() {
            Some(follower) if child.is_refuted(frame.attacking) => Some(frame.start + follower),
            _ => None,
        }
    }

    /// Takes the last frame off the path and keeps what became known of it.
    pub fn leave(&mut self, known: &Known, budget: &Budget<'_>) {
        let Some(frame) = self.frames.pop() else { return };
        memory::store(self.table, &frame.place, known, budget.spent() - frame.entered);
        match frame.same_board {
            Some(above) => self.boards.insert(frame.place.board, above),
            None => self.boards.remove(&frame.place.board),
        };
        self.children.truncate(frame.start);
    }

    /// Tells the last frame what became known of its current move; gives the one that is to be looked up next.
    pub fn update(&mut self, known: Known) -> Option<usize> {
        let frame = &self.frames[self.frames.len() - 1];
        let child = &mut self.children[frame.start + frame.current];
        child.known = known;
        let follower = child.follower().filter(|_| child.is_refuted(frame.attacking))?;
        Some(frame.start + follower)
    }
}
