//! `mate`: mate by checks, whatever the opponent does.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use shogi_solve::Budget;
use shogi_solve::mate::Options;

use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::variant::{self, Variant};
use crate::{amount, batch};

/// Arguments of `mate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Most moves to play for a position; then it is unknown [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Most time to spend on a position, such as 10 or 2.5s or 5m; then it is unknown [default: no
    /// limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    /// Look for a shortest mate.
    #[arg(long)]
    shortest: bool,
    /// Megabytes of memory for a position; as many positions as there are threads are searched at
    /// the same time.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = amount::count::<u32>(1..))]
    hash: u32,
}

#[derive(Serialize)]
struct Answer {
    mate: Option<u32>,
    exact: bool,
    status: &'static str,
    pv: Vec<String>,
    nodes: u64,
    expansions: u64,
    seconds: f64,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let outcome = batch::run(|line| answer(line, arguments, common, &interrupt))?;
    if interrupt.is_set() {
        let advice = "positions that were not finished are answered as unknown".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(outcome)
}

fn answer(
    line: &str,
    arguments: &Arguments,
    common: &Common,
    interrupt: &Interrupt,
) -> Result<Answer> {
    let start = Instant::now();
    let mut budget = Budget::nodes(arguments.nodes.unwrap_or(u64::MAX));
    if let Some(time) = arguments.time {
        budget = budget.time(time);
    }
    let mut budget = budget.stopped_by(interrupt.flag());
    let options =
        Options { hash_bytes: (arguments.hash as usize) << 20, shortest: arguments.shortest };
    let solving = arguments.variant.solving();
    let mate = solving.mate(line, options, &mut budget, common.dialect_asked_for())?;
    Ok(Answer {
        mate: mate.plies,
        exact: mate.exact,
        status: mate.status.name(),
        pv: mate.line,
        nodes: mate.nodes,
        expansions: mate.expansions,
        seconds: start.elapsed().as_secs_f64(),
    })
}
