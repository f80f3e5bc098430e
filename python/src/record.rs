//! `Record`: the record of a game in KIF, KI2, CSA, USI or JSON.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::rules::record::{Format, Record as Typed, WriteError, decode};
use shogi_variants::rules::{Dialect, Game as TypedGame, to_usi_in};
use shogi_variants::{RuleSet, Variant, Visitor};

use crate::error::{Raise, unplayable, value_error};
use crate::game::{AnyGame, Game};
use crate::given::Written;
use crate::names::{dialect, variant};
use crate::pickle::reduced;
use crate::position::{AnyPosition, Position};

/// A record, whose rule set is not known where it is used.
pub trait AnyRecord: Send + Sync {
    fn start(&self) -> Arc<dyn AnyPosition>;
    fn headers(&self) -> &[(String, String)];
    fn comments(&self) -> &[String];
    fn moves(&self, dialect: Option<Dialect>) -> Vec<RecordMove>;
    fn end(&self) -> Option<String>;
    fn game(&self) -> PyResult<Box<dyn AnyGame>>;
    fn set_header(&mut self, name: &str, value: &str);
    fn push_game(&mut self, game: &dyn AnyGame) -> PyResult<()>;
    fn write(&self, format: Format, dialect: Option<Dialect>) -> Result<String, WriteError>;
}

/// A move of a recorded game, with its comments and the seconds thought before it.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RecordMove {
    /// The move in USI notation.
    #[pyo3(name = "move")]
    mv: String,
    /// Comments on it, each a line.
    comments: Vec<String>,
    /// Seconds thought before it.
    seconds: Option<u32>,
}

#[pymethods]
impl RecordMove {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { mv, comments, seconds } = slf.get().clone();
        reduced(slf, "_restore", (mv, comments, seconds))
    }

    #[staticmethod]
    const fn _restore(mv: String, comments: Vec<String>, seconds: Option<u32>) -> Self {
        Self { mv, comments, seconds }
    }

    fn __repr__(&self) -> String {
        format!("<RecordMove {}>", self.mv)
    }
}

impl<R: RuleSet> AnyRecord for Typed<R> {
    fn start(&self) -> Arc<dyn AnyPosition> {
        Arc::new(*self.start())
    }

    fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    fn comments(&self) -> &[String] {
        &self.comments
    }

    fn moves(&self, dialect: Option<Dialect>) -> Vec<RecordMove> {
        let dialect = dialect.unwrap_or(R::DIALECT);
        let moves = self.positions().map(|(position, one)| RecordMove {
            mv: to_usi_in(one.mv(), &position, dialect),
            comments: one.comments.clone(),
            seconds: one.seconds,
        });
        moves.collect()
    }

    fn end(&self) -> Option<String> {
        let end = serde_json::to_value(self.ending.as_ref()?.end).ok()?;
        end.as_str().map(str::to_owned)
    }

    fn game(&self) -> PyResult<Box<dyn AnyGame>> {
        let mut game = TypedGame::new(*self.start());
        for (position, one) in self.positions() {
            let usi = to_usi_in(one.mv(), &position, R::DIALECT);
            // A record may go on after a repetition, a game does not.
            game.play(one.mv()).map_err(|error| unplayable(&error, &usi))?;
        }
        Ok(Box::new(game))
    }

    fn set_header(&mut self, name: &str, value: &str) {
        match self.headers.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.headers.push((name.to_owned(), value.to_owned())),
        }
    }

    fn push_game(&mut self, game: &dyn AnyGame) -> PyResult<()> {
        // A record is made for the game's own start, so that the types agree.
        let Some(game) = game.as_any().downcast_ref::<TypedGame<R>>() else { return Ok(()) };
        for (&mv, position) in game.moves().iter().zip(game.positions()) {
            let pushed = self.push(mv).map(drop);
            pushed.map_err(|error| unplayable(&error, &to_usi_in(mv, position, R::DIALECT)))?;
        }
        Ok(())
    }

    fn write(&self, format: Format, dialect: Option<Dialect>) -> Result<String, WriteError> {
        format.write_in(self, dialect.unwrap_or(R::DIALECT))
    }
}

/// Reads a record.
struct Parse<'a> {
    text: &'a str,
    format: Format,
}

impl Visitor for Parse<'_> {
    type Output = PyResult<Box<dyn AnyRecord>>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let record = self.format.parse::<R>(self.text).map_err(Raise::raise)?;
        Ok(Box::new(record))
    }
}

/// The record of a game: a start, the moves of one line of play with comments and times, and the end.
///
/// >>> from shogi_variants import Record
/// >>> record = Record.parse("minishogi", "startpos moves 5d5c 2a3b", "usi")
/// >>> "５三歩(54)" in record.to_text("kif")
/// True
/// >>> Record.parse("minishogi", record.to_text("csa")).moves()
/// [<RecordMove 5d5c>, <RecordMove 2a3b>]
#[pyclass(module = "shogi_variants")]
pub struct Record {
    variant: Variant,
    inner: Box<dyn AnyRecord>,
}

#[pymethods]
impl Record {
    /// Reads a record: a text, or bytes in UTF-8 or Shift-JIS, in `kif`, `ki2`, `csa`, `usi` or `json`; without
    /// a format, in the one that it seems to be in.
    ///
    /// Raises `RecordError` with line, column and reason.
    #[staticmethod]
    #[pyo3(signature = (variant, text, format = None))]
    fn parse(variant: &str, text: Written, format: Option<&str>) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        let text = match text {
            Written::Text(text) => text,
            Written::Bytes(bytes) => decode(&bytes).map_err(Raise::raise)?.0,
        };
        let format = match format {
            Some(name) => self::format(name)?,
            None => Format::detect(&text).ok_or_else(|| {
                value_error(
                    "the text seems to be in none of the formats kif, ki2, csa, json and usi",
                )
            })?,
        };
        Ok(Self { variant, inner: variant.visit(Parse { text: &text, format })? })
    }

    /// The record of a game, without headers, comments and times.
    #[staticmethod]
    fn from_game(game: &Game) -> PyResult<Self> {
        let mut inner = game.inner.start().record();
        inner.push_game(&*game.inner)?;
        Ok(Self { variant: game.rules(), inner })
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position { variant: self.variant, inner: self.inner.start() }
    }

    /// Names and values in order, such as 先手 and the name of a player.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.inner.headers().to_vec()
    }

    /// Sets the value of a name.
    fn set_header(&mut self, name: &str, value: &str) {
        self.inner.set_header(name, value);
    }

    /// Comments before the first move.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.inner.comments().to_vec()
    }

    /// The moves in order.
    #[pyo3(signature = (dialect = None))]
    fn moves(&self, dialect: Option<&str>) -> PyResult<Vec<RecordMove>> {
        Ok(self.inner.moves(self::dialect(dialect)?))
    }

    /// How the game ended, if the record says so: `resignation`, `checkmate` and so on.
    #[getter]
    fn end(&self) -> Option<String> {
        self.inner.end()
    }

    /// The game, played through by the rules. Raises `GameOverError` where the record goes on after an end.
    fn game(&self) -> PyResult<Game> {
        Ok(Game::new(self.variant, self.inner.game()?))
    }

    /// The record in `kif`, `ki2`, `csa`, `usi` or `json`. Raises `RecordError` where the format cannot hold it.
    #[pyo3(signature = (format, dialect = None))]
    fn to_text(&self, format: &str, dialect: Option<&str>) -> PyResult<String> {
        let (format, dialect) = (self::format(format)?, self::dialect(dialect)?);
        self.inner.write(format, dialect).map_err(Raise::raise)
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let record = slf.borrow();
        let text = record.inner.write(Format::Json, None).map_err(Raise::raise)?;
        reduced(slf, "parse", (record.variant(), text, "json"))
    }

    fn __len__(&self) -> usize {
        self.inner.moves(None).len()
    }

    fn __repr__(&self) -> String {
        format!("<Record of {}: {} moves>", self.variant, self.inner.moves(None).len())
    }
}

fn format(name: &str) -> PyResult<Format> {
    let format = name.parse::<Format>();
    format.map_err(|error| value_error(format!("{name:?} is no format: {error}")))
}
