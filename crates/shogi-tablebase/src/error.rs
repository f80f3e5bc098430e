//! The errors of this crate.

use std::io;
use std::path::PathBuf;

use shogi_core::NotClassic;
use shogi_files::sealed::{At, Flaw};

use crate::value::Value;

/// Why a set of pieces has no index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Tablebases are not made for rule tables of this kind.
    #[error(transparent)]
    Table(#[from] NotClassic),
    /// A repetition decides the game.
    #[error("a repetition decides the game, and tablebases take it for a draw")]
    Repetition,
    /// Left and right differ.
    #[error(
        "a piece moves otherwise to the left than to the right, and mirror images share a number"
    )]
    Mirror,
    /// The player who gives perpetual check loses.
    #[error(
        "who gives perpetual check loses, and tablebases take every repetition for a draw; \
         write [repetition] perpetual_check = \"legal\" for a game without this rule"
    )]
    PerpetualCheck,
    /// Points decide some games.
    #[error("points decide a game by the rule on impasse, and tablebases do not count them")]
    Impasse,
    /// The board is too large.
    #[error("a board of {squares} squares, but an index has at most 32")]
    Board {
        /// Squares of the board.
        squares: usize,
    },
    /// The set does not have exactly one royal piece for each player.
    #[error("the set must have one king for each player")]
    Kings,
    /// There are too many positions.
    #[error("more positions with the kings on two squares than 32 bits count")]
    TooMany,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub reason: FileReason,
}

/// The faults that a file can have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileReason {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a tablebase, has another version, or is damaged before its blocks.
    #[error(transparent)]
    Sealed(#[from] At<Flaw>),
    /// The header is malformed.
    #[error("the header cannot be read: {0}")]
    Header(#[from] serde_json::Error),
    /// The content differs from what was written.
    #[error("a checksum does not match: the file was changed or damaged")]
    Damaged,
    /// The file is of another kind, variant, rule set or size.
    #[error("the {field} is {found}, but {expected} was expected")]
    Different {
        /// The difference.
        field: &'static str,
        /// The value in the file.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// The set of pieces has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The stage of a checkpoint is impossible.
    #[error("the stage is none of a build: {0}")]
    Stage(#[from] StageError),
}

/// How the stage of a checkpoint contradicts its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StageError {
    /// The counted positions are not those of the stage.
    #[error("other positions are begun")]
    Begun,
    /// At these plies moves are counted in another way.
    #[error("moves are counted in another way at its plies")]
    Counts,
    /// A position has more plies than the stage has reached.
    #[error("a position of {plies} plies, but it has come to {most}")]
    Plies {
        /// The plies of the position.
        plies: u32,
        /// The most possible plies.
        most: u32,
    },
    /// The number of positions of many plies differs from the header.
    #[error("other positions have more plies than a byte holds")]
    Longer,
    /// The stage is beyond plies that no position has.
    #[error("no position has {0} plies")]
    Passed(u32),
    /// More blocks are done than exist.
    #[error("{block} blocks are done of {blocks}")]
    Block {
        /// Number of blocks done.
        block: u64,
        /// Number of blocks that exist.
        blocks: u64,
    },
    /// The number of resolved positions is wrong.
    #[error("{0} positions resolved are not those there")]
    Resolved(u64),
}

/// Why a tablebase could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The set of pieces has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The build needs more memory than is allowed.
    #[error("{need} MiB of memory are needed, but {allowed} MiB are allowed")]
    Memory {
        /// MiB needed.
        need: u64,
        /// MiB allowed.
        allowed: u64,
    },
    /// A checkpoint cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Why a position has no value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The pieces of the position are not those of the tablebase.
    #[error("the pieces are {found}, but those of the tablebase {expected}")]
    Pieces {
        /// The pieces of the position.
        found: String,
        /// The pieces of the tablebase.
        expected: String,
    },
    /// The position is illegal.
    #[error("illegal position: {0}")]
    Illegal(String),
    /// The tablebase has no value for a legal position.
    #[error("the tablebase has no value for a legal position")]
    Damaged,
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Why a tablebase could not be verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The value of a position contradicts those of its successors.
    #[error("{sfen} is stored as {}, but by the rules it is {}", words(found), words(expected))]
    Refuted {
        /// The position.
        sfen: String,
        /// The stored value; `None` for an illegal position.
        found: Option<Value>,
        /// The value that follows from the successors by the rules; `None` for an illegal position.
        expected: Option<Value>,
    },
    /// A legal position has no value.
    #[error("{sfen} has no value")]
    Missing {
        /// The position.
        sfen: String,
    },
    /// The totals of the header differ from those of the positions.
    #[error("the totals in the header are not those of the positions")]
    Totals,
    /// The plies, which are not stored, cannot be recomputed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A value in a message.
fn words(value: &Option<Value>) -> String {
    let Some(Value { verdict, plies }) = value else { return "no legal position".to_owned() };
    match plies {
        Some(plies) => format!("a {} in {plies} plies", verdict.name()),
        None => format!("a {}", verdict.name()),
    }
}
