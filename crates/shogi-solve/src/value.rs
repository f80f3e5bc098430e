//! What plans show of a value, whatever the game.

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::Goal;

/// What a plan shows: that a goal can be reached, or prevented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanClaim {
    pub(crate) goal: Goal,
    /// Whether the plan is the prover's and reaches the goal, or the opponent's and prevents it.
    pub(crate) reaches: bool,
}

impl PlanClaim {
    /// Whether the plan shows that Sente gets at least a win, or at least a draw, or that Sente does
    /// not.
    fn shows(self) -> (Verdict, bool) {
        let Goal { prover, draw_suffices } = self.goal;
        match (prover, draw_suffices) {
            (Colour::Sente, false) => (Verdict::Win, self.reaches),
            (Colour::Sente, true) => (Verdict::Draw, self.reaches),
            (Colour::Gote, false) => (Verdict::Draw, !self.reaches),
            (Colour::Gote, true) => (Verdict::Win, !self.reaches),
        }
    }
}

/// The value for a player, if certificates show it.
pub(crate) fn value_for(side: Colour, claims: &[PlanClaim]) -> Option<Verdict> {
    let shows: Vec<_> = claims.iter().map(|claim| claim.shows()).collect();
    let for_sente = value_shown(&shows)?;
    Some(if side == Colour::Sente { for_sente } else { for_sente.for_opponent() })
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

/// The value for Sente that follows from what certificates [show](PlanClaim::shows).
fn value_shown(shows: &[(Verdict, bool)]) -> Option<Verdict> {
    let shown = |wanted| {
        shows.iter().copied().find(|&(verdict, holds)| match wanted {
            // A win is a draw at least, and who does not get a draw does not win.
            Verdict::Win => verdict == Verdict::Win || !holds,
            _ => verdict == Verdict::Draw || holds,
        })
    };
    match (shown(Verdict::Win), shown(Verdict::Draw)) {
        (Some((_, true)), _) => Some(Verdict::Win),
        (_, Some((_, false))) => Some(Verdict::Loss),
        (Some((_, false)), Some((_, true))) => Some(Verdict::Draw),
        _ => None,
    }
}
