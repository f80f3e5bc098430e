//! Networks of the player, learnt from self-play.

use std::boxed::Box;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::string::String;

use shogi_learn::learner::{Generation, Learner, LearnerProgress, Learning};
use shogi_rules::{Rules, to_sfen};
use shogi_search::Evaluation;

use super::Error;
use super::fitting::LearntEvaluation;
use super::playing::{JudgedBy, evaluation};
use super::position::position;
use super::self_play::read;
use crate::RuleSet;

/// A [`Learner`] of any variant, for [`LearningTasks::learner`](super::LearningTasks::learner).
pub trait AnyLearner {
    /// Takes the first games from an archive of self-play: see [`Learner::take_games`].
    ///
    /// # Errors
    ///
    /// If the bytes are no archive, or one with another start, other settings or another evaluation.
    fn take_games(&mut self, archive: &[u8]) -> Result<(), Error>;

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    ///
    /// If the bytes are no checkpoint, or one of another run.
    fn resume(&mut self, checkpoint: &[u8]) -> Result<(), Error>;

    /// Learns to the end, or until `report` breaks; then returns `None`: see [`Learner::run`].
    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyLearner, LearnerProgress<'_>) -> ControlFlow<()>,
    ) -> Option<LearntEvaluation>;

    /// What the generations so far have come to.
    fn generations(&self) -> &[Generation];

    /// Games played so far.
    fn games(&self) -> usize;

    /// Writes a checkpoint: see [`Learner::write`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// A learner without a game. A start that is not the variant's own is added to the command.
pub(super) fn learner<R: RuleSet>(
    start: &str,
    learning: Learning,
    first: JudgedBy<'_>,
    command: &str,
) -> Result<Box<dyn AnyLearner>, Error> {
    let start = position::<R>(start)?;
    let command = with_start(command, &to_sfen(&start), R::START);
    Ok(Box::new(Learner::new(start, learning, evaluation::<R>(first)?, &command)))
}

/// A command, with its start in SFEN if that is not the variant's own.
pub(super) fn with_start(command: &str, start: &str, own: &str) -> String {
    if start == own { String::from(command) } else { std::format!("{command} --sfen '{start}'") }
}

impl<R: Rules> AnyLearner for Learner<R> {
    fn take_games(&mut self, archive: &[u8]) -> Result<(), Error> {
        let found = read(archive)?;
        let differing = found.differing(self.archive());
        if self.take_games(found) { Ok(()) } else { Err(Error::other_run(differing)) }
    }

    fn resume(&mut self, checkpoint: &[u8]) -> Result<(), Error> {
        let found = Self::read(checkpoint, self.first().clone()).map_err(Error::library)?;
        let differing = found.differing(self);
        if self.resume(found) { Ok(()) } else { Err(Error::other_run(differing)) }
    }

    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyLearner, LearnerProgress<'_>) -> ControlFlow<()>,
    ) -> Option<LearntEvaluation> {
        let net = self.run(threads, |learner, progress| report(learner, progress))?;
        LearntEvaluation::of(&Evaluation::Network(Box::new(net)))
    }

    fn generations(&self) -> &[Generation] {
        self.generations()
    }

    fn games(&self) -> usize {
        self.archive().games.len()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }
}
