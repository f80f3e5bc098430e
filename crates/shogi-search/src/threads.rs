//! Work on several threads, compiled once for all rule sets.

use std::thread;

/// Work for another thread.
pub(crate) type Helper<'h> = Box<dyn FnOnce() + Send + 'h>;

/// Does the work on this thread and that of the helpers on threads of their own, until all is done.
///
/// # Panics
///
/// If the system refuses a thread, or a helper panics.
pub(crate) fn beside(helpers: Vec<Helper<'_>>, work: &mut dyn FnMut()) {
    thread::scope(|scope| {
        for helper in helpers {
            scope.spawn(helper);
        }
        work();
    });
}
