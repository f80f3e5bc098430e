//! The evaluation that a variant is played with.

use std::path::Path;

use shogi_core::{Move, Position};
use shogi_rules::{Rules, Shogi};

use crate::evaluate::{Evaluator, KingPiece, Material, TablesError, Term, Values};

/// An evaluation chosen when the program runs: material, or tables from a file.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_search::{Evaluation, Evaluator};
/// let evaluation = Evaluation::<Minishogi>::standard();
/// let start = parse_position::<Minishogi>(Minishogi::START)?;
/// let value = evaluation.evaluate(&evaluation.start(&start), &start);
/// let terms = evaluation.explain(&start);
/// assert_eq!(terms.iter().map(|term| term.value).sum::<i32>(), value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Evaluation<R: Rules> {
    /// Material alone.
    Material(Material<R>),
    /// Tables by the king's square.
    KingPiece(KingPiece<R>),
}

impl<R: Rules> Evaluation<R> {
    /// What the variant is played with unless something else is asked for: the tables of the crate
    /// where there are some, in shogi the values of Tanigawa, else values by freedom.
    pub fn standard() -> Self {
        if let Some(tables) = KingPiece::tuned() {
            return Self::KingPiece(tables);
        }
        Self::material(if R::NAME == Shogi::NAME {
            Material::tanigawa().values().clone()
        } else {
            Values::by_freedom::<R>()
        })
    }

    /// Material by these values.
    pub fn material(values: Values) -> Self {
        Self::Material(Material::new(values))
    }

    /// Tables from a file.
    ///
    /// # Errors
    ///
    /// As [`KingPiece::load`].
    pub fn load(path: &Path) -> Result<Self, TablesError> {
        KingPiece::load(path).map(Self::KingPiece)
    }
}

impl<R: Rules> Evaluator<R> for Evaluation<R> {
    /// Of tables; material has none, and leaves it as it is.
    type State = [i32; 2];

    #[inline]
    fn start(&self, position: &Position<R>) -> [i32; 2] {
        match self {
            Self::Material(_) => [0; 2],
            Self::KingPiece(tables) => tables.start(position),
        }
    }

    #[inline]
    fn after(
        &self,
        state: &[i32; 2],
        before: &Position<R>,
        made: Move<R>,
        after: &Position<R>,
    ) -> [i32; 2] {
        match self {
            Self::Material(_) => *state,
            Self::KingPiece(tables) => tables.after(state, before, made, after),
        }
    }

    #[inline]
    fn evaluate(&self, state: &[i32; 2], position: &Position<R>) -> i32 {
        match self {
            Self::Material(material) => material.evaluate(&(), position),
            Self::KingPiece(tables) => tables.evaluate(state, position),
        }
    }

    #[inline]
    fn values(&self) -> &Values {
        match self {
            Self::Material(material) => material.values(),
            Self::KingPiece(tables) => tables.values(),
        }
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        match self {
            Self::Material(material) => material.explain(position),
            Self::KingPiece(tables) => tables.explain(position),
        }
    }
}
