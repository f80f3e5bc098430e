//! `unrank`: the placements with given numbers.

use anyhow::Result;
use serde::Serialize;
use shogi_rank::parse_rank;
use shogi_rules::{Rules, to_sfen_in};

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::numbering::{Numbered, Numbering};
use crate::variant::{self, Variant, dispatch};

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
    dispatch!(arguments.variant, R => run_for::<R>(arguments.order, common))
}

fn run_for<R: Rules>(order: Numbering, common: &Common) -> Result<Outcome> {
    let set = Numbered::<R>::new(order)?;
    batch::run(|line| {
        let placement = set.unrank(&parse_rank(line)?)?;
        Ok(Answer { sfen: to_sfen_in(&placement, common.dialect::<R>()) })
    })
}
