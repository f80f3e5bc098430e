//! Why a variant of Fairy-Stockfish could not be imported.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::super::error::TextError;

/// Why a variant could not be imported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file has no section of this name.
    #[error("there is no section [{name}]; there are {}", listed(names))]
    NoSection {
        /// The name.
        name: String,
        /// The names in the file.
        names: Vec<String>,
    },
    /// A section builds on a variant that is neither in the file nor built in.
    #[error(
        "the variant builds on {base:?}, which is not in the file; known besides are {}",
        listed(games)
    )]
    NoBase {
        /// The name.
        base: String,
        /// The built-in games, which need no section.
        games: Vec<String>,
    },
    /// Sections build on each other in a circle.
    #[error("the sections that {0:?} builds on form a circle")]
    Circle(String),
    /// Some settings cannot be expressed in a text.
    #[error("{}", in_lines(.0))]
    Unsayable(Vec<Unsayable>),
    /// The text would have faults.
    #[error("the variant is none that a text can say: {0}")]
    Text(TextError),
}

/// A setting that a text cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsayable {
    /// Its line in the file; `None` for a setting of a built-in game or a default.
    pub line: Option<usize>,
    /// The setting, such as `flagPiece = k`.
    pub setting: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Unsayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "{}: {}", self.setting, self.reason)
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn in_lines(unsayable: &[Unsayable]) -> String {
    unsayable.iter().map(Unsayable::to_string).collect::<Vec<_>>().join("\n")
}
