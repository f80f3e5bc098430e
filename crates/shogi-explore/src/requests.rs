//! Questions as they stand in the bodies of requests.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use shogi_files::sealed::Distinct;
use shogi_rules::Dialect;
use shogi_variants::Variant;
use shogi_variants::operations::MoveNotation;
use shogi_variants::tasks::read::{optional_name, text};

use crate::fault::Fault;

/// A question about a position or another line of text.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfLine {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
    #[serde(rename = "in")]
    pub(crate) line: String,
    #[serde(default, deserialize_with = "optional_name")]
    pub(crate) dialect: Option<Dialect>,
}

/// A question that draws at random.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfDraw {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
    #[serde(default, deserialize_with = "optional_name")]
    pub(crate) dialect: Option<Dialect>,
}

/// A question to a file, which is named by its place in the list of files.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfFile {
    pub(crate) file: usize,
    #[serde(rename = "in", default)]
    pub(crate) line: String,
    #[serde(default, deserialize_with = "optional_name")]
    pub(crate) dialect: Option<Dialect>,
}

/// A record to be written in another format.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfRecord {
    /// Found out if it is not named.
    #[serde(default, deserialize_with = "optional_variant")]
    pub(crate) variant: Option<Variant>,
    /// The game that is tried first where it has to be found out.
    #[serde(default, deserialize_with = "optional_variant")]
    pub(crate) prefer: Option<Variant>,
    #[serde(rename = "in")]
    pub(crate) record: String,
    #[serde(default, deserialize_with = "optional_name")]
    pub(crate) dialect: Option<Dialect>,
}

/// A question about what may be a variant.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfText {
    pub(crate) variant: String,
}

/// A question about a variant.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfVariant {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
}

/// Lines of moves to be written for people.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfLines {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
    #[serde(deserialize_with = "text")]
    pub(crate) notation: MoveNotation,
    pub(crate) lines: Vec<OfMoves>,
    #[serde(default, deserialize_with = "optional_name")]
    pub(crate) dialect: Option<Dialect>,
}

/// A line of moves from a position.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfMoves {
    #[serde(rename = "in")]
    pub(crate) line: String,
    pub(crate) moves: Vec<String>,
}

/// A search, as it stands in the query of an address.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfSearch {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
    #[serde(rename = "in")]
    pub(crate) line: String,
    /// How many of the best moves are wanted.
    #[serde(default = "one")]
    pub(crate) lines: u16,
    /// The most seconds.
    pub(crate) seconds: Option<u64>,
}

/// A position to be solved, or the start of a game to be reported on, while somebody watches, as it stands in the query of an address.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfWatched {
    #[serde(deserialize_with = "variant")]
    pub(crate) variant: Variant,
    #[serde(rename = "in")]
    pub(crate) line: String,
    /// The most seconds.
    pub(crate) seconds: Option<u64>,
}

const fn one() -> u16 {
    1
}

/// Reads the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(body).map_err(|error| Fault::Malformed(error.to_string()))
}

/// Reads the body of a request: what it is about, and the settings of a task, in place of these.
pub(crate) fn read_task<A: DeserializeOwned, T: DeserializeOwned>(
    body: &[u8],
    mut settings: Map<String, Value>,
) -> Result<(A, T), Fault> {
    let Distinct(Value::Object(fields)) = read(body)? else {
        return Err(Fault::Malformed("a request is an object".to_owned()));
    };
    let mut about = Map::new();
    for (name, value) in fields {
        let is_about = ["variant", "prefer", "in", "dialect"].contains(&name.as_str());
        let part = if is_about { &mut about } else { &mut settings };
        part.insert(name, value);
    }
    let malformed = |error: serde_json::Error| Fault::Malformed(error.to_string());
    let about = serde_json::from_value(about.into()).map_err(malformed)?;
    Ok((about, serde_json::from_value(settings.into()).map_err(malformed)?))
}

/// A variant as requests have it: the name of one that is built in, or the text of another, which has several lines.
fn variant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
    variant_of(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn optional_variant<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Variant>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| variant_of(&text).map_err(D::Error::custom)).transpose()
}

/// The word for a variant in requests.
pub(crate) fn key(variant: Variant) -> String {
    let text = || variant.to_text().ok().filter(|_| !variant.is_built_in());
    text().unwrap_or_else(|| variant.name().to_owned())
}

/// The variant that a request names or describes, or why there is none.
pub(crate) fn variant_of(text: &str) -> Result<Variant, String> {
    if text.contains('\n') {
        return Variant::from_text(text).map_err(|error| error.to_string());
    }
    Variant::built_in_named(text).map_err(|error| error.to_string())
}
