//! `manual`: the manual pages of this program.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Command;

use crate::end::Outcome;

/// Arguments of `manual`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The directory to write to, made where it is missing: `shogi.1`, and `shogi-VERB.1` for each verb.
    /// That of `usi` is the manual of the program `shogi-usi` too.
    directory: PathBuf,
}

/// Runs the verb for the command line `command`.
pub fn run(arguments: &Arguments, command: Command) -> Result<Outcome> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .with_context(|| format!("{}: cannot write", directory.display()))?;
    Ok(Outcome::Good)
}
