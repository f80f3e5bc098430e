//! `estimate` and `counts`: how many positions there are, from a sample and exactly.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shogi_variants::operations::Method;
use shogi_variants::reach::EstimateReport;
use shogi_variants::tasks::EstimateTask;

use crate::error::{Raise, value_error};
use crate::interrupt::abandonable;
use crate::limits;
use crate::number::Number;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::variant::NameOrVariant;

/// An estimate of the number of reachable positions, with 95 % intervals.
#[pyclass(frozen, eq, module = "shogi_variants")]
#[derive(PartialEq)]
pub struct Estimate(EstimateReport);

#[pymethods]
impl Estimate {
    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &str {
        &self.0.variant
    }

    /// How the interval was made, after the name of the set that is drawn from.
    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    /// The seed of the samples.
    #[getter]
    const fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The number of samples.
    #[getter]
    const fn samples(&self) -> u64 {
        self.0.samples
    }

    /// The size of the set that is drawn from.
    #[getter]
    fn candidates(&self) -> PyResult<Number> {
        self.0.candidates.parse().map(Number).map_err(value_error)
    }

    /// The share of reachable ones.
    #[getter]
    const fn p(&self) -> f64 {
        self.0.p
    }

    /// The 95 % interval for `p`.
    #[getter]
    const fn p_interval(&self) -> (f64, f64) {
        (self.0.p_interval[0], self.0.p_interval[1])
    }

    /// The number of reachable positions.
    #[getter]
    const fn positions(&self) -> f64 {
        self.0.estimate
    }

    /// The 95 % interval for `positions`.
    #[getter]
    const fn interval(&self) -> (f64, f64) {
        (self.0.interval[0], self.0.interval[1])
    }

    /// How many samples are left after each stage.
    #[getter]
    fn funnel<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let funnel = &self.0.funnel;
        let left = PyDict::new(py);
        left.set_item("samples", funnel.samples)?;
        left.set_item("flip", funnel.flip)?;
        left.set_item("pawn", funnel.pawn)?;
        left.set_item("king", funnel.king)?;
        left.set_item("ok", funnel.ok)?;
        left.set_item("unknown", funnel.unknown)?;
        Ok(left)
    }

    /// Unreachable samples by the plies backwards until nothing new is found.
    #[getter]
    fn unreachable_by_plies(&self) -> BTreeMap<u32, u64> {
        self.0.unreachable_by_plies.clone()
    }

    /// All of it, as `shogi estimate --json` writes it.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(value_error)
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf, "_restore", (slf.get().to_json()?,))
    }

    #[staticmethod]
    fn _restore(json: &str) -> PyResult<Self> {
        serde_json::from_str(json).map(Self).map_err(value_error)
    }

    fn __repr__(&self) -> String {
        let EstimateReport { variant, estimate, interval: [low, high], .. } = &self.0;
        format!("<Estimate of {variant}: {estimate:.5e}, 95 % [{low:.5e}, {high:.5e}]>")
    }
}

/// Estimates the number of reachable positions from a sample, on all threads. `method` is `plain`,
/// `king-legal` or `strata`. Where there are no more candidates than samples, or than a million, all of them are looked at:
/// the `method` of the answer is then `exact`, and its intervals have no width.
///
/// >>> from shogi_variants import estimate
/// >>> found = estimate("minishogi", 20_000, seed=1)
/// >>> found.interval[0] < 2.3788e18 < found.interval[1]
/// True
#[pyfunction]
#[pyo3(signature = (variant, samples, *, seed = 1, method = "plain", progress = None))]
pub fn estimate(
    py: Python<'_>,
    variant: NameOrVariant,
    #[pyo3(from_py_with = limits::samples)] samples: u64,
    #[pyo3(from_py_with = limits::seed)] seed: u64,
    method: &str,
    progress: Option<Progress>,
) -> PyResult<Estimate> {
    let method: Method =
        method.parse().map_err(|error| value_error(format!("{method:?} is no method: {error}")))?;
    let task = EstimateTask { seed, method, ..EstimateTask::new(samples) };
    let watch = Watch::default();
    let run = watched(py, progress, &watch, || {
        let sampling = variant.0.reach().sampling(method)?;
        task.sample(&*sampling, &mut |done, samples| {
            watch.set(done, samples);
            watch.flow()
        })
    })?;
    Ok(Estimate(EstimateReport::from(&run.map_err(Raise::raise)?)))
}

/// Counts placements exactly, by the stage that drops them; `None` where that is too much.
///
/// >>> from shogi_variants import counts
/// >>> counts("dobutsu")["distinct"]
/// 1567925964
#[pyfunction]
pub fn counts<'py>(py: Python<'py>, variant: NameOrVariant) -> PyResult<Bound<'py, PyDict>> {
    let counts = abandonable(py, move || variant.0.ranking().counts())?.map_err(Raise::raise)?;
    let numbers = PyDict::new(py);
    for (name, number) in [
        ("candidates", Some(counts.candidates)),
        ("flip", Some(counts.flip)),
        ("pawn", Some(counts.pawn)),
        ("king", counts.king),
        ("distinct", Some(counts.distinct)),
        ("self_mirror", Some(counts.self_mirror)),
        ("pawn_distinct", Some(counts.pawn_distinct)),
        ("king_distinct", counts.king_distinct),
    ] {
        numbers.set_item(name, number.map(Number))?;
    }
    Ok(numbers)
}
