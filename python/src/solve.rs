//! `solve` and `mate`: values of positions, and mates by checks.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::solve::{Budget, SearchProgress};
use shogi_variants::tasks::{
    Mate as Found, MateTask, OtherMate, Refuted, Session, SolveTask, Task,
};

use crate::error::Raise;
use crate::limits::{self, time};
use crate::names::{dialect, of_name};
use crate::pickle::reduced;
use crate::position::Position;
use crate::progress::{Progress, Watch, watched};
use crate::proof::Proof;

/// The value of a position for the player to move, with its proof; `None` where the search ended before.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Solution {
    /// `win`, `loss` or `draw` for the player to move, once it is proved.
    value: Option<Cow<'static, str>>,
    /// For a win or a loss, plies to the end at most.
    plies: Option<u32>,
    /// The moves that the proof plans.
    line: Vec<String>,
    /// The proof, checked by the rules; without a value, of what one player has at least.
    proof: Option<Py<Proof>>,
    /// Moves played in the search.
    nodes: u64,
    /// Positions entered.
    expansions: u64,
    /// What ended the search.
    ended: Cow<'static, str>,
}

#[pymethods]
impl Solution {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { value, plies, line, proof, nodes, expansions, ended } = slf.get();
        let proof = proof.as_ref().map(|proof| proof.clone_ref(slf.py()));
        reduced(slf, "_restore", (value, *plies, line, proof, *nodes, *expansions, ended))
    }

    #[staticmethod]
    fn _restore(
        value: Option<String>,
        plies: Option<u32>,
        line: Vec<String>,
        proof: Option<Py<Proof>>,
        nodes: u64,
        expansions: u64,
        ended: String,
    ) -> Self {
        let (value, ended) = (value.map(Cow::Owned), ended.into());
        Self { value, plies, line, proof, nodes, expansions, ended }
    }

    fn __repr__(&self) -> String {
        format!("<Solution: {}, {} nodes>", self.value.as_deref().unwrap_or("unknown"), self.nodes)
    }
}

/// Solves a position by proof-number search (`dfpn` or `pds`): its value with a proof that the rules alone have
/// checked, or no value where the nodes, the seconds or the memory were spent first.
///
/// >>> from shogi_variants import Position, solve
/// >>> solution = solve(Position.named_start("shogi34", "RKR"))
/// >>> solution.value, solution.proof.value, solution.ended
/// ('win', 'win', 'solved')
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, seconds = None, hash_mb = 64, algorithm = "dfpn", leaf = "unit", small_game = 4_000_000, dialect = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn solve(
    py: Python<'_>,
    position: &Position,
    #[pyo3(from_py_with = limits::nodes)] nodes: Option<u64>,
    seconds: Option<f64>,
    #[pyo3(from_py_with = limits::hash_mb)] hash_mb: u32,
    algorithm: &str,
    leaf: &str,
    #[pyo3(from_py_with = limits::small_game)] small_game: u32,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Solution> {
    let (algorithm, leaf) = (of_name(algorithm)?, of_name(leaf)?);
    let (time, hash) = (time(seconds)?, hash_mb);
    let task = SolveTask { algorithm, leaf, nodes, time, hash, small_game };
    let solved = answer(py, &task, position, dialect, nodes, progress)?;
    let proof = solved.proof.map(|proof| Py::new(py, Proof::new(position.0.variant(), proof)));
    Ok(Solution {
        value: solved.value.map(|value| value.name().into()),
        plies: solved.plies,
        line: solved.line,
        proof: proof.transpose()?,
        nodes: solved.nodes,
        expansions: solved.expansions,
        ended: solved.ended.name().into(),
    })
}

/// The answer of a search, of which so many nodes are shown as the whole.
fn answer<T: Task<Answer: Send> + Sync>(
    py: Python<'_>,
    task: &T,
    position: &Position,
    dialect: Option<&str>,
    nodes: Option<u64>,
    progress: Option<Progress>,
) -> PyResult<T::Answer> {
    let (variant, text) = (position.0.variant(), position.text());
    let (dialect, watch) = (self::dialect(dialect)?, Watch::default());
    let answer = watched(py, progress, &watch, || {
        let mut report = |so_far: SearchProgress| watch.set(so_far.nodes, nodes.unwrap_or(0));
        let budget = Budget::unlimited().stopped_by(watch.signal()).reporting_to(&mut report);
        task.answer(variant, &text, &mut Session { dialect, ..Session::new(budget) })
    })?;
    answer.map_err(Raise::raise)
}

/// The answer of a search for a mate: `mate`, `nomate` or `unknown`.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mate {
    /// `mate`, `nomate` or `unknown`.
    status: Cow<'static, str>,
    /// In how many plies at most.
    plies: Option<u32>,
    /// Whether no shorter mate exists.
    exact: bool,
    /// A line of that many plies.
    line: Vec<String>,
    /// Moves played in the search.
    nodes: u64,
    /// With `all`, the first moves that mate in the least length; else `None`, as the three after it.
    first: Option<Vec<String>>,
    /// Other moves beside the line that mate: which move of the line they stand beside, the move, and in how many plies.
    cooks: Option<Vec<(usize, String, u32)>>,
    /// With `tsume`, too, other last moves that mate, which are no cooks.
    last: Option<Vec<String>>,
    /// Whether all other moves are known not to mate.
    complete: Option<bool>,
    /// With `defend`, the moves after which the opponent does not mate; else `None`, as the two after it.
    defences: Option<Vec<String>>,
    /// The moves after which the opponent does: the move, in how many plies at most, whether no shorter mate exists, and a
    /// line of that many plies after the move.
    refuted: Option<Vec<RefutedMove>>,
    /// The moves of which neither is known.
    undecided: Option<Vec<String>>,
}

/// A move after which the opponent mates.
type RefutedMove = (String, u32, bool, Vec<String>);

/// The fields of a [`Mate`] about other moves that mate.
type Others =
    (Option<Vec<String>>, Option<Vec<(usize, String, u32)>>, Option<Vec<String>>, Option<bool>);

/// The fields of a [`Mate`] about the moves of a defender.
type Defended = (Option<Vec<String>>, Option<Vec<RefutedMove>>, Option<Vec<String>>);

#[pymethods]
impl Mate {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { status, plies, exact, line, nodes, .. } = slf.get().clone();
        let Self { first, cooks, last, complete, defences, refuted, undecided, .. } =
            slf.get().clone();
        let others: Others = (first, cooks, last, complete);
        let defended: Defended = (defences, refuted, undecided);
        reduced(slf, "_restore", (status, plies, exact, line, nodes, others, defended))
    }

    #[staticmethod]
    #[pyo3(signature = (status, plies, exact, line, nodes, others = (None, None, None, None), defended = (None, None, None)))]
    fn _restore(
        status: String,
        plies: Option<u32>,
        exact: bool,
        line: Vec<String>,
        nodes: u64,
        others: Others,
        defended: Defended,
    ) -> Self {
        let (first, cooks, last, complete) = others;
        let (defences, refuted, undecided) = defended;
        Self {
            status: status.into(),
            plies,
            exact,
            line,
            nodes,
            first,
            cooks,
            last,
            complete,
            defences,
            refuted,
            undecided,
        }
    }

    fn __repr__(&self) -> String {
        match self.plies {
            Some(plies) => format!("<Mate: {} in {plies}>", self.status),
            None => format!("<Mate: {}>", self.status),
        }
    }
}

/// Whether the player to move mates by checks, whatever the opponent does. `shortest` looks for a shortest mate, `all` for
/// what mates beside its line, too, `tsume` counts as problem books do, `brink` looks for a brinkmate (mate by checks and one quiet move), `defend` looks for what the player to move can do against
/// mate by the opponent, and `together` is how many threads look for any mate.
///
/// >>> from shogi_variants import Position, mate
/// >>> found = mate(Position("minishogi", "4k/5/3PP/5/K4 b G 1"), shortest=True)
/// >>> found.status, found.plies, found.exact
/// ('mate', 1, True)
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, seconds = None, hash_mb = 64, shortest = false, all = false, tsume = false, brink = false, defend = false, together = 1, dialect = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn mate(
    py: Python<'_>,
    position: &Position,
    #[pyo3(from_py_with = limits::nodes)] nodes: Option<u64>,
    seconds: Option<f64>,
    #[pyo3(from_py_with = limits::hash_mb)] hash_mb: u32,
    shortest: bool,
    all: bool,
    tsume: bool,
    brink: bool,
    defend: bool,
    #[pyo3(from_py_with = limits::together)] together: usize,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Mate> {
    let (time, hash) = (time(seconds)?, hash_mb);
    let task = MateTask { nodes, time, shortest, all, tsume, brink, defend, together, hash };
    let found = answer(py, &task, position, dialect, nodes, progress)?;
    let Found { status, plies, exact, line, nodes, others, replies, .. } = found;
    let status = status.name().into();
    let (mut first, mut cooks, mut last, mut complete) = (None, None, None, None);
    if let Some(others) = others {
        let cook = |OtherMate { number, mv, plies }| (number, mv, plies);
        cooks = Some(others.cooks.into_iter().map(cook).collect());
        (first, last, complete) =
            (Some(others.first_moves), others.last_moves, Some(others.complete));
    }
    let (mut defences, mut refuted, mut undecided) = (None, None, None);
    if let Some(replies) = replies {
        let of = |Refuted { mv, plies, exact, line }| (mv, plies, exact, line);
        refuted = Some(replies.refuted.into_iter().map(of).collect());
        (defences, undecided) = (Some(replies.defences), Some(replies.undecided));
    }
    Ok(Mate {
        status,
        plies,
        exact,
        line,
        nodes,
        first,
        cooks,
        last,
        complete,
        defences,
        refuted,
        undecided,
    })
}
