//! Between bytes and text: UTF-8 and Shift-JIS.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use encoding_rs::SHIFT_JIS;

/// How a record is stored in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8; `.kifu`, `.ki2u`, and JSON.
    Utf8,
    /// Shift-JIS, in the extent of Windows; `.kif`, `.ki2`, and CSA without another word.
    ShiftJis,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::ShiftJis => "shift-jis",
        })
    }
}

/// Bytes that are text in neither encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, byte {byte}: this is neither UTF-8 nor Shift-JIS")]
pub struct DecodeError {
    /// The line, from 1.
    pub line: usize,
    /// The byte of the line, from 1, where the text stops being UTF-8.
    pub byte: usize,
}

/// A character that the encoding does not have.
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

/// The text, and how it was stored: UTF-8 if it can be that, else Shift-JIS.
///
/// # Errors
///
/// Where it is neither.
///
/// ```
/// use shogi_rules::record::{Encoding, decode, encode};
/// let bytes = encode("７六歩", Encoding::ShiftJis)?;
/// assert_eq!(bytes, b"\x82\x56\x98\x5a\x95\xe0");
/// assert_eq!(decode(&bytes)?, ("７六歩".to_string(), Encoding::ShiftJis));
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
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(|text| (text.into_owned(), Encoding::ShiftJis)).ok_or_else(|| DecodeError {
        line: valid.iter().filter(|&&byte| byte == b'\n').count() + 1,
        byte: valid.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1,
    })
}

/// The text as it is stored.
///
/// # Errors
///
/// The first character that the encoding does not have.
///
/// ```
/// use shogi_rules::record::{Encoding, encode};
/// let error = encode("手合割：平手\n先手：🙂", Encoding::ShiftJis).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: shift-jis has no '🙂'");
/// ```
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, EncodeError> {
    if encoding == Encoding::Utf8 {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(bytes) = shift_jis(text) {
        return Ok(bytes.into_owned());
    }
    let mut bytes = Vec::new();
    let (mut line, mut column) = (1, 1);
    for character in text.chars() {
        let mut buffer = [0; 4];
        let stored = shift_jis(character.encode_utf8(&mut buffer));
        bytes.extend(&*stored.ok_or(EncodeError { line, column, character, encoding })?);
        column += 1;
        if character == '\n' {
            (line, column) = (line + 1, 1);
        }
    }
    Ok(bytes)
}

fn shift_jis(text: &str) -> Option<Cow<'_, [u8]>> {
    let (bytes, _, lossy) = SHIFT_JIS.encode(text);
    (!lossy).then_some(bytes)
}
