//! SFEN: one line for a position.
//!
//! Four fields: the board rank by rank from the top and each rank from the left, the side to move
//! (`b` Sente, `w` Gote), the hands (upper case Sente's; `-` for none) and the number of the next
//! move, which may be missing.

use alloc::string::{String, ToString as _};

use crate::colour::Colour;
use crate::hand::Hand;
use crate::notation::{Dialect, Notation};
use crate::placement::{Piece, Placement};
use crate::plain::{AnyPlacement, AnySquare};
use crate::position::Position;
use crate::table::{Face, Role, RuleTable};
use crate::validity::InvalidPosition;

/// Why and where a text is not an SFEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {reason}", position + 1)]
pub struct SfenError {
    /// The character, from 0, at which reading stopped.
    pub position: usize,
    /// The fault there.
    pub reason: SfenReason,
}

/// The faults that an SFEN can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SfenReason {
    /// No piece of the variant has this letter.
    #[error("no piece has the letter {0:?}")]
    UnknownPiece(char),
    /// A plus before a piece without a back.
    #[error("this piece does not promote")]
    CannotPromote,
    /// A rank has more or fewer squares than the board has files.
    #[error("a rank must have {expected} squares")]
    RankWidth {
        /// The number of files.
        expected: u8,
    },
    /// More or fewer ranks than the board has.
    #[error("the board must have {expected} ranks")]
    RankCount {
        /// The number of ranks.
        expected: u8,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("the side to move must be b or w")]
    SideToMove,
    /// A count in the hands without a piece, with a leading zero, 0, or too large. A count of 1, which
    /// is not written, is read.
    #[error("a count in the hands must be 1 to {most} and stand before a piece")]
    HandCount {
        /// The largest count.
        most: u8,
    },
    /// A king in hand.
    #[error("a king cannot be in hand")]
    KingInHand,
    /// The same piece twice in the hands.
    #[error("this piece of this player is already in the hands")]
    HandTwice,
    /// The move number is not a number.
    #[error("the move number must be a whole number from 1 to 4294967295")]
    MoveNumber,
    /// The text ends too early.
    #[error("the text ends before {0}")]
    Missing(&'static str),
    /// There is more after the last field.
    #[error("nothing may follow the last field")]
    Trailing,
}

/// Why a text is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError<R: RuleTable> {
    /// The text is not an SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The position breaks the rules.
    #[error(transparent)]
    Invalid(#[from] InvalidPosition<R>),
}

/// Reads an SFEN: the placement, whether legal or not, and the number of the next move (1 if the
/// field is missing).
///
/// # Errors
///
/// At the first unexpected character, with the reason.
///
/// ```
/// use shogi_rules::{Minishogi, parse_sfen};
/// let error = parse_sfen::<Minishogi>("rbsgk/4p/5/P4/KGSXR b - 1").unwrap_err();
/// assert_eq!(error.to_string(), "at character 18: no piece has the letter 'X'");
/// ```
pub fn parse_sfen<R: RuleTable>(text: &str) -> Result<(Placement<R>, u32), SfenError> {
    let (placement, number) = read(text, Notation::of::<R>())?;
    Ok((placement.typed(), number))
}

/// Reads an SFEN of any rule set.
pub fn read(text: &str, notation: &Notation) -> Result<(AnyPlacement, u32), SfenError> {
    let mut reader = SfenReader { text, position: 0, notation };
    let mut placement = notation.empty();
    reader.board(&mut placement)?;
    reader.space("the side to move")?;
    let side =
        reader.next().ok_or_else(|| reader.error(SfenReason::Missing("the side to move")))?;
    placement.side = match side {
        'b' => Colour::Sente,
        'w' => Colour::Gote,
        _ => return Err(reader.error_before(SfenReason::SideToMove)),
    };
    reader.space("the hands")?;
    reader.hands(&mut placement)?;
    let number = reader.number()?;
    Ok((placement, number))
}

/// Reads the hands of an SFEN, and nothing else.
pub(crate) fn read_hands(text: &str, notation: &Notation) -> Result<[Hand; 2], SfenError> {
    let mut reader = SfenReader { text, position: 0, notation };
    let mut placement = notation.empty();
    reader.hands(&mut placement)?;
    match reader.peek() {
        None => Ok(placement.hands),
        Some(_) => Err(reader.error(SfenReason::Trailing)),
    }
}

/// Reads an SFEN of a legal position.
///
/// # Errors
///
/// If the text is not an SFEN, or the position breaks rules; the error has them all.
pub fn parse_position<R: RuleTable>(text: &str) -> Result<Position<R>, PositionError<R>> {
    Ok(Position::new(parse_sfen(text)?.0)?)
}

/// Reads an SFEN of a legal position in which one player may have no king, as in most mate problems:
/// [`Position::new_problem`].
///
/// # Errors
///
/// If the text is not an SFEN, or the position breaks other rules; the error has them all.
///
/// ```
/// use shogi_rules::{Minishogi, parse_position, parse_problem};
/// let problem = parse_problem::<Minishogi>("4k/5/4G/5/5 b R 1")?;
/// assert!(!problem.is_check());
/// let error = parse_position::<Minishogi>("4k/5/4G/5/5 b R 1").unwrap_err();
/// assert_eq!(error.to_string(), "illegal position: Sente has no king");
/// # Ok::<(), shogi_rules::PositionError<Minishogi>>(())
/// ```
pub fn parse_problem<R: RuleTable>(text: &str) -> Result<Position<R>, PositionError<R>> {
    Ok(Position::new_problem(parse_sfen(text)?.0)?)
}

/// The position in SFEN, in the variant's own dialect, with hands in falling order of kinds and
/// move number 1.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_sfen, to_sfen};
/// let (start, _) = parse_sfen::<Minishogi>(Minishogi::START)?;
/// assert_eq!(to_sfen(&start), Minishogi::START);
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
pub fn to_sfen<R: RuleTable>(placement: &Placement<R>) -> String {
    to_sfen_in(placement, R::dialect())
}

/// The position in SFEN, in the given dialect, with move number 1.
///
/// ```
/// use shogi_rules::{Dialect, KyotoShogi, Rules, parse_sfen, to_sfen_in};
/// let (start, _) = parse_sfen::<KyotoShogi>(KyotoShogi::START)?;
/// assert_eq!(to_sfen_in(&start, Dialect::Fairy), "p+nks+l/5/5/5/+LSK+NP b - 1");
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
pub fn to_sfen_in<R: RuleTable>(placement: &Placement<R>, dialect: Dialect) -> String {
    to_sfen_numbered(placement, dialect, 1)
}

/// The position in SFEN, in the given dialect, with the number of the next move.
///
/// ```
/// use shogi_rules::{Dialect, Minishogi, parse_sfen, to_sfen_numbered};
/// let text = "rbsgk/4p/P4/5/KGSBR w - 2";
/// let (placement, number) = parse_sfen::<Minishogi>(text)?;
/// assert_eq!(to_sfen_numbered(&placement, Dialect::Lishogi, number), text);
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
// The number is a property of a game, not of a position: positions that repeat are equal, and so are their keys,
// ranks and entries in files. So placements and positions, which searches copy by the million, do not carry it.
pub fn to_sfen_numbered<R: RuleTable>(
    placement: &Placement<R>,
    dialect: Dialect,
    number: u32,
) -> String {
    written(&AnyPlacement::of(placement), Notation::of::<R>(), dialect, number)
}

/// A placement of any rule set in SFEN.
pub fn written(
    placement: &AnyPlacement,
    notation: &Notation,
    dialect: Dialect,
    number: u32,
) -> String {
    let mut text = String::new();
    for rank in 0..notation.height {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (1..=notation.width).rev() {
            match placement.piece(AnySquare { file, rank }) {
                None => empty += 1,
                Some(piece) => {
                    push_number(empty, 1, &mut text);
                    empty = 0;
                    notation.write_face(piece.face, piece.colour, dialect, &mut text);
                }
            }
        }
        push_number(empty, 1, &mut text);
    }
    text.push_str(if placement.side == Colour::Sente { " b " } else { " w " });
    write_hands(&placement.hands, notation, dialect, &mut text);
    match number {
        1 => text.push_str(" 1"),
        number => text.extend([" ", &number.to_string()]),
    }
    text
}

/// Writes the hands of both players; `-` where they are empty.
pub(crate) fn write_hands(
    hands: &[Hand; 2],
    notation: &Notation,
    dialect: Dialect,
    text: &mut String,
) {
    let length = text.len();
    for colour in Colour::ALL {
        for kind in notation.kinds().rev() {
            let count = hands[colour.index()].count(kind);
            if count > 0 {
                push_number(count, 2, text);
                notation.write_face(Face::front(kind), colour, dialect, text);
            }
        }
    }
    if text.len() == length {
        text.push('-');
    }
}

/// Writes a number unless it is below `least`.
fn push_number(number: u8, least: u8, text: &mut String) {
    match number {
        _ if number < least => {}
        0..=9 => text.push(char::from(b'0' + number)),
        _ => text.push_str(&number.to_string()),
    }
}

/// Reads character by character and counts the position.
struct SfenReader<'a> {
    text: &'a str,
    position: usize,
    notation: &'a Notation,
}

impl SfenReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.text.chars();
        let next = chars.next()?;
        self.text = chars.as_str();
        self.position += 1;
        Some(next)
    }

    /// An error at the next character.
    const fn error(&self, reason: SfenReason) -> SfenError {
        SfenError { position: self.position, reason }
    }

    /// An error at the character read last.
    const fn error_before(&self, reason: SfenReason) -> SfenError {
        SfenError { position: self.position.saturating_sub(1), reason }
    }

    /// One or more spaces before the named field.
    fn space(&mut self, field: &'static str) -> Result<(), SfenError> {
        if self.peek() != Some(' ') {
            return Err(self.error(SfenReason::Missing(field)));
        }
        while self.peek() == Some(' ') {
            self.next();
        }
        Ok(())
    }

    /// A whole number without leading zero; `None` if the next character is not a digit from 1 to 9.
    fn whole_number(&mut self) -> Option<u64> {
        if !matches!(self.peek(), Some('1'..='9')) {
            return None;
        }
        let mut number: u64 = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(u64::from(digit));
            self.next();
        }
        Some(number)
    }

    fn board(&mut self, placement: &mut AnyPlacement) -> Result<(), SfenError> {
        let Notation { width, height, .. } = *self.notation;
        let rank_width = SfenReason::RankWidth { expected: width };
        let rank_count = SfenReason::RankCount { expected: height };
        for rank in 0..height {
            let mut column: u8 = 0;
            loop {
                let start = self.position;
                let at_start = |reason| SfenError { position: start, reason };
                match self.peek() {
                    Some('/') | Some(' ') | None => break,
                    Some('0'..='9') => {
                        let run = self.whole_number().ok_or(at_start(rank_width))?;
                        if run > u64::from(width - column) {
                            return Err(at_start(rank_width));
                        }
                        column += run as u8;
                    }
                    Some(_) => {
                        let piece = self.piece()?;
                        if column == width {
                            return Err(at_start(rank_width));
                        }
                        *placement.at(AnySquare { file: width - column, rank }) = Some(piece);
                        column += 1;
                    }
                }
            }
            if column != width {
                return Err(self.error(rank_width));
            }
            match (self.peek(), rank + 1 == height) {
                (Some('/'), false) => {
                    self.next();
                }
                (Some('/'), true) | (_, false) => return Err(self.error(rank_count)),
                (_, true) => {}
            }
        }
        Ok(())
    }

    fn piece(&mut self) -> Result<Piece, SfenError> {
        let start = self.position;
        let promoted = self.peek() == Some('+');
        if promoted {
            self.next();
        }
        let letter = self.next().ok_or_else(|| self.error(SfenReason::Missing("a piece")))?;
        let (mut face, colour) = self
            .notation
            .face_of(letter)
            .ok_or_else(|| self.error_before(SfenReason::UnknownPiece(letter)))?;
        if promoted {
            let back = Face::back(face.kind);
            if face.promoted || self.notation.movement(back).is_none() {
                return Err(SfenError { position: start, reason: SfenReason::CannotPromote });
            }
            face = back;
        }
        Ok(Piece { face, colour })
    }

    fn hands(&mut self, placement: &mut AnyPlacement) -> Result<(), SfenError> {
        if self.peek() == Some('-') {
            self.next();
            return match self.peek() {
                None | Some(' ') => Ok(()),
                Some(letter) => Err(self.error(SfenReason::UnknownPiece(letter))),
            };
        }
        if matches!(self.peek(), None | Some(' ')) {
            return Err(self.error(SfenReason::Missing("the hands")));
        }
        while !matches!(self.peek(), None | Some(' ')) {
            let start = self.position;
            let at_start = |reason| SfenError { position: start, reason };
            let digits = matches!(self.peek(), Some('0'..='9'));
            let count = if digits { self.whole_number().unwrap_or(0) } else { 1 };
            let letter = match self.next() {
                Some(letter) if count > 0 && letter != ' ' => letter,
                _ => return Err(at_start(SfenReason::HandCount { most: 31 })),
            };
            let (Face { kind, .. }, colour) = self
                .notation
                .face_of(letter)
                .ok_or_else(|| self.error_before(SfenReason::UnknownPiece(letter)))?;
            let is_royal = self.notation.spec(kind).role == Role::Royal;
            if is_royal && self.notation.royal_safety {
                return Err(self.error_before(SfenReason::KingInHand));
            }
            let most = Hand::capacity(kind);
            if count > u64::from(most) {
                return Err(at_start(SfenReason::HandCount { most }));
            }
            let hand = &mut placement.hands[colour.index()];
            if hand.has(kind) {
                return Err(at_start(SfenReason::HandTwice));
            }
            hand.set(kind, count as u8);
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, SfenError> {
        while self.peek() == Some(' ') {
            self.next();
        }
        if self.peek().is_none() {
            return Ok(1);
        }
        let error = self.error(SfenReason::MoveNumber);
        let number = self.whole_number().and_then(|n| u32::try_from(n).ok()).ok_or(error)?;
        match self.peek() {
            None => Ok(number),
            Some(' ') => {
                let error = self.error(SfenReason::Trailing);
                while self.peek() == Some(' ') {
                    self.next();
                }
                if self.peek().is_none() { Ok(number) } else { Err(error) }
            }
            Some(_) => Err(self.error(SfenReason::MoveNumber)),
        }
    }
}
