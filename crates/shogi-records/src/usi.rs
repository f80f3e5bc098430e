//! USI: `position startpos moves 7g7f 3c3d`, as engines receive it.
//!
//! A start position other than the variant's own is written as `sfen` and the four fields of SFEN. Reading also
//! accepts this without the word `position`, SFEN alone, as in lists of positions, and the word `resign` or
//! `win` after the moves, by which programs keep the end of a game. An illegal move is an error unless such a
//! word follows it; `win` there means the player who wins by it. Only the start and the moves are written.

use alloc::string::String;

use super::any::{AnyPosition, AnyRecord};
use super::builder::{self, Builder};
use super::cursor::{Cursor, error_at_end, lines};
use super::end::Said;
use super::error::{RecordError, RecordReason};
use super::names::{Recorded, Vocabulary};
use super::{End, Record};
use shogi_core::notation::Dialect;
use shogi_core::plain::AnyMove;
use shogi_core::sfen::SfenReason;
use shogi_core::{sfen, usi};
use shogi_rules::irregular::{self, ReadSfen};

/// The words after the moves, and their ends.
const ENDS: [(&str, End); 2] = [(RESIGN, End::Resignation), (WIN, End::Declaration)];
const RESIGN: &str = "resign";
const WIN: &str = "win";

/// Reads a record, in either dialect; of a text with several lines, the first.
///
/// # Errors
///
/// The first part of the text that is not USI or that breaks the rules.
///
/// ```
/// use shogi_rules::Minishogi;
/// use shogi_records::usi;
/// let text = "position sfen r4/4k/5/5/1K3 w - 1 moves 5a4b";
/// let error = usi::parse::<Minishogi>(text).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 41: the move 5a4b is illegal: the piece cannot go there");
/// // A line of SFEN is a game without moves.
/// assert!(usi::parse::<Minishogi>("r4/4k/5/5/1K3 w - 1")?.moves().is_empty());
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
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
    begin(builder, at, sfen)?;
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
            builder.end(said(text, end, builder), text, &|reason| at.error(reason));
            continue;
        }
        let mv = usi::read(text, vocabulary.notation)
            .map_err(|error| at.error_after(error.position, RecordReason::Usi(error.reason)))?;
        builder.push_plain(mv, text, &|reason| at.error(reason))?;
    }
    builder.check_said()
}

/// Begins a record with a position in SFEN, which is next at the cursor.
fn begin(builder: &mut Builder, at: Cursor, sfen: &str) -> Result<(), RecordError> {
    let at_character = |position, reason| at.error_after(position, RecordReason::Sfen(reason));
    let ReadSfen { placement, number, kings, .. } =
        irregular::read(sfen, builder.vocabulary.notation)
            .map_err(|error| at_character(error.position, error.reason))?;
    let kings = kings.into_iter().map(|king| at_character(king, SfenReason::KingInHand)).collect();
    builder.leave_out_kings(&placement, kings)?;
    builder.begin(&placement).map_err(|faults| at.error(RecordReason::Start(faults)))?;
    builder.set_first_number(number);
    Ok(())
}

/// The end that a word after the moves means.
fn said(word: &str, end: &End, builder: &Builder) -> Said {
    match builder.offender().filter(|_| word == WIN) {
        Some(offender) => Said { end: End::Foul, by: Some(offender), is_named: true },
        None => {
            let by = end.usually_by(builder.to_move());
            Said { end: end.clone(), by, is_named: false }
        }
    }
}

/// The text up to the moves.
fn fields_of_sfen<'a>(line: &mut Cursor<'a>) -> &'a str {
    let rest = line.rest();
    let moves = rest.find(" moves").unwrap_or(rest.len());
    line.eat(&rest[..moves]);
    rest[..moves].trim_end()
}

/// Whether a word looks like the board of an SFEN: ranks of letters, digits and `+`, with slashes between them.
pub(super) fn is_board(word: &str) -> bool {
    word.contains('/') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'/' || b == b'+')
}

/// The next word.
fn word<'a>(mut line: Cursor<'a>) -> &'a str {
    line.until(&[' ', '\t'])
}

/// Reads a word and the spaces after it.
fn next_word<'a>(line: &mut Cursor<'a>) -> &'a str {
    let word = line.until(&[' ', '\t']);
    line.skip_spaces();
    word
}

/// Writes the start and the moves on one line, in the variant's own dialect.
pub fn write<R: Recorded>(record: &Record<R>) -> String {
    write_in(record, R::dialect())
}

/// Writes the start and the moves on one line, in the given dialect.
///
/// ```
/// use shogi_records::usi;
/// use shogi_rules::{Dialect, KyotoShogi};
/// let record = usi::parse::<KyotoShogi>("position startpos moves 5e5d+")?;
/// assert_eq!(usi::write_in(&record, Dialect::Fairy), "position startpos moves 5e5d-");
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn write_in<R: Recorded>(record: &Record<R>, dialect: Dialect) -> String {
    written(record, &Vocabulary::of::<R>(), dialect)
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary, dialect: Dialect) -> String {
    let mut text = String::from("position ");
    if vocabulary.is_sfen_of(vocabulary.start, &record.start()) && record.first_number() == 1 {
        text.push_str("startpos");
    } else {
        text.extend(["sfen ", &start_in(record, vocabulary, dialect)]);
    }
    let mut separator = " moves ";
    record.for_each_move(0, &mut |position, mv, _| {
        text.push_str(separator);
        text.push_str(&move_in(position, mv, vocabulary, dialect));
        separator = " ";
    });
    text
}

/// The start of a record in SFEN, with the number of the first move.
pub(super) fn start_in(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
    dialect: Dialect,
) -> String {
    sfen::written(&record.start(), vocabulary.notation, dialect, record.first_number())
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
