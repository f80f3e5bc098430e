//! `rank`: the numbers of placements among the candidate positions, or the legal ones of them.

use anyhow::Result;
use shogi_variants::operations::{Numbering, PrintedRank};

use crate::batch;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::Game;

/// Arguments of `rank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[arg(long, default_value = "native")]
    order: Numbering,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let numbered = arguments.game.variant.ranking().numbered(arguments.order)?;
    let lines = arguments.source.lines(arguments.game.variant)?;
    batch::run(lines, |line| Ok(PrintedRank::from(numbered.rank(line)?)))
}
