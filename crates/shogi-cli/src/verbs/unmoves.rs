//! `unmoves`: the legal positions from which one legal move leads to a position.

use anyhow::Result;
use shogi_variants::operations::Predecessors;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::{self, Variant};

/// Arguments of `unmoves`.
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
    batch::run(lines, |line| Ok(Predecessors { predecessors: rules.predecessors(line, dialect)? }))
}
