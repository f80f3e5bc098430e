//! Stands in for the module `loaded` in builds that cannot load rule sets at run time.

/// Wraps a function for another thread: there it first enters the rule set that this thread has entered, if
/// rule sets can be loaded at run time (feature `loaded`).
pub fn inherit<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    work
}

/// Nothing to inherit: each type stands for one rule set.
#[cfg(feature = "parallel")]
#[derive(Clone, Copy)]
pub(crate) struct Inheritance;

#[cfg(feature = "parallel")]
pub(crate) const fn inheritance() -> Inheritance {
    Inheritance
}

#[cfg(feature = "parallel")]
impl Inheritance {
    pub(crate) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }
}
