//! Values that outlive the call that makes them.

#[cfg(feature = "text")]
use shogi_rules::LoadedRules;

/// Where all rule sets are compiled, none is loaded.
#[cfg(not(feature = "text"))]
type LoadedRules = core::convert::Infallible;

/// Something of a rule set that is used again and again, such as a solver. If the rule set was read as text, each use enters
/// it and leaves it after, on whichever thread.
///
/// The tasks and values of this crate do this by themselves. It is for programs that bring code of their own for every rule set
/// and keep what that code has made.
///
/// ```
/// use shogi_variants::core::Position;
/// use shogi_variants::{OfVariant, RuleSet, Variant, Visitor};
///
/// trait Moves {
///     fn count(&self) -> u64;
/// }
/// impl<R: RuleSet> Moves for Position<R> {
///     fn count(&self) -> u64 {
///         self.count_moves()
///     }
/// }
///
/// struct Start;
/// impl Visitor for Start {
///     type Output = OfVariant<Box<dyn Moves>>;
///     fn visit<R: RuleSet>(self) -> Self::Output {
///         OfVariant::new(Box::new(R::start()))
///     }
/// }
/// let start = Variant::Minishogi.visit(Start);
/// assert_eq!(start.with(|position| position.count()), 14);
/// ```
#[derive(Debug)]
pub struct Held<T> {
    content: T,
    rules: Option<LoadedRules>,
}

impl<T> Held<T> {
    /// Holds what was made with the rule set that the thread works with, as it does inside [`Variant::visit`].
    ///
    /// [`Variant::visit`]: crate::Variant::visit
    pub fn new(content: T) -> Self {
        #[cfg(feature = "text")]
        let rules = LoadedRules::entered();
        #[cfg(not(feature = "text"))]
        let rules = None;
        Self { content, rules }
    }

    /// The content, for uses that do not depend on the rule set.
    pub const fn get(&self) -> &T {
        &self.content
    }

    /// Uses it.
    pub fn with<U>(&self, work: impl FnOnce(&T) -> U) -> U {
        within(self.rules, || work(&self.content))
    }

    /// Uses and changes it.
    pub fn with_mut<U>(&mut self, work: impl FnOnce(&mut T) -> U) -> U {
        within(self.rules, || work(&mut self.content))
    }

    /// Uses it up.
    #[cfg(feature = "solve")]
    pub(super) fn consume<U>(self, work: impl FnOnce(T) -> U) -> U {
        within(self.rules, || work(self.content))
    }
}

/// Calls a function within a rule set, if it was read as text.
fn within<T>(rules: Option<LoadedRules>, work: impl FnOnce() -> T) -> T {
    match rules {
        #[cfg(feature = "text")]
        Some(rules) => rules.within(work),
        #[cfg(not(feature = "text"))]
        Some(none) => match none {},
        None => work(),
    }
}
