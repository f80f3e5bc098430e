//! `Game`: a game with its history.

use std::any::Any;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::core::Colour;
use shogi_variants::rules::{
    Dialect, Game as TypedGame, GameOver, ImpasseError, Outcome as Ending, Reason, parse_usi,
    to_usi_in,
};
use shogi_variants::{RuleSet, Variant};

use crate::error::{Raise, named, unplayable, value_error};
use crate::given::Start;
use crate::names::{colour, colour_named, dialect};
use crate::outcome::Outcome;
use crate::pickle::reduced;
use crate::position::{AnyPosition, Position};
use crate::variant::NameOrVariant;

/// A game, whose rule set is not known where it is used.
pub trait AnyGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn start(&self) -> Arc<dyn AnyPosition>;
    fn position(&self) -> Arc<dyn AnyPosition>;
    fn positions(&self) -> Vec<Arc<dyn AnyPosition>>;
    fn moves(&self, dialect: Option<Dialect>) -> Vec<String>;
    fn len(&self) -> usize;
    fn first_number(&self) -> u32;
    fn repetitions(&self) -> usize;
    fn outcome(&self) -> Option<Ending>;
    fn play(&mut self, mv: &str) -> PyResult<Option<Ending>>;
    fn play_as_ruled(&mut self, mv: &str) -> PyResult<Option<Ending>>;
    fn undo(&mut self) -> bool;
    fn resign(&mut self, player: Colour) -> Result<Ending, GameOver>;
    fn points(&self, player: Colour) -> u32;
    fn agree_impasse(&mut self) -> Result<Ending, ImpasseError>;
    fn declare(&mut self) -> Result<Ending, ImpasseError>;
    fn clone_box(&self) -> Box<dyn AnyGame>;
}

impl<R: RuleSet> AnyGame for TypedGame<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn start(&self) -> Arc<dyn AnyPosition> {
        // A game has a start.
        Arc::new(self.positions()[0])
    }

    fn position(&self) -> Arc<dyn AnyPosition> {
        Arc::new(*self.position())
    }

    fn positions(&self) -> Vec<Arc<dyn AnyPosition>> {
        let arc = |position: &_| Arc::new(*position) as Arc<dyn AnyPosition>;
        self.positions().iter().map(arc).collect()
    }

    fn moves(&self, dialect: Option<Dialect>) -> Vec<String> {
        let dialect = dialect.unwrap_or(R::dialect());
        let made = self.moves().iter().zip(self.positions());
        made.map(|(&mv, position)| to_usi_in(mv, position, dialect)).collect()
    }

    fn len(&self) -> usize {
        self.moves().len()
    }

    fn first_number(&self) -> u32 {
        self.first_number()
    }

    fn repetitions(&self) -> usize {
        self.repetitions()
    }

    fn outcome(&self) -> Option<Ending> {
        self.outcome()
    }

    fn play(&mut self, text: &str) -> PyResult<Option<Ending>> {
        let mv = parse_usi(text).map_err(Raise::raise)?;
        self.play(mv).map_err(|error| unplayable(&error, text))
    }

    fn play_as_ruled(&mut self, text: &str) -> PyResult<Option<Ending>> {
        let mv = parse_usi(text).map_err(Raise::raise)?;
        self.play_as_ruled(mv).map_err(over)
    }

    fn undo(&mut self) -> bool {
        self.undo()
    }

    fn resign(&mut self, player: Colour) -> Result<Ending, GameOver> {
        self.resign(player)
    }

    fn points(&self, player: Colour) -> u32 {
        self.points(player)
    }

    fn agree_impasse(&mut self) -> Result<Ending, ImpasseError> {
        self.agree_impasse()
    }

    fn declare(&mut self) -> Result<Ending, ImpasseError> {
        self.declare()
    }

    fn clone_box(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}

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
pub struct Game {
    variant: Variant,
    inner: Box<dyn AnyGame>,
    /// The illegal move that has ended it, if one has.
    offence: Option<String>,
}

impl Game {
    /// A game of this variant, as far as its moves and its end on the board show it.
    pub const fn new(variant: Variant, inner: Box<dyn AnyGame>) -> Self {
        Self { variant, inner, offence: None }
    }

    /// The variant.
    pub const fn rules(&self) -> Variant {
        self.variant
    }

    /// What it is; from now on the thread works with its variant.
    pub fn inner(&self) -> &dyn AnyGame {
        self.variant.enter();
        &*self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn AnyGame {
        self.variant.enter();
        &mut *self.inner
    }

    /// The position after so many moves.
    fn at(&self, moves: usize, inner: Arc<dyn AnyPosition>) -> Position {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        let number = self.inner().first_number().saturating_add(moves);
        Position::numbered(self.variant, inner, number)
    }
}

#[pymethods]
impl Game {
    #[new]
    fn from_start(start: Start) -> PyResult<Self> {
        let start = start.position()?;
        Ok(Self::new(start.variant, start.game()))
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// The position to be played in.
    #[getter]
    fn position(&self) -> Position {
        self.at(self.inner().len(), self.inner().position())
    }

    /// The start position and the one after each move.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let positions = self.inner().positions().into_iter().enumerate();
        positions.map(|(moves, inner)| self.at(moves, inner)).collect()
    }

    /// The moves made so far in USI notation.
    #[pyo3(signature = (dialect = None))]
    fn moves(&self, dialect: Option<&str>) -> PyResult<Vec<String>> {
        Ok(self.inner().moves(self::dialect(dialect)?))
    }

    /// How many times the position has come up so far, this time included.
    #[getter]
    fn repetitions(&self) -> usize {
        self.inner().repetitions()
    }

    /// How the game has ended, if it has.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.inner().outcome().map(Outcome)
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
            outcome = self.inner_mut().play(&mv)?;
        }
        Ok(outcome.map(Outcome))
    }

    /// Plays a move as a referee rules it: a player who makes an illegal move has lost at once.
    #[pyo3(signature = (mv, /))]
    fn play_as_ruled(&mut self, mv: &str) -> PyResult<Option<Outcome>> {
        let outcome = self.inner_mut().play_as_ruled(mv)?;
        let is_illegal = |end: Ending| matches!(end.reason, Reason::IllegalMove(_));
        self.offence = outcome.is_some_and(is_illegal).then(|| mv.to_owned());
        Ok(outcome.map(Outcome))
    }

    /// Takes back a resignation, an agreement or a ruling, else the last move; whether there was anything.
    fn undo(&mut self) -> bool {
        self.offence = None;
        self.inner_mut().undo()
    }

    /// Ends the game by the resignation of `sente` or `gote`.
    fn resign(&mut self, player: &str) -> PyResult<Outcome> {
        self.inner_mut().resign(colour_named(player)?).map(Outcome).map_err(over)
    }

    /// Points of all pieces of a player, as they are counted when the players agree on impasse.
    fn points(&self, player: &str) -> PyResult<u32> {
        Ok(self.inner().points(colour_named(player)?))
    }

    /// Ends the game by the agreement of the players on impasse. Raises `UnavailableError` without such a rule.
    fn agree_impasse(&mut self) -> PyResult<Outcome> {
        self.inner_mut().agree_impasse().map(Outcome).map_err(no_impasse)
    }

    /// Ends the game by a declaration of the player to move, who loses if it fails.
    fn declare(&mut self) -> PyResult<Outcome> {
        self.inner_mut().declare().map(Outcome).map_err(no_impasse)
    }

    fn __copy__(&self) -> Self {
        let (inner, offence) = (self.inner().clone_box(), self.offence.clone());
        Self { variant: self.variant, inner, offence }
    }

    /// How pickle stores it: the start, the moves, and what has ended it off the board.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let game = slf.borrow();
        let start = game.inner().start();
        let end = game.inner().outcome().and_then(|outcome| match outcome.reason {
            Reason::Resignation => {
                outcome.winner().map(|winner| ("resign", colour(!winner).into()))
            }
            Reason::Impasse => Some(("agree_impasse", String::new())),
            Reason::Declaration | Reason::FailedDeclaration => Some(("declare", String::new())),
            Reason::IllegalMove(_) => game.offence.clone().map(|mv| ("play_as_ruled", mv)),
            _ => None,
        });
        reduced(slf, "_restore", (game.at(0, start), game.inner().moves(None), end))
    }

    #[staticmethod]
    fn _restore(
        start: Position,
        moves: Vec<String>,
        end: Option<(String, String)>,
    ) -> PyResult<Self> {
        let mut game = Self::new(start.variant, start.game());
        for mv in moves {
            game.inner_mut().play(&mv)?;
        }
        if let Some((what, of)) = end {
            match &*what {
                "resign" => drop(game.resign(&of)?),
                "agree_impasse" => drop(game.agree_impasse()?),
                "declare" => drop(game.declare()?),
                _ => drop(game.play_as_ruled(&of)?),
            }
        }
        Ok(game)
    }

    fn __len__(&self) -> usize {
        self.inner().moves(None).len()
    }

    fn __repr__(&self) -> String {
        let moves = self.inner().moves(None);
        format!("<Game of {}: {} moves>", self.variant, moves.len())
    }
}
