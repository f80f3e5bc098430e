//! `Player`: chooses moves.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::mem;
use std::sync::Mutex;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::core::{Move, Position as TypedPosition};
use shogi_variants::operations::JudgedBy;
use shogi_variants::rules::{Dialect, to_usi_in};
use shogi_variants::search::{
    Action, Control, Evaluation, Limits, Player as Typed, Score as Scored, SearchReport, Settings,
};
use shogi_variants::{AnyGame, OfVariant, RuleSet, Variant, Visitor};

use crate::error::{Raise, value_error};
use crate::given::Subject;
use crate::interrupt::stoppable_by;
use crate::limits::{self, time};
use crate::names::dialect;
use crate::pickle::reduced;
use crate::variant::NameOrVariant;

/// A player, whose rule set is not known where it is used.
pub trait AnyPlayer: Send + Sync {
    fn think(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        control: &Control,
        dialect: Option<Dialect>,
    ) -> Option<Choice>;
    fn clear(&mut self);
}

impl<R: RuleSet> AnyPlayer for Typed<R, Evaluation<R>> {
    fn think(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        control: &Control,
        dialect: Option<Dialect>,
    ) -> Option<Choice> {
        let game = game.typed::<R>()?;
        let dialect = dialect.unwrap_or(R::dialect());
        let write = |line: &[Move<R>]| in_usi(*game.position(), line, dialect);
        // Of the last depth to which all lines were searched, and of the depth after it.
        let (mut lines, mut deeper) = (Vec::new(), Vec::new());
        let report = |report: &SearchReport<R>| {
            let line = Line {
                score: Score(report.score),
                depth: report.depth,
                moves: write(&report.line),
            };
            if deeper.first().is_some_and(|first: &Line| first.depth != line.depth) {
                keep_complete(&mut lines, &mut deeper);
            }
            let place = report.line_number - 1;
            // A search that is broken off may end with a line that it has found before as the best.
            let is_found = |found: &Line| found.moves.first() == line.moves.first();
            if let Some(before) = deeper.iter().position(is_found) {
                deeper.remove(before);
                deeper.insert(place.min(deeper.len()), line);
                return;
            }
            // A line that passes others takes their places, and they are reported anew.
            match deeper.get_mut(place) {
                Some(place) => *place = line,
                None => deeper.push(line),
            }
        };
        let choice = Typed::think(self, game, limits, control, report);
        keep_complete(&mut lines, &mut deeper);
        lines.sort_by_key(|line| Reverse(line.score));
        let (action, mv) = match choice.action {
            Action::Play(mv) => ("play", write(&[mv]).pop()),
            Action::Declare => ("declare", None),
            Action::Resign => ("resign", None),
        };
        Some(Choice {
            action: action.into(),
            mv,
            score: Score(choice.score),
            depth: choice.depth,
            line: write(&choice.line),
            lines,
            nodes: choice.nodes,
            seconds: choice.time.as_secs_f64(),
        })
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// Puts the lines of a depth in the place of those before it, unless the search was broken off among them.
fn keep_complete(lines: &mut Vec<Line>, deeper: &mut Vec<Line>) {
    let deeper = mem::take(deeper);
    if deeper.len() >= lines.len() {
        *lines = deeper;
    }
}

fn in_usi<R: RuleSet>(
    mut position: TypedPosition<R>,
    line: &[Move<R>],
    dialect: Dialect,
) -> Vec<String> {
    let write = |&mv: &_| {
        let usi = to_usi_in(mv, &position, dialect);
        position = position.play_unchecked(mv);
        usi
    };
    line.iter().map(write).collect()
}

/// Makes a player; `None` where no evaluation has the name.
struct New<'a>(&'a str, Settings);

impl Visitor for New<'_> {
    type Output = Option<PyResult<OfVariant<Box<dyn AnyPlayer>>>>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let made = Typed::try_new(Evaluation::<R>::named(self.0)?, self.1);
        let any = |player| OfVariant::new(Box::new(player) as Box<dyn AnyPlayer>);
        Some(made.map(any).map_err(Raise::raise))
    }
}

/// How good a position is for the player to move: hundredths of a pawn, or plies to a win or loss.
#[pyclass(frozen, eq, ord, from_py_object, module = "shogi_variants")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(Scored);

#[pymethods]
impl Score {
    /// An evaluation in hundredths of a pawn.
    #[getter]
    pub const fn centipawns(&self) -> Option<i32> {
        if let Scored::Value(value) = self.0 { Some(value) } else { None }
    }

    /// The player to move wins in this many plies at most.
    #[getter]
    const fn win_in(&self) -> Option<u32> {
        if let Scored::WinIn(plies) = self.0 { Some(plies) } else { None }
    }

    /// The player to move loses in this many plies at the latest.
    #[getter]
    const fn loss_in(&self) -> Option<u32> {
        if let Scored::LossIn(plies) = self.0 { Some(plies) } else { None }
    }

    const fn __hash__(&self) -> i32 {
        self.0.order()
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (kind, number) = match slf.get().0 {
            Scored::Value(value) => ("centipawns", i64::from(value)),
            Scored::WinIn(plies) => ("win_in", plies.into()),
            Scored::LossIn(plies) => ("loss_in", plies.into()),
        };
        reduced(slf, "_restore", (kind, number))
    }

    #[staticmethod]
    fn _restore(kind: &str, number: i64) -> PyResult<Self> {
        Ok(Self(match kind {
            "win_in" => Scored::WinIn(number.try_into()?),
            "loss_in" => Scored::LossIn(number.try_into()?),
            _ => Scored::Value(number.try_into()?),
        }))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Score: {}>", self.0)
    }
}

/// One of the lines that a player has found.
#[pyclass(frozen, get_all, eq, from_py_object, module = "shogi_variants")]
#[derive(Clone, PartialEq)]
pub struct Line {
    /// How good the position is if it is played.
    score: Score,
    /// The depth to which it was searched.
    depth: u32,
    /// The moves in USI notation.
    moves: Vec<String>,
}

#[pymethods]
impl Line {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { score, depth, moves } = slf.get().clone();
        reduced(slf, "_restore", (score, depth, moves))
    }

    #[staticmethod]
    const fn _restore(score: Score, depth: u32, moves: Vec<String>) -> Self {
        Self { score, depth, moves }
    }

    fn __repr__(&self) -> String {
        format!("<Line: {}, {}>", self.score.0, self.moves.join(" "))
    }
}

/// The result of thinking: `action` is `play`, `declare` or `resign`; `lines` are the best first moves, as many as the player looks for.
#[pyclass(frozen, get_all, eq, module = "shogi_variants")]
#[derive(Clone, PartialEq)]
pub struct Choice {
    /// `play`, `declare` or `resign`.
    action: Cow<'static, str>,
    /// The move, to be played.
    #[pyo3(name = "move")]
    mv: Option<String>,
    /// How good the position is.
    score: Score,
    /// The depth of the last iteration that came to an end.
    depth: u32,
    /// The line expected, beginning with the move.
    line: Vec<String>,
    /// The best first moves with their lines, of the last depth to which all were searched.
    lines: Vec<Line>,
    /// Positions visited.
    nodes: u64,
    /// Time taken.
    seconds: f64,
}

#[pymethods]
impl Choice {
    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { action, mv, score, depth, line, lines, nodes, seconds } = slf.get().clone();
        reduced(slf, "_restore", (action, mv, score, depth, line, lines, nodes, seconds))
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are the fields")]
    fn _restore(
        action: String,
        mv: Option<String>,
        score: Score,
        depth: u32,
        line: Vec<String>,
        lines: Vec<Line>,
        nodes: u64,
        seconds: f64,
    ) -> Self {
        Self { action: action.into(), mv, score, depth, line, lines, nodes, seconds }
    }

    fn __repr__(&self) -> String {
        let what = self.mv.as_deref().unwrap_or(&self.action);
        format!("<Choice: {what}, {}>", self.score.0)
    }
}

/// A player of a variant. `evaluation` is `standard`, `network`, `material` or `weighted`; `lines` is how many
/// different first moves are looked for (multi-PV).
///
/// >>> from shogi_variants import Player, Position
/// >>> player = Player("minishogi", lines=2)
/// >>> choice = player.think(Position("minishogi", "4k/5/4G/5/K4 b R 1"), depth=4)
/// >>> choice.score.win_in, choice.move
/// (1, 'R*5a')
#[pyclass(frozen, module = "shogi_variants")]
pub struct Player {
    variant: Variant,
    evaluation: String,
    settings: Settings,
    /// One search at a time.
    inner: Mutex<OfVariant<Box<dyn AnyPlayer>>>,
}

impl Player {
    fn with(variant: Variant, evaluation: String, settings: Settings) -> PyResult<Self> {
        let inner = variant.visit(New(&evaluation, settings)).ok_or_else(|| {
            // The library's own words for the name that it does not know.
            let unknown = variant.playing().evaluation(JudgedBy::Name(&evaluation)).map(drop);
            unknown.map_or_else(Raise::raise, |()| value_error(&evaluation))
        })??;
        Ok(Self { variant, evaluation, settings, inner: Mutex::new(inner) })
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (variant, *, evaluation = "standard", hash_mb = 64, threads = 1, lines = 1))]
    fn new(
        variant: NameOrVariant,
        evaluation: &str,
        #[pyo3(from_py_with = limits::hash_mb)] hash_mb: u32,
        #[pyo3(from_py_with = limits::threads)] threads: usize,
        #[pyo3(from_py_with = limits::lines)] lines: usize,
    ) -> PyResult<Self> {
        let hash_bytes = (hash_mb as usize) << 20;
        let settings = Settings { hash_bytes, threads, lines, ..Settings::default() };
        Self::with(variant.0, evaluation.to_owned(), settings)
    }

    /// How pickle stores it: the settings, and nothing of what it has seen.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { variant, evaluation, settings, .. } = slf.get();
        let Settings { hash_bytes, threads, lines, .. } = *settings;
        reduced(slf, "_restore", (NameOrVariant(*variant), evaluation, hash_bytes, threads, lines))
    }

    #[staticmethod]
    fn _restore(
        variant: NameOrVariant,
        evaluation: String,
        hash_bytes: usize,
        threads: usize,
        lines: usize,
    ) -> PyResult<Self> {
        let settings = Settings { hash_bytes, threads, lines, ..Settings::default() };
        Self::with(variant.0, evaluation, settings)
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// Thinks about a game with its history, or about a position, until a limit is met. Ctrl-C ends it too.
    ///
    /// Raises `ValueError` without a limit.
    #[pyo3(signature = (game, *, nodes = None, depth = None, seconds = None, dialect = None))]
    fn think(
        &self,
        py: Python<'_>,
        game: Subject,
        #[pyo3(from_py_with = limits::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = limits::depth)] depth: Option<u32>,
        seconds: Option<f64>,
        dialect: Option<&str>,
    ) -> PyResult<Choice> {
        let move_time: Option<Duration> = time(seconds)?;
        let limits = Limits { depth, nodes, move_time, clock: None };
        if limits == Limits::default() {
            return Err(value_error(
                "give nodes, depth or seconds: a search without limit has no end",
            ));
        }
        let dialect = self::dialect(dialect)?;
        let game = match game {
            Subject::Game(game) => game.borrow(py).0.clone(),
            Subject::Position(position) => position.0.game(),
        };
        if game.variant() != self.variant {
            return Err(value_error(format!("the game is not one of {}", self.variant)));
        }
        let control = Control::new();
        let choice = stoppable_by(
            py,
            || control.stop(),
            || {
                // A search that has panicked leaves tables that are as good as any.
                let mut player = self.inner.lock().unwrap_or_else(|error| error.into_inner());
                player.with_mut(|player| player.think(&game, &limits, &control, dialect))
            },
        )?;
        choice.ok_or_else(|| value_error(format!("the game is not one of {}", self.variant)))
    }

    /// Forgets what it has seen, as before another game.
    fn clear(&self, py: Python<'_>) {
        let player = || self.inner.lock().unwrap_or_else(|error| error.into_inner());
        py.detach(|| player().with_mut(|player| player.clear()));
    }

    fn __repr__(&self) -> String {
        format!("<Player of {}>", self.variant)
    }
}
