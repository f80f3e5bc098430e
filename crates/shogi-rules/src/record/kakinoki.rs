//! What KIF and KI2 share: headers, the start, comments, and how a move begins.
//!
//! The lines before the moves come in any order. The start is a diagram if there is one, else what
//! 手合割 names, else the variant's own.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Promotion};

use super::any::{AnyRecord, Reading};
use super::cursor::{Cursor, error_at_end, lines};
use super::error::{RecordError, RecordReason, WriteError};
use super::names::Vocabulary;
use super::{Format, board};
use crate::plain::{AnyMove, AnyPlacement, AnySquare};
use crate::sfen;

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
struct Opening<'v> {
    vocabulary: &'v Vocabulary,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// The start that 手合割 names, or why there is none.
    title: Option<Result<AnyPlacement, RecordError>>,
    /// Board and hands as drawn.
    drawn: AnyPlacement,
    /// How many ranks of the board have been drawn.
    ranks: u8,
    side: Option<Colour>,
}

/// Lines with moves or the end of the game.
pub(super) struct Play {
    /// Whether a line is one of them.
    pub(super) is_play: fn(&str) -> bool,
    /// Reads one of them.
    pub(super) read: fn(&mut dyn AnyRecord, &Vocabulary, Cursor) -> Result<(), RecordError>,
}

/// Reads a record.
pub(super) fn read(
    text: &str,
    vocabulary: &Vocabulary,
    play: &Play,
    reading: &mut dyn Reading,
) -> Result<(), RecordError> {
    let mut opening = Opening::new(vocabulary);
    let mut is_empty = true;
    for mut line in lines(text) {
        line.skip_spaces();
        let rest = line.rest();
        if rest.is_empty() || rest.starts_with(['#', '&']) {
            continue;
        }
        is_empty = false;
        if let Some(comment) = rest.strip_prefix('*') {
            let comments = match reading.record() {
                Some(record) => record.latest().0,
                None => &mut opening.comments,
            };
            comments.push(comment.into());
        } else if (play.is_play)(rest) {
            if reading.record().is_none() {
                opening.close(reading, &|reason| line.error(reason))?;
            }
            if let Some(record) = reading.record() {
                (play.read)(record, vocabulary, line)?;
            }
        } else if reading.record().is_some() && rest.starts_with("変化") {
            // Only variations of the game follow.
            break;
        } else if rest.starts_with("変化") || rest.starts_with("まで") || rest.starts_with("手数")
        {
            continue;
        } else if reading.record().is_some() {
            return Err(line.error(RecordReason::UnknownLine));
        } else {
            opening.read(line)?;
        }
    }
    if is_empty {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    if reading.record().is_none() {
        opening.close(reading, &|reason| error_at_end(text, reason))?;
    }
    Ok(())
}

impl<'v> Opening<'v> {
    fn new(vocabulary: &'v Vocabulary) -> Self {
        Self {
            vocabulary,
            headers: Vec::new(),
            comments: Vec::new(),
            title: None,
            drawn: vocabulary.notation.empty(),
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
            if self.ranks >= self.vocabulary.notation.height {
                return Err(line.error(RecordReason::OffBoard));
            }
            board::read_rank(&mut line, self.ranks, self.vocabulary, &mut self.drawn)?;
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
            self.title = Some(title(line, self.vocabulary));
            return Ok(());
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| key.strip_prefix(name) == Some(HAND)) {
                self.drawn.hands[colour.index()] = board::read_hand(&mut line, self.vocabulary)?;
                return Ok(());
            }
        }
        self.headers.push((key.into(), line.rest().trim_end().into()));
        Ok(())
    }

    /// Begins the record of which this was the opening, which takes what has been read.
    fn close(
        &mut self,
        reading: &mut dyn Reading,
        error: &dyn Fn(RecordReason) -> RecordError,
    ) -> Result<(), RecordError> {
        let start = if self.ranks > 0 {
            if self.ranks < self.vocabulary.notation.height {
                return Err(error(RecordReason::Missing("a rank of the board diagram")));
            }
            self.drawn.side = self.side.unwrap_or(Colour::Sente);
            self.drawn.clone()
        } else if !self.drawn.hands.iter().all(|hand| hand.is_empty()) {
            return Err(error(RecordReason::Missing("the board diagram")));
        } else {
            match self.title.take() {
                Some(named) => named?,
                None => {
                    let own = sfen::read(self.vocabulary.start, self.vocabulary.notation);
                    own.map_err(|e| error(RecordReason::Sfen(e.reason)))?.0
                }
            }
        };
        let record = reading.begin(&start).map_err(|faults| error(RecordReason::Start(faults)))?;
        record.set_headers(core::mem::take(&mut self.headers));
        record.set_comments(core::mem::take(&mut self.comments));
        Ok(())
    }
}

const fn is_wide(character: char) -> bool {
    matches!(character, '１'..='９')
}

/// The start that 手合割 names.
fn title(line: Cursor, vocabulary: &Vocabulary) -> Result<AnyPlacement, RecordError> {
    let title = line.rest().trim_end();
    if title == OTHER {
        return Err(line.error(RecordReason::Missing("the board diagram")));
    }
    let handicap = vocabulary.handicaps.iter().find(|(name, _)| *name == title);
    let own = || vocabulary.titles.contains(&title).then_some(vocabulary.start);
    let text = handicap.map(|&(_, sfen)| sfen).or_else(own);
    let text = text.ok_or_else(|| line.error(RecordReason::UnknownStart(title.into())))?;
    let read = sfen::read(text, vocabulary.notation);
    Ok(read.map_err(|error| line.error(RecordReason::Sfen(error.reason)))?.0)
}

/// Writes the start, the headers and the comments before the first move; `separator` is a line
/// between the last two.
pub(super) fn write_opening(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
    separator: &str,
    out: &mut String,
) -> Result<(), WriteError> {
    out.push_str(TITLE);
    out.push('：');
    let start = record.start();
    let own = vocabulary.titles.first().copied().unwrap_or(OTHER);
    let title = match handicap(&start, vocabulary) {
        Some(name) => Some(name),
        None => vocabulary.is_sfen_of(vocabulary.start, &start).then_some(own),
    };
    // On the 9x9 board no title is of use with a diagram; elsewhere it tells the variant.
    out.push_str(title.unwrap_or(if vocabulary.handicaps.is_empty() { own } else { OTHER }));
    out.push('\n');
    if title.is_none() {
        board::write(&start, vocabulary, out);
    }
    for (key, value) in record.headers() {
        if !is_header(key) || value.contains('\n') {
            return Err(WriteError::Header(key.clone()));
        }
        out.extend([key, "：", value, "\n"]);
    }
    out.push_str(separator);
    write_comments(record.comments(), out);
    Ok(())
}

/// The handicap of a start.
fn handicap(start: &AnyPlacement, vocabulary: &Vocabulary) -> Option<&'static str> {
    let found = vocabulary.handicaps.iter().find(|(_, sfen)| vocabulary.is_sfen_of(sfen, start));
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
pub(super) fn players(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> [&'static str; 2] {
    let which = usize::from(handicap(&record.start(), vocabulary).is_some());
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
pub(super) fn read_mark(record: &dyn AnyRecord, cursor: &mut Cursor) -> Result<(), RecordError> {
    let start = *cursor;
    for (colour, marks) in [(Colour::Sente, SENTE_MARKS), (Colour::Gote, GOTE_MARKS)] {
        if marks.iter().any(|mark| cursor.eat(mark)) && colour != record.last().side() {
            return Err(start.error(RecordReason::WrongSide));
        }
    }
    Ok(())
}

/// Reads the target of a move: a square, or 同 for that of the move before.
pub(super) fn read_target(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
    cursor: &mut Cursor,
) -> Result<AnySquare, RecordError> {
    let start = *cursor;
    if !cursor.eat("同") {
        return vocabulary.read_square(cursor);
    }
    cursor.skip_spaces();
    record.last_target().ok_or_else(|| start.error(RecordReason::NothingBefore))
}

/// Writes the target of a move.
pub(super) fn write_target(last: Option<AnySquare>, to: AnySquare, out: &mut String) {
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
pub(super) fn turns(
    record: &dyn AnyRecord,
    vocabulary: &Vocabulary,
    from: AnySquare,
    to: AnySquare,
    said: Option<bool>,
) -> bool {
    said.unwrap_or_else(|| {
        let turned = AnyMove::Board { from, to, turn: true };
        vocabulary.notation.promotion != Promotion::Optional && record.last().is_legal(turned)
    })
}

/// Adds a move that was read at the cursor.
pub(super) fn push(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    mv: AnyMove,
    at: Cursor,
) -> Result<(), RecordError> {
    if record.ending().is_some() {
        return Err(at.error(RecordReason::AfterEnd));
    }
    record.push(mv).map_err(|error| at.error(RecordReason::of_push(mv, error, vocabulary)))
}
