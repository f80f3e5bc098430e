//! The answer of a verb that gives one.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::file;

/// So many things, in the singular or the plural.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Prints a line on standard error. Does nothing where that is closed.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints one answer: as one line of JSON if `json`, else as text for people.
///
/// # Errors
///
/// Where standard output cannot be written.
pub fn answer(json: bool, object: &impl Serialize, text: impl Display) -> Result<()> {
    print(&mut io::stdout().lock(), line(json, object, &text)?)
}

/// Prints one answer like [`answer`], on standard error if standard output holds one of the files
/// `outputs`.
///
/// # Errors
///
/// Where the answer cannot be written.
pub fn answer_beside(
    outputs: impl IntoIterator<Item = impl AsRef<Path>>,
    json: bool,
    object: &impl Serialize,
    text: impl Display,
) -> Result<()> {
    let line = line(json, object, &text)?;
    if outputs.into_iter().any(|path| file::is_standard(path.as_ref())) {
        print(&mut io::stderr().lock(), line)
    } else {
        print(&mut io::stdout().lock(), line)
    }
}

fn line(json: bool, object: &impl Serialize, text: &dyn Display) -> Result<Vec<u8>> {
    Ok(if json { serde_json::to_vec(object)? } else { text.to_string().into_bytes() })
}

fn print(output: &mut dyn Write, mut line: Vec<u8>) -> Result<()> {
    line.push(b'\n');
    output.write_all(&line)?;
    Ok(output.flush()?)
}
