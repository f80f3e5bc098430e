//! `unrank`: the placements with given numbers in the space of candidate positions.

use anyhow::Result;
use serde::Serialize;
use shogi_rank::{Order, Space, parse_rank};
use shogi_rules::{Rules, to_sfen_in};

use crate::arguments::Common;
use crate::batch;
use crate::end::Outcome;
use crate::variant::{Variant, dispatch};

/// Arguments of `unrank`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    variant: Variant,
    /// The numbering: native, or ishii-tanaka to replay published ranks.
    #[arg(long, default_value_t)]
    order: Order,
}

#[derive(Serialize)]
struct Answer {
    sfen: String,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => run_for::<R>(arguments.order, common))
}

fn run_for<R: Rules>(order: Order, common: &Common) -> Result<Outcome> {
    let space = Space::<R>::new();
    batch::run(|line| {
        let placement = space.unrank(order, &parse_rank(line)?)?;
        Ok(Answer { sfen: to_sfen_in(&placement, common.dialect::<R>()) })
    })
}
