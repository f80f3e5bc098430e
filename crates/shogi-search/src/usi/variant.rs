//! The variants that an engine can play.

use std::fmt;
use std::sync::Arc;

use shogi_rules::Rules;
#[cfg(feature = "text")]
use shogi_rules::text::{BuiltIn, TextLoadError, TextVariant};
#[cfg(feature = "text")]
use shogi_rules::{LargeBoard, LoadedRules, SmallBoard};

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
    source: Source,
}

/// The source of the rules.
#[derive(Clone, Copy)]
enum Source {
    /// Rules compiled into the engine that the function makes.
    Compiled(fn() -> Box<dyn Engine>),
    /// Rules loaded at run time.
    #[cfg(feature = "text")]
    Loaded(LoadedRules),
    /// A text that is read when the game is chosen.
    #[cfg(feature = "text")]
    Text(&'static str),
}

impl EngineVariant {
    /// The variant with these rules.
    pub const fn of<R: Rules>() -> Self {
        Self::compiled(R::NAME, || Box::new(VariantEngine::<R>::new(None)))
    }

    const fn compiled(name: &'static str, engine: fn() -> Box<dyn Engine>) -> Self {
        Self { name, has_choice: true, source: Source::Compiled(engine) }
    }

    /// The variant with these loaded rules.
    #[cfg(feature = "text")]
    pub fn loaded(rules: LoadedRules) -> Self {
        Self { name: &rules.spec().name, has_choice: true, source: Source::Loaded(rules) }
    }

    /// A game built in as a text, which is read when the game is chosen.
    ///
    /// ```
    /// use shogi_rules::text::BUILT_IN;
    /// use shogi_search::usi::EngineVariant;
    /// const GOROGORO: EngineVariant = EngineVariant::built_in(BUILT_IN[0]);
    /// assert_eq!(GOROGORO.name(), "gorogoro");
    /// ```
    #[cfg(feature = "text")]
    pub const fn built_in(game: BuiltIn) -> Self {
        Self { name: game.name, has_choice: true, source: Source::Text(game.text) }
    }

    /// The variant with these rules, and with the values in the directory that `TablebasePath` names.
    pub const fn with_tablebases<R: Rules, K: KnownValues<R> + 'static>() -> Self {
        Self::compiled(R::NAME, || {
            Box::new(VariantEngine::<R>::new(Some(|path| Arc::new(K::in_directory(path)))))
        })
    }

    /// The variant with these rules, played with the default of a custom evaluation.
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
        let engine = Source::Compiled(|| {
            Box::new(VariantEngine::<R, E>::with_default_evaluation()) as Box<dyn Engine>
        });
        Self { name: R::NAME, has_choice: false, source: engine }
    }

    /// A name without an engine, since compiling the engines of two variants takes longer than all other unit
    /// tests.
    #[cfg(test)]
    pub(super) const fn named(name: &'static str) -> Self {
        Self::compiled(name, || unreachable!("options start no engine"))
    }

    /// The name: [`Rules::NAME`].
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Whether it has evaluations to choose from.
    pub(super) const fn has_choice(self) -> bool {
        self.has_choice
    }

    /// Reads the rules if they are a text.
    #[cfg(feature = "text")]
    pub(super) fn ready(self) -> Result<Self, TextLoadError> {
        match self.source {
            Source::Text(text) => Ok(Self::loaded(TextVariant::load(text)?.rules())),
            Source::Compiled(_) | Source::Loaded(_) => Ok(self),
        }
    }

    /// The variant itself: all rules are compiled.
    #[cfg(not(feature = "text"))]
    pub(super) const fn ready(self) -> Result<Self, std::convert::Infallible> {
        Ok(self)
    }

    /// Calls a function on this thread within the rules of the variant, which must be [ready](Self::ready).
    pub(super) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        match self.source {
            #[cfg(feature = "text")]
            Source::Loaded(rules) => rules.within(work),
            _ => work(),
        }
    }

    /// An engine at the start of the variant, if it is [ready](Self::ready). Must be called
    /// [within](Self::within) its rules.
    pub(super) fn engine(self) -> Option<Box<dyn Engine>> {
        match self.source {
            Source::Compiled(engine) => Some(engine()),
            #[cfg(feature = "text")]
            Source::Loaded(rules) if rules.is_small() => {
                Some(Box::new(VariantEngine::<SmallBoard>::new(None)))
            }
            #[cfg(feature = "text")]
            Source::Loaded(_) => Some(Box::new(VariantEngine::<LargeBoard>::new(None))),
            #[cfg(feature = "text")]
            Source::Text(_) => None,
        }
    }
}

impl fmt::Debug for EngineVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EngineVariant").field(&self.name).finish()
    }
}

impl PartialEq for EngineVariant {
    /// Variants with the same name are equal.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for EngineVariant {}
