//! Stands in for the module `loaded` in builds that cannot load rule sets at run time.

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
