//! `selfplay`: games of the player against itself, to learn from.

use std::fmt;
use std::io::{BufWriter, Read, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_files::sealed::read_bounded;
use shogi_learn::archive::{FORMAT, read_head};
use shogi_learn::self_play::{Effort, MAX_PLIES, SelfPlay};
use shogi_variants::operations::{AnyArchive, ArchiveSummary};

use crate::bar::count;
use crate::common::Common;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::fault::{self, Fault};
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::{self, Game};
use crate::{amount, file, print};

/// Arguments of `selfplay`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Number of games.
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..1_000_000_000))]
    games: u32,
    /// Seed of the games: with the same seed and effort in nodes they are always the same.
    #[arg(long, value_name = "S", default_value = amount::default(SelfPlay::default().seed), value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// Write the games to this file, with their scores.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the records of the games to this file, one JSON object a line, for `convert`.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Nodes for each move [default: 1000].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Time for each move, such as 0.1 or 2s; the games then depend on the machine.
    #[arg(long, value_name = "T", value_parser = amount::time, conflicts_with = "nodes")]
    movetime: Option<Duration>,
    /// Random moves that a game begins with; half of the games have one less.
    #[arg(long, value_name = "N", default_value = amount::default(SelfPlay::default().opening), value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    opening: u32,
    /// Plies after which a game is a draw.
    #[arg(long, value_name = "N", default_value = amount::default(SelfPlay::default().plies), value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    plies: u32,
    /// Megabytes of the table of each player; there are as many players as threads.
    #[arg(long, value_name = "MB", default_value = "2", value_parser = amount::count::<u32>(1..))]
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
        let effort = effort(self.movetime, self.nodes);
        let hash_bytes = (self.hash as usize) << 20;
        SelfPlay { seed, opening, effort, plies, hash_bytes, mate_probe }
    }
}

/// The effort of each move by --movetime and --nodes.
pub fn effort(movetime: Option<Duration>, nodes: Option<u64>) -> Effort {
    match (movetime, nodes) {
        (Some(time), _) => Effort::Milliseconds(time.as_millis() as u64),
        (None, Some(nodes)) => Effort::Nodes(nodes),
        (None, None) => SelfPlay::default().effort,
    }
}

/// Counts over all games, and the time they took.
#[derive(Serialize, Clone, Copy, Debug)]
struct Summary {
    #[serde(flatten)]
    counts: ArchiveSummary,
    seconds: f64,
}

impl Summary {
    fn new(archive: &dyn AnyArchive, started: Instant) -> Self {
        Self { counts: archive.summary(), seconds: started.elapsed().as_secs_f64() }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { counts, seconds } = self;
        let ArchiveSummary { games, distinct, sente_wins, gote_wins, .. } = counts;
        let ArchiveSummary { draws, positions, .. } = counts;
        write!(
            f,
            "{} ({distinct} distinct): Sente won {sente_wins}, Gote {gote_wins}, {draws} drawn; \
             {positions} positions in {seconds:.1} s",
            print::counted(*games as u64, "game", "games")
        )
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { game: Game { variant }, games, out, records, judgement, .. } = arguments;
    let outputs = || out.iter().chain(records);
    let mut job = Job::start(&arguments.checkpoint, outputs())?;
    let started = Instant::now();
    let start = arguments.start.sfen(*variant)?;
    let settings = arguments.settings();
    let mut run =
        judgement.apply(|judged_by| variant.learning().self_play(&start, settings, judged_by))?;
    let mut longer = None;
    if let Some(path) = job.resume() {
        let file = file::read_format(path, &FORMAT)?;
        let all = run.resume(&file, *games).with_context(|| file::unresumable(path))?;
        longer = Some(file).filter(|_| all > *games as usize);
    }
    job.show(count((*games).into(), run.archive().len() as u64, "games"));
    let end = run.play(*games, rayon::current_num_threads(), &mut |archive| {
        job.bar().set_position(archive.len() as u64);
        job.pulse(&mut |out| Ok(archive.write(out)?))
    });
    let archive = run.archive();
    let saved = job.end(&mut |out| match &longer {
        // It keeps the games that this run leaves out.
        Some(file) => Ok(out.write_all(file)?),
        None => Ok(archive.write(out)?),
    });
    if end.is_break() && archive.len() < *games as usize {
        saved?;
        return Err(job.interrupted(&format!("{} games are", archive.len())));
    }
    let written = out
        .as_deref()
        .map_or(Ok(()), |path| file::write_by(path, &mut |out| Ok(archive.write(out)?)));
    if let Some(path) = records {
        let dialect = common.dialect();
        file::write_by(path, &mut |out| {
            let mut out = BufWriter::new(out);
            archive.write_records(&mut out, dialect)?;
            Ok(out.flush()?)
        })?;
    }
    let summary = Summary::new(archive, started);
    // An answer that took hours is printed even where it cannot be saved.
    print::answer_beside(outputs(), common.json, &summary, summary)?;
    written.and(saved)?;
    Ok(Outcome::Good)
}

/// An archive that holds, for `verify`.
#[derive(Serialize)]
#[serde(transparent)]
struct CheckedArchive(Summary);

impl fmt::Display for CheckedArchive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an archive of {}: {}", self.0.counts.variant, self.0)
    }
}

/// Checks an archive, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    let bytes = read_bounded(input, FORMAT.most).context("cannot read the archive")?;
    fault::print_verified(check(&bytes, Instant::now()).map(CheckedArchive), common)
}

fn check(bytes: &[u8], started: Instant) -> Result<Summary, Fault> {
    let head = read_head(bytes).map_err(|error| Fault::refuted(error.to_string()))?;
    let archive = variant::named(&head.variant)?.learning().archive(bytes);
    let archive = archive.map_err(|error| Fault::refuted(error.to_string()))?;
    Ok(Summary::new(&*archive, started))
}
