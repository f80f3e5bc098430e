//! Moves in USI notation: `7g7f`, `8h2b+`, `P*5e`.

use alloc::string::{String, ToString as _};

use shogi_core::{Colour, Face, Geometry, Move, Placement, Promotion, Square};

use crate::notation::{Dialect, face_of, write_face};
use crate::rules::Rules;

/// Why a text is no move in USI notation, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {reason}", position + 1)]
pub struct UsiError {
    /// The character, from 0, at which reading stopped.
    pub position: usize,
    /// What is wrong there.
    pub reason: UsiReason,
}

/// What can be wrong in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UsiReason {
    /// Not a square of the board.
    #[error("a square is a file 1 to {files} and a rank a to {last_rank}")]
    Square {
        /// The number of files.
        files: u8,
        /// The letter of the last rank.
        last_rank: char,
    },
    /// No piece that can be dropped has this letter.
    #[error("no piece that can be dropped has the letter {0:?}")]
    Drop(char),
    /// Something follows the move.
    #[error("only a + may follow the target square of a board move")]
    Trailing,
}

/// Reads a move in either dialect. Legality is not checked.
///
/// In Kyoto shogi a board move may end in `+` or, as Fairy-Stockfish writes for a piece that turns
/// to its front, in `-`.
///
/// # Errors
///
/// The first character that does not fit, and why.
///
/// ```
/// use shogi_rules::{KyotoShogi, Minishogi, parse_usi, to_usi};
/// let mv = parse_usi::<Minishogi>("S*3c")?;
/// assert_eq!(to_usi(mv), "S*3c");
/// assert_eq!(parse_usi::<Minishogi>("6e5e").unwrap_err().position, 0);
/// assert_eq!(parse_usi::<KyotoShogi>("+N*4b")?, parse_usi::<KyotoShogi>("G*4b")?);
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
pub fn parse_usi<R: Rules>(text: &str) -> Result<Move<R>, UsiError> {
    let mut chars = text.chars().enumerate();
    if let Some(star) = text.chars().position(|c| c == '*') {
        let face = dropped_face::<R>(&mut chars, star)?;
        let to = square::<R>(&mut chars, star + 1)?;
        return match chars.next() {
            None => Ok(Move::Drop { face, to }),
            Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
        };
    }
    let from = square::<R>(&mut chars, 0)?;
    let to = square::<R>(&mut chars, 2)?;
    let turn = match chars.next() {
        None => false,
        Some((_, '+')) => true,
        Some((_, '-')) if R::PROMOTION == Promotion::EveryMove => true,
        Some((position, _)) => return Err(UsiError { position, reason: UsiReason::Trailing }),
    };
    match chars.next() {
        None => Ok(Move::Board { from, to, turn }),
        Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
    }
}

/// The face before the star, which is read too.
fn dropped_face<R: Rules>(
    chars: &mut impl Iterator<Item = (usize, char)>,
    star: usize,
) -> Result<Face, UsiError> {
    let mut next = || chars.next().map_or(('*', star), |(position, c)| (c, position));
    let (mut letter, mut position) = next();
    let plus = letter == '+';
    if plus {
        (letter, position) = next();
    }
    let error = UsiError { position, reason: UsiReason::Drop(letter) };
    let (mut face, colour) = face_of::<R>(letter).ok_or(error)?;
    if plus {
        if face.promoted {
            return Err(error);
        }
        face = Face::back(face.kind);
    }
    if colour == Colour::Gote || !face.is_droppable::<R>() {
        return Err(error);
    }
    match next() {
        ('*', at) if at == star => Ok(face),
        (extra, position) => Err(UsiError { position, reason: UsiReason::Drop(extra) }),
    }
}

fn square<R: Rules>(
    chars: &mut impl Iterator<Item = (usize, char)>,
    start: usize,
) -> Result<Square<R::Geometry>, UsiError> {
    let (width, height) = (R::Geometry::WIDTH, R::Geometry::HEIGHT);
    let last_rank = char::from(b'a' + height - 1);
    let error =
        |position| UsiError { position, reason: UsiReason::Square { files: width, last_rank } };
    let (position, file) = chars.next().ok_or(error(start))?;
    let file =
        file.to_digit(10).filter(|&f| f >= 1 && f <= u32::from(width)).ok_or(error(position))?;
    let (position, rank) = chars.next().ok_or(error(position + 1))?;
    if !('a'..=last_rank).contains(&rank) {
        return Err(error(position));
    }
    Square::new(width - file as u8, rank as u8 - b'a').ok_or(error(position))
}

/// The move in USI notation, in the variant's own dialect.
pub fn to_usi<R: Rules>(mv: Move<R>) -> String {
    match mv {
        Move::Board { from, to, turn } => board_move(from, to, turn.then_some('+')),
        Move::Drop { face, to } => drop_in::<R>(face, to, R::DIALECT),
    }
}

/// The move in USI notation, in the given dialect; `placement` is the position it is made in,
/// since Fairy-Stockfish's dialect says which face a piece turns to.
///
/// ```
/// use shogi_rules::{Dialect, KyotoShogi, Rules, parse_sfen, parse_usi, to_usi, to_usi_in};
/// let (start, _) = parse_sfen::<KyotoShogi>(KyotoShogi::START)?;
/// let mv = parse_usi::<KyotoShogi>("5e5d+")?;
/// assert_eq!(to_usi(mv), "5e5d+");
/// // The tokin turns to its front, the lance.
/// assert_eq!(to_usi_in(mv, &start, Dialect::Fairy), "5e5d-");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_usi_in<R: Rules>(mv: Move<R>, placement: &Placement<R>, dialect: Dialect) -> String {
    match mv {
        Move::Drop { face, to } => drop_in::<R>(face, to, dialect),
        Move::Board { from, to, turn: true }
            if dialect == Dialect::Fairy && placement.promoted().contains(from) =>
        {
            board_move(from, to, Some('-'))
        }
        Move::Board { .. } => to_usi(mv),
    }
}

fn drop_in<R: Rules>(face: Face, to: Square<R::Geometry>, dialect: Dialect) -> String {
    let mut text = String::with_capacity(LONGEST);
    write_face::<R>(face, Colour::Sente, dialect, &mut text);
    text.push('*');
    push_square(to, &mut text);
    text
}

/// Bytes of the longest moves, such as `8h2b+`.
const LONGEST: usize = 5;

// Written for every move of a list: without the machinery of formatting that takes a fifth of the instructions.
fn board_move<G: Geometry>(from: Square<G>, to: Square<G>, turn: Option<char>) -> String {
    let mut text = String::with_capacity(LONGEST);
    push_square(from, &mut text);
    push_square(to, &mut text);
    text.extend(turn);
    text
}

fn push_square<G: Geometry>(square: Square<G>, text: &mut String) {
    match square.file() {
        file @ 0..=9 => text.push(char::from(b'0' + file)),
        // A board of one's own may be wider than what USI has numbers for.
        file => text.push_str(&file.to_string()),
    }
    text.push(char::from(b'a' + square.rank()));
}
