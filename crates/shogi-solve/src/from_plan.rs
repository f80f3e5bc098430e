//! Strategies from the plans that searches make.

use shogi_core::{Colour, Position};
use shogi_proof::{Repetition, StepError, Strategy};
use shogi_rules::Rules;

use crate::game::RulesGame;
use crate::plan::{Plan, children};

/// The part of a plan that is needed from `root`. Of two positions that mirror each other the
/// one with fewer plies left gives the step for both.
///
/// # Errors
///
/// If a step of the plan is not the prover's or cannot be an entry.
pub fn strategy_from_plan<R: Rules>(
    root: &Position<R>,
    plan: &Plan<RulesGame<R>>,
    prover: Colour,
    repetition: Repetition,
) -> Result<Strategy<R>, StepError> {
    let mut whole = Strategy::new(prover, repetition);
    for step in plan.steps() {
        if whole.get(&step.position).is_none_or(|twin| twin.rank > step.plies) {
            whole.insert(&step.position, step.mv, step.plies)?;
        }
    }
    let game = RulesGame::<R>::new();
    let mut needed = Strategy::new(prover, repetition);
    let mut open = match root.side() == prover {
        true => vec![*root],
        false if R::verdict(root).is_some() => Vec::new(),
        false => children(&game, root),
    };
    while let Some(position) = open.pop() {
        let Some(step) = whole.get(&position) else { continue };
        if needed.get(&position).is_some() {
            continue;
        }
        needed.insert(&position, step.mv, step.rank)?;
        let after = position.play(step.mv);
        if R::verdict(&after).is_none() {
            open.extend(children(&game, &after));
        }
    }
    Ok(needed)
}
