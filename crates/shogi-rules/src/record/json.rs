//! JSON: one object with everything a record can hold.
//!
//! ```json
//! {"variant": "minishogi", "headers": [["先手", "Ada"]], "start": "rbsgk/4p/5/P4/KGSBR b - 1",
//!  "comments": ["..."], "bookmarks": ["..."],
//!  "moves": [{"move": "5d5c", "seconds": 3, "comments": ["..."], "bookmarks": ["..."],
//!             "variations": [[{"move": "3e3d"}, {"move": "3a3b", "end": {"how": "interruption"}}]]}],
//!  "end": {"how": "resignation", "by": "gote", "winner": "sente", "seconds": 1, "comments": ["..."]}}
//! ```
//!
//! Positions are in SFEN and moves in USI notation, read in either dialect. Only `moves` has to be
//! there, and of a move only `move`; a move without more may be just the string.
//!
//! `moves` is the main line. The `variations` of a move are lists of moves that are played instead of it;
//! a list's last move may have an `end`. A variation that begins with the moves of the line that it
//! leaves, leaves it where it first differs: so one that goes on behind the last move of a line is
//! written as a variation of that move which begins with it. Where no move is before it, it stands in
//! `variations` of the record. A variation that only ends otherwise has one element, with `end` alone.
//! Variations that lie in each other more than 500 times are written, but not read.
//!
//! `how` is one of `resignation`, `checkmate`, `time`, `foul`, `default` (a player did not appear),
//! `draw`, `repetition`, `declaration`, `interruption` and `other`. `word` is the word of KIF where this
//! leaves it open, as for all of `other`; `by` is the player who resigned, is mated, ran out of time,
//! broke the rules, did not appear or declared; `move` is the illegal move that the game ended by, and
//! `of_move` has its time, comments and bookmarks.
//! `winner` follows from these by the rules, a declaration's from the rule on impasse. The names that
//! older versions wrote for `how` are read, too.

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shogi_core::Colour;

use super::any::{AnyEnding, AnyPosition, AnyRecord, Notes, NotesMut};
use super::builder::{self, Builder};
use super::cursor::split_lines;
use super::error::{RecordError, RecordReason};
use super::names::{Recorded, Vocabulary};
use super::tree::Branch;
use super::usi::move_in;
use super::{End, Record};
use crate::notation::Dialect;
use crate::plain::AnyMove;
use crate::{sfen, usi};

/// How deep variations may lie in each other.
pub(super) const MAX_DEPTH: usize = 500;

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
    #[serde(default)]
    bookmarks: Vec<String>,
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    variations: Vec<Vec<&'a RawValue>>,
    #[serde(borrow)]
    end: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ReadMove<'a> {
    #[serde(borrow, rename = "move")]
    mv: Option<&'a RawValue>,
    #[serde(default)]
    seconds: Option<u32>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    bookmarks: Vec<String>,
    #[serde(borrow, default)]
    variations: Vec<Vec<&'a RawValue>>,
    #[serde(borrow)]
    end: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadEnd<'a> {
    how: String,
    #[serde(default)]
    word: Option<String>,
    #[serde(default, deserialize_with = "colour")]
    by: Option<Colour>,
    #[serde(default, deserialize_with = "colour")]
    winner: Option<Colour>,
    #[serde(borrow, rename = "move")]
    mv: Option<&'a RawValue>,
    #[serde(default)]
    of_move: Option<ReadNotes>,
    #[serde(default)]
    seconds: Option<u32>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    bookmarks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadNotes {
    #[serde(default)]
    seconds: Option<u32>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    bookmarks: Vec<String>,
}

impl ReadNotes {
    fn store(self, notes: Option<NotesMut<'_>>) {
        let Some(notes) = notes else { return };
        *notes.comments = self.comments;
        *notes.bookmarks = self.bookmarks;
        if let Some(seconds) = notes.seconds {
            *seconds = self.seconds;
        }
    }
}

/// Reads `sente` or `gote`.
fn colour<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Colour>, D::Error> {
    match Option::<String>::deserialize(deserializer)?.as_deref() {
        None => Ok(None),
        Some("sente") => Ok(Some(Colour::Sente)),
        Some("gote") => Ok(Some(Colour::Gote)),
        Some(_) => Err(serde::de::Error::custom("a player is sente or gote")),
    }
}

const fn name_of(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
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
    builder::parse(text, read)
}

/// Reads all records of a text: one, or one on each line.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_all<R: Recorded>(text: &str) -> Result<Vec<Record<R>>, RecordError> {
    builder::parse_all(text, read_all)
}

fn read_all(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    each_object(text, &mut |object| read(object, builder))
}

/// Reads the objects of a text, each given alone: where every line is an object of its own, as the
/// program writes them, each line; else the text as a whole.
pub(super) fn each_object(
    text: &str,
    read: &mut dyn FnMut(&str) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let is_object = |line: &str| line.trim().starts_with('{') && line.trim().ends_with('}');
    let lines = || (0..).zip(split_lines(text)).filter(|(_, line)| !line.trim().is_empty());
    if lines().count() < 2 || !lines().all(|(_, line)| is_object(line)) {
        return read(text);
    }
    for (before, line) in lines() {
        read(line).map_err(|error| RecordError { line: before + error.line, ..error })?;
    }
    Ok(())
}

fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read: ReadRecord = serde_json::from_str(text).map_err(|e| json_error(text, text, &e))?;
    if let Some(variant) = read.variant {
        let name: String = value(text, variant)?;
        if name != builder.vocabulary.variant {
            return Err(error_at(text, variant.get(), 0, RecordReason::OtherVariant(name)));
        }
    }
    builder.finish();
    begin(text, read.start, builder)?;
    builder.set_headers(read.headers);
    let (comments, bookmarks) = (read.comments, read.bookmarks);
    ReadNotes { seconds: None, comments, bookmarks }.store(builder.latest());
    let mut reader = Reader { text, builder, waiting: VecDeque::new() };
    reader.variations(0, read.variations)?;
    reader.line(0, read.moves)?;
    if let Some(end) = read.end {
        reader.end(end)?;
    }
    while let Some((depth, branch, moves)) = reader.waiting.pop_front() {
        reader.builder.branch(branch);
        reader.line(depth, moves)?;
    }
    Ok(())
}

/// Reads the lines of a record, each after the one that it leaves.
struct Reader<'t, 'b, 'a> {
    text: &'t str,
    builder: &'b mut Builder<'a>,
    /// Lines to be read, each with its depth and the place where it leaves another.
    waiting: VecDeque<(usize, Branch, Vec<&'t RawValue>)>,
}

impl<'t> Reader<'t, '_, '_> {
    fn line(&mut self, depth: usize, moves: Vec<&'t RawValue>) -> Result<(), RecordError> {
        for raw in moves {
            let one = if raw.get().starts_with('"') {
                ReadMove { mv: Some(raw), ..ReadMove::default() }
            } else {
                value(self.text, raw)?
            };
            self.variations(depth, one.variations)?;
            if let Some(raw) = one.mv {
                let mv = self.usi(raw)?;
                let pushed = self.builder.push_legal(mv);
                pushed.map_err(|reason| error_at(self.text, raw.get(), 0, reason))?;
                if let Some(notes) = self.builder.latest() {
                    notes.comments.extend(one.comments);
                    notes.bookmarks.extend(one.bookmarks);
                    if let Some(time) = notes.seconds {
                        *time = one.seconds.or(*time);
                    }
                }
            }
            if let Some(end) = one.end {
                self.end(end)?;
            }
        }
        Ok(())
    }

    /// Puts off the variations of the next move.
    fn variations(
        &mut self,
        depth: usize,
        lines: Vec<Vec<&'t RawValue>>,
    ) -> Result<(), RecordError> {
        let place = self.builder.place();
        for moves in lines {
            if let (MAX_DEPTH, Some(raw)) = (depth, moves.first()) {
                return Err(error_at(self.text, raw.get(), 0, RecordReason::TooDeep(depth)));
            }
            self.waiting.push_back((depth + 1, place, moves));
        }
        Ok(())
    }

    fn usi(&self, raw: &'t RawValue) -> Result<AnyMove, RecordError> {
        let written: String = value(self.text, raw)?;
        let read = usi::read(&written, self.builder.vocabulary.notation);
        read.map_err(|e| {
            error_at(self.text, raw.get(), 1 + e.position, RecordReason::Usi(e.reason))
        })
    }

    fn end(&mut self, raw: &'t RawValue) -> Result<(), RecordError> {
        let read: ReadEnd = value(self.text, raw)?;
        let error = |reason| error_at(self.text, raw.get(), 0, reason);
        if self.builder.is_ended() {
            return Err(error(RecordReason::AfterEnd));
        }
        let word = match (read.how.as_str(), read.word) {
            ("other", None) => return Err(error(RecordReason::Missing("the word of the end"))),
            (how, None) => how.to_owned(),
            (_, Some(word)) => word,
        };
        let (end, mut by) = End::of_word(&word, self.builder.to_move());
        let is_known = read.how == end.how() || word == read.how && !matches!(end, End::Other(_));
        if !is_known {
            let text = format!("unknown way to end a game {:?} {word:?}", read.how);
            return Err(error(RecordReason::Json(text)));
        }
        by = read.by.or(by);
        if let (Some(winner), None, false) = (read.winner, read.by, end == End::Declaration) {
            by = Some(if end == End::Try { winner } else { !winner });
        }
        if let Some(raw) = read.mv {
            let mv = self.usi(raw)?;
            self.builder.end_by_foul(mv);
            if let Some(notes) = read.of_move {
                notes.store(self.builder.latest_of_illegal_move());
            }
        }
        self.builder.end_as(end, by);
        let (seconds, comments, bookmarks) = (read.seconds, read.comments, read.bookmarks);
        ReadNotes { seconds, comments, bookmarks }.store(self.builder.latest());
        if read.winner.is_some() && read.winner != self.builder.winner() {
            return Err(error(RecordReason::Expected("the winner that follows from the end")));
        }
        Ok(())
    }
}

/// Begins the record with the start position.
fn begin(text: &str, raw: Option<&RawValue>, builder: &mut Builder) -> Result<(), RecordError> {
    let (sfen, at) = match raw {
        Some(raw) => (value(text, raw)?, raw.get()),
        None => (builder.vocabulary.start.to_owned(), &text[..0]),
    };
    let (placement, _) = sfen::read(&sfen, builder.vocabulary.notation)
        .map_err(|e| error_at(text, at, 1 + e.position, RecordReason::Sfen(e.reason)))?;
    let illegal = |faults| error_at(text, at, 0, RecordReason::Start(faults));
    builder.begin(&placement).map_err(illegal)
}

/// A part of the text as a value.
pub(super) fn value<'a, T: Deserialize<'a>>(
    text: &str,
    raw: &'a RawValue,
) -> Result<T, RecordError> {
    serde_json::from_str(raw.get()).map_err(|error| json_error(text, raw.get(), &error))
}

/// Where a part of the text begins: it is a slice of the text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// An error so many characters behind the start of a part of the text.
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

/// What serde_json found in a part of the text.
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
    write_in(record, R::dialect())
}

/// Writes a record on one line, in the given dialect.
pub fn write_in<R: Recorded>(record: &Record<R>, dialect: Dialect) -> String {
    written(record, Vocabulary::of::<R>(), dialect)
}

/// What stands before the moves.
#[derive(Serialize)]
struct WrittenHead<'a> {
    variant: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    headers: &'a [(String, String)],
    start: String,
    #[serde(flatten)]
    notes: WrittenNotes<'a>,
}

/// A move without its variations.
#[derive(Serialize)]
struct WrittenMove<'a> {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    notes: WrittenNotes<'a>,
}

#[derive(Serialize)]
struct WrittenNotes<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    comments: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    bookmarks: &'a [String],
}

#[derive(Serialize)]
struct WrittenEnd<'a> {
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "move")]
    mv: Option<String>,
    #[serde(skip_serializing_if = "WrittenNotes::is_empty")]
    of_move: WrittenNotes<'a>,
    #[serde(flatten)]
    notes: WrittenNotes<'a>,
}

impl WrittenNotes<'_> {
    const NONE: Self = Self { seconds: None, comments: &[], bookmarks: &[] };

    fn is_empty(&self) -> bool {
        self.seconds.is_none() && self.comments.is_empty() && self.bookmarks.is_empty()
    }
}

impl<'a> From<Notes<'a>> for WrittenNotes<'a> {
    fn from(Notes { comments, bookmarks, seconds }: Notes<'a>) -> Self {
        Self { seconds, comments, bookmarks }
    }
}

/// A value as text.
pub(super) fn text_of<T: Serialize>(value: &T) -> String {
    // Strings, numbers and lists always make JSON.
    serde_json::to_string(value).unwrap_or_default()
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> String {
    let start = sfen::written(&record.start(), vocabulary.notation, dialect);
    let (variant, headers, notes) = (vocabulary.variant, record.headers(), record.notes().into());
    let mut text = text_of(&WrittenHead { variant, headers, start, notes });
    // The object goes on.
    text.pop();
    let writer = Writer { record, vocabulary, dialect, lines: moves(record, vocabulary, dialect) };
    text.push_str(",\"moves\":[");
    writer.lines_from(0, &mut text);
    text.push(']');
    let place = Branch { line: 0, at: 0 };
    let at_once = if writer.lines[0].is_empty() { record.variations(place) } else { Vec::new() };
    if !at_once.is_empty() {
        text.push_str(",\"variations\":[");
        for (i, number) in at_once.into_iter().enumerate() {
            text.push_str(if i > 0 { ",[" } else { "[" });
            writer.lines_from(number, &mut text);
            text.push(']');
        }
        text.push(']');
    }
    if let Some(end) = writer.end(0) {
        text.extend([",\"end\":", &end]);
    }
    text.push('}');
    text
}

/// A move that is to be written.
struct MoveText {
    /// The move as a string of JSON.
    usi: String,
    /// Its object, which is not closed.
    text: String,
}

/// The moves of all lines.
fn moves(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> Vec<Vec<MoveText>> {
    let order = record.order();
    let mut lines = Vec::new();
    lines.resize_with(order.iter().max().map_or(0, |last| last + 1), Vec::new);
    for number in order {
        let line: &mut Vec<MoveText> = &mut lines[number];
        record.for_each_move(number, &mut |position, mv, notes| {
            let mv = move_in(position, mv, vocabulary, dialect);
            let usi = text_of(&mv);
            let mut text = text_of(&WrittenMove { mv, notes: notes.into() });
            text.pop();
            line.push(MoveText { usi, text });
        });
    }
    lines
}

/// What is to be written next: variations may lie in each other to any depth, so that no function can
/// call itself for each.
enum Next {
    Text(Cow<'static, str>),
    /// The move of a line with what follows in it.
    From(Branch),
}

struct Writer<'r> {
    record: &'r dyn AnyRecord,
    vocabulary: &'r Vocabulary,
    dialect: Dialect,
    lines: Vec<Vec<MoveText>>,
}

impl Writer<'_> {
    /// Writes the moves of a line, with all that leaves it.
    fn lines_from(&self, number: usize, out: &mut String) {
        let mut next = vec![Next::From(Branch { line: number, at: 0 })];
        while let Some(one) = next.pop() {
            match one {
                Next::Text(text) => out.push_str(&text),
                Next::From(place) => self.write_move(place, &mut next, out),
            }
        }
    }

    /// Writes the move at a place, and puts off its variations and what follows it.
    fn write_move(&self, place: Branch, next: &mut Vec<Next>, out: &mut String) {
        let Branch { line, at } = place;
        let moves = &self.lines[line];
        let end = if line > 0 { self.end(line) } else { None };
        let Some(object) = moves.get(at) else {
            // A variation that only ends.
            if let (Some(end), true) = (end, moves.is_empty()) {
                out.extend(["{\"end\":", &end, "}"]);
            }
            return;
        };
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(&object.text);
        let is_last = at + 1 == moves.len();
        if let (Some(end), true) = (end, is_last) {
            out.extend([",\"end\":", &end]);
        }
        if !is_last {
            next.push(Next::From(Branch { line, at: at + 1 }));
        }
        next.push(Next::Text("}".into()));
        let instead = self.record.variations(place);
        let behind = Branch { line, at: moves.len() };
        let behind = if is_last { self.record.variations(behind) } else { Vec::new() };
        if instead.is_empty() && behind.is_empty() {
            return;
        }
        // What is put off last is written first.
        next.push(Next::Text("]".into()));
        let instead = instead.into_iter().map(|number| (number, None));
        let behind = behind.into_iter().map(|number| (number, Some(&object.usi)));
        let all: Vec<_> = instead.chain(behind).collect();
        for (i, (number, repeated)) in all.into_iter().enumerate().rev() {
            next.push(Next::Text("]".into()));
            let begin = if i > 0 { ",[" } else { "[" };
            let Some(usi) = repeated else {
                next.push(Next::From(Branch { line: number, at: 0 }));
                next.push(Next::Text(begin.into()));
                continue;
            };
            if self.lines[number].is_empty() {
                let end = self.end(number).unwrap_or_default();
                next.push(Next::Text(format!("{begin}{{\"move\":{usi},\"end\":{end}}}").into()));
            } else {
                next.push(Next::From(Branch { line: number, at: 0 }));
                next.push(Next::Text(format!("{begin}{{\"move\":{usi}}},").into()));
            }
        }
        next.push(Next::Text(",\"variations\":[".into()));
    }

    /// How a line ended, as an object.
    fn end(&self, line: usize) -> Option<String> {
        let AnyEnding { end, by, illegal_move, notes, winner } = self.record.ending(line)?;
        let mv = illegal_move.map(|(mv, _)| self.usi(self.record.last(line), mv));
        let of_move = illegal_move.map_or(WrittenNotes::NONE, |(_, notes)| notes.into());
        let word = (!end.is_named_by_kind()).then(|| end.word());
        let (by, winner) = (by.map(name_of), winner.map(name_of));
        let (how, notes) = (end.how(), notes.into());
        Some(text_of(&WrittenEnd { how, word, by, winner, mv, of_move, notes }))
    }

    fn usi(&self, position: &dyn AnyPosition, mv: AnyMove) -> String {
        move_in(position, mv, self.vocabulary, self.dialect)
    }
}
