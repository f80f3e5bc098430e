//! JSON: one object with everything a record can hold.
//!
//! ```json
//! {"variant": "minishogi", "headers": [["先手", "Ada"]], "start": "rbsgk/4p/5/P4/KGSBR b - 1",
//!  "comments": ["..."], "moves": [{"move": "5d5c", "seconds": 3, "comments": ["..."]}],
//!  "end": {"how": "resignation", "seconds": 1, "comments": ["..."]}}
//! ```
//!
//! Positions are in SFEN and moves in USI notation, read in either dialect. Only `moves` has to be
//! there, and of a move only `move`; a move without more may be just the string. The ends are
//! [`End`]'s names in lower case with hyphens.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::any::{AnyRecord, Notes, Reading};
use super::error::{RecordError, RecordReason};
use super::names::Vocabulary;
use super::usi::move_in;
use super::{End, Ending, Record, Recorded, any};
use crate::notation::Dialect;
use crate::{sfen, usi};

/// The object as it is read: what has to be located when it is wrong, as the text it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadRecord<'a> {
    #[serde(borrow)]
    variant: Option<&'a RawValue>,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(borrow)]
    start: Option<&'a RawValue>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
    end: Option<EndObject>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadMove<'a> {
    #[serde(borrow, rename = "move")]
    mv: &'a RawValue,
    #[serde(default)]
    seconds: Option<u32>,
    #[serde(default)]
    comments: Vec<String>,
}

/// The object as it is written.
#[derive(Serialize)]
struct WrittenRecord<'a> {
    variant: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    headers: &'a [(String, String)],
    start: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    comments: &'a [String],
    moves: Vec<WrittenMove<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndObject>,
}

#[derive(Serialize)]
struct WrittenMove<'a> {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    comments: &'a [String],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndObject {
    how: End,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
}

/// Reads a record.
///
/// # Errors
///
/// The first thing that is not JSON of this shape, or that the rules do not allow.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_rules::record::json;
/// let record = json::parse::<Minishogi>(r#"{"moves": ["5d5c", {"move": "2a3b", "seconds": 2}]}"#)?;
/// assert_eq!(record.moves()[1].seconds, Some(2));
/// let error = json::parse::<Minishogi>("{\n  \"moves\": [\"5d5c\", \"5d5b\"]\n}").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 21: the move 5d5b is illegal: the player has no such piece");
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    any::parse(text, read)
}

fn read(text: &str, vocabulary: &Vocabulary, reading: &mut dyn Reading) -> Result<(), RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read: ReadRecord = serde_json::from_str(text).map_err(|e| json_error(text, text, &e))?;
    if let Some(variant) = read.variant {
        let name: String = value(text, variant)?;
        if name != vocabulary.variant {
            return Err(error_at(text, variant.get(), 0, RecordReason::OtherVariant(name)));
        }
    }
    let record = begin(text, read.start, vocabulary, reading)?;
    record.set_headers(read.headers);
    record.set_comments(read.comments);
    for raw in read.moves {
        let one = if raw.get().starts_with('"') {
            ReadMove { mv: raw, seconds: None, comments: Vec::new() }
        } else {
            value(text, raw)?
        };
        let written: String = value(text, one.mv)?;
        let at = one.mv.get();
        let mv = usi::read(&written, vocabulary.notation)
            .map_err(|e| error_at(text, at, 1 + e.position, RecordReason::Usi(e.reason)))?;
        let illegal = |error| error_at(text, at, 0, RecordReason::of_push(mv, error, vocabulary));
        record.push(mv).map_err(illegal)?;
        let (comments, seconds) = record.latest();
        *comments = one.comments;
        if let Some(seconds) = seconds {
            *seconds = one.seconds;
        }
    }
    if let Some(EndObject { how: end, seconds, comments }) = read.end {
        record.end(Ending { end, comments, seconds });
    }
    Ok(())
}

/// Begins the record with the start position.
fn begin<'r>(
    text: &str,
    raw: Option<&RawValue>,
    vocabulary: &Vocabulary,
    reading: &'r mut dyn Reading,
) -> Result<&'r mut dyn AnyRecord, RecordError> {
    let (sfen, at) = match raw {
        Some(raw) => (value(text, raw)?, raw.get()),
        None => (vocabulary.start.to_owned(), &text[..0]),
    };
    let (placement, _) = sfen::read(&sfen, vocabulary.notation)
        .map_err(|e| error_at(text, at, 1 + e.position, RecordReason::Sfen(e.reason)))?;
    let illegal = |faults| error_at(text, at, 0, RecordReason::Start(faults));
    reading.begin(&placement).map_err(illegal)
}

/// A part of the text as a value.
fn value<'a, T: Deserialize<'a>>(text: &str, raw: &'a RawValue) -> Result<T, RecordError> {
    serde_json::from_str(raw.get()).map_err(|error| json_error(text, raw.get(), &error))
}

/// Where a part of the text begins: it is a slice of the text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// An error so many characters behind the start of a part of the text.
fn error_at(text: &str, part: &str, characters: usize, reason: RecordReason) -> RecordError {
    let before = &text[..offset(text, part)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1 + characters;
    RecordError { line: before.matches('\n').count() + 1, column, reason }
}

/// What serde_json found in a part of the text.
fn json_error(text: &str, part: &str, error: &serde_json::Error) -> RecordError {
    let end = &part[part.len()..];
    let line = part.lines().nth(error.line().saturating_sub(1)).unwrap_or(end);
    // Its columns are counted in bytes, from 1.
    let bytes = error.column().saturating_sub(1).min(line.len());
    let characters = line.bytes().take(bytes).filter(|byte| byte & 0xc0 != 0x80).count();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    error_at(text, line, characters, RecordReason::Json(message))
}

/// Writes a record on one line, in the variant's own dialect.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_rules::record::{json, usi};
/// let record = usi::parse::<Minishogi>("position startpos moves 5d5c")?;
/// assert_eq!(
///     json::write(&record),
///     r#"{"variant":"minishogi","start":"rbsgk/4p/5/P4/KGSBR b - 1","moves":[{"move":"5d5c"}]}"#
/// );
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn write<R: Recorded>(record: &Record<R>) -> String {
    write_in(record, R::DIALECT)
}

/// Writes a record on one line, in the given dialect.
pub fn write_in<R: Recorded>(record: &Record<R>, dialect: Dialect) -> String {
    written(record, Vocabulary::of::<R>(), dialect)
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> String {
    let mut moves = Vec::new();
    record.for_each_move(&mut |position, mv, Notes { comments, seconds }| {
        let mv = move_in(position, mv, vocabulary, dialect);
        moves.push(WrittenMove { mv, seconds, comments });
    });
    let written = WrittenRecord {
        variant: vocabulary.variant,
        headers: record.headers(),
        start: sfen::written(&record.start(), vocabulary.notation, dialect),
        comments: record.comments(),
        moves,
        end: record.ending().cloned().map(|Ending { end: how, comments, seconds }| EndObject {
            how,
            seconds,
            comments,
        }),
    };
    // Strings, numbers and lists always make JSON.
    serde_json::to_string(&written).unwrap_or_default()
}
