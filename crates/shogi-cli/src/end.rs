//! How the program ends: exit codes and the last words on standard error.

use std::fmt;
use std::io::{self, ErrorKind, Write as _};
use std::process::{self, ExitCode};

use crate::print::{UNWRITTEN, note};

/// How a verb that ran to its end has gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All is well: exit code 0.
    Good,
    /// Some input was bad or a claim was refuted, and the answers say so: exit code 1.
    Bad,
}

impl Outcome {
    /// [`Outcome::Good`] exactly if `good` holds.
    pub const fn good_if(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }
}

/// A request that cannot be meant: exit code 2, like the mistakes that clap finds.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Long work that was stopped before its end: exit code 130, as shells have it for Ctrl-C.
#[derive(Debug)]
pub struct Interrupted {
    /// The parts that are kept, and how to go on.
    pub advice: String,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted; {}", self.advice)
    }
}

impl std::error::Error for Interrupted {}

/// The exit code of [`Interrupted`].
pub const INTERRUPTED: u8 = 130;

/// An error and its causes, each once: the text of many errors ends with that of their cause.
pub fn chain_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// The exit code of a verb's result; an error is printed on standard error.
///
/// A reader that has seen enough and closed the pipe is no error.
pub fn exit_code(result: anyhow::Result<Outcome>) -> ExitCode {
    let error = match result {
        Ok(Outcome::Good) => return ExitCode::SUCCESS,
        Ok(Outcome::Bad) => return ExitCode::from(1),
        Err(error) => error,
    };
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    note(format_args!("error: {}", chain_text(&error)));
    let is_usage = error.is::<Usage>()
        || matches!(
            error.downcast_ref(),
            Some(
                shogi_variants::Error::Unavailable(_)
                    | shogi_variants::Error::Uncompiled(_)
                    | shogi_variants::Error::Unsuited { .. }
                    | shogi_variants::Error::TooLarge { .. }
                    | shogi_variants::Error::Start(_)
                    | shogi_variants::Error::Set { .. }
            )
        );
    ExitCode::from(if is_usage {
        2
    } else if error.is::<Interrupted>() {
        INTERRUPTED
    } else {
        1
    })
}

/// Ends the program with help that was requested, or with what is wrong with the arguments.
pub fn with_usage(error: &clap::Error) -> ! {
    let printed = error.print().and_then(|()| io::stdout().flush());
    let unprinted = printed.err().filter(|error| error.kind() != ErrorKind::BrokenPipe);
    match unprinted.filter(|_| !error.use_stderr()) {
        None => process::exit(error.exit_code()),
        Some(unprinted) => {
            note(format_args!("error: {UNWRITTEN}: {unprinted}"));
            process::exit(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;
    use shogi_eval::{FileError, FileReason};
    use shogi_variants::Variant;

    use super::*;

    #[test]
    fn each_cause_is_reported_once() {
        let error = || io::Error::new(ErrorKind::NotFound, "no such file");
        let told = anyhow::Error::new(FileError {
            path: "a.net".into(),
            reason: FileReason::Flaw(error().into()),
        });
        assert_eq!(chain_text(&told), "a.net: no such file");
        let added = Err::<Variant, _>(error()).context("cannot open a.net").unwrap_err();
        assert_eq!(chain_text(&added), "cannot open a.net: no such file");
    }
}
