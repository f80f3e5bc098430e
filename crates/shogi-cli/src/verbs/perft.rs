//! `perft`: the number of legal move sequences.

use std::ops::ControlFlow;

use anyhow::Result;
use indicatif::ProgressBar;
use shogi_variants::operations::PART_PLIES;
use shogi_variants::tasks::PerftTask;

use crate::bar::{count, spinner};
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::print;
use crate::start::Start;
use crate::variant::Game;

/// Arguments of `perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: PerftTask,
    #[command(flatten)]
    start: Start,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { game: Game { variant }, task, ref start } = arguments;
    let position = start.problem(variant)?;
    let interrupt = Interrupt::listen()?;
    // The number of parts is known for as long as it costs next to nothing.
    let bar = match task.depth.saturating_sub(PART_PLIES) {
        0..2 => ProgressBar::hidden(),
        above @ 2..=5 => count(variant.rules().perft(&position, above)?, 0, "parts"),
        _ => spinner("{spinner} {elapsed}, {human_pos} parts"),
    };
    let answer = task.count(variant, &position, common.dialect(), &|_| {
        bar.inc(1);
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish_and_clear();
    print::answer(common.json, &answer, &answer)?;
    if !answer.is_complete() {
        let advice = "the counts are those up to now".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(Outcome::Good)
}
