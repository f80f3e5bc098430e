//! Notices about records that were read.

use alloc::vec::Vec;

use shogi_core::Colour;

use super::Record;
use super::error::RecordReason;
use shogi_rules::Rules;

/// The records of a text, with notices where the reading deviates from the text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reading<R: Rules> {
    /// The records, at least one.
    pub records: Vec<Record<R>>,
    /// The notices, in the order in which they were found.
    pub notices: Vec<Notice>,
}

/// A part of a text that contradicts the rules, the record itself or the format, and was read nevertheless.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct Notice {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The contradiction, and how it was read.
    pub reason: NoticeReason,
}

/// The subject of a [`Notice`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoticeReason {
    /// A player moved out of turn.
    #[error("{0} moves out of turn: the game ends here, and the move is kept as a comment")]
    OutOfTurn(Colour),
    /// The last move breaks the rules, and the record does not say that it ended the game.
    #[error("the game ends with a move against the rules: {0}")]
    IllegalMove(RecordReason),
    /// The last move moves a piece that is not there.
    #[error("nobody can make this move: the game ends here, and the move is kept as a comment")]
    ImpossibleMove,
    /// A second end differs from the first.
    #[error("the game has ended before this, which is kept as a comment")]
    SecondEnd,
    /// The result names a winner other than the end above it, or the turn, implies.
    #[error(
        "this result contradicts the end above it, which is kept as a comment: by the result {0} has lost"
    )]
    OtherLoser(Colour),
    /// A line that the format does not know.
    #[error("this is neither a move nor an end, and is kept as a comment")]
    FreeText,
    /// Moves are not numbered from 1, although the start has a name.
    #[error("the moves are numbered from {0}")]
    Numbers(usize),
    /// A time is below zero.
    #[error("a time below zero is kept as a comment")]
    NegativeTime,
    /// A time has a fraction of a second; one notice stands for all of a text.
    #[error("times are kept in whole seconds: fractions are left out")]
    Fraction,
    /// A king that is not on the board is listed in a hand.
    #[error("the king in hand is left out")]
    KingInHand,
}
