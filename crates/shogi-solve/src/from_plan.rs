//! Strategies from the plans that searches make.

use shogi_core::{Colour, Position};
use shogi_mate::strategy::{insert_shorter, needed_from};
use shogi_proof::{Repetition, StepError, Strategy};
use shogi_rules::Rules;

#[cfg(feature = "build")]
use crate::builder::Builder;
use crate::game::RulesGame;
#[cfg(feature = "build")]
use crate::leaf::Leaf;
use crate::plan::Plan;

/// The part of a plan that is needed from `root`. For two mirror images the one with fewer
/// remaining plies supplies the step for both.
///
/// # Errors
///
/// If a step of the plan is not the prover's or cannot be part of a strategy.
pub fn strategy_from_plan<R: Rules>(
    root: &Position<R>,
    plan: &Plan<RulesGame<R>>,
    prover: Colour,
    repetition: Repetition,
) -> Result<Strategy<R>, StepError> {
    let mut whole = Strategy::following(root, prover, repetition);
    for step in plan.steps() {
        insert_shorter(&mut whole, &step.position, step.mv, step.plies)?;
    }
    needed_from(root, &whole)
}

/// The strategy of a builder's proof, once the root is proved, without an intermediate plan.
///
/// # Errors
///
/// As [`strategy_from_plan`].
#[cfg(feature = "build")]
pub fn strategy_from_builder<R: Rules, L: Leaf<RulesGame<R>>>(
    builder: &Builder<'_, RulesGame<R>, L>,
) -> Result<Option<Strategy<R>>, StepError> {
    let mut whole = Strategy::new(builder.goal().prover, Repetition::Absent);
    match builder
        .each_step(|step| insert_shorter(&mut whole, &step.position, step.mv, step.plies))?
    {
        true => needed_from(builder.root(), &whole).map(Some),
        false => Ok(None),
    }
}
