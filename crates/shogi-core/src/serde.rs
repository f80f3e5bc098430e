//! Serialization of what has one written form in every variant (feature `serde`).
//!
//! A square is its USI text and a bitboard the list of its squares. Pieces and moves need the
//! letters of a dialect: `shogi-rules` has these.

use core::fmt;
use core::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::square::Square;

impl<G: Geometry> Serialize for Square<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, G: Geometry> Deserialize<'de> for Square<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(SquareVisitor(PhantomData))
    }
}

struct SquareVisitor<G>(PhantomData<G>);

impl<G: Geometry> Visitor<'_> for SquareVisitor<G> {
    type Value = Square<G>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square such as \"1a\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Square<G>, E> {
        text.parse().map_err(E::custom)
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
