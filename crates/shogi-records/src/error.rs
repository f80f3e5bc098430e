//! Errors of reading and of writing records.

use alloc::string::String;

use shogi_core::{Faults, Violations};

use super::Format;
use super::names::Vocabulary;
use shogi_core::plain::AnyMove;
use shogi_core::sfen::SfenReason;
use shogi_core::usi::{self, UsiReason};
use shogi_rules::{GameOver, PlayError};

/// Why a text is not a record of a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1, at which reading stopped.
    pub column: usize,
    /// The fault there.
    pub reason: RecordReason,
}

/// The faults that a record can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordReason {
    /// Something else was expected here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The text ends without a part that it needs.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// The format has no such line.
    #[error("a line of this kind does not belong here")]
    UnknownLine,
    /// A second start, where the lines above it may belong to either game.
    #[error(
        "it is unclear where this game begins: without moves before it, each game needs 手合割 first, then the board, \
         headers and comments"
    )]
    UnclearBeginning,
    /// The format does not exist for the variant.
    #[error("this variant is not written in {0}")]
    NotForVariant(Format),
    /// The record is of another variant.
    #[error("this is a record of another variant, {0:?}")]
    OtherVariant(String),
    /// A handicap or variant whose start is unknown here.
    #[error("no start of this variant is called {0:?}")]
    UnknownStart(String),
    /// A position in SFEN that cannot be read.
    #[error(transparent)]
    Sfen(SfenReason),
    /// A move in USI notation that cannot be read.
    #[error(transparent)]
    Usi(UsiReason),
    /// The start position breaks the rules.
    #[error("illegal start position: {0}")]
    Start(Faults),
    /// The number is too large.
    #[error("this number is too large")]
    TooLarge,
    /// The square is outside the board.
    #[error("this square is not on the board")]
    OffBoard,
    /// The board of the start position has fewer files or ranks than that of the variant.
    #[error("this board is smaller than that of the variant")]
    SmallerBoard,
    /// Two pieces stand on one square of the start position.
    #[error("there is a piece on this square already")]
    Occupied,
    /// The piece cannot be in a hand.
    #[error("this piece cannot be in hand")]
    NotInHand,
    /// The move has the wrong number: moves are counted from 1 without gaps.
    #[error("this should be move {expected}")]
    MoveNumber {
        /// The right number.
        expected: usize,
    },
    /// The move is marked as the other player's.
    #[error("it is the other player's turn")]
    WrongSide,
    /// A move to the same square as the previous move, but there is no previous move.
    #[error("there is no move before this one")]
    NothingBefore,
    /// On the origin of the move stands a piece other than the record says, or none.
    #[error("the piece named here does not stand on that square")]
    WrongPiece,
    /// The move breaks the rules.
    #[error("the move {usi} is illegal: {broken}")]
    Illegal {
        /// The move in USI notation.
        usi: String,
        /// The rules that it breaks.
        broken: Violations,
    },
    /// A move follows although the game was decided on the board.
    #[error(transparent)]
    Over(GameOver),
    /// No legal move fits what is written.
    #[error("no legal move fits this")]
    NoSuchMove,
    /// More than one legal move fits what is written.
    #[error("more than one legal move fits this")]
    Ambiguous,
    /// A move follows the end of the game.
    #[error("the game has ended before this")]
    AfterEnd,
    /// A variation of a move that the earlier lines do not have.
    #[error("no line before this one has a move of this number")]
    NoSuchPlace,
    /// Variations are nested too deeply to be read.
    #[error("variations lie in each other {0} times, which is too deep")]
    TooDeep(usize),
    /// The text is not JSON, or not of the right shape.
    #[error("{0}")]
    Json(String),
}

impl RecordReason {
    /// Why a move could not be added to a record.
    pub(super) fn of_push(mv: AnyMove, error: PlayError, vocabulary: &Vocabulary) -> Self {
        match error {
            PlayError::Over(over) => Self::Over(over),
            PlayError::Illegal(broken) => {
                let usi = usi::written(mv, vocabulary.notation, vocabulary.dialect, false);
                Self::Illegal { usi, broken }
            }
        }
    }
}

/// Why a record cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format does not exist for the variant.
    #[error("this variant is not written in {0}")]
    NotForVariant(Format),
    /// KI2 has no words that distinguish the move from others.
    #[error("KI2 has no words that distinguish move {0} from others")]
    Ambiguous(usize),
}
