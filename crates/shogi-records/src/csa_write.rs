//! Writing CSA.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Piece};

use super::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use super::csa::{HEADERS, PLAYERS};
use super::cursor::split_lines;
use super::error::WriteError;
use super::kakinoki::{is_named, players};
use super::names::{Vocabulary, write_digits};
use super::{End, Format, summary};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};

pub(super) fn written(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
) -> Result<String, WriteError> {
    if !vocabulary.csa {
        return Err(WriteError::NotForVariant(Format::Csa));
    }
    let mut text = String::from("V2.2\n");
    write_headers(record.headers(), &mut text);
    write_start(&record.start(), vocabulary, &mut text);
    write_notes(record.notes(), &mut text);
    record.for_each_move(0, &mut |position, mv, notes| {
        write_move(position, mv, vocabulary, &mut text);
        write_notes(notes, &mut text);
    });
    let Some(AnyEnding { end, by, illegal_move, notes, .. }) = record.ending(0) else {
        return Ok(text);
    };
    let position = record.last(0);
    let mut to_move = position.side();
    if let Some((mv, notes)) = illegal_move.filter(|(mv, _)| is_named(position, *mv)) {
        write_move(position, mv, vocabulary, &mut text);
        write_notes(notes, &mut text);
        to_move = !to_move;
    }
    let word = match to_move == position.side() {
        true => end.csa(by, to_move),
        false => end.csa_behind_illegal_move(by, to_move),
    };
    let Some(word) = word else {
        // An end without a word becomes a comment.
        let (first, len) = (record.first_number() as usize, record.line(0).len);
        let last = first + len - usize::from(to_move == position.side());
        let players = players(record, vocabulary);
        let sentence = summary::written(end, by, last, to_move, players);
        let comments: Vec<_> = notes.comments.iter().cloned().chain([sentence]).collect();
        write_notes(Notes { comments: &comments, bookmarks: &[], seconds: None }, &mut text);
        return Ok(text);
    };
    text.extend(["%", &word, "\n"]);
    write_notes(notes, &mut text);
    if *end == End::SealedMove {
        // CSA has only a word for games broken off.
        text.extend(["'*", end.word(), "\n"]);
    }
    Ok(text)
}

/// Writes the headers, the players first.
fn write_headers(headers: &[(String, String)], out: &mut String) {
    for (start, names) in PLAYERS {
        let of_player = |(key, _): &&(String, String)| names.contains(&key.as_str());
        for (_, value) in headers.iter().filter(of_player).filter(|header| is_header(header)) {
            out.extend([start, value, "\n"]);
        }
    }
    for (key, value) in headers.iter().filter(|header| is_header(header) && !is_player(&header.0)) {
        let own = HEADERS.iter().find(|(_, japanese)| japanese == key);
        out.extend(["$", own.map_or(key.as_str(), |(own, _)| *own), ":", value, "\n"]);
    }
}

fn is_player(key: &str) -> bool {
    PLAYERS.iter().any(|(_, names)| names.contains(&key))
}

/// Whether a written header would be read back as a header.
pub(super) fn is_header((key, value): &(String, String)) -> bool {
    let is_plain = !key.is_empty() && key.trim() == key && !key.contains([':', '\n', '\r']);
    is_plain && !value.contains(['\n', '\r'])
}

fn write_start(placement: &AnyPlacement, vocabulary: &Vocabulary, out: &mut String) {
    let notation = vocabulary.notation;
    let signed = |colour| if colour == Colour::Sente { '+' } else { '-' };
    if vocabulary.is_sfen_of(vocabulary.start, placement) {
        out.push_str("PI\n");
    } else {
        for rank in 0..notation.height {
            out.push_str(&format!("P{}", rank + 1));
            for file in (1..=notation.width).rev() {
                match placement.piece(AnySquare { file, rank }) {
                    None => out.push_str(" * "),
                    Some(Piece { face, colour }) => {
                        out.push(signed(colour));
                        out.push_str(vocabulary.csa_of(face));
                    }
                }
            }
            out.push('\n');
        }
        for (colour, hand) in Colour::ALL.into_iter().zip(placement.hands) {
            if hand.is_empty() {
                continue;
            }
            out.extend(['P', signed(colour)]);
            for kind in notation.kinds().rev() {
                for _ in 0..hand.count(kind) {
                    out.extend(["00", vocabulary.csa_of(Face::front(kind))]);
                }
            }
            out.push('\n');
        }
    }
    out.extend([signed(placement.side), '\n']);
}

fn write_move(position: &dyn AnyPosition, mv: AnyMove, vocabulary: &Vocabulary, out: &mut String) {
    out.push(if position.side() == Colour::Sente { '+' } else { '-' });
    let after = match mv {
        AnyMove::Drop { face, .. } => {
            out.push_str("00");
            Some(face)
        }
        AnyMove::Board { from, turn, .. } => {
            write_digits(from, out);
            let turned = |piece: Piece| Face { promoted: piece.face.promoted ^ turn, ..piece.face };
            position.piece(from).map(turned)
        }
    };
    write_digits(mv.to(), out);
    out.push_str(after.map_or("", |face| vocabulary.csa_of(face)));
    out.push('\n');
}

/// Writes the time and the comments.
fn write_notes(notes: Notes, out: &mut String) {
    if let Some(seconds) = notes.seconds {
        out.push_str(&format!("T{seconds}\n"));
    }
    for comment in notes.comments {
        // An empty comment is a line as well.
        let mut written = split_lines(comment).peekable();
        if written.peek().is_none() {
            out.push_str("'*\n");
        }
        for line in written {
            out.extend(["'*", line, "\n"]);
        }
    }
}
