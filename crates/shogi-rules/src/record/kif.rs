//! KIF, the format of Kakinoki's programs and of most Japanese ones.
//!
//! A move names its target, its piece and, in brackets, its origin: `７六歩(77)`; a drop ends in
//! 打. Read as well: digits of any script, `:` for `：`, the marks ▲ and △, 王, 竜, and the single
//! kanji of promoted pieces. Skipped: lines that begin with `#` or `&` or まで, and variations.
//!
//! The variants follow lishogi where it has them. 手合割 names the variant: `5五将棋`, `京都将棋`,
//! `どうぶつしょうぎ`, `3x4将棋`, also above a diagram. In Kyoto shogi the piece is named by its
//! face before the move, 成 stands after every board move but the king's, and a drop names the face
//! dropped; in hand tokin and gold stand for their pieces. Dobutsu shogi's pieces are
//! [animals](super::ANIMAL_NAMES), ひ に き ぞ ら, and the names of the shogi pieces that move alike
//! are read too. Where the rules leave no choice 成 may be missing.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

use shogi_core::Piece;

use super::any::{AnyPosition, AnyRecord, Reading};
use super::cursor::Cursor;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    Play, players, push, read_mark, read_target, read_turn, turns, write_comments, write_opening,
    write_target,
};
use super::names::{Recorded, Vocabulary, write_digits};
use super::{End, Record, any, kakinoki, ki2};
use crate::plain::{AnyMove, AnySquare};

const PLAY: Play =
    Play { is_play: |line| line.starts_with(|c: char| c.is_ascii_digit()), read: read_line };
const SEPARATOR: &str = "手数----指手---------消費時間--\n";

/// Reads a record.
///
/// # Errors
///
/// The first thing that is not KIF, or that the rules do not allow.
///
/// ```
/// use shogi_rules::record::{End, kif};
/// use shogi_rules::{Dobutsu, to_usi};
/// let text = "手合割：どうぶつしょうぎ\n先手：あや\n\n 1 ２二ひ(23) ( 0:04/00:00:04)\n 2 同　ぞ(11)\n 3 投了\n";
/// let record = kif::parse::<Dobutsu>(text)?;
/// assert_eq!(to_usi(record.moves()[0].mv()), "2c2b");
/// assert_eq!(record.moves()[0].seconds, Some(4));
/// assert_eq!(record.ending.map(|ending| ending.end), Some(End::Resignation));
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    any::parse(text, read)
}

fn read(text: &str, vocabulary: &Vocabulary, reading: &mut dyn Reading) -> Result<(), RecordError> {
    kakinoki::read(text, vocabulary, &PLAY, reading)
}

/// Reads a line with a move or the end.
fn read_line(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    mut line: Cursor,
) -> Result<(), RecordError> {
    let expected = record.len() + 1;
    let start = line;
    let number = line.number().ok_or_else(|| start.error(RecordReason::TooLarge))?;
    if record.ending().is_some() {
        return Err(start.error(RecordReason::AfterEnd));
    }
    if number as usize != expected {
        return Err(start.error(RecordReason::MoveNumber { expected }));
    }
    line.skip_spaces();
    let mut rest = line;
    match End::from_kif(rest.until(&[' ', '　', '\t', '('])) {
        Some(end) => {
            line = rest;
            record.end(end.into());
        }
        None => read_move(record, vocabulary, &mut line)?,
    }
    line.skip_spaces();
    if line.eat("(") {
        let seconds = read_time(&mut line)?;
        if let Some(time) = record.latest().1 {
            *time = Some(seconds);
        }
        line.skip_spaces();
    }
    // It marks a move that has variations.
    line.eat("+");
    line.skip_spaces();
    if line.is_at_end() { Ok(()) } else { Err(line.expected("the end of the line")) }
}

fn read_move(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    line: &mut Cursor,
) -> Result<(), RecordError> {
    read_mark(record, line)?;
    let start = *line;
    let to = read_target(record, vocabulary, line)?;
    let piece = *line;
    let face = vocabulary.read_face(line)?;
    let said = read_turn(line);
    let mv = if said.is_none() && line.eat("打") {
        AnyMove::Drop { face, to }
    } else if line.eat("(") {
        let from = vocabulary.read_square(line)?;
        if !line.eat(")") {
            return Err(line.expected("a closing bracket"));
        }
        let last = record.last();
        if last.piece(from) != Some(Piece { face, colour: last.side() }) {
            return Err(piece.error(RecordReason::WrongPiece));
        }
        AnyMove::Board { from, to, turn: turns(record, vocabulary, from, to, said) }
    } else {
        return Err(line.expected("the origin in brackets, or 打"));
    };
    push(record, vocabulary, mv, start)
}

/// Reads the time for a move, and behind a slash the player's total, up to the closing bracket.
fn read_time(line: &mut Cursor) -> Result<u32, RecordError> {
    let mut seconds: u32 = 0;
    let mut parts = 0;
    loop {
        line.skip_spaces();
        let start = *line;
        let part = line.number().ok_or_else(|| start.expected("a time such as 0:16"))?;
        let sum = seconds.checked_mul(60).and_then(|s| s.checked_add(part));
        seconds = sum.ok_or_else(|| start.error(RecordReason::TooLarge))?;
        parts += 1;
        if parts == 3 || !line.eat(":") {
            break;
        }
    }
    if parts == 1 {
        return Err(line.expected("a colon"));
    }
    line.skip_spaces();
    if line.eat("/") {
        line.until(&[')']);
    }
    if line.eat(")") { Ok(seconds) } else { Err(line.expected("a closing bracket")) }
}

/// Writes a record. Headers lose spaces around their values.
///
/// # Errors
///
/// A header that would be read back as another line.
///
/// ```
/// use shogi_rules::record::{kif, usi};
/// use shogi_rules::KyotoShogi;
/// let record = usi::parse::<KyotoShogi>("position startpos moves 5e5d+ 4a4b+ 5d5a+")?;
/// let text = kif::write(&record)?;
/// assert_eq!(text.lines().last(), Some("   3 ５一香成(54)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, Vocabulary::of::<R>())
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    let mut text = String::new();
    write_opening(record, vocabulary, SEPARATOR, &mut text)?;
    // Writing to a string does not fail.
    let _ = write_play(record, vocabulary, &mut text);
    Ok(text)
}

fn write_play(record: &dyn AnyRecord, vocabulary: &Vocabulary, out: &mut String) -> fmt::Result {
    let mut last = None;
    let mut totals = [0; 2];
    let mut number = 0;
    let mut result = Ok(());
    record.for_each_move(&mut |position, mv, notes| {
        number += 1;
        let words = move_words(position, mv, last, vocabulary);
        last = Some(mv.to());
        let total = &mut totals[position.side().index()];
        result = result.and(write_line(number, &words, notes.seconds, total, out));
        write_comments(notes.comments, out);
    });
    result?;
    if let Some(ending) = record.ending() {
        let to_move = record.last().side();
        let total = &mut totals[to_move.index()];
        write_line(record.len() + 1, ending.end.kif(), ending.seconds, total, out)?;
        write_comments(&ending.comments, out);
        let players = players(record, vocabulary);
        out.push_str(&ki2::summary(ending.end, record.len(), to_move, players));
    }
    Ok(())
}

/// A move in words, `last` being the target of the one before.
fn move_words(
    position: &dyn AnyPosition,
    mv: AnyMove,
    last: Option<AnySquare>,
    vocabulary: &Vocabulary,
) -> String {
    let mut words = String::new();
    write_target(last, mv.to(), &mut words);
    match mv {
        AnyMove::Drop { face, .. } => {
            vocabulary.write_word(face, &mut words);
            words.push('打');
        }
        AnyMove::Board { from, turn, .. } => {
            if let Some(piece) = position.piece(from) {
                vocabulary.write_word(piece.face, &mut words);
            }
            words.push_str(if turn { "成(" } else { "(" });
            write_digits(from, &mut words);
            words.push(')');
        }
    }
    words
}

fn write_line(
    number: usize,
    words: &str,
    seconds: Option<u32>,
    total: &mut u64,
    out: &mut String,
) -> fmt::Result {
    write!(out, "{number:>4} {words}")?;
    if let Some(seconds) = seconds {
        *total += u64::from(seconds);
        // Columns on a screen: a full-width character takes two.
        let width: usize = words.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        let (hours, minutes) = (*total / 3600, *total / 60 % 60);
        write!(out, "{:1$}", "", 13_usize.saturating_sub(width))?;
        write!(out, "({time:>5}/{hours:02}:{minutes:02}:{:02})", *total % 60)?;
    }
    out.write_char('\n')
}
