//! Why a file that learning has saved cannot be used: one error for archives and for all checkpoints.

use shogi_eval::FileReason;
use shogi_rules::PlayError;
use shogi_rules::packed::UnpackError;
use shogi_rules::sealed::{At, Flaw};

use crate::effort::RecordError;
use crate::self_play::PlayedError;

/// Why a file is no archive or checkpoint that can be used, and where.
pub type LearnError = At<LearnReason>;

/// What can be wrong with an archive or a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnReason {
    /// The file cannot be read, or is not what was written.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The head is not one that is written.
    #[error("in the head: {0}")]
    Head(#[from] serde_json::Error),
    /// It was made for another variant or with other features.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or feature set of the file.
        found: String,
        /// Variant or feature set that is wanted.
        expected: &'static str,
    },
    /// The hash of its rules is not that of the variant's.
    #[error("it was made by other rules of the same name")]
    Rules,
    /// A field has a value that is never written.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// The start is no position of the variant.
    #[error("the start {0:?} is no position of the variant")]
    Start(String),
    /// An evaluation in it cannot be used.
    #[error("in the {part}: {reason}")]
    Evaluation {
        /// Which one.
        part: &'static str,
        /// What is wrong with it.
        reason: FileReason,
    },
    /// The archive in it cannot be used.
    #[error("in the games: {0}")]
    Games(Box<At<Self>>),
    /// A record of a search is none.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The bytes of an entry of training data are no packed position, or an illegal one.
    #[error("in the position, {0}")]
    Position(UnpackError),
    /// The number of the move in an entry of training data stands for no legal move.
    #[error("no legal move has the number {0}")]
    BestMove(u16),
    /// The byte of the result in an entry of training data stands for no result.
    #[error("no result has the number {0}")]
    Result(u8),
    /// A number stands for no move of the variant.
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
    /// A text is no move that can be played.
    #[error("game {game}: the move {text:?} cannot be played")]
    Move {
        /// The game, from 1.
        game: u64,
        /// The move.
        text: String,
    },
    /// A game does not hold together.
    #[error("game {game}: {reason}")]
    Game {
        /// The game, from 1.
        game: usize,
        /// What is wrong with it.
        reason: PlayedError,
    },
}

impl LearnReason {
    /// What is wrong with an evaluation inside a file.
    pub(crate) fn of(part: &'static str) -> impl FnOnce(FileReason) -> Self {
        move |reason| Self::Evaluation { part, reason }
    }

    /// That a name in a file is the one wanted.
    pub(crate) fn check_name(found: &str, expected: &'static str) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Other { found: found.to_owned(), expected })
    }
}
