//! The depth-first proof-number search over checks.
//!
//! The path from the root is a stack of frames, not of function calls: some mates take more than a
//! thousand plies.

use std::ops::ControlFlow;

use shogi_core::{Bitboard, Colour, Hand, Move, Origin, Position};
use shogi_rules::{Rules, Verdict};

use super::expansion::{Child, Selection, list};
use super::hands;
use super::memory::{self, Found, Known, LONGEST, NEVER, Place, UNLIMITED};
use super::walk::{Turn, Walk};
use crate::budget::Budget;
use crate::proof_number::ProofNumbers;
use crate::table::TranspositionTable;
use shogi_core::has_check;

/// The key of an empty path.
const ROOT_PATH: u64 = 0x1234_5678_9abc_def1;

/// The least difference between two lengths of mate: checks and replies take turns up to a checkmate, but
/// other ends of the game may come with either player's move.
pub const fn step<R: Rules>() -> u16 {
    if R::ROYAL_SAFETY { 2 } else { 1 }
}

/// A search with its path; what it learns stays in the table.
#[derive(Debug)]
pub struct MateSearch<'t, R: Rules> {
    walk: Walk<'t>,
    /// The positions on the path, and all their moves.
    positions: Vec<Position<R>>,
    moves: Vec<Move<R>>,
}

impl<'t, R: Rules> MateSearch<'t, R> {
    /// A search for mates by this player.
    pub fn new(table: &'t mut TranspositionTable, attacker: Colour) -> Self {
        let walk = Walk::new(table, attacker);
        Self { walk, positions: Vec::new(), moves: Vec::new() }
    }

    /// Positions entered so far.
    pub const fn expansions(&self) -> u64 {
        self.walk.expansions
    }

    /// The most bytes that the path has taken: frames and moves are never given back.
    pub fn path_bytes(&self) -> usize {
        self.walk.bytes(size_of::<Position<R>>(), size_of::<Move<R>>())
    }

    /// Whether the attacker is to move.
    pub fn is_attacking(&self, position: &Position<R>) -> bool {
        position.side() == self.walk.attacker
    }

    /// The place of a position searched as a root.
    pub fn place(&self, position: &Position<R>, limit: u16) -> Place {
        let hand = position.hand(self.walk.attacker);
        Place { board: position.board_key(), hand, limit, depth: 0, path: ROOT_PATH }
    }

    /// The least length among the mates known from a position on.
    pub fn known_length(&self, position: &Position<R>) -> Option<u16> {
        memory::min_length(self.walk.table, &self.place(position, UNLIMITED))
    }

    /// Searches for a mate in at most `limit` plies, or [`UNLIMITED`]; open if the budget ends.
    pub fn run(&mut self, root: &Position<R>, limit: u16, budget: &mut Budget<'_>) -> Known {
        let place = self.place(root, limit);
        let (known, _) = self.look_at(root, &place, root.side() == self.walk.attacker);
        if known.is_final() {
            return known;
        }
        self.walk.begin();
        self.enter(*root, place, ProofNumbers::UNLIMITED, budget);
        loop {
            match self.walk.next(budget) {
                Turn::Enter(index, threshold) => {
                    let top = self.positions.len() - 1;
                    let position = self.positions[top].play(self.moves[index]);
                    let place = self.place_after(top, &position);
                    budget.spend(1);
                    self.enter(position, place, threshold, budget);
                }
                Turn::Leave(selection) => {
                    let known = self.leave(&selection, budget);
                    if self.positions.is_empty() {
                        return known;
                    }
                    if let Some(index) = self.walk.update(known) {
                        self.look(index, budget);
                    }
                }
            }
        }
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
        let attacking = self.is_attacking(&position);
        self.walk.enter(place, attacking, threshold, budget);
        self.positions.push(position);
        let start = self.moves.len();
        list(&position, attacking, &mut self.moves, &mut self.walk.children);
        let mut old = false;
        for index in start..self.moves.len() {
            if self.walk.children[index].waits {
                continue;
            }
            self.look(index, budget);
            let child = &self.walk.children[index];
            old |= child.known.old;
            if child.is_enough(attacking) {
                break;
            }
        }
        if old {
            self.walk.extensions += 1;
        }
    }

    /// Looks a move of the top frame up, and those that wait for it as long as they are refuted.
    fn look(&mut self, index: usize, budget: &mut Budget<'_>) {
        let top = self.positions.len() - 1;
        let attacking = self.walk.frames[top].attacking;
        let mut next = Some(index);
        while let Some(index) = next {
            let position = self.positions[top].play(self.moves[index]);
            budget.spend(1);
            let place = self.place_after(top, &position);
            let (known, is_new) = self.look_at(&position, &place, !attacking);
            next = self.walk.note(index, known, is_new);
        }
    }

    fn place_after(&self, top: usize, position: &Position<R>) -> Place {
        let before = &self.walk.frames[top].place;
        let limit = if before.limit == UNLIMITED { UNLIMITED } else { before.limit - 1 };
        Place {
            board: position.board_key(),
            hand: position.hand(self.walk.attacker),
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
        if let Some(depth) = self.walk.repeats(place) {
            let refuted = Known::refuted(UNLIMITED, place.hand);
            return (Known { loops: depth, ..refuted }, false);
        }
        match memory::find(self.walk.table, place, step::<R>()) {
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

    /// Takes the top frame off the path and keeps what became known of it.
    fn leave(&mut self, selection: &Selection, budget: &Budget<'_>) -> Known {
        let top = self.positions.len() - 1;
        let (position, frame) = (&self.positions[top], &self.walk.frames[top]);
        let (place, children) = (&frame.place, &self.walk.children[frame.start..]);
        // There is a best move only where there are moves.
        let best = || (self.moves[frame.start + selection.best], &children[selection.best].known);
        let ProofNumbers { phi, delta } = selection.numbers;
        let known = match (frame.attacking, phi, delta) {
            (true, 0, _) => proved_attack(position, best()),
            (true, _, 0) => refuted_attack(position, &self.moves[frame.start..], children, place),
            (false, 0, _) => refuted_defence(position, best(), place),
            (false, _, 0) => proved_defence(position, children),
            (attacking, ..) => Known::open(selection.numbers.oriented(attacking)),
        };
        self.moves.truncate(frame.start);
        self.positions.truncate(top);
        self.walk.leave(&known, budget);
        known
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

fn proved_attack<R: Rules>(position: &Position<R>, (mv, after): (Move<R>, &Known)) -> Known {
    Known::proved(longer(after.length), hands::before(position, mv, after.kept))
}

fn proved_defence<R: Rules>(position: &Position<R>, children: &[Child]) -> Known {
    let (mut replies, mut length) = (Hand::EMPTY, 0);
    for Child { known: reply, .. } in children {
        replies = hands::most::<R>(replies, reply.kept);
        length = length.max(longer(reply.length));
    }
    Known::proved(length, hands::proof_of_defence(position, replies))
}

fn refuted_attack<R: Rules>(
    position: &Position<R>,
    moves: &[Move<R>],
    children: &[Child],
    place: &Place,
) -> Known {
    let (mut kept, mut length, mut loops) = (hands::total(position), UNLIMITED, NEVER);
    for (index, Child { known: reply, .. }) in children.iter().enumerate() {
        kept = hands::least::<R>(kept, hands::before(position, moves[index], reply.kept));
        length = length.min(reply.length.saturating_add(1));
        loops = loops.min(reply.loops);
    }
    let kept = hands::disproof_of_attack(position, kept);
    Known { loops: beyond(loops, place), ..Known::refuted(length, kept) }
}

fn refuted_defence<R: Rules>(
    position: &Position<R>,
    (mv, after): (Move<R>, &Known),
    place: &Place,
) -> Known {
    let kept = hands::disproof_of_defence(position, mv, after.kept);
    let length = after.length.saturating_add(1);
    Known { loops: beyond(after.loops, place), ..Known::refuted(length, kept) }
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
