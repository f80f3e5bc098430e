//! What a reader has to say of a record that it has read.

use alloc::vec::Vec;

use shogi_core::Colour;

use super::Record;
use super::error::RecordReason;
use crate::rules::Rules;

/// The records of a text, with what was read otherwise than it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reading<R: Rules> {
    /// The records, at least one.
    pub records: Vec<Record<R>>,
    /// What a reader of the records should know, in the order in which it was found.
    pub notices: Vec<Notice>,
}

/// Something in the text of a record that contradicts the rules, the record itself or its format, and was read all the
/// same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct Notice {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What stands there, and what has become of it.
    pub reason: NoticeReason,
}

/// What a [`Notice`] is about.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoticeReason {
    /// A player has moved out of turn.
    #[error("{0} moves out of turn: the game ends here, and the move is kept as a comment")]
    OutOfTurn(Colour),
    /// The last move breaks the rules, and the record does not say that this has ended the game.
    #[error("the game ends with a move against the rules: {0}")]
    IllegalMove(RecordReason),
    /// The last move is one of a piece that is not there.
    #[error("nobody can make this move: the game ends here, and the move is kept as a comment")]
    ImpossibleMove,
    /// A second end, other than the first.
    #[error("the game has ended before this, which is kept as a comment")]
    SecondEnd,
    /// The result names another winner than the end above it, or the turn.
    #[error(
        "this result contradicts the end above it, which is kept as a comment: by the result {0} has lost"
    )]
    OtherLoser(Colour),
    /// A line of no kind that the format has.
    #[error("this is neither a move nor an end, and is kept as a comment")]
    FreeText,
    /// Moves that are numbered from another number than 1, from a start that has a name.
    #[error("the moves are numbered from {0}")]
    Numbers(usize),
    /// A time below zero.
    #[error("a time below zero is kept as a comment")]
    NegativeTime,
    /// A king that is not on the board, in a hand.
    #[error("the king in hand is left out")]
    KingInHand,
}
