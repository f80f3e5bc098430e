//! What code for all rule sets needs of those that are read while the program runs, where there are none.

/// Nothing: there is but one rule set for each type.
#[cfg(feature = "threads")]
#[derive(Clone, Copy)]
pub(crate) struct Inheritance;

#[cfg(feature = "threads")]
pub(crate) const fn inheritance() -> Inheritance {
    Inheritance
}

#[cfg(feature = "threads")]
impl Inheritance {
    pub(crate) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }
}
