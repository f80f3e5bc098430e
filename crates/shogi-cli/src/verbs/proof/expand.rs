//! `proof expand`: a whole proof from its skeleton.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use shogi_solve::builder::{Settings, skeleton_variant};

use crate::building::{BuildTask, Effort};
use crate::common::Common;
use crate::end::Outcome;
use crate::file;
use crate::variant::{self, GameFile};

/// Arguments of `proof expand`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// A skeleton, as `shogi proof build --skeleton` writes it; - for standard input.
    #[arg(value_name = "SKELETON")]
    file: PathBuf,
    /// Write the proof to this file.
    #[arg(long, value_name = "FULL")]
    out: PathBuf,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    game: GameFile,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    arguments.game.load()?;
    let name = || arguments.file.display().to_string();
    let text = file::read_text(&arguments.file)?;
    let variant = skeleton_variant(&text).with_context(name)?;
    let variant = variant::named(&variant).with_context(name)?;
    let skeleton = variant.solving().skeleton(&text).with_context(name)?;
    let settings = Settings::default();
    // What was proved by one search is searched at least as long.
    let max_expansions = settings.max_expansions.max(skeleton.expansions.saturating_mul(3));
    let task = BuildTask {
        variant,
        subject: name(),
        position: skeleton.root,
        winner: skeleton.winner,
        settings: Settings { max_expansions, ..settings },
        skeleton: Some(text),
        effort: &arguments.effort,
        out: &arguments.out,
        skeleton_out: None,
    };
    task.run(common)
}
