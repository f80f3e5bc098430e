//! A format chosen at run time.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::cursor::split_lines;
use super::kakinoki::starts_with_mark;
use super::left_out::left_out;
use super::names::Vocabulary;
use super::{
    EncodeError, Encoding, LeftOut, Reading, Record, RecordError, Recorded, WriteError, builder,
    csa, encode, jkf, json, ki2, kif, summary, usi,
};
use shogi_core::notation::Dialect;

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
    /// [`jkf`].
    Jkf,
}

/// The error for a name that no format has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the formats are kif, ki2, csa, json, jkf and usi")]
pub struct UnknownFormat;

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Kif, Self::Ki2, Self::Csa, Self::Json, Self::Usi, Self::Jkf];

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Json => "json",
            Self::Usi => "usi",
            Self::Jkf => "jkf",
        }
    }

    /// Guesses the format of a text by the first line that only one format has.
    ///
    /// ```
    /// use shogi_records::Format;
    /// assert_eq!(Format::detect("V2.2\nPI\n+\n"), Some(Format::Csa));
    /// assert_eq!(Format::detect("先手：あや\n▲７六歩"), Some(Format::Ki2));
    /// assert_eq!(Format::detect("まで0手で中断"), Some(Format::Ki2));
    /// assert_eq!(Format::detect("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), Some(Format::Usi));
    /// assert_eq!(Format::detect("Hello."), None);
    /// ```
    pub fn detect(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('{') {
            return Some(if jkf::is_jkf(text) { Self::Jkf } else { Self::Json });
        }
        let mut has_header = false;
        for line in split_lines(text).map(str::trim) {
            let word = line.split([' ', '\t']).next().unwrap_or(line);
            if ["position", "startpos", "sfen"].contains(&word) || usi::is_board(word) {
                return Some(Self::Usi);
            }
            // In KIF this follows moves, or the line above them.
            if starts_with_mark(line) || line.starts_with(summary::BEGINNING) {
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

    /// Reads a record; of a text with several, the first.
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
            Self::Jkf => jkf::parse(text),
        }
    }

    /// Reads all records of a text: one per line in USI, JSON and JKF; in KIF and KI2 each but the first begins with the line
    /// 手合割, and the first too if it has no moves.
    ///
    /// # Errors
    ///
    /// Those of the format's own `parse`, and if there is no record.
    ///
    /// ```
    /// use shogi_rules::Shogi;
    /// use shogi_records::Format;
    /// let records = Format::Csa.parse_all::<Shogi>("PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n%CHUDAN\n")?;
    /// assert_eq!(records.len(), 2);
    /// # Ok::<(), shogi_records::RecordError>(())
    /// ```
    pub fn parse_all<R: Recorded>(self, text: &str) -> Result<Vec<Record<R>>, RecordError> {
        Ok(self.read::<R>(text)?.records)
    }

    /// Reads all records of a text, with notices where the reading deviates from the text.
    ///
    /// # Errors
    ///
    /// Those of the format's own `parse`, and if there is no record.
    ///
    /// ```
    /// use shogi_rules::Shogi;
    /// use shogi_records::Format;
    /// use shogi_rules::shogi_core::Colour;
    /// let read = Format::Csa.read::<Shogi>("PI\n+\n+7776FU\n+2726FU\n%+ILLEGAL_ACTION\n")?;
    /// assert_eq!(read.records[0].winner(), Some(Colour::Gote));
    /// assert_eq!(
    ///     read.notices[0].to_string(),
    ///     "line 4, column 1: Sente moves out of turn: the game ends here, and the move is kept as a comment"
    /// );
    /// # Ok::<(), shogi_records::RecordError>(())
    /// ```
    pub fn read<R: Recorded>(self, text: &str) -> Result<Reading<R>, RecordError> {
        let read = match self {
            Self::Kif => kif::read,
            Self::Ki2 => ki2::read,
            Self::Csa => csa::read,
            Self::Json => json::read_all,
            Self::Usi => usi::read,
            Self::Jkf => jkf::read_all,
        };
        builder::read_all(text, read)
    }

    /// The parts of a record that the format cannot hold.
    ///
    /// ```
    /// use shogi_rules::Shogi;
    /// use shogi_records::{Format, kif};
    /// let record = kif::parse::<Shogi>("1 ７六歩(77) (0:16)\n&ここ\n2 投了\n変化：1手\n1 ２六歩(27)\n")?;
    /// let left_out = Format::Usi.left_out(&record);
    /// assert_eq!(
    ///     left_out.sentence(Format::Usi),
    ///     Some("1 variation, 1 time, 1 bookmark and 1 end are not written: USI has none".into())
    /// );
    /// assert_eq!(Format::Kif.left_out(&record).sentence(Format::Kif), None);
    /// # Ok::<(), shogi_records::RecordError>(())
    /// ```
    pub fn left_out<R: Recorded>(self, record: &Record<R>) -> LeftOut {
        left_out(record, &Vocabulary::of::<R>(), self)
    }

    /// Joins the texts of several games. In KIF and KI2, where other programs expect one game, all are
    /// written with an empty line between them.
    pub fn join(self, games: &[String]) -> String {
        let separator = match self {
            Self::Kif | Self::Ki2 => "\n",
            Self::Csa => csa::FILE_SEPARATOR,
            Self::Json | Self::Usi | Self::Jkf => "",
        };
        let mut text = String::new();
        for (i, game) in games.iter().enumerate() {
            text.push_str(if i > 0 { separator } else { "" });
            text.push_str(game);
            if !game.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }

    /// A text in this format as the bytes of a file. CSA in UTF-8 names its encoding in the first line, as in
    /// version 3.0.
    ///
    /// # Errors
    ///
    /// The first character that the encoding lacks.
    pub fn to_bytes(self, text: &str, encoding: Encoding) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        if (self, encoding) == (Self::Csa, Encoding::Utf8) {
            bytes.extend_from_slice(csa::IN_UTF8.as_bytes());
        }
        bytes.extend(encode(text, encoding)?);
        Ok(bytes)
    }

    /// Writes a record, in the variant's own dialect.
    ///
    /// # Errors
    ///
    /// As the format's own `write`.
    pub fn write<R: Recorded>(self, record: &Record<R>) -> Result<String, WriteError> {
        self.write_in(record, R::dialect())
    }

    /// Writes a record; formats with SFEN and USI notation use the given dialect.
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
            Self::Jkf => jkf::write(record),
        }
    }
}

/// Whether only CSA has a line like this.
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
