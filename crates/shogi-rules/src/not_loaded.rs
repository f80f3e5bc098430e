//! What code for all rule sets needs of those that are read while the program runs, where there are none.

/// The same work for another thread: it begins by entering the rule set that this thread has entered, if rule sets can
/// be read while the program runs (feature `loaded`).
pub fn inherit<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    work
}
