//! The one error for archives and all checkpoints of learning.

use shogi_eval::FileReason;
use shogi_files::packed::UnpackError;
use shogi_files::sealed::{At, Flaw};
use shogi_rules::PlayError;

use crate::effort::RecordError;
use crate::self_play::PlayedError;

/// Why and where a file cannot be used as an archive or checkpoint.
pub type LearnError = At<LearnReason>;

/// The faults that an archive or a checkpoint can have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnReason {
    /// The file cannot be read, or is damaged.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The head is malformed.
    #[error("in the head: {0}")]
    Head(#[from] serde_json::Error),
    /// The file was made for another variant or with other features.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or feature set of the file.
        found: String,
        /// Expected variant or feature set.
        expected: &'static str,
    },
    /// The hash of its rules differs from that of the variant.
    #[error("it was made by other rules of the same name")]
    Rules,
    /// A field has an impossible value.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// The start is not a position of the variant.
    #[error("the start {0:?} is no position of the variant")]
    Start(String),
    /// An evaluation in it cannot be used.
    #[error("in the {part}: {reason}")]
    Evaluation {
        /// Which one.
        part: &'static str,
        /// The fault.
        reason: FileReason,
    },
    /// The archive in it cannot be used.
    #[error("in the games: {0}")]
    Games(Box<At<Self>>),
    /// A record of a search is malformed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The bytes of an entry of training data are not a packed position, or an illegal one.
    #[error("in the position, {0}")]
    Position(UnpackError),
    /// The move in an entry of training data is not legal.
    #[error("no legal move has the number {0}")]
    BestMove(u16),
    /// The byte of the result in an entry of training data is invalid.
    #[error("no result has the number {0}")]
    Result(u8),
    /// A number is not a move of the variant.
    #[error("game {game}, move {ply}: no move has the number {packed}")]
    Packed {
        /// The game, from 1.
        game: usize,
        /// The move, from 1.
        ply: usize,
        /// Its number in the file.
        packed: u16,
    },
    /// A move of a game cannot be played.
    #[error("game {game}, move {ply}: {reason}")]
    Play {
        /// The game, from 1.
        game: usize,
        /// The move, from 1.
        ply: usize,
        /// Why not.
        reason: PlayError,
    },
    /// A text is not a legal move.
    #[error("game {game}: the move {text:?} cannot be played")]
    Move {
        /// The game, from 1.
        game: u64,
        /// The move.
        text: String,
    },
    /// A game is inconsistent.
    #[error("game {game}: {reason}")]
    Game {
        /// The game, from 1.
        game: usize,
        /// The fault.
        reason: PlayedError,
    },
}

impl LearnReason {
    /// Converts the reason of an evaluation inside a file.
    pub(crate) fn of(part: &'static str) -> impl FnOnce(FileReason) -> Self {
        move |reason| Self::Evaluation { part, reason }
    }

    /// Checks that a name in a file is the expected one.
    pub(crate) fn check_name(found: &str, expected: &'static str) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Other { found: found.to_owned(), expected })
    }
}
