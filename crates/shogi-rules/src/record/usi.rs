//! USI: `position startpos moves 7g7f 3c3d`, as it is sent to engines.
//!
//! A start position other than the variant's own is written `sfen` and the four fields of SFEN.
//! Read as well: the same without the word `position`. Only start and moves are kept.

use alloc::string::String;

use super::cursor::{Cursor, error_at_end, lines};
use super::error::{RecordError, RecordReason};
use super::{Record, kakinoki, start};
use crate::notation::Dialect;
use crate::record::Recorded;
use crate::sfen::{parse_sfen, to_sfen_in};
use crate::usi::{parse_usi, to_usi_in};

/// Reads a record, in either dialect.
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
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    let mut lines = lines(text).filter(|line| !line.rest().trim().is_empty());
    let missing = || error_at_end(text, RecordReason::Missing("a record"));
    let mut line = lines.next().ok_or_else(missing)?;
    if let Some(more) = lines.next() {
        return Err(more.error(RecordReason::UnknownLine));
    }
    line.skip_spaces();
    if word(line) == "position" {
        next_word(&mut line);
    }
    let position = line;
    let sfen = match next_word(&mut line) {
        "startpos" => R::START,
        "sfen" => {
            let rest = line.rest();
            let moves = rest.find(" moves").unwrap_or(rest.len());
            let sfen = rest[..moves].trim_end();
            line.eat(&rest[..moves]);
            sfen
        }
        _ => return Err(position.expected("startpos or sfen")),
    };
    let mut at = position;
    next_word(&mut at);
    let placement = parse_sfen(sfen)
        .map_err(|error| at.error_after(error.position, RecordReason::Sfen(error.reason)))?;
    let start = start(placement.0).map_err(|e| at.error(RecordReason::Start(e.faults)))?;
    let mut record = Record::new(start);
    line.skip_spaces();
    if line.is_at_end() {
        return Ok(record);
    }
    if word(line) != "moves" {
        return Err(line.expected("moves"));
    }
    next_word(&mut line);
    while !line.is_at_end() {
        let at = line;
        let mv = parse_usi(next_word(&mut line))
            .map_err(|error| at.error_after(error.position, RecordReason::Usi(error.reason)))?;
        kakinoki::push(&mut record, mv, at)?;
    }
    Ok(record)
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
    write_in(record, R::DIALECT)
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
    let mut text = String::from("position ");
    let own = parse_sfen::<R>(R::START).is_ok_and(|(own, _)| own == *record.start.placement());
    if own {
        text.push_str("startpos");
    } else {
        text.extend(["sfen ", &to_sfen_in(&record.start, dialect)]);
    }
    for (i, (position, one)) in record.positions().enumerate() {
        text.push_str(if i == 0 { " moves " } else { " " });
        text.push_str(&to_usi_in(one.mv, &position, dialect));
    }
    text
}
