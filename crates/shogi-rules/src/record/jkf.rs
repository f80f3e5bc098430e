//! JKF, the JSON of json-kifu-format, which web programs exchange.
//!
//! ```json
//! {"header": {"先手": "Ada"}, "initial": {"preset": "HIRATE"},
//!  "moves": [{"comments": ["..."]},
//!            {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
//!             "time": {"now": {"m": 0, "s": 16}, "total": {"h": 0, "m": 0, "s": 16}},
//!             "forks": [[{"move": {}}]]},
//!            {"special": "TORYO"}]}
//! ```
//!
//! The first element has the comments before the first move. `forks` are the lines that are played instead
//! of an element, be it a move or the end. Pieces have their codes of CSA, so the variants that are
//! written in CSA are written in JKF too; starts other than those of standard shogi with a name are
//! written with their board. Bookmarks are comments that begin with `&`, as json-kifu-format reads them
//! from KIF. A line that goes on behind the last move of one without an end is written as a fork of that
//! move which begins with it.

use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use shogi_core::{Colour, Face, Hand, Piece, Role};

use super::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use super::builder::{self, Builder};
use super::end::{End, OFFENCE};
use super::error::{RecordError, RecordReason, WriteError};
use super::json::{MAX_DEPTH, each_object, error_at, json_error, text_of, value};
use super::kakinoki::is_named;
use super::names::{Recorded, Vocabulary};
use super::tree::Branch;
use super::{Format, Record, ki2};
use crate::plain::{AnyMove, AnyPlacement, AnySquare};
use crate::sfen;

/// The names of starts in JKF and in KIF.
const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];
/// The preset of a start that is given by its board.
const OTHER: &str = "OTHER";

/// Names and values in order.
#[derive(Default)]
struct Headers(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Headers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Headers, A::Error> {
                let mut headers = Headers::default();
                while let Some(header) = map.next_entry()? {
                    headers.0.push(header);
                }
                Ok(headers)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Serialize for Headers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The object as it is read; what other programs add is passed over.
#[derive(Deserialize)]
struct ReadRecord<'a> {
    #[serde(default)]
    header: Headers,
    #[serde(borrow)]
    initial: Option<&'a RawValue>,
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
}

#[derive(Serialize, Deserialize)]
struct Initial {
    preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<State>,
}

/// A position; the board is a list of files from the right, each a list of squares from the top.
#[derive(Serialize, Deserialize)]
struct State {
    color: u8,
    board: Vec<Vec<Square>>,
    hands: Vec<Counts>,
}

#[derive(Serialize, Deserialize, Default)]
struct Square {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

/// How many pieces of each kind there are.
#[derive(Default)]
struct Counts(Vec<(String, u8)>);

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Counts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with numbers of pieces")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Counts, A::Error> {
                let mut counts = Counts::default();
                while let Some(count) = map.next_entry()? {
                    counts.0.push(count);
                }
                Ok(counts)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, count)| (kind, count)))
    }
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq)]
struct Place {
    x: u8,
    y: u8,
}

impl Place {
    const fn of(square: AnySquare) -> Self {
        Self { x: square.file, y: square.rank + 1 }
    }

    /// The square, if the board has it.
    fn square(self, vocabulary: &Vocabulary) -> Option<AnySquare> {
        let on_board = (1..=vocabulary.notation.width).contains(&self.x)
            && (1..=vocabulary.notation.height).contains(&self.y);
        on_board.then(|| AnySquare { file: self.x, rank: self.y - 1 })
    }
}

/// An element of a line: a move, an end, or neither at the beginning.
#[derive(Deserialize, Default)]
#[serde(default)]
struct ReadElement<'a> {
    comments: Vec<String>,
    #[serde(borrow, rename = "move")]
    mv: Option<&'a RawValue>,
    time: Option<Time>,
    special: Option<String>,
    #[serde(borrow)]
    forks: Vec<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct ReadMove {
    color: Option<u8>,
    from: Option<Place>,
    to: Option<Place>,
    piece: String,
    #[serde(default)]
    same: bool,
    #[serde(default)]
    promote: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct Time {
    now: Clock,
    #[serde(default)]
    total: Clock,
}

#[derive(Serialize, Deserialize, Default, Clone, Copy)]
struct Clock {
    #[serde(default)]
    h: u32,
    #[serde(default)]
    m: u32,
    #[serde(default)]
    s: u32,
}

impl Clock {
    fn seconds(self) -> Option<u32> {
        let minutes = self.h.checked_mul(60)?.checked_add(self.m)?;
        minutes.checked_mul(60)?.checked_add(self.s)
    }
}

/// Reads a record.
///
/// # Errors
///
/// The first thing that is not JSON of this shape, or that the rules do not allow, and variants that are
/// not written in it.
///
/// ```
/// use shogi_rules::Shogi;
/// use shogi_rules::record::{End, jkf, usi};
/// let text = r#"{"header": {}, "moves": [{},
///     {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}},
///     {"special": "CHUDAN"}]}"#;
/// let record = jkf::parse::<Shogi>(text)?;
/// assert_eq!(usi::write(&record), "position startpos moves 7g7f");
/// assert_eq!(record.ending().map(|ending| &ending.end), Some(&End::Interruption));
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

/// Reads all records of a text: one, or one on each line.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_all<R: Recorded>(text: &str) -> Result<Vec<Record<R>>, RecordError> {
    builder::parse_all(text, read_all)
}

fn read_all(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    each_object(text, &mut |object| read(object, builder))
}

/// Whether an object is a record in JKF rather than in the program's own JSON.
pub(super) fn is_jkf(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Probe<'a> {
        #[serde(borrow)]
        header: Option<&'a RawValue>,
        #[serde(borrow)]
        initial: Option<&'a RawValue>,
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let probe = Probe::deserialize(&mut deserializer);
    probe.is_ok_and(|probe| probe.header.is_some() || probe.initial.is_some())
}

fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !builder.vocabulary.csa {
        return Err(error_at(text, text, 0, RecordReason::NotForVariant(Format::Jkf)));
    }
    let read: ReadRecord = serde_json::from_str(text).map_err(|e| json_error(text, text, &e))?;
    builder.finish();
    let (placement, at) = match read.initial {
        Some(raw) => (start(text, raw, builder.vocabulary)?, raw.get()),
        None => (own_start(text, builder.vocabulary)?, text),
    };
    let illegal = |faults| error_at(text, at, 0, RecordReason::Start(faults));
    builder.begin(&placement).map_err(illegal)?;
    builder.set_headers(read.header.0);
    let mut reader = Reader { text, builder, waiting: VecDeque::new() };
    reader.line(0, read.moves)?;
    while let Some((depth, branch, moves)) = reader.waiting.pop_front() {
        reader.builder.branch(branch);
        reader.line(depth, moves)?;
    }
    Ok(())
}

/// The variant's own start.
fn own_start(text: &str, vocabulary: &Vocabulary) -> Result<AnyPlacement, RecordError> {
    let own = sfen::read(vocabulary.start, vocabulary.notation);
    Ok(own.map_err(|e| error_at(text, text, 0, RecordReason::Sfen(e.reason)))?.0)
}

/// The start that a name stands for.
fn preset(name: &str, vocabulary: &Vocabulary) -> Option<AnyPlacement> {
    let (_, kif) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
    let handicap = vocabulary.handicaps.iter().find(|(known, _)| known == kif);
    let own = || (name == PRESETS[0].0).then_some(vocabulary.start);
    let sfen = handicap.map(|&(_, sfen)| sfen).or_else(own)?;
    Some(sfen::read(sfen, vocabulary.notation).ok()?.0)
}

fn start(text: &str, raw: &RawValue, vocabulary: &Vocabulary) -> Result<AnyPlacement, RecordError> {
    let initial: Initial = value(text, raw)?;
    let error = |reason| error_at(text, raw.get(), 0, reason);
    let Some(state) = initial.data else {
        let unknown = || error(RecordReason::UnknownStart(initial.preset.clone()));
        return preset(&initial.preset, vocabulary).ok_or_else(unknown);
    };
    let mut placement = vocabulary.notation.empty();
    placement.side = if state.color == 0 { Colour::Sente } else { Colour::Gote };
    for (x, file) in (1..).zip(&state.board) {
        for (y, square) in (1..).zip(file) {
            let Some(code) = &square.kind else { continue };
            let face = vocabulary.face_of_csa(code);
            let face = face.ok_or_else(|| error(RecordReason::Expected("codes of pieces")))?;
            let colour = if square.color == Some(1) { Colour::Gote } else { Colour::Sente };
            let place = Place { x, y }.square(vocabulary);
            let place = place.ok_or_else(|| error(RecordReason::OffBoard))?;
            *placement.at(place) = Some(Piece { face, colour });
        }
    }
    for (hand, counts) in placement.hands.iter_mut().zip(&state.hands) {
        for (code, count) in counts.0.iter().filter(|(_, count)| *count > 0) {
            let face = vocabulary.face_of_csa(code).filter(|face| !face.promoted);
            let Face { kind, .. } = face.ok_or_else(|| error(RecordReason::NotInHand))?;
            if *count > Hand::capacity(kind) || vocabulary.notation.spec(kind).role == Role::Royal {
                return Err(error(RecordReason::TooLarge));
            }
            hand.set(kind, *count);
        }
    }
    Ok(placement)
}

/// Reads the lines of a record, each after the one that it leaves.
struct Reader<'t, 'b, 'a> {
    text: &'t str,
    builder: &'b mut Builder<'a>,
    /// Lines to be read, each with its depth and the place where it leaves another.
    waiting: VecDeque<(usize, Branch, Vec<&'t RawValue>)>,
}

impl<'t> Reader<'t, '_, '_> {
    fn line(&mut self, depth: usize, elements: Vec<&'t RawValue>) -> Result<(), RecordError> {
        for raw in elements {
            let element: ReadElement = value(self.text, raw)?;
            let place = self.builder.place();
            for fork in element.forks {
                if let (MAX_DEPTH, Some(raw)) = (depth, fork.first()) {
                    return Err(error_at(self.text, raw.get(), 0, RecordReason::TooDeep(depth)));
                }
                self.waiting.push_back((depth + 1, place, fork));
            }
            if let Some(raw) = element.mv {
                self.mv(raw)?;
            }
            if let Some(word) = element.special {
                let end = End::of_word(&word, self.builder.to_move());
                self.builder.end(end, &word);
            }
            self.notes(raw, element.comments, element.time)?;
        }
        Ok(())
    }

    fn notes(
        &mut self,
        raw: &RawValue,
        comments: Vec<String>,
        time: Option<Time>,
    ) -> Result<(), RecordError> {
        let Some(notes) = self.builder.latest() else { return Ok(()) };
        for comment in comments {
            match comment.strip_prefix('&') {
                Some(bookmark) => notes.bookmarks.push(bookmark.to_owned()),
                None => notes.comments.push(comment),
            }
        }
        if let (Some(time), Some(seconds)) = (time, notes.seconds) {
            let now = time.now.seconds();
            let too_large = || error_at(self.text, raw.get(), 0, RecordReason::TooLarge);
            *seconds = Some(now.ok_or_else(too_large)?);
        }
        Ok(())
    }

    fn mv(&mut self, raw: &'t RawValue) -> Result<(), RecordError> {
        let error = |reason| error_at(self.text, raw.get(), 0, reason);
        let read: ReadMove = value(self.text, raw)?;
        let vocabulary = self.builder.vocabulary;
        let square =
            |place: Place| place.square(vocabulary).ok_or_else(|| error(RecordReason::OffBoard));
        self.builder.check_open(&error)?;
        let to = match (read.to, read.same) {
            (Some(place), _) => square(place)?,
            (None, true) => {
                self.builder.last_target().ok_or_else(|| error(RecordReason::NothingBefore))?
            }
            (None, false) => return Err(error(RecordReason::Missing("the target of the move"))),
        };
        let face = vocabulary.face_of_csa(&read.piece);
        let face = face.ok_or_else(|| error(RecordReason::Expected("the code of a piece")))?;
        let side = self.builder.to_move();
        if read.color.is_some_and(|colour| usize::from(colour) != side.index()) {
            return self.builder.refuse(error(RecordReason::WrongSide), raw.get());
        }
        let mv = match read.from {
            None => AnyMove::Drop { face, to },
            Some(place) => {
                let from = square(place)?;
                if self.builder.piece(from) != Some(Piece { face, colour: side }) {
                    return self.builder.refuse(error(RecordReason::WrongPiece), raw.get());
                }
                AnyMove::Board { from, to, turn: read.promote.unwrap_or(false) }
            }
        };
        self.builder.push(mv, &error)
    }
}

/// Writes a record on one line. Of several headers of one name only the last is kept.
///
/// # Errors
///
/// Where the variant is not written in it.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, Vocabulary::of::<R>())
}

/// The headers that are written: one of each name.
pub(super) fn headers(record: &dyn AnyRecord) -> Vec<(String, String)> {
    let all = record.headers();
    let is_last = |at: usize| !all[at + 1..].iter().any(|(key, _)| *key == all[at].0);
    (0..all.len()).filter(|&at| is_last(at)).map(|at| all[at].clone()).collect()
}

#[derive(Serialize)]
struct WrittenMove {
    color: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Place>,
    to: Place,
    piece: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promote: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

/// An element without its forks.
#[derive(Serialize)]
struct WrittenElement {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "move")]
    mv: Option<WrittenMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    special: Option<String>,
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    if !vocabulary.csa {
        return Err(WriteError::NotForVariant(Format::Jkf));
    }
    let mut text = format!("{{\"header\":{}", text_of(&Headers(headers(record))));
    text.extend([",\"initial\":", &text_of(&initial(&record.start(), vocabulary))]);
    let opening = element(record.notes(), None, None);
    text.extend([",\"moves\":[", &text_of(&opening)]);
    let writer = Writer { record, lines: elements(record, vocabulary) };
    writer.lines_from(&mut text);
    text.push_str("]}");
    Ok(text)
}

fn initial(start: &AnyPlacement, vocabulary: &Vocabulary) -> Initial {
    let named = PRESETS
        .iter()
        .find(|(name, _)| preset(name, vocabulary).is_some_and(|placement| placement == *start));
    // What HIRATE means on another board, other programs do not know.
    let is_standard = !vocabulary.handicaps.is_empty();
    if let (Some((name, _)), true) = (named, is_standard) {
        return Initial { preset: (*name).to_owned(), data: None };
    }
    let notation = vocabulary.notation;
    let square = |file, rank| match start.piece(AnySquare { file, rank }) {
        None => Square::default(),
        Some(Piece { face, colour }) => {
            let kind = Some(vocabulary.csa_of(face).to_owned());
            Square { color: Some(colour.index() as u8), kind }
        }
    };
    let file = |file| (0..notation.height).map(|rank| square(file, rank)).collect();
    let hand = |hand: &Hand| {
        let code = |kind| vocabulary.csa_of(Face::front(kind)).to_owned();
        let held = notation.kinds().filter(|&kind| notation.spec(kind).role != Role::Royal);
        Counts(held.map(|kind| (code(kind), hand.count(kind))).collect())
    };
    let board = (1..=notation.width).map(file).collect();
    let hands = start.hands.iter().map(hand).collect();
    let color = start.side.index() as u8;
    Initial { preset: OTHER.to_owned(), data: Some(State { color, board, hands }) }
}

/// An element with comments and bookmarks.
fn element(notes: Notes, mv: Option<WrittenMove>, time: Option<Time>) -> WrittenElement {
    let bookmarks = notes.bookmarks.iter().map(|bookmark| format!("&{bookmark}"));
    let comments = notes.comments.iter().cloned().chain(bookmarks).collect();
    WrittenElement { comments, mv, time, special: None }
}

/// The elements of a line that are written.
#[derive(Clone, Default)]
struct Elements {
    /// Each as an object that is not closed; the end with the illegal move before it comes last.
    texts: Vec<String>,
    /// The last move again, without more, for lines that go on behind it.
    repeated: String,
    moves: usize,
    /// Each player's seconds before each move and behind the last.
    totals: Vec<[u32; 2]>,
}

/// The elements of all lines.
fn elements(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Vec<Elements> {
    let order = record.order();
    let mut lines = vec![Elements::default(); order.iter().max().map_or(0, |last| last + 1)];
    for number in order {
        let line = record.line(number);
        let totals = line.branch.map_or([0; 2], |Branch { line, at }| lines[line].totals[at]);
        let mut elements = Elements { totals: vec![totals], ..Elements::default() };
        let mut last = line.target_before;
        record.for_each_move(number, &mut |position, mv, notes| {
            elements.push_move(position, mv, last, notes, vocabulary);
            last = Some(mv.to());
        });
        elements.moves = elements.texts.len();
        if let Some(ending) = record.ending(number) {
            elements.push_ending(record.last(number), &ending, last, vocabulary);
        }
        lines[number] = elements;
    }
    lines
}

impl Elements {
    /// Adds the time of a player to the totals.
    fn time(&mut self, player: Colour, seconds: Option<u32>) -> Option<Time> {
        let mut totals = self.totals.last().copied().unwrap_or_default();
        let total = &mut totals[player.index()];
        *total = total.saturating_add(seconds.unwrap_or(0));
        let clock =
            |seconds: u32| Clock { h: seconds / 3600, m: seconds / 60 % 60, s: seconds % 60 };
        let time = seconds.map(|seconds| Time { now: clock(seconds), total: clock(*total) });
        self.totals.push(totals);
        time
    }

    fn push(&mut self, element: &WrittenElement) {
        let mut text = text_of(element);
        text.pop();
        self.texts.push(text);
    }

    fn push_move(
        &mut self,
        position: &dyn AnyPosition,
        mv: AnyMove,
        last: Option<AnySquare>,
        notes: Notes,
        vocabulary: &Vocabulary,
    ) {
        let time = self.time(position.side(), notes.seconds);
        let written = || written_move(position, mv, last, vocabulary);
        self.push(&element(notes, Some(written()), time));
        let bare = Notes { comments: &[], bookmarks: &[], seconds: None };
        self.repeated = text_of(&element(bare, Some(written()), None));
    }

    fn push_ending(
        &mut self,
        position: &dyn AnyPosition,
        ending: &AnyEnding,
        last: Option<AnySquare>,
        vocabulary: &Vocabulary,
    ) {
        let AnyEnding { end, by, illegal_move, notes, .. } = ending;
        let mut to_move = position.side();
        if let Some((mv, notes)) = illegal_move.filter(|(mv, _)| is_named(position, *mv)) {
            self.push_move(position, mv, last, notes, vocabulary);
            to_move = !to_move;
        }
        if !end.is_told_by_turn(*by, to_move) {
            return;
        }
        let time = self.time(to_move, notes.seconds);
        let special = match end {
            // The sign of CSA is left to the player to move.
            End::Foul if *by == Some(!to_move) => OFFENCE.to_owned(),
            End::SealedMove => end.word().to_owned(),
            _ => end.csa(*by, to_move).unwrap_or_else(|| end.kif(*by, to_move).to_owned()),
        };
        self.push(&WrittenElement { special: Some(special), ..element(*notes, None, time) });
    }
}

fn written_move(
    position: &dyn AnyPosition,
    mv: AnyMove,
    last: Option<AnySquare>,
    vocabulary: &Vocabulary,
) -> WrittenMove {
    let code = |face| vocabulary.csa_of(face).to_owned();
    let (from, face, promote) = match mv {
        AnyMove::Drop { face, .. } => (None, Some(face), None),
        AnyMove::Board { from, to, turn } => {
            let could = turn || position.is_legal(AnyMove::Board { from, to, turn: true });
            (Some(from), position.piece(from).map(|piece| piece.face), could.then_some(turn))
        }
    };
    WrittenMove {
        color: position.side().index(),
        from: from.map(Place::of),
        to: Place::of(mv.to()),
        piece: face.map(code).unwrap_or_default(),
        same: (last == Some(mv.to())).then_some(true),
        promote,
        capture: from.and_then(|_| position.piece(mv.to())).map(|piece| code(piece.face)),
        relative: ki2::relative(position, mv, vocabulary),
    }
}

/// What is to be written next: variations may lie in each other to any depth, so that no function can
/// call itself for each.
enum Next<'t> {
    Text(&'t str),
    /// An element of a line with what follows in it; a comma comes before it unless it is the first.
    From {
        place: Branch,
        is_first: bool,
    },
}

struct Writer<'r> {
    record: &'r dyn AnyRecord,
    lines: Vec<Elements>,
}

impl Writer<'_> {
    /// Writes all elements behind the first.
    fn lines_from(&self, out: &mut String) {
        let mut next = vec![Next::From { place: Branch { line: 0, at: 0 }, is_first: false }];
        while let Some(one) = next.pop() {
            match one {
                Next::Text(text) => out.push_str(text),
                Next::From { place, is_first } => self.write(place, is_first, &mut next, out),
            }
        }
    }

    /// Writes the element at a place, and puts off its forks and what follows it.
    fn write<'s>(
        &'s self,
        place: Branch,
        is_first: bool,
        next: &mut Vec<Next<'s>>,
        out: &mut String,
    ) {
        let Branch { line, at } = place;
        let elements = &self.lines[line];
        // Without a move or an end there is nothing but the lines that begin here.
        let is_bare = elements.texts.is_empty();
        let instead = self.record.variations(place);
        if at >= elements.texts.len() && (!is_bare || instead.is_empty()) {
            return;
        }
        out.push_str(if is_first { "" } else { "," });
        out.push_str(elements.texts.get(at).map_or("{\"comments\":[]", String::as_str));
        if at + 1 < elements.texts.len() {
            next.push(Next::From { place: Branch { line, at: at + 1 }, is_first: false });
        }
        next.push(Next::Text("}"));
        // What goes on behind the last move, where no end stands in that place.
        let is_last = at + 1 == elements.moves && elements.moves == elements.texts.len();
        let behind = Branch { line, at: at + 1 };
        let behind = if is_last { self.record.variations(behind) } else { Vec::new() };
        if instead.is_empty() && behind.is_empty() {
            return;
        }
        next.push(Next::Text("]"));
        let all: Vec<_> = instead
            .into_iter()
            .map(|number| (number, false))
            .chain(behind.into_iter().map(|number| (number, true)))
            .collect();
        for (i, (number, repeats)) in all.into_iter().enumerate().rev() {
            next.push(Next::Text("]"));
            let place = Branch { line: number, at: 0 };
            next.push(Next::From { place, is_first: !repeats });
            next.push(Next::Text(if repeats { &elements.repeated } else { "" }));
            next.push(Next::Text(if i > 0 { ",[" } else { "[" }));
        }
        next.push(Next::Text(",\"forks\":["));
    }
}
