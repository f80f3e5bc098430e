//! `completions`: scripts that let a shell complete this program's arguments.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::choice::{self, Choice};
use crate::end::Outcome;
use crate::print::to_standard_output;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = choice::parser(SHELLS))]
    shell: Shell,
}

/// The shells by name.
const SHELLS: &[Choice<Shell>] = &[
    ("bash", "", Shell::Bash),
    ("elvish", "", Shell::Elvish),
    ("fish", "", Shell::Fish),
    ("powershell", "", Shell::PowerShell),
    ("zsh", "", Shell::Zsh),
];

/// Runs the verb for the command line `command`.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "shogi", &mut script);
    to_standard_output(&script)?;
    Ok(Outcome::Good)
}
