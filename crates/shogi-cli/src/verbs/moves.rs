//! `moves`: the legal moves of positions.

use anyhow::Result;

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::variant::{self, Variant};

/// Arguments of `moves`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let (rules, dialect) = (arguments.variant.rules(), common.dialect_asked_for());
    batch::run(|line| Ok(rules.moves(line, dialect)?))
}
