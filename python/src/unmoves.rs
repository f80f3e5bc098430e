//! `Unmoves`: the positions from which one legal move leads to a position, one after another.

use std::vec::IntoIter;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::AnyPosition;

use crate::pickle::reduced;
use crate::position::Position;

/// An iterator over positions before a position, each with the move that leads to it.
#[pyclass(module = "shogi_variants")]
pub struct Unmoves {
    after: Position,
    /// How many were given so far.
    given: usize,
    left: IntoIter<(AnyPosition, String)>,
}

impl Unmoves {
    /// All unmoves of a position.
    pub fn new(after: &Position) -> Self {
        Self { after: after.clone(), given: 0, left: after.0.unmoves().into_iter() }
    }
}

#[pymethods]
impl Unmoves {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<(Position, String)> {
        let (before, mv) = self.left.next()?;
        self.given += 1;
        Some((Position(before), mv))
    }

    /// How pickle stores it: the position, and how many were given.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let unmoves = slf.borrow();
        reduced(slf, "_restore", (unmoves.after.clone(), unmoves.given))
    }

    #[staticmethod]
    fn _restore(after: Position, given: usize) -> Self {
        let mut unmoves = Self::new(&after);
        for _ in 0..given {
            if unmoves.__next__().is_none() {
                break;
            }
        }
        unmoves
    }
}
