//! `moves`: the legal moves of positions.

use anyhow::Result;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::Game;

/// Arguments of `moves`.
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
    batch::run_readable(lines, common.json, |line| Ok(rules.moves(line, dialect)?))
}
