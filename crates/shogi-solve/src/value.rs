//! What plans show of a value, whatever the game.

use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::Goal;

/// What a plan is for.
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
pub(crate) fn value_for(side: Colour, ends: &[PlanClaim]) -> Option<Verdict> {
    let shows: Vec<_> = ends.iter().map(|end| end.shows()).collect();
    value_shown(&shows).map(|value| seen_by(side, value))
}

/// Whether certificates leave a question open.
pub(crate) fn is_open(goal: Goal, ends: &[PlanClaim]) -> bool {
    let answers = |end: &PlanClaim| {
        end.goal == goal
            // A plan may show more than the question needs.
            || end.goal.prover == goal.prover && end.goal.draw_suffices != end.reaches
    };
    !ends.iter().any(answers)
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

fn seen_by(side: Colour, value: Verdict) -> Verdict {
    match (side, value) {
        (Colour::Gote, Verdict::Win) => Verdict::Loss,
        (Colour::Gote, Verdict::Loss) => Verdict::Win,
        _ => value,
    }
}
