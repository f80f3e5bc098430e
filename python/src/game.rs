//! `Game`: a game with its history.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::AnyGame;
use shogi_variants::rules::{GameOver, ImpasseError};

use crate::error::{named, unplayed, value_error};
use crate::given::Start;
use crate::names::{colour_named, dialect};
use crate::outcome::Outcome;
use crate::pickle::reduced;
use crate::position::Position;
use crate::variant::NameOrVariant;

fn over(error: GameOver) -> PyErr {
    named("GameOverError", &error)
}

fn no_impasse(error: ImpasseError) -> PyErr {
    match error {
        ImpasseError::Over(error) => over(error),
        ImpasseError::NoRule => named("UnavailableError", &error),
        other => named("Error", &other),
    }
}

/// A game: a start position, the moves made from it, and its end by the rules of the variant, repetition
/// and impasse included.
///
/// `start` is a variant, or a position.
///
/// >>> from shogi_variants import Game
/// >>> game = Game("minishogi")
/// >>> outcome = game.play(*["1e1d", "5a5b", "1d1e", "5b5a"] * 3)
/// >>> str(outcome)
/// 'Gote wins (repetition)'
/// >>> game.undo(), game.outcome, len(game)
/// (True, None, 11)
#[pyclass(module = "shogi_variants")]
#[derive(Clone)]
pub struct Game(pub AnyGame);

#[pymethods]
impl Game {
    #[new]
    fn from_start(start: Start) -> PyResult<Self> {
        Ok(Self(start.position()?.0.game()))
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.0.variant())
    }

    /// The position to be played in.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position())
    }

    /// The start position and the one after each move.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.0.positions().into_iter().map(Position).collect()
    }

    /// The moves made so far in USI notation.
    #[pyo3(signature = (dialect = None))]
    fn moves(&self, dialect: Option<&str>) -> PyResult<Vec<String>> {
        Ok(self.0.moves(self::dialect(dialect)?))
    }

    /// How many times the position has come up so far, this time included.
    #[getter]
    fn repetitions(&self) -> usize {
        self.0.repetitions()
    }

    /// How the game has ended, if it has.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome)
    }

    /// Plays moves in USI notation; returns the outcome if the last one ends the game.
    ///
    /// Raises `UsiError`, `IllegalMoveError` or `GameOverError`; the moves before the one that fails are made.
    #[pyo3(signature = (*moves))]
    fn play(&mut self, moves: Vec<String>) -> PyResult<Option<Outcome>> {
        if moves.is_empty() {
            return Err(value_error("there is no move to play"));
        }
        let mut outcome = None;
        for mv in moves {
            outcome = self.0.play(&mv).map_err(|error| unplayed(error, &mv))?;
        }
        Ok(outcome.map(Outcome))
    }

    /// Plays a move as a referee rules it: a player who makes an illegal move has lost at once.
    #[pyo3(signature = (mv, /))]
    fn play_as_ruled(&mut self, mv: &str) -> PyResult<Option<Outcome>> {
        let outcome = self.0.play_as_ruled(mv);
        outcome.map(|end| end.map(Outcome)).map_err(|error| unplayed(error, mv))
    }

    /// Takes back a resignation, an agreement or a ruling, else the last move; whether there was anything.
    fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Ends the game by the resignation of `sente` or `gote`.
    fn resign(&mut self, player: &str) -> PyResult<Outcome> {
        self.0.resign(colour_named(player)?).map(Outcome).map_err(over)
    }

    /// Points of all pieces of a player, as they are counted when the players agree on impasse.
    fn points(&self, player: &str) -> PyResult<u32> {
        Ok(self.0.points(colour_named(player)?))
    }

    /// Ends the game by the agreement of the players on impasse. Raises `UnavailableError` without such a rule.
    fn agree_impasse(&mut self) -> PyResult<Outcome> {
        self.0.agree_impasse().map(Outcome).map_err(no_impasse)
    }

    /// Ends the game by a declaration of the player to move, who loses if it fails.
    fn declare(&mut self) -> PyResult<Outcome> {
        self.0.declare().map(Outcome).map_err(no_impasse)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    /// How pickle stores it: the start, the moves, and what has ended it off the board.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let text = serde_json::to_string(&slf.borrow().0).map_err(value_error)?;
        reduced(slf, "_restore", (text,))
    }

    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map(Self).map_err(value_error)
    }

    fn __len__(&self) -> usize {
        self.0.plies()
    }

    fn __repr__(&self) -> String {
        format!("<Game of {}: {} moves>", self.0.variant(), self.0.plies())
    }
}
