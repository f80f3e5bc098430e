//! `unrank`: the placements with given numbers.

use anyhow::Result;
use serde::Serialize;
use shogi_rank::parse_rank;
use shogi_variants::operations::Numbering;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::variant::{self, Variant};

/// Arguments of `unrank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[arg(long, default_value_t)]
    order: Numbering,
}

#[derive(Serialize)]
struct Answer {
    sfen: String,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let numbered = arguments.variant.ranking().numbered(arguments.order)?;
    let dialect = common.dialect_asked_for();
    batch::run(|line| Ok(Answer { sfen: numbered.unrank(&parse_rank(line)?, dialect)? }))
}
