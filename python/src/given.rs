//! What a caller gives: one of a few kinds of things; for any other, a `TypeError` that says what is needed.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use shogi_variants::core::Placement;
use shogi_variants::operations::read_placement;
use shogi_variants::{RuleSet, Variant};

use crate::error::{Raise, value_error};
use crate::game::Game;
use crate::position::Position;
use crate::variant::{NameOrVariant, Variant as VariantObject};

/// The error for a value that is of no kind that is needed.
pub fn needed(what: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} is needed, not {found}"))
}

/// A placement, which may break the rules: a text, or a position.
#[derive(Clone)]
pub enum Placed {
    /// SFEN, or what the position command of USI has.
    Text(String),
    /// A legal position.
    Position(Position),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Placed {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(Self::Position(position.get().clone()));
        }
        let text = value.extract().map(Self::Text);
        text.map_err(|_| needed("a text in SFEN or a Position", &value))
    }
}

impl Placed {
    /// The text, for tasks on this variant.
    pub fn text(self, wanted: Variant) -> PyResult<String> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Position(position) => {
                position.check_variant(wanted)?;
                Ok(position.text())
            }
        }
    }

    /// The placement, for tasks on this rule set.
    pub fn placement<R: RuleSet>(&self, wanted: Variant) -> PyResult<Placement<R>> {
        match self {
            Self::Text(text) => read_placement(text).map_err(Raise::raise),
            Self::Position(position) => Ok(*position.typed::<R>(wanted)?.placement()),
        }
    }
}

/// A variant, which stands for its start position, or a position.
pub enum Start {
    /// The start of this variant.
    Variant(Variant),
    /// This position.
    Position(Position),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Start {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(Self::Position(position.get().clone()));
        }
        let name = value.is_instance_of::<PyString>() || value.is_instance_of::<VariantObject>();
        if !name {
            return Err(needed("the name of a variant, a Variant or a Position", &value));
        }
        value.extract().map(|NameOrVariant(variant)| Self::Variant(variant))
    }
}

impl Start {
    /// The position.
    pub fn position(self) -> PyResult<Position> {
        match self {
            Self::Variant(variant) => Position::read(variant, "startpos", false),
            Self::Position(position) => Ok(position),
        }
    }
}

/// What a player thinks about: a game with its history, or a position without.
pub enum Subject {
    /// A game.
    Game(Py<Game>),
    /// A position.
    Position(Position),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Subject {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(Self::Position(position.get().clone()));
        }
        let game = value.cast::<Game>().map(|game| Self::Game(game.to_owned().unbind()));
        game.map_err(|_| needed("a Game or a Position", &value))
    }
}

/// A text, or bytes in an encoding of Japanese texts.
pub enum Written {
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Written {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.as_bytes().to_vec()));
        }
        if let Ok(bytes) = value.cast::<PyByteArray>() {
            return Ok(Self::Bytes(bytes.to_vec()));
        }
        let text = value.extract().map(Self::Text);
        text.map_err(|_| needed("a text or bytes", &value))
    }
}

impl Position {
    /// Refuses a position of another variant.
    pub fn check_variant(&self, wanted: Variant) -> PyResult<()> {
        let found = self.0.variant();
        if found == wanted {
            return Ok(());
        }
        let namesake = if found.name() == wanted.name() { "another " } else { "" };
        let message = format!("a position of {namesake}{found} where one of {wanted} is needed");
        Err(value_error(message))
    }
}
