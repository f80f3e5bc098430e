//! Leaves chosen at run time.

use std::sync::Arc;

use shogi_core::{Move, Position};
use shogi_eval::{Linear, ProofEvaluation};
use shogi_rules::Rules;

use super::{Effort, Leaf, Learnt, Unit};
use crate::game::{Goal, RulesGame};

/// One of the leaves that a user may choose; the choice costs a branch for each new position.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::{AnyLeaf, Goal, Leaf, RulesGame, Unit};
///
/// let leaf = AnyLeaf::<Minishogi>::from(Unit);
/// let start = parse_position::<Minishogi>(Minishogi::START)?;
/// let numbers = leaf.numbers(&RulesGame::new(), Goal::win(Colour::Sente), &start);
/// assert_eq!(numbers, (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyLeaf<R: Rules> {
    /// Both numbers are 1.
    Unit(Unit),
    /// From a linear evaluation.
    Learnt(Learnt<Arc<Linear<R>>>),
    /// From the effort of a proof.
    Effort(Box<Effort<R, Arc<ProofEvaluation<R>>>>),
}

// A game loaded from a text has only the numbers 1 and 1: nothing else is compiled for it.
impl<R: Rules> Leaf<RulesGame<R>> for AnyLeaf<R> {
    fn is_costly(&self) -> bool {
        let of_leaf = || match self {
            Self::Unit(leaf) => Leaf::<RulesGame<R>>::is_costly(leaf),
            Self::Learnt(leaf) => leaf.is_costly(),
            Self::Effort(leaf) => leaf.is_costly(),
        };
        R::compiled_or_loaded(of_leaf, || false)
    }

    fn numbers(&self, game: &RulesGame<R>, goal: Goal, position: &Position<R>) -> (u32, u32) {
        let of_leaf = || match self {
            Self::Unit(leaf) => leaf.numbers(game, goal, position),
            Self::Learnt(leaf) => leaf.numbers(game, goal, position),
            Self::Effort(leaf) => leaf.numbers(game, goal, position),
        };
        R::compiled_or_loaded(of_leaf, || (1, 1))
    }

    fn numbers_below(
        &mut self,
        game: &RulesGame<R>,
        goal: Goal,
        above: &Position<R>,
        mv: Move<R>,
        position: &Position<R>,
    ) -> (u32, u32) {
        let of_leaf = || match self {
            Self::Unit(leaf) => leaf.numbers_below(game, goal, above, mv, position),
            Self::Learnt(leaf) => leaf.numbers_below(game, goal, above, mv, position),
            Self::Effort(leaf) => leaf.numbers_below(game, goal, above, mv, position),
        };
        R::compiled_or_loaded(of_leaf, || (1, 1))
    }
}

impl<R: Rules> From<Unit> for AnyLeaf<R> {
    fn from(leaf: Unit) -> Self {
        Self::Unit(leaf)
    }
}

impl<R: Rules> From<Learnt<Arc<Linear<R>>>> for AnyLeaf<R> {
    fn from(leaf: Learnt<Arc<Linear<R>>>) -> Self {
        Self::Learnt(leaf)
    }
}

impl<R: Rules> From<Effort<R, Arc<ProofEvaluation<R>>>> for AnyLeaf<R> {
    fn from(leaf: Effort<R, Arc<ProofEvaluation<R>>>) -> Self {
        Self::Effort(Box::new(leaf))
    }
}
