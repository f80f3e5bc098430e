//! `rank`: the numbers of placements among the candidate positions, or the legal ones of them.

use anyhow::Result;
use serde::Serialize;
use shogi_rules::{Rules, parse_sfen};

use crate::batch;
use crate::end::Outcome;
use crate::numbering::{Numbered, Numbering};
use crate::variant::{self, Variant, dispatch};

/// Arguments of `rank`.
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
    rank: String,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    dispatch!(arguments.variant, R => run_for::<R>(arguments.order))
}

fn run_for<R: Rules>(order: Numbering) -> Result<Outcome> {
    let set = Numbered::<R>::new(order)?;
    batch::run(|line| {
        let rank = set.rank(&parse_sfen(line)?.0)?;
        Ok(Answer { rank: rank.to_string() })
    })
}
