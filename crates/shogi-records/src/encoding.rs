//! Conversion between bytes and text: UTF-8, Shift-JIS and EUC-JP.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use encoding_rs::{EUC_JP, SHIFT_JIS};

/// How a record is stored in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8; `.kifu`, `.ki2u`, and JSON.
    Utf8,
    /// Shift-JIS with the extensions of Windows; `.kif`, `.ki2`, and CSA files that do not name another
    /// encoding.
    ShiftJis,
    /// EUC-JP, of old servers and mailing lists.
    EucJp,
}

impl Encoding {
    /// The customary encoding of files with an extension, given without the dot: Shift-JIS for `kif`, `ki2` and
    /// `csa`, UTF-8 for `kifu`, `ki2u` and all others.
    ///
    /// ```
    /// use shogi_records::Encoding;
    /// assert_eq!(Encoding::of_extension("kif"), Encoding::ShiftJis);
    /// assert_eq!(Encoding::of_extension("kifu"), Encoding::Utf8);
    /// ```
    pub fn of_extension(extension: &str) -> Self {
        match extension.to_lowercase().as_str() {
            "kif" | "ki2" | "csa" => Self::ShiftJis,
            _ => Self::Utf8,
        }
    }

    /// The encoding of the crate encoding_rs; `None` for UTF-8, the encoding of `str`.
    const fn table(self) -> Option<&'static encoding_rs::Encoding> {
        match self {
            Self::Utf8 => None,
            Self::ShiftJis => Some(SHIFT_JIS),
            Self::EucJp => Some(EUC_JP),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::ShiftJis => "shift-jis",
            Self::EucJp => "euc-jp",
        })
    }
}

/// The error for bytes that are not text in any of the encodings, or not in the one that was named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, byte {byte}: this is {}", self.what())]
pub struct DecodeError {
    /// The line, from 1.
    pub line: usize,
    /// The byte of the line, from 1, where the text stops being UTF-8; 1 if another encoding was named.
    pub byte: usize,
    /// The encoding that was named, if one was.
    pub named: Option<Encoding>,
}

impl DecodeError {
    const fn what(&self) -> &'static str {
        match self.named {
            None => "neither UTF-8 nor Shift-JIS nor EUC-JP",
            Some(Encoding::Utf8) => "not UTF-8",
            Some(Encoding::ShiftJis) => "not Shift-JIS",
            Some(Encoding::EucJp) => "not EUC-JP",
        }
    }
}

/// The error for a character that the encoding lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {encoding} has no {character:?}")]
pub struct EncodeError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The character.
    pub character: char,
    /// The encoding.
    pub encoding: Encoding,
}

/// Decodes bytes and returns the text with its encoding: UTF-8 if possible, else EUC-JP, else Shift-JIS.
///
/// Text in Shift-JIS is hardly ever valid EUC-JP: its kana and kanji have bytes that EUC-JP does not use. The
/// exception is text in half-width katakana alone, which counts as EUC-JP only if [`decode_as`] names it.
///
/// # Errors
///
/// If the bytes are not text in any of them.
///
/// ```
/// use shogi_records::{Encoding, decode, encode};
/// let bytes = encode("７六歩", Encoding::ShiftJis)?;
/// assert_eq!(bytes, b"\x82\x56\x98\x5a\x95\xe0");
/// assert_eq!(decode(&bytes)?, ("７六歩".to_string(), Encoding::ShiftJis));
/// let bytes = encode("７六歩", Encoding::EucJp)?;
/// assert_eq!(decode(&bytes)?, ("７六歩".to_string(), Encoding::EucJp));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), DecodeError> {
    let valid = match core::str::from_utf8(bytes) {
        Ok(text) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            return Ok((text.to_string(), Encoding::Utf8));
        }
        Err(error) => &bytes[..error.valid_up_to()],
    };
    let as_table = |encoding: Encoding| {
        let text = encoding.table()?.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some((text.into_owned(), encoding))
    };
    let shift_jis = as_table(Encoding::ShiftJis);
    let is_katakana = |text: &str| text.chars().all(|c| c.is_ascii() || ('｡'..='ﾟ').contains(&c));
    match shift_jis {
        Some((text, encoding)) if is_katakana(&text) => Ok((text, encoding)),
        shift_jis => as_table(Encoding::EucJp).or(shift_jis).ok_or_else(|| place(valid, None)),
    }
}

/// Decodes bytes in a known encoding.
///
/// # Errors
///
/// If the bytes are not text in this encoding.
pub fn decode_as(bytes: &[u8], encoding: Encoding) -> Result<String, DecodeError> {
    let Some(table) = encoding.table() else {
        let text = core::str::from_utf8(bytes);
        let text = text.map_err(|error| place(&bytes[..error.valid_up_to()], Some(encoding)))?;
        return Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string());
    };
    let text = table.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(Cow::into_owned).ok_or_else(|| {
        // No character of these encodings contains the byte of a line feed, so lines can be separated.
        let is_text = |line: &&[u8]| {
            table.decode_without_bom_handling_and_without_replacement(line).is_some()
        };
        let line = bytes.split(|&byte| byte == b'\n').take_while(is_text).count() + 1;
        DecodeError { line, byte: 1, named: Some(encoding) }
    })
}

/// The place where the valid bytes before an error end.
fn place(valid: &[u8], named: Option<Encoding>) -> DecodeError {
    DecodeError {
        line: valid.iter().filter(|&&byte| byte == b'\n').count() + 1,
        byte: valid.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1,
        named,
    }
}

/// The characters of JIS X 0208 that the encodings of Windows, used by the tables, map to similar ones: the
/// standard's character, and that of Windows.
const SIMILAR: [(char, char); 7] = [
    ('\u{301c}', '\u{ff5e}'),
    ('\u{2016}', '\u{2225}'),
    ('\u{2212}', '\u{ff0d}'),
    ('\u{2014}', '\u{2015}'),
    ('\u{a2}', '\u{ffe0}'),
    ('\u{a3}', '\u{ffe1}'),
    ('\u{ac}', '\u{ffe2}'),
];

/// The character of Windows for a character of JIS X 0208.
fn windows(character: char) -> char {
    let found = SIMILAR.iter().find(|(standard, _)| *standard == character);
    found.map_or(character, |&(_, windows)| windows)
}

/// Encodes a text. Windows maps a few characters of JIS X 0208, such as the wave dash of `９:00〜17:00`, to
/// similar ones; these are stored with the code that both share and read back as those of Windows.
///
/// # Errors
///
/// The first character that the encoding lacks.
///
/// ```
/// use shogi_records::{Encoding, encode};
/// let error = encode("手合割：平手\n先手：🙂", Encoding::ShiftJis).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: shift-jis has no '🙂'");
/// ```
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, EncodeError> {
    let Some(table) = encoding.table() else { return Ok(text.as_bytes().to_vec()) };
    if let Some(bytes) = in_table(text, table) {
        return Ok(bytes.into_owned());
    }
    let mut bytes = Vec::new();
    let (mut line, mut column) = (1, 1);
    for character in text.chars() {
        let mut buffer = [0; 4];
        let stored = in_table(windows(character).encode_utf8(&mut buffer), table);
        bytes.extend(&*stored.ok_or(EncodeError { line, column, character, encoding })?);
        column += 1;
        if character == '\n' {
            (line, column) = (line + 1, 1);
        }
    }
    Ok(bytes)
}

fn in_table<'t>(text: &'t str, table: &'static encoding_rs::Encoding) -> Option<Cow<'t, [u8]>> {
    let (bytes, _, lossy) = table.encode(text);
    (!lossy).then_some(bytes)
}
