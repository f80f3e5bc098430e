//! `VectorEnv`: thousands of games stepped at once, for programs that learn by playing.

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::OfVariant;

use crate::batch::room;
use crate::boards::{AnyBoards, New, Saved, Settings};
use crate::error::value_error;
use crate::given::Start;
use crate::limits;
use crate::pickle::reduced;
use crate::position::Position;
use crate::variant::NameOrVariant;

/// Planes and masks of all boards.
type Observations<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<bool>>);

/// Planes, rewards, ends and masks of all boards.
type Steps<'py> = (
    Bound<'py, PyArray4<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<bool>>,
);

/// Many games of a variant, or from a position, of which all are stepped at once, on all threads and without a loop of Python.
///
/// Observations are the planes of `Encoding`, masks and actions its numbers of moves, all as the player to move sees
/// the board; the players of a game take turns. A reward is 1 for a player whose move wins, -1 for one whose
/// move loses, and 0 for all other moves. After an end the next game begins at once: what `step` returns for that board
/// is the start of it.
///
/// A game ends by the rules, repetition and impasse included, or is broken off after `max_plies`. Each game begins with up
/// to `random_plies` moves drawn by `seed`. The same actions give the same games on any number of threads.
///
/// >>> from shogi_variants import VectorEnv
/// >>> env = VectorEnv("dobutsu", 1000, seed=1)
/// >>> observations, masks = env.reset()
/// >>> observations.shape, masks.shape
/// ((1000, 17, 4, 3), (1000, 324))
/// >>> ended = 0
/// >>> for _ in range(50):
/// ...     observations, rewards, done, masks = env.step(env.sample())
/// ...     ended += int(done.sum())
/// >>> ended > 1000, rewards.dtype, set(rewards[~done].tolist())
/// (True, dtype('float32'), {0.0})
#[pyclass(module = "shogi_variants")]
pub struct VectorEnv {
    settings: Settings,
    boards: usize,
    /// Of the last step: which games were broken off.
    truncated: Vec<bool>,
    inner: OfVariant<Box<dyn AnyBoards>>,
}

impl VectorEnv {
    fn with(settings: Settings, boards: usize) -> PyResult<Self> {
        let inner = settings.start.0.variant().visit(New(settings.clone(), boards))?;
        Ok(Self { settings, boards, truncated: vec![false; boards], inner })
    }

    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Observations<'py>> {
        let (boards, actions) = (self.boards, self.actions());
        let (channels, ranks, files) = self.shape();
        let entries = channels * ranks * files;
        let (mut planes, mut masks) = (room(boards * entries)?, room(boards * actions)?);
        planes.resize(boards * entries, 0);
        masks.resize(boards * actions, false);
        py.detach(|| self.inner.with(|boards| boards.observe(&mut planes, &mut masks)));
        let planes = PyArray1::from_vec(py, planes).reshape([boards, channels, ranks, files])?;
        Ok((planes, PyArray1::from_vec(py, masks).reshape([boards, actions])?))
    }
}

/// The actions of all boards, as whole numbers of 64 bits.
fn actions_of(actions: &Bound<'_, PyAny>, boards: usize) -> PyResult<Vec<i64>> {
    let numpy = actions.py().import("numpy")?;
    let given = numpy.call_method1("asarray", (actions,))?;
    let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(&*kind, "i" | "u") {
        return Err(value_error("actions are an array of whole numbers"));
    }
    let shape: Vec<usize> = given.getattr("shape")?.extract()?;
    if shape != [boards] {
        return Err(value_error(format!("{boards} actions are needed, an array of one dimension")));
    }
    let wide = given.call_method1("astype", ("int64",))?;
    Ok(wide.extract::<PyReadonlyArray1<'_, i64>>()?.as_array().to_vec())
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (start, boards, *, seed = 0, max_plies = 512, random_plies = 0))]
    fn new(
        start: Start,
        #[pyo3(from_py_with = limits::boards)] boards: usize,
        #[pyo3(from_py_with = limits::seed)] seed: u64,
        #[pyo3(from_py_with = limits::game_plies)] max_plies: u32,
        #[pyo3(from_py_with = limits::random_plies)] random_plies: u32,
    ) -> PyResult<Self> {
        if random_plies >= max_plies {
            return Err(value_error("random_plies must be fewer than max_plies"));
        }
        let start = start.position()?;
        Self::with(Settings { start, seed, max_plies, random_plies }, boards)
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.settings.start.0.variant())
    }

    /// How many games are played side by side.
    #[getter]
    const fn boards(&self) -> usize {
        self.boards
    }

    /// The number of actions: that of `Encoding`.
    #[getter]
    fn actions(&self) -> usize {
        self.inner.get().layout().actions()
    }

    /// The planes, ranks and files of an observation.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let layout = self.inner.get().layout();
        (layout.channels.len(), layout.ranks, layout.files)
    }

    /// Who is to move on each board: an array of `uint8`, 0 for Sente and 1 for Gote.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let sides =
            self.inner.with(|boards| boards.sides()).into_iter().map(|side| side.index() as u8);
        PyArray1::from_vec(py, sides.collect())
    }

    /// The moves made in the game of each board, random ones included: an array of `uint32`.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_vec(py, self.inner.with(|boards| boards.plies()))
    }

    /// Which games the last step has broken off, an array of `bool`: they have no winner, and are no draws.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_vec(py, self.truncated.clone())
    }

    /// The position on each board.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let positions = self.inner.with(|boards| boards.positions()).into_iter();
        positions.map(|sfen| Position::read(self.settings.start.0.variant(), &sfen, true)).collect()
    }

    /// Begins all games anew, as they began at first: observations, an array of `uint8` of the shape (boards, planes,
    /// ranks, files), and masks, an array of `bool` of the shape (boards, actions).
    fn reset<'py>(&mut self, py: Python<'py>) -> PyResult<Observations<'py>> {
        let inner = &mut self.inner;
        py.detach(|| inner.with_mut(|boards| boards.reset()));
        self.truncated.fill(false);
        self.observations(py)
    }

    /// Plays an action on each board: observations, rewards of the players who have moved (`float32`), which games have
    /// ended (`bool`), and masks.
    ///
    /// Raises `ValueError` where an action is not legal; nothing has been played then.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Steps<'py>> {
        let actions = actions_of(actions, self.boards)?;
        let inner = &mut self.inner;
        let steps = py.detach(|| inner.with_mut(|boards| boards.step(&actions)))?;
        self.truncated = steps.iter().map(|step| step.truncated).collect();
        let rewards = PyArray1::from_vec(py, steps.iter().map(|step| step.reward).collect());
        let done = PyArray1::from_vec(py, steps.iter().map(|step| step.done).collect());
        let (planes, masks) = self.observations(py)?;
        Ok((planes, rewards, done, masks))
    }

    /// A legal action for each board, drawn uniformly: an array of `int64`, the same in the same state.
    fn sample<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.inner.with(|boards| boards.sample()))
    }

    /// How pickle stores it: the settings, and the actions of the games.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let env = slf.borrow();
        let Settings { start, seed, max_plies, random_plies } = env.settings.clone();
        let (saved, truncated) = (env.inner.with(|boards| boards.save()), env.truncated.clone());
        let settings = (start, env.boards, seed, max_plies, random_plies);
        reduced(slf, "_restore", (settings, saved, truncated))
    }

    #[staticmethod]
    fn _restore(
        settings: (Position, usize, u64, u32, u32),
        saved: Vec<Saved>,
        truncated: Vec<bool>,
    ) -> PyResult<Self> {
        let (start, boards, seed, max_plies, random_plies) = settings;
        let mut env = Self::with(Settings { start, seed, max_plies, random_plies }, boards)?;
        env.inner.with_mut(|boards| boards.restore(&saved))?;
        env.truncated = truncated;
        Ok(env)
    }

    fn __len__(&self) -> usize {
        self.boards
    }

    fn __repr__(&self) -> String {
        format!("<VectorEnv of {}: {} boards>", self.settings.start.0.variant(), self.boards)
    }
}
