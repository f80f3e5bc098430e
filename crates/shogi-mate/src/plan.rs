//! The plan of a mate: a move for each position that the attacker may come into, whatever the defender does.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position, checks};
use shogi_rules::Rules;

use super::search::MateSearch;
use crate::budget::Budget;

/// A move of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanStep<R: Rules> {
    pub position: Position<R>,
    pub mv: Move<R>,
    /// The most plies from here to the end.
    pub plies: u16,
}

/// The plan of a mate in at most `length` plies that the table has from a root with the attacker to move. What the table has
/// lost is searched again; `None` if the budget ends.
///
/// The plies of the steps fall along every line, so that none comes back to where it was. A step may stay that no line
/// leads to any more, where a position was met again with fewer plies left.
pub fn plan<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    length: u16,
    budget: &mut Budget<'_>,
) -> Option<FxHashMap<u64, PlanStep<R>>> {
    let mut plan: FxHashMap<u64, PlanStep<R>> = FxHashMap::default();
    let mut open = vec![(*root, length)];
    while let Some((position, promised)) = open.pop() {
        let planned = plan.get(&position.key());
        if R::is_over(&position) || planned.is_some_and(|planned| planned.plies <= promised) {
            continue;
        }
        let (mv, length) = best(search, &position, promised, budget)?;
        plan.insert(position.key(), PlanStep { position, mv, plies: length });
        let after = position.play_unchecked(mv);
        if R::is_over(&after) {
            continue;
        }
        let replies = after.legal_moves();
        budget.spend(1 + replies.len() as u64);
        for &reply in &replies {
            // A promise that cannot be kept is one that the table has wrong.
            open.push((after.play_unchecked(reply), length.checked_sub(2)?));
        }
    }
    Some(plan)
}

/// The move with the shortest mate known, and its length, or one that is found again within what is promised.
fn best<R: Rules>(
    search: &mut MateSearch<'_, R>,
    position: &Position<R>,
    promised: u16,
    budget: &mut Budget<'_>,
) -> Option<(Move<R>, u16)> {
    let mut best = None;
    for &mv in &checks(position) {
        let after = position.play_unchecked(mv);
        let Some(length) = search.length_of(&after).map(|length| length + 1) else { continue };
        if best.is_none_or(|(_, least)| length < least) {
            best = Some((mv, length));
        }
    }
    if let Some(best) = best.filter(|&(_, length)| length <= promised) {
        return Some(best);
    }
    let (known, mv) = search.run_anew(position, promised, budget);
    if known.is_proved() { Some((mv?, known.length)) } else { None }
}
