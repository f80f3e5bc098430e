//! Arguments of all verbs that make an evaluation.

use std::path::PathBuf;

use crate::amount;
use crate::job::Checkpoint;
use crate::variant::{self, Variant};

/// Which evaluation is made, and where it goes.
#[derive(clap::Args, Debug)]
pub struct EvaluationArguments {
    /// The game; for one that is read as text nothing can be learnt.
    #[arg(value_parser = variant::learnable())]
    pub variant: Variant,
    /// Write the evaluation to this file.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Seed of all that is drawn: the same seed always makes the same evaluation.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    pub seed: u64,
    #[command(flatten)]
    pub checkpoint: Checkpoint,
}
