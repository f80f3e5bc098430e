//! `learn`: evaluations for the player and for proof searches.

mod convert;
mod evaluation_arguments;
mod fit;
mod linear;
mod matches;
mod proofs;
mod verify;

use anyhow::Result;
use clap::Subcommand;

use crate::common::Common;
use crate::end::Outcome;

pub use verify::{is_known, verify};

/// Arguments of `learn`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: LearnVerb,
}

#[derive(Subcommand, Debug)]
enum LearnVerb {
    /// Makes an evaluation for proof searches.
    ///
    /// A linear evaluation is trained by games against itself; then rounds of searches teach a network what proofs
    /// cost.
    Proofs(proofs::Arguments),
    /// Fits an evaluation for the player to games in archives, or to positions that others have judged.
    Fit(fit::Arguments),
    /// Plays a match of two evaluations, and says which is better.
    ///
    /// A game that is read as text has one evaluation, material, which both players then have.
    Match(matches::Arguments),
    /// Writes games and positions to learn from in a format of the community: PSV, hcpe, PackedSfen, HCP.
    Convert(convert::Arguments),
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        LearnVerb::Proofs(arguments) => proofs::run(arguments, common),
        LearnVerb::Fit(arguments) => fit::run(arguments, common),
        LearnVerb::Match(arguments) => matches::run(arguments, common),
        LearnVerb::Convert(arguments) => convert::run(arguments, common),
    }
}
