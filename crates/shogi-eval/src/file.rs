//! Files of weights: sealed JSON with the name of the variant, checked when it is read.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use shogi_rules::sealed::{Flaw, read_bounded};

use crate::effort::EffortError;
use crate::half_kp::HalfKpError;
use crate::linear::WeightsError;
use crate::value::NetError;
use crate::values::ValuesError;

/// A file of weights that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: FileReason,
}

/// What can be wrong with a file of weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileReason {
    /// It cannot be read, is of another format or version, or was changed or damaged.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// It was learnt for another variant or with other features.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or list of features of the file.
        found: String,
        /// Variant or list of features that is wanted.
        expected: &'static str,
    },
    /// The weights do not fit the features.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The values of pieces cannot be used.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// It is no network for the player.
    #[error(transparent)]
    Net(#[from] NetError),
    /// It is no network of the form HalfKP 256x2-32-32.
    #[error(transparent)]
    HalfKp(#[from] HalfKpError),
    /// It is no evaluation for proof searches.
    #[error(transparent)]
    Effort(#[from] EffortError),
    /// A number is out of range.
    #[error("the {name} is {value}, which is not between {min} and {max}")]
    Range {
        /// What the number is.
        name: &'static str,
        /// The number, in hundredths of a pawn.
        value: i32,
        /// The least allowed.
        min: i32,
        /// The greatest allowed.
        max: i32,
    },
}

/// The file of a variant among those of the crate.
pub(crate) fn of_crate<T: Copy>(files: &[(&str, T)], variant: &str) -> Option<T> {
    files.iter().find(|(name, _)| *name == variant).map(|&(_, file)| file)
}

/// Opens a file and reads what is in it.
pub(crate) fn open<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn Read) -> Result<T, FileReason>,
) -> Result<T, FileError> {
    let file = File::open(path).map_err(|error| Flaw::Io(error).into());
    let read = file.and_then(|mut file| read(&mut file));
    read.map_err(|reason| FileError { path: path.to_owned(), reason })
}

/// The most bytes of a file of weights in JSON, and of an evaluation of any form: the largest network that is read has
/// 62 MB.
pub const MOST_EVALUATION_BYTES: u64 = 1 << 28;

/// Reads a file and the text in it.
pub(crate) fn load<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, FileReason>,
) -> Result<T, FileError> {
    let bytes = File::open(path).map_err(Flaw::from);
    let bytes = bytes.and_then(|file| read_bounded(file, MOST_EVALUATION_BYTES));
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| Flaw::Text("file")));
    let loaded = text.map_err(FileReason::from).and_then(|text| parse(&text));
    loaded.map_err(|reason| FileError { path: path.to_owned(), reason })
}
