//! The lines that a batch verb answers.

use std::fmt;
use std::io::{self, BufRead, Cursor, IsTerminal as _};

use anyhow::Result;
use clap::{ArgGroup, Command};

use crate::end::Usage;
use crate::print::note;
use crate::variant::Variant;

/// The items that a batch verb reads from standard input, one a line.
#[derive(Clone, Copy)]
pub struct Items {
    /// Many of them.
    name: &'static str,
    /// The option that gives one as an argument instead.
    option: Option<&'static str>,
}

impl Items {
    const POSITIONS: Self = Self { name: "positions", option: Some("--sfen") };
    const RANKS: Self = Self { name: "ranks", option: None };
    const LISTS_OF_MOVES: Self = Self { name: "lists of moves", option: None };

    /// The items of the verb that has these arguments, if it is a batch verb: the names of the structures below are those
    /// of clap's groups.
    pub fn read_by(verb: &Command) -> Option<Self> {
        let of = |group: &ArgGroup| match group.get_id().as_str() {
            "PositionSource" => Some(Self::POSITIONS),
            "RankSource" => Some(Self::RANKS),
            "MoveListSource" => Some(Self::LISTS_OF_MOVES),
            _ => None,
        };
        verb.get_groups().find_map(of)
    }
}

impl fmt::Display for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} are read from standard input, one a line", self.name)?;
        self.option.map_or(Ok(()), |option| write!(f, "; {option} gives one as an argument"))
    }
}

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
        Ok(InputLines { given, variant: Some(variant), items: Items::POSITIONS })
    }
}

/// No argument: ranks come from standard input only.
#[derive(clap::Args, Debug)]
pub struct RankSource {}

/// The arguments that say which lines a verb answers.
pub trait LineSource: clap::Args {
    /// The lines to answer, of a variant.
    fn lines_of(&self, variant: Variant) -> Result<InputLines>;
}

impl LineSource for PositionSource {
    fn lines_of(&self, variant: Variant) -> Result<InputLines> {
        self.lines(variant)
    }
}

impl LineSource for RankSource {
    fn lines_of(&self, _: Variant) -> Result<InputLines> {
        Ok(InputLines { given: None, variant: None, items: Items::RANKS })
    }
}

/// No argument: lists of moves come from standard input only.
#[derive(clap::Args, Debug)]
pub struct MoveListSource {}

impl MoveListSource {
    /// The lines to answer.
    pub const fn lines(&self) -> InputLines {
        InputLines { given: None, variant: None, items: Items::LISTS_OF_MOVES }
    }
}

/// Lines from standard input, or one line that was given.
pub struct InputLines {
    given: Option<String>,
    /// The game of the positions that the lines are.
    variant: Option<Variant>,
    /// The expected contents of standard input.
    items: Items,
}

impl InputLines {
    /// Writes a line on standard error for each position of which a part is left out, given its number and it.
    pub fn notices(&self) -> impl Fn(u64, &[u8]) + use<> {
        let variant = self.variant;
        move |number, line| {
            let text = variant.zip(std::str::from_utf8(line).ok());
            if let Some(left_out) = text.and_then(|(variant, text)| variant.rules().left_out(text))
            {
                note(format_args!("line {number}: {left_out}"));
            }
        }
    }

    /// Opens the input. Where a person would have to type it, a line on standard error says so.
    pub fn open(self) -> Box<dyn BufRead> {
        if let Some(line) = self.given {
            // With an end, so that an empty line is one.
            return Box::new(Cursor::new(line + "\n"));
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            note(format_args!("Reading {} from standard input, one a line.", self.items.name));
        }
        Box::new(io::stdin().lock())
    }
}
