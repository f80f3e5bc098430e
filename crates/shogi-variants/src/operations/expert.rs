//! Evaluations that know effort, learnt from proof searches.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use shogi_eval::{Evaluation, ProofEvaluation};
use shogi_learn::expert::{ExpertIteration, ExpertProgress, ExpertSettings, Round};
use shogi_learn::saved::differing;
use shogi_rules::Rules;

use super::Error;
use super::position::position;

/// An [`ExpertIteration`] of any variant, for
/// [`LearningTasks::expert_iteration`](super::LearningTasks::expert_iteration).
pub trait AnyExpertIteration {
    /// Learns to the end, or until `report` breaks, which is called after every 16 searches and every
    /// step of a fit; then returns `None`. `command` is noted as what made the evaluation.
    fn run(
        &mut self,
        command: &str,
        report: &mut dyn FnMut(&dyn AnyExpertIteration, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<TrainedProofEvaluation>;

    /// Searches done so far, in all rounds.
    fn searches(&self) -> u64;

    /// The rounds begun so far.
    fn rounds(&self) -> &[Round];

    /// The linear evaluation beside the nets: the text of its file, on one line.
    fn linear(&self) -> String;

    /// Writes a checkpoint: see [`ExpertIteration::write`].
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// The result of an expert iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainedProofEvaluation {
    /// The file of the evaluation.
    pub file: Vec<u8>,
    /// Records of searched positions that the last net was fitted to.
    pub records: u64,
}

/// An iteration that has not searched anything.
pub(super) fn expert_iteration<R: Rules>(
    start: &str,
    evaluation: &str,
    settings: ExpertSettings,
) -> Result<Box<dyn AnyExpertIteration>, Error> {
    let evaluation = Evaluation::<R>::from_json(evaluation).map_err(Error::library)?;
    Ok(Box::new(ExpertIteration::new(position::<R>(start)?, evaluation, settings)))
}

/// The iteration of a checkpoint, if it is one from `start` with these settings.
pub(super) fn resume<R: Rules>(
    checkpoint: &mut dyn Read,
    start: &str,
    settings: &ExpertSettings,
) -> Result<Box<dyn AnyExpertIteration>, Error> {
    let found = ExpertIteration::<R>::read(checkpoint).map_err(Error::library)?;
    if *found.start() == position::<R>(start)? && found.settings() == settings {
        return Ok(Box::new(found));
    }
    Err(Error::other_run(differing(found.settings(), settings)))
}

impl<R: Rules> AnyExpertIteration for ExpertIteration<R> {
    fn run(
        &mut self,
        command: &str,
        report: &mut dyn FnMut(&dyn AnyExpertIteration, ExpertProgress<'_>) -> ControlFlow<()>,
    ) -> Option<TrainedProofEvaluation> {
        let evaluation: ProofEvaluation<R> =
            self.run(command, |iteration, progress| report(iteration, progress))?;
        let mut file = Vec::new();
        // Writing into memory does not fail.
        evaluation.write(&mut file).ok()?;
        Some(TrainedProofEvaluation { file, records: evaluation.origin().records })
    }

    fn searches(&self) -> u64 {
        self.searches()
    }

    fn rounds(&self) -> &[Round] {
        self.rounds()
    }

    fn linear(&self) -> String {
        self.evaluation().to_json()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }
}
