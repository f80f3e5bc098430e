//! `Outcome`: how a game has ended.

use pyo3::prelude::*;
use shogi_variants::rules::{GameResult, Outcome as Ending, Reason};

use crate::names::colour;

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

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}>", self.0)
    }
}
