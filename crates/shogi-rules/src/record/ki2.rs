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

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Move, Position, Promotion, Slide, Square, Step,
};

use super::cursor::Cursor;
use super::error::{RecordError, RecordReason, WriteError};
use super::kakinoki::{
    mark, player, players, push, read_mark, read_target, starts_with_mark, turns, write_comments,
    write_opening, write_target,
};
use super::names::{Recorded, read_face, read_square, write_word};
use super::{End, Record, kakinoki};

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
struct Candidates<G: Geometry> {
    from: Bitboard<G>,
    to: Square<G>,
    mover: Colour,
    /// Whether the side is that among the pieces: for horses and dragons.
    among: bool,
}

impl<G: Geometry> Candidates<G> {
    fn motion(&self, from: Square<G>) -> Motion {
        match (from.rank().cmp(&self.to.rank()), self.mover) {
            (core::cmp::Ordering::Equal, _) => Motion::Sideways,
            (core::cmp::Ordering::Greater, Colour::Sente)
            | (core::cmp::Ordering::Less, Colour::Gote) => Motion::Forward,
            _ => Motion::Back,
        }
    }

    /// Columns to the right of the target, as the mover sees it.
    fn offset(&self, from: Square<G>) -> i8 {
        let right = from.column() as i8 - self.to.column() as i8;
        if self.mover == Colour::Sente { right } else { -right }
    }

    fn only(&self, keep: impl Fn(Square<G>) -> bool) -> Self {
        Self { from: self.from.iter().filter(|&from| keep(from)).collect(), ..*self }
    }

    /// Those that the words fit.
    fn fitting(&self, words: Words) -> Bitboard<G> {
        let moving = match words.motion {
            None => self.only(|_| true),
            Some(motion) => self.only(|from| self.motion(from) == motion),
        };
        let offsets = || moving.from.iter().map(|from| self.offset(from));
        let (side, outermost): (fn(i8) -> bool, _) = match words.side {
            None => return moving.from,
            Some(Side::Straight) => {
                return moving
                    .only(|from| self.offset(from) == 0 && self.motion(from) == Motion::Forward)
                    .from;
            }
            Some(Side::Right) => (|offset| offset > 0, offsets().max()),
            Some(Side::Left) => (|offset| offset < 0, offsets().min()),
        };
        let aside = moving.only(|from| side(self.offset(from))).from;
        if aside.is_empty() && self.among {
            return moving.only(|from| Some(self.offset(from)) == outermost).from;
        }
        aside
    }

    /// The words for one of them; `None` where none tell it from the others.
    fn words(&self, from: Square<G>) -> Option<Words> {
        let one = Bitboard::of(from);
        if self.from == one {
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
        choices.into_iter().find(|&words| self.fitting(words) == one)
    }
}

/// The pieces of the player to move that show this face and attack the square.
fn candidates<R: Recorded>(
    position: &Position<R>,
    face: Face,
    to: Square<R::Geometry>,
) -> Candidates<R::Geometry> {
    let mover = position.side();
    let from = position.attackers(to, mover, position.occupied()) & position.face(face);
    let among = face
        .movement::<R>()
        .is_some_and(|movement| movement.slide != Slide::None && movement.step != Step::None);
    Candidates { from, to, mover, among }
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
    kakinoki::parse(text, |line| starts_with_mark(line) || line.starts_with("まで"), read_line)
}

/// Reads a line with moves or the end.
fn read_line<R: Recorded>(record: &mut Record<R>, mut line: Cursor) -> Result<(), RecordError> {
    if line.rest().starts_with("まで") {
        return read_summary(record, line);
    }
    while !line.is_at_end() {
        read_move(record, &mut line)?;
        line.skip_spaces();
    }
    Ok(())
}

fn read_move<R: Recorded>(record: &mut Record<R>, line: &mut Cursor) -> Result<(), RecordError> {
    read_mark(record, line)?;
    let start = *line;
    let to = read_target(record, line)?;
    let face = read_face::<R>(line)?;
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
    let mut own = candidates(&record.last, face, to);
    // What is not legal needs no word to be told from what is.
    own.from = own.only(|from| is_open(&record.last, from, to)).from;
    let mut fitting = own.fitting(words);
    if line.eat("(") {
        fitting &= Bitboard::of(read_square(line)?);
        if !line.eat(")") {
            return Err(line.expected("a closing bracket"));
        }
    }
    let drops = dropped || (own.from.is_empty() && words == Words::default() && said.is_none());
    let mv = match (drops, fitting.first(), fitting.has_many()) {
        (true, ..) => Move::Drop { face, to },
        (false, None, _) => return Err(start.error(RecordReason::NoSuchMove)),
        (false, Some(_), true) => return Err(start.error(RecordReason::Ambiguous)),
        (false, Some(from), false) => Move::Board { from, to, turn: turns(record, from, to, said) },
    };
    push(record, mv, start).map(drop)
}

/// Whether a board move is legal, turning the piece or not.
fn is_open<R: Recorded>(
    position: &Position<R>,
    from: Square<R::Geometry>,
    to: Square<R::Geometry>,
) -> bool {
    [false, true].into_iter().any(|turn| position.is_legal(Move::Board { from, to, turn }))
}

/// Reads how the game ended: まで, the number of moves, and the result.
fn read_summary<R: Recorded>(record: &mut Record<R>, mut line: Cursor) -> Result<(), RecordError> {
    if record.ending.is_some() {
        return Err(line.error(RecordReason::AfterEnd));
    }
    line.eat("まで");
    line.eat("、");
    if line.number().is_some() {
        line.eat("手で");
    }
    line.skip_spaces();
    let words = line.rest().trim_end();
    let to_move = record.last.side();
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
    record.ending = Some(end.into());
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
    let mut text = String::new();
    write_opening(record, "", &mut text)?;
    let mut last = None;
    let mut on_this_line = 0;
    for (number, (position, one)) in (1..).zip(record.positions()) {
        if on_this_line > 0 {
            text.push_str("  ");
        }
        text.push_str(mark(position.side()));
        let words = write_move(&position, one.mv, last, &mut text);
        words.ok_or(WriteError::Ambiguous(number))?;
        last = Some(one.mv.to());
        on_this_line += 1;
        if on_this_line == MOVES_ON_A_LINE || !one.comments.is_empty() {
            text.push('\n');
            on_this_line = 0;
        }
        write_comments(&one.comments, &mut text);
    }
    if on_this_line > 0 {
        text.push('\n');
    }
    if let Some(ending) = &record.ending {
        let to_move = record.last.side();
        text.push_str(&summary(ending.end, record.moves.len(), to_move, players(record)));
        write_comments(&ending.comments, &mut text);
    }
    Ok(text)
}

/// Writes a move; `None` where no words tell it from others.
fn write_move<R: Recorded>(
    position: &Position<R>,
    mv: Move<R>,
    last: Option<Square<R::Geometry>>,
    out: &mut String,
) -> Option<()> {
    write_target::<R>(last, mv.to(), out);
    match mv {
        Move::Drop { face, to } => {
            write_word::<R>(face, out);
            if !candidates(position, face, to).from.is_empty() {
                out.push('打');
            }
        }
        Move::Board { from, to, turn } => {
            let face = position.piece(from)?.face;
            write_word::<R>(face, out);
            out.extend(candidates(position, face, to).words(from)?.written());
            let could_turn = || position.is_legal(Move::Board { from, to, turn: true });
            if turn {
                out.push('成');
            } else if R::PROMOTION == Promotion::Optional && could_turn() {
                out.push_str("不成");
            }
        }
    }
    Some(())
}
