//! What the examples share that count and estimate, and with them all others.

pub mod provenance;
pub mod reachable;

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use shogi_files::sealed::replace;

/// Reads a count such as `100000000`, `100_000_000` or `1e8`.
///
/// # Errors
///
/// Says what a count looks like.
///
/// ```
/// use shogi_variants_counting_examples::parse_count;
/// assert_eq!(parse_count("1e8"), Ok(100_000_000));
/// assert_eq!(parse_count("2.5e3"), Ok(2_500));
/// assert!(parse_count("0").is_err() && parse_count("1e-3").is_err());
/// ```
pub fn parse_count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let count = plain.parse::<u64>().ok().or_else(|| {
        let real: f64 = plain.parse().ok()?;
        // Above 2^53 not every whole number has a floating-point form of its own.
        (real.fract() == 0.0 && (0.0..9e15).contains(&real)).then_some(real as u64)
    });
    match count {
        Some(count) if count > 0 => Ok(count),
        _ => Err(format!("{text:?} is no whole number above 0, such as 250000 or 1e8")),
    }
}

/// The end of the program `name`: an error is printed with its causes, each once, on standard error.
pub fn exit_code(name: &str, result: Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "{name}: error: {}", chain_text(&error));
    ExitCode::FAILURE
}

/// An error and its causes, each once: the text of many errors ends with that of their cause.
fn chain_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Writes a file in one step.
///
/// # Errors
///
/// Those of the file system.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path, |file| file.write_all(content.as_ref()))
}

/// Says by which command the pictures of the results in a folder are drawn.
pub fn say_what_draws(folder: &Path, pictures: &str) {
    say!("To draw them: python3 tools/plots.py --folder {} {pictures}", folder.display());
}

/// Prints a line like `println!`, but drops it where standard output is closed, as `head` does: the
/// run goes on to the files that it writes.
///
/// ```
/// use shogi_variants_counting_examples::say;
/// say!("{} of {}", 3, 4);
/// ```
#[macro_export]
macro_rules! say {
    ($($line:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stdout(), $($line)*);
    }};
}
