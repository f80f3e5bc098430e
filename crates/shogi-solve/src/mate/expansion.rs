//! The moves of a position on the path, and what they add up to.

use std::ops::ControlFlow;

use shogi_core::{Batch, Move, Position, RuleTable};

use super::memory::Known;
use crate::proof_number::{INFINITE, ProofNumbers};
use shogi_core::generate_checks_dyn;

/// The end of a chain of waiting moves.
const NONE: u16 = u16::MAX;

/// What is known of the position after a move.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// What is known of it, once the move does not wait.
    pub known: Known,
    /// Whether the move waits until the one before it in a chain is refuted.
    pub waits: bool,
    /// Whether the position after it is in no table yet.
    pub is_new: bool,
    /// The move that waits for this one, counted from the first of the position.
    next: u16,
    mark: Mark,
}

/// What moves that differ but little have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    /// The origin; `DROP` of a drop.
    from: u8,
    to: u8,
    turn: bool,
}

/// No square has this number.
const DROP: u8 = u8::MAX;

impl Mark {
    fn of<R: RuleTable>(mv: Move<R>) -> Self {
        match mv {
            Move::Board { from, to, turn } => {
                Self { from: from.index() as u8, to: to.index() as u8, turn }
            }
            Move::Drop { to, .. } => Self { from: DROP, to: to.index() as u8, turn: false },
        }
    }
}

impl Child {
    const fn new(mark: Mark) -> Self {
        let known = Known::open(ProofNumbers::UNIT);
        Self { known, waits: false, is_new: false, next: NONE, mark }
    }

    /// The move that waits for this one, counted from the first of the position.
    pub fn follower(&self) -> Option<usize> {
        (self.next != NONE).then_some(self.next.into())
    }

    const fn is_drop(&self) -> bool {
        self.mark.from == DROP
    }

    /// Whether the move is refuted for the player who makes it.
    pub const fn is_refuted(&self, attacking: bool) -> bool {
        if attacking { self.known.is_refuted() } else { self.known.is_proved() }
    }

    /// Whether the move decides the position for the player who makes it.
    pub const fn is_enough(&self, attacking: bool) -> bool {
        if attacking { self.known.is_proved() } else { self.known.is_refuted() }
    }
}

/// Appends the moves of a position: the checks of the attacker, or all moves of the defender.
///
/// Of moves that differ but little, one at a time is looked at (the delayed moves of several
/// programs): drops on the same square by the defender, and promotion before its refusal where the
/// promoted piece can do all the other can.
pub fn list<R: RuleTable>(
    position: &Position<R>,
    attacking: bool,
    moves: &mut Vec<Move<R>>,
    children: &mut Vec<Child>,
) {
    let start = children.len();
    let note = &mut |batch: Batch<R>| {
        for mv in batch.moves() {
            moves.push(mv);
            children.push(Child::new(Mark::of(mv)));
        }
        ControlFlow::Continue(())
    };
    // The closure never breaks.
    let _ = match attacking {
        true => generate_checks_dyn(position, note),
        false => position.generate_dyn(note),
    };
    chain(&mut children[start..], attacking);
}

fn chain(children: &mut [Child], attacking: bool) {
    for index in 0..children.len() {
        let mark = children[index].mark;
        let before = if mark.from == DROP {
            // Drops are generated kind by kind, the least valuable first.
            match attacking {
                true => None,
                false => children[..index].iter().rposition(|other| other.mark == mark),
            }
        } else if !mark.turn {
            let turned = Mark { turn: true, ..mark };
            children.iter().position(|other| other.mark == turned)
        } else {
            None
        };
        if let Some(before) = before {
            children[before].next = index as u16;
            children[index].waits = true;
        }
    }
}

/// What the moves of a position add up to, and which of them is searched next.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// As the player to move sees them: the least `phi` of the moves, and what their `delta`s come to.
    pub numbers: ProofNumbers,
    /// The move with the least `phi`; of several, the one with the greatest `delta`.
    pub best: usize,
    /// The least `phi` among the others.
    pub second: u32,
    /// What the sum of `delta`s has beside that of the best move.
    pub rest: u32,
}

impl Selection {
    /// Adds up.
    ///
    /// Lines of checks that start with different moves meet again and again, so that a sum counts the
    /// same work many times over. For the attacker, `delta` is therefore the greatest of the other
    /// numbers, and one for each other move that is open (weak proof numbers: Ueda, Hashimoto,
    /// Hashimoto & Iida, "Weak proof-number search", 2008). For the defender it is the sum, in which of
    /// all drops, which are much alike, only the hardest counts.
    pub fn new(children: &[Child], attacking: bool) -> Self {
        let (mut phi, mut second, mut best, mut best_delta) = (INFINITE, INFINITE, 0, 0);
        let (mut open, mut sum, mut hardest) = (0, 0_u32, 0);
        for (index, child) in children.iter().enumerate().filter(|(_, child)| !child.waits) {
            let ProofNumbers { phi: own, delta: other } = child.known.numbers.oriented(attacking);
            open += u32::from(other > 0);
            if attacking || child.is_drop() {
                hardest = hardest.max(other);
            } else {
                sum = sum.saturating_add(other);
            }
            if own < phi || own == phi && other > best_delta {
                second = phi;
                (phi, best, best_delta) = (own, index, other);
            } else {
                second = second.min(own);
            }
        }
        if attacking {
            sum = u32::saturating_sub(open, 1);
        }
        let total = sum.saturating_add(hardest).min(INFINITE - 1);
        let rest = match children.get(best) {
            Some(best) if attacking || best.is_drop() => sum,
            _ => total.saturating_sub(best_delta),
        };
        // Only final positions have infinite numbers.
        let delta = if phi == 0 { INFINITE } else { total };
        Self { numbers: ProofNumbers { phi, delta }, best, second, rest }
    }
}
