//! `explain`: what the player's evaluation of a position is made of.

use anyhow::Result;

use crate::batch;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::variant::{self, Variant};

/// Arguments of `explain`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    judgement: Judgement,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let evaluation = arguments.variant.playing().evaluation(arguments.judgement.name_or_file())?;
    batch::run(|line| Ok(evaluation.explain(line)?))
}
