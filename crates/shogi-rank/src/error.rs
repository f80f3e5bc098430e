//! Errors of ranks, placements and their texts.

use num_bigint::BigUint;
use shogi_core::Colour;

/// Why ranking or unranking failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RankError {
    /// The rank is not below the size of the space.
    #[error("rank {rank} is outside the space: it has {size} placements, numbered from 0")]
    OutOfRange {
        /// The rank given.
        rank: BigUint,
        /// The number of placements.
        size: BigUint,
    },
    /// The placement is not a member of the space.
    #[error("the placement is outside the space: {0}")]
    Outside(Outside),
    /// The order is not defined for this space.
    #[error(
        "the ishii-tanaka order needs the kinds G, P, S, R, B beside the king, G without a back, and a space of less than 2^64 placements"
    )]
    NoSuchOrder,
    /// The rank of the placement does not fit in 64 bits.
    #[error("rank {0} does not fit in 64 bits")]
    TooWide(BigUint),
}

// Without `#[from]`, which would name the reason as the source too: it is in the text already.
impl From<Outside> for RankError {
    fn from(reason: Outside) -> Self {
        Self::Outside(reason)
    }
}

/// Why a placement is not in the space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Outside {
    /// Gote is to move, but in the space Sente always is.
    #[error("Gote is to move")]
    GoteToMove,
    /// A player has no king on the board.
    #[error("{0:?}'s king is not on the board")]
    KingMissing(Colour),
    /// A player has more than one king on the board.
    #[error("{0:?} has more than one king")]
    TwoKings(Colour),
    /// Sente's king stands right of the middle.
    #[error("Sente's king stands on the right half; the mirror image is the member")]
    SenteKingOnTheRight,
    /// Sente's king stands on the middle file and Gote's king right of it.
    #[error(
        "Gote's king stands on the right half with Sente's on the middle file; the mirror image is the member"
    )]
    GoteKingOnTheRight,
    /// Both kings stand on the middle file, and the mirror image is the smaller of the two.
    #[error("the mirror image is the smaller of the two, and the member")]
    MirrorSmaller,
    /// A player has two unpromoted pawns on a file, where that is illegal.
    #[error("a player has two unpromoted pawns on a file")]
    Nifu,
    /// A piece stands where it can never move again, where that is illegal.
    #[error("a piece stands where it can never move again")]
    Immobile,
    /// The player who moved last is in check.
    #[error("Gote, who is not to move, stands in check")]
    GoteInCheck,
    /// The checks on the king of the player to move are of another class.
    #[error("the checks on Sente's king are of another class")]
    OtherChecks,
    /// Fewer pieces of a kind than the set has.
    #[error("{found} pieces {letter} instead of {expected}: some are missing")]
    Missing {
        /// The kind's letter.
        letter: char,
        /// Pieces on the board and in the hands.
        found: u32,
        /// Pieces in the set.
        expected: u32,
    },
    /// More pieces of a kind than the set has.
    #[error("{found} pieces {letter} instead of {expected}: there are too many")]
    TooMany {
        /// The kind's letter.
        letter: char,
        /// Pieces on the board and in the hands.
        found: u32,
        /// Pieces in the set.
        expected: u32,
    },
    /// A piece without a back lies with its back up.
    #[error("a piece {0} lies with its back up, but has none")]
    NoBack(char),
    /// Two pieces stand on one square, a piece does not have exactly one owner, or a back is up
    /// where there is no piece. Reading a text never causes this.
    #[error("its bitboards contradict each other")]
    Inconsistent,
}

impl Outside {
    /// Whether the only fault is that the mirror image is the member.
    pub(crate) const fn is_mirrored(self) -> bool {
        matches!(self, Self::SenteKingOnTheRight | Self::GoteKingOnTheRight | Self::MirrorSmaller)
    }
}

/// Why and where a text is not a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {reason}", position + 1)]
pub struct ParseRankError {
    /// The character, from 0, at which reading stopped.
    pub position: usize,
    /// The fault there.
    pub reason: ParseRankReason,
}

/// The faults that the text of a rank can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRankReason {
    /// The text is empty.
    #[error("a rank is a whole number, but there is nothing")]
    Empty,
    /// A character that is not a decimal digit.
    #[error("{0:?} is no decimal digit")]
    NoDigit(char),
    /// More digits than any space needs.
    #[error("a rank has at most {most} digits")]
    TooLong {
        /// The largest number of digits.
        most: usize,
    },
}

/// The most digits that [`parse_rank`] reads; spaces of the largest board and set need fewer.
const MAX_DIGITS: usize = 400;

/// Reads a rank in decimal digits; leading zeros are allowed, signs and spaces are not.
///
/// # Errors
///
/// At the first character that is not a digit, or at the place where the text ends too early or too
/// late.
///
/// ```
/// use shogi_rank::{BigUint, parse_rank};
/// assert_eq!(parse_rank("42"), Ok(BigUint::from(42u8)));
/// let error = parse_rank("12a").unwrap_err();
/// assert_eq!(error.to_string(), "at character 3: 'a' is no decimal digit");
/// ```
pub fn parse_rank(text: &str) -> Result<BigUint, ParseRankError> {
    let error = |position, reason| Err(ParseRankError { position, reason });
    if text.is_empty() {
        return error(0, ParseRankReason::Empty);
    }
    for (position, character) in text.chars().enumerate() {
        if !character.is_ascii_digit() {
            return error(position, ParseRankReason::NoDigit(character));
        }
        if position == MAX_DIGITS {
            return error(position, ParseRankReason::TooLong { most: MAX_DIGITS });
        }
    }
    Ok(BigUint::parse_bytes(text.as_bytes(), 10).unwrap_or_default())
}

/// A text that names no [`Order`](crate::Order).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no order is named {0:?}; there are native and ishii-tanaka")]
pub struct ParseOrderError(pub String);
