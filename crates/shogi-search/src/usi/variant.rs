//! The variants that an engine can play.

use std::fmt;
use std::sync::Arc;

use shogi_rules::Rules;

use super::engine::{Engine, VariantEngine};
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
    engine: fn() -> Box<dyn Engine>,
}

impl EngineVariant {
    /// The variant with these rules.
    pub const fn of<R: Rules>() -> Self {
        Self { name: R::NAME, engine: || Box::new(VariantEngine::<R>::new(None)) }
    }

    /// The variant with these rules, which were read while the program runs: the thread that runs the engine has
    /// entered them.
    pub fn loaded<R: Rules>() -> Self {
        Self { name: R::name(), engine: || Box::new(VariantEngine::<R>::new(None)) }
    }

    /// The variant with these rules, with the values in the directory that `TablebasePath` names.
    pub const fn with_tablebases<R: Rules, K: KnownValues<R> + 'static>() -> Self {
        Self {
            name: R::NAME,
            engine: || {
                Box::new(VariantEngine::<R>::new(Some(|path| Arc::new(K::in_directory(path)))))
            },
        }
    }

    /// A name without an engine: to compile the engines of two variants takes longer than all other unit tests.
    #[cfg(test)]
    pub(super) const fn named(name: &'static str) -> Self {
        Self { name, engine: || unreachable!("options start no engine") }
    }

    /// The name that chooses it: [`Rules::NAME`].
    pub const fn name(self) -> &'static str {
        self.name
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
