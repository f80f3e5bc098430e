//! `solve` and `mate`: values of positions, and mates by checks.

use pyo3::prelude::*;
use shogi_variants::operations::Solution as Solved;
use shogi_variants::rules::Verdict;
use shogi_variants::solve::mate::Options as MateOptions;
use shogi_variants::solve::{Algorithm, Options};

use crate::error::{Raise, value_error};
use crate::interrupt::stoppable;
use crate::limits::{budget, hash_bytes, time};
use crate::names::dialect;
use crate::position::Position;
use crate::proof::Proof;

/// The value of a position for the player to move, with its proof; `None` where the search ended before.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Solution {
    /// `win`, `loss` or `draw` for the player to move, once it is proved.
    value: Option<&'static str>,
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
    ended: &'static str,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        format!("<Solution: {}, {} nodes>", self.value.unwrap_or("unknown"), self.nodes)
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
#[pyo3(signature = (position, *, nodes = None, seconds = None, hash_mb = 64, algorithm = "dfpn", dialect = None))]
pub fn solve(
    py: Python<'_>,
    position: &Position,
    nodes: Option<u64>,
    seconds: Option<f64>,
    hash_mb: usize,
    algorithm: &str,
    dialect: Option<&str>,
) -> PyResult<Solution> {
    let algorithm = [Algorithm::DfPn, Algorithm::Pds]
        .into_iter()
        .find(|known| known.name() == algorithm)
        .ok_or_else(|| value_error(format!("{algorithm:?} is no algorithm: dfpn or pds")))?;
    let options = Options { algorithm, hash_bytes: hash_bytes(hash_mb)?, ..Options::default() };
    let (time, dialect) = (time(seconds)?, self::dialect(dialect)?);
    let (solving, text) = (position.variant.solving(), position.text());
    let solved = stoppable(py, |stop| {
        let mut solver = solving.solver(&text, options)?;
        let budget = budget(nodes, stop);
        solver.run(&mut match time {
            Some(time) => budget.time(time),
            None => budget,
        });
        Ok(solver.into_solution(dialect))
    })?;
    let Solved { value, plies, proof, line, nodes, expansions, ended, .. } =
        solved.map_err(|error: shogi_variants::Error| error.raise())?;
    let proof = proof.map(|proof| Py::new(py, Proof::new(position.variant, proof)));
    Ok(Solution {
        value: value.map(Verdict::name),
        plies: plies.filter(|_| value.is_some()),
        line: if value.is_some() { line } else { Vec::new() },
        proof: proof.transpose()?,
        nodes,
        expansions,
        ended: ended.name(),
    })
}

/// The answer of a search for a mate: `mate`, `nomate` or `unknown`.
#[pyclass(frozen, get_all, module = "shogi_variants")]
pub struct Mate {
    /// `mate`, `nomate` or `unknown`.
    status: &'static str,
    /// In how many plies at most.
    plies: Option<u32>,
    /// Whether no shorter mate exists.
    exact: bool,
    /// A line of that many plies.
    line: Vec<String>,
    /// Moves played in the search.
    nodes: u64,
}

#[pymethods]
impl Mate {
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
#[pyfunction]
#[pyo3(signature = (position, *, nodes = None, seconds = None, hash_mb = 64, shortest = false, dialect = None))]
pub fn mate(
    py: Python<'_>,
    position: &Position,
    nodes: Option<u64>,
    seconds: Option<f64>,
    hash_mb: usize,
    shortest: bool,
    dialect: Option<&str>,
) -> PyResult<Mate> {
    let options = MateOptions { hash_bytes: hash_bytes(hash_mb)?, shortest };
    let (time, dialect) = (time(seconds)?, self::dialect(dialect)?);
    let (solving, text) = (position.variant.solving(), position.text());
    let found = stoppable(py, |stop| {
        let budget = budget(nodes, stop);
        let mut budget = match time {
            Some(time) => budget.time(time),
            None => budget,
        };
        solving.mate(&text, options, &mut budget, dialect)
    })?;
    let found = found.map_err(Raise::raise)?;
    Ok(Mate {
        status: found.status.name(),
        plies: found.plies,
        exact: found.exact,
        line: found.line,
        nodes: found.nodes,
    })
}
