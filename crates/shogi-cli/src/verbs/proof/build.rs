//! `proof build`: a proof too large for one search.

use std::fmt;
use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;

use anyhow::{Error, Result};
use serde::Serialize;
use shogi_rules::shogi_core::Colour;
use shogi_solve::builder::{MOST_LINE_BYTES, Settings, log_variant};
use shogi_variants::operations::CheckedBuild;

use crate::amount;
use crate::building::{BuildTask, Effort};
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, chain_text};
use crate::fault::{self, Fault};
use crate::start::Start;
use crate::tablebase_file::TablebaseFile;
use crate::variant::{self, Game};

/// Arguments of `proof build`.
///
/// Where a tablebase with the position lies in the current directory or the cache folder, the proof is
/// drawn from it, unless a checkpoint or a skeleton is named.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    start: Start,
    /// Who is to be proved to win.
    #[arg(long, value_parser = choice::parser(PLAYERS), default_value = "sente")]
    winner: Colour,
    /// Write the proof to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Expansions of the first job of df-pn for a position; each further one has three times as many.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(Settings::default().first_expansions),
        value_parser = amount::count::<u64>(1..)
    )]
    job: u64,
    /// Most expansions of a job, but for the root, which gets up to a million: a position that resists is
    /// followed move by move then.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(Settings::default().max_expansions),
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

/// The players by name.
const PLAYERS: &[Choice<Colour>] =
    &[("sente", "The first player", Colour::Sente), ("gote", "The second player", Colour::Gote)];

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let position = arguments.start.sfen(arguments.game.variant)?;
    let settings = Settings {
        first_expansions: arguments.job,
        max_expansions: arguments.limit,
        ..Settings::default()
    };
    let task = BuildTask {
        variant: arguments.game.variant,
        subject: position.clone(),
        position,
        winner: arguments.winner,
        settings,
        skeleton: None,
        effort: &arguments.effort,
        out: &arguments.out,
        skeleton_out: arguments.skeleton.as_ref(),
    };
    let needs_search = arguments.effort.has_checkpoint() || arguments.skeleton.is_some();
    match TablebaseFile::find(arguments.game.variant, &task.position)? {
        Some(TablebaseFile::Found(path, table)) if !needs_search => {
            task.look_up(&path, table.as_ref(), common)
        }
        _ => task.run(common),
    }
}

/// The log of a build that holds, for `verify`.
#[derive(Serialize)]
#[serde(transparent)]
struct CheckedLog(CheckedBuild);

impl fmt::Display for CheckedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CheckedBuild { root, jobs, expansions, entries, proved, .. } = &self.0;
        let state = if *proved { "proved" } else { "open" };
        write!(f, "{root} is {state} after {jobs} jobs, {expansions} expansions, {entries} entries")
    }
}

/// Verifies the log of a build; a fault names the line.
pub fn verify(log: Box<dyn Read>, common: &Common) -> Result<Outcome> {
    fault::print_verified(check(BufReader::new(log)).map(CheckedLog), common)
}

fn check(mut log: BufReader<Box<dyn Read>>) -> Result<CheckedBuild, Fault> {
    let refuted = |error: Error| Fault::refuted(chain_text(&error));
    let mut first = Vec::new();
    let read = (&mut log).take(MOST_LINE_BYTES).read_until(b'\n', &mut first);
    read.map_err(|error| refuted(error.into()))?;
    let name = log_variant(&first).map_err(|error| refuted(error.into()))?;
    let solving = variant::named(&name)?.solving();
    let checked = solving.check_build(&mut (&first[..]).chain(log));
    checked.map_err(|error| refuted(error.into()))
}
