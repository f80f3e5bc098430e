//! The state of an evaluation, computed when it is needed.

use std::cell::OnceCell;

use shogi_core::{Move, Position};
use shogi_rules::Rules;

use super::Evaluator;

/// The state of a position on a line. The search decides half of all positions without their evaluation, by the
/// table or because the game has ended. So a state is computed when the evaluation of its position, or of one
/// below it, is first needed.
pub(crate) struct LazyState<'p, R: Rules, S> {
    found: OnceCell<S>,
    origin: Option<Origin<'p, R, S>>,
}

/// The position before, its state, and the move from there; none for a null move.
type Origin<'p, R, S> = (&'p Position<R>, &'p LazyState<'p, R, S>, Option<Move<R>>);

impl<'p, R: Rules, S> LazyState<'p, R, S> {
    /// The state of the first position of a line.
    pub(crate) fn of(state: S) -> Self {
        Self { found: OnceCell::from(state), origin: None }
    }

    /// The state after a move, or after a null move.
    #[inline]
    pub(crate) const fn after(
        before: &'p Position<R>,
        state: &'p Self,
        mv: Option<Move<R>>,
    ) -> Self {
        Self { found: OnceCell::new(), origin: Some((before, state, mv)) }
    }

    /// The state; `position` is the one that it belongs to.
    #[inline]
    pub(crate) fn get<E>(&self, evaluator: &E, position: &Position<R>) -> &S
    where
        E: Evaluator<R, State = S>,
    {
        self.found.get_or_init(|| match self.origin {
            None => evaluator.start(position),
            Some((before, state, mv)) => {
                let state = state.get(evaluator, before);
                match mv {
                    Some(mv) => evaluator.after(state, before, mv, position),
                    None => evaluator.after_pass(state, position),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;
    use crate::evaluation::{Evaluation, EvaluationState};

    /// Follows a random line with null moves and reads the states of some positions. Returns how many were
    /// computed from a state more than one move earlier.
    fn walk<R: Rules>(
        evaluation: &Evaluation<R>,
        position: &Position<R>,
        state: &LazyState<'_, R, EvaluationState>,
        (left, since): (u32, u32),
        random: &mut Random,
    ) -> usize {
        let moves = position.legal_moves();
        if left == 0 || moves.is_empty() || R::is_over(position) {
            return 0;
        }
        let ask = random.below(3) == 0;
        let start = evaluation.start(position);
        if ask {
            assert_eq!(*state.get(evaluation, position), start);
        }
        let pass = random.below(4) == 0 && !position.is_check();
        let mv = (!pass).then(|| random.pick(&moves));
        let next = mv.map_or_else(|| position.pass(), |mv| position.play_unchecked(mv));
        let after = LazyState::after(position, state, mv);
        let since_next = if ask { 1 } else { since + 1 };
        let below = walk(evaluation, &next, &after, (left - 1, since_next), random);
        // Once found, a state stays.
        assert_eq!(*state.get(evaluation, position), start);
        below + usize::from(ask && since > 1)
    }

    fn ask<R: Rules>(lines: u64) {
        let evaluation = Evaluation::<R>::standard();
        let mut random = Random::new(11);
        let start = R::start();
        let skipped: usize = (0..lines)
            .map(|_| {
                let state = LazyState::of(evaluation.start(&start));
                walk(&evaluation, &start, &state, (40, 1), &mut random)
            })
            .sum();
        assert!(skipped > 10, "some states are found across several moves");
    }

    for_every_variant!(states_found_late_are_those_found_from_scratch: ask(20; shogi: 6));
}
