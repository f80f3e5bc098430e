//! `reference`: the pages of the book that the program itself knows best.

mod program;
mod protocol;
mod usi;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Command;

use crate::end::Outcome;

/// Arguments of `reference`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The directory to write to: `program.md` about the verbs and `usi.md` about the engine.
    directory: PathBuf,
}

/// Runs the verb for the command line `command`.
pub fn run(arguments: &Arguments, command: Command) -> Result<Outcome> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory)
        .with_context(|| format!("{}: cannot make it", directory.display()))?;
    for (name, page) in [("program.md", program::page(command)), ("usi.md", usi::page()?)] {
        let path = directory.join(name);
        fs::write(&path, page).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    Ok(Outcome::Good)
}

/// A text for a cell of a table.
fn cell(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace('<', "&lt;")
}
