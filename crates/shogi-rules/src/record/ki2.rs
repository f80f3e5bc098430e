//! KI2, the notation of books and newspapers: `▲７六歩 △３四歩`.
//!
//! A move does not name its origin. Where several pieces of the same name reach the target, words
//! tell them apart: the motion 上 寄 引 (forward, sideways, back) if it is enough, else the side 右
//! 左 直 (from the right, from the left, straight ahead) as the mover sees it, else both. For horses
//! and dragons, where one may stand straight behind the target and yet be the right one of two, the
//! side is that among the pieces if need be. 打 marks a drop only where a piece on the board could
//! also go, 不成 a move that could have promoted.
//!
//! In standard shogi these words always suffice. In variants with more than two horses or dragons
//! they may not, and such a record cannot be written. A record is read by the legal moves: words
//! that are not needed may stand, and one that leaves several moves is an error. The end of the
//! game is read from the line that begins with まで.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Promotion, Slide, Step};

use super::any::{AnyPosition, AnyRecord, Reading};
use super::cursor::Cursor;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    Play, mark, player, players, push, read_mark, read_target, starts_with_mark, turns,
    write_comments, write_opening, write_target,
};
use super::names::{Recorded, Vocabulary};
use super::{End, Record, any, kakinoki};
use crate::plain::{AnyMove, AnySquare};

const PLAY: Play =
    Play { is_play: |line| starts_with_mark(line) || line.starts_with("まで"), read: read_line };
/// How many moves stand on a line.
const MOVES_ON_A_LINE: usize = 6;

/// Where a piece comes from, seen from the mover.
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

/// The words that tell pieces of the same name apart.
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
    /// Whether the side is that among the pieces: for horses and dragons.
    among: bool,
}

impl Candidates {
    /// The pieces of the player to move that show this face and attack the square.
    fn new(position: &dyn AnyPosition, vocabulary: &Vocabulary, face: Face, to: AnySquare) -> Self {
        let from = position.attackers(face, to);
        let movement = vocabulary.notation.movement(face);
        let among = movement.is_some_and(|m| m.slide != Slide::None && m.step != Step::None);
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

    /// Columns to the right of the target, as the mover sees it.
    fn offset(&self, from: AnySquare) -> i8 {
        let right = self.to.file as i8 - from.file as i8;
        if self.mover == Colour::Sente { right } else { -right }
    }

    /// Those that the words fit.
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

    /// The words for one of them; `None` where none tell it from the others.
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

/// Reads a record.
///
/// # Errors
///
/// The first thing that is not KI2, that the rules do not allow, or that may mean several moves.
///
/// ```
/// use shogi_rules::Shogi;
/// use shogi_rules::record::{RecordReason, ki2, usi};
/// let record = ki2::parse::<Shogi>("▲５八金右 △３四歩\nまで2手で中断\n")?;
/// assert_eq!(usi::write(&record), "position startpos moves 4i5h 3c3d");
/// let error = ki2::parse::<Shogi>("▲５八金").unwrap_err();
/// assert_eq!((error.line, error.column, error.reason), (1, 2, RecordReason::Ambiguous));
/// # Ok::<(), shogi_rules::record::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    any::parse(text, read)
}

fn read(text: &str, vocabulary: &Vocabulary, reading: &mut dyn Reading) -> Result<(), RecordError> {
    kakinoki::read(text, vocabulary, &PLAY, reading)
}

/// Reads a line with moves or the end.
fn read_line(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    mut line: Cursor,
) -> Result<(), RecordError> {
    if line.rest().starts_with("まで") {
        return read_summary(record, line);
    }
    while !line.is_at_end() {
        read_move(record, vocabulary, &mut line)?;
        line.skip_spaces();
    }
    Ok(())
}

fn read_move(
    record: &mut dyn AnyRecord,
    vocabulary: &Vocabulary,
    line: &mut Cursor,
) -> Result<(), RecordError> {
    read_mark(record, line)?;
    let start = *line;
    let to = read_target(record, vocabulary, line)?;
    let face = vocabulary.read_face(line)?;
    let mut words = Words::default();
    let (mut said, mut dropped) = (None, false);
    loop {
        match line.peek() {
            Some('右') => words.side = Some(Side::Right),
            Some('左') => words.side = Some(Side::Left),
            Some('直') => words.side = Some(Side::Straight),
            Some('上' | '行') => words.motion = Some(Motion::Forward),
            Some('寄') => words.motion = Some(Motion::Sideways),
            Some('引') => words.motion = Some(Motion::Back),
            Some('打') => dropped = true,
            Some('成' | '不') => {
                said = kakinoki::read_turn(line);
                if said.is_some() {
                    continue;
                }
                break;
            }
            _ => break,
        }
        line.next();
    }
    let mut own = Candidates::new(record.last(), vocabulary, face, to);
    // What is not legal needs no word to be told from what is.
    own.from.retain(|&from| is_open(record.last(), from, to));
    let mut fitting = own.fitting(words);
    if line.eat("(") {
        let origin = vocabulary.read_square(line)?;
        fitting.retain(|&from| from == origin);
        if !line.eat(")") {
            return Err(line.expected("a closing bracket"));
        }
    }
    let drops = dropped || (own.from.is_empty() && words == Words::default() && said.is_none());
    let mv = match (drops, fitting.as_slice()) {
        (true, _) => AnyMove::Drop { face, to },
        (false, []) => return Err(start.error(RecordReason::NoSuchMove)),
        (false, &[from]) => {
            AnyMove::Board { from, to, turn: turns(record, vocabulary, from, to, said) }
        }
        (false, _) => return Err(start.error(RecordReason::Ambiguous)),
    };
    push(record, vocabulary, mv, start)
}

/// Whether a board move is legal, turning the piece or not.
fn is_open(position: &dyn AnyPosition, from: AnySquare, to: AnySquare) -> bool {
    [false, true].into_iter().any(|turn| position.is_legal(AnyMove::Board { from, to, turn }))
}

/// Reads how the game ended: まで, the number of moves, and the result.
fn read_summary(record: &mut dyn AnyRecord, mut line: Cursor) -> Result<(), RecordError> {
    if record.ending().is_some() {
        return Err(line.error(RecordReason::AfterEnd));
    }
    line.eat("まで");
    line.eat("、");
    if line.number().is_some() {
        line.eat("手で");
    }
    line.skip_spaces();
    let words = line.rest().trim_end();
    let to_move = record.last().side();
    let winner = if words.ends_with("反則負け") {
        player(words).map(|loser| !loser)
    } else {
        player(words)
    };
    let end = if words.starts_with("時間切れ") {
        Some(End::TimeUp)
    } else if words.ends_with("反則勝ち") || words.ends_with("反則負け") {
        let default = if words.ends_with("反則勝ち") { to_move } else { !to_move };
        let won = winner.unwrap_or(default) == to_move;
        Some(if won { End::OpponentFoul } else { End::Foul })
    } else if words.ends_with("入玉勝ち") {
        Some(End::Declaration)
    } else if words.ends_with("勝ち") {
        Some(End::Resignation)
    } else {
        End::from_kif(words)
    };
    let end = end.ok_or_else(|| line.expected("how the game ended"))?;
    record.end(end.into());
    Ok(())
}

/// The line that tells how the game ended after so many moves.
pub(super) fn summary(end: End, moves: usize, to_move: Colour, players: [&str; 2]) -> String {
    let (next, other) = (players[to_move.index()], players[(!to_move).index()]);
    let result = match end {
        End::Resignation => format!("{other}の勝ち"),
        End::TimeUp => format!("時間切れにより{other}の勝ち"),
        End::Declaration | End::OpponentFoul | End::Foul => {
            format!("{next}の{}", end.kif())
        }
        _ => end.kif().into(),
    };
    format!("まで{moves}手で{result}\n")
}

/// Writes a record. Times are left out, and headers lose spaces around their values.
///
/// # Errors
///
/// A header that would be read back as another line, or a move that words do not tell from others.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    written(record, Vocabulary::of::<R>())
}

fn written(record: &dyn AnyRecord, vocabulary: &Vocabulary) -> Result<String, WriteError> {
    let mut text = String::new();
    write_opening(record, vocabulary, "", &mut text)?;
    let mut last = None;
    let (mut number, mut on_this_line) = (0, 0);
    let mut ambiguous = None;
    record.for_each_move(&mut |position, mv, notes| {
        number += 1;
        if on_this_line > 0 {
            text.push_str("  ");
        }
        text.push_str(mark(position.side()));
        if write_move(position, mv, last, vocabulary, &mut text).is_none() {
            ambiguous = ambiguous.or(Some(number));
        }
        last = Some(mv.to());
        on_this_line += 1;
        if on_this_line == MOVES_ON_A_LINE || !notes.comments.is_empty() {
            text.push('\n');
            on_this_line = 0;
        }
        write_comments(notes.comments, &mut text);
    });
    if let Some(number) = ambiguous {
        return Err(WriteError::Ambiguous(number));
    }
    if on_this_line > 0 {
        text.push('\n');
    }
    if let Some(ending) = record.ending() {
        let players = players(record, vocabulary);
        text.push_str(&summary(ending.end, record.len(), record.last().side(), players));
        write_comments(&ending.comments, &mut text);
    }
    Ok(text)
}

/// Writes a move, `last` being the target of the one before; `None` where no words tell it from others.
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
