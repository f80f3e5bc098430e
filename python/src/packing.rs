//! `Packing`: positions of standard shogi in 32 bytes and their moves in two, as arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::Variant;
use shogi_variants::core::Position as Typed;
use shogi_variants::rules::packed::{BYTES, Packing as Form};
use shogi_variants::rules::{Dialect, Shogi, parse_usi, to_usi_in};

use crate::batch::{Placements, each, items, rows};
use crate::error::{Raise, packed_error, value_error};
use crate::given::{Placed, needed};
use crate::pickle::reduced;
use crate::position::Position;
use crate::progress::{Watch, watched};

/// How positions of standard shogi are packed into 32 bytes and moves into two: `psfen` is YaneuraOu's, of which PSV
/// files are made, `hcp` Apery's, of which HCP and hcpe files are made. `shogi_variants.data` reads and writes such
/// files.
///
/// >>> from shogi_variants import Packing, Position
/// >>> packing, start = Packing("psfen"), Position("shogi")
/// >>> packed = packing.pack([start, start.play("7g7f")])
/// >>> packed.shape, packed.dtype
/// ((2, 32), dtype('uint8'))
/// >>> packing.unpack(packed)[0] == start
/// True
/// >>> numbers = packing.pack_moves(["7g7f", None])
/// >>> numbers
/// array([7739,    0], dtype=uint16)
/// >>> packing.unpack_moves(packed[:1], numbers[:1])
/// ['7g7f']
///
/// Whatever is unpacked is checked: positions are legal and have the complete set of pieces, moves are legal in them.
/// Raises `PackedError` with a note that names the number of the item.
#[pyclass(frozen, module = "shogi_variants")]
pub struct Packing {
    form: Form,
}

/// The variant that is packed.
const VARIANT: Variant = Variant::Shogi;

impl Packing {
    fn typed(given: &Placed) -> PyResult<Typed<Shogi>> {
        match given {
            Placed::Text(text) => {
                Ok(*Position::read(VARIANT, text, false)?.typed::<Shogi>(VARIANT)?)
            }
            Placed::Position(position) => Ok(*position.typed::<Shogi>(VARIANT)?),
        }
    }

    /// The position in a row of 32 bytes.
    fn position(&self, row: &[u8; BYTES]) -> PyResult<Typed<Shogi>> {
        self.form.unpack(row).map_err(Raise::raise)
    }
}

/// Rows of 32 bytes, from an array of `uint8` of the shape (positions, 32).
struct PackedRows(Vec<[u8; BYTES]>);

impl<'a, 'py> FromPyObject<'a, 'py> for PackedRows {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = value.extract::<PyReadonlyArray2<'_, u8>>();
        let what = "an array of uint8 of the shape (positions, 32)";
        let array = array.map_err(|_| needed(what, &value))?;
        let array = array.as_array();
        if array.ncols() != BYTES {
            let width = array.ncols();
            return Err(value_error(format!("{what} is needed, not one of rows of {width}")));
        }
        let row = |number: usize| std::array::from_fn(|byte| array[[number, byte]]);
        Ok(Self((0..array.nrows()).map(row).collect()))
    }
}

#[pymethods]
impl Packing {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let form = match name {
            "psfen" => Form::PackedSfen,
            "hcp" => Form::Hcp,
            _ => return Err(value_error(format!("there is no packing {name:?}: psfen or hcp"))),
        };
        Ok(Self { form })
    }

    /// The name: `psfen` or `hcp`.
    #[getter]
    const fn name(&self) -> &'static str {
        match self.form {
            Form::PackedSfen => "psfen",
            Form::Hcp => "hcp",
        }
    }

    /// Packs many positions: an array of `uint8` of the shape (positions, 32).
    fn pack<'py>(
        &self,
        py: Python<'py>,
        positions: Placements,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (positions, watch) = (positions.0, Watch::default());
        let packed = watched(py, None, &watch, || {
            rows(positions.len(), BYTES, &watch, |number, row| {
                let position = Self::typed(&positions[number])?;
                let packed = self.form.pack(position.placement());
                row.copy_from_slice(&packed.map_err(value_error)?);
                Ok(())
            })
        })?;
        PyArray1::from_vec(py, packed?).reshape([positions.len(), BYTES])
    }

    /// The positions of an array of `uint8` of the shape (positions, 32).
    fn unpack(&self, py: Python<'_>, packed: PackedRows) -> PyResult<Vec<Position>> {
        let (packed, watch) = (packed.0, Watch::default());
        watched(py, None, &watch, || {
            each(packed.len(), &watch, |number| {
                let position = self.position(&packed[number])?;
                Ok(Position(position.into()))
            })
        })?
    }

    /// The numbers of moves in USI notation, legal or not; 0 for `None`.
    fn pack_moves<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let mut numbers = Vec::new();
        for (number, given) in items(moves, "a list of moves")?.into_iter().enumerate() {
            let of_item = |error| crate::error::of_item(error, number);
            let text = given.extract::<Option<String>>();
            let text = text.map_err(|_| of_item(needed("a move in USI or None", &given)))?;
            let mv = text.map(|text| parse_usi::<Shogi>(&text)).transpose();
            let mv = mv.map_err(|error| of_item(error.raise()))?;
            numbers.push(mv.map_or(0, |mv| self.form.pack_move(mv)));
        }
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The legal moves with these numbers, an array of `uint16`, in the positions of an array as `unpack` takes it:
    /// texts in USI notation, and `None` for 0.
    fn unpack_moves(
        &self,
        py: Python<'_>,
        packed: PackedRows,
        numbers: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Option<String>>> {
        let array = numbers.extract::<PyReadonlyArray1<'_, u16>>();
        let numbers = array.map_err(|_| needed("an array of uint16 of one dimension", numbers))?;
        let numbers = numbers.as_array().to_vec();
        let packed = packed.0;
        if numbers.len() != packed.len() {
            let (moves, positions) = (numbers.len(), packed.len());
            return Err(value_error(format!("{moves} moves for {positions} positions")));
        }
        let watch = Watch::default();
        watched(py, None, &watch, || {
            each(packed.len(), &watch, |number| {
                let position = self.position(&packed[number])?;
                if numbers[number] == 0 {
                    return Ok(None);
                }
                let mv = self.form.unpack_move(numbers[number]);
                let mv = mv.filter(|&mv| position.is_legal(mv)).ok_or_else(|| {
                    let reason = format!("no legal move has the number {}", numbers[number]);
                    packed_error(reason.clone(), None, reason)
                })?;
                Ok(Some(to_usi_in(mv, &position, Dialect::Lishogi)))
            })
        })?
    }

    /// How pickle stores it.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf, "_restore", (slf.get().name(),))
    }

    #[staticmethod]
    fn _restore(name: &str) -> PyResult<Self> {
        Self::new(name)
    }

    fn __repr__(&self) -> String {
        format!("Packing('{}')", self.name())
    }
}
