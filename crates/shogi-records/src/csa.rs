//! CSA, the standard format of the Computer Shogi Association. This module reads versions 2.2 and 3.0 and
//! writes 2.2.
//!
//! A move has a sign for the player, its origin, its target and the piece after the move: `+7776FU`; a drop
//! comes from `00`. The header lines `N+`, `N-`, `$EVENT` and the like become the headers of Japanese
//! records (先手, 後手, 棋戦); others keep their names. Lines that begin with `'*` are comments, as in version
//! 3.0; other comments are skipped. Fractions of seconds are dropped, with a notice. A text with several games is read up
//! to the first separator. An end that CSA has no word for is written as a comment, in the words of KIF.
//! Unknown lines after the end become comments.
//!
//! The format is made for standard shogi. Minishogi is written in the same way on its 5x5 board, as computer
//! tournaments of that game do.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Hand, Piece, Role};

use super::builder::{self, Builder, ErrorHere};
use super::cursor::{Cursor, error_at_end, lines};
use super::end::Said;
use super::error::{RecordError, RecordReason, WriteError};
use super::names::{Recorded, Vocabulary};
use super::notice::NoticeReason;
use super::{Format, Record, csa_write};
use shogi_core::plain::{AnyMove, AnyPlacement, AnySquare};
use shogi_core::sfen;

/// The text of the line between two games.
const SEPARATOR: &str = "/";
pub(super) const FILE_SEPARATOR: &str = "/\n";
/// The first line of a file in UTF-8; without it, version 3.0 takes a file to be in Shift-JIS.
pub(super) const IN_UTF8: &str = "'CSA encoding=UTF-8\n";
/// Header names in CSA and in Japanese records.
pub(super) const HEADERS: [(&str, &str); 10] = [
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
/// The headers of the players, those of handicap games included.
pub(super) const PLAYERS: [(&str, [&str; 2]); 2] =
    [("N+", ["先手", "下手"]), ("N-", ["後手", "上手"])];

/// The part of a game read so far.
struct CsaReader<'b, 'a> {
    builder: &'b mut Builder<'a>,
    /// The start position, until the line with the side to move completes it.
    placement: AnyPlacement,
    has_start: bool,
    /// Kings put into hands.
    kings: Vec<RecordError>,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
}

/// Reads a record; of a text with several, the first.
///
/// # Errors
///
/// The first part of the text that is not CSA or that breaks the rules.
///
/// ```
/// use shogi_records::csa;
/// use shogi_rules::{Shogi, to_sfen};
/// let text = "V2.2\nN+Ada\nPI82HI22KA\n-\n-5142OU\nT10\n+7776FU,T2\n%TORYO\n";
/// let record = csa::parse::<Shogi>(text)?;
/// assert_eq!(record.headers, [("先手".into(), "Ada".into())]);
/// assert_eq!(record.moves()[0].seconds, Some(10));
/// assert!(to_sfen(record.last()).starts_with("lnsg1gsnl/5k3/ppppppppp/"));
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    if !builder.vocabulary.csa {
        return Err(Cursor::new(1, "").error(RecordReason::NotForVariant(Format::Csa)));
    }
    let mut reader = CsaReader::new(builder);
    // Whether nothing has been read since the last separator.
    let mut is_empty = true;
    for line in lines(text) {
        let rest = line.rest().trim();
        if rest == SEPARATOR {
            if !is_empty {
                reader.finish(&|reason| line.error(reason))?;
            }
            is_empty = true;
            continue;
        }
        is_empty &= rest.is_empty();
        if reader.builder.is_ended() && !rest.is_empty() && !is_statement(rest) {
            reader.builder.free_text(line);
            continue;
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
    match is_empty {
        // A separator may stand behind the last game, too.
        true if reader.builder.has_records() => Ok(()),
        true => Err(error_at_end(text, RecordReason::Missing(START))),
        false => reader.finish(&|reason| error_at_end(text, reason)),
    }
}

impl<'b, 'a> CsaReader<'b, 'a> {
    fn new(builder: &'b mut Builder<'a>) -> Self {
        let placement = builder.vocabulary.notation.empty();
        let (headers, comments) = (Vec::new(), Vec::new());
        Self { builder, placement, has_start: false, kings: Vec::new(), headers, comments }
    }

    fn vocabulary(&self) -> &'a Vocabulary {
        self.builder.vocabulary
    }

    /// Ends a game.
    fn finish(&mut self, error: ErrorHere) -> Result<(), RecordError> {
        if !self.builder.has_begun() {
            if !self.may_be_short() {
                return Err(error(RecordReason::Missing(self.missing())));
            }
            self.begin(error)?;
        }
        self.builder.set_headers(core::mem::take(&mut self.headers));
        self.builder.finish();
        self.placement = self.vocabulary().notation.empty();
        self.has_start = false;
        Ok(())
    }

    /// Whether the start and the side to move may be left out; the standard, for 9x9, requires both.
    fn may_be_short(&self) -> bool {
        self.vocabulary().notation.width < STANDARD_WIDTH
    }

    /// The part that a record lacks whose moves cannot begin.
    const fn missing(&self) -> &'static str {
        if self.has_start { SIDE } else { START }
    }

    /// Begins the record with the start read so far.
    fn begin(&mut self, error: ErrorHere) -> Result<(), RecordError> {
        if !self.has_start {
            self.placement = self.own_start(error)?;
        }
        let kings = core::mem::take(&mut self.kings);
        self.builder.leave_out_kings(&self.placement, kings)?;
        let begun = self.builder.begin(&self.placement);
        begun.map_err(|faults| error(RecordReason::Start(faults)))?;
        if let Some(notes) = self.builder.latest() {
            *notes.comments = core::mem::take(&mut self.comments);
        }
        Ok(())
    }

    fn own_start(&self, error: ErrorHere) -> Result<AnyPlacement, RecordError> {
        let own = sfen::read(self.vocabulary().start, self.vocabulary().notation);
        Ok(own.map_err(|e| error(RecordReason::Sfen(e.reason)))?.0)
    }

    /// Reads a line of free text, in which commas do not separate statements.
    fn text_line(&mut self, mut line: Cursor) -> Result<(), RecordError> {
        line.skip_spaces();
        if line.rest().starts_with('\'') {
            self.comment(&mut line);
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
        } else {
            return Err(line.error(RecordReason::UnknownLine));
        }
        Ok(())
    }

    /// Reads a line that begins with an apostrophe: a comment on the game if a star follows, else one on the
    /// file.
    fn comment(&mut self, line: &mut Cursor) {
        if line.eat("'*") {
            let comment = line.rest().into();
            let begun = self.builder.has_begun();
            match self.builder.latest().filter(|_| begun) {
                Some(notes) => notes.comments.push(comment),
                None => self.comments.push(comment),
            }
        }
        line.skip_all();
    }

    fn header(&mut self, key: &str, value: &str) {
        self.headers.push((key.trim().into(), value.trim().into()));
    }

    fn statement(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        let start = *line;
        if start.rest().starts_with('\'') {
            self.comment(line);
            return Ok(());
        }
        match (line.next(), line.peek().filter(|next| !next.is_whitespace())) {
            (None, _) => Ok(()),
            (Some('P'), Some(_)) if self.builder.has_begun() => {
                Err(start.error(RecordReason::UnknownLine))
            }
            (Some('P'), Some('I')) => self.usual_start(line),
            (Some('P'), Some('1'..='9')) => self.rank(line),
            (Some('P'), Some('+' | '-')) => self.pieces(line),
            (Some('+' | '-'), None) => self.side(start),
            (Some('+' | '-'), Some(_)) => {
                let is_short = !self.builder.has_begun();
                self.need_start(start)?;
                let read = read_move(self.builder, start, line);
                read.map_err(|error| match error.reason {
                    // It may be of a larger board, whose start is missing.
                    RecordReason::OffBoard if is_short => start.error(RecordReason::OffBoard),
                    _ => error,
                })
            }
            (Some('%'), Some(_)) => {
                self.need_start(start)?;
                let word = line.until(&[' ', '\t']);
                let said = Said::of_word(word, self.builder.to_move());
                self.builder.end(said, start.rest(), &|reason| start.error(reason));
                Ok(())
            }
            (Some('T'), Some(_)) => self.time(start, line),
            _ => Err(start.error(RecordReason::UnknownLine)),
        }
    }

    /// `T`: the seconds for a move, to which some servers add a sign.
    fn time(&mut self, start: Cursor, line: &mut Cursor) -> Result<(), RecordError> {
        let begun = self.builder.has_begun();
        let is_negative = line.eat("-");
        let _ = !is_negative && line.eat("+");
        let number = line.number().ok_or_else(|| line.expected("seconds"));
        let mut fraction = "";
        if number.is_ok() && line.eat(".") {
            let digits = *line;
            line.number();
            fraction = digits.before(*line);
        }
        let notes = self.builder.latest().filter(|_| begun);
        let time = notes.and_then(|notes| notes.seconds);
        let time = time.ok_or_else(|| start.error(RecordReason::NothingBefore))?;
        let seconds = number?;
        if !is_negative || seconds == 0 {
            *time = Some(seconds);
            self.builder.fraction(fraction, &|reason| start.error(reason));
            return Ok(());
        }
        self.builder.comment(start.before(*line));
        self.builder.notice(&|reason| start.error(reason), NoticeReason::NegativeTime);
        Ok(())
    }

    /// Checks that the record has begun before its first move or end.
    fn need_start(&mut self, at: Cursor) -> Result<(), RecordError> {
        if self.builder.has_begun() {
            return Ok(());
        }
        if !self.may_be_short() {
            return Err(at.error(RecordReason::Missing(self.missing())));
        }
        self.begin(&|reason| at.error(reason))
    }

    /// `PI`: the usual start without the pieces that are named.
    fn usual_start(&mut self, line: &mut Cursor) -> Result<(), RecordError> {
        line.eat("I");
        self.placement = self.own_start(&|reason| line.error(reason))?;
        self.has_start = true;
        while !line.rest().trim_end().is_empty() {
            let start = *line;
            let square = self.vocabulary().read_square(line)?;
            let face = self.vocabulary().read_csa_face(line)?;
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
        let rank = rank.filter(|&rank| rank < self.vocabulary().notation.height);
        let rank = rank.ok_or_else(|| start.error(RecordReason::OffBoard))?;
        for file in (1..=self.vocabulary().notation.width).rev() {
            line.skip_spaces();
            let colour = match line.next() {
                Some('*') => continue,
                Some('+') => Colour::Sente,
                Some('-') => Colour::Gote,
                _ => return Err(line.expected("a piece with its sign, or *, for each square")),
            };
            let at = *line;
            let face = self.vocabulary().read_csa_face(line)?;
            self.put(at, AnySquare { file, rank }, Piece { face, colour })?;
        }
        Ok(())
    }

    /// `P+` and `P-`: single pieces on the board or, at 00, in hand; `00AL` puts all remaining pieces into
    /// the hand.
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
                let Face { kind, promoted } = self.vocabulary().read_csa_face(line)?;
                if promoted {
                    return Err(piece.error(RecordReason::NotInHand));
                }
                if self.vocabulary().stays_on_board(kind) {
                    self.kings.push(piece.error(RecordReason::NotInHand));
                    continue;
                }
                let hand = &mut self.placement.hands[colour.index()];
                if hand.count(kind) == Hand::capacity(kind) {
                    return Err(piece.error(RecordReason::TooLarge));
                }
                hand.add(kind);
            } else {
                let square = self.vocabulary().read_square(line)?;
                let face = self.vocabulary().read_csa_face(line)?;
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

    /// Puts all remaining pieces of the set into a hand.
    fn give_rest(&mut self, colour: Colour) {
        let notation = self.vocabulary().notation;
        for kind in notation.kinds().filter(|&kind| notation.spec(kind).role != Role::Royal) {
            let other = self.placement.hands[(!colour).index()].count(kind);
            let used = self.placement.on_board(kind) as u8 + other;
            let rest = notation.spec(kind).count.saturating_sub(used);
            self.placement.hands[colour.index()].set(kind, rest);
        }
    }

    /// `+` or `-` alone: the side to move, after which the moves come.
    fn side(&mut self, line: Cursor) -> Result<(), RecordError> {
        if self.builder.has_begun() {
            return Err(line.error(RecordReason::UnknownLine));
        }
        if !self.has_start {
            if !self.may_be_short() {
                return Err(line.error(RecordReason::Missing(START)));
            }
            self.placement = self.own_start(&|reason| line.error(reason))?;
            self.has_start = true;
        }
        self.placement.side = sign(line.peek());
        self.begin(&|reason| line.error(reason))
    }
}

/// Whether a line begins like a statement of the format.
fn is_statement(line: &str) -> bool {
    let is_text = ["'", "$", "%", "N+", "N-", "V", "P"].iter().any(|start| line.starts_with(start));
    let behind = line.strip_prefix(['T', '+', '-']);
    is_text
        || behind.is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-')
        })
}

const START: &str = "the start position";
const SIDE: &str = "the side to move";
/// The number of files of the board for which the format was made.
const STANDARD_WIDTH: u8 = 9;

const fn sign(character: Option<char>) -> Colour {
    if matches!(character, Some('-')) { Colour::Gote } else { Colour::Sente }
}

/// Reads a move after its sign.
fn read_move(builder: &mut Builder, start: Cursor, line: &mut Cursor) -> Result<(), RecordError> {
    builder.check_open(&|reason| start.error(reason))?;
    let words = start.rest();
    match read_fitting_move(builder, start, line) {
        Ok(mv) => builder.push(mv, &|reason| start.error(reason)),
        Err(error) => {
            line.skip_all();
            builder.refuse(error, words)
        }
    }
}

/// Reads a move that a piece of the player can make, legal or not.
fn read_fitting_move(
    builder: &Builder,
    start: Cursor,
    line: &mut Cursor,
) -> Result<AnyMove, RecordError> {
    let (vocabulary, position) = (builder.vocabulary, builder.position(start)?);
    let origin = if line.eat("00") { None } else { Some(vocabulary.read_square(line)?) };
    let to = vocabulary.read_square(line)?;
    let piece = *line;
    let face = vocabulary.read_csa_face(line)?;
    if sign(start.peek()) != position.side() {
        return Err(start.error(RecordReason::WrongSide));
    }
    let Some(from) = origin else { return Ok(AnyMove::Drop { face, to }) };
    let before = position.piece(from).filter(|piece| piece.colour == position.side());
    let before = before.map(|piece| piece.face);
    let turn = before == Some(Face { promoted: !face.promoted, ..face });
    if !turn && before != Some(face) {
        return Err(piece.error(RecordReason::WrongPiece));
    }
    Ok(AnyMove::Board { from, to, turn })
}

/// Writes a record. Variations and bookmarks are left out, and so are headers that would be read back as
/// another line and an end for which CSA has no word.
///
/// # Errors
///
/// If CSA does not exist for the variant.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    csa_write::written(record, &Vocabulary::of::<R>())
}
