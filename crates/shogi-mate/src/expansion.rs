//! The moves of a position on the path, and their combined numbers.

use std::ops::ControlFlow;

use shogi_core::{Batch, Move, Position, RuleTable, Square};
use shogi_rules::Rules;

use super::interposition;
use super::memory::Known;
use crate::numbers::{INFINITE, ProofNumbers, raised};
use shogi_core::generate_checks_dyn;

/// Sixteenths, a quarter, by which a move may get worse than the second best before the search changes over,
/// and by which its other number may grow (Pawlewicz & Lew, "Improving depth-first PN-search: 1 + epsilon
/// trick", 2006).
pub const EPSILON: u32 = 4;
/// The greatest contribution of a move other than the hardest, for the attacker and for the defender.
///
/// Checks are ways to one goal (weak proof numbers: Ueda, Hashimoto, Hashimoto & Iida, "Weak proof-number
/// search", 2008). The defender's moves are different tasks while numbers are small; great numbers are mostly
/// the same work counted again. They would grow by a factor at each place where lines meet, and lose all
/// meaning where a king is driven over hundreds of plies.
const MOST_BESIDE: [u32; 2] = [1, 32];
/// The end of a chain of waiting moves.
const NONE: u16 = u16::MAX;

/// A move with the knowledge of the position after it.
#[derive(Clone, Copy, Debug)]
pub struct Child<R: RuleTable> {
    /// The move.
    pub mv: Move<R>,
    /// The knowledge of the position after it, once the move does not wait.
    pub known: Known,
    /// Whether the move waits until the one before it in a chain is refuted.
    pub waits: bool,
    /// Whether the table lacks the position after it.
    pub is_new: bool,
    /// Key of the spot after it, once the move does not wait.
    pub spot: u64,
    /// Whether its line meets that of another move of the position.
    pub meets: bool,
    /// The move that waits for this one, counted from the first of the position.
    next: u16,
}

impl<R: RuleTable> Child<R> {
    /// A move that does not wait, without knowledge.
    pub const fn new(mv: Move<R>) -> Self {
        let known = Known::open(ProofNumbers::UNIT);
        Self { mv, known, waits: false, is_new: false, spot: 0, meets: false, next: NONE }
    }

    /// The move that waits for this one, counted from the first of the position.
    pub fn follower(&self) -> Option<usize> {
        (self.next != NONE).then_some(self.next.into())
    }

    /// Whether the work after the move resembles that after other moves of the position.
    const fn is_alike(&self) -> bool {
        self.meets || matches!(self.mv, Move::Drop { .. })
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
/// Of similar moves one at a time is searched (delayed moves in several programs): the defender's drops on the
/// same square, and a promotion before its refusal if the promoted piece has all moves of the other.
pub fn list<R: RuleTable>(position: &Position<R>, attacking: bool, children: &mut Vec<Child<R>>) {
    let start = children.len();
    let note = &mut |batch: Batch<R>| {
        for mv in batch.moves() {
            children.push(Child::new(mv));
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

/// Lists the captures of an interposed piece by pieces that then give check themselves, after the checks of the
/// position, which start at `start`. Returns the number of checks.
pub fn list_returns<R: Rules>(
    position: &Position<R>,
    interposed: Square<R::Geometry>,
    start: usize,
    children: &mut Vec<Child<R>>,
) -> usize {
    let checks = children.len();
    for index in start..checks {
        let mv = children[index].mv;
        if interposition::is_capture_with_check(position, mv, interposed) {
            children.push(Child::new(mv));
        }
    }
    checks - start
}

fn chain<R: RuleTable>(children: &mut [Child<R>], attacking: bool) {
    for index in 0..children.len() {
        if let Some(before) = leader(children, index, attacking) {
            children[before].next = index as u16;
            children[index].waits = true;
        }
    }
}

/// The move that this one waits for, if any.
#[inline]
fn leader<R: RuleTable>(children: &[Child<R>], index: usize, attacking: bool) -> Option<usize> {
    match children[index].mv {
        // Drops are generated kind by kind, the least valuable first.
        Move::Drop { to, .. } if !attacking => {
            let mut before = index;
            while before > 0 {
                before -= 1;
                if matches!(children[before].mv, Move::Drop { to: same, .. } if same == to) {
                    return Some(before);
                }
            }
            None
        }
        Move::Board { from, to, turn: false } => {
            let turned = Move::Board { from, to, turn: true };
            for (before, other) in children.iter().enumerate() {
                if other.mv == turned {
                    return Some(before);
                }
            }
            None
        }
        _ => None,
    }
}

/// The combined numbers of a position's moves, and the move to search next.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The numbers as the player to move sees them: the least `phi` of the moves, and their combined `delta`.
    pub numbers: ProofNumbers,
    /// The move with the least `phi`; of several, the one with the greatest `delta`.
    pub best: usize,
    /// The least `phi` among the others.
    pub second: u32,
    /// The combined `delta` of the other moves, if that of the best move is the greatest.
    pub rest: u32,
}

impl Selection {
    /// Combines the numbers of the moves.
    ///
    /// Lines that start differently meet again and again, so a sum would count the same work many times.
    /// `delta` is therefore the greatest of the numbers, to which each other move adds its own up to [a
    /// bound](MOST_BESIDE). Of the defender's drops, which are similar, and of moves whose lines meet, only the
    /// hardest contributes.
    #[inline(always)]
    pub fn new<R: RuleTable>(children: &[Child<R>], attacking: bool) -> Self {
        let numbers = |child: &Child<R>| child.known.numbers.oriented(attacking);
        let open = children.iter().filter(|child| !child.waits);
        let greatest = open.map(|child| numbers(child).delta).max().unwrap_or(0);
        let bound = MOST_BESIDE[usize::from(!attacking)];
        let (mut phi, mut second, mut best, mut best_delta) = (INFINITE, INFINITE, 0, 0);
        let (mut sum, mut alike) = (0_u32, 0);
        for (index, child) in children.iter().enumerate() {
            if child.waits {
                continue;
            }
            let ProofNumbers { phi: own, delta: other } = numbers(child);
            if !attacking && child.is_alike() {
                alike = alike.max(other.min(bound));
            } else {
                sum = sum.saturating_add(other.min(bound));
            }
            if own < phi || own == phi && other > best_delta {
                second = phi;
                (phi, best, best_delta) = (own, index, other);
            } else {
                second = second.min(own);
            }
        }
        let all = sum.saturating_add(alike);
        let total = all.saturating_add(greatest.saturating_sub(bound)).min(INFINITE - 1);
        let rest = match children.get(best) {
            Some(best) if !attacking && best.is_alike() => sum,
            _ => all - best_delta.min(bound),
        };
        // Only final positions have infinite numbers.
        let delta = if phi == 0 { INFINITE } else { total };
        Self { numbers: ProofNumbers { phi, delta }, best, second, rest }
    }

    /// The threshold of the best move, which has these numbers, if its position is searched to `threshold`; all
    /// as seen by the player to move.
    ///
    /// The move may always get worse by a quarter. Otherwise it might be left after one step and entered again
    /// for the next; and sums at the greatest number would leave nothing of the threshold, so that it would be
    /// left as soon as it is entered, over and over.
    pub fn child_threshold(&self, threshold: ProofNumbers, best: ProofNumbers) -> ProofNumbers {
        let left = threshold.delta.saturating_sub(self.rest);
        ProofNumbers {
            phi: threshold.phi.min(raised(self.second, EPSILON)),
            delta: left.max(raised(best.delta, EPSILON)).min(threshold.delta),
        }
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Minishogi, parse_sfen};

    use super::*;

    /// The three moves of a king in a corner, its only ones.
    fn king_moves() -> Vec<Child<Minishogi>> {
        let (placement, _) = parse_sfen::<Minishogi>("k4/5/5/5/4K w - 1").unwrap();
        let position = Position::new(placement).unwrap();
        let mut children = Vec::new();
        list(&position, false, &mut children);
        assert_eq!(children.len(), 3);
        assert!(children.iter().all(|child| !matches!(child.mv, Move::Drop { .. })));
        children
    }

    /// Of three moves of a king with the proof numbers 5, 3 and 2 the first two meet again.
    #[test]
    fn of_moves_that_meet_again_the_hardest_counts() {
        let mut children = king_moves();
        for (child, phi) in children.iter_mut().zip([5, 3, 2]) {
            child.known = Known::open(ProofNumbers { phi, delta: 1 });
        }
        assert_eq!(Selection::new(&children, false).numbers.delta, 10);
        children[..2].iter_mut().for_each(|child| child.meets = true);
        assert_eq!(Selection::new(&children, false).numbers.delta, 7);
    }

    /// Of moves with the numbers 20, 100 and 2 the hardest counts in full, each other for the attacker 1, and for the
    /// defender 32 at most.
    #[test]
    fn other_moves_count_up_to_a_bound() {
        let mut children = king_moves();
        let mut numbers = |deltas: [u32; 3], attacking: bool| {
            for (child, number) in children.iter_mut().zip(deltas) {
                child.known = Known::open(ProofNumbers { phi: number, delta: number });
            }
            let Selection { numbers, best, second, rest } = Selection::new(&children, attacking);
            (numbers.phi, second, best, numbers.delta, rest)
        };
        assert_eq!(numbers([20, 100, 2], true), (2, 20, 2, 102, 2));
        assert_eq!(numbers([20, 100, 2], false), (2, 20, 2, 122, 52));
        assert_eq!(numbers([80, 100, 90], false), (80, 90, 0, 164, 64));
    }

    /// Of two moves with the greatest numbers that there are, the better one is searched all the same.
    #[test]
    fn the_best_move_is_searched_when_sums_are_saturated() {
        let greatest = INFINITE - 1;
        let best = ProofNumbers { phi: 1, delta: greatest - 9 };
        let mut children = king_moves();
        for (child, numbers) in children.iter_mut().zip([
            ProofNumbers { phi: greatest, delta: 2 },
            best.oriented(false),
            ProofNumbers { phi: 9, delta: 5 },
        ]) {
            child.known = Known::open(numbers);
        }
        let selection = Selection::new(&children, false);
        assert_eq!((selection.best, selection.numbers.delta), (1, greatest));
        let threshold = selection.child_threshold(ProofNumbers::UNLIMITED, best);
        assert_eq!(threshold, ProofNumbers { phi: 3, delta: INFINITE });
    }

    /// A move with the number 20 is searched until it has 26, though its position would be left at one more.
    #[test]
    fn a_move_may_get_worse_by_a_quarter_up_to_the_threshold() {
        let selection =
            Selection { numbers: ProofNumbers::UNIT, best: 0, second: INFINITE, rest: 80 };
        let delta = |threshold| {
            let threshold = ProofNumbers { phi: 9, delta: threshold };
            selection.child_threshold(threshold, ProofNumbers { phi: 1, delta: 20 }).delta
        };
        assert_eq!([24, 101, 200].map(delta), [24, 26, 120]);
    }
}
