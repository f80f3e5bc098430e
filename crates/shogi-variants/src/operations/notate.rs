//! Moves as people read them.

use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use shogi_records::{Recorded, to_japanese, to_western};
use shogi_rules::shogi_core::{Faults, Position};
use shogi_rules::{Dialect, PlayError, parse_usi, to_usi_in};

use super::Error;
use super::position::{each_move, placement};

/// How moves are written for people, for [`RuleTasks::notate`](super::RuleTasks::notate).
///
/// ```
/// use shogi_variants::operations::MoveNotation;
/// assert_eq!("western".parse(), Ok(MoveNotation::Western));
/// assert!("chess".parse::<MoveNotation>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveNotation {
    /// As books and newspapers in Japan print them: `▲３二金`.
    Japanese,
    /// As books in the west print them: `G-3b`.
    Western,
    /// As programs send them: `2a3b`.
    Usi,
}

/// A name that no notation of moves has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no notation is named {0:?}; there are japanese, western and usi")]
pub struct UnknownMoveNotation(pub String);

impl FromStr for MoveNotation {
    type Err = UnknownMoveNotation;

    fn from_str(text: &str) -> Result<Self, UnknownMoveNotation> {
        match text {
            "japanese" => Ok(Self::Japanese),
            "western" => Ok(Self::Western),
            "usi" => Ok(Self::Usi),
            _ => Err(UnknownMoveNotation(text.into())),
        }
    }
}

/// Writes a line of moves, in USI and separated by blanks, from a position.
pub(super) fn notate<R: Recorded>(
    text: &str,
    line: &str,
    notation: MoveNotation,
    dialect: Option<Dialect>,
) -> Result<Vec<String>, Error> {
    // Mate problems are set without the attacker's king.
    let mut position = Position::<R>::new_allowing(placement(text)?, Faults::MISSING_KING)?;
    let before = text.rsplit_once(" moves ").and_then(|(_, moves)| moves.split_whitespace().last());
    let mut last = before.and_then(|mv| parse_usi::<R>(mv).ok()).map(|mv| mv.to());
    let mut written = Vec::new();
    each_move(line, &mut |text| {
        let mv = parse_usi(text)?;
        let next = position.play(mv).map_err(PlayError::from)?;
        written.push(match notation {
            MoveNotation::Japanese => to_japanese(&position, mv, last),
            MoveNotation::Western => to_western(&position, mv),
            MoveNotation::Usi => to_usi_in(mv, &position, dialect.unwrap_or(R::dialect())),
        });
        (position, last) = (next, Some(mv.to()));
        Ok(())
    })?;
    Ok(written)
}
