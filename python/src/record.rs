//! `Record`: the record of a game in KIF, KI2, CSA, USI, JSON or JKF, with its variations.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::rules::record::{Branch, Format, decode};
use shogi_variants::{AnyRecord, RecordedLine, RecordedMove, Variant};

use crate::error::{Raise, value_error};
use crate::game::Game;
use crate::given::Written;
use crate::names::{colour, dialect};
use crate::pickle::reduced;
use crate::position::Position;
use crate::variant::NameOrVariant;

/// A move of a recorded game, with its comments and the seconds thought before it.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RecordMove {
    /// The move in USI notation.
    #[pyo3(name = "move")]
    mv: String,
    /// Comments on it, each a line.
    comments: Vec<String>,
    /// Bookmarks behind it, each a line.
    bookmarks: Vec<String>,
    /// Seconds thought before it.
    seconds: Option<u32>,
}

#[pymethods]
impl RecordMove {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { mv, comments, bookmarks, seconds } = slf.get().clone();
        reduced(slf, "_restore", (mv, comments, bookmarks, seconds))
    }

    #[staticmethod]
    const fn _restore(
        mv: String,
        comments: Vec<String>,
        bookmarks: Vec<String>,
        seconds: Option<u32>,
    ) -> Self {
        Self { mv, comments, bookmarks, seconds }
    }

    fn __repr__(&self) -> String {
        format!("<RecordMove {}>", self.mv)
    }
}

/// A line of play in a record: the main line, or a variation.
#[pyclass(frozen, get_all, eq, hash, module = "shogi_variants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RecordLine {
    /// Where a variation leaves another line: the number of that line, and how many of its own moves
    /// come before. `None` for the main line.
    branch: Option<(usize, usize)>,
    /// How many moves of the game come before its first.
    moves_before: usize,
    /// Its moves in order.
    moves: Vec<RecordMove>,
    /// How it ended, if the record says so: `resignation`, `checkmate` and so on.
    end: Option<String>,
}

#[pymethods]
impl RecordLine {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { branch, moves_before, moves, end } = slf.get().clone();
        reduced(slf, "_restore", (branch, moves_before, moves, end))
    }

    #[staticmethod]
    fn _restore(
        branch: Option<(usize, usize)>,
        moves_before: usize,
        moves: Vec<Bound<'_, RecordMove>>,
        end: Option<String>,
    ) -> Self {
        let moves = moves.iter().map(|one| one.get().clone()).collect();
        Self { branch, moves_before, moves, end }
    }

    fn __repr__(&self) -> String {
        let moves: Vec<&str> = self.moves.iter().map(|one| one.mv.as_str()).collect();
        format!("<RecordLine from move {}: {}>", self.moves_before + 1, moves.join(" "))
    }
}

impl From<RecordedMove> for RecordMove {
    fn from(one: RecordedMove) -> Self {
        let RecordedMove { mv, comments, bookmarks, seconds, .. } = one;
        Self { mv, comments, bookmarks, seconds }
    }
}

impl From<RecordedLine> for RecordLine {
    fn from(line: RecordedLine) -> Self {
        Self {
            branch: line.branch.map(|Branch { line, at }| (line, at)),
            moves_before: line.moves_before,
            moves: line.moves.into_iter().map(RecordMove::from).collect(),
            end: line.end.map(str::to_owned),
        }
    }
}

/// The record of a game: a start, a main line and variations with comments, times and bookmarks, and how
/// each ended.
///
/// >>> from shogi_variants import Record
/// >>> record = Record.parse("minishogi", "startpos moves 5d5c 2a3b", "usi")
/// >>> "５三歩(54)" in record.to_text("kif")
/// True
/// >>> Record.parse("minishogi", record.to_text("csa")).moves()
/// [<RecordMove 5d5c>, <RecordMove 2a3b>]
#[pyclass(module = "shogi_variants")]
pub struct Record {
    notices: Vec<String>,
    inner: AnyRecord,
}

#[pymethods]
impl Record {
    /// Reads a record: a text, or bytes in UTF-8, Shift-JIS or EUC-JP, in `kif`, `ki2`, `csa`, `usi`, `json` or
    /// `jkf`; without a format, in the one that it seems to be in. Of several games, the first is read. `None` for
    /// the variant has the game found out, too.
    ///
    /// >>> from shogi_variants import Record
    /// >>> Record.parse(None, "startpos moves 5d5c 2a3b").variant
    /// 'minishogi'
    ///
    /// Raises `RecordError` with line, column and reason.
    #[staticmethod]
    #[pyo3(signature = (variant, text, format = None))]
    fn parse(
        variant: Option<NameOrVariant>,
        text: Written,
        format: Option<&str>,
    ) -> PyResult<Self> {
        // A text without a record has raised an error.
        let first = Self::parse_all(variant, text, format)?.into_iter().next();
        first.ok_or_else(|| value_error("the text has no record"))
    }

    /// Reads all records of a text, as `parse` reads one.
    #[staticmethod]
    #[pyo3(signature = (variant, text, format = None))]
    fn parse_all(
        variant: Option<NameOrVariant>,
        text: Written,
        format: Option<&str>,
    ) -> PyResult<Vec<Self>> {
        let text = match text {
            Written::Text(text) => text,
            Written::Bytes(bytes) => decode(&bytes).map_err(Raise::raise)?.0,
        };
        let format = match format {
            Some(name) => self::format(name)?,
            None => Format::detect(&text).ok_or_else(|| {
                value_error(
                    "the text seems to be in none of the formats kif, ki2, csa, json, jkf and usi",
                )
            })?,
        };
        let variant = match variant {
            Some(NameOrVariant(variant)) => variant,
            None => Variant::of_record(&text, format, &[]).map_err(Raise::raise)?,
        };
        let read = AnyRecord::read(variant, &text, format).map_err(Raise::raise)?;
        let notices: Vec<_> = read.notices.iter().map(ToString::to_string).collect();
        let record = |inner| Self { notices: notices.clone(), inner };
        Ok(read.records.into_iter().map(record).collect())
    }

    /// The record of a game, without headers, comments and times, with its end if it has ended.
    #[staticmethod]
    fn from_game(game: &Game) -> Self {
        Self { notices: Vec::new(), inner: game.0.record() }
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.inner.variant())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position(self.inner.start())
    }

    /// What in the text that it was read from contradicts the rules or the record itself, each in a sentence with its
    /// place; of several games, what is to be said of all.
    ///
    /// >>> from shogi_variants import Record
    /// >>> record = Record.parse("shogi", "▲７六歩 ▲２六歩\nまで1手で先手の反則負け\n")
    /// >>> record.winner, record.notices
    /// ('gote', ['line 1, column 6: Sente moves out of turn: the game ends here, and the move is kept as a comment'])
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.notices.clone()
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

    /// The moves of the main line in order.
    #[pyo3(signature = (dialect = None))]
    fn moves(&self, dialect: Option<&str>) -> PyResult<Vec<RecordMove>> {
        Ok(self.inner.moves(self::dialect(dialect)?).into_iter().map(RecordMove::from).collect())
    }

    /// All lines, the main line first, each after the one that it leaves.
    ///
    /// >>> from shogi_variants import Record
    /// >>> text = "1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ８四歩(83)\n"
    /// >>> Record.parse("shogi", text).lines()
    /// [<RecordLine from move 1: 7g7f 3c3d>, <RecordLine from move 2: 8c8d>]
    #[pyo3(signature = (dialect = None))]
    fn lines(&self, dialect: Option<&str>) -> PyResult<Vec<RecordLine>> {
        Ok(self.inner.lines(self::dialect(dialect)?).into_iter().map(RecordLine::from).collect())
    }

    /// How the game ended, if the record says so: `resignation`, `checkmate`, `time`, `foul`, `default`,
    /// `draw`, `repetition`, `declaration`, `interruption` or `other`.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.inner.end()
    }

    /// The winner, if the record says that there is one: `sente` or `gote`. A declaration has won only where
    /// the rules bear it out.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.inner.winner().map(colour)
    }

    /// The game, played through by the rules. Raises `GameOverError` where the record goes on after an end.
    fn game(&self) -> PyResult<Game> {
        self.inner.game().map(Game).map_err(Raise::raise)
    }

    /// The record in `kif`, `ki2`, `csa`, `usi`, `json` or `jkf`. Raises `RecordError` where the format cannot hold it.
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
        self.inner.plies()
    }

    fn __repr__(&self) -> String {
        format!("<Record of {}: {} moves>", self.inner.variant(), self.inner.plies())
    }
}

fn format(name: &str) -> PyResult<Format> {
    let format = name.parse::<Format>();
    format.map_err(|error| value_error(format!("{name:?} is no format: {error}")))
}
