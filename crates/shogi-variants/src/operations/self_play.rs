//! Games of the player against itself.

use std::boxed::Box;
use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;

use shogi_rules::record::json;
use shogi_rules::shogi_core::{Colour, Move};
use shogi_rules::{Dialect, Rules};
use shogi_search::archive::{Archive, ArchiveError};
use shogi_search::self_play::{SelfPlay, play_games};
use shogi_search::{Evaluation, Player};

use super::Error;
use super::playing::{JudgedBy, evaluation};
use super::position::position;
use crate::RuleSet;

/// A run of self-play of any variant, for [`AnyPlaying::self_play`](super::AnyPlaying::self_play).
pub trait AnySelfPlay {
    /// Goes on from the games of an archive of the same run; those beyond the first `games` are left
    /// out.
    ///
    /// # Errors
    ///
    /// If the bytes are no archive, or one of another run.
    fn resume(&mut self, archive: &[u8], games: u32) -> Result<(), Error>;

    /// Plays on until there are `games` games or `each`, which is called after every game, breaks. Whether
    /// it did. The games do not depend on the number of threads if the effort is one of nodes.
    fn play(
        &mut self,
        games: u32,
        threads: usize,
        each: &mut dyn FnMut(&dyn AnyArchive) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The games so far.
    fn archive(&self) -> &dyn AnyArchive;
}

/// An [`Archive`] of any variant.
pub trait AnyArchive {
    /// The number of games.
    fn len(&self) -> usize;

    /// Whether there is no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the archive: see [`Archive::write`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the record of every game, one JSON object a line.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write_records(&self, out: &mut dyn Write, dialect: Option<Dialect>) -> io::Result<()>;

    /// Counts over all games.
    fn summary(&self) -> ArchiveSummary;
}

/// Counts over the games of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ArchiveSummary {
    /// The name of the variant.
    pub variant: &'static str,
    /// All games.
    pub games: usize,
    /// Games that are not the same as an earlier one.
    pub distinct: usize,
    /// Games that Sente won.
    pub sente_wins: usize,
    /// Games that Gote won.
    pub gote_wins: usize,
    /// Games that nobody won.
    pub draws: usize,
    /// Positions with a score.
    pub positions: usize,
}

struct Session<R: Rules> {
    archive: Archive<R>,
    evaluation: Evaluation<R>,
}

/// A run with no game played.
pub(super) fn self_play<R: RuleSet>(
    start: &str,
    settings: SelfPlay,
    judged_by: JudgedBy<'_>,
) -> Result<Box<dyn AnySelfPlay>, Error> {
    let evaluation = evaluation::<R>(judged_by)?;
    let archive = Archive::new(position::<R>(start)?, settings, evaluation.name());
    Ok(Box::new(Session { archive, evaluation }))
}

/// An archive, read and played through.
pub(super) fn archive<R: RuleSet>(bytes: &[u8]) -> Result<Box<dyn AnyArchive>, ArchiveError> {
    Ok(Box::new(Archive::<R>::read(bytes)?))
}

impl<R: RuleSet> AnySelfPlay for Session<R> {
    fn resume(&mut self, bytes: &[u8], games: u32) -> Result<(), Error> {
        let mut found = Archive::<R>::read(bytes).map_err(Error::library)?;
        if !found.is_of_the_same_run(&self.archive) {
            return Err(Error::OtherRun {
                found: std::format!(
                    "the settings {:?} and the evaluation {}",
                    found.settings(),
                    found.evaluation()
                ),
            });
        }
        found.games.truncate(games as usize);
        self.archive = found;
        Ok(())
    }

    fn play(
        &mut self,
        games: u32,
        threads: usize,
        each: &mut dyn FnMut(&dyn AnyArchive) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { archive, evaluation } = self;
        let (start, settings) = (*archive.start(), *archive.settings());
        let player = || Player::new(evaluation.clone(), settings.player());
        let left = archive.games.len() as u32..games;
        play_games(&start, &settings, left, threads, player, |game| {
            archive.games.push(game);
            each(archive)
        })
    }

    fn archive(&self) -> &dyn AnyArchive {
        &self.archive
    }
}

impl<R: RuleSet> AnyArchive for Archive<R> {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }

    fn write_records(&self, out: &mut dyn Write, dialect: Option<Dialect>) -> io::Result<()> {
        let dialect = dialect.unwrap_or(R::DIALECT);
        self.games
            .iter()
            .try_for_each(|game| std::writeln!(out, "{}", json::write_in(&game.record(), dialect)))
    }

    fn summary(&self) -> ArchiveSummary {
        let games = &self.games;
        let wins = |winner| games.iter().filter(|game| game.winner() == winner).count();
        let distinct: HashSet<&[Move<R>]> = games.iter().map(|game| game.game().moves()).collect();
        ArchiveSummary {
            variant: R::NAME,
            games: games.len(),
            distinct: distinct.len(),
            sente_wins: wins(Some(Colour::Sente)),
            gote_wins: wins(Some(Colour::Gote)),
            draws: wins(None),
            positions: games.iter().map(|game| game.scores().len()).sum(),
        }
    }
}
