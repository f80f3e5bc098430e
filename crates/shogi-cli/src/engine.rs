//! The `shogi-usi` program: the engine of `shogi usi`, which needs no arguments, as graphical programs
//! start engines.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use clap::Parser;
use shogi_cli::large_pages;
use shogi_search::usi::run;
use shogi_variants::Variant;

/// Runs as a USI engine on standard input and output.
#[derive(Parser)]
#[command(name = "shogi-usi", version)]
struct Arguments {
    /// The variant at the start, which the option USI_Variant changes: any game that is built in, such as minishogi or
    /// gorogoro.
    #[arg(long, default_value_t = Variant::Shogi)]
    variant: Variant,
}

fn main() -> ExitCode {
    large_pages::claim();
    let Arguments { variant } = Arguments::parse();
    match run(BufReader::new(io::stdin()), io::stdout(), &variant.engine()) {
        Ok(()) => ExitCode::SUCCESS,
        // The program that started the engine has closed the pipe, and waits for no message.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed as well.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
