//! `usi`: the player as an engine.

use std::io::{self, BufReader};

use anyhow::Result;
use shogi_search::usi::run as speak;

use crate::common::Common;
use crate::end::Outcome;
use crate::variant::{self, Variant};

/// Arguments of `usi`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The variant to begin with; the option USI_Variant changes it.
    #[arg(long, value_parser = variant::parser(), default_value = Variant::Shogi.name())]
    variant: Variant,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let mut config = arguments.variant.engine();
    config.dialect = common.dialect();
    speak(BufReader::new(io::stdin()), io::stdout(), &config)?;
    Ok(Outcome::Good)
}
