//! The linear evaluation for proof searches, learnt from self-play.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_eval::{FEATURE_SET, TrainingSettings};
use shogi_learn::linear::Quality;
use shogi_variants::operations::TrainedEvaluation;

use crate::bar::count;
use crate::file;
use crate::job::Job;
use crate::variant::Variant;

/// The answer where nothing but the linear evaluation is made.
#[derive(Serialize)]
pub struct LinearAnswer {
    file: String,
    variant: &'static str,
    features: &'static str,
    weights: usize,
    start: String,
    settings: TrainingSettings,
    generations: Vec<Quality>,
    seconds: f64,
}

impl fmt::Display for LinearAnswer {
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

impl LinearAnswer {
    /// The answer for what was trained and written to a file, after so many seconds.
    pub fn new(
        trained: TrainedEvaluation,
        variant: Variant,
        settings: TrainingSettings,
        out: &Path,
        seconds: f64,
    ) -> Self {
        Self {
            file: out.display().to_string(),
            variant: variant.name(),
            features: FEATURE_SET,
            weights: trained.weights,
            start: trained.start,
            settings,
            generations: trained.generations,
            seconds,
        }
    }
}

/// Trains a linear evaluation as a part of a job, from its checkpoint if it has one. Returns it with
/// what became of saving the last state.
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
