//! KI2, the notation of books and newspapers: `▲７六歩 △３四歩`.
//!
//! A move does not name its origin. If several pieces of the same name reach the target, words distinguish
//! them: the motion 上 寄 引 (forward, sideways, back) if it is enough, else the side 右 左 直 (from the right, from
//! the left, straight ahead) from the mover's view, else both. A horse or dragon may stand straight behind the
//! target and yet be the right one of two; for these the side may be the order among the pieces. 打 marks a drop
//! only if a piece on the board could also go there, 不成 a move that could have promoted.
//!
//! In standard shogi these words always suffice. In variants with more than two horses or dragons they may not,
//! and then the record cannot be written. Reading looks for the legal move that fits: needless words are
//! allowed, and words that fit several moves are an error. The line that begins with まで gives the end of the
//! game, also in variations. Variations are as in [KIF](super::kif).

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Promotion, Step};

use super::any::{AnyEnding, AnyPosition, AnyRecord, Notes};
use super::builder::{self, Builder};
use super::cursor::Cursor;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    Play, mark, mark_in, players, read_mark, read_target, starts_with_mark, turns, write_notes,
    write_opening, write_target, write_variation,
};
use super::left_out::holds_line;
use super::names::{Recorded, Vocabulary};
use super::{Format, Record, kakinoki, summary};
use shogi_core::plain::{AnyMove, AnySquare};

const PLAY: Play = Play {
    format: Format::Ki2,
    has_moves: starts_with_mark,
    player_of: |line, _, _| mark_in(line),
    read: read_line,
};
/// The number of moves on a line.
const MOVES_ON_A_LINE: usize = 6;

/// The side from which a piece comes, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Right,
    Left,
    /// From straight behind the target.
    Straight,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    Forward,
    Sideways,
    Back,
}

/// The words that distinguish pieces of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Words {
    side: Option<Side>,
    motion: Option<Motion>,
}

impl Words {
    const fn written(self) -> [&'static str; 2] {
        let side = match self.side {
            None => "",
            Some(Side::Right) => "右",
            Some(Side::Left) => "左",
            Some(Side::Straight) => "直",
        };
        let motion = match self.motion {
            None => "",
            Some(Motion::Forward) => "上",
            Some(Motion::Sideways) => "寄",
            Some(Motion::Back) => "引",
        };
        [side, motion]
    }
}

/// Pieces of one name that reach a square.
struct Candidates {
    from: Vec<AnySquare>,
    to: AnySquare,
    mover: Colour,
    /// Whether the side means the order among the pieces: for horses, dragons and other pieces that may reach a
    /// square from one side in several ways.
    among: bool,
}

impl Candidates {
    /// The pieces of the player to move that show a face and attack a square.
    fn new(position: &dyn AnyPosition, vocabulary: &Vocabulary, face: Face, to: AnySquare) -> Self {
        let from = position.attackers(face, to);
        let movement = vocabulary.notation.movement(face);
        let among =
            movement.is_some_and(|m| m.slides() && (m.step != Step::None || m.is_special()));
        Self { from, to, mover: position.side(), among }
    }

    fn motion(&self, from: AnySquare) -> Motion {
        match (from.rank.cmp(&self.to.rank), self.mover) {
            (core::cmp::Ordering::Equal, _) => Motion::Sideways,
            (core::cmp::Ordering::Greater, Colour::Sente)
            | (core::cmp::Ordering::Less, Colour::Gote) => Motion::Forward,
            _ => Motion::Back,
        }
    }

    /// The number of columns to the right of the target, from the mover's view.
    fn offset(&self, from: AnySquare) -> i8 {
        let right = self.to.file as i8 - from.file as i8;
        if self.mover == Colour::Sente { right } else { -right }
    }

    /// The pieces that the words fit.
    fn fitting(&self, words: Words) -> Vec<AnySquare> {
        let mut moving = self.from.clone();
        if let Some(motion) = words.motion {
            moving.retain(|&from| self.motion(from) == motion);
        }
        let offsets = || moving.iter().map(|&from| self.offset(from));
        let (side, outermost): (fn(i8) -> bool, _) = match words.side {
            None => return moving,
            Some(Side::Straight) => {
                let straight =
                    |&from: &_| self.offset(from) == 0 && self.motion(from) == Motion::Forward;
                moving.retain(straight);
                return moving;
            }
            Some(Side::Right) => (|offset| offset > 0, offsets().max()),
            Some(Side::Left) => (|offset| offset < 0, offsets().min()),
        };
        if self.among && !offsets().any(side) {
            moving.retain(|&from| Some(self.offset(from)) == outermost);
        } else {
            moving.retain(|&from| side(self.offset(from)));
        }
        moving
    }

    /// The words for one piece; `None` if no words distinguish it from the others.
    fn words(&self, from: AnySquare) -> Option<Words> {
        if self.from == [from] {
            return Some(Words::default());
        }
        let own = Some(self.motion(from));
        let sides: &[Side] = match (self.offset(from), own) {
            (1.., _) => &[Side::Right],
            (..=-1, _) => &[Side::Left],
            (0, _) if self.among => &[Side::Right, Side::Left, Side::Straight],
            (0, Some(Motion::Forward)) => &[Side::Straight],
            (0, _) => &[],
        };
        let sides = || sides.iter().copied().map(Some);
        let choices = core::iter::once(Words { side: None, motion: own })
            .chain(sides().map(|side| Words { side, motion: None }))
            .chain(sides().map(|side| Words { side, motion: own }));
        choices.into_iter().find(|&words| self.fitting(words) == [from])
    }
}

/// Reads a record; of a text with several, the first.
///
/// # Errors
///
/// The first part of the text that is not KI2, that breaks the rules, or that may mean several moves.
///
/// ```
/// use shogi_rules::Shogi;
/// use shogi_records::{RecordReason, ki2, usi};
/// let record = ki2::parse::<Shogi>("▲５八金右 △３四歩\nまで2手で中断\n")?;
/// assert_eq!(usi::write(&record), "position startpos moves 4i5h 3c3d");
/// let error = ki2::parse::<Shogi>("▲５八金").unwrap_err();
/// assert_eq!((error.line, error.column, error.reason), (1, 2, RecordReason::Ambiguous));
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read)
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), RecordError> {
    kakinoki::read(text, &PLAY, builder)
}

/// Reads a line with moves.
fn read_line(builder: &mut Builder, mut line: Cursor) -> Result<(), RecordError> {
    while !line.is_at_end() {
        builder.check_open(&|reason| line.error(reason))?;
        let words = line;
        if let Err(error) = read_move(builder, &mut line) {
            skip_to_mark(&mut line);
            builder.refuse(error, words.before(line))?;
        }
        line.skip_spaces();
    }
    Ok(())
}

/// Skips to the next mark: 同 may be followed by a space.
fn skip_to_mark(line: &mut Cursor) {
    while !line.is_at_end() && !starts_with_mark(line.rest()) {
        line.next();
    }
}

/// Reads a move; its origin may follow in brackets, as in KIF.
pub(super) fn read_move(builder: &mut Builder, line: &mut Cursor) -> Result<(), RecordError> {
    read_mark(builder, line)?;
    let vocabulary = builder.vocabulary;
    let start = *line;
    let to = read_target(builder, line)?;
    let face = vocabulary.read_face(line)?;
    let Said { words, turn, dropped } = read_words(line);
    let origin = if line.eat("(") { Some(vocabulary.read_square(line)?) } else { None };
    if origin.is_some() && !line.eat(")") {
        return Err(line.expected("a closing bracket"));
    }
    let position = builder.position(start)?;
    let all = Candidates::new(position, vocabulary, face, to);
    let fitting = |candidates: &Candidates| {
        let mut fitting = candidates.fitting(words);
        fitting.retain(|&from| origin.is_none_or(|origin| from == origin));
        fitting
    };
    // Illegal moves need no words to distinguish them from legal ones.
    let mut own = Candidates { from: all.from.clone(), ..all };
    own.from.retain(|&from| is_open(position, from, to));
    let mut from = fitting(&own);
    let is_bare = words == Words::default() && turn.is_none();
    let may_drop = || all.from.is_empty() || position.is_legal(AnyMove::Drop { face, to });
    let drops = dropped || (own.from.is_empty() && is_bare && may_drop());
    if from.is_empty() && !dropped {
        // It may be the illegal move that ends the game.
        from = fitting(&all);
    }
    let mv = match (drops, from.as_slice()) {
        (true, _) => AnyMove::Drop { face, to },
        (false, []) => return Err(start.error(RecordReason::NoSuchMove)),
        (false, &[from]) => {
            let turn = turns(position, vocabulary, from, to, turn);
            AnyMove::Board { from, to, turn }
        }
        (false, _) => return Err(start.error(RecordReason::Ambiguous)),
    };
    builder.push(mv, &|reason| start.error(reason))
}

/// The words of a move after its piece.
struct Said {
    words: Words,
    turn: Option<bool>,
    dropped: bool,
}

fn read_words(line: &mut Cursor) -> Said {
    let mut said = Said { words: Words::default(), turn: None, dropped: false };
    loop {
        match line.peek() {
            Some('右') => said.words.side = Some(Side::Right),
            Some('左') => said.words.side = Some(Side::Left),
            Some('直') => said.words.side = Some(Side::Straight),
            Some('上' | '行') => said.words.motion = Some(Motion::Forward),
            Some('寄') => said.words.motion = Some(Motion::Sideways),
            Some('引') => said.words.motion = Some(Motion::Back),
            Some('打') => said.dropped = true,
            Some('成' | '不') => {
                said.turn = kakinoki::read_turn(line);
                if said.turn.is_some() {
                    continue;
                }
                return said;
            }
            _ => return said,
        }
        line.next();
    }
}

/// Whether a board move is legal, with or without turning the piece.
fn is_open(position: &dyn AnyPosition, from: AnySquare, to: AnySquare) -> bool {
    [false, true].into_iter().any(|turn| position.is_legal(AnyMove::Board { from, to, turn }))
}

/// Writes a record. Times are left out, and so are headers that would be read back as another line; headers
/// lose spaces around their values.
///
/// # Errors
///
/// If words do not distinguish a move from others, or the board has more than nine files or ranks.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, &Vocabulary::of::<R>())
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    if !vocabulary.is_of_digits() {
        return Err(WriteError::NotForVariant(Format::Ki2));
    }
    let mut text = String::new();
    write_opening(record, vocabulary, "", &mut text);
    for number in record.order() {
        if !holds_line(record, number, vocabulary, Format::Ki2) {
            continue;
        }
        let line = record.line(number);
        if line.branch.is_some() {
            write_variation(line.before + 1, &mut text);
        }
        let last = line.target_before;
        let (out, number_of_first) = (&mut text, line.before + 1);
        let mut moves = Moves {
            vocabulary,
            out,
            last,
            number: number_of_first,
            on_this_line: 0,
            ambiguous: None,
        };
        record.for_each_move(number, &mut |position, mv, notes| moves.write(position, mv, notes));
        let ending = record.ending(number);
        let illegal = ending.as_ref().and_then(|ending| ending.illegal_move);
        let illegal = illegal.filter(|(mv, _)| has_words(record.last(number), *mv, vocabulary));
        if let Some((mv, notes)) = illegal {
            moves.write(record.last(number), mv, notes);
        }
        moves.finish()?;
        let after = usize::from(illegal.is_some());
        let side = record.last(number).side();
        let to_move = if illegal.is_some() { !side } else { side };
        let held = ending.filter(|one| summary::can_hold(one.end, one.by, to_move));
        if let Some(AnyEnding { end, by, notes, .. }) = held {
            let players = players(record, vocabulary);
            let moves = line.before + line.len + after;
            text.push_str(&summary::written(end, by, moves, to_move, players));
            write_notes(notes, &mut text);
        }
    }
    Ok(text)
}

/// The moves of a line that are being written.
struct Moves<'a> {
    vocabulary: &'a Vocabulary,
    out: &'a mut String,
    /// The target of the previous move.
    last: Option<AnySquare>,
    /// The number of the next move.
    number: usize,
    on_this_line: usize,
    /// The first move that words do not distinguish from others.
    ambiguous: Option<usize>,
}

impl Moves<'_> {
    fn write(&mut self, position: &dyn AnyPosition, mv: AnyMove, notes: Notes) {
        if self.on_this_line > 0 {
            self.out.push_str("  ");
        }
        self.out.push_str(mark(position.side()));
        if write_move(position, mv, self.last, self.vocabulary, self.out).is_none() {
            self.ambiguous = self.ambiguous.or(Some(self.number));
        }
        self.number += 1;
        self.last = Some(mv.to());
        self.on_this_line += 1;
        let is_noted = !notes.comments.is_empty() || !notes.bookmarks.is_empty();
        if self.on_this_line == MOVES_ON_A_LINE || is_noted {
            self.out.push('\n');
            self.on_this_line = 0;
        }
        write_notes(notes, self.out);
    }

    fn finish(self) -> Result<(), WriteError> {
        if self.on_this_line > 0 {
            self.out.push('\n');
        }
        self.ambiguous.map_or(Ok(()), |number| Err(WriteError::Ambiguous(number)))
    }
}

/// Whether words distinguish a move from others.
pub(super) fn has_words(position: &dyn AnyPosition, mv: AnyMove, vocabulary: &Vocabulary) -> bool {
    write_move(position, mv, None, vocabulary, &mut String::new()).is_some()
}

/// The code of JKF for the words that distinguish a move from others, if it needs any.
pub(super) fn relative(
    position: &dyn AnyPosition,
    mv: AnyMove,
    vocabulary: &Vocabulary,
) -> Option<String> {
    match mv {
        AnyMove::Drop { face, to } => {
            (!position.attackers(face, to).is_empty()).then(|| "H".into())
        }
        AnyMove::Board { from, to, .. } => {
            let face = position.piece(from)?.face;
            let words = Candidates::new(position, vocabulary, face, to).words(from)?;
            let side = words.side.map(|side| match side {
                Side::Left => 'L',
                Side::Straight => 'C',
                Side::Right => 'R',
            });
            let motion = words.motion.map(|motion| match motion {
                Motion::Forward => 'U',
                Motion::Sideways => 'M',
                Motion::Back => 'D',
            });
            let letters: String = side.into_iter().chain(motion).collect();
            (!letters.is_empty()).then_some(letters)
        }
    }
}

/// Writes a move; `last` is the target of the previous move. `None` if no words distinguish the move from
/// others.
pub(super) fn write_move(
    position: &dyn AnyPosition,
    mv: AnyMove,
    last: Option<AnySquare>,
    vocabulary: &Vocabulary,
    out: &mut String,
) -> Option<()> {
    write_target(last, mv.to(), out);
    match mv {
        AnyMove::Drop { face, to } => {
            vocabulary.write_word(face, out);
            if !position.attackers(face, to).is_empty() {
                out.push('打');
            }
        }
        AnyMove::Board { from, to, turn } => {
            let face = position.piece(from)?.face;
            vocabulary.write_word(face, out);
            out.extend(Candidates::new(position, vocabulary, face, to).words(from)?.written());
            let could_turn = || position.is_legal(AnyMove::Board { from, to, turn: true });
            if turn {
                out.push('成');
            } else if vocabulary.notation.promotion == Promotion::Optional && could_turn() {
                out.push_str("不成");
            }
        }
    }
    Some(())
}
