//! `mate`: mate by checks, whatever the opponent does.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::Serialize;
use shogi_rules::shogi_core::{Faults, Position};
use shogi_rules::{Rules, parse_sfen};
use shogi_solve::Budget;
use shogi_solve::mate::{Options, Solver};

use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::line::in_usi;
use crate::variant::{self, Variant, dispatch};
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
    let outcome = dispatch!(arguments.variant, R => batch::run(|line| {
        answer::<R>(line, arguments, common, &interrupt)
    }))?;
    if interrupt.is_set() {
        let advice = "positions that were not finished are answered as unknown".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(outcome)
}

fn answer<R: Rules>(
    line: &str,
    arguments: &Arguments,
    common: &Common,
    interrupt: &Interrupt,
) -> Result<Answer> {
    let start = Instant::now();
    let (placement, _) = parse_sfen::<R>(line)?;
    // Problems are set without an attacker's king.
    let position = Position::new_allowing(placement, Faults::MISSING_KING)?;
    let mated = !position.side();
    ensure!(
        !R::ROYAL_SAFETY || position.king(mated).is_some(),
        "the player to be mated has no king"
    );
    let mut budget = Budget::nodes(arguments.nodes.unwrap_or(u64::MAX));
    if let Some(time) = arguments.time {
        budget = budget.time(time);
    }
    let mut budget = budget.stopped_by(interrupt.flag());
    let options =
        Options { hash_bytes: (arguments.hash as usize) << 20, shortest: arguments.shortest };
    let answer = Solver::<R>::new(options).solve(&position, &mut budget);
    Ok(Answer {
        mate: answer.plies,
        exact: answer.exact,
        status: answer.status.name(),
        pv: in_usi(position, &answer.line, common),
        nodes: answer.nodes,
        expansions: answer.expansions,
        seconds: start.elapsed().as_secs_f64(),
    })
}
