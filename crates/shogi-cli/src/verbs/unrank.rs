//! `unrank`: the placements with given numbers.

use anyhow::Result;
use shogi_rank::{BigUint, ParseRankError, parse_rank};
use shogi_variants::operations::{Numbering, PrintedPosition};

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::RankSource;
use crate::variant::Game;

/// Arguments of `unrank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[arg(long, default_value = "native")]
    order: Numbering,
    #[command(flatten)]
    source: RankSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let numbered = arguments.game.variant.ranking().numbered(arguments.order)?;
    let dialect = common.dialect();
    batch::run(arguments.source.lines(), |line| {
        Ok(PrintedPosition { sfen: numbered.unrank(&rank(line)?, dialect)? })
    })
}

/// Reads a rank, which may have a byte-order mark before it and blanks around it.
fn rank(line: &str) -> Result<BigUint, ParseRankError> {
    let digits = line.trim_start_matches(['\u{feff}', ' ', '\t']);
    if digits.is_empty() {
        return parse_rank(line);
    }
    let before = line.chars().count() - digits.chars().count();
    parse_rank(digits.trim_end_matches([' ', '\t']))
        .map_err(|error| ParseRankError { position: before + error.position, ..error })
}
