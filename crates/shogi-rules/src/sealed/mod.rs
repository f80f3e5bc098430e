//! Files that are read whole and unchanged, or refused; written whole, or not at all.
//!
//! Every file of the family that a later run depends on is *sealed*: it names its format and the version
//! of it, and ends with a BLAKE3 hash of all that comes before. There are two forms, one for bytes
//! ([`Writer`], [`Reader`]) and, with the feature `sealed-json`, one for JSON (`to_json`, `from_json`).
//! [`replace`] puts a new file in the place of an old one in one step.
//!
//! The seal protects against damage, not against forgery: a changed file can be given
//! its new hash. What a reader checks beyond that is specified by each format.

mod bounded;
#[cfg(feature = "sealed-json")]
mod distinct;
#[cfg(feature = "sealed-json")]
mod heading;
#[cfg(feature = "sealed-json")]
mod json;
mod read;
mod replace;
#[cfg(all(test, feature = "sealed-json"))]
mod tests;
mod write;

use std::io;
use std::string::String;

pub use bounded::read_bounded;
#[cfg(feature = "sealed-json")]
pub use distinct::Distinct;
#[cfg(feature = "sealed-json")]
pub use heading::read_variant;
#[cfg(feature = "sealed-json")]
pub use json::{JsonFormat, from_json, to_json};
pub use read::Reader;
pub use replace::{check_replaceable, is_stream, replace};
pub use write::Writer;

/// Bytes of the checksum at the end of a file.
pub const CHECKSUM_BYTES: usize = blake3::OUT_LEN;

/// How the files of one kind begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileFormat {
    /// The first bytes. By convention `\x89`, five capital letters and `\r\n`: the first byte is none of
    /// a text, and the line end is lost where a file is changed as text.
    pub magic: [u8; 8],
    /// The version, which follows in two bytes, little-endian. Others are refused.
    pub version: u16,
    /// The name in messages, such as `proof file`.
    pub name: &'static str,
    /// The most bytes of a file. A reader refuses more, so that none reads an endless stream for ever.
    pub most: u64,
}

/// A reason with the place in a file where it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct At<E> {
    /// The byte, from 0, up to which the file was read.
    pub offset: u64,
    /// What is wrong.
    pub reason: E,
}

impl<E> At<E> {
    /// The same place with a reason of another type: what is wrong with any file as what is wrong with
    /// a file of one format.
    ///
    /// ```
    /// use shogi_rules::sealed::At;
    /// let At { offset, reason } = At { offset: 9, reason: 7_u8 }.convert::<u32>();
    /// assert_eq!((offset, reason), (9, 7));
    /// ```
    pub fn convert<T: From<E>>(self) -> At<T> {
        At { offset: self.offset, reason: self.reason.into() }
    }
}

/// What can be wrong with a file of any format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file ends here, but it is not complete")]
    Truncated,
    /// There are more bytes than a file of the format has.
    #[error("more than {most} bytes, the most that is read")]
    TooLarge {
        /// The most bytes that are read.
        most: u64,
    },
    /// The file is of another format.
    #[error("this is no {0}")]
    Format(&'static str),
    /// The file has another version of the format.
    #[error("version {found} of the format, but only {known} is known")]
    Version {
        /// The version of the file.
        found: u64,
        /// The version that can be read.
        known: u64,
    },
    /// A text is not UTF-8.
    #[error("the {0} is not UTF-8")]
    Text(&'static str),
    /// A number is written in more bytes than it needs, or does not fit in 32 bits.
    #[error("the number is too long")]
    Number,
    /// The content is not what was written.
    #[error("the checksum does not match: the file was changed or damaged")]
    Checksum,
    /// There is more after the checksum.
    #[error("nothing may follow the checksum")]
    Trailing,
    /// The text is not JSON, or not with the fields of the format.
    #[error("this is no {name}: {reason}")]
    Json {
        /// The name of the format.
        name: &'static str,
        /// What is wrong, with line and column.
        reason: String,
    },
}
