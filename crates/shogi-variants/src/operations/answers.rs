//! The objects in which programs print results that are a text or a list, and answers beside the lines
//! that they are about.

use alloc::string::String;
use alloc::vec::Vec;

/// An answer beside the line that it is about.
///
/// ```
/// use shogi_variants::operations::{Answered, PrintedRank};
/// let answer = PrintedRank { rank: "7".to_owned(), exchanged: false, mirrored: false };
/// // As JSON: {"in": "startpos", "rank": "7"}
/// let answered = Answered { line: "startpos", answer };
/// assert_eq!(answered.answer.rank, "7");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Answered<'a, T> {
    /// The line.
    #[cfg_attr(feature = "serde", serde(rename = "in"))]
    pub line: &'a str,
    /// The answer, an object.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub answer: T,
}

/// The reason why a line has no answer, beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unanswered<'a> {
    /// The line.
    #[cfg_attr(feature = "serde", serde(rename = "in"))]
    pub line: &'a str,
    /// The reason.
    pub error: String,
}

/// The positions from which a move leads to another: texts or
/// [`Retraction`](super::Retraction)s.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Predecessors<T> {
    /// The positions.
    pub predecessors: Vec<T>,
}

/// The number of a placement in decimal digits: numbers of JSON are too small.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PrintedRank {
    /// The digits.
    pub rank: String,
    /// Whether it is that of the placement with colours exchanged. Absent where it is not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub exchanged: bool,
    /// Whether it is that of the mirror image. Absent where it is not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub mirrored: bool,
}

#[cfg(feature = "rank")]
impl From<shogi_rank::Ranked<shogi_rank::BigUint>> for PrintedRank {
    fn from(ranked: shogi_rank::Ranked<shogi_rank::BigUint>) -> Self {
        use alloc::string::ToString as _;
        let shogi_rank::Ranked { rank, exchanged, mirrored, .. } = ranked;
        Self { rank: rank.to_string(), exchanged, mirrored }
    }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PrintedPosition {
    /// The position in SFEN.
    pub sfen: String,
}
