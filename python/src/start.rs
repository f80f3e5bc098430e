//! What games, records and searches start from: the name of a variant, or a position.

use pyo3::prelude::*;

use crate::position::Position;

/// The name of a variant, which stands for its start position, or a position.
#[derive(FromPyObject)]
pub enum Start {
    /// The start of the variant with this name.
    Variant(String),
    /// This position.
    Position(Position),
}

impl Start {
    /// The position.
    pub fn position(self) -> PyResult<Position> {
        match self {
            Self::Variant(name) => Position::read(&name, "startpos", false),
            Self::Position(position) => Ok(position),
        }
    }
}
