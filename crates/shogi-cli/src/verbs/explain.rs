//! `explain`: what the player's evaluation of a position is made of.

use anyhow::Result;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::input::PositionSource;
use crate::variant::Game;

/// Arguments of `explain`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    judgement: Judgement,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { game: Game { variant }, judgement, source } = arguments;
    judgement.check_beside(source)?;
    let evaluation = judgement.apply(|judged_by| variant.playing().evaluation(judged_by))?;
    let lines = source.lines(*variant)?;
    batch::run_readable(lines, common.json, |line| Ok(evaluation.explain(line)?))
}
