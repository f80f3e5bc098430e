//! `report`: what a game is like, on one page.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::solve::Budget;
use shogi_variants::tasks::report::Subject;
use shogi_variants::tasks::{ReportTask, Session};

use crate::error::{Raise, value_error};
use crate::given::Placed;
use crate::limits;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::variant::NameOrVariant;

/// What a game is like: its size, its reachable positions, how it plays, who wins, and its longest win. As a text it is
/// what `shogi variant report` prints.
#[pyclass(frozen, eq, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq)]
pub struct Report {
    json: String,
    text: String,
    winner: Option<String>,
}

#[pymethods]
impl Report {
    /// Who wins from the start, if that is proved: `sente`, `gote`, or `nobody`.
    #[getter]
    fn winner(&self) -> Option<&str> {
        self.winner.as_deref()
    }

    /// All of it, as `shogi variant report --json` writes it.
    fn to_json(&self) -> &str {
        &self.json
    }

    /// All of it, as dictionaries, lists and numbers.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.getattr("loads")?.call1((&self.json,))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let heading = self.text.lines().next().unwrap_or_default();
        format!("<Report on {heading}>")
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { json, text, winner } = slf.get().clone();
        reduced(slf, "_restore", (json, text, winner))
    }

    #[staticmethod]
    #[pyo3(signature = (json, text, winner))]
    const fn _restore(json: String, text: String, winner: Option<String>) -> Self {
        Self { json, text, winner }
    }
}

/// Says what a game is like: `games` of the player against itself with `move_nodes` for each move after `opening` random moves,
/// `nodes` for the value of the start, `samples` for the share of reachable positions, and all `positions` with their values
/// where they are no more. The same seed always gives the same report.
///
/// >>> from shogi_variants import Variant, report
/// >>> game = Variant.load('''
/// ... name = "three"
/// ... start = "k1/p1/1P/1K b - 1"
/// ... [pieces]
/// ... P = { front = "pawn", back = "gold" }
/// ... K = { front = "king", royal = true }
/// ... ''')
/// >>> found = report(game, games=4)
/// >>> found
/// <Report on three, 2x4 (three), from k1/p1/1P/1K b - 1>
/// >>> found.to_dict()["play"]["games"]
/// 4
#[pyfunction]
#[pyo3(signature = (
    variant,
    *,
    start = None,
    games = 100,
    move_nodes = 200,
    opening = 4,
    nodes = 2_000_000,
    samples = 20_000,
    positions = 300_000,
    seed = 1,
    progress = None,
))]
#[expect(clippy::too_many_arguments, reason = "Python has names for them")]
pub fn report(
    py: Python<'_>,
    variant: NameOrVariant,
    start: Option<Placed>,
    #[pyo3(from_py_with = limits::games)] games: u32,
    #[pyo3(from_py_with = limits::move_nodes)] move_nodes: u64,
    #[pyo3(from_py_with = limits::opening)] opening: u32,
    #[pyo3(from_py_with = limits::value_nodes)] nodes: u64,
    #[pyo3(from_py_with = limits::samples)] samples: u64,
    #[pyo3(from_py_with = limits::listed)] positions: u32,
    #[pyo3(from_py_with = limits::seed)] seed: u64,
    progress: Option<Progress>,
) -> PyResult<Report> {
    let variant = variant.0;
    let start = start.map(|start| start.text(variant)).transpose()?;
    let start = start.as_deref().unwrap_or("startpos");
    let task = ReportTask { games, move_nodes, opening, nodes, samples, positions, seed };
    let watch = Watch::default();
    let found = watched(py, progress, &watch, || {
        let budget = Budget::unlimited().stopped_by(watch.signal());
        let subject = Subject { variant, start, called: variant.name(), threads: 1 };
        let mut session = Session::new(budget);
        task.report(&subject, &mut session, &mut |progress| watch.set(progress.done, progress.all))
    })?;
    let found = found.map_err(Raise::raise)?;
    let json = serde_json::to_string(&found).map_err(value_error)?;
    Ok(Report { json, text: found.to_string(), winner: found.winner.map(str::to_owned) })
}
