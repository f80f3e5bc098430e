//! What KIF and KI2 share: headers, the start, comments, and how a move begins.
//!
//! The lines before the moves come in any order. The start is a diagram if there is one, else what
//! 手合割 names, else the variant's own.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Geometry, Move, Placement, Promotion, Square};

use super::cursor::{Cursor, error_at_end, lines};
use super::error::{RecordError, RecordReason, WriteError};
use super::names::{Recorded, read_square};
use super::{Format, Record, RecordMove, board, start};
use crate::sfen::{SfenError, parse_sfen};

const TITLE: &str = "手合割";
/// The title of a start that has no name.
const OTHER: &str = "その他";
const SENTE: [&str; 2] = ["先手", "下手"];
const GOTE: [&str; 2] = ["後手", "上手"];
const HAND: &str = "の持駒";
const TO_MOVE: &str = "番";
/// What lines begin with that are no headers, apart from digits.
const OTHER_LINES: [&str; 14] = [
    "#",
    "&",
    "*",
    "|",
    "+",
    "手数",
    "まで",
    "変化",
    SENTE_MARKS[0],
    SENTE_MARKS[1],
    SENTE_MARKS[2],
    GOTE_MARKS[0],
    GOTE_MARKS[1],
    GOTE_MARKS[2],
];
const SENTE_MARKS: [&str; 3] = ["▲", "☗", "▼"];
const GOTE_MARKS: [&str; 3] = ["△", "☖", "▽"];

/// What has been read of the lines before the moves.
struct Opening<R: Recorded> {
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// The start that 手合割 names, or why there is none.
    title: Option<Result<Placement<R>, RecordError>>,
    /// Board and hands as drawn.
    drawn: Placement<R>,
    /// How many ranks of the board have been drawn.
    ranks: u8,
    side: Option<Colour>,
}

/// Reads a record, with one function that tells lines with moves or the end from others and one
/// that reads them.
pub(super) fn parse<R: Recorded>(
    text: &str,
    is_play: fn(&str) -> bool,
    read_play: fn(&mut Record<R>, Cursor) -> Result<(), RecordError>,
) -> Result<Record<R>, RecordError> {
    let mut opening = Opening::<R>::new();
    let mut record: Option<Record<R>> = None;
    let mut is_empty = true;
    for mut line in lines(text) {
        line.skip_spaces();
        let rest = line.rest();
        if rest.is_empty() || rest.starts_with(['#', '&']) {
            continue;
        }
        is_empty = false;
        if let Some(comment) = rest.strip_prefix('*') {
            let comments = match &mut record {
                Some(record) => record.latest().0,
                None => &mut opening.comments,
            };
            comments.push(comment.into());
        } else if is_play(rest) {
            let record = match &mut record {
                Some(record) => record,
                None => record.insert(opening.close(&|reason| line.error(reason))?),
            };
            read_play(record, line)?;
        } else if record.is_some() && rest.starts_with("変化") {
            // Only variations of the game follow.
            break;
        } else if rest.starts_with("変化") || rest.starts_with("まで") || rest.starts_with("手数")
        {
            continue;
        } else if record.is_some() {
            return Err(line.error(RecordReason::UnknownLine));
        } else {
            opening.read(line)?;
        }
    }
    if is_empty {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    match record {
        Some(record) => Ok(record),
        None => opening.close(&|reason| error_at_end(text, reason)),
    }
}

impl<R: Recorded> Opening<R> {
    const fn new() -> Self {
        Self {
            headers: Vec::new(),
            comments: Vec::new(),
            title: None,
            drawn: Placement::EMPTY,
            ranks: 0,
            side: None,
        }
    }

    /// Reads a line that is neither move nor comment.
    fn read(&mut self, mut line: Cursor) -> Result<(), RecordError> {
        let rest = line.rest().trim_end();
        let is_frame =
            rest.starts_with("+-") || rest.chars().all(|c| c.is_whitespace() || is_wide(c));
        if is_frame {
            return Ok(());
        }
        if line.eat("|") {
            if self.ranks >= R::Geometry::HEIGHT {
                return Err(line.error(RecordReason::OffBoard));
            }
            board::read_rank(&mut line, self.ranks, &mut self.drawn)?;
            self.ranks += 1;
            return Ok(());
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| rest.strip_prefix(name) == Some(TO_MOVE)) {
                self.side = Some(colour);
                return Ok(());
            }
        }
        let start = line;
        let key = line.until(&['：', ':']).trim_end();
        if line.next().is_none() || key.is_empty() {
            return Err(start.error(RecordReason::UnknownLine));
        }
        line.skip_spaces();
        if key == TITLE {
            self.title = Some(title(line));
            return Ok(());
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| key.strip_prefix(name) == Some(HAND)) {
                *self.drawn.hand_mut(colour) = board::read_hand::<R>(&mut line)?;
                return Ok(());
            }
        }
        self.headers.push((key.into(), line.rest().trim_end().into()));
        Ok(())
    }

    /// The record of which this was the opening, which takes what has been read.
    fn close(
        &mut self,
        error: &dyn Fn(RecordReason) -> RecordError,
    ) -> Result<Record<R>, RecordError> {
        let placement = if self.ranks > 0 {
            if self.ranks < R::Geometry::HEIGHT {
                return Err(error(RecordReason::Missing("a rank of the board diagram")));
            }
            self.drawn.set_side(self.side.unwrap_or(Colour::Sente));
            self.drawn
        } else if !Colour::ALL.into_iter().all(|colour| self.drawn.hand(colour).is_empty()) {
            return Err(error(RecordReason::Missing("the board diagram")));
        } else {
            match self.title.take() {
                Some(named) => named?,
                None => from_sfen(R::START).map_err(|e| error(RecordReason::Sfen(e.reason)))?,
            }
        };
        let start = start(placement).map_err(|e| error(RecordReason::Start(e.faults)))?;
        Ok(Record {
            headers: core::mem::take(&mut self.headers),
            comments: core::mem::take(&mut self.comments),
            ..Record::new(start)
        })
    }
}

const fn is_wide(character: char) -> bool {
    matches!(character, '１'..='９')
}

fn from_sfen<R: Recorded>(sfen: &str) -> Result<Placement<R>, SfenError> {
    Ok(parse_sfen(sfen)?.0)
}

/// The start that 手合割 names.
fn title<R: Recorded>(line: Cursor) -> Result<Placement<R>, RecordError> {
    let title = line.rest().trim_end();
    if title == OTHER {
        return Err(line.error(RecordReason::Missing("the board diagram")));
    }
    let handicap = R::HANDICAPS.iter().find(|(name, _)| *name == title).map(|&(_, sfen)| sfen);
    let sfen = handicap.or_else(|| R::TITLES.contains(&title).then_some(R::START));
    let sfen = sfen.ok_or_else(|| line.error(RecordReason::UnknownStart(title.into())))?;
    from_sfen(sfen).map_err(|error| line.error(RecordReason::Sfen(error.reason)))
}

/// Writes the start, the headers and the comments before the first move; `separator` is a line
/// between the last two.
pub(super) fn write_opening<R: Recorded>(
    record: &Record<R>,
    separator: &str,
    out: &mut String,
) -> Result<(), WriteError> {
    out.push_str(TITLE);
    out.push('：');
    let is_start = |sfen: &str| from_sfen::<R>(sfen).is_ok_and(|p| p == *record.start.placement());
    let own = R::TITLES.first().copied().unwrap_or(OTHER);
    let title = match handicap(record) {
        Some(name) => Some(name),
        None => is_start(R::START).then_some(own),
    };
    // On the 9x9 board no title is of use with a diagram; elsewhere it tells the variant.
    out.push_str(title.unwrap_or(if R::HANDICAPS.is_empty() { own } else { OTHER }));
    out.push('\n');
    if title.is_none() {
        board::write(record.start.placement(), out);
    }
    for (key, value) in &record.headers {
        if !is_header(key) || value.contains('\n') {
            return Err(WriteError::Header(key.clone()));
        }
        out.extend([key, "：", value, "\n"]);
    }
    out.push_str(separator);
    write_comments(&record.comments, out);
    Ok(())
}

/// The handicap that a record starts with.
fn handicap<R: Recorded>(record: &Record<R>) -> Option<&'static str> {
    let start = record.start.placement();
    let found = R::HANDICAPS.iter().find(|(_, sfen)| from_sfen(sfen).is_ok_and(|p| p == *start));
    found.map(|&(name, _)| name)
}

/// Whether a key is read back as the key of a header, also where the format is told from the text: a
/// line that begins with `P1` or `startpos` would make it another one.
fn is_header(key: &str) -> bool {
    let other = OTHER_LINES.iter().any(|start| key.starts_with(start))
        || key.starts_with(|c: char| c.is_ascii_digit());
    let own =
        key == TITLE || SENTE.iter().chain(&GOTE).any(|name| key.strip_prefix(name) == Some(HAND));
    let detected = || Format::detect(&format!("{key}：")) == Some(Format::Kif);
    let is_plain = !key.is_empty() && key.trim() == key && !key.contains(['\n', ':', '：']);
    is_plain && !other && !own && detected()
}

/// Writes comments, each on its own line.
pub(super) fn write_comments(comments: &[String], out: &mut String) {
    for line in comments.iter().flat_map(|comment| comment.split('\n')) {
        out.extend(["*", line, "\n"]);
    }
}

/// What the players are called, Sente first: otherwise where there is a handicap.
pub(super) fn players<R: Recorded>(record: &Record<R>) -> [&'static str; 2] {
    let which = usize::from(handicap(record).is_some());
    [SENTE[which], GOTE[which]]
}

/// The player whose name the text begins with.
pub(super) fn player(text: &str) -> Option<Colour> {
    if SENTE.iter().any(|name| text.starts_with(name)) {
        return Some(Colour::Sente);
    }
    GOTE.iter().any(|name| text.starts_with(name)).then_some(Colour::Gote)
}

/// The mark that moves of a player begin with.
pub(super) const fn mark(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => SENTE_MARKS[0],
        Colour::Gote => GOTE_MARKS[0],
    }
}

/// Whether the text begins with the mark of a move.
pub(super) fn starts_with_mark(text: &str) -> bool {
    SENTE_MARKS.iter().chain(&GOTE_MARKS).any(|mark| text.starts_with(mark))
}

/// Reads the mark of the player to move, if there is one.
pub(super) fn read_mark<R: Recorded>(
    record: &Record<R>,
    cursor: &mut Cursor,
) -> Result<(), RecordError> {
    let start = *cursor;
    for (colour, marks) in [(Colour::Sente, SENTE_MARKS), (Colour::Gote, GOTE_MARKS)] {
        if marks.iter().any(|mark| cursor.eat(mark)) && colour != record.last.side() {
            return Err(start.error(RecordReason::WrongSide));
        }
    }
    Ok(())
}

/// Reads the target of a move: a square, or 同 for that of the move before.
pub(super) fn read_target<R: Recorded>(
    record: &Record<R>,
    cursor: &mut Cursor,
) -> Result<Square<R::Geometry>, RecordError> {
    let start = *cursor;
    if !cursor.eat("同") {
        return read_square(cursor);
    }
    cursor.skip_spaces();
    record.last_target().ok_or_else(|| start.error(RecordReason::NothingBefore))
}

/// Writes the target of a move.
pub(super) fn write_target<R: Recorded>(
    last: Option<Square<R::Geometry>>,
    to: Square<R::Geometry>,
    out: &mut String,
) {
    if last == Some(to) {
        out.push_str("同　");
    } else {
        super::names::write_square(to, out);
    }
}

/// Reads 成 or 不成, if there is one.
pub(super) fn read_turn(cursor: &mut Cursor) -> Option<bool> {
    if cursor.eat("不成") {
        return Some(false);
    }
    cursor.eat("成").then_some(true)
}

/// Whether a move turns the piece over: as the record says or, where it says nothing, not unless
/// the variant leaves no choice.
pub(super) fn turns<R: Recorded>(
    record: &Record<R>,
    from: Square<R::Geometry>,
    to: Square<R::Geometry>,
    said: Option<bool>,
) -> bool {
    said.unwrap_or_else(|| {
        let turned = Move::Board { from, to, turn: true };
        R::PROMOTION != Promotion::Optional && record.last.is_legal(turned)
    })
}

/// Adds a move that was read at the cursor.
pub(super) fn push<'r, R: Recorded>(
    record: &'r mut Record<R>,
    mv: Move<R>,
    at: Cursor,
) -> Result<&'r mut RecordMove<R>, RecordError> {
    if record.ending.is_some() {
        return Err(at.error(RecordReason::AfterEnd));
    }
    record.push(mv).map_err(|error| at.error(RecordReason::of_push(mv, error)))
}
