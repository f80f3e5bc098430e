//! `unmoves`: the legal positions from which one legal move leads to a position.

use anyhow::Result;
use shogi_variants::operations::Predecessors;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::Game;

/// Arguments of `unmoves`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let (rules, dialect) = (arguments.game.variant.rules(), common.dialect());
    let lines = arguments.source.lines(arguments.game.variant)?;
    batch::run(lines, |line| Ok(Predecessors { predecessors: rules.predecessors(line, dialect)? }))
}
