//! Files of weights: their common error and the shared parts of reading them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use shogi_files::sealed::{At, FileFormat, Flaw, Reader, read_bounded};

use crate::linear::WeightsError;
use crate::nn_bin::FeatureSet;
use crate::values::ValuesError;

/// A file of weights that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub reason: FileReason,
}

/// The faults that a file of weights of any form can have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileReason {
    /// The file cannot be read, has another format or version, or is damaged.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// A fault, with its place in the file.
    #[error(transparent)]
    At(Box<At<Self>>),
    /// The heading is malformed.
    #[error("in the heading: {0}")]
    Heading(#[from] serde_json::Error),
    /// The variant was read as text; files of weights exist only for compiled games.
    #[error("it needs a game that is compiled in; this one was read as text")]
    Uncompiled,
    /// The file was learnt for another variant, or with other features or rows.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or list of features or rows of the file.
        found: String,
        /// Expected variant, list of features or rows.
        expected: &'static str,
    },
    /// The weights do not fit the features or the network.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The values of pieces cannot be used.
    #[error(transparent)]
    Values(#[from] ValuesError),
    /// An evaluation inside the file cannot be used.
    #[error("in the {part}: {reason}")]
    Part {
        /// The name of the part.
        part: &'static str,
        /// The fault.
        reason: Box<Self>,
    },
    /// A number is out of range.
    #[error("the {name} is {value}, which is not between {min} and {max}")]
    Range {
        /// The name of the number.
        name: &'static str,
        /// The number, in hundredths of a pawn.
        value: i32,
        /// The least allowed.
        min: i32,
        /// The greatest allowed.
        max: i32,
    },
    /// A network in `nn.bin` is of no form that can be read: of another kind or size, or of other rules.
    #[error(
        "the hash of the network is {found:#010x}, which is neither that of {} nor that of {} for these rules",
        FeatureSet::HalfKp.name(),
        FeatureSet::Kp.name()
    )]
    UnknownForm {
        /// Its hash.
        found: u32,
    },
    /// A network in `nn.bin` does not have the wanted form.
    #[error("the network is {found}, but {expected} is wanted")]
    Form {
        /// The form of the file.
        found: &'static str,
        /// The wanted form.
        expected: &'static str,
    },
    /// A part of a network in `nn.bin` does not belong to its form.
    #[error("the hash of {part} is {found:#010x}, but {expected:#010x} is that of {form}")]
    Hash {
        /// The part.
        part: &'static str,
        /// Its hash in the file.
        found: u32,
        /// The hash that the part has in this form.
        expected: u32,
        /// The form.
        form: &'static str,
    },
    /// The description in an `nn.bin` is too long.
    #[error("the description has {found} bytes, more than {most}")]
    Description {
        /// Its length.
        found: u32,
        /// The greatest length.
        most: u32,
    },
    /// Bytes follow the network in an `nn.bin`.
    #[error("nothing may follow the weights")]
    Trailing,
}

impl From<At<Self>> for FileReason {
    fn from(error: At<Self>) -> Self {
        Self::At(Box::new(error))
    }
}

impl FileReason {
    /// Wraps the reason as one about an evaluation inside another file.
    pub(crate) fn within(self, part: &'static str) -> Self {
        Self::Part { part, reason: Box::new(self) }
    }

    /// Checks that each of these names in a file is the expected one.
    pub(crate) fn check_names<const N: usize>(
        names: [(String, &'static str); N],
    ) -> Result<(), Self> {
        for (found, expected) in names {
            if found != expected {
                return Err(Self::Other { found, expected });
            }
        }
        Ok(())
    }
}

/// A sealed file of weights that is being read.
pub type WeightsReader<'i> = Reader<&'i mut dyn Read>;

/// Reads a sealed file; `read` reads the content between version and checksum.
pub(crate) fn read_sealed<T>(
    input: &mut dyn Read,
    format: &FileFormat,
    read: impl FnOnce(&mut WeightsReader<'_>) -> Result<T, FileReason>,
) -> Result<T, FileReason> {
    let mut reader = Reader::new(input, format).map_err(At::convert::<FileReason>)?;
    let content = read(&mut reader).map_err(|reason| reader.at(reason))?;
    reader.finish().map_err(At::convert::<FileReason>)?;
    Ok(content)
}

/// Reads the heading of a sealed file.
pub(crate) fn read_heading<T: DeserializeOwned>(
    reader: &mut WeightsReader<'_>,
) -> Result<T, FileReason> {
    Ok(serde_json::from_str(&reader.sized_text("heading")?)?)
}

/// The name of the variant of a sealed file of weights.
pub(crate) fn read_variant(
    input: &mut dyn Read,
    format: &FileFormat,
) -> Result<String, FileReason> {
    Ok(shogi_files::sealed::read_variant::<FileReason>(input, format)?)
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
