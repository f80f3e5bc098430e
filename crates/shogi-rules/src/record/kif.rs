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

use shogi_core::{Move, Piece, Square};

use super::cursor::Cursor;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    players, push, read_mark, read_target, read_turn, turns, write_comments, write_opening,
    write_target,
};
use super::names::{Recorded, read_face, read_square, write_digits, write_word};
use super::{End, Record, kakinoki, ki2};

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
    kakinoki::parse(text, |line| line.starts_with(|c: char| c.is_ascii_digit()), read_line)
}

/// Reads a line with a move or the end.
fn read_line<R: Recorded>(record: &mut Record<R>, mut line: Cursor) -> Result<(), RecordError> {
    let expected = record.moves.len() + 1;
    let start = line;
    let number = line.number().ok_or_else(|| start.error(RecordReason::TooLarge))?;
    if record.ending.is_some() {
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
            record.ending = Some(end.into());
        }
        None => read_move(record, &mut line)?,
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

fn read_move<R: Recorded>(record: &mut Record<R>, line: &mut Cursor) -> Result<(), RecordError> {
    read_mark(record, line)?;
    let start = *line;
    let to = read_target(record, line)?;
    let piece = *line;
    let face = read_face::<R>(line)?;
    let said = read_turn(line);
    let mv = if said.is_none() && line.eat("打") {
        Move::Drop { face, to }
    } else if line.eat("(") {
        let from: Square<R::Geometry> = read_square(line)?;
        if !line.eat(")") {
            return Err(line.expected("a closing bracket"));
        }
        if record.last.piece(from) != Some(Piece { face, colour: record.last.side() }) {
            return Err(piece.error(RecordReason::WrongPiece));
        }
        Move::Board { from, to, turn: turns(record, from, to, said) }
    } else {
        return Err(line.expected("the origin in brackets, or 打"));
    };
    push(record, mv, start).map(drop)
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
    let mut text = String::new();
    write_opening(record, SEPARATOR, &mut text)?;
    // Writing to a string does not fail.
    let _ = write_play(record, &mut text);
    Ok(text)
}

fn write_play<R: Recorded>(record: &Record<R>, out: &mut String) -> fmt::Result {
    let mut last = None;
    let mut totals = [0; 2];
    for (number, (position, one)) in (1..).zip(record.positions()) {
        let mut words = String::new();
        let to = one.mv.to();
        write_target::<R>(last, to, &mut words);
        last = Some(to);
        match one.mv {
            Move::Drop { face, .. } => {
                write_word::<R>(face, &mut words);
                words.push('打');
            }
            Move::Board { from, turn, .. } => {
                if let Some(piece) = position.piece(from) {
                    write_word::<R>(piece.face, &mut words);
                }
                words.push_str(if turn { "成(" } else { "(" });
                write_digits(from, &mut words);
                words.push(')');
            }
        }
        write_line(number, &words, one.seconds, &mut totals[position.side().index()], out)?;
        write_comments(&one.comments, out);
    }
    if let Some(ending) = &record.ending {
        let total = &mut totals[record.last.side().index()];
        write_line(record.moves.len() + 1, ending.end.kif(), ending.seconds, total, out)?;
        write_comments(&ending.comments, out);
        let to_move = record.last.side();
        out.push_str(&ki2::summary(ending.end, record.moves.len(), to_move, players(record)));
    }
    Ok(())
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
