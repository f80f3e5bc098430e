//! Sealed files of JSON.

use std::format;
use std::string::{String, ToString as _};

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value};

use super::{Distinct, Flaw};

/// A sealed JSON format: its name and version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonFormat {
    /// The value of the field `format`; `None` for formats without that field.
    pub format: Option<&'static str>,
    /// The value of the field `version`. Other versions are refused.
    pub version: u32,
    /// The name in messages, such as `evaluation`.
    pub name: &'static str,
}

/// A JSON object with its seal, on one line: `format` and `version`, the fields of `content`, and the
/// `checksum`, which is the BLAKE3 hash of the compact JSON without it, in hexadecimal digits.
///
/// `content` must be a struct without fields of these names, and serde must be able to write it: the
/// keys of its maps must be texts.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use shogi_files::sealed::{JsonFormat, from_json, to_json};
///
/// #[derive(Serialize, Deserialize)]
/// struct Score { points: u32 }
/// const FORMAT: JsonFormat = JsonFormat { format: None, version: 1, name: "score" };
/// let text = to_json(&Score { points: 7 }, &FORMAT);
/// assert!(text.starts_with(r#"{"version":1,"points":7,"checksum":""#));
/// assert_eq!(from_json::<Score>(&text, &FORMAT)?.points, 7);
/// assert!(from_json::<Score>(&text.replace("7,", "8,"), &FORMAT).is_err());
/// # Ok::<(), shogi_files::sealed::Flaw>(())
/// ```
pub fn to_json(content: &impl Serialize, format: &JsonFormat) -> String {
    let open = unsealed(&compact(content), format);
    let checksum = checksum(&open);
    format!("{open},\"checksum\":\"{checksum}\"}}")
}

/// The fields of the content.
fn compact(content: &impl Serialize) -> String {
    // The documented condition on `content` makes this succeed.
    serde_json::to_string(content).unwrap_or_default()
}

/// The object without its checksum and the last brace.
fn unsealed(content: &str, format: &JsonFormat) -> String {
    let content = content.trim_start_matches('{').strip_suffix('}').unwrap_or_default();
    let name = format.format.map_or(String::new(), |name| format!("\"format\":\"{name}\","));
    let comma = if content.is_empty() { "" } else { "," };
    format!("{{{name}\"version\":{}{comma}{content}", format.version)
}

/// The checksum of an unsealed object.
fn checksum(open: &str) -> String {
    blake3::hash(format!("{open}}}").as_bytes()).to_hex().to_string()
}

/// Reads a text that [`to_json`] has written; blanks and the order of the fields do not matter.
///
/// # Errors
///
/// [`Flaw::Json`] if the text is not a JSON object, has a key twice, or lacks the fields of the
/// content; [`Flaw::Format`], [`Flaw::Version`] and [`Flaw::Checksum`].
pub fn from_json<T: Serialize + DeserializeOwned>(
    text: &str,
    format: &JsonFormat,
) -> Result<T, Flaw> {
    let (fields, found) = parts(text, format)?;
    let content = serde_json::from_value(fields).map_err(|error| no_such(format, &error))?;
    let expected = checksum(&unsealed(&compact(&content), format));
    match found {
        Some(Value::String(found)) if found == expected => Ok(content),
        _ => Err(Flaw::Checksum),
    }
}

/// The fields of the content, and the checksum.
fn parts(text: &str, format: &JsonFormat) -> Result<(Value, Option<Value>), Flaw> {
    let Distinct(value) = serde_json::from_str(text).map_err(|error| no_such(format, &error))?;
    let fields = Map::<String, Value>::deserialize(value);
    let mut fields = fields.map_err(|error| no_such(format, &error))?;
    let name = fields.remove("format");
    if name.as_ref().map(|name| name.as_str()) != format.format.map(Some) {
        return Err(Flaw::Format(format.name));
    }
    let version = fields.remove("version").and_then(|version| version.as_u64());
    let found = version.ok_or(Flaw::Format(format.name))?;
    if found != u64::from(format.version) {
        return Err(Flaw::Version { found, known: format.version.into() });
    }
    let checksum = fields.remove("checksum");
    Ok((Value::Object(fields), checksum))
}

fn no_such(format: &JsonFormat, error: &serde_json::Error) -> Flaw {
    Flaw::Json { name: format.name, reason: error.to_string() }
}
