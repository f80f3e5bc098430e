//! `Tablebase`: the values of all positions of a small game, in a file.

use std::borrow::Cow;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, Error, TablebaseBuild, TablebaseTasks};
use shogi_variants::rules::Verdict;
use shogi_variants::tablebase::{Value, read_variant};

use crate::batch::{Placements, each, room, rows};
use crate::encoding::Encoding;
use crate::error::{Raise, file_error, named, of_item, os_error};
use crate::given::Placed;
use crate::interrupt::abandonable;
use crate::limits;
use crate::names::dialect;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, unstoppable, watched};
use crate::variant::{NameOrVariant, named as named_variant};

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
    path: PathBuf,
    inner: Arc<dyn AnyTablebase>,
}

/// A move with the value that it leads to, for the player who makes it.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProbedMove {
    /// The move in USI notation.
    #[pyo3(name = "move")]
    mv: String,
    /// The value for the player who makes it.
    value: Cow<'static, str>,
    /// The plies to the end, the move included.
    plies: Option<u32>,
}

#[pymethods]
impl ProbedMove {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { mv, value, plies } = slf.get().clone();
        reduced(slf, "_restore", (mv, value, plies))
    }

    #[staticmethod]
    fn _restore(mv: String, value: String, plies: Option<u32>) -> Self {
        Self { mv, value: value.into(), plies }
    }

    fn __repr__(&self) -> String {
        format!("<ProbedMove {}: {}>", self.mv, described(&self.value, self.plies))
    }
}

/// The value of a position for the player to move, with its moves, the best first.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Probed {
    /// `win`, `loss` or `draw` for the player to move.
    value: Cow<'static, str>,
    /// The plies to the end; `None` for draws and where plies are not stored.
    plies: Option<u32>,
    /// The moves, the best first; none at an end.
    moves: Vec<ProbedMove>,
}

#[pymethods]
impl Probed {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { value, plies, moves } = slf.get().clone();
        reduced(slf, "_restore", (value, plies, moves))
    }

    #[staticmethod]
    fn _restore(value: String, plies: Option<u32>, moves: Vec<ProbedMove>) -> Self {
        Self { value: value.into(), plies, moves }
    }

    fn __repr__(&self) -> String {
        format!("<Probed: {}>", described(&self.value, self.plies))
    }
}

/// A value as it stands in arrays.
const fn number_of(value: Verdict) -> i8 {
    match value {
        Verdict::Win => 1,
        Verdict::Draw => 0,
        Verdict::Loss => -1,
    }
}

fn described(value: &str, plies: Option<u32>) -> String {
    plies.map_or_else(|| value.to_owned(), |plies| format!("{value} in {plies}"))
}

fn world(variant: Variant) -> PyResult<TablebaseTasks> {
    variant.tablebases().ok_or_else(|| {
        named("UnavailableError", &format!("there are no tablebases of {variant} in this version"))
    })
}

/// The game of a tablebase: the one given, if the file names it, or else the built-in one that the file names.
fn game_of(path: &Path, given: Option<Variant>) -> PyResult<Variant> {
    let name = read_variant(path).map_err(Raise::raise)?;
    match given {
        Some(game) if game.name() == name => Ok(game),
        Some(game) => Err(file_error(&format!("a tablebase of {name}, not of {game}"), path)),
        None => named_variant(&name).map_err(|error| {
            let reason = format!("{error}; that of a game of your own is opened with `game`");
            file_error(&reason, path)
        }),
    }
}

#[pymethods]
impl Tablebase {
    /// Opens a tablebase of any variant. That of a game of your own does not hold the rules: `game` is its `Variant`.
    /// Raises `FileError` where the file is damaged or of other rules.
    #[staticmethod]
    #[pyo3(signature = (path, *, game = None))]
    fn open(py: Python<'_>, path: PathBuf, game: Option<NameOrVariant>) -> PyResult<Self> {
        Self::opened(py, path, game.map(|game| game.0))
    }

    /// Opens it again, as pickle does.
    #[staticmethod]
    fn _restore(py: Python<'_>, path: PathBuf, game: NameOrVariant) -> PyResult<Self> {
        Self::opened(py, path, Some(game.0))
    }

    /// Builds a tablebase on all threads and opens it. `pieces` names the set where the variant has several,
    /// `wdl` stores no plies, and `checkpoint` is a directory from which an interrupted build goes on.
    #[staticmethod]
    #[pyo3(signature = (
        variant,
        path,
        *,
        pieces = None,
        wdl = false,
        memory_mb = None,
        checkpoint = None,
        progress = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python has names for them")]
    fn build(
        py: Python<'_>,
        variant: NameOrVariant,
        path: PathBuf,
        pieces: Option<String>,
        wdl: bool,
        #[pyo3(from_py_with = limits::memory_mb)] memory_mb: Option<u64>,
        checkpoint: Option<PathBuf>,
        progress: Option<Progress>,
    ) -> PyResult<Self> {
        let world = world(variant.0)?;
        let memory = memory_mb.map(|megabytes| megabytes << 20);
        let build =
            TablebaseBuild { set: pieces, verdicts: wdl, memory, checkpoint, out: path.clone() };
        let watch = Watch::default();
        let built = watched(py, progress, &watch, || {
            world.build(&build, &mut |pass| {
                watch.set(pass.done, pass.size);
                watch.flow()
            })
        })?;
        built.map_err(Raise::raise)?;
        Self::opened(py, path, Some(variant.0))
    }

    /// How pickle stores it: by its game and the name of its file, which is opened again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { variant, path, .. } = slf.get();
        let path = absolute(path).map_err(|error| os_error(&error, path))?;
        reduced(slf, "_restore", (path, NameOrVariant(*variant)))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// An open tablebase never changes.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The name of the variant.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// How many numbers there are for positions: those of `positions`.
    #[getter]
    fn numbers(&self) -> u64 {
        self.inner.numbers()
    }

    /// The positions with so many numbers from `first` on, in SFEN, the player to move as Sente. A number that stands
    /// for no position, or for the second of two mirror images, is left out: all numbers together give each position of
    /// the tablebase once.
    ///
    /// >>> import tempfile
    /// >>> from pathlib import Path
    /// >>> from shogi_variants import Tablebase
    /// >>> file = Path(tempfile.mkdtemp()) / "KK.tablebase"
    /// >>> table = Tablebase.build("dobutsu", file, pieces="L2")
    /// >>> len(table.positions(0, table.numbers)) == table.summary()["positions"]
    /// True
    fn positions(&self, py: Python<'_>, first: u64, count: u64) -> PyResult<Vec<String>> {
        let table = self.inner.clone();
        let found: Result<_, Error> = abandonable(py, move || {
            let mut found = Vec::new();
            for number in first..first.saturating_add(count).min(table.numbers()) {
                found.extend(table.position(number)?);
            }
            Ok(found)
        })?;
        found.map_err(Raise::raise)
    }

    /// The value of a position, a text or a `Position`, and of its moves.
    #[pyo3(signature = (position, dialect = None))]
    fn probe(&self, position: Placed, dialect: Option<&str>) -> PyResult<Probed> {
        let text = position.text(self.variant)?;
        let probed = self.inner.probe(&text, self::dialect(dialect)?).map_err(Raise::raise)?;
        let moves = probed.moves.into_iter().map(|one| ProbedMove {
            mv: one.mv,
            value: one.value.name().into(),
            plies: one.plies,
        });
        let moves = moves.collect();
        Ok(Probed { value: probed.value.name().into(), plies: probed.plies, moves })
    }

    /// The values of many positions for the players to move, on all threads: 1 for a win, 0 for a draw, -1 for a loss
    /// (`int8`), and the plies to the end (`int32`), -1 where there are none.
    ///
    /// >>> import tempfile
    /// >>> from pathlib import Path
    /// >>> from shogi_variants import Tablebase
    /// >>> file = Path(tempfile.mkdtemp()) / "KK.tablebase"
    /// >>> table = Tablebase.build("dobutsu", file, pieces="L2")
    /// >>> values, plies = table.probe_many(["2l/3/3/L2 b - 1", "2l/3/3/L2 w - 1"])
    /// >>> values.tolist(), plies.dtype
    /// ([1, 1], dtype('int32'))
    #[pyo3(signature = (positions, *, progress = None))]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: Placements,
        progress: Option<Progress>,
    ) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i32>>)> {
        let mut texts = room(positions.0.len())?;
        for (number, position) in positions.0.into_iter().enumerate() {
            texts.push(position.text(self.variant).map_err(|error| of_item(error, number))?);
        }
        let watch = Watch::of(texts.len());
        let probe = |number: usize| self.inner.value(&texts[number]).map_err(Raise::raise);
        let probed = watched(py, progress, &watch, || each(texts.len(), &watch, probe))??;
        let (mut values, mut plies) = (room(probed.len())?, room(probed.len())?);
        for Value { verdict, plies: to_end } in probed {
            values.push(number_of(verdict));
            plies.push(to_end.and_then(|plies| i32::try_from(plies).ok()).unwrap_or(-1));
        }
        Ok((PyArray1::from_vec(py, values), PyArray1::from_vec(py, plies)))
    }

    /// The values of all legal actions of many positions, on all threads, for the players who make them: 1, 0 and -1 as
    /// in `probe_many`, and -2 for actions that are not legal, an array of `int8` of the shape (positions, actions).
    /// Actions are those of `Encoding`.
    ///
    /// >>> import tempfile
    /// >>> from pathlib import Path
    /// >>> from shogi_variants import Tablebase
    /// >>> file = Path(tempfile.mkdtemp()) / "KK.tablebase"
    /// >>> table = Tablebase.build("dobutsu", file, pieces="L2")
    /// >>> values = table.action_values(["2l/3/3/L2 b - 1"])
    /// >>> values.shape, (values == 1).sum(), (values == -2).sum()
    /// ((1, 324), np.int64(1), np.int64(321))
    #[pyo3(signature = (positions, *, progress = None))]
    fn action_values<'py>(
        &self,
        py: Python<'py>,
        positions: Placements,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let encoding = Encoding::of(self.variant);
        let (count, width) = (positions.0.len(), encoding.actions());
        let watch = Watch::of(count);
        let fill = |number: usize, row: &mut [i8]| {
            let text = positions.0[number].clone().text(self.variant)?;
            row.fill(-2);
            for one in self.inner.probe(&text, None).map_err(Raise::raise)?.moves {
                row[encoding.action_of(&text, &one.mv)?] = number_of(one.value);
            }
            Ok(())
        };
        let values = watched(py, progress, &watch, || rows(count, width, &watch, fill))??;
        PyArray1::from_vec(py, values).reshape([count, width])
    }

    /// Best play from a position, at most so many plies, up to 65535.
    #[pyo3(signature = (position, max_plies = 1000, dialect = None))]
    fn line(
        &self,
        position: Placed,
        #[pyo3(from_py_with = limits::max_plies)] max_plies: u32,
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
    #[pyo3(signature = (samples = Some(10_000), *, progress = None))]
    fn verify(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = limits::checked_positions)] samples: Option<u64>,
        progress: Option<Progress>,
    ) -> PyResult<u64> {
        let table = self.inner.clone();
        let verified = unstoppable(py, progress, move |watch| {
            table.verify(samples, &mut |done, size| watch.set(done, size))
        });
        verified?.map_err(Raise::raise)
    }

    fn __repr__(&self) -> String {
        format!("<Tablebase of {}>", self.variant)
    }
}

impl Tablebase {
    fn opened(py: Python<'_>, path: PathBuf, game: Option<Variant>) -> PyResult<Self> {
        let open = move || {
            let variant = game_of(&path, game)?;
            let inner = world(variant)?.open(&path).map_err(Raise::raise)?.into();
            Ok(Self { variant, path, inner })
        };
        abandonable(py, open)?
    }
}
