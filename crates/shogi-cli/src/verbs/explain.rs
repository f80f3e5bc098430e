//! `explain`: what the player's evaluation of a position is made of.

use std::sync::Arc;

use anyhow::Result;
use shogi_variants::tasks::ExplainTask;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::input::PositionSource;
use crate::variant::Game;
use crate::verbs::lines::answers;

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
    let answer = judgement.apply(|judged_by| {
        answers(ExplainTask::from(judged_by), *variant, common.dialect(), Arc::default())
    })?;
    batch::run_readable(source.lines(*variant)?, common.json, answer)
}
