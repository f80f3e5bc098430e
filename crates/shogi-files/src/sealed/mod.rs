//! Sealed files: they are read complete and unchanged or refused, and written completely or not at all.
//!
//! Every file on which a later run of a program of the family depends is *sealed*: it names its format
//! and version, and ends with a BLAKE3 hash of everything before. There are two forms, one for bytes
//! ([`Writer`], [`Reader`]) and, with the feature `sealed-json`, one for JSON (`to_json`, `from_json`).
//! [`replace`] puts a new file in the place of an old one in one step.
//!
//! The seal protects against damage, not against forgery: whoever changes a file can also renew its
//! hash. Each format specifies what its reader checks beyond that.

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

/// The number of bytes of the checksum at the end of a file.
pub const CHECKSUM_BYTES: usize = blake3::OUT_LEN;

/// A sealed binary format: its magic bytes, name, version and largest size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileFormat {
    /// The first bytes. By convention `\x89`, five capital letters and `\r\n`: the first byte cannot
    /// begin a text, and a program that edits the file as text changes the line end.
    pub magic: [u8; 8],
    /// The version, which follows in two bytes, little-endian. Other versions are refused.
    pub version: u16,
    /// The name in messages, such as `proof file`.
    pub name: &'static str,
    /// The largest size of a file in bytes. A reader refuses more, so it cannot read an endless stream
    /// for ever.
    pub most: u64,
}

/// An error with its place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct At<E> {
    /// The byte, from 0, at which reading stopped.
    pub offset: u64,
    /// The error.
    pub reason: E,
}

impl<E> At<E> {
    /// Converts the error to another type and keeps the place: turns an error of any file into an error
    /// of one format.
    ///
    /// ```
    /// use shogi_files::sealed::At;
    /// let At { offset, reason } = At { offset: 9, reason: 7_u8 }.convert::<u32>();
    /// assert_eq!((offset, reason), (9, 7));
    /// ```
    pub fn convert<T: From<E>>(self) -> At<T> {
        At { offset: self.offset, reason: self.reason.into() }
    }
}

/// The errors of a file of any format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file ends here, but it is not complete")]
    Truncated,
    /// The file has more bytes than the format allows.
    #[error("more than {most} bytes, the most that is read")]
    TooLarge {
        /// The largest number of bytes that are read.
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
        /// The version that this program reads.
        known: u64,
    },
    /// A text is not UTF-8.
    #[error("the {0} is not UTF-8")]
    Text(&'static str),
    /// A number is written in more bytes than it needs, or does not fit in 32 bits.
    #[error("the number is too long")]
    Number,
    /// The content differs from what was written.
    #[error("the checksum does not match: the file was changed or damaged")]
    Checksum,
    /// The file goes on after the checksum.
    #[error("nothing may follow the checksum")]
    Trailing,
    /// The text is not JSON, or does not have the fields of the format.
    #[error("this is no {name}: {reason}")]
    Json {
        /// The name of the format.
        name: &'static str,
        /// The fault, with line and column.
        reason: String,
    },
}
