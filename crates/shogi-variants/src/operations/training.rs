//! Training of evaluations for proof searches.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_eval::TrainingSettings;
use shogi_learn::linear::{Quality, Training, TrainingProgress};
use shogi_learn::saved::differing;
use shogi_rules::Rules;

use super::Error;
use super::position::position;

/// A [`Training`] of any variant, for [`LearningTasks::training`](super::LearningTasks::training).
pub trait AnyTraining {
    /// Resumes from what [`AnyTraining::write`] has written of the same training.
    ///
    /// # Errors
    ///
    /// If the checkpoint is damaged, or of another training.
    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error>;

    /// Trains to the end, or until `report`, which is called after every 64 games, breaks; then returns
    /// `None`.
    fn run(
        &mut self,
        report: &mut dyn FnMut(&dyn AnyTraining, TrainingProgress<'_>) -> ControlFlow<()>,
    ) -> Option<TrainedEvaluation>;

    /// Games played so far in all generations.
    fn games(&self) -> u64;

    /// Writes a checkpoint: see [`Training::write`].
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// The result of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainedEvaluation {
    /// The evaluation file.
    pub json: String,
    /// The position, in SFEN, from which the games were played.
    pub start: String,
    /// The number of weights.
    pub weights: usize,
    /// How well each generation's evaluation foretells the results of its own games.
    pub generations: Vec<Quality>,
}

/// Training without a game.
pub(super) fn training<R: Rules>(
    start: &str,
    settings: TrainingSettings,
) -> Result<Box<dyn AnyTraining>, Error> {
    Ok(Box::new(Training::new(position::<R>(start)?, settings)))
}

impl<R: Rules> AnyTraining for Training<R> {
    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error> {
        let found = Self::read(checkpoint).map_err(Error::library)?;
        if !found.is_of_the_same_run(self) {
            return Err(Error::other_run(differing(found.settings(), self.settings())));
        }
        *self = found;
        Ok(())
    }

    fn run(
        &mut self,
        report: &mut dyn FnMut(&dyn AnyTraining, TrainingProgress<'_>) -> ControlFlow<()>,
    ) -> Option<TrainedEvaluation> {
        let trained = self.run(|training, progress| report(training, progress))?;
        Some(TrainedEvaluation {
            json: trained.evaluation.to_json(),
            start: trained.evaluation.start().to_string(),
            weights: trained.evaluation.linear().weights().len(),
            generations: trained.generations,
        })
    }

    fn games(&self) -> u64 {
        self.games()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }
}
