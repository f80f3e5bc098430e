//! The depth-first proof-number search over checks.
//!
//! The path from the root is a stack of frames, not of function calls: some mates take more than a
//! thousand plies.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use shogi_core::{Bitboard, Colour, Hand, Origin, Position};
use shogi_rules::{Rules, Verdict};

use super::expansion::{Child, Selection, list};
use super::hands;
use super::memory::{self, Found, Known, LONGEST, NEVER, Place, UNLIMITED};
use crate::budget::Budget;
use crate::memory::map_bytes;
use crate::proof_number::ProofNumbers;
use crate::table::TranspositionTable;
use shogi_core::has_check;

/// No path is longer; far beyond every known mate.
const DEEPEST: usize = 20_000;
/// A move may get worse than the second best by this part of it, a quarter, before the search goes over
/// to that (Pawlewicz & Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2006).
const EPSILON: u32 = 4;
/// The key of an empty path.
const ROOT_PATH: u64 = 0x1234_5678_9abc_def1;

/// The least difference between two lengths of mate: checks and replies take turns up to a checkmate, but
/// other ends of the game may come with either player's move.
pub const fn step<R: Rules>() -> u16 {
    if R::ROYAL_SAFETY { 2 } else { 1 }
}

/// A position on the path.
#[derive(Debug)]
struct Frame<R: Rules> {
    position: Position<R>,
    place: Place,
    attacking: bool,
    /// The numbers, seen by the attacker, at which the search goes back.
    threshold: ProofNumbers,
    /// Where its moves start.
    start: usize,
    /// The move on the path, counted from there.
    current: usize,
    /// Nodes when it was entered.
    entered: u64,
    /// The frame above with the same board.
    same_board: Option<u32>,
}

/// A search with its path; what it learns stays in the table.
#[derive(Debug)]
pub struct MateSearch<'t, R: Rules> {
    table: &'t mut TranspositionTable,
    attacker: Colour,
    frames: Vec<Frame<R>>,
    /// The moves of all frames, one after the other.
    children: Vec<Child<R>>,
    /// The last frame with each board on the path.
    boards: FxHashMap<u64, u32>,
    /// How many new positions are to be reached before limits count again; see [`MateSearch::enter`].
    extensions: u32,
    expansions: u64,
}

impl<'t, R: Rules> MateSearch<'t, R> {
    /// A search for mates by this player.
    pub fn new(table: &'t mut TranspositionTable, attacker: Colour) -> Self {
        Self {
            table,
            attacker,
            frames: Vec::new(),
            children: Vec::new(),
            boards: FxHashMap::default(),
            extensions: 0,
            expansions: 0,
        }
    }

    /// Positions entered so far.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The most bytes that the path has taken: frames and moves are never given back.
    pub fn path_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<R>>()
            + self.children.capacity() * size_of::<Child<R>>()
            + map_bytes::<u32>(self.boards.capacity())
    }

    /// Whether the attacker is to move.
    pub fn is_attacking(&self, position: &Position<R>) -> bool {
        position.side() == self.attacker
    }

    /// The place of a position searched as a root.
    pub fn place(&self, position: &Position<R>, limit: u16) -> Place {
        let hand = position.hand(self.attacker);
        Place { board: position.board_key(), hand, limit, depth: 0, path: ROOT_PATH }
    }

    /// The least length among the mates known from a position on.
    pub fn known_length(&self, position: &Position<R>) -> Option<u16> {
        memory::min_length(self.table, &self.place(position, UNLIMITED))
    }

    /// Searches for a mate in at most `limit` plies, or [`UNLIMITED`]; open if the budget ends.
    pub fn run(&mut self, root: &Position<R>, limit: u16, budget: &mut Budget<'_>) -> Known {
        let place = self.place(root, limit);
        let (known, _) = self.look_at(root, &place, root.side() == self.attacker);
        if known.is_final() {
            return known;
        }
        self.extensions = 0;
        let mut stop = false;
        self.enter(*root, place, ProofNumbers::UNLIMITED, budget);
        loop {
            if budget.wants_report() {
                let (_, ProofNumbers { phi: pn, delta: dn }) = self.select(0);
                budget.report(pn, dn, self.table.hashfull());
            }
            let top = self.frames.len() - 1;
            let frame = &self.frames[top];
            let (selection, numbers) = self.select(top);
            let threshold = match self.extensions {
                0 => frame.threshold,
                // A final position is left in any case.
                _ => frame.threshold.above(numbers),
            };
            // Once it is set, all frames are left.
            stop |= budget.is_over() || self.frames.len() > DEEPEST;
            if !numbers.reach_either(threshold) && !stop {
                self.descend(&selection, threshold, budget);
                continue;
            }
            let known = self.leave(&selection, budget);
            if self.frames.is_empty() {
                return known;
            }
            self.update(known, budget);
        }
    }

    /// What the moves of a frame add up to, with its numbers as the attacker sees them.
    fn select(&self, index: usize) -> (Selection, ProofNumbers) {
        let frame = &self.frames[index];
        let end = self.frames.get(index + 1).map_or(self.children.len(), |next| next.start);
        let selection = Selection::new(&self.children[frame.start..end], frame.attacking);
        (selection, selection.numbers.oriented(frame.attacking))
    }

    /// Goes on with the best move.
    fn descend(&mut self, selection: &Selection, threshold: ProofNumbers, budget: &mut Budget<'_>) {
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        frame.current = selection.best;
        let child = &mut self.children[frame.start + selection.best];
        if child.is_new {
            child.is_new = false;
            self.extensions = self.extensions.saturating_sub(1);
        }
        let mut threshold = threshold.oriented(frame.attacking);
        let second = selection.second;
        threshold.phi = threshold.phi.min(second.saturating_add(1 + second / EPSILON));
        threshold.delta = threshold.delta.saturating_sub(selection.rest);
        let threshold = threshold.oriented(frame.attacking);
        let position = frame.position.play(child.mv);
        let place = self.place_after(top, &position);
        budget.spend(1);
        self.enter(position, place, threshold, budget);
    }

    /// Puts a position on the path and looks at its moves.
    ///
    /// If one of them leads to a position that was met nearer to the root, the numbers here may be
    /// those of an ancestor in disguise, and the limits may never let the search through. So until a
    /// new position is reached, limits do not count: the threshold controlling algorithm of Kishimoto,
    /// "Dealing with infinite loops, underestimation, and overestimation of depth-first proof-number
    /// search" (2010).
    fn enter(
        &mut self,
        position: Position<R>,
        place: Place,
        threshold: ProofNumbers,
        budget: &mut Budget<'_>,
    ) {
        let attacking = position.side() == self.attacker;
        let same_board = self.boards.insert(place.board, self.frames.len() as u32);
        let start = self.children.len();
        self.expansions += 1;
        budget.count_expansion();
        self.frames.push(Frame {
            position,
            place,
            attacking,
            threshold,
            start,
            current: 0,
            entered: budget.spent(),
            same_board,
        });
        list(&position, attacking, &mut self.children);
        let mut old = false;
        for index in start..self.children.len() {
            if self.children[index].waits {
                continue;
            }
            self.look(index, budget);
            let child = &self.children[index];
            old |= child.known.old;
            if child.is_enough(attacking) {
                break;
            }
        }
        if old {
            self.extensions += 1;
        }
    }

    /// Looks a move of the top frame up, and those that wait for it as long as they are refuted.
    fn look(&mut self, mut index: usize, budget: &mut Budget<'_>) {
        let top = self.frames.len() - 1;
        let (start, attacking) = (self.frames[top].start, self.frames[top].attacking);
        loop {
            let position = self.frames[top].position.play(self.children[index].mv);
            budget.spend(1);
            let place = self.place_after(top, &position);
            let (known, is_new) = self.look_at(&position, &place, !attacking);
            let child = &mut self.children[index];
            (child.known, child.is_new, child.waits) = (known, is_new, false);
            match child.follower() {
                Some(follower) if child.is_refuted(attacking) => index = start + follower,
                _ => return,
            }
        }
    }

    fn place_after(&self, top: usize, position: &Position<R>) -> Place {
        let before = &self.frames[top].place;
        let limit = if before.limit == UNLIMITED { UNLIMITED } else { before.limit - 1 };
        Place {
            board: position.board_key(),
            hand: position.hand(self.attacker),
            limit,
            depth: before.depth + 1,
            path: memory::longer_path(before.path, before.board, before.hand),
        }
    }

    /// What is known of a position without searching it, and whether it is new to the table.
    fn look_at(&self, position: &Position<R>, place: &Place, attacking: bool) -> (Known, bool) {
        if R::is_over(position) {
            let won = match R::verdict(position) {
                Some(Verdict::Win) => attacking,
                Some(Verdict::Loss) => !attacking,
                _ => false,
            };
            let refuted = Known::refuted(UNLIMITED, hands::total(position));
            return (if won { Known::proved(0, Hand::EMPTY) } else { refuted }, false);
        }
        if let Some(depth) = self.repeats(place) {
            let refuted = Known::refuted(UNLIMITED, place.hand);
            return (Known { loops: depth, ..refuted }, false);
        }
        match memory::find(self.table, place, step::<R>()) {
            Found::Known(known) => (known, false),
            Found::New(least) => {
                let known = match attacking {
                    true => first_attack(position, place.limit),
                    false => first_defence(position, place.limit),
                };
                if known.is_final() {
                    (known, false)
                } else {
                    (Known::open(known.numbers.max(least)), true)
                }
            }
        }
    }

    /// The depth of a position on the path that this one repeats: the board is the same and the
    /// attacker has no more in hand. What mates from here on would have mated there.
    ///
    /// With a limit repetition needs no thought, since fewer plies are left.
    fn repeats(&self, place: &Place) -> Option<u16> {
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

    /// Takes the top frame off the path and keeps what became known of it.
    fn leave(&mut self, selection: &Selection, budget: &Budget<'_>) -> Known {
        let top = self.frames.len() - 1;
        let frame = &self.frames[top];
        let children = &self.children[frame.start..];
        let (position, place) = (&frame.position, &frame.place);
        let ProofNumbers { phi, delta } = selection.numbers;
        let known = match (frame.attacking, phi, delta) {
            (true, 0, _) => proved_attack(position, &children[selection.best]),
            (true, _, 0) => refuted_attack(position, children, place),
            (false, 0, _) => refuted_defence(position, &children[selection.best], place),
            (false, _, 0) => proved_defence(position, children),
            (attacking, ..) => Known::open(selection.numbers.oriented(attacking)),
        };
        memory::store(self.table, &frame.place, &known, budget.spent() - frame.entered);
        match frame.same_board {
            Some(above) => self.boards.insert(frame.place.board, above),
            None => self.boards.remove(&frame.place.board),
        };
        self.children.truncate(frame.start);
        self.frames.truncate(top);
        known
    }

    /// Tells the top frame what became known of its current move.
    fn update(&mut self, known: Known, budget: &mut Budget<'_>) {
        let frame = &self.frames[self.frames.len() - 1];
        let (start, attacking) = (frame.start, frame.attacking);
        let child = &mut self.children[start + frame.current];
        child.known = known;
        if let Some(follower) = child.follower().filter(|_| child.is_refuted(attacking)) {
            self.look(start + follower, budget);
        }
    }
}

/// A position met for the first time, with the attacker to move.
fn first_attack<R: Rules>(position: &Position<R>, limit: u16) -> Known {
    if !has_check(position) {
        let kept = hands::disproof_of_attack(position, hands::total(position));
        Known::refuted(UNLIMITED, kept)
    } else if limit == 0 {
        Known::refuted(0, hands::total(position))
    } else {
        Known::open(ProofNumbers::UNIT)
    }
}

/// A position met for the first time, with the defender to move: the more evasions, the harder.
fn first_defence<R: Rules>(position: &Position<R>, limit: u16) -> Known {
    let (mut moves, mut drops, mut first) = (0, Bitboard::EMPTY, None);
    // The closure never breaks.
    let _ = position.generate_dyn(&mut |batch| {
        match batch.origin {
            Origin::Hand => drops |= batch.keep,
            _ => moves += batch.len(),
        }
        first = first.or_else(|| batch.moves().next());
        ControlFlow::Continue(())
    });
    match first {
        None => Known::proved(0, hands::proof_of_defence(position, Hand::EMPTY)),
        Some(mv) if limit == 0 => {
            let kept = hands::disproof_of_defence(position, mv, hands::total(position));
            Known::refuted(0, kept)
        }
        Some(_) => {
            let phi = moves + u32::from(!drops.is_empty());
            Known::open(ProofNumbers { phi, ..ProofNumbers::UNIT })
        }
    }
}

fn proved_attack<R: Rules>(position: &Position<R>, best: &Child<R>) -> Known {
    let kept = hands::before(position, best.mv, best.known.kept);
    Known::proved(longer(best.known.length), kept)
}

fn proved_defence<R: Rules>(position: &Position<R>, children: &[Child<R>]) -> Known {
    let (mut replies, mut length) = (Hand::EMPTY, 0);
    for Child { known: reply, .. } in children {
        replies = hands::most::<R>(replies, reply.kept);
        length = length.max(longer(reply.length));
    }
    Known::proved(length, hands::proof_of_defence(position, replies))
}

fn refuted_attack<R: Rules>(position: &Position<R>, children: &[Child<R>], place: &Place) -> Known {
    let (mut kept, mut length, mut loops) = (hands::total(position), UNLIMITED, NEVER);
    for Child { mv, known: reply, .. } in children {
        kept = hands::least::<R>(kept, hands::before(position, *mv, reply.kept));
        length = length.min(reply.length.saturating_add(1));
        loops = loops.min(reply.loops);
    }
    let kept = hands::disproof_of_attack(position, kept);
    Known { loops: beyond(loops, place), ..Known::refuted(length, kept) }
}

fn refuted_defence<R: Rules>(position: &Position<R>, best: &Child<R>, place: &Place) -> Known {
    let kept = hands::disproof_of_defence(position, best.mv, best.known.kept);
    let length = best.known.length.saturating_add(1);
    Known { loops: beyond(best.known.loops, place), ..Known::refuted(length, kept) }
}

/// A length one ply longer.
fn longer(length: u16) -> u16 {
    (length + 1).min(LONGEST)
}

/// The depth of a repetition seen from a place: one that only leads back to the place itself, or
/// below it, happens on every path.
fn beyond(loops: u16, place: &Place) -> u16 {
    if loops < place.depth { loops } else { NEVER }
}
