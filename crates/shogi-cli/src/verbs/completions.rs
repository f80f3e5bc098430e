//! `completions`: scripts that let a shell complete this program's arguments.

use std::io::{self, Write};

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::end::Outcome;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    shell: Shell,
}

/// Runs the verb for the command line `command`.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "shogi", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Good)
}
