//! A format chosen at run time.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::kakinoki::starts_with_mark;
use super::{Record, RecordError, Recorded, WriteError, csa, json, ki2, kif, usi};
use crate::notation::Dialect;

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// [`kif`].
    Kif,
    /// [`ki2`].
    Ki2,
    /// [`csa`].
    Csa,
    /// [`json`].
    Json,
    /// [`usi`].
    Usi,
}

/// A name that no format has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the formats are kif, ki2, csa, json and usi")]
pub struct UnknownFormat;

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Kif, Self::Ki2, Self::Csa, Self::Json, Self::Usi];

    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Json => "json",
            Self::Usi => "usi",
        }
    }

    /// The format that a text seems to be in, by the first line that only one format has.
    ///
    /// ```
    /// use shogi_rules::record::Format;
    /// assert_eq!(Format::detect("V2.2\nPI\n+\n"), Some(Format::Csa));
    /// assert_eq!(Format::detect("先手：あや\n▲７六歩"), Some(Format::Ki2));
    /// assert_eq!(Format::detect("Hello."), None);
    /// ```
    pub fn detect(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('{') {
            return Some(Self::Json);
        }
        let mut has_header = false;
        for line in text.lines().map(str::trim) {
            if ["position ", "startpos", "sfen "].iter().any(|word| line.starts_with(word)) {
                return Some(Self::Usi);
            }
            if starts_with_mark(line) {
                return Some(Self::Ki2);
            }
            if is_csa(line) {
                return Some(Self::Csa);
            }
            if line.starts_with("手数-") || line.starts_with(|c: char| c.is_ascii_digit()) {
                return Some(Self::Kif);
            }
            has_header |= line.contains('：') || line.starts_with('|');
        }
        has_header.then_some(Self::Kif)
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// As the format's own `parse`.
    pub fn parse<R: Recorded>(self, text: &str) -> Result<Record<R>, RecordError> {
        match self {
            Self::Kif => kif::parse(text),
            Self::Ki2 => ki2::parse(text),
            Self::Csa => csa::parse(text),
            Self::Json => json::parse(text),
            Self::Usi => usi::parse(text),
        }
    }

    /// Writes a record, in the variant's own dialect.
    ///
    /// # Errors
    ///
    /// As the format's own `write`.
    pub fn write<R: Recorded>(self, record: &Record<R>) -> Result<String, WriteError> {
        self.write_in(record, R::DIALECT)
    }

    /// Writes a record, in the given dialect where the format has SFEN and USI notation in it.
    ///
    /// # Errors
    ///
    /// As the format's own `write`.
    pub fn write_in<R: Recorded>(
        self,
        record: &Record<R>,
        dialect: Dialect,
    ) -> Result<String, WriteError> {
        match self {
            Self::Kif => kif::write(record),
            Self::Ki2 => ki2::write(record),
            Self::Csa => csa::write(record),
            Self::Json => Ok(json::write_in(record, dialect)),
            Self::Usi => Ok(usi::write_in(record, dialect)),
        }
    }
}

/// Whether only CSA has such a line.
fn is_csa(line: &str) -> bool {
    let statement = ["V1", "V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-", "'"];
    statement.iter().any(|start| line.starts_with(start)) || line == "+" || line == "-"
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or(UnknownFormat)
    }
}
