//! `Unmoves`: the positions from which one legal move leads to a position, one after another.

use std::sync::Arc;
use std::vec::IntoIter;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shogi_variants::RuleSet;
use shogi_variants::core::{Faults, Position as Typed, Unmove};
use shogi_variants::rules::to_usi_in;

use crate::pickle::reduced;
use crate::position::{AnyPosition, Position};

/// The unmoves that are left.
pub trait AnyUnmoves: Send + Sync {
    /// The next position before, and the move that leads from it.
    fn next(&mut self) -> Option<(Arc<dyn AnyPosition>, String)>;
}

struct Left<R: RuleSet> {
    position: Typed<R>,
    unmoves: IntoIter<Unmove<R>>,
}

/// All unmoves of a position.
pub fn unmoves<R: RuleSet>(position: &Typed<R>) -> Box<dyn AnyUnmoves> {
    Box::new(Left { position: *position, unmoves: position.placement().unmoves().into_iter() })
}

impl<R: RuleSet> AnyUnmoves for Left<R> {
    fn next(&mut self) -> Option<(Arc<dyn AnyPosition>, String)> {
        loop {
            let unmove = self.unmoves.next()?;
            let before = self.position.unmake_unchecked(unmove);
            // A game does not go on after its end.
            if R::verdict(&before).is_some() {
                continue;
            }
            // What a legal unmove leads to is legal as far as the position itself is.
            if let Ok(before) = Typed::new_allowing(before, Faults::MISSING_KING) {
                let mv = to_usi_in(unmove.mv, &before, R::dialect());
                return Some((Arc::new(before), mv));
            }
        }
    }
}

/// An iterator over positions before a position, each with the move that leads to it.
#[pyclass(module = "shogi_variants")]
pub struct Unmoves {
    after: Position,
    /// How many were given so far.
    given: usize,
    left: Box<dyn AnyUnmoves>,
}

impl Unmoves {
    /// All unmoves of a position.
    pub fn new(after: &Position) -> Self {
        Self { after: after.clone(), given: 0, left: after.inner().unmoves() }
    }
}

#[pymethods]
impl Unmoves {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<(Position, String)> {
        self.after.variant.enter();
        let (inner, mv) = self.left.next()?;
        self.given += 1;
        Some((Position::new(self.after.variant, inner), mv))
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
