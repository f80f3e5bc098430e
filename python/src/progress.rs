//! How far a long call is: counted by the threads that work, shown by the thread that called.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::prelude::*;

use crate::given::needed;
use crate::interrupt::{abandonable_watched, looked_after};

/// What is done of a piece of work, and whether it is to end.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    done: AtomicU64,
    /// 0 while it is not known.
    total: AtomicU64,
}

impl Watch {
    /// Work of this size.
    pub fn of(total: usize) -> Self {
        let watch = Self::default();
        watch.total.store(total as u64, Ordering::Relaxed);
        watch
    }

    /// Counts what has been done since.
    pub fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// Sets what is done, and of how much.
    pub fn set(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// The stop signal.
    pub const fn signal(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Whether the work is to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The same for callbacks that can end their caller.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What shows the progress of a call: a function that is called with what is done and of how much (`None` where
/// that is not known), with `True` a bar of tqdm, or nothing.
pub struct Progress {
    show: Option<Py<PyAny>>,
    shown: Option<(u64, u64)>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Progress {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let show = match value.extract::<bool>() {
            Ok(false) => None,
            Ok(true) => Some(bars(value.py())?.getattr("Bar")?.call0()?.unbind()),
            Err(_) if value.is_callable() => Some(value.to_owned().unbind()),
            Err(_) => return Err(needed("a function of two numbers, True, False or None", &value)),
        };
        Ok(Self { show, shown: None })
    }
}

/// The module with the bars.
fn bars(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("shogi_variants._progress")
}

impl Progress {
    /// The one that a call names, or the default: a bar in notebooks.
    fn named_or_default(py: Python<'_>, named: Option<Self>) -> PyResult<Self> {
        match named {
            Some(named) => Ok(named),
            None => {
                Ok(Self { show: bars(py)?.getattr("by_default")?.call0()?.extract()?, shown: None })
            }
        }
    }

    /// Shows what has changed.
    pub fn show(&mut self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        let Some(show) = &self.show else { return Ok(()) };
        let now = (watch.done.load(Ordering::Relaxed), watch.total.load(Ordering::Relaxed));
        if self.shown != Some(now) {
            self.shown = Some(now);
            let (done, total) = now;
            show.call1(py, (done, (total > 0).then_some(total)))?;
        }
        Ok(())
    }

    /// Shows the end, and closes what can be closed.
    pub fn finish(&mut self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        self.show(py, watch)?;
        match self.show.as_ref().map(|show| show.getattr(py, "close")) {
            Some(Ok(close)) => close.call0(py).map(drop),
            _ => Ok(()),
        }
    }
}

/// Runs work that counts what it has done and ends soon after it is stopped: by Ctrl-C, or by an exception of
/// the function that shows its progress.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Progress>,
    watch: &Watch,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let mut progress = Progress::named_or_default(py, progress)?;
    let mut look = |py: Python<'_>| progress.show(py, watch);
    let stop = || watch.stopped.store(true, Ordering::Relaxed);
    let value = looked_after(py, stop, &mut look, work);
    finished(py, progress, watch, value)
}

/// Runs work that counts what it has done and cannot be stopped: where Ctrl-C or the function that shows its
/// progress raises, the call returns at once and the work goes on by itself to its end.
pub fn unstoppable<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Progress>,
    work: impl FnOnce(&Watch) -> T + Send + 'static,
) -> PyResult<T> {
    let mut progress = Progress::named_or_default(py, progress)?;
    let watch = Arc::new(Watch::default());
    let counting = Arc::clone(&watch);
    let mut look = |py: Python<'_>| progress.show(py, &watch);
    let value = abandonable_watched(py, &mut look, move || work(&counting));
    finished(py, progress, &watch, value)
}

/// A value, after the end of the work has been shown.
fn finished<T>(
    py: Python<'_>,
    mut progress: Progress,
    watch: &Watch,
    value: PyResult<T>,
) -> PyResult<T> {
    let finished = progress.finish(py, watch);
    value.and_then(|value| finished.map(|()| value))
}
