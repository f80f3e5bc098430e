//! `proof work`: a job of a proof that is built elsewhere.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_solve::Budget;
use shogi_solve::builder::job_variant;
use shogi_variants::operations::{LeafNumbers, WorkOptions};

use crate::building::{EvaluationFile, LEAVES};
use crate::choice;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::job::{Checkpoint, Job};
use crate::variant::{self, GameFile};
use crate::{amount, file, print};

/// Arguments of `proof work`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// A job, as `shogi proof build --jobs` writes it; - for standard input.
    #[arg(long, value_name = "FILE")]
    job: PathBuf,
    /// Write the result to this file: NUMBER.result beside NUMBER.job. It appears whole, or not at all.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationFile,
    /// The numbers that leaves start with [default: mean, if the evaluation has a network].
    #[arg(long, value_parser = choice::parser(LEAVES), value_name = "LEAF")]
    leaf: Option<LeafNumbers>,
    /// Megabytes for the table of the search.
    #[arg(long, value_name = "MB", default_value = "256", value_parser = amount::count::<u32>(1..))]
    hash: u32,
    #[command(flatten)]
    game: GameFile,
}

#[derive(Serialize)]
struct WorkAnswer {
    nodes: u64,
    expansions: u64,
    seconds: f64,
}

impl fmt::Display for WorkAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, expansions, seconds } = self;
        write!(f, "done after {nodes} nodes, {expansions} expansions, {seconds:.1} s")
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    arguments.game.load()?;
    let no_file = Checkpoint::default();
    let job = Job::start(&no_file, [&arguments.out])?;
    let name = || arguments.job.display().to_string();
    let text = file::read_text(&arguments.job)?;
    let variant = variant::named(&job_variant(&text).with_context(name)?).with_context(name)?;
    let options = WorkOptions {
        evaluation: arguments.evaluation.read(variant)?,
        leaf: arguments.leaf,
        hash_bytes: (arguments.hash as usize) << 20,
    };
    let started = Instant::now();
    let mut budget = Budget::unlimited().stopped_by(job.stop_signal());
    let result = variant.solving().work(&text, &options, &mut budget);
    let result = arguments.evaluation.name(result, name)?;
    let (nodes, expansions) = (budget.spent(), budget.expansions());
    job.end(&mut |_| Ok(()))?;
    let Some(result) = result else {
        let advice = "the job is not done, and the same command begins it anew".to_owned();
        return Err(Interrupted { advice }.into());
    };
    file::write_whole(&arguments.out, (result + "\n").as_bytes())?;
    let answer = WorkAnswer { nodes, expansions, seconds: started.elapsed().as_secs_f64() };
    print::answer_beside([&arguments.out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
