//! The variants that an engine can play.

use std::fmt;
use std::sync::Arc;

use shogi_rules::Rules;

use super::engine::{Engine, VariantEngine};
use crate::evaluate::Evaluator;
use crate::known::KnownValues;

/// A variant that an engine can play; the option `USI_Variant` chooses one of them while the engine runs.
///
/// ```
/// use shogi_rules::{Dobutsu, Minishogi};
/// use shogi_search::usi::{Config, EngineVariant};
/// const VARIANTS: &[EngineVariant] =
///     &[EngineVariant::of::<Dobutsu>(), EngineVariant::of::<Minishogi>()];
/// let config = Config::new(VARIANTS, VARIANTS[1]);
/// assert_eq!(VARIANTS[1].name(), "minishogi");
/// ```
#[derive(Clone, Copy)]
pub struct EngineVariant {
    name: &'static str,
    /// Whether it has evaluations to choose from.
    has_choice: bool,
    engine: fn() -> Box<dyn Engine>,
}

impl EngineVariant {
    /// The variant with these rules.
    pub const fn of<R: Rules>() -> Self {
        Self { name: R::NAME, has_choice: true, engine: || Box::new(VariantEngine::<R>::new(None)) }
    }

    /// The variant with these rules, which were read while the program runs: the thread that runs the engine has
    /// entered them.
    pub fn loaded<R: Rules>() -> Self {
        Self {
            name: R::name(),
            has_choice: true,
            engine: || Box::new(VariantEngine::<R>::new(None)),
        }
    }

    /// The variant with these rules, with the values in the directory that `TablebasePath` names.
    pub const fn with_tablebases<R: Rules, K: KnownValues<R> + 'static>() -> Self {
        Self {
            name: R::NAME,
            has_choice: true,
            engine: || {
                Box::new(VariantEngine::<R>::new(Some(|path| Arc::new(K::in_directory(path)))))
            },
        }
    }

    /// The variant with these rules, played by the default of an evaluation of your own.
    ///
    /// ```no_run
    /// use std::io::{BufReader, stdin, stdout};
    /// use shogi_rules::Minishogi;
    /// use shogi_rules::shogi_core::Position;
    /// use shogi_search::usi::{Config, EngineVariant, run};
    /// use shogi_search::{Evaluator, Values};
    ///
    /// /// Counts moves.
    /// struct Freedom(Values);
    ///
    /// impl Default for Freedom {
    ///     fn default() -> Self {
    ///         Self(Values::standard::<Minishogi>())
    ///     }
    /// }
    ///
    /// impl Evaluator<Minishogi> for Freedom {
    ///     type State = ();
    ///     fn evaluate(&self, _: &(), position: &Position<Minishogi>) -> i32 {
    ///         4 * (position.count_moves() as i32 - position.pass().count_moves() as i32)
    ///     }
    ///     fn values(&self) -> &Values {
    ///         &self.0
    ///     }
    /// }
    ///
    /// const FREEDOM: EngineVariant = EngineVariant::with_evaluation::<Minishogi, Freedom>();
    /// let mut config = Config::new(&[FREEDOM], FREEDOM);
    /// (config.name, config.author) = ("Freedom", "Ada");
    /// run(BufReader::new(stdin()), stdout(), &config)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn with_evaluation<R: Rules, E: Evaluator<R> + Default + Send + 'static>() -> Self {
        Self {
            name: R::NAME,
            has_choice: false,
            engine: || Box::new(VariantEngine::<R, E>::with_default_evaluation()),
        }
    }

    /// A name without an engine: to compile the engines of two variants takes longer than all other unit tests.
    #[cfg(test)]
    pub(super) const fn named(name: &'static str) -> Self {
        Self { name, has_choice: true, engine: || unreachable!("options start no engine") }
    }

    /// The name that chooses it: [`Rules::NAME`].
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Whether it has evaluations to choose from.
    pub(super) const fn has_choice(self) -> bool {
        self.has_choice
    }

    /// An engine for it, at its start.
    pub(super) fn engine(self) -> Box<dyn Engine> {
        (self.engine)()
    }
}

impl fmt::Debug for EngineVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineVariant").field(&self.name).finish()
    }
}

impl PartialEq for EngineVariant {
    /// Variants with the same name are the same.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for EngineVariant {}
