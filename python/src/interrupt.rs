//! Long calls: they release the interpreter's lock, and Ctrl-C ends them. The thread of the work uses the rules that the
//! caller's thread uses.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use shogi_variants::rules::threads::{spawn, spawn_scoped};

/// Time between two looks at Python's signals.
const LOOK: Duration = Duration::from_millis(50);

/// Runs work that ends soon after its stop signal is set, which a signal handler of Python that raises
/// (Ctrl-C) does.
pub fn stoppable<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let signal = AtomicBool::new(false);
    stoppable_by(py, || signal.store(true, Ordering::Relaxed), || work(&signal))
}

/// Runs work that ends soon after `stop` is called.
pub fn stoppable_by<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Send + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    looked_after(py, stop, &mut |_| Ok(()), work)
}

/// Runs work that ends soon after `stop` is called, which happens where a signal handler of Python raises, or
/// `look`, which is called now and then by the thread that waits.
pub fn looked_after<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Send + Sync,
    look: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let worker = spawn_scoped(scope, || {
                // Dropped with the end of the work, however it ends.
                let _ended = ended;
                work()
            })?;
            let mut raised = Ok(());
            while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| look(py)));
                    if raised.is_err() {
                        stop();
                    }
                }
            }
            let value = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map(|()| value)
        })
    })
}

/// Runs work that cannot be stopped: where a signal handler of Python raises, the call returns at once
/// and the work goes on by itself to its end, which nobody hears of.
pub fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    abandonable_watched(py, &mut |_| Ok(()), work)
}

/// The same, where `look` is called now and then by the thread that waits, and can give the work up too.
pub fn abandonable_watched<T: Send + 'static>(
    py: Python<'_>,
    look: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        let (result, end) = channel();
        // After the call was given up nobody waits for the result.
        spawn("shogi", move || result.send(work()).is_ok())?;
        loop {
            match end.recv_timeout(LOOK) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Timeout) => {
                    Python::attach(|py| py.check_signals().and_then(|()| look(py)))?;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work has panicked"));
                }
            }
        }
    })
}
