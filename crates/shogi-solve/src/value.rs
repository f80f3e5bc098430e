//! The values that plans show, for any game.

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::Goal;

/// The claim of a plan: that a goal can be reached, or prevented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanClaim {
    pub(crate) goal: Goal,
    /// Whether the plan is the prover's and reaches the goal, or the opponent's and prevents it.
    pub(crate) reaches: bool,
}

/// The value for a player, if certificates show it.
pub(crate) fn value_for(side: Colour, claims: &[PlanClaim]) -> Option<Verdict> {
    // The least and the most that Sente gets: 0 for a loss, 1 for a draw, 2 for a win.
    let (mut least, mut most) = (0, 2);
    for &PlanClaim { goal: Goal { prover, draw_suffices }, reaches } in claims {
        let goal = if draw_suffices { 1 } else { 2 };
        match (prover, reaches) {
            (Colour::Sente, true) => least = least.max(goal),
            (Colour::Sente, false) => most = most.min(goal - 1),
            (Colour::Gote, true) => most = most.min(2 - goal),
            (Colour::Gote, false) => least = least.max(3 - goal),
        }
    }
    let for_sente = [Verdict::Loss, Verdict::Draw, Verdict::Win][least];
    let value = if side == Colour::Sente { for_sente } else { for_sente.for_opponent() };
    (least == most).then_some(value)
}

/// Whether certificates leave a question open.
pub(crate) fn is_open(goal: Goal, claims: &[PlanClaim]) -> bool {
    let answers = |claim: &PlanClaim| {
        claim.goal == goal
            // A plan may show more than the question needs.
            || claim.goal.prover == goal.prover && claim.goal.draw_suffices != claim.reaches
    };
    !claims.iter().any(answers)
}
