//! The `shogi-usi` program: the engine of `shogi usi` without arguments, as graphical programs start
//! engines.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use shogi_search::usi::run;
use shogi_variants::Variant;

fn main() -> ExitCode {
    match run(BufReader::new(io::stdin()), io::stdout(), &Variant::Shogi.engine()) {
        Ok(()) => ExitCode::SUCCESS,
        // Who has started the engine and gone wants no words.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Where standard error is closed too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
