//! CSA, the standard format of the Computer Shogi Association: versions 2.2 and 3.0 are read, 2.2
//! is written.
//!
//! A move has a sign for the player, origin, target and the piece as it is after the move:
//! `+7776FU`; a drop comes from `00`. The header lines `N+`, `N-` and `$EVENT` and its like become
//! the headers of Japanese records (先手, 後手, 棋戦); others keep their names. Comments are the
//! lines that begin with `'*`, as version 3.0 has it; other comments are skipped. Fractions of
//! seconds are dropped. A text with several games is read up to the first separator.
//!
//! The format is one of standard shogi. Minishogi is written in it in the same way on its 5x5
//! board, as the computer tournaments of that game have done.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Hand, Piece, Role};

use super::any::{AnyPosition, AnyRecord, Reading};
use super::cursor::{Cursor, error_at_end, lines};
use super::error::{RecordError, RecordReason, WriteError};
use super::names::{Recorded, Vocabulary, write_digits};
use super::{End, Ending, Format, Record, any, kakinoki};
use crate::plain::{AnyMove, AnyPlacement, AnySquare};
use crate::sfen;

/// Header names in CSA and in Japanese records.
const HEADERS: [(&str, &str); 10] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
    ("MAX_MOVES", "最大手数"),
    ("JISHOGI", "持将棋"),
    ("NOTE", "備考"),
    ("TITLE", "表題"),
];
/// The headers of the players, with those of games with a handicap.
const PLAYERS: [(&str, [&str; 2]); 2] = [("N+", ["先手", "下手"]), ("N-", ["後手", "上手"])];

/// What has been read so far.
struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    /// The start, until the line with the side to move closes it.
    placement: AnyPlacement,
    has_start: bool,
    reading: &'a mut dyn Reading,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
}

/// Reads a record.
///
/// # Errors
///
/// The first thing that is not CSA, or that the rules do not allow.
///
/// ```
/// use shogi_rules::record::csa;
/// use shogi_rules::{Shogi, to_sfen};
/// let text = "V2.2\nN+Ada\nPI82HI22KA\n-\n-5142OU\nT10\n+7776FU,T2\n%TORYO\n";
/// let record = csa::parse::<Shogi>(text)?;
/// assert_eq!(record.headers, [("先手".into(), "Ada".into())]);
/// assert_eq!(record.moves()[0].seconds, Some(10));
/// assert!(to_sfen(record.last()).starts_with("lnsg1gsnl/5k3/ppppppppp/"));
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    any::parse(text, read)
}

fn read(text: &str, vocabulary: &Vocabulary, reading: &mut dyn Reading) -> Result<(), RecordError> {
    if !vocabulary.csa {
        return Err(Cursor::new(1, "").error(RecordReason::NotForVariant(Format::Csa)));
    }
    let mut reader = Reader {
        vocabulary,
        placement: vocabulary.notation.empty(),
        has_start: false,
        reading,
        headers: Vec::new(),
        comments: Vec::new(),
    };
    for line in lines(text) {
        let rest = line.rest().trim_end();
        if rest == "/" {
            break;
        }
        if rest.starts_with(['\'', 'N', '$', 'V']) {
            reader.text_line(line)?;
            continue;
        }
        for mut statement in line.statements() {
            reader.statement(&mut statement)?;
            statement.skip_spaces();
            if !statement.is_at_end() {
                return Err(statement.expected("the end of the line"));
            }
        }
    }
    match reader.reading.record() {
        Some(record) => {
            record.set_headers(reader.headers);
            Ok(())
        }
        None => {
            let what = if reader.has_start { "the side to move" } else { "the start position" };
            Err(error_at_end(text, RecordReason::Missing(what)))
        }
    }
}

impl Reader<'_> {
    /// A line with text for people, in which commas do not separate.
    fn text_line(&mut self, mut line: Cursor) -> Result<(), RecordError> {
        if line.eat("'*") {
            let comment = line.rest().into();
            match self.reading.record() {
                Some(record) => record.latest().0.push(comment),
                None => self.comments.push(comment),
            }
        } else if let Some((_, names)) = PLAYERS.iter().find(|(start, _)| line.eat(start)) {
            self.header(names[0], line.rest());
        } else if line.eat("$") {
            let key = line.until(&[':']);
            if !line.eat(":") {
                return Err(line.expected("a colon"));
            }
            let japanese = HEADERS.iter().find(|(own, _)| *own == key).map(|(_, name)| *name);
            self.header(japanese.unwrap_or(key), line.rest());
        } else if line.eat("V") {
            if !line.rest().starts_with(|c: char| c.is_ascii_digit()) {
                return Err(line.expected("a version"));
            }
        } else if !line.eat("'") {
            return Err(line.error(RecordReason::UnknownLine));
        }
        Ok(())
    }

    fn header(&mut self, key: &str, value: &str) {
        self.headers.push((key.trim().into(), value.trim().into()));
    }

    fn statement(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        let start = *line;
        match (line.next(), line.peek()) {
            (None, _) => Ok(()),
            (Some('P'), Some(_)) if self.reading.record().is_some() => {
                Err(start.error(RecordReason::UnknownLine))
            }
            (Some('P'), Some('I')) => self.usual_start(line),
            (Some('P'), Some('1'..='9')) => self.rank(line),
            (Some('P'), Some('+' | '-')) => self.pieces(line),
            (Some('+' | '-'), None) => self.side(start),
            (Some('+' | '-'), Some(_)) => {
                let record = self.reading.record().ok_or_else(|| before_start(start))?;
                read_move(record, self.vocabulary, start, line)
            }
            (Some('%'), Some(_)) => {
                read_end(self.reading.record().ok_or_else(|| before_start(start))?, start, line)
            }
            (Some('T'), Some(_)) => {
                let time = self.reading.record().and_then(|record| record.latest().1);
                let time = time.ok_or_else(|| start.error(RecordReason::NothingBefore))?;
                *time = Some(line.number().ok_or_else(|| line.expected("seconds"))?);
                if line.eat(".") {
                    line.number();
                }
                Ok(())
            }
            _ => Err(start.error(RecordReason::UnknownLine)),
        }
    }

    /// `PI`: the start of the game but for the pieces named.
    fn usual_start(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        line.eat("I");
        let (own, _) = sfen::read(self.vocabulary.start, self.vocabulary.notation)
            .map_err(|error| line.error(RecordReason::Sfen(error.reason)))?;
        self.placement = own;
        self.has_start = true;
        while !line.rest().trim_end().is_empty() {
            let start = *line;
            let square = self.vocabulary.read_square(line)?;
            let face = self.vocabulary.read_csa_face(line)?;
            if self.placement.at(square).take().map(|piece| piece.face) != Some(face) {
                return Err(start.error(RecordReason::WrongPiece));
            }
        }
        Ok(())
    }

    /// `P1` to `P9`: a rank of the board.
    fn rank(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        let start = *line;
        let rank = line.number().unwrap_or(0);
        self.has_start = true;
        let rank = u8::try_from(rank).ok().and_then(|rank| rank.checked_sub(1));
        let rank = rank.filter(|&rank| rank < self.vocabulary.notation.height);
        let rank = rank.ok_or_else(|| start.error(RecordReason::OffBoard))?;
        for file in (1..=self.vocabulary.notation.width).rev() {
            line.skip_spaces();
            let colour = match line.next() {
                Some('*') => continue,
                Some('+') => Colour::Sente,
                Some('-') => Colour::Gote,
                _ => return Err(line.expected("a piece with its sign, or *, for each square")),
            };
            let at = *line;
            let face = self.vocabulary.read_csa_face(line)?;
            self.put(at, AnySquare { file, rank }, Piece { face, colour })?;
        }
        Ok(())
    }

    /// `P+` and `P-`: single pieces on the board or, at 00, in hand; `00AL` is all that are left.
    fn pieces(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        let colour = if line.eat("+") { Colour::Sente } else { Colour::Gote };
        line.eat("-");
        self.has_start = true;
        while !line.rest().trim_end().is_empty() {
            let start = *line;
            if line.eat("00AL") {
                self.give_rest(colour);
            } else if line.eat("00") {
                let piece = *line;
                let Face { kind, promoted } = self.vocabulary.read_csa_face(line)?;
                if promoted || self.vocabulary.notation.spec(kind).role == Role::Royal {
                    return Err(piece.error(RecordReason::NotInHand));
                }
                let hand = &mut self.placement.hands[colour.index()];
                if hand.count(kind) == Hand::capacity(kind) {
                    return Err(piece.error(RecordReason::TooLarge));
                }
                hand.add(kind);
            } else {
                let square = self.vocabulary.read_square(line)?;
                let face = self.vocabulary.read_csa_face(line)?;
                self.put(start, square, Piece { face, colour })?;
            }
        }
        Ok(())
    }

    fn put(&mut self, at: Cursor, square: AnySquare, piece: Piece) -> Result<(), RecordError> {
        let content = self.placement.at(square);
        if content.is_some() {
            return Err(at.error(RecordReason::Occupied));
        }
        *content = Some(piece);
        Ok(())
    }

    /// Puts all pieces of the set that are nowhere yet into a hand.
    fn give_rest(&mut self, colour: Colour) {
        let notation = self.vocabulary.notation;
        for kind in notation.kinds().filter(|&kind| notation.spec(kind).role != Role::Royal) {
            let other = self.placement.hands[(!colour).index()].count(kind);
            let used = self.placement.on_board(kind) as u8 + other;
            let rest = notation.spec(kind).count.saturating_sub(used);
            self.placement.hands[colour.index()].set(kind, rest);
        }
    }

    /// `+` or `-` alone: the side to move, after which the moves come.
    fn side(&mut self, line: Cursor) -> Result<(), RecordError> {
        if self.reading.record().is_some() {
            return Err(line.error(RecordReason::UnknownLine));
        }
        if !self.has_start {
            return Err(line.error(RecordReason::Missing("the start position")));
        }
        self.placement.side = sign(line.peek());
        let record = self.reading.begin(&self.placement);
        let record = record.map_err(|faults| line.error(RecordReason::Start(faults)))?;
        record.set_comments(core::mem::take(&mut self.comments));
        Ok(())
    }
}

fn before_start(at: Cursor) -> RecordError {
    at.error(RecordReason::Missing("the side to move"))
}

const fn sign(character: Option<char>) -> Colour {
    if matches!(character, Some('-')) { Colour::Gote } else { Colour::Sente }
}

/// Reads a move behind its sign.
fn read_move(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    start: Cursor,
    line: &mut Cursor,
) -> Result<(), RecordError> {
    if sign(start.peek()) != record.last().side() {
        return Err(start.error(RecordReason::WrongSide));
    }
    let origin = if line.eat("00") { None } else { Some(vocabulary.read_square(line)?) };
    let to = vocabulary.read_square(line)?;
    let piece = *line;
    let face = vocabulary.read_csa_face(line)?;
    let mv = match origin {
        None => AnyMove::Drop { face, to },
        Some(from) => {
            let before = record.last().piece(from).map(|piece| piece.face);
            let turn = before == Some(Face { promoted: !face.promoted, ..face });
            if !turn && before != Some(face) {
                return Err(piece.error(RecordReason::WrongPiece));
            }
            AnyMove::Board { from, to, turn }
        }
    };
    kakinoki::push(record, vocabulary, mv, start)
}

/// Reads how the game ended, behind the percent sign.
fn read_end(
    record: &mut dyn AnyRecord,
    start: Cursor,
    line: &mut Cursor,
) -> Result<(), RecordError> {
    if record.ending().is_some() {
        return Err(start.error(RecordReason::AfterEnd));
    }
    let word = line.until(&[' ', '\t']);
    let end = End::from_csa(word, record.last().side());
    record.end(end.ok_or_else(|| start.expected("how the game ended"))?.into());
    Ok(())
}

/// Writes a record.
///
/// # Errors
///
/// Where the variant is not written in CSA, a header would be read back as something else, or the
/// game ended in a way that CSA has no word for.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, Vocabulary::of::<R>())
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    if !vocabulary.csa {
        return Err(WriteError::NotForVariant(Format::Csa));
    }
    let mut text = String::from("V2.2\n");
    write_headers(record.headers(), &mut text)?;
    write_start(&record.start(), vocabulary, &mut text);
    write_comments(record.comments(), &mut text);
    record.for_each_move(&mut |position, mv, notes| {
        write_move(position, mv, vocabulary, &mut text);
        write_time(notes.seconds, &mut text);
        write_comments(notes.comments, &mut text);
    });
    if let Some(Ending { end, comments, seconds }) = record.ending() {
        let word = end.csa(record.last().side()).ok_or(WriteError::End(Format::Csa))?;
        text.extend(["%", &word, "\n"]);
        write_time(*seconds, &mut text);
        write_comments(comments, &mut text);
    }
    Ok(text)
}

/// Writes the headers, the players first.
fn write_headers(headers: &[(String, String)], out: &mut String) -> Result<(), WriteError> {
    for (start, names) in PLAYERS {
        for (_, value) in headers.iter().filter(|(key, _)| names.contains(&key.as_str())) {
            out.extend([start, &value.replace('\n', " "), "\n"]);
        }
    }
    let is_player = |key: &str| PLAYERS.iter().any(|(_, names)| names.contains(&key));
    for (key, value) in headers.iter().filter(|(key, _)| !is_player(key)) {
        let is_plain = !key.is_empty() && key.trim() == key && !key.contains([':', '\n']);
        if !is_plain || value.contains('\n') {
            return Err(WriteError::Header(key.clone()));
        }
        let own = HEADERS.iter().find(|(_, japanese)| japanese == key);
        out.extend(["$", own.map_or(key.as_str(), |(own, _)| *own), ":", value, "\n"]);
    }
    Ok(())
}

fn write_start(placement: &AnyPlacement, vocabulary: &Vocabulary, out: &mut String) {
    let notation = vocabulary.notation;
    let signed = |colour| if colour == Colour::Sente { '+' } else { '-' };
    if vocabulary.is_sfen_of(vocabulary.start, placement) {
        out.push_str("PI\n");
    } else {
        for rank in 0..notation.height {
            out.push_str(&format!("P{}", rank + 1));
            for file in (1..=notation.width).rev() {
                match placement.piece(AnySquare { file, rank }) {
                    None => out.push_str(" * "),
                    Some(Piece { face, colour }) => {
                        out.push(signed(colour));
                        out.push_str(code(face, vocabulary));
                    }
                }
            }
            out.push('\n');
        }
        for (colour, hand) in Colour::ALL.into_iter().zip(placement.hands) {
            if hand.is_empty() {
                continue;
            }
            out.extend(['P', signed(colour)]);
            for kind in notation.kinds().rev() {
                for _ in 0..hand.count(kind) {
                    out.extend(["00", code(Face::front(kind), vocabulary)]);
                }
            }
            out.push('\n');
        }
    }
    out.extend([signed(placement.side), '\n']);
}

/// The code of a face; a variant that is written in CSA has one for each.
fn code(face: Face, vocabulary: &Vocabulary) -> &'static str {
    vocabulary.name_of(face).map_or("", |name| name.csa)
}

fn write_move(position: &dyn AnyPosition, mv: AnyMove, vocabulary: &Vocabulary, out: &mut String) {
    out.push(if position.side() == Colour::Sente { '+' } else { '-' });
    let after = match mv {
        AnyMove::Drop { face, .. } => {
            out.push_str("00");
            Some(face)
        }
        AnyMove::Board { from, turn, .. } => {
            write_digits(from, out);
            let turned = |piece: Piece| Face { promoted: piece.face.promoted ^ turn, ..piece.face };
            position.piece(from).map(turned)
        }
    };
    write_digits(mv.to(), out);
    out.push_str(after.map_or("", |face| code(face, vocabulary)));
    out.push('\n');
}

fn write_time(seconds: Option<u32>, out: &mut String) {
    if let Some(seconds) = seconds {
        out.push_str(&format!("T{seconds}\n"));
    }
}

fn write_comments(comments: &[String], out: &mut String) {
    for line in comments.iter().flat_map(|comment| comment.split('\n')) {
        out.extend(["'*", line, "\n"]);
    }
}
