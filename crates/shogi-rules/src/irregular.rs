//! SFEN as some other programs write it, with hands that the notation does not allow.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Kind, Placement, Role, RuleTable};

use shogi_core::notation::Notation;
use shogi_core::plain::AnyPlacement;
use shogi_core::sfen::{self, SfenError, SfenReason};

/// The content of an SFEN, from [`parse_irregular_sfen`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IrregularSfen<R: RuleTable> {
    /// The placement, whether legal or not.
    pub placement: Placement<R>,
    /// The number of the next move.
    pub number: u32,
    /// How many kings in hand were left out.
    pub kings: usize,
}

/// Reads an SFEN as [`parse_sfen`](crate::parse_sfen) does, and also hands that the notation does not allow:
/// the same piece several times, as in `PPPP`, and a king, which some problems list with all other pieces that
/// are not on the board. Such a king is left out.
///
/// # Errors
///
/// As [`parse_sfen`](crate::parse_sfen).
///
/// ```
/// use shogi_rules::{Shogi, parse_irregular_sfen, to_sfen};
/// let read = parse_irregular_sfen::<Shogi>("8k/9/9/9/9/9/9/9/9 b GGk 5")?;
/// assert_eq!(to_sfen(&read.placement), "8k/9/9/9/9/9/9/9/9 b 2G 1");
/// assert_eq!((read.number, read.kings), (5, 1));
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
pub fn parse_irregular_sfen<R: RuleTable>(text: &str) -> Result<IrregularSfen<R>, SfenError> {
    let ReadSfen { placement, number, kings } = read(text, Notation::of::<R>())?;
    Ok(IrregularSfen { placement: placement.typed(), number, kings: kings.len() })
}

/// The content of an SFEN in any notation, from [`read`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReadSfen {
    /// The placement, whether legal or not.
    pub placement: AnyPlacement,
    /// The number of the next move.
    pub number: u32,
    /// The characters, from 0, of the kings in hand, which are left out.
    pub kings: Vec<usize>,
}

/// [`parse_irregular_sfen`] for any notation.
///
/// # Errors
///
/// As [`sfen::read`].
///
/// ```
/// use shogi_rules::shogi_core::notation::Notation;
/// use shogi_rules::{Shogi, irregular};
/// let read = irregular::read("8k/9/9/9/9/9/9/9/9 b GGk 5", Notation::of::<Shogi>())?;
/// assert_eq!((read.number, read.kings), (5, vec![23]));
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
pub fn read(text: &str, notation: &Notation) -> Result<ReadSfen, SfenError> {
    let error = match sfen::read(text, notation) {
        Ok((placement, number)) => return Ok(ReadSfen { placement, number, kings: Vec::new() }),
        Err(error) => error,
    };
    if !matches!(error.reason, SfenReason::HandTwice | SfenReason::KingInHand) {
        return Err(error);
    }
    let Some((text, kings)) = regular(text, notation) else { return Err(error) };
    // Places in the changed text would mislead.
    let (placement, number) = sfen::read(&text, notation).map_err(|_| error)?;
    let royal = notation.kinds().filter(|&kind| notation.spec(kind).role == Role::Royal);
    if !kings.is_empty() && royal.map(|kind| placement.on_board(kind)).sum::<usize>() > 1 {
        return Err(error);
    }
    Ok(ReadSfen { placement, number, kings })
}

/// An SFEN whose hands name each piece once and no king, and the places of the kings.
fn regular(text: &str, notation: &Notation) -> Option<(String, Vec<usize>)> {
    let mut fields = text.split(' ').filter(|field| !field.is_empty());
    let (board, side, hands) = (fields.next()?, fields.next()?, fields.next()?);
    let before = (hands.as_ptr() as usize) - (text.as_ptr() as usize);
    let before = text.get(..before)?.chars().count();
    let mut kings = Vec::new();
    let mut pieces: Vec<(Kind, Colour, char, u32)> = Vec::new();
    let mut count: Option<u32> = None;
    for (at, letter) in hands.chars().enumerate() {
        if let Some(digit) = letter.to_digit(10) {
            // No count begins with a zero.
            let before = count.or((digit > 0).then_some(0))?;
            count = Some(before.checked_mul(10)?.checked_add(digit)?);
            continue;
        }
        let number = count.take().unwrap_or(1);
        let (Face { kind, .. }, colour) = notation.face_of(letter)?;
        if notation.royal_safety && notation.spec(kind).role == Role::Royal {
            kings.push(before + at);
            continue;
        }
        match pieces.iter_mut().find(|(own, player, ..)| (*own, *player) == (kind, colour)) {
            Some((.., total)) => *total = total.checked_add(number)?,
            None => pieces.push((kind, colour, letter, number)),
        }
    }
    let mut written = String::new();
    for (.., letter, number) in &pieces {
        written.push_str(&format!("{number}{letter}"));
    }
    if written.is_empty() {
        written.push('-');
    }
    let number = fields.next().map_or(String::new(), |number| format!(" {number}"));
    let is_whole = count.is_none() && fields.next().is_none();
    is_whole.then(|| (format!("{board} {side} {written}{number}"), kings))
}
