//! What a search may take, from Python's numbers.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use shogi_variants::solve::Budget;

use crate::error::value_error;

/// A time in seconds.
pub fn time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| value_error(format!("seconds: {error}")))
}

/// A budget that also ends with the stop signal.
pub const fn budget(nodes: Option<u64>, stop: &AtomicBool) -> Budget<'_> {
    let budget = match nodes {
        Some(nodes) => Budget::nodes(nodes),
        None => Budget::unlimited(),
    };
    budget.stopped_by(stop)
}

/// The bytes of a table, asked for now, so that a refusal is an exception.
pub fn hash_bytes(megabytes: usize) -> PyResult<usize> {
    let bytes = megabytes.checked_mul(1 << 20).filter(|&bytes| bytes > 0);
    let bytes = bytes.ok_or_else(|| value_error("hash_mb: a table has at least 1 megabyte"))?;
    match Vec::<u8>::new().try_reserve_exact(bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(PyMemoryError::new_err(format!("hash_mb: {error}"))),
    }
}
