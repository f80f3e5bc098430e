//! `Position`: a position of any variant.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shogi_variants::core::{Colour, Faults, Position as Typed};
use shogi_variants::operations::Error;
use shogi_variants::rules::{Dialect, Verdict};
use shogi_variants::tasks::{Perft, PerftTask};
use shogi_variants::{AnyPosition, RuleSet, Variant};

use crate::error::{Raise, no_position, unplayed, value_error};
use crate::limits;
use crate::names::{colour, dialect};
use crate::outcome::Outcome;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::unmoves::Unmoves;
use crate::variant::NameOrVariant;

/// A legal position of a variant. It does not change: `play` gives another one.
///
/// `sfen` is SFEN in either dialect, `startpos`, or what the USI command `position` has, moves included.
/// With `problem` the king of the player to move may be missing, as in mate problems.
///
/// >>> from shogi_variants import Position
/// >>> position = Position("minishogi")
/// >>> position
/// Position('minishogi', 'rbsgk/4p/5/P4/KGSBR b - 1')
/// >>> position = position.play("5d5c")
/// >>> position.side, len(position.legal_moves())
/// ('gote', 13)
/// >>> Position("minishogi", "startpos moves 5d5c") == position
/// True
///
/// Raises `SfenError`, `UsiError`, `IllegalMoveError` or `InvalidPositionError`.
#[pyclass(frozen, from_py_object, module = "shogi_variants")]
#[derive(Clone)]
pub struct Position(pub AnyPosition);

impl Position {
    /// Reads a position; one of a mate problem may lack a king.
    pub fn read(variant: Variant, text: &str, problem: bool) -> PyResult<Self> {
        let allowed = if problem { Faults::MISSING_KING } else { Faults::empty() };
        let read = AnyPosition::read_allowing(variant, text, allowed);
        read.map(Self).map_err(|error| match error {
            Error::Invalid { faults, text } => no_position(text, faults),
            error => error.raise(),
        })
    }

    /// The position in SFEN, in the variant's own dialect.
    pub fn text(&self) -> String {
        self.0.to_sfen(None)
    }

    /// The position, for tasks on this rule set.
    pub fn typed<R: RuleSet>(&self, wanted: Variant) -> PyResult<&Typed<R>> {
        self.check_variant(wanted)?;
        let typed = self.0.typed();
        typed.ok_or_else(|| value_error(format!("a position of {wanted} is needed")))
    }

    /// Sequences of so many legal moves by the first, counted on all threads.
    fn divided(&self, py: Python<'_>, depth: u8, progress: Option<Progress>) -> PyResult<Perft> {
        let (variant, text) = (self.0.variant(), self.text());
        let (task, watch) = (PerftTask { depth, divide: true }, Watch::default());
        let counted = watched(py, progress, &watch, || {
            task.count(variant, &text, None, &|nodes| {
                watch.add(nodes);
                watch.flow()
            })
        })?;
        counted.map_err(Raise::raise)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant, sfen = "startpos", *, problem = false))]
    fn from_text(variant: NameOrVariant, sfen: &str, problem: bool) -> PyResult<Self> {
        Self::read(variant.0, sfen, problem)
    }

    /// The start with this name, in variants that have several.
    ///
    /// >>> from shogi_variants import Position
    /// >>> Position.named_start("shogi34", "KBR").sfen()
    /// 'rbk/1p1/1P1/KBR b - 1'
    #[staticmethod]
    fn named_start(variant: NameOrVariant, name: &str) -> PyResult<Self> {
        AnyPosition::named_start(variant.0, name).map(Self).map_err(Raise::raise)
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.0.variant())
    }

    /// The player to move: `sente` or `gote`.
    #[getter]
    fn side(&self) -> &'static str {
        colour(self.0.side())
    }

    /// The number of the next move, which SFEN ends with: 1, or what the text says, counted on by `play`.
    /// Equal positions may have different numbers.
    ///
    /// >>> from shogi_variants import Position
    /// >>> position = Position("minishogi", "rbsgk/4p/P4/5/KGSBR w - 2")
    /// >>> position.move_number, position.play("2a2b").sfen()
    /// (2, 'rbs1k/3gp/P4/5/KGSBR b - 3')
    #[getter]
    const fn move_number(&self) -> u32 {
        self.0.move_number()
    }

    /// A hash of 64 bits (Zobrist) that is the same in every run.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// Whether the king of the player to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// How the game has ended by what is on the board, if it has.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome)
    }

    /// The same for the player to move: `win`, `loss`, `draw` or `None`.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.0.verdict().map(Verdict::name)
    }

    /// The position in SFEN, in the given dialect: `lishogi` or `fairy`, by default the variant's own.
    #[pyo3(signature = (dialect = None))]
    fn sfen(&self, dialect: Option<&str>) -> PyResult<String> {
        Ok(self.0.to_sfen(self::dialect(dialect)?))
    }

    /// The legal moves in USI notation; none at an end.
    ///
    /// >>> from shogi_variants import Position
    /// >>> sorted(Position("dobutsu").legal_moves())
    /// ['1d1c', '2c2b', '2d1c', '2d3c']
    #[pyo3(signature = (dialect = None))]
    fn legal_moves(&self, dialect: Option<&str>) -> PyResult<Vec<String>> {
        Ok(self.0.legal_moves(self::dialect(dialect)?))
    }

    /// The position after a move in USI notation.
    ///
    /// Raises `UsiError`, `IllegalMoveError` or `GameOverError`.
    ///
    /// >>> from shogi_variants import IllegalMoveError, Position
    /// >>> try:
    /// ...     Position("shogi").play("2h2c+")
    /// ... except IllegalMoveError as error:
    /// ...     print(error.violations)
    /// ('the piece cannot go there',)
    #[pyo3(signature = (mv, /))]
    fn play(&self, mv: &str) -> PyResult<Self> {
        self.0.play(mv).map(Self).map_err(|error| unplayed(error, mv))
    }

    /// The mirror image.
    fn mirror(&self) -> PyResult<Self> {
        self.0.mirror().map(Self).map_err(Raise::raise)
    }

    /// The positions from which one legal move leads here, one after another, each with that move.
    ///
    /// >>> from shogi_variants import Position
    /// >>> position = Position("minishogi", "startpos moves 5d5c")
    /// >>> before, move = next(position.unmoves())
    /// >>> before.play(move) == position
    /// True
    fn unmoves(&self) -> Unmoves {
        Unmoves::new(self)
    }

    /// The number of sequences of so many legal moves, at most 255, counted on all threads.
    ///
    /// >>> from shogi_variants import Position
    /// >>> Position("minishogi").perft(4)
    /// 35401
    #[pyo3(signature = (depth, *, progress = None))]
    fn perft(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = limits::plies)] depth: u8,
        progress: Option<Progress>,
    ) -> PyResult<u64> {
        Ok(self.divided(py, depth, progress)?.nodes)
    }

    /// The same for each first move, as a dictionary.
    #[pyo3(signature = (depth, *, progress = None))]
    fn divide(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = limits::plies)] depth: u8,
        progress: Option<Progress>,
    ) -> PyResult<BTreeMap<String, u64>> {
        Ok(self.divided(py, depth, progress)?.divide.unwrap_or_default())
    }

    /// The pieces on the board by their squares, in the letters of SFEN.
    ///
    /// >>> from shogi_variants import Position
    /// >>> Position("dobutsu").pieces()["2a"]
    /// 'l'
    #[pyo3(signature = (dialect = None))]
    fn pieces<'py>(&self, py: Python<'py>, dialect: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let diagram = self.0.diagram(self::dialect(dialect)?);
        let pieces = PyDict::new(py);
        for (name, rank) in ('a'..).zip(&diagram.ranks) {
            for (file, square) in (1..=diagram.width()).rev().zip(rank) {
                if let Some(mark) = square {
                    let face = cased(&mark.face, mark.colour);
                    pieces.set_item(format!("{file}{name}"), face)?;
                }
            }
        }
        Ok(pieces)
    }

    /// The pieces in the hand of a player: letters in upper case, and how many.
    ///
    /// >>> from shogi_variants import Position
    /// >>> Position("minishogi", "4k/5/5/5/K4 b 2Gr 1").hand("sente")
    /// {'G': 2}
    #[pyo3(signature = (player, dialect = None))]
    fn hand<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        dialect: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let player = crate::names::colour_named(player)?;
        let diagram = self.0.diagram(self::dialect(dialect)?);
        let hand = PyDict::new(py);
        for held in &diagram.hands[player.index()] {
            hand.set_item(held.letter, held.count)?;
        }
        Ok(hand)
    }

    /// A picture of characters, with the letters of SFEN or with kanji.
    ///
    /// >>> from shogi_variants import Position
    /// >>> print(Position("dobutsu").picture(kanji=True))
    /// 後手の持駒：なし
    ///  ３ ２ １
    /// +---------+
    /// |v麒v獅v象|一
    /// | ・v雛 ・|二
    /// | ・ 雛 ・|三
    /// | 象 獅 麒|四
    /// +---------+
    /// 先手の持駒：なし
    /// 先手番
    #[pyo3(signature = (*, kanji = false))]
    fn picture(&self, kanji: bool) -> String {
        if kanji {
            self.0.diagram(Some(Dialect::Lishogi)).kanji().to_string()
        } else {
            self.0.diagram(None).letters().to_string()
        }
    }

    /// An SVG picture, with the letters of SFEN or with kanji, for which whoever shows it needs a Japanese font.
    /// Jupyter shows the one with letters for a position.
    ///
    /// >>> from shogi_variants import Position
    /// >>> "金" in Position("minishogi").svg(kanji=True)
    /// True
    #[pyo3(signature = (*, kanji = false))]
    fn svg(&self, kanji: bool) -> String {
        let diagram = self.0.diagram(Some(Dialect::Lishogi));
        if kanji { diagram.svg_kanji().to_string() } else { diagram.svg().to_string() }
    }

    /// What Jupyter shows.
    fn _repr_svg_(&self) -> String {
        self.svg(false)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Position({}, '{}')", self.variant().repr(), self.text())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let position = slf.get();
        reduced(slf, "_read", (position.variant(), position.text()))
    }

    #[staticmethod]
    fn _read(variant: NameOrVariant, sfen: &str) -> PyResult<Self> {
        Self::read(variant.0, sfen, true)
    }
}

/// A face in the case of its owner.
fn cased(face: &str, colour: Colour) -> String {
    match colour {
        Colour::Sente => face.to_owned(),
        Colour::Gote => face.to_ascii_lowercase(),
    }
}
