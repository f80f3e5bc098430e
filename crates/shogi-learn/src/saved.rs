//! The common format of saved files: sealed, with a head in JSON that names the variant, and parts that the
//! head describes.
//!
//! Four kinds of work have checkpoints ([`Work`]); an archive of games has the same format. See
//! docs/reference/formats.md in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shogi_files::sealed::{self, At, FileFormat, Flaw, Reader, Writer};

use crate::error::{LearnError, LearnReason};
use crate::matches;

/// The kinds of work that have checkpoints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Work {
    /// Training a linear evaluation: [`Training`](crate::linear::Training).
    Training,
    /// Rounds of searches: [`ExpertIteration`](crate::expert::ExpertIteration).
    Searches,
    /// A match: [`Match`](crate::matches::Match).
    Match,
    /// Fitting an evaluation: [`EvaluationFit`](crate::evaluation_fit::EvaluationFit).
    Fit,
}

impl Work {
    /// All kinds of work.
    pub const ALL: [Self; 4] = [Self::Training, Self::Searches, Self::Match, Self::Fit];

    /// The file format of a checkpoint of this work.
    pub const fn format(self) -> FileFormat {
        let (magic, name, most) = match self {
            Self::Training => (*b"\x89TRAIN\r\n", "checkpoint of a training", 1 << 32),
            Self::Searches => (*b"\x89LEARN\r\n", "checkpoint of an expert iteration", 1 << 32),
            Self::Match => (*b"\x89MATCH\r\n", "checkpoint of a match", 1 << 16),
            Self::Fit => (*b"\x89FITTG\r\n", "checkpoint of a fit", 1 << 32),
        };
        FileFormat { magic, version: 1, name, most }
    }

    /// The kind of work of a checkpoint that begins with these bytes; `None` if it is not one.
    ///
    /// ```
    /// use shogi_learn::saved::Work;
    /// assert_eq!(Work::of(b"\x89MATCH\r\n"), Some(Work::Match));
    /// assert_eq!(Work::of(b"\x89GAMES\r\n"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|work| head.starts_with(&work.format().magic))
    }

    /// The name of the variant of a checkpoint of this work.
    ///
    /// # Errors
    ///
    /// If the file is not such a checkpoint.
    pub fn read_variant(self, input: impl Read) -> Result<String, LearnError> {
        match self {
            Self::Match => matches::read_checkpoint(input).map(|(settings, _)| settings.variant),
            _ => sealed::read_variant(input, &self.format()),
        }
    }
}

/// The settings in which a checkpoint differs from the wanted ones, by name; `None` if it does not.
///
/// ```
/// use shogi_learn::expert::ExpertSettings;
/// use shogi_learn::saved::differing;
///
/// let wanted = ExpertSettings { seed: 6, ..ExpertSettings::default() };
/// let found = ExpertSettings { seed: 5, nodes: 500, ..wanted };
/// assert_eq!(differing(&found, &wanted).unwrap(), "nodes 500, not 100000; seed 5, not 6");
/// assert_eq!(differing(&wanted, &wanted), None);
/// ```
pub fn differing<S: Serialize>(found: &S, wanted: &S) -> Option<String> {
    let json = |settings: &S| serde_json::to_value(settings).unwrap_or_default();
    let (found, wanted) = (json(found), json(wanted));
    if found == wanted {
        return None;
    }
    let (found, wanted) = (named(found), named(wanted));
    let names: BTreeSet<_> = found.keys().chain(wanted.keys()).collect();
    let value = |of: &BTreeMap<String, Value>, name: &String| {
        of.get(name).map_or_else(|| "unset".to_owned(), Value::to_string)
    };
    let differing: Vec<_> = names
        .into_iter()
        .filter(|name| found.get(*name) != wanted.get(*name))
        .map(|name| format!("{name} {}, not {}", value(&found, name), value(&wanted, name)))
        .collect();
    // Of two groups that have a name in common, only one is named.
    let nothing = differing.is_empty();
    Some(if nothing { "other settings".to_owned() } else { differing.join("; ") })
}

/// All settings by name, including those inside groups of settings.
fn named(settings: Value) -> BTreeMap<String, Value> {
    fn add(value: Value, name: String, to: &mut BTreeMap<String, Value>) {
        match value {
            Value::Object(group) => {
                group.into_iter().for_each(|(name, value)| add(value, name, to))
            }
            value => drop(to.insert(name, value)),
        }
    }
    let mut named = BTreeMap::new();
    add(settings, String::new(), &mut named);
    named
}

/// The options of a command by name, and under `command` the words before them.
pub(crate) fn options(command: &str) -> BTreeMap<&str, Value> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| text.into());
    let mut parts = command.split(" --");
    let verb = parts.next().map(|verb| ("command", verb.into()));
    let options = parts.map(|option| match option.split_once(' ') {
        Some((name, given)) => (name, value(given)),
        None => (option, Value::Bool(true)),
    });
    verb.into_iter().chain(options).collect()
}

/// The output of a sealed file.
pub(crate) type Output<'o> = Writer<&'o mut dyn Write>;

/// The rest of a sealed input.
pub(crate) type Input<'i> = Reader<&'i mut dyn Read>;

/// Writes a file: its head, then the output of `parts`.
pub(crate) fn write(
    out: &mut dyn Write,
    format: &FileFormat,
    head: &impl Serialize,
    parts: impl FnOnce(&mut Output<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = Writer::new(out, format)?;
    out.sized_text(&serde_json::to_string(head)?)?;
    parts(&mut out)?;
    out.finish().map(drop)
}

/// Reads a file that [`write`] has written. If `parts` refuses the content of a damaged file, the error reports
/// the damage.
pub(crate) fn read<Head: DeserializeOwned, T>(
    input: &mut dyn Read,
    format: &FileFormat,
    parts: impl FnOnce(Head, &mut Input<'_>) -> Result<T, LearnReason>,
) -> Result<T, LearnError> {
    let mut input = begin(input, format)?;
    match read_head(&mut input).and_then(|head| parts(head, &mut input)) {
        Ok(read) => end(input).map(|()| read),
        Err(reason) => Err(refusal(input, reason)),
    }
}

/// Begins to read a file.
fn begin<'i>(input: &'i mut dyn Read, format: &FileFormat) -> Result<Input<'i>, LearnError> {
    Reader::new(input, format).map_err(At::convert)
}

/// Checks that a file ends here, undamaged.
fn end(mut input: Input<'_>) -> Result<(), LearnError> {
    input.finish().map_err(At::convert)
}

/// Reads the head.
pub(crate) fn read_head<Head: DeserializeOwned>(
    input: &mut Input<'_>,
) -> Result<Head, LearnReason> {
    Ok(serde_json::from_str(&input.sized_text("head")?)?)
}

/// Writes a part with the number of its bytes before it, in 64 bits, little-endian.
pub(crate) fn write_part(out: &mut Output<'_>, part: &[u8]) -> io::Result<()> {
    out.write_all(&(part.len() as u64).to_le_bytes())?;
    out.write_all(part)
}

/// Reads a part that [`write_part`] has written.
pub(crate) fn read_part(input: &mut Input<'_>) -> Result<Vec<u8>, Flaw> {
    let length = u64::from_le_bytes(input.array()?);
    input.bytes(length)
}

/// The error for content that was refused at this place, see [`Reader::refusal`].
pub(crate) fn refusal(input: Input<'_>, reason: LearnReason) -> LearnError {
    match reason {
        LearnReason::Flaw(_) => input.at(reason),
        _ => input.refusal(reason),
    }
}
