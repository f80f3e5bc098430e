//! What a player judges positions by.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use shogi_rules::Rules;
use shogi_search::{EVALUATIONS, Evaluation};

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

    /// The evaluation.
    ///
    /// # Errors
    ///
    /// Where the file cannot be used, or the variant has no such evaluation.
    pub fn evaluation<R: Rules>(&self) -> Result<Evaluation<R>> {
        match self.eval.to_str().filter(|name| EVALUATIONS.contains(name)) {
            Some(name) => Evaluation::named(name)
                .with_context(|| format!("{} has no evaluation by {name}", R::NAME)),
            None => Ok(Evaluation::load(&self.eval)?),
        }
    }
}
