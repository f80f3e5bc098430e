//! Strategies from the plans that searches make.

use shogi_core::{Colour, Position};
use shogi_proof::{Repetition, StepError, Strategy};
use shogi_rules::Rules;

#[cfg(feature = "build")]
use crate::builder::Builder;
use crate::game::RulesGame;
#[cfg(feature = "build")]
use crate::leaf::Leaf;
use crate::plan::{Plan, PlanStep, children};

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
        insert_shorter(&mut whole, step)?;
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
    match builder.each_step(|step| insert_shorter(&mut whole, &step))? {
        true => needed_from(builder.root(), &whole).map(Some),
        false => Ok(None),
    }
}

fn insert_shorter<R: Rules>(
    whole: &mut Strategy<R>,
    step: &PlanStep<RulesGame<R>>,
) -> Result<(), StepError> {
    if whole.get(&step.position).is_none_or(|twin| twin.rank > step.plies) {
        whole.insert(&step.position, step.mv, step.plies)?;
    }
    Ok(())
}

/// The part of a strategy that is needed from `root`.
fn needed_from<R: Rules>(
    root: &Position<R>,
    whole: &Strategy<R>,
) -> Result<Strategy<R>, StepError> {
    let (game, prover) = (RulesGame::<R>::new(), whole.prover());
    let mut needed = Strategy::following(root, prover, whole.repetition());
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
        let after = position.play_unchecked(step.mv);
        if R::verdict(&after).is_none() {
            open.append(&mut children(&game, &after));
        }
    }
    Ok(needed)
}
