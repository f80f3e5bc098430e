//! Moves in USI notation: `7g7f`, `8h2b+`, `P*5e`.

use alloc::string::{String, ToString as _};
use core::iter::Enumerate;

use crate::colour::Colour;
use crate::moves::Move;
use crate::notation::{Dialect, Notation};
use crate::placement::Placement;
use crate::plain::{AnyMove, AnySquare};
use crate::table::{Face, Promotion, RuleTable};

/// Why and where a text is not a move in USI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {reason}", position + 1)]
pub struct UsiError {
    /// The character, from 0, at which reading stopped.
    pub position: usize,
    /// The fault there.
    pub reason: UsiReason,
}

/// The faults that the text of a move can have.
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
    /// `resign` or `win`, which end the record of a game, in place of a move.
    #[error("{0:?} ends the record of a game and is no move")]
    End(&'static str),
    /// Something follows the move.
    #[error("only a + may follow the target square of a board move")]
    Trailing,
}

/// Reads a move in either dialect. Legality is not checked.
///
/// Where pieces turn over at every move or at captures, as in Kyoto shogi and Micro shogi, a board move
/// may end in `+` or, as Fairy-Stockfish writes for a piece that turns to its front, in `-`.
///
/// # Errors
///
/// At the first unexpected character, with the reason.
///
/// ```
/// use shogi_rules::{KyotoShogi, Minishogi, parse_usi, to_usi};
/// let mv = parse_usi::<Minishogi>("S*3c")?;
/// assert_eq!(to_usi(mv), "S*3c");
/// assert_eq!(parse_usi::<Minishogi>("6e5e").unwrap_err().position, 0);
/// assert_eq!(parse_usi::<KyotoShogi>("+N*4b")?, parse_usi::<KyotoShogi>("G*4b")?);
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
pub fn parse_usi<R: RuleTable>(text: &str) -> Result<Move<R>, UsiError> {
    let notation = Notation::of::<R>();
    read(text, notation)?.typed().ok_or_else(|| off_board(0, notation))
}

/// Whether moves turn pieces to their fronts, which Fairy-Stockfish's dialect writes with a minus.
const fn turns_to_fronts(promotion: Promotion) -> bool {
    matches!(promotion, Promotion::EveryMove | Promotion::OnCapture)
}

/// The characters of a text with their places.
type Chars<'a> = Enumerate<core::str::Chars<'a>>;

/// Reads a move of any rule set.
pub fn read(text: &str, notation: &Notation) -> Result<AnyMove, UsiError> {
    if let Some(word) = ["resign", "win"].into_iter().find(|word| *word == text) {
        return Err(UsiError { position: 0, reason: UsiReason::End(word) });
    }
    let mut chars = text.chars().enumerate();
    if let Some(star) = text.chars().position(|c| c == '*') {
        let face = dropped_face(&mut chars, star, notation)?;
        let to = square(&mut chars, text, notation)?;
        return match chars.next() {
            None => Ok(AnyMove::Drop { face, to }),
            Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
        };
    }
    let from = square(&mut chars, text, notation)?;
    let to = square(&mut chars, text, notation)?;
    let turn = match chars.next() {
        None => false,
        Some((_, '+')) => true,
        Some((_, '-')) if turns_to_fronts(notation.promotion) => true,
        Some((position, _)) => return Err(UsiError { position, reason: UsiReason::Trailing }),
    };
    match chars.next() {
        None => Ok(AnyMove::Board { from, to, turn }),
        Some((position, _)) => Err(UsiError { position, reason: UsiReason::Trailing }),
    }
}

/// The face before the star; the star is read, too.
fn dropped_face(chars: &mut Chars<'_>, star: usize, notation: &Notation) -> Result<Face, UsiError> {
    let mut next = || chars.next().map_or(('*', star), |(position, c)| (c, position));
    let (mut letter, mut position) = next();
    let plus = letter == '+';
    if plus {
        (letter, position) = next();
    }
    let error = UsiError { position, reason: UsiReason::Drop(letter) };
    let (mut face, colour) = notation.face_of(letter).ok_or(error)?;
    if plus {
        if face.promoted {
            return Err(error);
        }
        face = Face::back(face.kind);
    }
    if colour == Colour::Gote || !notation.is_droppable(face) {
        return Err(error);
    }
    match next() {
        ('*', at) if at == star => Ok(face),
        (extra, position) => Err(UsiError { position, reason: UsiReason::Drop(extra) }),
    }
}

/// Reads a square of a text: a file, in two digits on wide boards, and a rank.
fn square(chars: &mut Chars<'_>, text: &str, notation: &Notation) -> Result<AnySquare, UsiError> {
    let error = |position| off_board(position, notation);
    let end = || error(text.chars().count());
    let (position, first) = chars.next().ok_or_else(end)?;
    let mut file = first.to_digit(10).filter(|&digit| digit > 0).ok_or_else(|| error(position))?;
    let second = chars.clone().next().and_then(|(_, next)| next.to_digit(10));
    if let Some(digit) = second.filter(|_| notation.width > 9) {
        file = 10 * file + digit;
        chars.next();
    }
    if file > u32::from(notation.width) {
        return Err(error(position));
    }
    let (position, rank) = chars.next().ok_or_else(end)?;
    if !('a'..=last_rank(notation)).contains(&rank) {
        return Err(error(position));
    }
    Ok(AnySquare { file: file as u8, rank: rank as u8 - b'a' })
}

/// The letter of the last rank.
fn last_rank(notation: &Notation) -> char {
    char::from(b'a' + notation.height - 1)
}

/// The error for a text that is not a square of the board.
fn off_board(position: usize, notation: &Notation) -> UsiError {
    let reason = UsiReason::Square { files: notation.width, last_rank: last_rank(notation) };
    UsiError { position, reason }
}

/// The move in USI notation, in the variant's own dialect.
pub fn to_usi<R: RuleTable>(mv: Move<R>) -> String {
    written(AnyMove::of(mv), Notation::of::<R>(), R::dialect(), false)
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
pub fn to_usi_in<R: RuleTable>(mv: Move<R>, placement: &Placement<R>, dialect: Dialect) -> String {
    let to_front = match mv {
        Move::Board { from, turn, .. } => turn && placement.promoted().contains(from),
        Move::Drop { .. } => false,
    };
    written(AnyMove::of(mv), Notation::of::<R>(), dialect, to_front)
}

/// Bytes of the longest moves, such as `8h2b+`.
const LONGEST: usize = 5;

/// A move of any rule set in USI notation; `to_front` says whether it turns a piece to its front.
// Written for every move of a list: without the machinery of formatting that takes a fifth of the instructions.
pub fn written(mv: AnyMove, notation: &Notation, dialect: Dialect, to_front: bool) -> String {
    let mut text = String::with_capacity(LONGEST);
    match mv {
        AnyMove::Drop { face, to } => {
            notation.write_face(face, Colour::Sente, dialect, &mut text);
            text.push('*');
            push_square(to, &mut text);
        }
        AnyMove::Board { from, to, turn } => {
            push_square(from, &mut text);
            push_square(to, &mut text);
            if turn {
                text.push(if to_front && dialect == Dialect::Fairy { '-' } else { '+' });
            }
        }
    }
    text
}

fn push_square(square: AnySquare, text: &mut String) {
    match square.file {
        file @ 0..=9 => text.push(char::from(b'0' + file)),
        // A board of one's own may be wider than what USI has numbers for.
        file => text.push_str(&file.to_string()),
    }
    text.push(char::from(b'a' + square.rank));
}
