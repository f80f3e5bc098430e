//! `Position`: a position of any variant.

use std::any::Any;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use shogi_variants::core::{Colour, Faults, Position as Typed};
use shogi_variants::operations::{Diagram, read_move_number, read_placement};
use shogi_variants::rules::record::Record;
use shogi_variants::rules::{
    Dialect, Game, GameOver, Outcome as Ending, PlayError, Verdict, parse_usi, to_sfen_numbered,
    to_usi_in,
};
use shogi_variants::{RuleSet, Variant, Visitor};

use crate::error::{Raise, no_position, unplayable, value_error};
use crate::game::AnyGame;
use crate::limits;
use crate::names::{colour, dialect};
use crate::outcome::Outcome;
use crate::pickle::reduced;
use crate::progress::{Progress, Watch, watched};
use crate::record::AnyRecord;
use crate::unmoves::{AnyUnmoves, Unmoves};
use crate::variant::NameOrVariant;

/// A position, whose rule set is not known where it is used.
pub trait AnyPosition: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn side(&self) -> Colour;
    fn key(&self) -> u64;
    fn is_check(&self) -> bool;
    fn ending(&self) -> Option<Ending>;
    fn verdict(&self) -> Option<Verdict>;
    fn sfen(&self, dialect: Option<Dialect>, number: u32) -> String;
    fn diagram(&self, dialect: Option<Dialect>, number: u32) -> Diagram;
    fn legal_moves(&self, dialect: Option<Dialect>) -> Vec<String>;
    fn play(&self, mv: &str) -> PyResult<Arc<dyn AnyPosition>>;
    fn mirror(&self) -> PyResult<Arc<dyn AnyPosition>>;
    fn unmoves(&self) -> Box<dyn AnyUnmoves>;
    fn game(&self, number: u32) -> Box<dyn AnyGame>;
    fn record(&self, number: u32) -> Box<dyn AnyRecord>;
    fn is_same(&self, other: &dyn AnyPosition) -> bool;
}

impl<R: RuleSet> AnyPosition for Typed<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn side(&self) -> Colour {
        self.side()
    }

    fn key(&self) -> u64 {
        self.key()
    }

    fn is_check(&self) -> bool {
        self.is_check()
    }

    fn ending(&self) -> Option<Ending> {
        R::ending(self)
    }

    fn verdict(&self) -> Option<Verdict> {
        R::verdict(self)
    }

    fn sfen(&self, dialect: Option<Dialect>, number: u32) -> String {
        to_sfen_numbered(self, dialect.unwrap_or(R::dialect()), number)
    }

    fn diagram(&self, dialect: Option<Dialect>, number: u32) -> Diagram {
        Diagram::numbered::<R>(self, dialect.unwrap_or(R::dialect()), number)
    }

    fn legal_moves(&self, dialect: Option<Dialect>) -> Vec<String> {
        if R::is_over(self) {
            return Vec::new();
        }
        let dialect = dialect.unwrap_or(R::dialect());
        let moves = self.placement().legal_moves();
        moves.into_iter().map(|mv| to_usi_in(mv, self, dialect)).collect()
    }

    fn play(&self, text: &str) -> PyResult<Arc<dyn AnyPosition>> {
        let mv = parse_usi::<R>(text).map_err(Raise::raise)?;
        let over = || R::ending(self).map(|outcome| PlayError::from(GameOver(outcome)));
        if let Some(over) = R::is_over(self).then(over).flatten() {
            return Err(unplayable(&over, text));
        }
        match self.play(mv) {
            Ok(next) => Ok(Arc::new(next)),
            Err(illegal) => {
                let error = over().unwrap_or_else(|| illegal.into());
                Err(unplayable(&error, text))
            }
        }
    }

    fn mirror(&self) -> PyResult<Arc<dyn AnyPosition>> {
        let mirrored = Typed::new_allowing(self.placement().mirror(), Faults::MISSING_KING);
        Ok(Arc::new(mirrored.map_err(Raise::raise)?))
    }

    fn unmoves(&self) -> Box<dyn AnyUnmoves> {
        crate::unmoves::unmoves(self)
    }

    fn game(&self, number: u32) -> Box<dyn AnyGame> {
        Box::new(Game::new(*self).numbered_from(number))
    }

    fn record(&self, number: u32) -> Box<dyn AnyRecord> {
        let mut record = Record::new(*self);
        record.first_number = number.max(1);
        Box::new(record)
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<Self>() == Some(self)
    }
}

/// Reads a position.
struct Read<'a> {
    text: &'a str,
    allowed: Faults,
}

impl Visitor for Read<'_> {
    type Output = PyResult<(Arc<dyn AnyPosition>, u32)>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let number = read_move_number::<R>(self.text).map_err(Raise::raise)?;
        let placement = read_placement::<R>(self.text).map_err(Raise::raise)?;
        let position = Typed::new_allowing(placement, self.allowed).map_err(no_position)?;
        Ok((Arc::new(position), number))
    }
}

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
pub struct Position {
    pub variant: Variant,
    inner: Arc<dyn AnyPosition>,
    /// The number of the next move. Equal positions may have different ones.
    number: u32,
}

impl Position {
    /// A position of this variant, as before the first move of a game.
    pub const fn new(variant: Variant, inner: Arc<dyn AnyPosition>) -> Self {
        Self::numbered(variant, inner, 1)
    }

    /// A position of this variant with the number of the next move.
    pub const fn numbered(variant: Variant, inner: Arc<dyn AnyPosition>, number: u32) -> Self {
        Self { variant, inner, number }
    }

    /// The position after a move.
    pub fn next(&self, inner: Arc<dyn AnyPosition>) -> Self {
        Self::numbered(self.variant, inner, self.number.saturating_add(1))
    }

    /// A game that begins here.
    pub fn game(&self) -> Box<dyn AnyGame> {
        self.inner().game(self.number)
    }

    /// What it is; from now on the thread works with its variant.
    pub fn inner(&self) -> &dyn AnyPosition {
        self.variant.enter();
        &*self.inner
    }

    /// Reads a position; one of a mate problem may lack a king.
    pub fn read(variant: Variant, text: &str, problem: bool) -> PyResult<Self> {
        let allowed = if problem { Faults::MISSING_KING } else { Faults::empty() };
        let (inner, number) = variant.visit(Read { text, allowed })?;
        Ok(Self { variant, inner, number })
    }

    /// The position in SFEN, in the variant's own dialect.
    pub fn text(&self) -> String {
        self.inner().sfen(None, self.number)
    }

    /// The position, for tasks on this rule set.
    pub fn typed<R: RuleSet>(&self, wanted: Variant) -> PyResult<&Typed<R>> {
        self.check_variant(wanted)?;
        let typed = self.inner().as_any().downcast_ref();
        typed.ok_or_else(|| value_error(format!("a position of {wanted} is needed")))
    }

    /// Another position of the same variant.
    const fn with(&self, inner: Arc<dyn AnyPosition>) -> Self {
        Self::numbered(self.variant, inner, self.number)
    }

    /// Sequences of so many legal moves by the first, counted on all threads.
    fn divided(
        &self,
        py: Python<'_>,
        depth: u8,
        progress: Option<Progress>,
    ) -> PyResult<Vec<(String, u64)>> {
        let (rules, sfen) = (self.variant.rules(), self.text());
        let watch = Watch::default();
        let counts = watched(py, progress, &watch, || {
            rules.divide(&sfen, depth, None, &|nodes| {
                watch.add(nodes);
                watch.flow()
            })
        })?;
        let counts = counts.map_err(Raise::raise)?;
        Ok(counts.into_iter().map(|first| (first.mv, first.nodes)).collect())
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
        let sfen = variant.0.rules().named_start(name).map_err(Raise::raise)?;
        Self::read(variant.0, &sfen, false)
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// The player to move: `sente` or `gote`.
    #[getter]
    fn side(&self) -> &'static str {
        colour(self.inner().side())
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
        self.number
    }

    /// A hash of 64 bits (Zobrist) that is the same in every run.
    #[getter]
    fn key(&self) -> u64 {
        self.inner().key()
    }

    /// Whether the king of the player to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.inner().is_check()
    }

    /// How the game has ended by what is on the board, if it has.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.inner().ending().map(Outcome)
    }

    /// The same for the player to move: `win`, `loss`, `draw` or `None`.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.inner().verdict().map(Verdict::name)
    }

    /// The position in SFEN, in the given dialect: `lishogi` or `fairy`, by default the variant's own.
    #[pyo3(signature = (dialect = None))]
    fn sfen(&self, dialect: Option<&str>) -> PyResult<String> {
        Ok(self.inner().sfen(self::dialect(dialect)?, self.number))
    }

    /// The legal moves in USI notation; none at an end.
    ///
    /// >>> from shogi_variants import Position
    /// >>> sorted(Position("dobutsu").legal_moves())
    /// ['1d1c', '2c2b', '2d1c', '2d3c']
    #[pyo3(signature = (dialect = None))]
    fn legal_moves(&self, dialect: Option<&str>) -> PyResult<Vec<String>> {
        Ok(self.inner().legal_moves(self::dialect(dialect)?))
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
        Ok(self.next(self.inner().play(mv)?))
    }

    /// The mirror image.
    fn mirror(&self) -> PyResult<Self> {
        Ok(self.with(self.inner().mirror()?))
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
        if depth == 0 {
            return Ok(1);
        }
        let counts = self.divided(py, depth, progress)?;
        Ok(counts.iter().map(|(_, nodes)| nodes).sum())
    }

    /// The same for each first move, as a dictionary.
    #[pyo3(signature = (depth, *, progress = None))]
    fn divide<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = limits::plies)] depth: u8,
        progress: Option<Progress>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (mv, nodes) in self.divided(py, depth, progress)? {
            counts.set_item(mv, nodes)?;
        }
        Ok(counts)
    }

    /// The pieces on the board by their squares, in the letters of SFEN.
    ///
    /// >>> from shogi_variants import Position
    /// >>> Position("dobutsu").pieces()["2a"]
    /// 'l'
    #[pyo3(signature = (dialect = None))]
    fn pieces<'py>(&self, py: Python<'py>, dialect: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let diagram = self.inner().diagram(self::dialect(dialect)?, self.number);
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
        let diagram = self.inner().diagram(self::dialect(dialect)?, self.number);
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
            self.inner().diagram(Some(Dialect::Lishogi), self.number).kanji().to_string()
        } else {
            self.inner().diagram(None, self.number).letters().to_string()
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
        let diagram = self.inner().diagram(Some(Dialect::Lishogi), self.number);
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
        self.variant == other.variant && self.inner().is_same(&*other.inner)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.inner().key(), self.variant).hash(&mut hasher);
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
