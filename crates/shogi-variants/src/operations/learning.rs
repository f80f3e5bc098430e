//! Evaluations learnt from games.

use shogi_learn::{Evaluation, FileReason};

use super::Of;
use crate::RuleSet;

/// Tasks that need evaluations learnt from games.
pub trait AnyLearning: Sync {
    /// Checks an evaluation that `train` has made: unchanged since it was written, and of this variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_evaluation(&self, json: &str) -> Result<(), FileReason>;
}

impl<R: RuleSet> AnyLearning for Of<R> {
    fn check_evaluation(&self, json: &str) -> Result<(), FileReason> {
        Evaluation::<R>::from_json(json).map(drop)
    }
}
