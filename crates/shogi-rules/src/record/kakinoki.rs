//! What KIF and KI2 share: headers, the start, comments, variations, and how a move begins.
//!
//! The lines before the moves come in any order. The start is a diagram if there is one, else what
//! 手合割 names, else the variant's own.
//!
//! Another game begins with another 手合割. Where the game before has no moves, that is so only if its lines
//! stand in the order in which they are written, with 手合割 first: in any other, lines above 手合割 may be of
//! either game, and the text is refused.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Promotion};

use super::any::{AnyPosition, AnyRecord, Notes};
use super::builder::{Builder, ErrorHere};
use super::cursor::{Cursor, error_at_end, lines, split_lines};
use super::error::{RecordError, RecordReason};
use super::growing::NotesMut;
use super::names::Vocabulary;
use super::{Format, board};
use crate::plain::{AnyMove, AnyPlacement, AnySquare};
use crate::sfen;

pub(super) const TITLE: &str = "手合割";
/// The title of a start that has no name.
const OTHER: &str = "その他";
const COLONS: [char; 2] = ['：', ':'];
const SENTE: [&str; 2] = ["先手", "下手"];
const GOTE: [&str; 2] = ["後手", "上手"];
const HAND: &str = "の持駒";
const TO_MOVE: &str = "番";
/// A header without a value: the board is shown from the other side.
const ROTATED: &str = "盤面回転";
/// The number of moves, a header where a colon follows.
const MOVES: &str = "手数";
const VARIATION: &str = "変化";
/// What lines begin with that are no headers, apart from digits.
const OTHER_LINES: [&str; 13] = [
    "#",
    "&",
    "*",
    "|",
    "+",
    "まで",
    VARIATION,
    SENTE_MARKS[0],
    SENTE_MARKS[1],
    SENTE_MARKS[2],
    GOTE_MARKS[0],
    GOTE_MARKS[1],
    GOTE_MARKS[2],
];
const SENTE_MARKS: [&str; 3] = ["▲", "☗", "▼"];
const GOTE_MARKS: [&str; 3] = ["△", "☖", "▽"];

/// The lines before the moves, in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Title,
    Diagram,
    Header,
    /// Comments and bookmarks, and the line that stands before them.
    Notes,
}

/// What has been read of the lines before the moves.
struct Opening<'v> {
    vocabulary: &'v Vocabulary,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    bookmarks: Vec<String>,
    /// The start that 手合割 names, or why there is none, and its words.
    title: Option<(Result<AnyPlacement, RecordError>, String)>,
    /// Board and hands as drawn.
    drawn: AnyPlacement,
    /// How many ranks of the board have been drawn.
    ranks: u8,
    side: Option<Colour>,
    /// What each line has been.
    parts: Vec<Part>,
    /// Whether the moves have begun.
    is_closed: bool,
}

/// Lines with moves or the end of the game.
pub(super) struct Play {
    /// The format whose lines they are.
    pub(super) format: Format,
    /// Whether a line is one of them.
    pub(super) is_play: fn(&str) -> bool,
    /// Reads one of them.
    pub(super) read: fn(&mut Builder, Cursor) -> Result<(), RecordError>,
}

/// Reads the records of a text.
pub(super) fn read(text: &str, play: &Play, builder: &mut Builder) -> Result<(), RecordError> {
    if !builder.vocabulary.is_of_digits() {
        return Err(Cursor::new(1, "").error(RecordReason::NotForVariant(play.format)));
    }
    let mut opening = Opening::new(builder.vocabulary);
    let mut is_empty = true;
    for mut line in lines(text) {
        line.skip_spaces();
        let rest = line.rest();
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        is_empty = false;
        if let Some(comment) = rest.strip_prefix('*') {
            opening.notes(builder).comments.push(comment.into());
        } else if let Some(bookmark) = rest.strip_prefix('&') {
            opening.notes(builder).bookmarks.push(bookmark.into());
        } else if rest.starts_with(VARIATION) {
            opening.close(builder, &|reason| line.error(reason))?;
            begin_variation(builder, line)?;
        } else if (play.is_play)(rest) {
            opening.close(builder, &|reason| line.error(reason))?;
            (play.read)(builder, line)?;
        } else if is_separator(rest) {
            opening.parts.push(Part::Notes);
        } else if opening.is_followed_by(line)? {
            opening.close(builder, &|reason| line.error(reason))?;
            builder.finish();
            opening = Opening::new(builder.vocabulary);
            opening.read(line)?;
        } else if !opening.is_closed {
            opening.read(line)?;
        } else {
            return Err(line.error(RecordReason::UnknownLine));
        }
    }
    if is_empty {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    opening.close(builder, &|reason| error_at_end(text, reason))
}

/// Whether a line stands between headers and moves: `手数----指手---------消費時間--`. In diagrams
/// 手数＝ is the place in a game.
fn is_separator(line: &str) -> bool {
    line.strip_prefix(MOVES).is_some_and(|rest| rest.starts_with(['-', '=', '＝', '－', '―']))
}

/// Reads the line that begins a variation: 変化：, the number of its first move, 手.
fn begin_variation(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    line.eat(VARIATION);
    line.eat_one_of(&COLONS);
    line.skip_spaces();
    let at = line;
    let number = line.number().ok_or_else(|| at.expected("the number of a move"))?;
    builder.branch_at(number as usize, at)
}

impl<'v> Opening<'v> {
    fn new(vocabulary: &'v Vocabulary) -> Self {
        Self {
            vocabulary,
            headers: Vec::new(),
            comments: Vec::new(),
            bookmarks: Vec::new(),
            title: None,
            drawn: vocabulary.notation.empty(),
            ranks: 0,
            side: None,
            parts: Vec::new(),
            is_closed: false,
        }
    }

    /// Where comments and bookmarks go: to what came last, or, before the moves, to the record.
    fn notes<'n>(&'n mut self, builder: &'n mut Builder) -> NotesMut<'n> {
        if self.is_closed {
            if let Some(notes) = builder.latest() {
                return notes;
            }
        }
        self.parts.push(Part::Notes);
        NotesMut { comments: &mut self.comments, bookmarks: &mut self.bookmarks, seconds: None }
    }

    /// Whether another game begins with this line.
    fn is_followed_by(&self, line: Cursor) -> Result<bool, RecordError> {
        let behind = line.rest().strip_prefix(TITLE).map(str::trim_start);
        let is_title = behind.is_some_and(|behind| behind.starts_with(COLONS));
        if !is_title || !(self.is_closed || self.title.is_some()) {
            return Ok(false);
        }
        let is_named =
            matches!(self.title, Some((Ok(_), _))) && !self.vocabulary.handicaps.is_empty();
        let is_drawn_too = is_named && self.parts.contains(&Part::Diagram);
        let is_in_order = self.parts.first() == Some(&Part::Title) && self.parts.is_sorted();
        if self.is_closed || (is_in_order && !is_drawn_too) {
            Ok(true)
        } else {
            Err(line.error(RecordReason::UnclearBeginning))
        }
    }

    /// Reads a line that is neither move nor comment.
    fn read(&mut self, line: Cursor) -> Result<(), RecordError> {
        let part = self.read_part(line)?;
        self.parts.push(part);
        Ok(())
    }

    fn read_part(&mut self, mut line: Cursor) -> Result<Part, RecordError> {
        let rest = line.rest().trim_end();
        let is_frame =
            rest.starts_with("+-") || rest.chars().all(|c| c.is_whitespace() || is_wide(c));
        if is_frame {
            return Ok(Part::Diagram);
        }
        if line.eat("|") {
            if self.ranks >= self.vocabulary.notation.height {
                return Err(line.error(RecordReason::OffBoard));
            }
            board::read_rank(&mut line, self.ranks, self.vocabulary, &mut self.drawn)?;
            self.ranks += 1;
            return Ok(Part::Diagram);
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| rest.strip_prefix(name) == Some(TO_MOVE)) {
                self.side = Some(colour);
                return Ok(Part::Diagram);
            }
        }
        if rest == ROTATED {
            self.headers.push((ROTATED.into(), String::new()));
            return Ok(Part::Header);
        }
        let start = line;
        let key = line.until(&COLONS).trim_end();
        if line.next().is_none() || key.is_empty() {
            return Err(start.error(RecordReason::UnknownLine));
        }
        line.skip_spaces();
        if key == TITLE {
            let words = line.rest().trim_end().to_owned();
            self.title = Some((title(line, self.vocabulary), words));
            return Ok(Part::Title);
        }
        for (colour, names) in [(Colour::Sente, SENTE), (Colour::Gote, GOTE)] {
            if names.iter().any(|name| key.strip_prefix(name) == Some(HAND)) {
                self.drawn.hands[colour.index()] = board::read_hand(&mut line, self.vocabulary)?;
                return Ok(Part::Diagram);
            }
        }
        self.headers.push((key.into(), line.rest().trim_end().into()));
        Ok(Part::Header)
    }

    /// Begins the record of which this was the opening, which takes what has been read, unless that has
    /// been done.
    fn close(&mut self, builder: &mut Builder, error: ErrorHere) -> Result<(), RecordError> {
        if self.is_closed {
            return Ok(());
        }
        let start = self.start(error)?;
        builder.begin(&start).map_err(|faults| error(RecordReason::Start(faults)))?;
        builder.set_headers(core::mem::take(&mut self.headers));
        if let Some(notes) = builder.latest() {
            *notes.comments = core::mem::take(&mut self.comments);
            *notes.bookmarks = core::mem::take(&mut self.bookmarks);
        }
        self.is_closed = true;
        Ok(())
    }

    /// The start position.
    fn start(&mut self, error: ErrorHere) -> Result<AnyPlacement, RecordError> {
        if self.ranks > 0 {
            if self.ranks < self.vocabulary.notation.height {
                return Err(error(RecordReason::Missing("a rank of the board diagram")));
            }
            // What else the record calls the start, such as 詰将棋, says something of it.
            if let Some((Err(_), words)) = self.title.take().filter(|(_, words)| words != OTHER) {
                self.headers.insert(0, (TITLE.into(), words));
            }
            self.drawn.side = self.side.unwrap_or(Colour::Sente);
            return Ok(self.drawn.clone());
        }
        if !self.drawn.hands.iter().all(|hand| hand.is_empty()) {
            return Err(error(RecordReason::Missing("the board diagram")));
        }
        match self.title.take() {
            Some((named, _)) => named,
            None => {
                let own = sfen::read(self.vocabulary.start, self.vocabulary.notation);
                Ok(own.map_err(|e| error(RecordReason::Sfen(e.reason)))?.0)
            }
        }
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
) {
    let start = record.start();
    let own = vocabulary.titles.first().copied().unwrap_or(OTHER);
    let title = match handicap(&start, vocabulary) {
        Some(name) => Some(name),
        None => vocabulary.is_sfen_of(vocabulary.start, &start).then_some(own),
    };
    // On the 9x9 board no title is of use with a diagram; elsewhere it names the variant.
    let drawn = if vocabulary.handicaps.is_empty() { own } else { OTHER };
    let named = record
        .headers()
        .iter()
        .find(|(key, value)| key == TITLE && title.is_none() && is_title(value, vocabulary));
    let words = named.map_or(drawn, |(_, value)| value);
    out.extend([TITLE, "：", title.unwrap_or(words), "\n"]);
    if title.is_none() {
        board::write(&start, vocabulary, out);
    }
    for header in record.headers().iter().filter(|header| is_header(header)) {
        match header {
            (key, _) if key == ROTATED => out.extend([key, "\n"]),
            (key, value) => out.extend([key, "：", value, "\n"]),
        }
    }
    out.push_str(separator);
    write_notes(record.notes(), out);
}

/// Whether a header that calls the start something is read back, above a diagram.
fn is_title(words: &str, vocabulary: &Vocabulary) -> bool {
    let is_known = words == OTHER
        || vocabulary.titles.contains(&words)
        || vocabulary.handicaps.iter().any(|(name, _)| *name == words);
    !words.is_empty() && words.trim() == words && !words.contains(['\n', '\r']) && !is_known
}

/// How many headers are not written.
pub(super) fn headers_left_out(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> usize {
    let start = record.start();
    let is_drawn =
        handicap(&start, vocabulary).is_none() && !vocabulary.is_sfen_of(vocabulary.start, &start);
    let mut titles = usize::from(is_drawn);
    let mut left_out = 0;
    for header in record.headers() {
        if header.0 == TITLE && is_title(&header.1, vocabulary) && titles > 0 {
            titles -= 1;
        } else if !is_header(header) {
            left_out += 1;
        }
    }
    left_out
}

/// The handicap of a start.
fn handicap(start: &AnyPlacement, vocabulary: &Vocabulary) -> Option<&'static str> {
    let found = vocabulary.handicaps.iter().find(|(_, sfen)| vocabulary.is_sfen_of(sfen, start));
    found.map(|&(name, _)| name)
}

/// Whether a header is read back as one, also where the format is recognised from the text: a line that
/// begins with `P1` or `startpos` would make it another one.
fn is_header((key, value): &(String, String)) -> bool {
    if key == ROTATED {
        return value.is_empty();
    }
    let other = OTHER_LINES.iter().any(|start| key.starts_with(start))
        || is_separator(key)
        || key.starts_with(|c: char| c.is_ascii_digit());
    let own =
        key == TITLE || SENTE.iter().chain(&GOTE).any(|name| key.strip_prefix(name) == Some(HAND));
    let detected = || Format::detect(&format!("{key}：")) == Some(Format::Kif);
    let is_plain = !key.is_empty()
        && key.trim() == key
        && !key.contains(['\n', '\r', ':', '：'])
        && !value.contains(['\n', '\r']);
    is_plain && !other && !own && detected()
}

/// Writes bookmarks and comments, each on its own line.
pub(super) fn write_notes(notes: Notes, out: &mut String) {
    for (mark, lines) in [("*", notes.comments), ("&", notes.bookmarks)] {
        for text in lines {
            // An empty text is a line as well.
            let mut written = split_lines(text).peekable();
            if written.peek().is_none() {
                out.extend([mark, "\n"]);
            }
            for line in written {
                out.extend([mark, line, "\n"]);
            }
        }
    }
}

/// Whether a move that may be illegal is one of a piece of the player to move, which can be named.
pub(super) fn is_named(position: &dyn AnyPosition, mv: AnyMove) -> bool {
    match mv {
        AnyMove::Board { from, .. } => {
            position.piece(from).is_some_and(|piece| piece.colour == position.side())
        }
        AnyMove::Drop { .. } => true,
    }
}

/// Writes the line that begins a variation.
pub(super) fn write_variation(before: usize, out: &mut String) {
    out.push_str(&format!("\n{VARIATION}：{}手\n", before + 1));
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

/// Whether the text begins as a move does: with a mark, 同 or the file of a square.
pub(super) fn starts_as_move(text: &str) -> bool {
    let is_digit = |c: char| super::names::digit(c).is_some();
    starts_with_mark(text) || text.starts_with('同') || text.starts_with(is_digit)
}

/// Reads the mark of the player to move, if there is one.
pub(super) fn read_mark(builder: &Builder, cursor: &mut Cursor) -> Result<(), RecordError> {
    let start = *cursor;
    for (colour, marks) in [(Colour::Sente, SENTE_MARKS), (Colour::Gote, GOTE_MARKS)] {
        if marks.iter().any(|mark| cursor.eat(mark)) && colour != builder.to_move() {
            return Err(start.error(RecordReason::WrongSide));
        }
    }
    Ok(())
}

/// Reads the target of a move: a square, or 同 for that of the move before.
pub(super) fn read_target(
    builder: &Builder,
    cursor: &mut Cursor,
) -> Result<AnySquare, RecordError> {
    let start = *cursor;
    if !cursor.eat("同") {
        return builder.vocabulary.read_square(cursor);
    }
    cursor.skip_spaces();
    builder.last_target().ok_or_else(|| start.error(RecordReason::NothingBefore))
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
    position: &dyn AnyPosition,
    vocabulary: &Vocabulary,
    from: AnySquare,
    to: AnySquare,
    said: Option<bool>,
) -> bool {
    said.unwrap_or_else(|| {
        let turned = AnyMove::Board { from, to, turn: true };
        vocabulary.notation.promotion != Promotion::Optional && position.is_legal(turned)
    })
}
