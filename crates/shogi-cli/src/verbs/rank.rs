//! `rank`: the numbers of placements among the candidate positions, or the legal ones of them.

use anyhow::Result;
use shogi_variants::operations::{Numbering, PrintedRank};

use crate::batch;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::{self, Variant};

/// Arguments of `rank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The game, by name or as a file `*.toml` that describes one of your own.
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[arg(long, default_value = "native")]
    order: Numbering,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let numbered = arguments.variant.ranking().numbered(arguments.order)?;
    let lines = arguments.source.lines(arguments.variant)?;
    batch::run(lines, |line| Ok(PrintedRank { rank: numbered.rank(line)?.to_string() }))
}
