//! `selfplay`: games of the player against himself, to learn from.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::Serialize;
use shogi_rules::Rules;
use shogi_rules::record::{Recorded, json};
use shogi_rules::shogi_core::{Colour, Move};
use shogi_search::Player;
use shogi_search::archive::{Archive, ArchiveError, ArchiveReason, read_head};
use shogi_search::self_play::{Effort, SelfPlay, play_games};

use crate::bar::count;
use crate::common::Common;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::{self, Variant, dispatch};
use crate::{amount, file, print};

/// Arguments of `selfplay`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..1_000_000_000))]
    games: u32,
    /// Seed of the games: with the same seed and effort in nodes they are always the same.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// Write the games to this file, with their scores.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the records of the games to this file, one JSON object a line; `convert` takes each.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Nodes for each move [default: 1000].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Time for each move, such as 0.1 or 2s; the games then depend on the machine.
    #[arg(long, value_name = "T", value_parser = amount::time, conflicts_with = "nodes")]
    movetime: Option<Duration>,
    /// Random moves that a game begins with; half of the games have one less.
    #[arg(long, value_name = "N", default_value_t = SelfPlay::default().opening, value_parser = amount::count::<u16>(..))]
    opening: u16,
    /// Plies after which a game is a draw.
    #[arg(long, value_name = "N", default_value_t = SelfPlay::default().plies, value_parser = amount::count::<u16>(..))]
    plies: u16,
    /// Megabytes of the table of each player; there are as many players as threads.
    #[arg(long, value_name = "MB", default_value_t = 2, value_parser = amount::count::<u32>(1..))]
    hash: u32,
    /// Look for mates by checks before each search.
    #[arg(long)]
    mate_probe: bool,
    #[command(flatten)]
    checkpoint: Checkpoint,
    #[command(flatten)]
    judgement: Judgement,
    #[command(flatten)]
    start: Start,
}

impl Arguments {
    fn settings(&self) -> SelfPlay {
        let &Self { seed, opening, plies, mate_probe, .. } = self;
        let effort = match (self.movetime, self.nodes) {
            (Some(time), _) => Effort::Milliseconds(time.as_millis() as u64),
            (None, Some(nodes)) => Effort::Nodes(nodes),
            (None, None) => SelfPlay::default().effort,
        };
        let hash_bytes = (self.hash as usize) << 20;
        SelfPlay { seed, opening, effort, plies, hash_bytes, mate_probe }
    }
}

/// Counts over all games.
#[derive(Serialize, Clone, Copy, Debug)]
struct Summary {
    variant: &'static str,
    games: usize,
    /// Games that are not the same as an earlier one.
    distinct: usize,
    sente_wins: usize,
    gote_wins: usize,
    draws: usize,
    /// Positions with a score.
    positions: usize,
    seconds: f64,
}

impl Summary {
    fn of<R: Rules>(archive: &Archive<R>, time: Duration) -> Self {
        let games = &archive.games;
        let wins = |winner| games.iter().filter(|game| game.winner() == winner).count();
        let distinct: BTreeSet<&[Move<R>]> = games.iter().map(|game| game.game().moves()).collect();
        Self {
            variant: R::NAME,
            games: games.len(),
            distinct: distinct.len(),
            sente_wins: wins(Some(Colour::Sente)),
            gote_wins: wins(Some(Colour::Gote)),
            draws: wins(None),
            positions: games.iter().map(|game| game.scores().len()).sum(),
            seconds: time.as_secs_f64(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, distinct, sente_wins, gote_wins, draws, positions, seconds, .. } = self;
        write!(
            f,
            "{games} games ({distinct} distinct): Sente won {sente_wins}, Gote {gote_wins}, {draws} \
             drawn; {positions} positions in {seconds:.1} s"
        )
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => run_for::<R>(arguments, common))
}

fn run_for<R: Recorded>(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let mut job =
        Job::start(&arguments.checkpoint, arguments.out.iter().chain(&arguments.records))?;
    let started = Instant::now();
    let start = arguments.start.position::<R>()?;
    let settings = arguments.settings();
    let evaluation = arguments.judgement.evaluation::<R>()?;
    let mut archive = Archive::new(start, settings, evaluation.name());
    if let Some(path) = job.resume() {
        archive = resume(&archive, path)?;
        archive.games.truncate(arguments.games as usize);
    }
    job.show(count(arguments.games.into(), archive.games.len() as u64, "games"));
    let left = archive.games.len() as u32..arguments.games;
    let player = || Player::new(evaluation.clone(), settings.player());
    let end = play_games(&start, &settings, left, rayon::current_num_threads(), player, |game| {
        archive.games.push(game);
        job.bar().set_position(archive.games.len() as u64);
        job.pulse(|file| write(&archive, file))
    });
    let finished = end.is_continue() || archive.games.len() == arguments.games as usize;
    let saved = job.end(|file| write(&archive, file));
    if !finished {
        saved?;
        return Err(job.interrupted(&format!("{} games are", archive.games.len())));
    }
    let written = arguments
        .out
        .as_deref()
        .map_or(Ok(()), |path| file::write_by(path, |file| write(&archive, file)));
    if let Some(path) = &arguments.records {
        let dialect = common.dialect::<R>();
        let lines = archive.games.iter().map(|game| json::write_in(&game.record(), dialect) + "\n");
        file::write_whole(path, lines.collect::<String>().as_bytes())?;
    }
    let summary = Summary::of(&archive, started.elapsed());
    // An answer that took hours is told even where it cannot be saved.
    print::answer(common.json, &summary, summary)?;
    written.and(saved)?;
    Ok(Outcome::Good)
}

fn write<R: Rules>(archive: &Archive<R>, file: &mut File) -> Result<()> {
    Ok(archive.write(file)?)
}

/// The games in a checkpoint, if it belongs to this run.
fn resume<R: Rules>(new: &Archive<R>, path: &Path) -> Result<Archive<R>> {
    let name = || format!("cannot go on from {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    let found = Archive::read(&bytes).with_context(name)?;
    ensure!(
        (found.start(), found.settings(), found.evaluation())
            == (new.start(), new.settings(), new.evaluation()),
        "the checkpoint {} is of another run: it has the settings {:?} and the evaluation {}",
        path.display(),
        found.settings(),
        found.evaluation()
    );
    Ok(found)
}

/// The answer of `verify` for an archive.
#[derive(Serialize)]
#[serde(untagged)]
enum Verified {
    Holds {
        ok: bool,
        #[serde(flatten)]
        summary: Summary,
    },
    Refuted {
        ok: bool,
        reason: String,
        position: Option<String>,
    },
}

/// Checks an archive, for `verify`.
pub fn verify(mut input: impl Read, common: &Common) -> Result<Outcome> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).context("cannot read the archive")?;
    let started = Instant::now();
    let answer = match check(&bytes, started) {
        Ok(summary) => Verified::Holds { ok: true, summary },
        Err(error) => {
            let error = error.downcast::<ArchiveError>()?;
            Verified::Refuted { ok: false, reason: error.to_string(), position: None }
        }
    };
    let (text, good) = match &answer {
        Verified::Holds { summary, .. } => {
            (format!("ok: an archive of {}: {summary}", summary.variant), true)
        }
        Verified::Refuted { reason, .. } => (format!("refuted: {reason}"), false),
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(good))
}

fn check(bytes: &[u8], started: Instant) -> Result<Summary> {
    let head = read_head(bytes)?;
    let Ok(variant) = head.variant.parse::<Variant>() else {
        let reason = ArchiveReason::Field("variant");
        bail!(anyhow!(ArchiveError { offset: 0, reason }));
    };
    dispatch!(variant, R => {
        let archive = Archive::<R>::read(bytes)?;
        anyhow::Ok(Summary::of(&archive, started.elapsed()))
    })
}
