//! Reading JSON.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::value::RawValue;
use shogi_core::Colour;

use crate::End;
use crate::builder::Builder;
use crate::end::Said;
use crate::error::{RecordError, RecordReason};
use crate::growing::NotesMut;
use crate::json_text::{Waiting, each_object, error_at, json_error, value};
use shogi_core::plain::AnyMove;
use shogi_core::sfen::SfenReason;
use shogi_core::usi;
use shogi_rules::irregular::{self, ReadSfen};

/// The object as read. Parts whose faults must be located are kept as text.
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
        // The comments may already contain the words of a move out of turn.
        notes.comments.extend(self.comments);
        notes.bookmarks.extend(self.bookmarks);
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

pub(crate) fn read_all(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    each_object(text, builder, read)
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
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
    let mut reader = JsonReader { text, builder, waiting: Waiting::new(text) };
    reader.waiting.put_off(0, reader.builder, read.variations)?;
    reader.line(0, read.moves)?;
    if let Some(end) = read.end {
        reader.end(end)?;
    }
    reader.builder.check_said()?;
    while let Some((depth, moves)) = reader.waiting.begin_next(reader.builder) {
        reader.line(depth, moves)?;
        reader.builder.check_said()?;
    }
    Ok(())
}

/// Reads the lines of a record, each after the line from which it branches.
struct JsonReader<'t, 'b, 'a> {
    text: &'t str,
    builder: &'b mut Builder<'a>,
    waiting: Waiting<'t>,
}

impl<'t> JsonReader<'t, '_, '_> {
    fn line(&mut self, depth: usize, moves: Vec<&'t RawValue>) -> Result<(), RecordError> {
        for raw in moves {
            let one = if raw.get().starts_with('"') {
                ReadMove { mv: Some(raw), ..ReadMove::default() }
            } else {
                value(self.text, raw)?
            };
            self.waiting.put_off(depth, self.builder, one.variations)?;
            if let Some(raw) = one.mv {
                let mv = self.usi(raw)?;
                let words = raw.get().trim_matches('"');
                let text = self.text;
                self.builder
                    .push_plain(mv, words, &|reason| error_at(text, raw.get(), 0, reason))?;
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
            let beside = if word == read.how { String::new() } else { format!(" {word:?}") };
            let text = format!("unknown way to end a game {:?}{beside}", read.how);
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
        let is_named = read.by.is_some() || read.winner.is_some();
        self.builder.end_as(Said { end, by, is_named });
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
    let at_character = |place, reason| error_at(text, at, 1 + place, RecordReason::Sfen(reason));
    let ReadSfen { placement, number, kings, .. } =
        irregular::read(&sfen, builder.vocabulary.notation)
            .map_err(|error| at_character(error.position, error.reason))?;
    let kings = kings.into_iter().map(|king| at_character(king, SfenReason::KingInHand)).collect();
    builder.leave_out_kings(&placement, kings)?;
    let illegal = |faults| error_at(text, at, 0, RecordReason::Start(faults));
    builder.begin(&placement).map_err(illegal)?;
    builder.set_first_number(number);
    Ok(())
}
