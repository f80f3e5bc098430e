//! Networks, those of this project and `nn.bin`, as evaluations of the player.

use shogi_core::{Move, Position};
use shogi_eval::network::Accumulators;
use shogi_eval::{NnBin, ValueNet, Values, nn_bin, value};
use shogi_rules::Rules;

use super::{Evaluator, Term};

/// Implements the evaluation by a network with this many hidden values a player.
macro_rules! evaluate_by {
    ($network:ident, $hidden:expr) => {
        impl<R: Rules> Evaluator<R> for $network<R> {
            /// The hidden values of both players.
            type State = Accumulators<{ $hidden }>;

            fn start(&self, position: &Position<R>) -> Self::State {
                self.accumulate(position)
            }

            #[inline]
            fn update(
                &self,
                next: &mut Self::State,
                state: &Self::State,
                before: &Position<R>,
                mv: Move<R>,
                after: &Position<R>,
            ) {
                self.update(next, state, before, mv, after);
            }

            #[inline]
            fn after_pass(&self, state: &Self::State, _: &Position<R>) -> Self::State {
                *state
            }

            #[inline]
            fn evaluate(&self, state: &Self::State, position: &Position<R>) -> i32 {
                self.evaluate(state, position)
            }

            fn values(&self) -> &Values {
                self.values()
            }

            fn explain(&self, position: &Position<R>) -> Vec<Term> {
                let value = self.evaluate(&self.accumulate(position), position);
                vec![Term { name: "network", value }]
            }
        }
    };
}

evaluate_by!(ValueNet, value::HIDDEN);
evaluate_by!(NnBin, nn_bin::HIDDEN);
