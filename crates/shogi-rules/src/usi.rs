//! Moves in USI notation: `7g7f`, `8h2b+`, `P*5e`.

use alloc::format;
use alloc::string::String;

use shogi_core::{Colour, Face, Geometry, Move, Role, Square};

use crate::rules::Rules;
use crate::sfen::kind_of;

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

/// Reads a move. Whether it is legal somewhere is not looked at.
///
/// # Errors
///
/// The first character that does not fit, and why.
///
/// ```
/// use shogi_rules::{Minishogi, parse_usi, to_usi};
/// let made = parse_usi::<Minishogi>("S*3c")?;
/// assert_eq!(to_usi(made), "S*3c");
/// assert_eq!(parse_usi::<Minishogi>("6e5e").unwrap_err().position, 0);
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
pub fn parse_usi<R: Rules>(text: &str) -> Result<Move<R>, UsiError> {
    let mut chars = text.chars().enumerate();
    let mut clone = text.chars();
    if let (Some(letter), Some('*')) = (clone.next(), clone.next()) {
        let (kind, colour) = kind_of::<R>(letter)
            .ok_or(UsiError { position: 0, reason: UsiReason::Drop(letter) })?;
        if kind.spec::<R>().role == Role::Royal || colour == Colour::Gote {
            return Err(UsiError { position: 0, reason: UsiReason::Drop(letter) });
        }
        chars.nth(1);
        let to = square::<R>(&mut chars, 2)?;
        return match chars.next() {
            None => Ok(Move::Drop { face: Face::front(kind), to }),
            Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
        };
    }
    let from = square::<R>(&mut chars, 0)?;
    let to = square::<R>(&mut chars, 2)?;
    let turn = match chars.next() {
        None => false,
        Some((_, '+')) => true,
        Some((position, _)) => return Err(UsiError { position, reason: UsiReason::Trailing }),
    };
    match chars.next() {
        None => Ok(Move::Board { from, to, turn }),
        Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
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

/// The move in USI notation.
pub fn to_usi<R: Rules>(made: Move<R>) -> String {
    match made {
        Move::Board { from, to, turn } => format!("{from}{to}{}", if turn { "+" } else { "" }),
        Move::Drop { face, to } => {
            let turned = if face.promoted { "+" } else { "" };
            format!("{turned}{}*{to}", face.kind.spec::<R>().letter)
        }
    }
}
