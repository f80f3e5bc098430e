//! Reading JKF.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::value::RawValue;
use shogi_core::{Colour, Face, Hand, Piece};

use super::parts::*;
use crate::Format;
use crate::builder::Builder;
use crate::end::Said;
use crate::error::{RecordError, RecordReason};
use crate::json_text::{Waiting, each_object, error_at, json_error, value};
use crate::kakinoki::mark;
use crate::names::{Vocabulary, write_digits, write_square};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};
use shogi_core::sfen;

/// The object as read; fields that other programs add are ignored.
#[derive(Deserialize)]
struct ReadRecord<'a> {
    #[serde(default)]
    header: Headers,
    #[serde(borrow)]
    initial: Option<&'a RawValue>,
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
}

/// An element of a line: a move, an end, or, at the beginning, neither.
#[derive(Deserialize, Default)]
#[serde(default)]
struct ReadElement<'a> {
    comments: Vec<String>,
    #[serde(borrow, rename = "move")]
    mv: Option<&'a RawValue>,
    time: Option<Time>,
    special: Option<String>,
    #[serde(borrow)]
    forks: Vec<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct ReadMove {
    color: Option<u8>,
    from: Option<Coordinates>,
    to: Option<Coordinates>,
    piece: String,
    #[serde(default)]
    same: bool,
    #[serde(default)]
    promote: Option<bool>,
}

pub(crate) fn read_all(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    each_object(text, builder, read)
}

/// Whether an object is a record in JKF rather than in the program's own JSON.
pub(crate) fn is_jkf(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Probe<'a> {
        #[serde(borrow)]
        header: Option<&'a RawValue>,
        #[serde(borrow)]
        initial: Option<&'a RawValue>,
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let probe = Probe::deserialize(&mut deserializer);
    probe.is_ok_and(|probe| probe.header.is_some() || probe.initial.is_some())
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !builder.vocabulary.csa {
        return Err(error_at(text, text, 0, RecordReason::NotForVariant(Format::Jkf)));
    }
    let read: ReadRecord = serde_json::from_str(text).map_err(|e| json_error(text, text, &e))?;
    builder.finish();
    let mut kings = Vec::new();
    let (placement, at) = match read.initial {
        Some(raw) => (start(text, raw, builder.vocabulary, &mut kings)?, raw.get()),
        None => (own_start(text, builder.vocabulary)?, text),
    };
    builder.leave_out_kings(&placement, kings)?;
    let illegal = |faults| error_at(text, at, 0, RecordReason::Start(faults));
    builder.begin(&placement).map_err(illegal)?;
    builder.set_headers(read.header.0);
    let mut reader = JkfReader { text, builder, waiting: Waiting::new(text) };
    reader.line(0, read.moves)?;
    while let Some((depth, moves)) = reader.waiting.begin_next(reader.builder) {
        reader.line(depth, moves)?;
    }
    Ok(())
}

/// The variant's own start.
fn own_start(text: &str, vocabulary: &Vocabulary) -> Result<AnyPlacement, RecordError> {
    let own = sfen::read(vocabulary.start, vocabulary.notation);
    Ok(own.map_err(|e| error_at(text, text, 0, RecordReason::Sfen(e.reason)))?.0)
}

fn start(
    text: &str,
    raw: &RawValue,
    vocabulary: &Vocabulary,
    kings: &mut Vec<RecordError>,
) -> Result<AnyPlacement, RecordError> {
    let initial: Initial = value(text, raw)?;
    let error = |reason| error_at(text, raw.get(), 0, reason);
    let Some(state) = initial.data else {
        let unknown = || error(RecordReason::UnknownStart(initial.preset.clone()));
        return preset(&initial.preset, vocabulary).ok_or_else(unknown);
    };
    let [width, height] = [vocabulary.notation.width, vocabulary.notation.height].map(usize::from);
    // A larger board may have its pieces on the squares of this one.
    if state.board.len() < width || state.board.iter().any(|file| file.len() < height) {
        return Err(error(RecordReason::SmallerBoard));
    }
    let mut placement = vocabulary.notation.empty();
    placement.side = if state.color == 0 { Colour::Sente } else { Colour::Gote };
    for (x, file) in (1..).zip(&state.board) {
        for (y, square) in (1..).zip(file) {
            let Some(code) = &square.kind else { continue };
            let face = vocabulary.face_of_csa(code);
            let face = face.ok_or_else(|| error(RecordReason::Expected("codes of pieces")))?;
            let colour = if square.color == Some(1) { Colour::Gote } else { Colour::Sente };
            let place = Coordinates { x, y }.square(vocabulary);
            let place = place.ok_or_else(|| error(RecordReason::OffBoard))?;
            *placement.at(place) = Some(Piece { face, colour });
        }
    }
    for (hand, counts) in placement.hands.iter_mut().zip(&state.hands) {
        for (code, count) in counts.0.iter().filter(|(_, count)| *count > 0) {
            let face = vocabulary.face_of_csa(code).filter(|face| !face.promoted);
            let Face { kind, .. } = face.ok_or_else(|| error(RecordReason::NotInHand))?;
            if vocabulary.stays_on_board(kind) {
                kings.push(error(RecordReason::NotInHand));
                continue;
            }
            if *count > Hand::capacity(kind) {
                return Err(error(RecordReason::TooLarge));
            }
            hand.set(kind, *count);
        }
    }
    Ok(placement)
}

/// A move that cannot be kept, in the words of KIF.
fn words(
    mover: Colour,
    face: Face,
    from: Option<AnySquare>,
    to: AnySquare,
    vocabulary: &Vocabulary,
) -> String {
    let mut words = mark(mover).to_owned();
    write_square(to, &mut words);
    vocabulary.write_word(face, &mut words);
    match from {
        None => words.push('打'),
        Some(from) => {
            words.push('(');
            write_digits(from, &mut words);
            words.push(')');
        }
    }
    words
}

/// Reads the lines of a record, each after the line from which it branches.
struct JkfReader<'t, 'b, 'a> {
    text: &'t str,
    builder: &'b mut Builder<'a>,
    waiting: Waiting<'t>,
}

impl<'t> JkfReader<'t, '_, '_> {
    fn line(&mut self, depth: usize, elements: Vec<&'t RawValue>) -> Result<(), RecordError> {
        for raw in elements {
            let element: ReadElement = value(self.text, raw)?;
            self.waiting.put_off(depth, self.builder, element.forks)?;
            if let Some(raw) = element.mv {
                self.mv(raw)?;
            }
            if let Some(word) = element.special {
                let said = Said::of_word(&word, self.builder.to_move());
                self.builder.end(said, &word, &|reason| error_at(self.text, raw.get(), 0, reason));
            }
            self.notes(raw, element.comments, element.time)?;
        }
        Ok(())
    }

    fn notes(
        &mut self,
        raw: &RawValue,
        comments: Vec<String>,
        time: Option<Time>,
    ) -> Result<(), RecordError> {
        let Some(notes) = self.builder.latest() else { return Ok(()) };
        for comment in comments {
            match comment.strip_prefix('&') {
                Some(bookmark) => notes.bookmarks.push(bookmark.to_owned()),
                None if begins_as_bookmark(&comment) => {
                    notes.comments.push(comment[1..].to_owned())
                }
                None => notes.comments.push(comment),
            }
        }
        if let (Some(time), Some(seconds)) = (time, notes.seconds) {
            let now = time.now.seconds();
            let too_large = || error_at(self.text, raw.get(), 0, RecordReason::TooLarge);
            *seconds = Some(now.ok_or_else(too_large)?);
        }
        Ok(())
    }

    fn mv(&mut self, raw: &'t RawValue) -> Result<(), RecordError> {
        let error = |reason| error_at(self.text, raw.get(), 0, reason);
        let read: ReadMove = value(self.text, raw)?;
        let vocabulary = self.builder.vocabulary;
        let square = |place: Coordinates| {
            place.square(vocabulary).ok_or_else(|| error(RecordReason::OffBoard))
        };
        self.builder.check_open(&error)?;
        let to = match (read.to, read.same) {
            (Some(place), _) => square(place)?,
            (None, true) => {
                self.builder.last_target().ok_or_else(|| error(RecordReason::NothingBefore))?
            }
            (None, false) => return Err(error(RecordReason::Missing("the target of the move"))),
        };
        let face = vocabulary.face_of_csa(&read.piece);
        let face = face.ok_or_else(|| error(RecordReason::Expected("the code of a piece")))?;
        let side = self.builder.to_move();
        let from = read.from.map(square).transpose()?;
        let piece = from.and_then(|from| self.builder.piece(from)).filter(|own| own.face == face);
        // The record need not say whose move it is.
        let by_piece = || piece.map(|piece| piece.colour.index());
        let mover = read.color.map(usize::from).or_else(by_piece).unwrap_or(side.index());
        let reason = if mover != side.index() {
            RecordReason::WrongSide
        } else if from.is_some() && piece != Some(Piece { face, colour: side }) {
            RecordReason::WrongPiece
        } else {
            let promote = read.promote.unwrap_or(false);
            let board = |from| AnyMove::Board { from, to, turn: promote };
            return self.builder.push(from.map_or(AnyMove::Drop { face, to }, board), &error);
        };
        let mover = if mover == 0 { Colour::Sente } else { Colour::Gote };
        let words = words(mover, face, from, to, vocabulary);
        self.builder.refuse(error(reason), &words)
    }
}
