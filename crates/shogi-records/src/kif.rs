//! KIF, the format of Kakinoki's programs and of most Japanese programs.
//!
//! A move names its target, its piece and, in brackets, its origin: `７六歩(77)`; a drop ends in 打. Reading also
//! accepts digits of any script, `:` for `：`, the marks ▲ and △, 王, 竜, the single kanji of promoted pieces,
//! `打(00)`, a dot after the number, fractions of seconds (which are dropped, with a notice) and a second time in brackets.
//! Lines that begin with `#` are skipped. The first move may have any number; the others are counted from it.
//!
//! A move of a piece of the player who is not to move is out of turn: a foul of the piece's owner.
//!
//! Any word in the place of a move is the end. The line that begins with まで gives the end if there is no such
//! word, or if it names another winner. Lines that begin with `&` are bookmarks. Variations begin with 変化：, the
//! number of their first move, 手. They branch off the line above, or off its parent line, and so on; they are
//! written from the last to the first.
//!
//! Variants follow lishogi if it has them. 手合割 names the variant, also above a diagram: `5五将棋`, `京都将棋`,
//! `どうぶつしょうぎ`, `3x4将棋`. In Kyoto shogi a move names the face of its piece before the move, 成 follows every
//! board move but the king's, and a drop names the dropped face; in hand tokin and gold stand for their pieces.
//! The pieces of Dobutsu shogi are [animals](super::ANIMAL_NAMES), ひ に き ぞ ら, and the names of shogi pieces
//! that move alike are read too. 成 may be missing where the rules leave no choice.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use shogi_core::{Colour, Piece};

use super::any::{AnyEnding, AnyPosition, AnyRecord};
use super::builder::{self, Builder};
use super::cursor::Cursor;
use super::end::Said;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    Play, is_named, last_player, mark_in, players, read_mark, read_target, read_turn,
    starts_as_move, turns, write_notes, write_opening, write_target, write_variation,
};
use super::left_out::holds_line;
use super::names::{Recorded, Vocabulary, write_digits};
use super::notice::NoticeReason;
use super::tree::Branch;
use super::{End, Format, Record, kakinoki, summary};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};

const PLAY: Play = Play {
    format: Format::Kif,
    has_moves: |line| line.starts_with(|c: char| c.is_ascii_digit()),
    player_of: player_of_line,
    read: read_line,
};
const SEPARATOR: &str = "手数----指手---------消費時間--\n";

/// Reads a record; of a text with several, the first.
///
/// # Errors
///
/// The first part of the text that is not KIF or that breaks the rules.
///
/// ```
/// use shogi_records::{End, kif};
/// use shogi_rules::{Dobutsu, to_usi};
/// let text = "手合割：どうぶつしょうぎ\n先手：あや\n\n 1 ２二ひ(23) ( 0:04/00:00:04)\n 2 同　ぞ(11)\n 3 投了\n";
/// let record = kif::parse::<Dobutsu>(text)?;
/// assert_eq!(to_usi(record.moves()[0].mv()), "2c2b");
/// assert_eq!(record.moves()[0].seconds, Some(4));
/// assert_eq!(record.ending().map(|ending| &ending.end), Some(&End::Resignation));
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    kakinoki::read(text, &PLAY, builder)
}

/// The player whose move is on a line, if its mark or the piece on its origin shows it.
fn player_of_line(line: &str, start: &AnyPlacement, vocabulary: &Vocabulary) -> Option<Colour> {
    let words = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    if let Some(player) = mark_in(words) {
        return Some(player);
    }
    let (_, behind) = words.split_once('(')?;
    let (origin, _) = behind.split_once(')')?;
    let mut origin = Cursor::new(1, origin);
    let from = vocabulary.read_square(&mut origin).ok().filter(|_| origin.is_at_end())?;
    start.piece(from).map(|piece| piece.colour)
}

/// Reads a line with a move or the end.
fn read_line(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    let start = line;
    let number = line.number().ok_or_else(|| start.error(RecordReason::TooLarge))?;
    line.eat(".");
    line.skip_spaces();
    if builder.is_untouched() && number > 0 {
        builder.set_first_number(number);
    }
    let expected = builder.number();
    if !starts_as_move(line.rest()) {
        if number as usize != expected && !builder.is_ended() {
            return Err(start.error(RecordReason::MoveNumber { expected }));
        }
        return read_end(builder, start, line);
    }
    builder.check_open(&|reason| start.error(reason))?;
    if number as usize != expected {
        return Err(start.error(RecordReason::MoveNumber { expected }));
    }
    let words = line;
    if let Err(error) = read_move(builder, &mut line) {
        return builder.refuse(error, words.rest());
    }
    read_times(builder, line)
}

/// Reads the end of the game, in one word or several.
fn read_end(builder: &mut Builder, start: Cursor, mut line: Cursor) -> Result<(), RecordError> {
    let word = line.until(&['(', '（']).trim_end().trim_end_matches('+');
    if word.is_empty() {
        return Err(line.expected("a move or how the game ended"));
    }
    let here = |reason| start.error(reason);
    // Words with the name of a player are a result.
    let said = match last_player(word) {
        Some(_) => summary::result(word, builder.to_move()).0,
        None => Said::of_word(word, builder.to_move()),
    };
    if builder.is_ended() {
        builder.end(said, start.rest(), &here);
        return Ok(());
    }
    builder.end(said, start.before(line), &here);
    read_times(builder, line)
}

/// Reads the optional parts after a move: its time, and the mark of a move with variations.
fn read_times(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    line.skip_spaces();
    let mut is_first = true;
    while line.eat("(") {
        let is_negative = line.rest().trim_start().starts_with(['-', '－', '−']);
        if is_first && !is_negative {
            let seconds = read_time(builder, &mut line)?;
            if let Some(time) = builder.latest().and_then(|notes| notes.seconds) {
                *time = Some(seconds);
            }
        } else {
            // Some programs write the time left on the clock.
            let words = line.until(&[')']);
            if !line.eat(")") {
                return Err(line.expected("a closing bracket"));
            }
            if is_first {
                builder.comment(words);
                builder.notice(&|reason| line.error(reason), NoticeReason::NegativeTime);
            }
        }
        is_first = false;
        line.skip_spaces();
    }
    line.eat("+");
    line.skip_spaces();
    if line.is_at_end() { Ok(()) } else { Err(line.expected("the end of the line")) }
}

fn read_move(builder: &mut Builder, line: &mut Cursor) -> Result<(), RecordError> {
    read_mark(builder, line)?;
    let vocabulary = builder.vocabulary;
    let start = *line;
    let to = read_target(builder, line)?;
    let piece = *line;
    let face = vocabulary.read_face(line)?;
    let said = read_turn(line);
    if said.is_none() && line.eat("打") {
        line.eat("(00)");
        return builder.push(AnyMove::Drop { face, to }, &|reason| start.error(reason));
    }
    line.skip_spaces();
    if !line.eat("(") {
        return Err(line.expected("the origin in brackets, or 打"));
    }
    let from = vocabulary.read_square(line)?;
    if !line.eat(")") {
        return Err(line.expected("a closing bracket"));
    }
    let position = builder.position(start)?;
    match position.piece(from).filter(|piece| piece.face == face) {
        None => return Err(piece.error(RecordReason::WrongPiece)),
        Some(Piece { colour, .. }) if colour != position.side() => {
            return Err(piece.error(RecordReason::WrongSide));
        }
        Some(_) => {}
    }
    let turn = turns(position, vocabulary, from, to, said);
    builder.push(AnyMove::Board { from, to, turn }, &|reason| start.error(reason))
}

/// Reads the time for a move and, after a slash, the player's total, up to the closing bracket.
fn read_time(builder: &mut Builder, line: &mut Cursor) -> Result<u32, RecordError> {
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
    if line.eat(".") {
        let digits = *line;
        line.number();
        builder.fraction(digits.before(*line), &|reason| digits.error(reason));
    }
    line.skip_spaces();
    if line.eat("/") {
        line.until(&[')']);
    }
    if line.eat(")") { Ok(seconds) } else { Err(line.expected("a closing bracket")) }
}

/// Writes a record. Headers lose spaces around their values; a header that would be read back as another line
/// is left out.
///
/// # Errors
///
/// If the board of the variant has more than nine files or ranks.
///
/// ```
/// use shogi_records::{kif, usi};
/// use shogi_rules::KyotoShogi;
/// let record = usi::parse::<KyotoShogi>("position startpos moves 5e5d+ 4a4b+ 5d5a+")?;
/// let text = kif::write(&record)?;
/// assert_eq!(text.lines().last(), Some("   3 ５一香成(54)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, &Vocabulary::of::<R>())
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    if !vocabulary.is_of_digits() {
        return Err(WriteError::NotForVariant(Format::Kif));
    }
    let mut text = String::new();
    write_opening(record, vocabulary, SEPARATOR, &mut text);
    let mut order = record.order();
    // No variation branches off a line without moves.
    order.retain(|&number| holds_line(record, number, vocabulary, Format::Kif));
    // For each line, both players' seconds before each of its moves and after the last.
    let mut totals = vec![Vec::new(); order.iter().max().map_or(0, |last| last + 1)];
    for number in order {
        let line = record.line(number);
        let total = line.branch.map_or([0; 2], |Branch { line, at }| totals[line][at]);
        if line.branch.is_some() {
            write_variation(first_number(record) + line.before, &mut text);
        }
        let mut lines = MoveLines { vocabulary, out: &mut text, totals: vec![total] };
        // Writing to a string does not fail.
        let _ = lines.write(record, number);
        totals[number] = lines.totals;
    }
    Ok(text)
}

/// Whether a word in the place of a move can give the end of a line; after the main line the result names the
/// player.
pub(super) fn holds_end(end: &End, by: Option<Colour>, to_move: Colour, is_main: bool) -> bool {
    let is_told = end.is_told_by_turn(by, to_move);
    end.is_word_of_kif() && (is_told || is_main && summary::can_hold(end, by, to_move))
}

/// Whether an end gets a line with a number and a word. If these would mean the other player, only the result
/// gives the end.
pub(super) fn has_end_line(end: &End, by: Option<Colour>, to_move: Colour) -> bool {
    end.is_told_by_turn(by, to_move) || end.leaves_player_open()
}

/// The number of the first move, if the first line of the main line shows it; else 1.
pub(super) fn first_number(record: &dyn AnyRecord) -> usize {
    let says_end = |AnyEnding { end, by, illegal_move, .. }| {
        let to_move = record.last(0).side();
        let is_named = illegal_move.is_some_and(|(mv, _)| is_named(record.last(0), mv));
        is_named || holds_end(end, by, to_move, true) && has_end_line(end, by, to_move)
    };
    let has_lines = record.line(0).len > 0 || record.ending(0).is_some_and(says_end);
    if has_lines { record.first_number() as usize } else { 1 }
}

/// The lines of moves that are being written.
struct MoveLines<'a> {
    vocabulary: &'a Vocabulary,
    out: &'a mut String,
    totals: Vec<[u64; 2]>,
}

impl MoveLines<'_> {
    /// Writes the moves and the end of a line of the record.
    fn write(&mut self, record: &dyn AnyRecord, number: usize) -> fmt::Result {
        let line = record.line(number);
        let first = first_number(record) + line.before;
        let mut last = line.target_before;
        let mut at = 0;
        let mut result = Ok(());
        record.for_each_move(number, &mut |position, mv, notes| {
            let words = move_words(position, mv, last, self.vocabulary);
            last = Some(mv.to());
            let variations = record.variations(Branch { line: number, at });
            let varied = variations
                .iter()
                .any(|&other| holds_line(record, other, self.vocabulary, Format::Kif));
            let place = (first + at, position.side());
            at += 1;
            result = result.and(self.write_line(place, &words, notes.seconds, varied));
            write_notes(notes, self.out);
        });
        result?;
        let Some(ending) = record.ending(number) else { return Ok(()) };
        self.write_ending(record, number, &ending, last)
    }

    fn write_ending(
        &mut self,
        record: &dyn AnyRecord,
        number: usize,
        ending: &AnyEnding,
        last: Option<AnySquare>,
    ) -> fmt::Result {
        let AnyEnding { end, by, illegal_move, notes, .. } = ending;
        let line = record.line(number);
        let position = record.last(number);
        let mut next = first_number(record) + line.before + line.len;
        let mut to_move = position.side();
        if let Some((mv, notes)) = illegal_move.filter(|(mv, _)| is_named(position, *mv)) {
            let words = move_words(position, mv, last, self.vocabulary);
            self.write_line((next, to_move), &words, notes.seconds, false)?;
            write_notes(notes, self.out);
            (next, to_move) = (next + 1, !to_move);
        }
        if !holds_end(end, *by, to_move, line.branch.is_none()) {
            return Ok(());
        }
        let players = players(record, self.vocabulary);
        let sentence = summary::written(end, *by, next - 1, to_move, players);
        if !has_end_line(end, *by, to_move) {
            self.out.push_str(&sentence);
            write_notes(*notes, self.out);
            return Ok(());
        }
        let word = end.kif(*by, to_move);
        self.write_line((next, to_move), word, notes.seconds, false)?;
        write_notes(*notes, self.out);
        self.out.push_str(if line.branch.is_none() { &sentence } else { "" });
        Ok(())
    }

    /// Writes a line with its number, the player and the seconds; a mark shows that it has variations.
    fn write_line(
        &mut self,
        (number, player): (usize, Colour),
        words: &str,
        seconds: Option<u32>,
        varied: bool,
    ) -> fmt::Result {
        let mut totals = self.totals.last().copied().unwrap_or_default();
        let total = &mut totals[player.index()];
        write!(self.out, "{number:>4} {words}")?;
        if let Some(seconds) = seconds {
            *total += u64::from(seconds);
            // Columns on a screen: a full-width character takes two.
            let width: usize = words.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            let time = format!("{}:{:02}", seconds / 60, seconds % 60);
            let (hours, minutes) = (*total / 3600, *total / 60 % 60);
            write!(self.out, "{:1$}", "", 13_usize.saturating_sub(width))?;
            write!(self.out, "({time:>5}/{hours:02}:{minutes:02}:{:02})", *total % 60)?;
        }
        self.totals.push(totals);
        self.out.write_str(if varied { "+\n" } else { "\n" })
    }
}

/// A move in words; `last` is the target of the previous move.
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
            if let Some(Piece { face, .. }) = position.piece(from) {
                vocabulary.write_word(face, &mut words);
            }
            words.push_str(if turn { "成(" } else { "(" });
            write_digits(from, &mut words);
            words.push(')');
        }
    }
    words
}
