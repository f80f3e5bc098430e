//! USI: `position startpos moves 7g7f 3c3d`, as it is sent to engines.
//!
//! A start position other than the variant's own is written `sfen` and the four fields of SFEN.
//! Read as well: the same without the word `position`, SFEN alone, as lists of positions have it, and the
//! word `resign` or `win` behind the moves, by which programs keep the end of a game. Only start and moves are written.

use alloc::string::String;
use alloc::vec::Vec;

use super::any::{AnyPosition, AnyRecord};
use super::builder::{self, Builder};
use super::cursor::{Cursor, error_at_end, lines};
use super::error::{RecordError, RecordReason};
use super::names::{Recorded, Vocabulary};
use super::{End, Record};
use crate::notation::Dialect;
use crate::plain::AnyMove;
use crate::{sfen, usi};

/// The words behind the moves, and the ends that they stand for.
const ENDS: [(&str, End); 2] = [("resign", End::Resignation), ("win", End::Declaration)];

/// Reads a record, in either dialect; of a text with several lines, the first.
///
/// # Errors
///
/// The first thing that is not USI, or that the rules do not allow.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_rules::record::usi;
/// let text = "position sfen r4/4k/5/5/1K3 w - 1 moves 5a4b";
/// let error = usi::parse::<Minishogi>(text).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 41: the move 5a4b is illegal: the piece cannot go there");
/// // A line of SFEN is a game without moves.
/// assert!(usi::parse::<Minishogi>("r4/4k/5/5/1K3 w - 1")?.moves().is_empty());
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

/// Reads all records of a text, one on each line.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_all<R: Recorded>(text: &str) -> Result<Vec<Record<R>>, RecordError> {
    builder::parse_all(text, read)
}

fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    let mut is_empty = true;
    for line in lines(text).filter(|line| !line.rest().trim().is_empty()) {
        builder.finish();
        read_line(builder, line)?;
        is_empty = false;
    }
    let missing = RecordReason::Missing("a record");
    if is_empty { Err(error_at_end(text, missing)) } else { Ok(()) }
}

fn read_line(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    let vocabulary = builder.vocabulary;
    line.skip_spaces();
    if word(line) == "position" {
        next_word(&mut line);
    }
    let mut at = line;
    let sfen = match word(line) {
        "startpos" => {
            next_word(&mut line);
            at = line;
            vocabulary.start
        }
        "sfen" => {
            next_word(&mut line);
            at = line;
            fields_of_sfen(&mut line)
        }
        board if is_board(board) => fields_of_sfen(&mut line),
        _ => return Err(line.expected("startpos or sfen")),
    };
    let (placement, number) = sfen::read(sfen, vocabulary.notation)
        .map_err(|error| at.error_after(error.position, RecordReason::Sfen(error.reason)))?;
    builder
        .begin_numbered(&placement, number)
        .map_err(|faults| at.error(RecordReason::Start(faults)))?;
    line.skip_spaces();
    if line.is_at_end() {
        return Ok(());
    }
    if word(line) != "moves" {
        return Err(line.expected("moves"));
    }
    next_word(&mut line);
    while !line.is_at_end() {
        let at = line;
        let text = next_word(&mut line);
        if let Some((_, end)) = ENDS.iter().find(|(word, _)| *word == text) {
            let by = end.usually_by(builder.to_move());
            builder.end((end.clone(), by), text);
            continue;
        }
        let mv = usi::read(text, vocabulary.notation)
            .map_err(|error| at.error_after(error.position, RecordReason::Usi(error.reason)))?;
        builder.push_legal(mv).map_err(|reason| at.error(reason))?;
    }
    Ok(())
}

/// All up to the moves.
fn fields_of_sfen<'a>(line: &mut Cursor<'a>) -> &'a str {
    let rest = line.rest();
    let moves = rest.find(" moves").unwrap_or(rest.len());
    line.eat(&rest[..moves]);
    rest[..moves].trim_end()
}

/// Whether a word is meant as the board of an SFEN: ranks of letters, digits and `+`, between slashes.
pub(super) fn is_board(word: &str) -> bool {
    word.contains('/') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'/' || b == b'+')
}

/// The word that comes next.
fn word<'a>(mut line: Cursor<'a>) -> &'a str {
    line.until(&[' ', '\t'])
}

/// Reads a word and the spaces after it.
fn next_word<'a>(line: &mut Cursor<'a>) -> &'a str {
    let word = line.until(&[' ', '\t']);
    line.skip_spaces();
    word
}

/// Writes start and moves on one line, in the variant's own dialect.
pub fn write<R: Recorded>(record: &Record<R>) -> String {
    write_in(record, R::dialect())
}

/// Writes start and moves on one line, in the given dialect.
///
/// ```
/// use shogi_rules::record::usi;
/// use shogi_rules::{Dialect, KyotoShogi};
/// let record = usi::parse::<KyotoShogi>("position startpos moves 5e5d+")?;
/// assert_eq!(usi::write_in(&record, Dialect::Fairy), "position startpos moves 5e5d-");
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn write_in<R: Recorded>(record: &Record<R>, dialect: Dialect) -> String {
    written(record, &Vocabulary::of::<R>(), dialect)
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> String {
    let mut text = String::from("position ");
    let (start, number) = (record.start(), record.first_number());
    if number == 1 && vocabulary.is_sfen_of(vocabulary.start, &start) {
        text.push_str("startpos");
    } else {
        text.extend(["sfen ", &sfen::written(&start, vocabulary.notation, dialect, number)]);
    }
    let mut separator = " moves ";
    record.for_each_move(0, &mut |position, mv, _| {
        text.push_str(separator);
        text.push_str(&move_in(position, mv, vocabulary, dialect));
        separator = " ";
    });
    text
}

/// A move in USI notation, in the given dialect.
pub(super) fn move_in(
    position: &dyn AnyPosition,
    mv: AnyMove,
    vocabulary: &Vocabulary,
    dialect: Dialect,
) -> String {
    let to_front = match mv {
        AnyMove::Board { from, turn, .. } => {
            turn && position.piece(from).is_some_and(|piece| piece.face.promoted)
        }
        AnyMove::Drop { .. } => false,
    };
    usi::written(mv, vocabulary.notation, dialect, to_front)
}
