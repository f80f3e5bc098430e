//! Why a task failed.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
#[cfg(feature = "record")]
use alloc::vec::Vec;
use core::error;

use shogi_rules::shogi_core::{Colour, Faults, InvalidPosition};
use shogi_rules::{PlayError, PositionError, Rules, SfenError, StartError, UsiError};

/// Why a task on a variant failed. Its text is that of the library's error behind it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The task is not there for this variant.
    #[error("this is not available for {0} in this version")]
    Unavailable(&'static str),
    /// The task needs rules that are compiled, and the variant was read as text.
    #[error("{0} needs a game that is compiled in; this one was read as text")]
    Uncompiled(&'static str),
    /// The task is not there for rules such as those of the variant.
    #[error("{task} is not available for {variant}: {reason}")]
    Unsuited {
        /// The task.
        task: &'static str,
        /// The name of the variant.
        variant: &'static str,
        /// The rule that is in the way.
        reason: String,
    },
    /// No start of the variant has the name given.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A text is no position.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A position breaks the rules.
    #[error("{text}")]
    Invalid {
        /// All that is wrong with it.
        faults: Faults,
        /// The faults in words, with the pieces of which there are too many.
        text: String,
    },
    /// A line with a position is not of the form `position startpos moves ...`.
    #[error("in {line:?}: {expected} should stand before the moves")]
    Line {
        /// The line.
        line: String,
        /// The expected text.
        expected: &'static str,
    },
    /// A text is no move.
    #[error("move {number}, {text:?}: {reason}")]
    Notation {
        /// Which move of the line, from 1.
        number: usize,
        /// The text.
        text: String,
        /// Its fault.
        reason: UsiError,
    },
    /// A move is against the rules.
    #[error("move {number}, {text:?}: {reason}")]
    Illegal {
        /// Which move of the line, from 1.
        number: usize,
        /// The text.
        text: String,
        /// Why it is.
        reason: PlayError,
    },
    /// A line that should guide a search has a move that cannot be read or played.
    #[error("in the line, {0}")]
    InLine(Box<Self>),
    /// The variant is too large for a task.
    #[error("{variant} is too large {task}")]
    TooLarge {
        /// The name of the variant.
        variant: &'static str,
        /// For what, beginning with `to`.
        task: &'static str,
    },
    /// The system refuses the memory for the tables of a task.
    #[error("the system refuses {bytes} bytes for the tables")]
    Memory {
        /// The bytes that the tables may take.
        bytes: usize,
    },
    /// A listing of positions needs more memory than its setting allows.
    #[error("the listing takes {megabytes} MB of memory, and --memory allows {allowed}")]
    ListingMemory {
        /// The megabytes that it needs.
        megabytes: u64,
        /// The megabytes that it may take.
        allowed: u64,
    },
    /// Settings of a task that exclude each other.
    #[error("{0} cannot be combined with {1}")]
    Settings(&'static str, &'static str),
    /// The work was broken off.
    #[error("broken off")]
    Stopped,
    /// A shard of an estimate does not fit its variant.
    #[error("{0}")]
    Shard(String),
    /// A proof does not say what to play.
    #[error("the proof has no move here")]
    NotInProof,
    /// A mate is wanted where this player, who is to be mated, has no king.
    #[error("{0}, who is to be mated, has no king")]
    NoKing(Colour),
    /// The variant has no evaluation of this name.
    #[error("{variant} has no evaluation by {name}")]
    NoEvaluation {
        /// The name of the variant.
        variant: &'static str,
        /// The name of the evaluation.
        name: String,
    },
    /// A network is to correct an evaluation that has no weighted features.
    #[error("a network corrects weighted features only, and {name} is something else")]
    NotWeighted {
        /// The name of the evaluation.
        name: String,
    },
    /// A fit is to begin from the weights of an evaluation of another form.
    #[error(
        "the fit can begin from a network of the form {wanted} only, and {name} is something else"
    )]
    NotOfForm {
        /// The name of the evaluation.
        name: String,
        /// The form that is fitted.
        wanted: &'static str,
    },
    /// An estimate of effort is wanted, and the evaluation is linear.
    #[error("the evaluation is linear: it has no network that estimates effort")]
    NoNetwork,
    /// Training data has positions alone, and nothing can be learnt from them.
    #[cfg(feature = "learn")]
    #[error("there is nothing to learn from in {0}: it has no results")]
    NoResults(&'static str),
    /// Nothing is left to learn from in archives or training data.
    #[cfg(feature = "learn")]
    #[error(
        "there is no position to learn from: the files are empty, or hold only positions that are left out"
    )]
    NoPositions,
    /// One of several archives or files of training data cannot be read.
    #[error("{reason}")]
    Archive {
        /// Which of them, from 0.
        index: usize,
        /// Its fault.
        reason: Box<Self>,
    },
    /// A checkpoint belongs to another run.
    #[error("the checkpoint is of another run: it has {found}")]
    OtherRun {
        /// The settings of the checkpoint's run.
        found: String,
    },
    /// The player has no level of this number.
    #[cfg(feature = "search")]
    #[error("there is no level {0}: the levels are 1 to {most}", most = shogi_search::Level::HIGHEST.number())]
    Level(u8),
    /// A move is wanted in a game that is over.
    #[error("the game is over: {0}")]
    Over(String),
    /// No format of records is named, and that of the text is not recognised.
    #[cfg(feature = "record")]
    #[error("the format of the record is not recognised")]
    UnknownFormat,
    /// A record in USI names no start and fits several games.
    #[cfg(feature = "record")]
    #[error("the record is one of several games, {}: name the variant", .0.join(", "))]
    SeveralGames(Vec<&'static str>),
    /// A text is no record of a game.
    #[cfg(feature = "record")]
    #[error(transparent)]
    Record(#[from] shogi_records::RecordError),
    /// The variant has no set of pieces with this name, or none is named and one has to be.
    #[cfg(feature = "tablebase")]
    #[error("{variant} has no set of pieces {name:?}: give {expected}")]
    Set {
        /// The variant.
        variant: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        expected: &'static str,
    },
    /// No tablebase of the variant is open.
    #[cfg(feature = "tablebase")]
    #[error("no tablebase of {0} is open")]
    NoTablebase(&'static str),
    /// A file that the work is kept in is damaged, or cannot be read or written.
    #[cfg(feature = "solve")]
    #[error("{}: {reason}", path.display())]
    Kept {
        /// The file.
        path: std::path::PathBuf,
        /// The fault.
        reason: Box<dyn error::Error + Send + Sync>,
    },
    /// Any other error of a library.
    #[error(transparent)]
    Library(Box<dyn error::Error + Send + Sync>),
}

impl Error {
    /// Requests the memory of a task's tables and gives it back: allocated part by part, it would end the
    /// process where it is refused.
    #[cfg(feature = "solve")]
    pub(crate) fn check_memory(bytes: usize) -> Result<(), Self> {
        let refused = alloc::vec::Vec::<u8>::new().try_reserve_exact(bytes).is_err();
        if refused { Err(Self::Memory { bytes }) } else { Ok(()) }
    }

    /// The error for a checkpoint whose settings differ so, or which is from another start.
    #[cfg(feature = "learn")]
    pub(super) fn other_run(differing: Option<String>) -> Self {
        Self::OtherRun { found: differing.unwrap_or_else(|| "another start".into()) }
    }

    /// An error of a library as it is.
    pub(crate) fn library(error: impl error::Error + Send + Sync + 'static) -> Self {
        Self::Library(Box::new(error))
    }

    /// An error of a file that the work is kept in.
    #[cfg(feature = "solve")]
    pub(super) fn kept<E: error::Error + Send + Sync + 'static>(
        path: &std::path::Path,
    ) -> impl Fn(E) -> Self {
        move |error| Self::Kept { path: path.into(), reason: Box::new(error) }
    }
}

impl<R: Rules> From<PositionError<R>> for Error {
    fn from(error: PositionError<R>) -> Self {
        match error {
            PositionError::Sfen(error) => Self::Sfen(error),
            PositionError::Invalid(error) => error.into(),
            other => Self::library(other),
        }
    }
}

impl<R: Rules> From<InvalidPosition<R>> for Error {
    fn from(error: InvalidPosition<R>) -> Self {
        Self::Invalid { faults: error.faults, text: error.to_string() }
    }
}
