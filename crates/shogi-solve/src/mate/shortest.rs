//! A mate of least length.
//!
//! Two searches share the budget and the table. One looks for a mate within one ply, then within the
//! next length, and so on: each limit refuted is a lower bound, and the first one proved is the least
//! length. The other looks for any mate: it finds mates far longer than the first could reach, and
//! refutes positions in which the first would not end. What it finds is then [made shorter](super::shorten) in its
//! turns, by searches that may also come to know the least length. Which of them ends sooner is not known
//! beforehand, so they take turns of equal and growing size: together they play at most about twice
//! the moves that the faster one plays alone.

use shogi_core::Position;
use shogi_rules::Rules;

use super::interposition::Count;
use super::memory::{Known, LONGEST, UNLIMITED};
use super::search::{MateSearch, step};
use super::shorten::Shortening;
use crate::budget::Budget;
use crate::proof_number::ProofNumbers;

/// Moves played in the first turn. Most problems of up to 13 plies are solved in it.
const FIRST_TURN: u64 = 1 << 12;
/// Moves played in the first turn in which a mate is made shorter. Before that, the least length is often found upwards.
const FIRST_SHORTENING: u64 = 1 << 18;

/// Searches for a mate of least length; with what is known of the position, whether its length is
/// proved to be the least. It is not if the budget ends too soon. A least length is counted in the given way; any
/// other counts every move.
pub fn shortest<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    count: Count,
    budget: &mut Budget<'_>,
) -> (Known, bool) {
    let mut any = Known::open(ProofNumbers::UNIT);
    let mut limit = next_length::<R>(0);
    let mut shortening = Shortening::new();
    let mut turn = FIRST_TURN;
    loop {
        let found = budget.slice(turn, |budget| climb(search, root, count, &mut limit, budget));
        if let Some(known) = found {
            return (known, true);
        }
        if !any.is_final() {
            any = budget.slice(turn, |budget| search.run(root, UNLIMITED, budget));
        }
        if any.is_proved() && count == Count::Moves && turn >= FIRST_SHORTENING {
            let least = budget.slice(turn, |budget| shortening.go_on(search, root, budget));
            let length = least.or_else(|| search.known_length(root));
            any.length = length.map_or(any.length, |length| length.min(any.length));
            if least.is_some() {
                return (any, true);
            }
        }
        if any.is_refuted() || budget.is_over() {
            return (any, false);
        }
        turn = turn.saturating_mul(2);
    }
}

/// Raises the limit until there is a mate within it, or none at all; `None` if the budget ends.
fn climb<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    count: Count,
    limit: &mut u16,
    budget: &mut Budget<'_>,
) -> Option<Known> {
    while *limit < LONGEST {
        let known = search.run_counting(count, root, *limit, budget);
        if known.is_proved() || known.length == UNLIMITED {
            return Some(known);
        }
        if !known.is_refuted() {
            return None;
        }
        *limit = next_length::<R>(known.length);
    }
    None
}

/// The least length that a mate of more plies than this can have.
fn next_length<R: Rules>(length: u16) -> u16 {
    let next = length.saturating_add(1);
    // Checks and replies take turns up to a checkmate, so its length is odd.
    if step::<R>() == 2 { next | 1 } else { next }
}
