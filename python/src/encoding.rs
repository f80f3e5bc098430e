//! `Encoding`: positions and moves as arrays of fixed shapes, for programs that learn.

use std::marker::PhantomData;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::core::{Face, Move, Position as Typed};
use shogi_variants::rules::{parse_usi, to_usi_in};
use shogi_variants::{OfVariant, RuleSet, Variant, Visitor};

use crate::batch::{Placements, each, items, rows};
use crate::error::{Raise, unplayed, value_error};
use crate::given::Placed;
use crate::layout::Layout;
use crate::limits::within;
use crate::pickle::reduced;
use crate::position::Position;
use crate::progress::{Watch, watched};
use crate::variant::NameOrVariant;

/// An encoding, whose rule set is not known where it is used.
trait AnyEncoding: Send + Sync {
    fn layout(&self) -> &Layout;
    fn planes(&self, position: &Position, planes: &mut [u8]) -> PyResult<()>;
    fn mask(&self, position: &Position, mask: &mut [bool]) -> PyResult<()>;
    fn action(&self, position: &Position, mv: &str) -> PyResult<usize>;
    fn usi(&self, position: &Position, action: usize) -> PyResult<String>;
}

/// The encoding of a rule set.
struct Encoded<R> {
    variant: Variant,
    layout: Layout,
    rules: PhantomData<fn() -> R>,
}

impl<R: RuleSet> Encoded<R> {
    fn legal_move(&self, position: &Typed<R>, action: usize) -> PyResult<Move<R>> {
        let mv = self.layout.mv(action, position.side());
        let legal = |mv: &Move<R>| !R::is_over(position) && position.is_legal(*mv);
        mv.filter(legal).ok_or_else(|| {
            value_error(format!("the action {action} is no legal move of {}", self.variant))
        })
    }
}

impl<R: RuleSet> AnyEncoding for Encoded<R> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn planes(&self, position: &Position, planes: &mut [u8]) -> PyResult<()> {
        self.layout.write_planes::<R>(position.typed(self.variant)?, planes);
        Ok(())
    }

    fn mask(&self, position: &Position, mask: &mut [bool]) -> PyResult<()> {
        let position = position.typed::<R>(self.variant)?;
        if R::is_over(position) {
            return Ok(());
        }
        for mv in position.legal_moves() {
            if let Some(action) = self.layout.action(mv, position.side()) {
                mask[action] = true;
            }
        }
        Ok(())
    }

    fn action(&self, position: &Position, text: &str) -> PyResult<usize> {
        let position = position.typed::<R>(self.variant)?;
        let mv = parse_usi::<R>(text).map_err(Raise::raise)?;
        let action = self.layout.action(mv, position.side());
        action.ok_or_else(|| value_error(format!("{text} drops what no rule lets drop")))
    }

    fn usi(&self, position: &Position, action: usize) -> PyResult<String> {
        let position = position.typed::<R>(self.variant)?;
        Ok(to_usi_in(self.legal_move(position, action)?, position, R::dialect()))
    }
}

/// Makes the encoding of a variant.
struct New(Variant);

impl Visitor for New {
    type Output = OfVariant<Box<dyn AnyEncoding>>;

    fn visit<R: RuleSet>(self) -> Self::Output {
        let (layout, rules) = (Layout::new::<R>(), PhantomData);
        OfVariant::new(Box::new(Encoded::<R> { variant: self.0, layout, rules }))
    }
}

/// Positions and moves of a variant as arrays of fixed shapes: what neural networks take and give.
///
/// All is seen by the player to move: for Gote the board is turned by half a turn. Square number
/// `files * row + column` counts rows from the far side and columns from the left, from 0.
///
/// An action is the number of a move, the same in all positions:
///
/// - `2 * (squares * start + target) + turn` for a move on the board, where `turn` is 1 if the piece turns over
///   (promotion, and every move but the king's in Kyoto shogi);
/// - `2 * squares**2 + squares * i + target` for a drop of face `i` of `drops`.
///
/// The numbers of actions are 1375 in Minishogi, 1450 in Kyoto shogi, 13689 in shogi, 372 in 3x4 shogi and 324 in
/// Dobutsu shogi.
///
/// >>> from shogi_variants import Encoding, Position
/// >>> encoding, start = Encoding("minishogi"), Position("minishogi")
/// >>> encoding.shape, encoding.actions
/// ((31, 5, 5), 1375)
/// >>> planes = encoding.planes([start, start.play("5d5c")])
/// >>> planes.shape, planes.dtype
/// ((2, 31, 5, 5), dtype('uint8'))
/// >>> planes[0, encoding.channels.index("own P")].argmax()
/// np.int64(15)
/// >>> masks = encoding.masks([start])
/// >>> masks.shape, int(masks.sum()) == len(start.legal_moves())
/// ((1, 1375), True)
/// >>> encoding.move(start, masks[0].argmax()) in start.legal_moves()
/// True
#[pyclass(frozen, module = "shogi_variants")]
pub struct Encoding {
    variant: Variant,
    inner: OfVariant<Box<dyn AnyEncoding>>,
}

impl Encoding {
    /// The encoding of a variant.
    pub fn of(variant: Variant) -> Self {
        Self { variant, inner: variant.visit(New(variant)) }
    }

    /// The action of a move in a position in SFEN.
    pub fn action_of(&self, position: &str, mv: &str) -> PyResult<usize> {
        let position = Position::read(self.variant, position, false)?;
        self.inner.with(|encoding| encoding.action(&position, mv))
    }

    fn position(&self, given: &Placed) -> PyResult<Position> {
        match given {
            Placed::Text(text) => Position::read(self.variant, text, false),
            Placed::Position(position) => Ok(position.clone()),
        }
    }

    /// The legal move with an action.
    fn usi(&self, position: &Position, action: usize) -> PyResult<String> {
        self.inner.with(|encoding| encoding.usi(position, action))
    }

    fn layout(&self) -> &Layout {
        self.inner.get().layout()
    }

    /// Rows of arrays, made of the positions given.
    fn rows<T: Copy + Default + Send>(
        &self,
        py: Python<'_>,
        given: &[Placed],
        width: usize,
        fill: impl Fn(&dyn AnyEncoding, &Position, &mut [T]) -> PyResult<()> + Sync,
    ) -> PyResult<Vec<T>> {
        let watch = Watch::default();
        watched(py, None, &watch, || {
            rows(given.len(), width, &watch, |number, row| {
                let position = self.position(&given[number])?;
                self.inner.with(|encoding| fill(&**encoding, &position, row))
            })
        })?
    }

    fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        within(action, "action", 0..=self.actions() as u64 - 1)
    }
}

#[pymethods]
impl Encoding {
    #[new]
    fn new(variant: NameOrVariant) -> Self {
        Self::of(variant.0)
    }

    /// The name of the variant; of one that was loaded the `Variant`.
    #[getter]
    const fn variant(&self) -> NameOrVariant {
        NameOrVariant(self.variant)
    }

    /// The number of actions.
    #[getter]
    pub fn actions(&self) -> usize {
        self.layout().actions()
    }

    /// The planes, ranks and files of a position.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let Layout { channels, ranks, files, .. } = self.layout();
        (channels.len(), *ranks, *files)
    }

    /// The names of the planes: pieces on the board by face, 1 where one stands; pieces in hand by kind, how many
    /// on all squares; and `sente`, 1 on all squares if Sente is to move.
    #[getter]
    fn channels(&self) -> Vec<String> {
        self.layout().channels.clone()
    }

    /// The faces that can be dropped, in the order of their actions, in the letters of SFEN.
    ///
    /// >>> from shogi_variants import Encoding
    /// >>> Encoding("dobutsu").drops
    /// ['C', 'E', 'G']
    #[getter]
    fn drops(&self) -> Vec<String> {
        let Layout { faces, dropped, channels, .. } = self.layout();
        let name = |face: &Face| faces.iter().position(|known| known == face);
        let names = dropped.iter().filter_map(name).map(|number| &channels[number]);
        names.map(|name| name.trim_start_matches("own ").to_owned()).collect()
    }

    /// The planes of many positions: an array of `uint8` of the shape (positions, planes, ranks, files).
    fn planes<'py>(
        &self,
        py: Python<'py>,
        positions: Placements,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let (planes, ranks, files) = self.shape();
        let width = planes * ranks * files;
        let rows =
            self.rows(py, &positions.0, width, |encoding, one, row| encoding.planes(one, row))?;
        PyArray1::from_vec(py, rows).reshape([positions.0.len(), planes, ranks, files])
    }

    /// Which actions are legal in many positions: an array of `bool` of the shape (positions, actions); none
    /// where the game is over.
    fn masks<'py>(
        &self,
        py: Python<'py>,
        positions: Placements,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let width = self.actions();
        let rows =
            self.rows(py, &positions.0, width, |encoding, one, row| encoding.mask(one, row))?;
        PyArray1::from_vec(py, rows).reshape([positions.0.len(), width])
    }

    /// The action of a move in USI notation, legal or not.
    ///
    /// >>> from shogi_variants import Encoding, Position
    /// >>> encoding = Encoding("minishogi")
    /// >>> encoding.action("startpos", "5d5c") == 2 * (25 * 15 + 10)
    /// True
    fn action(&self, position: Placed, mv: &str) -> PyResult<usize> {
        let position = self.position(&position)?;
        self.inner.with(|encoding| encoding.action(&position, mv))
    }

    /// The legal move with an action, in USI notation. Raises `ValueError` where no legal move has it.
    fn r#move(&self, position: Placed, action: &Bound<'_, PyAny>) -> PyResult<String> {
        self.usi(&self.position(&position)?, self.number(action)?)
    }

    /// The positions after an action in each of many positions.
    ///
    /// >>> from shogi_variants import Encoding
    /// >>> encoding = Encoding("dobutsu")
    /// >>> actions = encoding.masks(["startpos"] * 2).argmax(axis=1)
    /// >>> [position.side for position in encoding.play(["startpos"] * 2, actions)]
    /// ['gote', 'gote']
    fn play(
        &self,
        py: Python<'_>,
        positions: Placements,
        actions: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Position>> {
        let given = items(actions, "a list of actions")?;
        let actions =
            given.iter().map(|action| self.number(action)).collect::<PyResult<Vec<_>>>()?;
        let positions = positions.0;
        if actions.len() != positions.len() {
            let (actions, positions) = (actions.len(), positions.len());
            return Err(value_error(format!("{actions} actions for {positions} positions")));
        }
        let watch = Watch::default();
        watched(py, None, &watch, || {
            each(positions.len(), &watch, |number| {
                let position = self.position(&positions[number])?;
                let mv = self.usi(&position, actions[number])?;
                position.0.play(&mv).map(Position).map_err(|error| unplayed(error, &mv))
            })
        })?
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf, "_restore", (slf.get().variant(),))
    }

    #[staticmethod]
    fn _restore(variant: NameOrVariant) -> Self {
        Self::new(variant)
    }

    fn __repr__(&self) -> String {
        format!("Encoding({})", self.variant().repr())
    }
}
