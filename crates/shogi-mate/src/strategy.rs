//! Strategies for proof files from the steps that searches find, and proofs from strategies.

use std::ops::ControlFlow;

use shogi_core::{Move, Position};
use shogi_proof::{Proof, Shortening, StepError, Strategy};
use shogi_rules::Rules;

/// Most passes over a proof to make it shorter; a pass begins at its end, so that a few are enough.
const MOST_PASSES: usize = 8;

/// Adds a step, which ends the game after at most so many plies, unless the strategy has one for the position or its
/// mirror image that ends it as soon.
///
/// # Errors
///
/// If the step is not the prover's or cannot be part of a strategy.
pub fn insert_shorter<R: Rules>(
    whole: &mut Strategy<R>,
    position: &Position<R>,
    mv: Move<R>,
    plies: u32,
) -> Result<(), StepError> {
    if whole.get(position).is_none_or(|twin| twin.rank > plies) {
        whole.insert(position, mv, plies)?;
    }
    Ok(())
}

/// The part of a strategy that is needed from `root`.
///
/// # Errors
///
/// As [`insert_shorter`].
pub fn needed_from<R: Rules>(
    root: &Position<R>,
    whole: &Strategy<R>,
) -> Result<Strategy<R>, StepError> {
    let prover = whole.prover();
    let mut needed = Strategy::following(root, prover, whole.repetition());
    let mut open = match root.side() == prover {
        true => vec![*root],
        false if R::verdict(root).is_some() => Vec::new(),
        false => children(root),
    };
    while let Some(position) = open.pop() {
        let Some(step) = whole.get(&position) else { continue };
        if needed.get(&position).is_some() {
            continue;
        }
        needed.insert(&position, step.mv, step.rank)?;
        let after = position.play_unchecked(step.mv);
        if R::verdict(&after).is_none() {
            open.append(&mut children(&after));
        }
    }
    Ok(needed)
}

/// The positions after each move.
fn children<R: Rules>(position: &Position<R>) -> Vec<Position<R>> {
    position.legal_moves().iter().map(|&mv| position.play_unchecked(mv)).collect()
}

/// The proof of a win for the player to move that a strategy is, if it holds by the rules.
pub fn proof_of_strategy<R: Rules>(root: &Position<R>, strategy: Strategy<R>) -> Option<Proof<R>> {
    // The table's lengths are bounds. Those of what it proves are often less, and another move may be shorter then.
    let mut shortening = Shortening::from(strategy);
    let passes =
        (0..MOST_PASSES).map(|_| shortening.pass(0, &mut |_, _| ControlFlow::Continue(())));
    let _ = passes.take_while(|&changed| changed > 0).count();
    let proof = shortening.proof(root)?;
    proof.check().is_ok().then_some(proof)
}
