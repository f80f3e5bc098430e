//! `proof build`: a proof too large for one search.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use shogi_rules::shogi_core::Colour;
use shogi_solve::build::Settings;

use crate::amount;
use crate::building::{Effort, Work};
use crate::common::Common;
use crate::end::Outcome;
use crate::start::Start;
use crate::variant::{self, Variant};

/// Arguments of `proof build`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    start: Start,
    /// Who is to be proved to win.
    #[arg(long, value_enum, default_value_t = Winner::Sente)]
    winner: Winner,
    /// Write the proof to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Expansions of the first job of df-pn for a position; each further one has three times as many.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Settings::default().job,
        value_parser = amount::count::<u64>(1..)
    )]
    job: u64,
    /// Most expansions of a job: a position that resists is followed move by move then.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Settings::default().limit,
        value_parser = amount::count::<u64>(1..)
    )]
    limit: u64,
    /// Also write the proof's skeleton: the winner's moves at the positions that were expanded, from
    /// which `shogi proof expand` makes the proof again.
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

/// A player by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Winner {
    /// The first player.
    Sente,
    /// The second player.
    Gote,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let position = arguments.start.sfen(arguments.variant)?;
    let winner = match arguments.winner {
        Winner::Sente => Colour::Sente,
        Winner::Gote => Colour::Gote,
    };
    let settings = Settings { job: arguments.job, limit: arguments.limit, ..Settings::default() };
    let work = Work {
        variant: arguments.variant,
        position,
        winner,
        settings,
        skeleton: None,
        effort: &arguments.effort,
        out: &arguments.out,
        skeleton_out: arguments.skeleton.as_ref(),
    };
    work.run(common)
}
