//! Writing JSON.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use shogi_core::Colour;

use crate::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use crate::json_text::text_of;
use crate::names::Vocabulary;
use crate::tree::Branch;
use crate::usi::{move_in, start_in};
use shogi_core::notation::Dialect;
use shogi_core::plain::AnyMove;

const fn name_of(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

/// The part before the moves.
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

pub(super) fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> String {
    let start = start_in(record, vocabulary, dialect);
    let (variant, headers, notes) = (vocabulary.variant, record.headers(), record.notes().into());
    let mut text = text_of(&WrittenHead { variant, headers, start, notes });
    // The object is not closed yet.
    text.pop();
    let writer =
        JsonWriter { record, vocabulary, dialect, lines: moves(record, vocabulary, dialect) };
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
    /// The object of the move, not closed.
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

/// The parts still to be written. Variations may be nested to any depth, so recursion could overflow
/// the stack.
enum Next {
    Text(Cow<'static, str>),
    /// A move of a line with the rest of the line.
    From(Branch),
}

struct JsonWriter<'r> {
    record: &'r dyn AnyRecord,
    vocabulary: &'r Vocabulary,
    dialect: Dialect,
    lines: Vec<Vec<MoveText>>,
}

impl JsonWriter<'_> {
    /// Writes the moves of a line, with all its variations.
    fn lines_from(&self, number: usize, out: &mut String) {
        let mut next = vec![Next::From(Branch { line: number, at: 0 })];
        while let Some(one) = next.pop() {
            match one {
                Next::Text(text) => out.push_str(&text),
                Next::From(place) => self.write_move(place, &mut next, out),
            }
        }
    }

    /// Writes the move at a place, and postpones its variations and the rest of the line.
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
        // The part postponed last is written first.
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

    /// The end of a line as an object.
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
