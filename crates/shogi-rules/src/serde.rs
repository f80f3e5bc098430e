//! Positions and moves as text in any data format (feature `serde`).
//!
//! The types of `shogi_core` do not know the letters of the pieces, so a field says how it is
//! written, or is a [`Sfen`] or [`Usi`]:
//!
//! ```
//! use shogi_rules::shogi_core::{Move, Position};
//! use shogi_rules::{Minishogi, Rules, Usi, parse_position, parse_usi};
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Problem {
//!     #[serde(with = "shogi_rules::serde::position")]
//!     position: Position<Minishogi>,
//!     #[serde(with = "shogi_rules::serde::usi")]
//!     key: Move<Minishogi>,
//!     tries: Vec<Usi<Minishogi>>,
//! }
//!
//! let problem = Problem {
//!     position: parse_position(Minishogi::START)?,
//!     key: parse_usi("5d5c")?,
//!     tries: vec![Usi(parse_usi("2e3d")?)],
//! };
//! let json = serde_json::to_string(&problem)?;
//! assert_eq!(
//!     json,
//!     r#"{"position":"rbsgk/4p/5/P4/KGSBR b - 1","key":"5d5c","tries":["2e3d"]}"#,
//! );
//! assert!(serde_json::from_str::<Problem>(&json)?.position == problem.position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, Visitor};
use ::serde::ser::{Serialize, Serializer};

use crate::rules::Rules;
use crate::text::{Sfen, Usi};

/// Placements, legal or not, in SFEN: `#[serde(with = "shogi_rules::serde::sfen")]`.
pub mod sfen {
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
    use shogi_core::Placement;

    use crate::rules::Rules;
    use crate::text::Sfen;

    /// Writes a placement in the variant's own dialect.
    ///
    /// # Errors
    ///
    /// Those of the format.
    pub fn serialize<R: Rules, S: Serializer>(
        placement: &Placement<R>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Sfen(*placement).serialize(serializer)
    }

    /// Reads a placement in either dialect.
    ///
    /// # Errors
    ///
    /// Those of the format, and where the text is no SFEN.
    pub fn deserialize<'de, R: Rules, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Placement<R>, D::Error> {
        Ok(Sfen::deserialize(deserializer)?.0)
    }
}

/// Legal positions in SFEN: `#[serde(with = "shogi_rules::serde::position")]`.
pub mod position {
    use ::serde::de::Error;
    use ::serde::{Deserializer, Serializer};
    use shogi_core::Position;

    use crate::rules::Rules;

    /// Writes a position in the variant's own dialect.
    ///
    /// # Errors
    ///
    /// Those of the format.
    pub fn serialize<R: Rules, S: Serializer>(
        position: &Position<R>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        super::sfen::serialize(position.placement(), serializer)
    }

    /// Reads a position in either dialect.
    ///
    /// # Errors
    ///
    /// Those of the format, where the text is no SFEN, and every rule that the position breaks.
    pub fn deserialize<'de, R: Rules, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Position<R>, D::Error> {
        Position::new(super::sfen::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Moves in USI notation: `#[serde(with = "shogi_rules::serde::usi")]`.
pub mod usi {
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
    use shogi_core::Move;

    use crate::rules::Rules;
    use crate::text::Usi;

    /// Writes a move in the variant's own dialect.
    ///
    /// # Errors
    ///
    /// Those of the format.
    pub fn serialize<R: Rules, S: Serializer>(
        mv: &Move<R>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Usi(*mv).serialize(serializer)
    }

    /// Reads a move in either dialect.
    ///
    /// # Errors
    ///
    /// Those of the format, and where the text is no move.
    pub fn deserialize<'de, R: Rules, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Move<R>, D::Error> {
        Ok(Usi::deserialize(deserializer)?.0)
    }
}

impl<R: Rules> Serialize for Sfen<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, R: Rules> Deserialize<'de> for Sfen<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text { expected: "a position in SFEN", read: str::parse })
    }
}

impl<R: Rules> Serialize for Usi<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, R: Rules> Deserialize<'de> for Usi<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text { expected: "a move in USI notation", read: str::parse })
    }
}

/// Visits a text by reading it.
struct Text<T, E> {
    expected: &'static str,
    read: fn(&str) -> Result<T, E>,
}

impl<T, E: fmt::Display> Visitor<'_> for Text<T, E> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<D: Error>(self, text: &str) -> Result<T, D> {
        (self.read)(text).map_err(D::custom)
    }
}
