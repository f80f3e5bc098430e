//! Matches of two evaluations.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use shogi_learn::arena::{MatchScore, Test};
use shogi_learn::matches::{Match, MatchSettings};
use shogi_learn::self_play::SelfPlay;
use shogi_rules::Rules;

use super::Error;
use super::held::Held;
use super::playing::{JudgedBy, evaluation};
use super::position::position;

/// A [`Match`] of any variant, for [`LearningTasks::play_match`](super::LearningTasks::play_match).
pub trait AnyMatch {
    /// Its settings, with the names of the evaluations.
    fn settings(&self) -> &MatchSettings;

    /// The results so far.
    fn score(&self) -> &MatchScore;

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    ///
    /// If the file is no checkpoint, or one of another match.
    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error>;

    /// Plays to the end, or until `report` breaks, which is called after every pair of games; then returns `None`.
    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyMatch) -> ControlFlow<()>,
    ) -> Option<MatchScore>;

    /// Writes a checkpoint: see [`Match::write`].
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// A match without a game.
pub(super) fn play_match<R: Rules>(
    start: &str,
    settings: SelfPlay,
    test: Test,
    [first, second]: [JudgedBy<'_>; 2],
) -> Result<Box<dyn AnyMatch>, Error> {
    let players = [evaluation::<R>(first)?, evaluation(second)?];
    Ok(Box::new(Held::new(Match::new(position::<R>(start)?, settings, test, players))))
}

impl<R: Rules> AnyMatch for Match<R> {
    fn settings(&self) -> &MatchSettings {
        self.settings()
    }

    fn score(&self) -> &MatchScore {
        self.score()
    }

    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error> {
        match self.resume(checkpoint).map_err(Error::library)? {
            None => Ok(()),
            Some(found) => Err(Error::OtherRun { found }),
        }
    }

    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyMatch) -> ControlFlow<()>,
    ) -> Option<MatchScore> {
        self.run(threads, |played, _| report(played))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }
}

impl<M: AnyMatch> AnyMatch for Held<M> {
    fn settings(&self) -> &MatchSettings {
        self.get().settings()
    }

    fn score(&self) -> &MatchScore {
        self.get().score()
    }

    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error> {
        self.with_mut(|held| held.resume(checkpoint))
    }

    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyMatch) -> ControlFlow<()>,
    ) -> Option<MatchScore> {
        self.with_mut(|held| held.run(threads, report))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.with(|held| held.write(out))
    }
}
