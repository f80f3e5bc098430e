//! Reports on a game: its size, its reachable positions, how it plays, who wins, and its longest win.
//!
//! A report invents nothing: each part is what another task or operation answers, within limits that end soon. A part that
//! a game cannot have says why, and which command would go on.

mod page;
mod sections;

use std::boxed::Box;
use std::collections::BTreeMap;
use std::format;
use std::ops::ControlFlow;
use std::string::{String, ToString as _};
use std::sync::atomic::AtomicBool;
use std::vec::Vec;

use shogi_learn::self_play::{Effort, SelfPlay};
use shogi_rank::{BigUint, Counts, Z_95, wilson};
use shogi_reach::EstimateReport;
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Rules, Verdict, hash_digits, to_sfen_in};
use shogi_search::EVALUATIONS;
use shogi_solve::retrograde::{Listing, Unlisted};
use shogi_solve::{Budget, GameGraph as _, Goal, RulesGame};

pub use self::sections::Section;
use super::{EstimateTask, Estimated, Session, Solution, SolveTask, Task, grouped};
use crate::operations::{AnySampling, ArchiveSummary, JudgedBy, PlayCounts, read_position};
use crate::variant::call;
use crate::{Error, RuleSet, Variant};

/// Says on one page what a game is like.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{ReportTask, Session, Task as _};
/// let game = Variant::from_text(
///     r#"
///     name = "three"
///     start = "k1/p1/1P/1K b - 1"
///     [pieces]
///     P = { front = "pawn", back = "gold" }
///     K = { front = "king", royal = true }
///     "#,
/// )?;
/// let task = ReportTask { games: 4, ..ReportTask::default() };
/// let report = task.answer(game, "startpos", &mut Session::new(Budget::unlimited()))?;
/// assert_eq!(report.play.known().map(|play| play.games), Some(4));
/// assert!(report.complete && report.to_string().contains("Size"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The answer is an error if the line stands for no legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReportTask {
    /// Games of the player against itself.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "100",
        value_parser = super::amount::count::<u32>(1..=1_000_000)))]
    pub games: u32,
    /// Nodes for each move of these games.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "200",
        value_parser = super::amount::count::<u64>(1..)))]
    pub move_nodes: u64,
    /// Random moves that such a game begins with; half of the games have one less.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "4",
        value_parser = super::amount::count::<u32>(..=400)))]
    pub opening: u32,
    /// Limit of the moves played in the search for the value.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "2e6",
        value_parser = super::amount::count::<u64>(..)))]
    pub nodes: u64,
    /// Samples for the share of reachable positions; where there are at most a million candidates, all of them are looked
    /// at instead.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "2e4",
        value_parser = super::amount::count::<u64>(1..)))]
    pub samples: u64,
    /// Positions of a small game: if games from the start reach at most so many, all are listed with their values; 0
    /// lists none.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "3e5",
        value_parser = super::amount::count::<u32>(..)))]
    pub positions: u32,
    /// Seed of the games and the samples: the same seed always gives the same report.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value = "1",
        value_parser = super::amount::count::<u64>(..)))]
    pub seed: u64,
}

impl Default for ReportTask {
    /// A hundred games at 200 nodes a move, two million nodes for the value, 20,000 samples, 300,000 positions, seed 1.
    fn default() -> Self {
        let (games, move_nodes, opening) = (100, 200, 4);
        let (nodes, samples, positions, seed) = (2_000_000, 20_000, 300_000, 1);
        Self { games, move_nodes, opening, nodes, samples, positions, seed }
    }
}

/// The subject of a report, for [`ReportTask::report`].
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The game.
    pub variant: Variant,
    /// Where games begin, in the forms that every task takes.
    pub start: &'a str,
    /// The game in the commands of the report: its name, or the path of its file.
    pub called: &'a str,
    /// The threads that play; they never change a result.
    pub threads: usize,
}

/// How far a report is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ReportProgress {
    /// The things that are counted, such as `games`.
    pub things: &'static str,
    /// How many of them are done.
    pub done: u64,
    /// How many there are.
    pub all: u64,
}

/// A report on a game: the answer of [`ReportTask`].
#[derive(serde::Serialize)]
pub struct Report {
    /// The name of the variant.
    pub variant: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The hash of its rules.
    pub hash: String,
    /// Where games begin, in SFEN.
    pub start: String,
    /// The game in the commands of the report.
    #[serde(skip)]
    pub called: String,
    /// The options of these commands that name the start, where it is not the variant's own.
    #[serde(skip)]
    pub from: String,
    /// The settings of the report.
    pub settings: ReportTask,
    /// Whether it was not broken off.
    pub complete: bool,
    /// Who wins from the start, if that is proved: `sente`, `gote`, or `nobody`.
    pub winner: Option<&'static str>,
    /// All placements of the pieces, legal or not, mirror images counted as two, in decimal digits.
    pub placements: String,
    /// The candidates among them, exactly.
    pub candidates: Part<Candidates>,
    /// The share of reachable positions among the candidates.
    pub reachable: Part<Box<Estimated>>,
    /// Games of the player against itself.
    pub play: Part<Play>,
    /// The value of the start.
    pub value: Part<Box<Solution>>,
    /// All positions that games reach, where they are few.
    pub listed: Part<Listed>,
}

/// A part of a report, or why the report lacks it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Part<T> {
    /// The part.
    Known(T),
    /// There is none.
    Missing {
        /// Why, in one line.
        missing: String,
        /// A command that answers the question or goes on, if one does.
        command: Option<String>,
    },
}

impl<T> Part<T> {
    /// The part, if it is there.
    pub const fn known(&self) -> Option<&T> {
        match self {
            Self::Known(part) => Some(part),
            Self::Missing { .. } => None,
        }
    }

    /// A part that is not there.
    fn missing(reason: impl Into<String>, command: Option<String>) -> Self {
        Self::Missing { missing: reason.into(), command }
    }

    /// A part as far as it succeeded; `command` continues what was broken off.
    fn of(part: Result<T, Error>, command: String) -> Self {
        match part {
            Ok(part) => Self::Known(part),
            Err(Error::Stopped) => {
                Self::missing("broken off before there was anything", Some(command))
            }
            Err(error) => Self::missing(error.to_string(), None),
        }
    }
}

/// Exact numbers of placements in decimal digits, of two mirror images one: what `count` answers.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Candidates {
    /// The candidates, folded by their kings alone.
    pub candidates: String,
    /// Left after the flip stage.
    pub flip: String,
    /// Left after the pawn stage.
    pub pawn: String,
    /// Left after the king stage, where that number is known.
    pub king: Option<String>,
}

impl From<Counts> for Candidates {
    fn from(counts: Counts) -> Self {
        Self {
            candidates: counts.candidates.to_string(),
            flip: counts.flip.to_string(),
            pawn: counts.pawn.to_string(),
            king: counts.king.as_ref().map(BigUint::to_string),
        }
    }
}

/// How the player's games against itself went.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Play {
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
    /// Sente's share of the games that somebody won, if there are any.
    pub sente_share: Option<f64>,
    /// Its 95 % interval, by Wilson.
    pub sente_share_interval: [f64; 2],
    /// The mean number of legal moves in a position.
    pub moves_mean: f64,
    /// The most legal moves in one.
    pub moves_most: u64,
    /// The mean number of plies of a game.
    pub plies_mean: f64,
    /// The plies of each game, in the order of the games.
    pub plies: Vec<u32>,
    /// The games by how they ended: the rule, `resignation` where the player has seen a forced loss, `declaration`, or
    /// `limit` for 400 plies.
    pub ends: BTreeMap<String, u64>,
}

impl Play {
    fn new(summary: ArchiveSummary, counts: PlayCounts) -> Self {
        let ArchiveSummary { games, distinct, sente_wins, gote_wins, draws, .. } = summary;
        let PlayCounts { plies, legal_moves, most_legal_moves, ends } = counts;
        let decided = sente_wins + gote_wins;
        let interval = wilson(sente_wins as u64, decided as u64, Z_95);
        let made: u64 = plies.iter().copied().map(u64::from).sum();
        let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
        Self {
            games,
            distinct,
            sente_wins,
            gote_wins,
            draws,
            sente_share: (decided > 0).then(|| mean(sente_wins as u64, decided as u64)),
            sente_share_interval: [interval.low, interval.high],
            moves_mean: mean(legal_moves, made),
            moves_most: most_legal_moves,
            plies_mean: mean(made, games as u64),
            plies,
            ends,
        }
    }
}

/// All positions that games from the start reach, mirror images and both players to move counted each, by their values
/// without a repetition.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Listed {
    /// How many there are.
    pub positions: usize,
    /// Those that the player to move wins.
    pub wins: usize,
    /// Those that the player to move loses.
    pub losses: usize,
    /// Those that neither player wins without a repetition.
    pub others: usize,
    /// The win that takes most plies against the best defence, if there is a win.
    pub longest: Option<LongestWin>,
}

/// The longest of all forced wins of a game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct LongestWin {
    /// The plies to its end.
    pub plies: u32,
    /// Who wins: `sente` or `gote`.
    pub winner: &'static str,
    /// The position that it begins in, in SFEN.
    pub sfen: String,
}

/// The name of a player in data.
const fn name(player: Colour) -> &'static str {
    match player {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

impl ReportTask {
    /// Makes the report, and shows `watch` how far it is. When the budget of the session is over, the report ends with what
    /// is known by then.
    ///
    /// # Errors
    ///
    /// If the start is no legal position.
    pub fn report(
        &self,
        subject: &Subject<'_>,
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Result<Report, Error> {
        let &Subject { variant, start, called, .. } = subject;
        let start = variant.rules().position(start, session.dialect)?;
        let subject = &Subject { start: &start, ..*subject };
        let ranking = variant.ranking();
        let placements = ranking.by_hand().iter().sum::<BigUint>().to_string();
        let candidates = match ranking.counts() {
            Ok(counts) => Part::Known(counts.into()),
            Err(error) => Part::missing(error.to_string(), None),
        };
        let from = match variant.rules().is_same_placement(&start, "startpos")? {
            true => String::new(),
            false => format!(" --sfen \"{start}\""),
        };
        let reachable = self.reachable(subject, &from, session, watch);
        let again = format!("shogi variant report {called}{from}");
        let play = Part::of(self.play(subject, session, watch), again.clone());
        let value = Part::of(self.value(subject, session, watch), again.clone());
        let side = call!(variant, R => Ok::<_, Error>(read_position::<R>(&start)?.side()))?;
        let winner = value.known().and_then(|solution| Some(winner(solution.value?, side)));
        let is_small = placements.len() <= MOST_DIGITS;
        let listed = self.listed(subject, (again, is_small), session, watch);
        session.budget.look();
        Ok(Report {
            variant: variant.name(),
            title: variant.title(),
            hash: hash_digits(variant.rules_hash()),
            called: called.into(),
            from,
            settings: *self,
            complete: !session.budget.is_over(),
            winner,
            placements,
            candidates,
            reachable,
            play,
            value,
            listed,
            start,
        })
    }

    /// The share of reachable positions: from samples, or from a list where it takes seconds.
    fn reachable(
        &self,
        subject: &Subject<'_>,
        from: &str,
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Part<Box<Estimated>> {
        let &Subject { variant, start, called, .. } = subject;
        if go_on(&mut session.budget).is_break() {
            return Part::of(Err(Error::Stopped), String::new());
        }
        let command = format!("shogi estimate {called}{from} --samples {}", self.samples);
        let task = EstimateTask { seed: self.seed, ..EstimateTask::new(self.samples) };
        let never = AtomicBool::new(false);
        let stop = session.budget.stop_signal().unwrap_or(&never);
        match task.sampling(variant, Some(start).filter(|_| !from.is_empty()), stop) {
            Err(error) => Part::of(Err(error), command),
            Ok(Some(sampling)) => {
                Part::of(self.sampled(&*sampling, session, watch).map(Box::new), command)
            }
            Ok(None) if is_listed_soon(variant, start) => {
                let listed = task.list(variant, start, |_| {});
                Part::of(listed.map(|listed| Box::new(Estimated::Listed(listed))), command)
            }
            Ok(None) => {
                let reason =
                    "its positions are listed, not sampled, which takes up to some minutes";
                Part::missing(reason, Some(command))
            }
        }
    }

    fn sampled(
        &self,
        sampling: &dyn AnySampling,
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Result<Estimated, Error> {
        let mut pilot = |_, _| ControlFlow::Continue(());
        let mut shard = sampling.run(self.seed, self.samples, &mut pilot)?;
        let all = shard.samples();
        let (next, findings) = sampling.tally(&shard, 0..all, &mut |next, _| {
            watch(ReportProgress { things: "samples", done: next, all });
            go_on(&mut session.budget)
        });
        if next == 0 {
            return Err(Error::Stopped);
        }
        shard.add_findings(0..next, &findings).map_err(Error::library)?;
        Ok(Estimated::Sampled(EstimateReport::from(&shard)))
    }

    /// Games of the player against itself.
    fn play(
        &self,
        subject: &Subject<'_>,
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Result<Play, Error> {
        let &Subject { variant, start, threads, .. } = subject;
        let &Self { games, move_nodes, opening, seed, .. } = self;
        let effort = Effort::Nodes(move_nodes);
        let settings = SelfPlay { seed, opening, effort, ..SelfPlay::default() };
        if go_on(&mut session.budget).is_break() {
            return Err(Error::Stopped);
        }
        let judged_by = JudgedBy::Name(EVALUATIONS[0]);
        let mut run = variant.learning().self_play(start, settings, judged_by)?;
        // A run that was broken off is reported as far as it came.
        let _ = run.play(games, threads, &mut |archive| {
            let done = archive.len() as u64;
            watch(ReportProgress { things: "games", done, all: games.into() });
            go_on(&mut session.budget)
        });
        let archive = run.archive();
        if archive.is_empty() {
            return Err(Error::Stopped);
        }
        Ok(Play::new(archive.summary(), archive.play_counts()))
    }

    /// The value of the start.
    fn value(
        &self,
        subject: &Subject<'_>,
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Result<Box<Solution>, Error> {
        if go_on(&mut session.budget).is_break() {
            return Err(Error::Stopped);
        }
        watch(ReportProgress { things: "nodes", done: 0, all: self.nodes });
        let task = SolveTask { nodes: Some(self.nodes), hash: 128, ..SolveTask::default() };
        Ok(Box::new(task.answer(subject.variant, subject.start, session)?))
    }

    /// All positions with their values, where they are few.
    fn listed(
        &self,
        subject: &Subject<'_>,
        (again, is_small): (String, bool),
        session: &mut Session<'_>,
        watch: &mut dyn FnMut(ReportProgress),
    ) -> Part<Listed> {
        let &Subject { variant, start, .. } = subject;
        let (limit, dialect) = (self.positions, session.dialect);
        if limit == 0 {
            return Part::missing("none are to be listed", Some(again));
        }
        if go_on(&mut session.budget).is_break() {
            return Part::of(Err(Error::Stopped), again);
        }
        watch(ReportProgress { things: "positions", done: 0, all: limit.into() });
        let budget = &mut session.budget;
        let listed = call!(variant, R => list::<R>(start, limit as usize, dialect, budget));
        match listed {
            Err(Unlisted::TooLarge(_)) => {
                let more = format!("{again} --positions {}", u64::from(limit) * 10);
                let reason = format!("games reach more than {} positions", grouped(limit.into()));
                Part::missing(reason, is_small.then_some(more))
            }
            Err(Unlisted::OutOfBudget) => Part::of(Err(Error::Stopped), again),
            Ok(listed) => Part::of(listed, again),
        }
    }
}

/// A game with more digits than this in its number of placements is not listed within the memory of a computer.
const MOST_DIGITS: usize = 9;

/// The most placements among which reachable positions are listed at once: it takes some seconds.
const LISTED_SOON: u64 = 5_000_000;

/// Whether the positions that a start reaches are listed within seconds.
fn is_listed_soon(variant: Variant, start: &str) -> bool {
    let listing = variant.tablebases().and_then(|world| world.listing_for(start).ok());
    listing.is_some_and(|(_, placements)| placements <= LISTED_SOON)
}

/// Whether something of a budget is left.
fn go_on(budget: &mut Budget<'_>) -> ControlFlow<()> {
    budget.look();
    if budget.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Who wins, or `nobody`, where a position with this player to move has this value.
fn winner(value: Verdict, side: Colour) -> &'static str {
    match value {
        Verdict::Win => name(side),
        Verdict::Loss => name(!side),
        Verdict::Draw => "nobody",
    }
}

/// Lists the positions and works back from the ends.
fn list<R: RuleSet>(
    start: &str,
    limit: usize,
    dialect: Option<Dialect>,
    budget: &mut Budget<'_>,
) -> Result<Result<Listed, Error>, Unlisted> {
    let root = match read_position::<R>(start) {
        Ok(root) => root,
        Err(error) => return Ok(Err(error)),
    };
    let listing = Listing::within(&RulesGame::<R>::new(), &root, limit, budget)?;
    Ok(Ok(values(&listing, dialect.unwrap_or(R::dialect()))))
}

/// Counts the positions of a listing by their values, and finds the longest win.
fn values<R: Rules>(listing: &Listing<RulesGame<R>>, dialect: Dialect) -> Listed {
    let game = RulesGame::<R>::new();
    let (mut wins, mut losses) = (0, 0);
    let mut longest: Option<(u32, Colour, usize)> = None;
    for player in Colour::ALL {
        for (number, plies) in listing.forced(Goal::win(player)).into_iter().enumerate() {
            let Some(plies) = plies else { continue };
            let side = game.side(&listing.positions[number]);
            *(if side == player { &mut wins } else { &mut losses }) += 1;
            if longest.is_none_or(|(most, ..)| plies > most) {
                longest = Some((plies, player, number));
            }
        }
    }
    let longest = longest.map(|(plies, player, number)| LongestWin {
        plies,
        winner: name(player),
        sfen: to_sfen_in(listing.positions[number].placement(), dialect),
    });
    let positions = listing.positions.len();
    Listed { positions, wins, losses, others: positions - wins - losses, longest }
}

impl Task for ReportTask {
    const NAME: &'static str = "report";
    type Answer = Report;

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Result<Report, Error> {
        let subject = Subject { variant, start: line, called: variant.name(), threads: 1 };
        self.report(&subject, session, &mut |_| {})
    }
}
