//! Writing JKF.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use shogi_core::{Colour, Face, Hand, Piece, Role};

use super::parts::*;
use crate::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use crate::end::{End, OFFENCE};
use crate::error::WriteError;
use crate::json_text::text_of;
use crate::kakinoki::is_named;
use crate::names::Vocabulary;
use crate::tree::Branch;
use crate::{Format, ki2};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};

/// The headers that are written: one of each name.
pub(crate) fn headers(record: &dyn AnyRecord) -> Vec<(String, String)> {
    let all = record.headers();
    let is_last = |at: usize| !all[at + 1..].iter().any(|(key, _)| *key == all[at].0);
    (0..all.len()).filter(|&at| is_last(at)).map(|at| all[at].clone()).collect()
}

#[derive(Serialize)]
struct WrittenMove {
    color: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Coordinates>,
    to: Coordinates,
    piece: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

/// An element without its forks.
#[derive(Serialize)]
struct WrittenElement {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "move")]
    mv: Option<WrittenMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<String>,
}

pub(super) fn written(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
) -> Result<String, WriteError> {
    if !vocabulary.csa {
        return Err(WriteError::NotForVariant(Format::Jkf));
    }
    let mut text = format!("{{\"header\":{}", text_of(&Headers(headers(record))));
    text.extend([",\"initial\":", &text_of(&initial(&record.start(), vocabulary))]);
    let opening = element(record.notes(), None, None);
    text.extend([",\"moves\":[", &text_of(&opening)]);
    let writer = JkfWriter { record, lines: elements(record, vocabulary) };
    writer.lines_from(&mut text);
    text.push_str("]}");
    Ok(text)
}

fn initial(start: &AnyPlacement, vocabulary: &Vocabulary) -> Initial {
    let named = PRESETS
        .iter()
        .find(|(name, _)| preset(name, vocabulary).is_some_and(|placement| placement == *start));
    // Other programs do not know the meaning of HIRATE on another board.
    let is_standard = !vocabulary.handicaps.is_empty();
    if let (Some((name, _)), true) = (named, is_standard) {
        return Initial { preset: (*name).to_owned(), data: None };
    }
    let notation = vocabulary.notation;
    let square = |file, rank| match start.piece(AnySquare { file, rank }) {
        None => Square::default(),
        Some(Piece { face, colour }) => {
            let kind = Some(vocabulary.csa_of(face).to_owned());
            Square { color: Some(colour.index() as u8), kind }
        }
    };
    let file = |file| (0..notation.height).map(|rank| square(file, rank)).collect();
    let hand = |hand: &Hand| {
        let code = |kind| vocabulary.csa_of(Face::front(kind)).to_owned();
        let held = notation.kinds().filter(|&kind| notation.spec(kind).role != Role::Royal);
        HandCounts(held.map(|kind| (code(kind), hand.count(kind))).collect())
    };
    let board = (1..=notation.width).map(file).collect();
    let hands = start.hands.iter().map(hand).collect();
    let color = start.side.index() as u8;
    Initial { preset: OTHER.to_owned(), data: Some(JkfPosition { color, board, hands }) }
}

/// An element with comments and bookmarks.
fn element(notes: Notes, mv: Option<WrittenMove>, time: Option<Time>) -> WrittenElement {
    let comment = |comment: &String| match begins_as_bookmark(comment) {
        true => format!(" {comment}"),
        false => comment.clone(),
    };
    let bookmarks = notes.bookmarks.iter().map(|bookmark| format!("&{bookmark}"));
    let comments = notes.comments.iter().map(comment).chain(bookmarks).collect();
    WrittenElement { comments, mv, time, special: None }
}

/// The elements of a line that are written.
#[derive(Clone, Default)]
struct Elements {
    /// One object per element, not closed; the end and an illegal move before it come last.
    texts: Vec<String>,
    /// The bare last move again, for lines that continue after it.
    repeated: String,
    moves: usize,
    /// Each player's seconds before each move and after the last.
    totals: Vec<[u32; 2]>,
}

/// The elements of all lines.
fn elements(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Vec<Elements> {
    let order = record.order();
    let mut lines = vec![Elements::default(); order.iter().max().map_or(0, |last| last + 1)];
    for number in order {
        let line = record.line(number);
        let totals = line.branch.map_or([0; 2], |Branch { line, at }| lines[line].totals[at]);
        let mut elements = Elements { totals: vec![totals], ..Elements::default() };
        let mut last = line.target_before;
        record.for_each_move(number, &mut |position, mv, notes| {
            elements.push_move(position, mv, last, notes, vocabulary);
            last = Some(mv.to());
        });
        elements.moves = elements.texts.len();
        if let Some(ending) = record.ending(number) {
            elements.push_ending(record.last(number), &ending, last, vocabulary);
        }
        lines[number] = elements;
    }
    lines
}

impl Elements {
    /// Adds the time of a player to the totals.
    fn time(&mut self, player: Colour, seconds: Option<u32>) -> Option<Time> {
        let mut totals = self.totals.last().copied().unwrap_or_default();
        let total = &mut totals[player.index()];
        *total = total.saturating_add(seconds.unwrap_or(0));
        let clock =
            |seconds: u32| Clock { h: seconds / 3600, m: seconds / 60 % 60, s: seconds % 60 };
        let time = seconds.map(|seconds| Time { now: clock(seconds), total: clock(*total) });
        self.totals.push(totals);
        time
    }

    fn push(&mut self, element: &WrittenElement) {
        let mut text = text_of(element);
        text.pop();
        self.texts.push(text);
    }

    /// Adds the comments of an end that cannot be written to those of the last move.
    fn add_to_last(&mut self, notes: &Notes) {
        let comments = element(*notes, None, None).comments;
        let last = self.texts.last_mut().filter(|_| !comments.is_empty());
        let Some(text) = last else { return };
        // The object is not closed.
        let object = serde_json::from_str::<serde_json::Value>(&format!("{text}}}"));
        let Ok(mut object) = object else { return };
        if let Some(list) = object["comments"].as_array_mut() {
            list.extend(comments.into_iter().map(serde_json::Value::from));
        } else {
            object["comments"] = comments.into();
        }
        *text = text_of(&object);
        text.pop();
    }

    fn push_move(
        &mut self,
        position: &dyn AnyPosition,
        mv: AnyMove,
        last: Option<AnySquare>,
        notes: Notes,
        vocabulary: &Vocabulary,
    ) {
        let time = self.time(position.side(), notes.seconds);
        let written = || written_move(position, mv, last, vocabulary);
        self.push(&element(notes, Some(written()), time));
        let bare = Notes { comments: &[], bookmarks: &[], seconds: None };
        self.repeated = text_of(&element(bare, Some(written()), None));
    }

    fn push_ending(
        &mut self,
        position: &dyn AnyPosition,
        ending: &AnyEnding,
        last: Option<AnySquare>,
        vocabulary: &Vocabulary,
    ) {
        let AnyEnding { end, by, illegal_move, notes, .. } = ending;
        let mut to_move = position.side();
        if let Some((mv, notes)) = illegal_move.filter(|(mv, _)| is_named(position, *mv)) {
            self.push_move(position, mv, last, notes, vocabulary);
            to_move = !to_move;
        }
        if !end.is_told_by_turn(*by, to_move) {
            return self.add_to_last(notes);
        }
        let time = self.time(to_move, notes.seconds);
        let special = match end {
            // The sign of CSA is left to the player to move.
            End::Foul if *by == Some(!to_move) => OFFENCE.to_owned(),
            End::Foul if to_move != position.side() => {
                end.csa_behind_illegal_move(*by, to_move).unwrap_or_default()
            }
            End::SealedMove => end.word().to_owned(),
            _ => end.csa(*by, to_move).unwrap_or_else(|| end.kif(*by, to_move).to_owned()),
        };
        self.push(&WrittenElement { special: Some(special), ..element(*notes, None, time) });
    }
}

fn written_move(
    position: &dyn AnyPosition,
    mv: AnyMove,
    last: Option<AnySquare>,
    vocabulary: &Vocabulary,
) -> WrittenMove {
    let code = |face| vocabulary.csa_of(face).to_owned();
    let (from, face, promote) = match mv {
        AnyMove::Drop { face, .. } => (None, Some(face), None),
        AnyMove::Board { from, to, turn } => {
            let could = turn || position.is_legal(AnyMove::Board { from, to, turn: true });
            (Some(from), position.piece(from).map(|piece| piece.face), could.then_some(turn))
        }
    };
    WrittenMove {
        color: position.side().index(),
        from: from.map(Coordinates::of),
        to: Coordinates::of(mv.to()),
        piece: face.map(code).unwrap_or_default(),
        same: (last == Some(mv.to())).then_some(true),
        promote,
        capture: from.and_then(|_| position.piece(mv.to())).map(|piece| code(piece.face)),
        relative: ki2::relative(position, mv, vocabulary),
    }
}

/// The parts still to be written. Variations may be nested to any depth, so recursion could overflow
/// the stack.
enum Next<'t> {
    Text(&'t str),
    /// An element of a line with the rest of the line; a comma precedes it unless it is the first.
    From {
        place: Branch,
        is_first: bool,
    },
}

struct JkfWriter<'r> {
    record: &'r dyn AnyRecord,
    lines: Vec<Elements>,
}

impl JkfWriter<'_> {
    /// Writes all elements after the first.
    fn lines_from(&self, out: &mut String) {
        let mut next = vec![Next::From { place: Branch { line: 0, at: 0 }, is_first: false }];
        while let Some(one) = next.pop() {
            match one {
                Next::Text(text) => out.push_str(text),
                Next::From { place, is_first } => self.write(place, is_first, &mut next, out),
            }
        }
    }

    /// The variations that begin at a place and of which something is written.
    fn variations(&self, place: Branch) -> Vec<usize> {
        let mut numbers = self.record.variations(place);
        numbers.retain(|&number| !self.lines[number].texts.is_empty());
        numbers
    }

    /// Writes the element at a place, and postpones its forks and the rest of the line.
    fn write<'s>(
        &'s self,
        place: Branch,
        is_first: bool,
        next: &mut Vec<Next<'s>>,
        out: &mut String,
    ) {
        let Branch { line, at } = place;
        let elements = &self.lines[line];
        // Without a move or an end, only the lines that begin here are left.
        let is_bare = elements.texts.is_empty();
        let instead = self.variations(place);
        if at >= elements.texts.len() && (!is_bare || instead.is_empty()) {
            return;
        }
        out.push_str(if is_first { "" } else { "," });
        out.push_str(elements.texts.get(at).map_or("{\"comments\":[]", String::as_str));
        if at + 1 < elements.texts.len() {
            next.push(Next::From { place: Branch { line, at: at + 1 }, is_first: false });
        }
        next.push(Next::Text("}"));
        // Variations that continue after the last move, if no end has that place.
        let is_last = at + 1 == elements.moves && elements.moves == elements.texts.len();
        let behind = Branch { line, at: at + 1 };
        let behind = if is_last { self.variations(behind) } else { Vec::new() };
        if instead.is_empty() && behind.is_empty() {
            return;
        }
        next.push(Next::Text("]"));
        let all: Vec<_> = instead
            .into_iter()
            .map(|number| (number, false))
            .chain(behind.into_iter().map(|number| (number, true)))
            .collect();
        for (i, (number, repeats)) in all.into_iter().enumerate().rev() {
            next.push(Next::Text("]"));
            let place = Branch { line: number, at: 0 };
            next.push(Next::From { place, is_first: !repeats });
            next.push(Next::Text(if repeats { &elements.repeated } else { "" }));
            next.push(Next::Text(if i > 0 { ",[" } else { "[" }));
        }
        next.push(Next::Text(",\"forks\":["));
    }
}
