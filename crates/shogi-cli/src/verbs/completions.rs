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
    /// The shell.
    #[arg(value_parser = choice::parser(SHELLS))]
    shell: Shell,
}

/// The shells by name, with the place where each looks for a script.
const SHELLS: &[Choice<Shell>] = &[
    ("bash", "Put it into ~/.local/share/bash-completion/completions/shogi", Shell::Bash),
    ("elvish", "Append it to ~/.config/elvish/rc.elv", Shell::Elvish),
    ("fish", "Put it into ~/.config/fish/completions/shogi.fish", Shell::Fish),
    ("powershell", "Append it to the file $PROFILE", Shell::PowerShell),
    ("zsh", "Put it into a folder of $fpath, by the name _shogi", Shell::Zsh),
];

/// Runs the verb for the command line `command`.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "shogi", &mut script);
    to_standard_output(&script)?;
    Ok(Outcome::Good)
}
