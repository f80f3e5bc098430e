//! `train`: an evaluation learnt from self-play.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_eval::{FEATURE_SET, TrainingSettings};
use shogi_learn::{Quality, TRAINING_FORMAT, read_training_variant};
use shogi_variants::operations::TrainedEvaluation;

use crate::bar::count;
use crate::common::Common;
use crate::end::Outcome;
use crate::job::{Checkpoint, Job};
use crate::learnt::{self, Content, Done};
use crate::start::Start;
use crate::variant::{self, Variant};
use crate::{amount, file, print};

/// Arguments of `train`, which is `learn --for proofs --rounds 0`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    pub variant: Variant,
    /// Write the evaluation to this file.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Seed of the games: the same seed always makes the same evaluation.
    #[arg(long, value_name = "S", default_value = amount::default(TrainingSettings::default().seed), value_parser = amount::count::<u64>(..))]
    pub seed: u64,
    /// Games of each generation.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(TrainingSettings::default().games),
        value_parser = amount::count::<u32>(10..)
    )]
    pub games: u32,
    /// How many times games are played and learnt from.
    #[arg(
        long,
        value_name = "G",
        default_value = amount::default(TrainingSettings::default().generations),
        value_parser = amount::count::<u32>(1..)
    )]
    pub generations: u32,
    #[command(flatten)]
    pub checkpoint: Checkpoint,
    #[command(flatten)]
    pub start: Start,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    features: &'static str,
    weights: usize,
    start: String,
    settings: TrainingSettings,
    generations: Vec<Quality>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions  log-loss  (mean)  accuracy  (mean)")?;
        for (i, quality) in self.generations.iter().enumerate() {
            let Quality { positions, log_loss, log_loss_of_mean, .. } = quality;
            let Quality { accuracy, accuracy_of_mean, .. } = quality;
            writeln!(
                f,
                "{:>10}  {positions:>9}  {log_loss:>8.4}  {log_loss_of_mean:.4}  {accuracy:>8.4}  \
                 {accuracy_of_mean:.4}",
                i + 1,
            )?;
        }
        write!(f, "{} weights in {}, {:.1} s", self.weights, self.file, self.seconds)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, seed, games, generations, ref out, .. } = arguments;
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(&arguments.checkpoint, [out])?;
    let settings = TrainingSettings { seed, games, generations, ..TrainingSettings::default() };
    let started = Instant::now();
    let (trained, saved) = train(&mut job, variant, &start, settings)?;
    file::write_whole(out, format!("{}\n", trained.json).as_bytes())?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        features: FEATURE_SET,
        weights: trained.weights,
        start: trained.start,
        settings,
        generations: trained.generations,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}

/// Trains a linear evaluation as a part of a job, from its checkpoint if it has one. Returns it with
/// what became of saving the last state.
///
/// # Errors
///
/// If the checkpoint is of another run, or after Ctrl-C.
pub fn train(
    job: &mut Job<'_>,
    variant: Variant,
    start: &str,
    settings: TrainingSettings,
) -> Result<(TrainedEvaluation, Result<()>)> {
    let TrainingSettings { games, generations, .. } = settings;
    let mut training = variant.learning().training(start, settings)?;
    if let Some(path) = job.resume() {
        training.resume(&mut file::open(path)?).with_context(|| file::unresumable(path))?;
    }
    job.show(count(u64::from(games) * u64::from(generations), training.games(), "games"));
    let trained = training.run(&mut |training, progress| {
        job.bar().set_position(training.games());
        if let Some(last) = progress.generations.last() {
            job.bar().set_message(format!(", log-loss {:.4}", last.log_loss));
        }
        job.pulse(&mut |out| Ok(training.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(training.write(out)?));
    match trained {
        Some(trained) => Ok((trained, saved)),
        None => {
            saved?;
            Err(job.interrupted(&format!("{} games are", training.games())))
        }
    }
}

/// Checks a checkpoint, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    learnt::verify(input, TRAINING_FORMAT.most, common, &|bytes| {
        let variant = read_training_variant(bytes)?.parse::<Variant>()?;
        let games = variant.learning().check_training(&mut &bytes[..])?;
        Ok((variant, Content::Checkpoint("train", Done::Games(games))))
    })
}
