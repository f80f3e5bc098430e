//! The evaluation that a variant is played with.

use std::path::Path;

use shogi_core::{Move, Position};
use shogi_learn::{FileError, KingPiece, Values};
use shogi_rules::Rules;

use crate::evaluate::{Evaluator, Material, Strategic, Term};

/// An evaluation chosen when the program runs: by name, or tables from a file.
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
    /// Material with strategic terms.
    Strategic(Strategic<R>),
    /// Tables by the king's square.
    KingPiece(KingPiece<R>),
}

/// The names of evaluations, for [`Evaluation::named`].
pub const EVALUATIONS: [&str; 4] = ["standard", "material", "strategic", "tables"];

impl<R: Rules> Evaluation<R> {
    /// The evaluation that the variant is played with by default: the tables of `shogi-learn`
    /// where there are some; else material, in variants with castles with strategic terms.
    pub fn standard() -> Self {
        match KingPiece::tuned() {
            Some(tables) => Self::KingPiece(tables),
            None if !R::CASTLES.is_empty() => {
                Self::Strategic(Strategic::new(Values::standard::<R>()))
            }
            None => Self::Material(Material::new(Values::standard::<R>())),
        }
    }

    /// One of [`EVALUATIONS`]: the standard one, material, material with strategic terms, or the tables
    /// of the crate. `None` for another name, and where the crate has no tables of the variant.
    ///
    /// ```
    /// use shogi_search::shogi_rules::{Minishogi, Shogi};
    /// use shogi_search::Evaluation;
    /// assert!(matches!(Evaluation::<Shogi>::named("material"), Some(Evaluation::Material(_))));
    /// assert!(matches!(Evaluation::<Minishogi>::named("tables"), Some(Evaluation::KingPiece(_))));
    /// assert!(Evaluation::<Shogi>::named("tables").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "standard" => Some(Self::standard()),
            "material" => Some(Self::Material(Material::new(Values::standard::<R>()))),
            "strategic" => Some(Self::Strategic(Strategic::new(Values::standard::<R>()))),
            "tables" => KingPiece::tuned().map(Self::KingPiece),
            _ => None,
        }
    }

    /// Tables from a file.
    ///
    /// # Errors
    ///
    /// As [`KingPiece::load`].
    pub fn load(path: &Path) -> Result<Self, FileError> {
        KingPiece::load(path).map(Self::KingPiece)
    }

    /// A name that two evaluations of a variant share only if they are the same: `material`, `strategic`,
    /// or `tables` with the beginning of the tables' hash.
    pub fn name(&self) -> String {
        match self {
            Self::Material(_) => "material".to_owned(),
            Self::Strategic(_) => "strategic".to_owned(),
            Self::KingPiece(tables) => {
                let hash = blake3::hash(tables.to_json().as_bytes()).to_hex();
                format!("tables {}", &hash[..16])
            }
        }
    }
}

impl<R: Rules> Evaluator<R> for Evaluation<R> {
    /// Of tables; the others have none, and leave it as it is.
    type State = [i32; 2];

    #[inline]
    fn start(&self, position: &Position<R>) -> [i32; 2] {
        match self {
            Self::Material(_) | Self::Strategic(_) => [0; 2],
            Self::KingPiece(tables) => tables.start(position),
        }
    }

    #[inline]
    fn after(
        &self,
        state: &[i32; 2],
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) -> [i32; 2] {
        match self {
            Self::Material(_) | Self::Strategic(_) => *state,
            Self::KingPiece(tables) => tables.after(state, before, mv, after),
        }
    }

    #[inline]
    fn evaluate(&self, state: &[i32; 2], position: &Position<R>) -> i32 {
        match self {
            Self::Material(material) => material.evaluate(&(), position),
            Self::Strategic(strategic) => strategic.evaluate(&(), position),
            Self::KingPiece(tables) => tables.evaluate(state, position),
        }
    }

    #[inline]
    fn values(&self) -> &Values {
        match self {
            Self::Material(material) => material.values(),
            Self::Strategic(strategic) => strategic.values(),
            Self::KingPiece(tables) => tables.values(),
        }
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        match self {
            Self::Material(material) => material.explain(position),
            Self::Strategic(strategic) => strategic.explain(position),
            Self::KingPiece(tables) => tables.explain(position),
        }
    }
}
