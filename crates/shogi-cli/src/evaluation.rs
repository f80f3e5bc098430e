//! What a player judges positions by.

use std::path::{Path, PathBuf};

use shogi_search::EVALUATIONS;

/// The argument that names an evaluation.
#[derive(clap::Args, Debug)]
pub struct Judgement {
    /// Evaluation of positions: standard, material, strategic, tables, or a file with tables.
    #[arg(long, value_name = "NAME|FILE", default_value = EVALUATIONS[0])]
    eval: PathBuf,
}

impl Judgement {
    /// What was given.
    pub fn name_or_file(&self) -> &Path {
        &self.eval
    }
}
