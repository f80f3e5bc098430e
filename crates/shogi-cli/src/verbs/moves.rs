//! `moves`: the legal moves of positions.

use anyhow::Result;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::{self, Variant};

/// Arguments of `moves`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The game, by name or as a file `*.toml` that describes one of your own.
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let (rules, dialect) = (arguments.variant.rules(), common.dialect());
    let lines = arguments.source.lines(arguments.variant)?;
    batch::run_readable(lines, common.json, |line| Ok(rules.moves(line, dialect)?))
}
