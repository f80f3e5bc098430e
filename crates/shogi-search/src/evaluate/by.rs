//! Evaluations by closures.

use std::fmt;

use shogi_core::Position;
use shogi_eval::Values;
use shogi_rules::Rules;

use super::Evaluator;

/// An evaluation that calls a closure; see [`evaluate_by`].
#[derive(Clone)]
pub struct EvaluateBy<F> {
    evaluate: F,
    values: Values,
}

/// Makes an evaluation from a closure that returns the value of a position for the player to move, in
/// hundredths of a pawn.
///
/// Exchanges of pieces use [`Values::standard`]; [`EvaluateBy::with_values`] sets others.
///
/// ```
/// use shogi_rules::{Game, Minishogi};
/// use shogi_search::{Control, Limits, Player, Settings, evaluate_by};
/// let freedom = evaluate_by::<Minishogi, _>(|position| {
///     position.count_moves() as i32 - position.pass().count_moves() as i32
/// });
/// let mut player = Player::new(freedom, Settings::default());
/// let game = Game::from_start();
/// let choice = player.think(&game, &Limits::depth(3), &Control::new(), |_| {});
/// assert_eq!(choice.depth, 3);
/// ```
pub fn evaluate_by<R: Rules, F: Fn(&Position<R>) -> i32 + Sync>(evaluate: F) -> EvaluateBy<F> {
    EvaluateBy { evaluate, values: Values::standard::<R>() }
}

impl<F> EvaluateBy<F> {
    /// Sets other values for exchanges of pieces.
    #[must_use]
    pub fn with_values(self, values: Values) -> Self {
        Self { values, ..self }
    }
}

impl<R: Rules, F: Fn(&Position<R>) -> i32 + Sync> Evaluator<R> for EvaluateBy<F> {
    type State = ();

    fn evaluate(&self, (): &(), position: &Position<R>) -> i32 {
        (self.evaluate)(position)
    }

    fn values(&self) -> &Values {
        &self.values
    }
}

impl<F> fmt::Debug for EvaluateBy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluateBy").field("values", &self.values).finish_non_exhaustive()
    }
}
