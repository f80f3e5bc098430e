//! Many at once: what a caller gives in a list, a tuple or an array of numpy, gone through on all threads.

use num_bigint::BigUint;
use numpy::{
    PyArrayDescrMethods as _, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use shogi_variants::rules::threads::map;

use crate::error::{named, of_item};
use crate::given::{Placed, needed};
use crate::number::Rank;
use crate::progress::Watch;

/// Items that one thread goes through between two looks at the stop signal.
const PART: usize = 256;

/// Placements, each a text or a position.
pub struct Placements(pub Vec<Placed>);

impl<'a, 'py> FromPyObject<'a, 'py> for Placements {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        all_of(&value, "a list of texts in SFEN or of Positions").map(Self)
    }
}

/// The items of a list, a tuple or an array; a text is one thing, not many.
pub fn items<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_one = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    let each = if is_one { None } else { value.try_iter().ok() };
    each.ok_or_else(|| needed(what, value))?.collect()
}

/// The items, each of a kind.
fn all_of<'py, T>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let mut all = Vec::new();
    for (number, item) in items(value, what)?.into_iter().enumerate() {
        all.push(item.extract().map_err(|error| of_item(error, number))?);
    }
    Ok(all)
}

/// Ranks: of 64 bits, or whole numbers of any size.
pub enum Ranks {
    /// An array of integers.
    Narrow(Vec<u64>),
    /// A list, or an array of objects.
    Wide(Vec<BigUint>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Ranks {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let what = "an array or a list of whole numbers";
        let Ok(array) = value.cast::<PyUntypedArray>() else {
            let ranks = all_of::<Rank>(&value, what)?;
            return Ok(Self::Wide(ranks.into_iter().map(|rank| rank.0).collect()));
        };
        if array.ndim() != 1 {
            let message = format!("ranks are an array of one dimension, not of {}", array.ndim());
            return Err(PyValueError::new_err(message));
        }
        match array.dtype().kind() {
            b'u' | b'i' | b'b' => narrow(&value).map(Self::Narrow),
            // What is drawn of no numbers at all has the kind of numpy's default.
            b'O' | b'f' if array.len() == 0 => Ok(Self::Narrow(Vec::new())),
            b'O' => {
                let ranks = all_of::<Rank>(&value, what)?;
                Ok(Self::Wide(ranks.into_iter().map(|rank| rank.0).collect()))
            }
            _ => {
                Err(PyTypeError::new_err(format!("{what} is needed, not one of {}", array.dtype())))
            }
        }
    }
}

/// The ranks of an array of integers of any width and sign.
fn narrow(array: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    if let Ok(ranks) = array.extract::<PyReadonlyArray1<'_, u64>>() {
        return Ok(ranks.as_array().to_vec());
    }
    if array.len()? > 0 {
        let least = array.call_method0("min")?;
        if least.lt(0)? {
            return Err(named("RankError", &format!("the rank {least} is below 0")));
        }
    }
    let wide = array.call_method1("astype", ("uint64",))?;
    Ok(wide.extract::<PyReadonlyArray1<'_, u64>>()?.as_array().to_vec())
}

impl Ranks {
    /// How many they are.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(ranks) => ranks.len(),
            Self::Wide(ranks) => ranks.len(),
        }
    }
}

/// What `item` gives for each number below `count`, in order, on all threads; of errors the one of the first
/// item. Fewer where the work is stopped.
pub fn each<T: Send>(
    count: usize,
    watch: &Watch,
    item: impl Fn(usize) -> PyResult<T> + Sync,
) -> PyResult<Vec<T>> {
    let part = |part: usize| -> PyResult<Vec<T>> {
        if watch.is_stopped() {
            return Ok(Vec::new());
        }
        let numbers = part * PART..((part + 1) * PART).min(count);
        let done = numbers.len() as u64;
        let made = numbers.map(|number| item(number).map_err(|error| of_item(error, number)));
        let made = made.collect();
        watch.add(done);
        made
    };
    let parts = map((0..count.div_ceil(PART)).collect(), &part);
    let mut all = room(count)?;
    for part in parts {
        all.append(&mut part?);
    }
    Ok(all)
}

/// An empty vector with room for so many: memory that the system refuses is an exception.
pub fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    match room.try_reserve_exact(count) {
        Ok(()) => Ok(room),
        Err(error) => Err(PyMemoryError::new_err(format!("{count} items: {error}"))),
    }
}

/// So many zeros, for as many items, of each of which `fill` writes one row, on all threads.
pub fn rows<T: Copy + Default + Send>(
    count: usize,
    width: usize,
    watch: &Watch,
    fill: impl Fn(usize, &mut [T]) -> PyResult<()> + Sync,
) -> PyResult<Vec<T>> {
    let size = count.checked_mul(width).unwrap_or(usize::MAX);
    let mut all = room(size)?;
    all.resize(size, T::default());
    let part = |(part, rows): (usize, &mut [T])| -> PyResult<()> {
        if watch.is_stopped() {
            return Ok(());
        }
        for (number, row) in (part * PART..).zip(rows.chunks_mut(width)) {
            fill(number, row).map_err(|error| of_item(error, number))?;
        }
        watch.add((rows.len() / width) as u64);
        Ok(())
    };
    let parts = map(all.chunks_mut(PART * width).enumerate().collect(), &part);
    parts.into_iter().collect::<PyResult<()>>()?;
    Ok(all)
}
