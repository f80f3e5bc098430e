//! What outlives the call that makes it.

#[cfg(feature = "text")]
use shogi_rules::LoadedRules;

/// Something of a rule set that is used again and again, such as a solver. If the rule set was read as text, each use enters
/// it and leaves it after, on whichever thread.
pub(crate) struct Held<T> {
    content: T,
    /// The rule set, if it was read as text.
    #[cfg(feature = "text")]
    rules: Option<LoadedRules>,
}

impl<T> Held<T> {
    /// Holds what was made with the rule set that the thread works with.
    pub(crate) fn new(content: T) -> Self {
        Self {
            content,
            #[cfg(feature = "text")]
            rules: LoadedRules::entered(),
        }
    }

    /// What it is, for what does not depend on the rule set.
    #[cfg(any(feature = "solve", feature = "search"))]
    pub(crate) const fn get(&self) -> &T {
        &self.content
    }

    /// Uses it.
    pub(crate) fn with<U>(&self, work: impl FnOnce(&T) -> U) -> U {
        #[cfg(feature = "text")]
        let _entered = self.rules.map(LoadedRules::enter);
        work(&self.content)
    }

    /// Uses and changes it.
    #[cfg(any(feature = "proof", feature = "search"))]
    pub(crate) fn with_mut<U>(&mut self, work: impl FnOnce(&mut T) -> U) -> U {
        #[cfg(feature = "text")]
        let _entered = self.rules.map(LoadedRules::enter);
        work(&mut self.content)
    }

    /// Uses it up.
    #[cfg(feature = "solve")]
    pub(super) fn consume<U>(self, work: impl FnOnce(T) -> U) -> U {
        #[cfg(feature = "text")]
        let _entered = self.rules.map(LoadedRules::enter);
        work(self.content)
    }
}
