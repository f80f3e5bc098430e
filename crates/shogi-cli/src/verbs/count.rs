//! `count`: exact numbers of placements.

use anyhow::Result;
use shogi_solve::Budget;
use shogi_variants::tasks::{CountTask, Session, Task as _};

use crate::common::Common;
use crate::end::Outcome;
use crate::print;
use crate::start::Start;
use crate::variant::Game;

/// Arguments of `count`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: CountTask,
    #[command(flatten)]
    start: Start,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { game: Game { variant }, task, start } = arguments;
    // The stages are those of the variant's own set.
    let pieces = if start.is_named() { start.sfen(*variant)? } else { String::new() };
    let answer = task.answer(*variant, &pieces, &mut Session::new(Budget::unlimited()))?;
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
