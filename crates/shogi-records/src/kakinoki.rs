//! The parts that KIF and KI2 share: headers, the start, comments, variations, and the beginning of a move.
//!
//! The lines before the moves may have any order. The start is a diagram if there is one, else the start that
//! 手合割 names, else the variant's own. In a diagram a line such as 後手番 says who moves first, else the first
//! move, by its mark or the piece that it moves; else 手合割, since 上手 begins with a handicap; else Sente begins.
//!
//! Once the moves have begun, an unknown line is kept as a comment on the move or end before it.
//!
//! Another 手合割 begins another game. If the game before it has no moves, its lines must have the order in which
//! they are written, with 手合割 first: otherwise lines above the second 手合割 could belong to either game, and the
//! text is refused.

use alloc::format;
use alloc::string::String;

use shogi_core::{Colour, Promotion};

use super::any::{AnyPosition, AnyRecord, Notes};
use super::builder::Builder;
use super::cursor::{Cursor, error_at_end, lines, split_lines};
use super::error::{RecordError, RecordReason};
use super::names::Vocabulary;
use super::notice::NoticeReason;
use super::opening::{Opening, Part};
use super::{Format, board, summary};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};

pub(super) const TITLE: &str = "手合割";
/// The title of a start without a name.
pub(super) const OTHER: &str = "その他";
pub(super) const COLONS: [char; 2] = ['：', ':'];
pub(super) const SENTE: [&str; 2] = ["先手", "下手"];
pub(super) const GOTE: [&str; 2] = ["後手", "上手"];
pub(super) const HAND: &str = "の持駒";
/// A header without a value, which says that the board is shown from the other side.
pub(super) const ROTATED: &str = "盤面回転";
/// The number of moves; a header if a colon follows.
const MOVES: &str = "手数";
const VARIATION: &str = "変化";
/// Beginnings, apart from digits, of lines that are not headers.
const OTHER_LINES: [&str; 13] = [
    "#",
    "&",
    "*",
    "|",
    "+",
    summary::BEGINNING,
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

/// How a format reads lines with moves.
pub(super) struct Play {
    /// The format.
    pub(super) format: Format,
    /// Whether a line is such a line.
    pub(super) has_moves: fn(&str) -> bool,
    /// The player of the first move on a line with moves or the end, if this shows without the side to move of the start.
    pub(super) player_of: fn(&str, &AnyPlacement, &Vocabulary) -> Option<Colour>,
    /// Reads such a line.
    pub(super) read: fn(&mut Builder, Cursor) -> Result<(), RecordError>,
}

/// Reads the records of a text.
pub(super) fn read(text: &str, play: &Play, builder: &mut Builder) -> Result<(), RecordError> {
    if !builder.vocabulary.is_of_digits() {
        return Err(Cursor::new(1, "").error(RecordReason::NotForVariant(play.format)));
    }
    let mut opening = Opening::new(builder.vocabulary);
    let mut damaged = None;
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
            damaged = None;
            begin_variation(builder, line)?;
        } else if is_play(play, rest) && !is_text_behind_end(rest, builder) {
            if !opening.is_closed {
                opening.first_mover = (play.player_of)(rest, &opening.drawn, builder.vocabulary);
            }
            opening.close(builder, &|reason| line.error(reason))?;
            // A result may follow any line.
            damaged.take().filter(|_| !rest.starts_with(summary::BEGINNING)).map_or(Ok(()), Err)?;
            read_play(play, builder, line, &opening)?;
        } else if is_separator(rest) {
            opening.parts.push(Part::Notes);
        } else if opening.is_followed_by(line)? {
            opening.close(builder, &|reason| line.error(reason))?;
            builder.finish();
            damaged = None;
            opening = Opening::new(builder.vocabulary);
            opening.read(line)?;
        } else if !opening.is_closed {
            opening.read(line)?;
        } else {
            if has_mark(rest) {
                // The line may hold moves that begin with a slip, which other moves must not follow.
                damaged = damaged.or_else(|| Some(line.error(RecordReason::UnknownLine)));
            }
            builder.free_text(line);
        }
    }
    if is_empty {
        return Err(error_at_end(text, RecordReason::Missing("a record")));
    }
    opening.close(builder, &|reason| error_at_end(text, reason))
}

/// Whether a line has moves or the end.
fn is_play(play: &Play, line: &str) -> bool {
    (play.has_moves)(line) || line.starts_with(summary::BEGINNING)
}

/// Reads a line with moves or the end.
fn read_play(
    play: &Play,
    builder: &mut Builder,
    line: Cursor,
    opening: &Opening,
) -> Result<(), RecordError> {
    let is_first = builder.is_untouched();
    if line.rest().starts_with(summary::BEGINNING) {
        summary::read(builder, line);
    } else {
        (play.read)(builder, line)?;
    }
    let number = builder.first_number();
    if is_first && number != 1 && opening.ranks == 0 {
        builder.notice(&|reason| line.error(reason), NoticeReason::Numbers(number));
    }
    Ok(())
}

/// Whether a line separates headers and moves: `手数----指手---------消費時間--`. In diagrams 手数＝ is the place in a
/// game.
fn is_separator(line: &str) -> bool {
    line.strip_prefix(MOVES).is_some_and(|rest| rest.starts_with(['-', '=', '＝', '－', '―']))
}

/// Whether a line after the end begins with a player's mark, but not like a move.
fn is_text_behind_end(line: &str, builder: &Builder) -> bool {
    let behind = line.trim_start_matches(|c: char| mark_in(c.encode_utf8(&mut [0; 4])).is_some());
    builder.is_ended() && behind.len() < line.len() && !starts_as_move(behind)
}

/// Reads the first line of a variation: 変化：, the number of its first move, 手.
fn begin_variation(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    line.eat(VARIATION);
    line.eat_one_of(&COLONS);
    line.skip_spaces();
    let at = line;
    let number = line.number().ok_or_else(|| at.expected("the number of a move"))?;
    builder.branch_at(number as usize, at)
}

/// Writes the start, the headers and the comments before the first move; the line `separator` is written
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
    // On the 9x9 board a title is useless with a diagram; elsewhere it names the variant.
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

/// Whether a header with a title of the start is read back when it stands above a diagram.
fn is_title(words: &str, vocabulary: &Vocabulary) -> bool {
    let is_known = words == OTHER
        || vocabulary.titles.contains(&words)
        || vocabulary.handicaps.iter().any(|(name, _)| *name == words);
    !words.is_empty() && words.trim() == words && !words.contains(['\n', '\r']) && !is_known
}

/// The number of headers that are not written.
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

/// Whether a written header would be read back as one, also when the format is guessed: a line that begins with
/// `P1` or `startpos` would suggest another format.
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

/// Writes bookmarks and comments, each on a line.
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

/// Whether a move, legal or not, moves a piece of the player to move, and so can be written.
pub(super) fn is_named(position: &dyn AnyPosition, mv: AnyMove) -> bool {
    match mv {
        AnyMove::Board { from, .. } => {
            position.piece(from).is_some_and(|piece| piece.colour == position.side())
        }
        AnyMove::Drop { .. } => true,
    }
}

/// Writes the first line of a variation that begins with the move of this number.
pub(super) fn write_variation(number: usize, out: &mut String) {
    out.push_str(&format!("\n{VARIATION}：{number}手\n"));
}

/// The words for the players, Sente first; handicap games have other words.
pub(super) fn players(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> [&'static str; 2] {
    let which = usize::from(handicap(&record.start(), vocabulary).is_some());
    [SENTE[which], GOTE[which]]
}

/// The player who is named last in a text, with the text before and after the name.
pub(super) fn last_player(text: &str) -> Option<(&str, Colour, &str)> {
    let named = [(Colour::Sente, SENTE), (Colour::Gote, GOTE)];
    let marked = [(Colour::Sente, SENTE_MARKS), (Colour::Gote, GOTE_MARKS)];
    let of_words = named.into_iter().flat_map(|(player, names)| names.map(|name| (player, name)));
    let of_marks = marked.into_iter().flat_map(|(player, marks)| marks.map(|mark| (player, mark)));
    let each = of_words.chain(of_marks);
    let found = each.filter_map(|(player, name)| Some((text.rfind(name)?, player, name.len())));
    let (at, player, length) = found.max_by_key(|&(at, ..)| at)?;
    Some((&text[..at], player, &text[at + length..]))
}

/// The mark with which a player's moves begin.
pub(super) const fn mark(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => SENTE_MARKS[0],
        Colour::Gote => GOTE_MARKS[0],
    }
}

/// The player whose mark a text begins with.
pub(super) fn mark_in(text: &str) -> Option<Colour> {
    let marks = [(Colour::Sente, SENTE_MARKS), (Colour::Gote, GOTE_MARKS)];
    let found = marks.iter().find(|(_, marks)| marks.iter().any(|mark| text.starts_with(mark)));
    found.map(|&(player, _)| player)
}

/// Whether the text begins with the mark of a move.
pub(super) fn starts_with_mark(text: &str) -> bool {
    mark_in(text).is_some()
}

/// Whether the text contains the mark of a move.
fn has_mark(text: &str) -> bool {
    SENTE_MARKS.iter().chain(&GOTE_MARKS).any(|mark| text.contains(mark))
}

/// Whether the text begins like a move: with a mark, 同 or the file of a square.
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

/// Reads the target of a move: a square, or 同 for the target of the previous move.
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

/// Whether a move turns the piece over, as the record says. If it says nothing, the piece turns only where the
/// variant leaves no choice.
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
