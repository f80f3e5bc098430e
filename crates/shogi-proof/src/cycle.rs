//! Lines of a strategy that run in a cycle of checks.
//!
//! Under the rule on perpetual check a player loses by a repetition if all their moves since the
//! position first occurred were checks. Between two occurrences of a position, a line is a closed
//! walk through entries; if all the moves stored there are checks, it contains a cycle of such
//! entries. So a strategy without such a cycle never loses by this rule. A strategy with such a cycle
//! need not lose, as the opponent may also have given only checks; it is refused all the same.

use shogi_core::Position;
use shogi_rules::Rules;

use crate::strategy::Strategy;

/// A position on a cycle of entries whose moves are all checks, if there is one; the prover is to
/// move.
///
/// A depth-first search over the entries that give check: a cycle exists exactly if the search meets
/// an entry that it has not yet left.
pub(crate) fn checking_cycle<R: Rules>(strategy: &Strategy<R>) -> Option<Position<R>> {
    // For each entry reached, whether the search has left it.
    let mut left = vec![None; strategy.bound()];
    for start in strategy.sorted() {
        let mut open = vec![(start, strategy.position(start)?)];
        // The entries above the search, each with the number of its open successors.
        let mut path: Vec<(u32, usize)> = Vec::new();
        while let Some((number, position)) = open.pop() {
            match left[number as usize] {
                Some(true) => {}
                Some(false) => return Some(position),
                None => {
                    left[number as usize] = Some(false);
                    path.push((number, open.len()));
                    add_after_check(strategy, &position, &mut open);
                }
            }
            while let Some(&(number, others)) = path.last() {
                if open.len() > others {
                    break;
                }
                left[number as usize] = Some(true);
                path.pop();
            }
        }
    }
    None
}

/// Adds the entries that may come next if the move stored for a position is a check.
fn add_after_check<R: Rules>(
    strategy: &Strategy<R>,
    position: &Position<R>,
    after: &mut Vec<(u32, Position<R>)>,
) {
    let Some(step) = strategy.get(position) else { return };
    let checked = position.play_unchecked(step.mv);
    if !checked.is_check() || R::verdict(&checked).is_some() {
        return;
    }
    for &reply in &checked.legal_moves() {
        let next = checked.play_unchecked(reply);
        if R::verdict(&next).is_none()
            && let Some((number, _)) = strategy.find(&next)
        {
            after.push((number, next));
        }
    }
}
