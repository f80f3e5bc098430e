//! Static evaluation of positions.

mod by;
mod lazy;
mod material;
#[cfg(feature = "evaluations")]
mod network;
mod weighted;

use std::fmt;

use shogi_core::{Move, Position};
use shogi_eval::Values;
use shogi_rules::Rules;

use crate::parameters::Parameters;

pub use by::{EvaluateBy, evaluate_by};
pub(crate) use lazy::LazyStates;
pub use material::Material;

/// An evaluation for the search.
///
/// An evaluation of the position alone needs two methods; [`evaluate_by`] makes one from a closure:
///
/// ```
/// use shogi_rules::shogi_core::Position;
/// use shogi_rules::{Game, Minishogi, Rules};
/// use shogi_search::{Control, Evaluator, Limits, Player, Settings, Term, Values};
///
/// /// Counts moves.
/// struct Freedom(Values);
/// impl<R: Rules> Evaluator<R> for Freedom {
///     type State = ();
///     fn evaluate(&self, _: &(), position: &Position<R>) -> i32 {
///         position.count_moves() as i32 - position.pass().count_moves() as i32
///     }
///     fn values(&self) -> &Values {
///         &self.0
///     }
/// }
/// let mut player = Player::new(Freedom(Values::by_freedom::<Minishogi>()), Settings::default());
/// let game = Game::<Minishogi>::from_start();
/// let choice = player.think(&game, &Limits::depth(3), &Control::new(), |_| {});
/// assert!(choice.depth == 3);
/// ```
///
/// The search carries a [`State`](Self::State) along each line, so that an evaluation can be updated
/// move by move: such an evaluation also implements [`start`](Self::start), and [`update`](Self::update)
/// where that is faster.
pub trait Evaluator<R: Rules>: Sync {
    /// The state that is carried along a line; `()` if there is none.
    type State: Clone + Send + Default;

    /// The state of a position, from scratch. The default implementation returns the default of the
    /// type, which is right for `()`.
    fn start(&self, position: &Position<R>) -> Self::State {
        let _ = position;
        Self::State::default()
    }

    /// Sets `next` to the state after a move, from the state before it. Whatever `next` holds, the state of another
    /// position, it must then equal the result of [`Self::start`], which the default implementation calls.
    fn update(
        &self,
        next: &mut Self::State,
        state: &Self::State,
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) {
        let _ = (state, before, mv);
        *next = self.start(after);
    }

    /// The state after a null move, which passes the turn, from the state before it. It must equal the
    /// result of [`Self::start`].
    fn after_pass(&self, state: &Self::State, after: &Position<R>) -> Self::State {
        let _ = state;
        self.start(after)
    }

    /// The value of the position for the player to move, in hundredths of a pawn. The search clamps it
    /// to -20,000 to 20,000.
    fn evaluate(&self, state: &Self::State, position: &Position<R>) -> i32;

    /// The values of pieces for exchanges.
    fn values(&self) -> &Values;

    /// The parameters of a search with this evaluation; by default those that were tuned for the game.
    fn parameters(&self) -> Parameters {
        Parameters::of_game(R::name())
    }

    /// The terms that add up to the evaluation; by default a single one.
    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        vec![Term { name: "evaluation", value: self.evaluate(&self.start(position), position) }]
    }
}

/// A part of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The subject of the term.
    pub name: &'static str,
    /// Its value for the player to move, in hundredths of a pawn.
    pub value: i32,
}

impl Term {
    fn all(terms: &[(&'static str, i32)]) -> Vec<Self> {
        terms.iter().map(|&(name, value)| Self { name, value }).collect()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<24} {:>+8.2}", self.name, f64::from(self.value) / 100.0)
    }
}
