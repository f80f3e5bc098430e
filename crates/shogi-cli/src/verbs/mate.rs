//! `mate`: mate by checks, whatever the opponent does.

use std::time::Instant;

use anyhow::Result;
use shogi_solve::Budget;
use shogi_variants::tasks::{Mate, MateTask, Session, Task as _};

use crate::batch;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::limits::{Limits, SearchBars};
use crate::variant::Game;

/// Arguments of `mate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: MateTask,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let lines = arguments.source.lines(arguments.game.variant)?;
    let bars = SearchBars::new(common.json, &arguments.source);
    let answer = |line: &str| answer(line, arguments, common, &interrupt, &bars);
    let outcome = batch::run_readable(lines, common.json, answer)?;
    if interrupt.is_set() {
        let advice = "positions that were not finished are answered as unknown".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(outcome)
}

/// Megabytes that the program itself takes.
const PROGRAM: u32 = 10;

fn answer(
    line: &str,
    arguments: &Arguments,
    common: &Common,
    interrupt: &Interrupt,
    bars: &SearchBars,
) -> Result<Mate> {
    let start = Instant::now();
    let task = &arguments.task;
    let limits = Limits { nodes: task.nodes, time: task.time };
    let mut mate = bars.watch(&limits, start, |report| {
        let budget = Budget::unlimited().stopped_by(interrupt.flag()).reporting_to(report);
        let dialect = common.dialect();
        let mut session = Session { dialect, program_megabytes: PROGRAM, ..Session::new(budget) };
        task.answer(arguments.game.variant, line, &mut session)
    })?;
    mate.seconds = Some(start.elapsed().as_secs_f64());
    Ok(mate)
}
