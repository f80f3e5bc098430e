//! The `shogi` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    shogi_cli::run()
}
