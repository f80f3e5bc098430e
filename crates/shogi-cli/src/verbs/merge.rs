//! `merge`: the shards of an estimate in one.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use shogi_solve::reach::{EstimateReport, Shard};

use crate::common::Common;
use crate::end::Outcome;
use crate::variant::{self, GameFile};
use crate::{file, print};

/// Arguments of `merge`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Shards that `estimate --out` has written, in any order; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the merged shard to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameFile,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    arguments.game.load()?;
    let mut merged: Option<Shard> = None;
    for path in &arguments.files {
        let shard = file::read_shard(path)?;
        // What is checked of the first, the others must share with it; its rules only if it says them.
        let says = |shard: &Shard| shard.rules().is_some();
        if merged.as_ref().is_none_or(|before| !says(before) && says(&shard)) {
            check(&shard).with_context(|| file::name(path))?;
        }
        merged = Some(match merged {
            None => shard,
            Some(before) => before.merge(&shard).with_context(|| {
                format!("{}: it does not go with the files before it", file::name(path))
            })?,
        });
    }
    let merged = merged.context("there is nothing to merge")?;
    if let Some(path) = &arguments.out {
        file::write_shard(path, &merged)?;
    }
    let report = EstimateReport::from(&merged);
    print::answer_beside(&arguments.out, common.json, &report, &report)?;
    Ok(Outcome::Good)
}

/// Checks that a shard is of a known variant and its rules, and of a set as large and of the classes that this has.
fn check(shard: &Shard) -> Result<()> {
    Ok(variant::named(shard.variant())?.reach().check_shard(shard)?)
}
