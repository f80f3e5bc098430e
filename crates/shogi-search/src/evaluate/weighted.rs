//! Weighted features as an evaluation of the player.

use shogi_core::Position;
use shogi_eval::{Values, Weighted};
use shogi_rules::Rules;

use super::{Evaluator, Term};

impl<R: Rules> Evaluator<R> for Weighted<R> {
    type State = ();

    fn evaluate(&self, _: &(), position: &Position<R>) -> i32 {
        self.evaluate(position)
    }

    fn values(&self) -> &Values {
        self.values()
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        Term::all(&self.terms(position))
    }
}
