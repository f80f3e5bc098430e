//! `estimate` and `counts`: how many positions there are, from a sample and exactly.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shogi_variants::operations::{Error, Method};
use shogi_variants::reach::EstimateReport;
use shogi_variants::tasks::{EstimateTask, Estimated};

use crate::error::{Raise, value_error};
use crate::given::Placed;
use crate::interrupt::abandonable;
use crate::limits;
use crate::number::Number;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::variant::NameOrVariant;

/// An estimate of the number of reachable positions, with 95 % intervals; or their number, where all are listed.
#[pyclass(frozen, eq, module = "shogi_variants")]
#[derive(PartialEq)]
pub struct Estimate(Estimated);

impl Estimate {
    /// What is said of samples; none of a listing.
    const fn sampled(&self) -> Option<&EstimateReport> {
        match &self.0 {
            Estimated::Sampled(report) => Some(report),
            Estimated::Listed(_) => None,
        }
    }
}

#[pymethods]
impl Estimate {
    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &str {
        match &self.0 {
            Estimated::Sampled(report) => &report.variant,
            Estimated::Listed(listed) => &listed.variant,
        }
    }

    /// How the interval was made, after the name of the set that is drawn from; `forward listing` where all positions are
    /// listed.
    #[getter]
    fn method(&self) -> &str {
        match &self.0 {
            Estimated::Sampled(report) => &report.method,
            Estimated::Listed(listed) => &listed.method,
        }
    }

    /// The seed of the samples; `None` of a listing.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.sampled().map(|report| report.seed)
    }

    /// The number of samples; `None` of a listing.
    #[getter]
    fn samples(&self) -> Option<u64> {
        self.sampled().map(|report| report.samples)
    }

    /// The size of the set that is drawn from.
    #[getter]
    fn candidates(&self) -> PyResult<Number> {
        let candidates = match &self.0 {
            Estimated::Sampled(report) => &report.candidates,
            Estimated::Listed(listed) => &listed.candidates,
        };
        candidates.parse().map(Number).map_err(value_error)
    }

    /// The share of reachable ones.
    #[getter]
    const fn p(&self) -> f64 {
        match &self.0 {
            Estimated::Sampled(report) => report.p,
            Estimated::Listed(listed) => listed.p,
        }
    }

    /// The 95 % interval for `p`.
    #[getter]
    const fn p_interval(&self) -> (f64, f64) {
        let ([low, high], _) = self.intervals();
        (low, high)
    }

    /// The number of reachable positions.
    #[getter]
    const fn positions(&self) -> f64 {
        match &self.0 {
            Estimated::Sampled(report) => report.estimate,
            Estimated::Listed(listed) => listed.estimate as f64,
        }
    }

    /// The 95 % interval for `positions`.
    #[getter]
    const fn interval(&self) -> (f64, f64) {
        let (_, [low, high]) = self.intervals();
        (low, high)
    }

    /// How many samples are left after each stage; `None` of a listing.
    #[getter]
    fn funnel<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(EstimateReport { funnel, .. }) = self.sampled() else { return Ok(None) };
        let left = PyDict::new(py);
        left.set_item("samples", funnel.samples)?;
        left.set_item("flip", funnel.flip)?;
        left.set_item("pawn", funnel.pawn)?;
        left.set_item("king", funnel.king)?;
        left.set_item("ok", funnel.ok)?;
        left.set_item("unknown", funnel.unknown)?;
        Ok(Some(left))
    }

    /// Unreachable samples by the plies backwards until nothing new is found; `None` of a listing.
    #[getter]
    fn unreachable_by_plies(&self) -> Option<BTreeMap<u32, u64>> {
        self.sampled().map(|report| report.unreachable_by_plies.clone())
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
        if let Ok(listed) = serde_json::from_str(json) {
            return Ok(Self(Estimated::Listed(listed)));
        }
        let report = serde_json::from_str(json).map_err(value_error)?;
        Ok(Self(Estimated::Sampled(report)))
    }

    fn __repr__(&self) -> String {
        let (variant, positions) = (self.variant(), self.positions());
        let (_, [low, high]) = self.intervals();
        match self.0 {
            Estimated::Sampled(_) => {
                format!("<Estimate of {variant}: {positions:.5e}, 95 % [{low:.5e}, {high:.5e}]>")
            }
            Estimated::Listed(_) => format!("<Estimate of {variant}: {positions}, exactly>"),
        }
    }
}

impl Estimate {
    /// The 95 % intervals of the share and of the number.
    const fn intervals(&self) -> ([f64; 2], [f64; 2]) {
        match &self.0 {
            Estimated::Sampled(report) => (report.p_interval, report.interval),
            Estimated::Listed(listed) => {
                let [low, high] = listed.interval;
                (listed.p_interval, [low as f64, high as f64])
            }
        }
    }
}

/// Estimates the number of reachable positions from a sample, on all threads. `method` is `plain`,
/// `king-legal` or `strata`. Where there are no more candidates than samples, or than a million, all of them are looked at:
/// the `method` of the answer is then `exact`, and its intervals have no width.
///
/// Games begin in `start`, a text in SFEN or a `Position`; without it in the start of the variant. The positions of 3x4 shogi,
/// of Dobutsu shogi, and of small games of one's own that cannot be sampled or begin elsewhere, are listed, in up to
/// `memory_mb` megabytes.
///
/// >>> from shogi_variants import estimate
/// >>> found = estimate("minishogi", 20_000, seed=1)
/// >>> found.interval[0] < 2.3788e18 < found.interval[1]
/// True
/// >>> estimate("dobutsu", 1, start="2l/3/3/L2 b - 1")
/// <Estimate of dobutsu: 39, exactly>
#[pyfunction]
#[pyo3(signature = (
    variant,
    samples,
    *,
    start = None,
    seed = 1,
    method = "plain",
    memory_mb = None,
    progress = None,
))]
#[expect(clippy::too_many_arguments, reason = "Python has names for them")]
pub fn estimate(
    py: Python<'_>,
    variant: NameOrVariant,
    #[pyo3(from_py_with = limits::samples)] samples: u64,
    start: Option<Placed>,
    #[pyo3(from_py_with = limits::seed)] seed: u64,
    method: &str,
    #[pyo3(from_py_with = limits::memory_mb)] memory_mb: Option<u64>,
    progress: Option<Progress>,
) -> PyResult<Estimate> {
    let method: Method =
        method.parse().map_err(|error| value_error(format!("{method:?} is no method: {error}")))?;
    let variant = variant.0;
    let start = start.map(|start| start.text(variant)).transpose()?;
    let task = EstimateTask::new(samples);
    let memory = memory_mb.unwrap_or(task.memory);
    let task = EstimateTask { seed, method, memory, ..task };
    let watch = Watch::default();
    let found = watched(py, progress, &watch, || {
        let never = AtomicBool::new(false);
        let Some(sampling) = task.sampling(variant, start.as_deref(), &never)? else {
            let start = start.as_deref().unwrap_or("startpos");
            let start = variant.rules().position(start, None)?;
            return task.list(variant, &start, |_| ()).map(Estimated::Listed);
        };
        let run = task.sample(&*sampling, &mut |done, samples| {
            watch.set(done, samples);
            watch.flow()
        })?;
        Ok(Estimated::Sampled(EstimateReport::from(&run)))
    })?;
    Ok(Estimate(found.map_err(|error: Error| error.raise())?))
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
