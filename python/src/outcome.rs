//! `Outcome`: how a game has ended.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::rules::{GameResult, Outcome as Ending, Reason, Violations};

use crate::error::value_error;
use crate::names::{colour, colour_named};
use crate::pickle::reduced;

/// All reasons but illegal moves, which differ in what they break.
const REASONS: [Reason; 11] = [
    Reason::Checkmate,
    Reason::Stalemate,
    Reason::LionCaptured,
    Reason::Try,
    Reason::BothTries,
    Reason::Repetition,
    Reason::PerpetualCheck,
    Reason::Impasse,
    Reason::Declaration,
    Reason::FailedDeclaration,
    Reason::Resignation,
];

/// The end of a game: its result, and the reason.
#[pyclass(frozen, eq, hash, module = "shogi_variants")]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome(pub Ending);

#[pymethods]
impl Outcome {
    /// The player who has won, if one has: `sente` or `gote`.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner().map(colour)
    }

    /// `win`, `draw` or `no result`.
    #[getter]
    fn result(&self) -> &'static str {
        match self.0.result {
            GameResult::Win(_) => "win",
            GameResult::Draw => "draw",
            GameResult::NoResult => "no result",
        }
    }

    /// Why: `checkmate`, `repetition`, `try` and so on.
    #[getter]
    fn reason(&self) -> String {
        match self.0.reason {
            Reason::IllegalMove(_) => "illegal move".to_owned(),
            reason => reason.to_string(),
        }
    }

    /// How pickle stores it: the winner, the result, the reason, and the rules that an illegal move breaks.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let outcome = slf.get();
        let broken = match outcome.0.reason {
            Reason::IllegalMove(broken) => broken.bits(),
            _ => 0,
        };
        let fields = (outcome.winner(), outcome.result(), outcome.reason(), broken);
        reduced(slf, "_restore", fields)
    }

    #[staticmethod]
    fn _restore(winner: Option<&str>, result: &str, reason: &str, broken: u16) -> PyResult<Self> {
        let result = match (winner, result) {
            (Some(winner), _) => GameResult::Win(colour_named(winner)?),
            (None, "draw") => GameResult::Draw,
            (None, _) => GameResult::NoResult,
        };
        let reason = match Violations::from_bits(broken) {
            Some(broken) if !broken.is_empty() => Some(Reason::IllegalMove(broken)),
            _ => REASONS.into_iter().find(|known| known.to_string() == reason),
        };
        let reason = reason.ok_or_else(|| value_error(format!("{result} for no known reason")))?;
        Ok(Self(Ending { result, reason }))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}>", self.0)
    }
}
