//! JSON: one object with everything that a record can hold.
//!
//! ```json
//! {"variant": "minishogi", "headers": [["先手", "Ada"]], "start": "rbsgk/4p/5/P4/KGSBR b - 1",
//!  "comments": ["..."], "bookmarks": ["..."],
//!  "moves": [{"move": "5d5c", "seconds": 3, "comments": ["..."], "bookmarks": ["..."],
//!             "variations": [[{"move": "3e3d"}, {"move": "3a3b", "end": {"how": "interruption"}}]]}],
//!  "end": {"how": "resignation", "by": "gote", "winner": "sente", "seconds": 1, "comments": ["..."]}}
//! ```
//!
//! An illegal move is an error unless it is the last before an `end`.
//!
//! Positions are in SFEN and moves in USI notation, read in either dialect. Only `moves` is required, and of a
//! move only `move`; a bare move may be just the string.
//!
//! `moves` is the main line. The `variations` of a move are lists of moves played instead of it; the last move
//! of a list may have an `end`. A variation that begins with moves of its parent line branches off where it
//! first differs: so a variation that continues after the last move of a line is written as a variation of
//! that move, and begins with it. If no move precedes it, it is among the `variations` of the record. A
//! variation that differs only in its end has one element, with `end` alone. Variations nested more than 500
//! deep are written, but not read.
//!
//! `how` is one of `resignation`, `checkmate`, `time`, `foul`, `default` (a player did not appear), `draw`,
//! `repetition`, `declaration`, `interruption` and `other`. `word` is the word of KIF if `how` leaves it open,
//! as `other` always does; `by` is the player who resigned, was mated, ran out of time, broke the rules, did
//! not appear or declared; `move` is the illegal move that ended the game, and `of_move` has its time,
//! comments and bookmarks. `winner` follows from these by the rules, after a declaration from the rule on
//! impasse. Names that older versions wrote for `how` are read, too.

mod read;
mod write;

use alloc::string::String;

pub(super) use self::read::read_all;
use super::Record;
use super::builder;
use super::error::RecordError;
use super::names::{Recorded, Vocabulary};
use shogi_core::notation::Dialect;

/// Reads a record.
///
/// # Errors
///
/// The first part of the text that is not JSON of this shape or that breaks the rules.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_records::json;
/// let record = json::parse::<Minishogi>(r#"{"moves": ["5d5c", {"move": "2a3b", "seconds": 2}]}"#)?;
/// assert_eq!(record.moves()[1].seconds, Some(2));
/// let error = json::parse::<Minishogi>("{\n  \"moves\": [\"5d5c\", \"5d5b\"]\n}").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 21: the move 5d5b is illegal: the player has no such piece");
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read::read)
}

/// Writes a record on one line, in the variant's own dialect.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_records::{json, usi};
/// let record = usi::parse::<Minishogi>("position startpos moves 5d5c")?;
/// assert_eq!(
///     json::write(&record),
///     r#"{"variant":"minishogi","start":"rbsgk/4p/5/P4/KGSBR b - 1","moves":[{"move":"5d5c"}]}"#
/// );
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn write<R: Recorded>(record: &Record<R>) -> String {
    write_in(record, R::dialect())
}

/// Writes a record on one line, in the given dialect.
pub fn write_in<R: Recorded>(record: &Record<R>, dialect: Dialect) -> String {
    write::written(record, &Vocabulary::of::<R>(), dialect)
}
