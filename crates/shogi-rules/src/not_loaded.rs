//! What code for all rule sets needs of those that are read while the program runs, where there are none.

/// The same work for another thread: it begins by entering the rule set that this thread has entered, if rule sets can
/// be read while the program runs (feature `loaded`).
pub fn inherit<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    work
}

/// Nothing: there is but one rule set for each type.
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
