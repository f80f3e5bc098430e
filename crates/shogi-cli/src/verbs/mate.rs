//! `mate`: mate by checks, whatever the opponent does.

use std::time::Instant;

use anyhow::Result;
use shogi_variants::tasks::{Mate, MateTask, Task as _};

use crate::common::Common;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::limits::Limits;
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

/// Megabytes that the program itself takes.
const PROGRAM: u32 = 10;

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { game: Game { variant }, ref task, ref source } = arguments;
    let limits = Limits { nodes: task.nodes, time: task.time };
    limits.search_each("positions", (source, variant), common, |line, session| {
        let start = Instant::now();
        session.program_megabytes = PROGRAM;
        let mate = task.answer(variant, line, session)?;
        Ok(Mate { seconds: Some(start.elapsed().as_secs_f64()), ..mate })
    })
}
