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
///
/// The settings of `solve`:
///
/// - `algorithm`: The search.
/// - `leaf`: The numbers that a position starts with before it is searched.
/// - `nodes`: Limit of the moves played; beyond it the value is unknown.
/// - `seconds`: Limit of time in seconds; beyond it the value is unknown.
/// - `hash_mb`: Megabytes for the tables of the searches; plans and proofs come on top.
/// - `small_game`: Positions of a small game: one of at most so many is looked at as a whole, position by position, beside the search; 0 leaves all to the search.
#[pyfunction]
#[pyo3(signature = (position, *, algorithm = "dfpn", leaf = "unit", nodes = None, seconds = None, hash_mb = 64, small_game = 4_000_000, dialect = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn solve(
    py: Python<'_>,
    position: &Position,
    algorithm: &str,
    leaf: &str,
    #[pyo3(from_py_with = limits::nodes)] nodes: Option<u64>,
    seconds: Option<f64>,
    #[pyo3(from_py_with = limits::hash_mb)] hash_mb: u32,
    #[pyo3(from_py_with = limits::small_game)] small_game: u32,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Solution> {
    let task = SolveTask {
        algorithm: of_name(algorithm)?,
        leaf: of_name(leaf)?,
        nodes,
        time: time(seconds)?,
        hash: hash_mb,
        small_game,
    };
    found_value(py, &task, position, dialect, progress)
}

/// The value of a position.
fn found_value(
    py: Python<'_>,
    task: &SolveTask,
    position: &Position,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Solution> {
    let solved = answer(py, task, position, dialect, task.nodes, progress)?;
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

/// Whether the player to move mates by checks, whatever the opponent does.
///
/// >>> from shogi_variants import Position, mate
/// >>> found = mate(Position("minishogi", "4k/5/3PP/5/K4 b G 1"), shortest=True)
/// >>> found.status, found.plies, found.exact
/// ('mate', 1, True)
///
/// The settings of `mate`:
///
/// - `nodes`: Limit of the moves played for a position; beyond it the answer is unknown.
/// - `seconds`: Limit of the time spent on a position in seconds; beyond it the answer is unknown.
/// - `shortest`: Look for a shortest mate.
/// - `all`: Look for a shortest mate, then list all first moves that mate in as few plies, and all other moves beside the line that mate (cooks).
/// - `tsume`: Look for a shortest mate as problem books count it: useless interpositions are no moves, and the line is the book's. With `all`, other last moves are no cooks.
/// - `brink`: Look for a brinkmate (hisshi): mate by checks and one quiet move, at whatever place, against every defence.
/// - `defend`: Look for what the player to move can do against mate by the opponent's checks: the moves after which there is no mate, and for each other one the mate that refutes it; with `shortest`, a shortest one.
/// - `together`: Threads that search a position together, for any mate and with one table. Whether there is a mate is the same each time; which mate is found, its length and the nodes of all threads are not.
/// - `line`: A line of play to a mate that is known, by the author or from an earlier answer, as moves in USI notation: the search goes along it from its end to its start, and finds such a mate far sooner. It is a guide alone; where it is no mate, the answer is no less true. It has to be legal, with checks by the attacker.
/// - `hash_mb`: Megabytes of memory for a position.
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, seconds = None, shortest = false, all = false, tsume = false, brink = false, defend = false, together = 1, line = None, hash_mb = 64, dialect = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are those of Python")]
pub fn mate(
    py: Python<'_>,
    position: &Position,
    #[pyo3(from_py_with = limits::nodes)] nodes: Option<u64>,
    seconds: Option<f64>,
    shortest: bool,
    all: bool,
    tsume: bool,
    brink: bool,
    defend: bool,
    #[pyo3(from_py_with = limits::together)] together: usize,
    line: Option<String>,
    #[pyo3(from_py_with = limits::hash_mb)] hash_mb: u32,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Mate> {
    let task = MateTask {
        nodes,
        time: time(seconds)?,
        shortest,
        all,
        tsume,
        brink,
        defend,
        together,
        line,
        hash: hash_mb,
    };
    found_mate(py, &task, position, dialect, progress)
}

/// The answer of a search for a mate.
fn found_mate(
    py: Python<'_>,
    task: &MateTask,
    position: &Position,
    dialect: Option<&str>,
    progress: Option<Progress>,
) -> PyResult<Mate> {
    let found = answer(py, task, position, dialect, task.nodes, progress)?;
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
