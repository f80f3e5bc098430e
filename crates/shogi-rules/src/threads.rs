//! Starting threads that work with the rule set of their parent.
//!
//! A loaded rule set belongs to a thread. A thread that the standard library or rayon starts has none, and
//! would silently give wrong answers. So these libraries start all threads here; a test searches their sources
//! for others.

use std::io;
use std::string::String;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};
#[cfg(feature = "parallel")]
use std::vec::Vec;

#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::loaded::inheritance;

/// The same work for another thread: it begins by entering the rule set that this thread has entered.
fn inherit<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let rules = inheritance();
    move || rules.within(work)
}

/// Starts a thread in a scope of [`std::thread::scope`], with the rule set of this thread.
///
/// ```
/// use shogi_rules::LoadedRules;
/// use shogi_rules::threads::spawn_scoped;
/// let rules = std::thread::scope(|scope| {
///     spawn_scoped(scope, LoadedRules::entered)?.join().map_err(|_| std::io::Error::other("a panic"))
/// })?;
/// assert_eq!(rules, LoadedRules::entered());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the system refuses a thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, inherit(work))
}

/// Starts a thread that may outlive this one, with the rule set of this thread.
///
/// # Errors
///
/// If the system refuses a thread.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(String::from(name)).spawn(inherit(work))
}

/// Calls both functions, on two threads of the rayon pool if it has them, with the rule set of this thread.
#[cfg(feature = "parallel")]
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(inherit(one), inherit(other))
}

/// Maps each item by a function on all threads of the rayon pool, with the rule set of this thread; the results
/// keep the order.
///
/// ```
/// use shogi_rules::threads::map;
/// assert_eq!(map(vec![1, 2, 3], &|number| number * number), [1, 4, 9]);
/// ```
#[cfg(feature = "parallel")]
pub fn map<I: Send, T: Send>(items: Vec<I>, each: &(dyn Fn(I) -> T + Sync)) -> Vec<T> {
    let again = inheritance();
    items.into_par_iter().map(|item| again.within(|| each(item))).collect()
}

/// Hands out jobs to the threads of the rayon pool; see [`with_jobs`].
#[cfg(feature = "parallel")]
pub struct Jobs<'a, 'scope>(&'a rayon::Scope<'scope>);

#[cfg(feature = "parallel")]
impl<'scope> Jobs<'_, 'scope> {
    /// Hands out a job, which runs with the rule set of this thread.
    pub fn add(&self, work: impl FnOnce() + Send + 'scope) {
        let job = inherit(work);
        self.0.spawn(move |_| job());
    }
}

/// Calls a function on this thread that hands out jobs, and waits for them.
#[cfg(feature = "parallel")]
pub fn with_jobs<'scope, T>(hand_out: impl FnOnce(&Jobs<'_, 'scope>) -> T) -> T {
    rayon::in_place_scope(|scope| hand_out(&Jobs(scope)))
}
