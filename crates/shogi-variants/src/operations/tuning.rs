//! Tuning of the tables that the player judges positions by.

use std::boxed::Box;
use std::ops::ControlFlow;
use std::string::String;

use shogi_rules::{Rules, to_sfen};
use shogi_search::tune::{Progress, Tuner, Tuning};
use shogi_search::{Evaluation, KingPiece};

use super::Error;
use super::learner::with_start;
use super::position::position;
use super::self_play::{AnyArchive, read};
use crate::RuleSet;

/// A [`Tuner`] of any variant, for [`AnyPlaying::tuner`](super::AnyPlaying::tuner).
pub trait AnyTuner {
    /// Goes on from an archive that was written of the same tuning.
    ///
    /// # Errors
    ///
    /// If the bytes are no archive, or one of another tuning.
    fn resume(&mut self, archive: &[u8]) -> Result<(), Error>;

    /// Tunes to the end, or until `report` breaks; then returns `None`.
    ///
    /// # Errors
    ///
    /// None for the variants there are: see [`Tuner::run`].
    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyArchive, Progress) -> ControlFlow<()>,
    ) -> Result<Option<TunedTables>, Error>;

    /// All games so far.
    fn archive(&self) -> &dyn AnyArchive;
}

/// What tuning has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TunedTables {
    /// The file of tables.
    pub json: String,
    /// The name that `selfplay` calls the tables by.
    pub name: String,
    /// The number of weights.
    pub weights: usize,
}

/// A tuner without a game, whose tables depend on `settings` and, if it is not the variant's own, on the
/// start.
pub(super) fn tuner<R: RuleSet>(
    start: &str,
    tuning: Tuning,
    settings: &str,
) -> Result<Box<dyn AnyTuner>, Error> {
    let start = position::<R>(start)?;
    let origin = with_start(settings, &to_sfen(&start), R::START);
    Ok(Box::new(Tuner::new(start, tuning, &origin)))
}

impl<R: RuleSet> AnyTuner for Tuner<R> {
    fn resume(&mut self, archive: &[u8]) -> Result<(), Error> {
        let found = read(archive)?;
        let origin = String::from(found.evaluation());
        if self.resume(found) { Ok(()) } else { Err(Error::OtherRun { found: origin }) }
    }

    fn run(
        &mut self,
        threads: usize,
        report: &mut dyn FnMut(&dyn AnyArchive, Progress) -> ControlFlow<()>,
    ) -> Result<Option<TunedTables>, Error> {
        let tables = self.run(threads, |archive, progress| report(archive, progress));
        Ok(tables.map_err(Error::library)?.map(described))
    }

    fn archive(&self) -> &dyn AnyArchive {
        self.archive()
    }
}

fn described<R: Rules>(tables: KingPiece<R>) -> TunedTables {
    TunedTables {
        json: tables.to_json(),
        name: Evaluation::KingPiece(tables).name(),
        weights: KingPiece::<R>::COUNT,
    }
}
