//! Positions, moves, squares and sets of squares as text in any data format (feature `serde`).
//!
//! A position is its SFEN and a move its USI text, in the variant's own dialect; both dialects are
//! read. A square is its USI text and a bitboard the list of its squares.
//!
//! ```
//! use shogi_rules::shogi_core::{Move, Position};
//! use shogi_rules::{Minishogi, Rules};
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Problem {
//!     position: Position<Minishogi>,
//!     tries: Vec<Move<Minishogi>>,
//! }
//!
//! let problem = Problem { position: Minishogi::start(), tries: vec!["5d5c".parse()?] };
//! let json = serde_json::to_string(&problem)?;
//! assert_eq!(json, r#"{"position":"rbsgk/4p/5/P4/KGSBR b - 1","tries":["5d5c"]}"#);
//! assert_eq!(serde_json::from_str::<Problem>(&json)?.position, problem.position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;
use core::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::moves::Move;
use crate::placement::Placement;
use crate::position::Position;
use crate::square::Square;
use crate::table::RuleTable;

/// Implements `Serialize` and `Deserialize` by `Display` and `FromStr`.
macro_rules! as_text {
    ($($type:ident<$parameter:ident: $bound:ident>: $expected:literal;)*) => {$(
        impl<$parameter: $bound> Serialize for $type<$parameter> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de, $parameter: $bound> Deserialize<'de> for $type<$parameter> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { expected: $expected, read: str::parse })
            }
        }
    )*};
}
as_text! {
    Square<G: Geometry>: "a square such as \"1a\"";
    Placement<R: RuleTable>: "a position in SFEN";
    Position<R: RuleTable>: "a legal position in SFEN";
    Move<R: RuleTable>: "a move in USI notation";
}

/// A visitor that parses a text.
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

impl<G: Geometry> Serialize for Bitboard<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, G: Geometry> Deserialize<'de> for Bitboard<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BitboardVisitor(PhantomData))
    }
}

struct BitboardVisitor<G>(PhantomData<G>);

impl<'de, G: Geometry> Visitor<'de> for BitboardVisitor<G> {
    type Value = Bitboard<G>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of squares")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bitboard<G>, A::Error> {
        let mut squares = Bitboard::EMPTY;
        while let Some(square) = list.next_element()? {
            squares.insert(square);
        }
        Ok(squares)
    }
}
