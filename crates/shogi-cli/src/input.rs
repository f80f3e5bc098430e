//! The lines that a batch verb answers.

use std::io::{self, BufRead, Cursor, IsTerminal as _};

use anyhow::Result;

use crate::end::Usage;
use crate::print::note;
use crate::variant::Variant;

/// The arguments that name one position instead of those on standard input.
#[derive(clap::Args, Debug)]
pub struct PositionSource {
    /// Answer this position instead of those on standard input: in SFEN, as startpos, or as in the
    /// position command of USI.
    #[arg(long, value_name = "POSITION")]
    sfen: Option<String>,
    /// Answer this start of 3x4 shogi instead, by Sente's back rank from left to right, such as RKB.
    #[arg(long, value_name = "RANK", conflicts_with = "sfen")]
    start: Option<String>,
}

impl PositionSource {
    /// Whether the positions are read from standard input.
    pub const fn is_standard(&self) -> bool {
        self.sfen.is_none() && self.start.is_none()
    }

    /// The lines to answer.
    ///
    /// # Errors
    ///
    /// Where the variant has no start of the name given, or more than one line is given.
    pub fn lines(&self, variant: Variant) -> Result<InputLines> {
        let given = match (&self.sfen, &self.start) {
            (Some(position), _) if position.contains('\n') => {
                return Err(Usage("--sfen takes one position, on one line".to_owned()).into());
            }
            (Some(position), _) => Some(position.clone()),
            (None, Some(name)) => {
                let start = variant.rules().named_start(name);
                Some(start.map_err(|error| Usage(error.to_string()))?)
            }
            (None, None) => None,
        };
        Ok(InputLines { given, items: "positions" })
    }
}

/// Lines from standard input, or one line that was given.
pub struct InputLines {
    given: Option<String>,
    /// What standard input is expected to hold.
    items: &'static str,
}

impl InputLines {
    /// The lines of standard input, which are to hold such items.
    pub const fn of(items: &'static str) -> Self {
        Self { given: None, items }
    }

    /// Opens the input. Where a person would have to type it, a line on standard error says so.
    pub fn open(self) -> Box<dyn BufRead> {
        if let Some(line) = self.given {
            // With an end, so that an empty line is one.
            return Box::new(Cursor::new(line + "\n"));
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            note(format_args!("Reading {} from standard input, one a line.", self.items));
        }
        Box::new(io::stdin().lock())
    }
}
