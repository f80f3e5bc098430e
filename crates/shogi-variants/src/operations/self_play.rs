//! Games of the player against itself.

use std::boxed::Box;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_learn::LearnError;
use shogi_learn::archive::Archive;
use shogi_learn::self_play::{Finish, Played, SelfPlay, play_games};
use shogi_records::json;
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Rules};
use shogi_search::{Evaluation, Player};

use super::Error;
use super::held::Held;
use super::playing::{JudgedBy, evaluation};
use super::position::position;
use crate::RuleSet;

/// A run of self-play of any variant, for [`LearningTasks::self_play`](super::LearningTasks::self_play).
pub trait AnySelfPlay {
    /// Resumes from the games of an archive of the same run; those beyond the first `games` are left
    /// out. Gives how many the archive has.
    ///
    /// # Errors
    ///
    /// If the bytes are no archive, or one of another run.
    fn resume(&mut self, archive: &[u8], games: u32) -> Result<usize, Error>;

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
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the record of every game, one JSON object a line.
    fn write_records(&self, out: &mut dyn Write, dialect: Option<Dialect>) -> io::Result<()>;

    /// Counts over all games.
    fn summary(&self) -> ArchiveSummary;

    /// How long the games were, how many moves there were to choose from, and how the games ended.
    fn play_counts(&self) -> PlayCounts;
}

/// Counts over the games of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
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

/// Counts of the games of an archive, for [`AnyArchive::play_counts`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayCounts {
    /// The plies of each game.
    pub plies: Vec<u32>,
    /// Legal moves, in all positions in which a move was made.
    pub legal_moves: u64,
    /// The most of them in one position.
    pub most_legal_moves: u64,
    /// The games by how they ended: the rule, or `resignation`, `declaration` or `limit` for the number of plies.
    pub ends: BTreeMap<String, u64>,
}

impl PlayCounts {
    /// Counts in a game.
    fn add<R: Rules>(&mut self, played: &Played<R>) {
        let game = played.game();
        let made = game.moves().len();
        self.plies.push(made as u32);
        for position in &game.positions()[..made] {
            let moves = position.placement().count_moves();
            self.legal_moves += moves;
            self.most_legal_moves = self.most_legal_moves.max(moves);
        }
        let by_rule = game.outcome().map(|outcome| outcome.reason.to_string());
        let end = match (played.finish(), by_rule) {
            (Finish::Board, Some(rule)) => rule,
            (Finish::Resignation, _) => "resignation".into(),
            (Finish::Declaration, _) => "declaration".into(),
            (Finish::Board | Finish::Limit, _) => "limit".into(),
        };
        *self.ends.entry(end).or_default() += 1;
    }
}

struct Session<R: Rules> {
    archive: Held<Archive<R>>,
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
    Ok(Box::new(Held::new(Session { archive: Held::new(archive), evaluation })))
}

/// An archive, read and played through.
pub(super) fn archive<R: RuleSet>(bytes: &[u8]) -> Result<Box<dyn AnyArchive>, LearnError> {
    Ok(Box::new(Held::new(Archive::<R>::read(bytes)?)))
}

pub(super) fn read<R: Rules>(archive: &[u8]) -> Result<Archive<R>, Error> {
    Archive::read(archive).map_err(Error::library)
}

impl<R: RuleSet> AnySelfPlay for Held<Session<R>> {
    fn resume(&mut self, bytes: &[u8], games: u32) -> Result<usize, Error> {
        self.with_mut(|session| {
            let (mut found, archive) = (read::<R>(bytes)?, session.archive.get());
            if !found.is_of_the_same_run(archive) {
                return Err(Error::other_run(found.differing(archive)));
            }
            let all = found.games.len();
            found.games.truncate(games as usize);
            session.archive = Held::new(found);
            Ok(all)
        })
    }

    fn play(
        &mut self,
        games: u32,
        threads: usize,
        each: &mut dyn FnMut(&dyn AnyArchive) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.with_mut(|Session { archive, evaluation }| {
            let (start, settings) = (*archive.get().start(), *archive.get().settings());
            let player = || Player::new(evaluation.clone(), settings.player());
            let left = archive.get().games.len() as u32..games;
            play_games(&start, &settings, left, threads, player, |game| {
                archive.with_mut(|archive| archive.games.push(game));
                each(archive)
            })
        })
    }

    fn archive(&self) -> &dyn AnyArchive {
        &self.get().archive
    }
}

impl<R: RuleSet> AnyArchive for Held<Archive<R>> {
    fn len(&self) -> usize {
        self.get().games.len()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.with(|archive| archive.write(out))
    }

    fn write_records(&self, out: &mut dyn Write, dialect: Option<Dialect>) -> io::Result<()> {
        self.with(|archive| {
            let dialect = dialect.unwrap_or(R::dialect());
            for game in &archive.games {
                write_line(out, &json::write_in(&game.record(), dialect))?;
            }
            Ok(())
        })
    }

    fn summary(&self) -> ArchiveSummary {
        self.with(|archive| {
            let games = &archive.games;
            let mut summary = ArchiveSummary::none(R::name());
            for game in games {
                summary.add(game.winner(), game.scores().len());
            }
            let moves = |game: usize| games[game].game().moves();
            summary.distinct = distinct(games.len(), &|one, other| moves(one).cmp(moves(other)));
            summary
        })
    }

    fn play_counts(&self) -> PlayCounts {
        self.with(|archive| {
            let mut counts = PlayCounts::default();
            archive.games.iter().for_each(|game| counts.add(game));
            counts
        })
    }
}

impl ArchiveSummary {
    /// The counts over no game.
    const fn none(variant: &'static str) -> Self {
        let (games, distinct, positions) = (0, 0, 0);
        let (sente_wins, gote_wins, draws) = (0, 0, 0);
        Self { variant, games, distinct, sente_wins, gote_wins, draws, positions }
    }

    /// Counts in a game; not whether it is the same as an earlier one.
    fn add(&mut self, winner: Option<Colour>, positions: usize) {
        self.games += 1;
        self.positions += positions;
        match winner {
            Some(Colour::Sente) => self.sente_wins += 1,
            Some(Colour::Gote) => self.gote_wins += 1,
            None => self.draws += 1,
        }
    }
}

/// How many of so many games differ from all others before them.
fn distinct(games: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> usize {
    let mut order: Vec<_> = (0..games).collect();
    order.sort_unstable_by(|&one, &other| compare(one, other));
    let mut distinct = games;
    for pair in order.windows(2) {
        distinct -= usize::from(compare(pair[0], pair[1]).is_eq());
    }
    distinct
}

fn write_line(out: &mut dyn Write, line: &str) -> io::Result<()> {
    std::writeln!(out, "{line}")
}
