//! The answer of a verb that gives one.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

/// So many things, in the singular or the plural.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// So many plies.
pub fn plies(count: u32) -> String {
    counted(count.into(), "ply", "plies")
}

/// Prints a line on standard error. Does nothing where that is closed.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints one answer: as one line of JSON if `json`, else as text for people.
pub fn answer(json: bool, object: &impl Serialize, text: impl Display) -> Result<()> {
    print(false, json, &|| serde_json::to_vec(object), &text)
}

/// Prints one answer like [`answer`], on standard error if standard output holds one of the files
/// `outputs`.
pub fn answer_beside(
    outputs: impl IntoIterator<Item = impl AsRef<Path>>,
    json: bool,
    object: &impl Serialize,
    text: impl Display,
) -> Result<()> {
    let beside = outputs.into_iter().any(|path| is_standard(path.as_ref()));
    print(beside, json, &|| serde_json::to_vec(object), &text)
}

/// Prints one answer, on standard error if `beside`.
fn print(
    beside: bool,
    json: bool,
    object: &dyn Fn() -> serde_json::Result<Vec<u8>>,
    text: &dyn Display,
) -> Result<()> {
    let mut line = if json { object()? } else { text.to_string().into_bytes() };
    line.push(b'\n');
    if beside { Ok(io::stderr().write_all(&line)?) } else { to_standard_output(&line) }
}

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The message where standard output cannot be written.
pub const UNWRITTEN: &str = "cannot write standard output";

/// Writes to standard output, at once.
pub fn to_standard_output(bytes: &[u8]) -> Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).context(UNWRITTEN)
}
