//! `Tablebase`: the values of all positions of a small game, in a file.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, AnyWorld, Build};
use shogi_variants::tablebase::read_variant;

use crate::error::{Raise, named};
use crate::interrupt::{abandonable, stoppable};
use crate::names::{dialect, variant};
use crate::reach::Placed;

/// The values of all positions of a small game, in a file.
///
/// >>> import tempfile
/// >>> from pathlib import Path
/// >>> from shogi_variants import Tablebase
/// >>> file = Path(tempfile.mkdtemp()) / "KK.tablebase"
/// >>> table = Tablebase.build("dobutsu", file, pieces="L2")
/// >>> table.probe("2l/3/3/L2 b - 1").value
/// 'win'
#[pyclass(frozen, module = "shogi_variants")]
pub struct Tablebase {
    variant: Variant,
    inner: Arc<dyn AnyTablebase>,
}

/// A move with the value that it leads to, for the player who makes it.
#[pyclass(frozen, get_all, module = "shogi_variants")]
#[derive(Clone)]
pub struct ProbedMove {
    /// The move in USI notation.
    #[pyo3(name = "move")]
    mv: String,
    /// The value for the player who makes it.
    value: &'static str,
    /// The plies to the end, the move included.
    plies: Option<u32>,
}

#[pymethods]
impl ProbedMove {
    fn __repr__(&self) -> String {
        format!("<ProbedMove {}: {}>", self.mv, described(self.value, self.plies))
    }
}

/// The value of a position for the player to move, with its moves, the best first.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Probed {
    /// `win`, `loss` or `draw` for the player to move.
    value: &'static str,
    /// The plies to the end; `None` for draws and where plies are not stored.
    plies: Option<u32>,
    /// The moves, the best first; none at an end.
    moves: Vec<ProbedMove>,
}

#[pymethods]
impl Probed {
    fn __repr__(&self) -> String {
        format!("<Probed: {}>", described(self.value, self.plies))
    }
}

fn described(value: &str, plies: Option<u32>) -> String {
    plies.map_or_else(|| value.to_owned(), |plies| format!("{value} in {plies}"))
}

fn world(variant: Variant) -> PyResult<&'static dyn AnyWorld> {
    variant.tablebases().ok_or_else(|| {
        named("UnavailableError", &format!("there are no tablebases of {variant} in this version"))
    })
}

#[pymethods]
impl Tablebase {
    /// Opens a tablebase of any variant. Raises `FileError` where it is damaged.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let open = move || {
            let variant = variant(&read_variant(&path).map_err(Raise::raise)?)?;
            let inner = world(variant)?.open(&path).map_err(Raise::raise)?;
            Ok(Self { variant, inner: inner.into() })
        };
        abandonable(py, open)?
    }

    /// Builds a tablebase on all threads and opens it. `pieces` names the set where the variant has several,
    /// `wdl` stores no plies, and `checkpoint` is a directory from which an interrupted build goes on.
    #[staticmethod]
    #[pyo3(signature = (variant, path, *, pieces = None, wdl = false, memory_mb = None, checkpoint = None))]
    fn build(
        py: Python<'_>,
        variant: &str,
        path: PathBuf,
        pieces: Option<String>,
        wdl: bool,
        memory_mb: Option<u64>,
        checkpoint: Option<PathBuf>,
    ) -> PyResult<Self> {
        let world = world(self::variant(variant)?)?;
        let memory = memory_mb.map(|megabytes| megabytes << 20);
        let build = Build { set: pieces, verdicts: wdl, memory, checkpoint, out: path.clone() };
        let built = stoppable(py, |stop| {
            world.build(&build, &mut |_| {
                if stop.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        })?;
        built.map_err(Raise::raise)?;
        Self::open(py, path)
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// The value of a position, a text or a `Position`, and of its moves.
    #[pyo3(signature = (position, dialect = None))]
    fn probe(&self, position: Placed, dialect: Option<&str>) -> PyResult<Probed> {
        let text = position.text(self.variant)?;
        let probed = self.inner.probe(&text, self::dialect(dialect)?).map_err(Raise::raise)?;
        let moves = probed.moves.into_iter().map(|one| ProbedMove {
            mv: one.mv,
            value: one.value.name(),
            plies: one.plies,
        });
        let moves = moves.collect();
        Ok(Probed { value: probed.value.name(), plies: probed.plies, moves })
    }

    /// Best play from a position, at most so many plies.
    #[pyo3(signature = (position, max_plies = 1000, dialect = None))]
    fn line(
        &self,
        position: Placed,
        max_plies: u32,
        dialect: Option<&str>,
    ) -> PyResult<Vec<String>> {
        let text = position.text(self.variant)?;
        self.inner.line(&text, max_plies, self::dialect(dialect)?).map_err(Raise::raise)
    }

    /// How many positions have each value, and the values of the starts.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.inner.clone();
        let summary = abandonable(py, move || table.summary())?.map_err(Raise::raise)?;
        let totals = summary.totals;
        let starts = PyDict::new(py);
        for (name, start) in summary.starts {
            starts.set_item(name, (start.value.name(), start.plies))?;
        }
        let answer = PyDict::new(py);
        answer.set_item("pieces", summary.pieces)?;
        answer.set_item("positions", totals.positions())?;
        answer.set_item("win", totals.win)?;
        answer.set_item("loss", totals.loss)?;
        answer.set_item("draw", totals.draw)?;
        answer.set_item("longest", totals.longest)?;
        answer.set_item("starts", starts)?;
        Ok(answer)
    }

    /// Checks so many positions, or with `None` all of them, against their successors by the rules alone; returns
    /// how many were checked. Raises `RefutedError`.
    #[pyo3(signature = (samples = Some(10_000)))]
    fn verify(&self, py: Python<'_>, samples: Option<u64>) -> PyResult<u64> {
        let table = self.inner.clone();
        abandonable(py, move || table.verify(samples, &mut |_, _| {}))?.map_err(Raise::raise)
    }

    fn __repr__(&self) -> String {
        format!("<Tablebase of {}>", self.variant)
    }
}
