//! The parts that both JSON formats share: the places of faults in the text, and the order of reading
//! variations.

use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::builder::Builder;
use super::cursor::split_lines;
use super::error::{RecordError, RecordReason};
use super::tree::Branch;

/// How deeply variations may be nested.
const MAX_DEPTH: usize = 500;

/// Reads the objects of a text by `read`: one per line if every line is an object, as the program writes them, else the
/// whole text as one.
pub(super) fn each_object(
    text: &str,
    builder: &mut Builder,
    read: fn(&str, &mut Builder) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let is_object = |line: &str| line.trim().starts_with('{') && line.trim().ends_with('}');
    let lines = || (0..).zip(split_lines(text)).filter(|(_, line)| !line.trim().is_empty());
    if lines().count() < 2 || !lines().all(|(_, line)| is_object(line)) {
        return read(text, builder);
    }
    for (before, line) in lines() {
        builder.skip_lines(before);
        read(line, builder).map_err(|error| RecordError { line: before + error.line, ..error })?;
    }
    Ok(())
}

/// A part of the text as a value.
pub(super) fn value<'a, T: Deserialize<'a>>(
    text: &str,
    raw: &'a RawValue,
) -> Result<T, RecordError> {
    serde_json::from_str(raw.get()).map_err(|error| json_error(text, raw.get(), &error))
}

/// The offset of a part of the text, which is a slice of it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// An error `characters` characters after the start of a part of the text.
pub(super) fn error_at(
    text: &str,
    part: &str,
    characters: usize,
    reason: RecordReason,
) -> RecordError {
    let before = &text[..offset(text, part)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1 + characters;
    RecordError { line: before.matches('\n').count() + 1, column, reason }
}

/// An error of serde_json in a part of the text.
pub(super) fn json_error(text: &str, part: &str, error: &serde_json::Error) -> RecordError {
    let end = &part[part.len()..];
    let line = part.lines().nth(error.line().saturating_sub(1)).unwrap_or(end);
    // Its columns are counted in bytes, from 1.
    let bytes = error.column().saturating_sub(1).min(line.len());
    let characters = line.bytes().take(bytes).filter(|byte| byte & 0xc0 != 0x80).count();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    error_at(text, line, characters, RecordReason::Json(message))
}

/// A value as text.
pub(super) fn text_of<T: Serialize>(value: &T) -> String {
    // Strings, numbers and lists always make JSON.
    serde_json::to_string(value).unwrap_or_default()
}

/// Variations that wait to be read after their parent line. They may be nested; this queue replaces recursion.
pub(super) struct Waiting<'t> {
    text: &'t str,
    /// Each variation with its depth and the place where it branches off.
    lines: VecDeque<(usize, Branch, Vec<&'t RawValue>)>,
}

impl<'t> Waiting<'t> {
    /// An empty queue for the records of a text.
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, lines: VecDeque::new() }
    }

    /// Postpones variations of the next move of a line of this depth.
    pub(super) fn put_off(
        &mut self,
        depth: usize,
        builder: &Builder<'_>,
        lines: Vec<Vec<&'t RawValue>>,
    ) -> Result<(), RecordError> {
        let place = builder.place();
        for moves in lines {
            if let (MAX_DEPTH, Some(raw)) = (depth, moves.first()) {
                return Err(error_at(self.text, raw.get(), 0, RecordReason::TooDeep(depth)));
            }
            self.lines.push_back((depth + 1, place, moves));
        }
        Ok(())
    }

    /// Begins the next line, and returns its depth and its moves.
    pub(super) fn begin_next(
        &mut self,
        builder: &mut Builder<'_>,
    ) -> Option<(usize, Vec<&'t RawValue>)> {
        let (depth, branch, moves) = self.lines.pop_front()?;
        builder.branch(branch);
        Some((depth, moves))
    }
}
