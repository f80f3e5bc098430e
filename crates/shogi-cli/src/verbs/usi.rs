//! `usi`: the player as an engine.

use std::io::{self, BufReader};

use anyhow::Result;
use shogi_search::usi::{Config, run as speak};

use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::variant::{self, Variant};

/// Arguments of `usi`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The variant to begin with; the option USI_Variant changes it.
    #[arg(long, value_parser = variant::parser(), default_value_t = Variant::Shogi)]
    variant: Variant,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let mut config = Config::new(&arguments.variant.to_string())
        .ok_or_else(|| Usage(format!("there is no engine for {}", arguments.variant)))?;
    config.dialect = common.dialect_asked_for();
    speak(BufReader::new(io::stdin()), io::stdout(), &config)?;
    Ok(Outcome::Good)
}
