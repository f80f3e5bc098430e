//! Evaluations learnt from games.

use std::boxed::Box;
use std::io::Read;

use shogi_eval::effort::EffortError;
use shogi_eval::{Evaluation, FileReason, ProofEvaluation, TrainingSettings};
use shogi_learn::{Training, TrainingError};

use super::training::{AnyTraining, training};
use super::{Error, Of};
use crate::RuleSet;

/// Tasks that need evaluations learnt from games.
pub trait AnyLearning: Sync {
    /// Training without a game.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn training(
        &self,
        start: &str,
        settings: TrainingSettings,
    ) -> Result<Box<dyn AnyTraining>, Error>;

    /// Checks what [`AnyTraining::write`] has written: unchanged, of this variant, and with games that
    /// can be played. Returns their number.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_training(&self, checkpoint: &mut dyn Read) -> Result<u64, TrainingError>;

    /// Checks an evaluation that `train` has made: unchanged since it was written, and of this variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_evaluation(&self, json: &str) -> Result<(), FileReason>;

    /// Checks an evaluation for proof searches that knows effort, as
    /// [`ProofEvaluation::write`] has written it.
    ///
    /// # Errors
    ///
    /// If it is damaged or of another variant.
    fn check_proof_evaluation(&self, file: &mut dyn Read) -> Result<(), EffortError>;
}

impl<R: RuleSet> AnyLearning for Of<R> {
    fn training(
        &self,
        start: &str,
        settings: TrainingSettings,
    ) -> Result<Box<dyn AnyTraining>, Error> {
        training::<R>(start, settings)
    }

    fn check_training(&self, checkpoint: &mut dyn Read) -> Result<u64, TrainingError> {
        Ok(Training::<R>::read(checkpoint)?.games())
    }

    fn check_evaluation(&self, json: &str) -> Result<(), FileReason> {
        Evaluation::<R>::from_json(json).map(drop)
    }

    fn check_proof_evaluation(&self, file: &mut dyn Read) -> Result<(), EffortError> {
        ProofEvaluation::<R>::read(file).map(drop)
    }
}
