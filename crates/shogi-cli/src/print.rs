//! The answer of a verb that gives one.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

/// So many things, in the singular or the plural.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Prints one answer: as one line of JSON if `json`, else as text for people.
///
/// # Errors
///
/// Where standard output cannot be written.
pub fn answer(json: bool, object: &impl Serialize, text: impl Display) -> Result<()> {
    let mut output = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut output, object)?;
        writeln!(output)?;
    } else {
        writeln!(output, "{text}")?;
    }
    Ok(output.flush()?)
}
