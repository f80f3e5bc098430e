//! `rank`: the numbers of placements in the space of candidate positions.

use anyhow::Result;
use serde::Serialize;
use shogi_rank::{Order, Space};
use shogi_rules::{Rules, parse_sfen};

use crate::batch;
use crate::end::Outcome;
use crate::variant::{Variant, dispatch};

/// Arguments of `rank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    variant: Variant,
    /// The numbering: native, or ishii-tanaka to replay published ranks.
    #[arg(long, default_value_t)]
    order: Order,
}

#[derive(Serialize)]
struct Answer {
    rank: String,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    dispatch!(arguments.variant, R => run_for::<R>(arguments.order))
}

fn run_for<R: Rules>(order: Order) -> Result<Outcome> {
    let space = Space::<R>::new();
    batch::run(|line| {
        let rank = space.rank(order, &parse_sfen(line)?.0)?;
        Ok(Answer { rank: rank.to_string() })
    })
}
