//! `tablebase`: the values of all positions of a small game.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use indicatif::HumanCount;
use serde::Serialize;
use shogi_variants::operations::{
    AnyTablebase, StartValue, TablebaseBuild, TablebaseSummary, TablebaseTasks,
};
use shogi_variants::tablebase::{BuildProgress, VerifyError, read_variant};
use shogi_variants::tasks::{ProbeTask, Tables};

use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage, chain_text};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::lock::Lock;
use crate::variant::{self, GameFile, Variant};
use crate::verbs::lines::answers;
use crate::{amount, bar, batch, file, print};

/// Positions that `verify` checks without `--all`.
const SAMPLES: u64 = 10_000;

/// Arguments of `tablebase`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: TablebaseVerb,
}

#[derive(clap::Subcommand, Debug)]
enum TablebaseVerb {
    /// Finds the value of every position and writes them to a file.
    Build(BuildArguments),
    /// Looks up the values of positions read from standard input, and of their moves.
    Probe {
        /// A tablebase.
        file: PathBuf,
        #[command(flatten)]
        source: PositionSource,
        #[command(flatten)]
        game: GameFile,
    },
    /// Counts the positions of each value, and looks up the starts.
    Stats {
        /// A tablebase.
        file: PathBuf,
        /// Give the positions by plies too, and one of the longest win or loss; takes memory for the
        /// whole tablebase.
        #[arg(long)]
        plies: bool,
        #[command(flatten)]
        game: GameFile,
    },
    /// Checks positions against their successors by the rules alone; with --all proves every value.
    Verify {
        /// A tablebase.
        file: PathBuf,
        /// Prove every value and the totals, by the rules alone; takes memory for the whole tablebase, and where
        /// it has no plies, they are found anew first [default: 10,000 positions, which proves nothing].
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        game: GameFile,
    },
}

#[derive(clap::Args, Debug)]
struct BuildArguments {
    /// The game, by name, or as a file `*.toml` that describes one of your own on at most 32 squares.
    #[arg(value_parser = variant::tabulated())]
    variant: Variant,
    /// The pieces: for shogi34 two officers in the order R B G S N L P, such as GG or BS.
    #[arg(long, value_name = "C")]
    class: Option<String>,
    /// Store win, draw and loss alone, in two bits, without plies.
    #[arg(long)]
    wdl: bool,
    /// Keep a checkpoint in this directory, saved every minute and on Ctrl-C, and resume from it.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Megabytes of memory that may be used; what needs more is refused at once [default: no limit].
    #[arg(long, value_name = "MB", value_parser = amount::count::<u64>(1..))]
    memory: Option<u64>,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        TablebaseVerb::Build(arguments) => build(arguments, common),
        TablebaseVerb::Probe { file, source, game } => {
            game.load()?;
            let (variant, table) = open(file)?;
            let tables = Arc::<Tables>::default();
            tables.add_tablebase(variant, table.into());
            let answer = answers(ProbeTask {}, variant, common.dialect(), tables)?;
            batch::run(source.lines(variant)?, answer)
        }
        TablebaseVerb::Stats { file, plies, game } => {
            game.load()?;
            stats(file, *plies, common)
        }
        TablebaseVerb::Verify { file, all, game } => {
            game.load()?;
            verify(file, *all, common)
        }
    }
}

/// The tablebases of a variant.
pub fn world(variant: Variant) -> Result<TablebaseTasks> {
    variant
        .tablebases()
        .ok_or_else(|| Usage(format!("this is not available for {variant} in this version")).into())
}

/// Opens a tablebase of any variant.
fn open(path: &Path) -> Result<(Variant, Box<dyn AnyTablebase>)> {
    let variant = variant_of(path)?;
    Ok((variant, world(variant)?.open(path)?))
}

/// The variant of a tablebase or checkpoint.
fn variant_of(path: &Path) -> Result<Variant> {
    drop(file::open(path)?);
    let name = read_variant(path)?;
    variant::named(&name).with_context(|| path.display().to_string())
}

#[derive(Serialize)]
struct Built {
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    longest: u32,
    seconds: f64,
    bytes: u64,
}

/// Keeps other processes from the checkpoint. Builds of other sets may have theirs in the same directory.
fn lock(world: TablebaseTasks, arguments: &BuildArguments) -> Result<Option<Lock>> {
    let Some(directory) = &arguments.checkpoint else { return Ok(None) };
    let pieces = world.pieces_of(arguments.class.as_deref())?;
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    Lock::file(&directory.join(format!("{}-{pieces}.checkpoint", arguments.variant)))
}

fn build(arguments: &BuildArguments, common: &Common) -> Result<Outcome> {
    let world = world(arguments.variant)?;
    if file::is_standard(&arguments.out) {
        let reason = "a tablebase is written to a file, not to standard output";
        return Err(Usage(reason.to_owned()).into());
    }
    file::check_writable(&arguments.out)?;
    let _lock = lock(world, arguments)?;
    let interrupt = Interrupt::listen()?;
    let started = Instant::now();
    let shown = bar::bar(0, 0, "{bar:20} {percent} %, {elapsed}, {msg}");
    let watch = &mut |progress: &BuildProgress| {
        shown.set_length(progress.size);
        shown.set_position(progress.done);
        shown.set_message(match progress.plies {
            None => "counting moves".to_owned(),
            Some(plies) => format!(
                "{} positions resolved in {} plies",
                HumanCount(progress.resolved),
                plies + 1
            ),
        });
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let build = TablebaseBuild {
        set: arguments.class.clone(),
        verdicts: arguments.wdl,
        memory: arguments.memory.map(|megabytes| megabytes << 20),
        checkpoint: arguments.checkpoint.clone(),
        out: arguments.out.clone(),
    };
    let totals = world.build(&build, watch);
    shown.finish_and_clear();
    let Some(totals) = totals? else {
        let advice = match &arguments.checkpoint {
            Some(directory) => format!(
                "the state is saved in {}, and the same command resumes from there",
                directory.display()
            ),
            None => "nothing is kept without --checkpoint DIR".to_owned(),
        };
        return Err(Interrupted { advice }.into());
    };
    let built = Built {
        positions: totals.positions(),
        win: totals.win,
        loss: totals.loss,
        draw: totals.draw,
        longest: totals.longest,
        seconds: started.elapsed().as_secs_f64(),
        bytes: file::size(&arguments.out).unwrap_or_default(),
    };
    print::answer(common.json, &built, &built)?;
    Ok(Outcome::Good)
}

impl fmt::Display for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, win, loss, draw, longest, seconds, bytes } = self;
        let [positions, win, loss, draw, bytes] =
            [positions, win, loss, draw, bytes].map(|&number| HumanCount(number));
        write!(f, "{positions} positions: {win} won, {loss} lost, {draw} drawn; ")?;
        write!(f, "at most {longest} plies; {seconds:.1} s, {bytes} bytes")
    }
}

#[derive(Serialize)]
struct Stats {
    variant: &'static str,
    pieces: String,
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    longest: u32,
    starts: BTreeMap<String, StartValue>,
    #[serde(flatten)]
    by_plies: Option<ByPlies>,
}

#[derive(Serialize)]
struct ByPlies {
    /// By plies, the positions lost in an even number of them and won in an odd one.
    plies: Vec<u64>,
    longest_position: Option<String>,
    longest_line: Vec<String>,
}

fn stats(path: &Path, plies: bool, common: &Common) -> Result<Outcome> {
    let (variant, table) = open(path)?;
    let TablebaseSummary { pieces, totals, starts, .. } = table.summary()?;
    let dialect = common.dialect();
    let by_plies = if plies {
        let (statistics, longest) = table.statistics(dialect)?;
        let line = longest.as_ref().map(|sfen| table.line(sfen, totals.longest, dialect));
        Some(ByPlies {
            plies: statistics.decided,
            longest_position: longest,
            longest_line: line.transpose()?.unwrap_or_default(),
        })
    } else {
        None
    };
    let stats = Stats {
        variant: variant.name(),
        pieces,
        positions: totals.positions(),
        win: totals.win,
        loss: totals.loss,
        draw: totals.draw,
        longest: totals.longest,
        starts: starts.into_iter().collect(),
        by_plies,
    };
    print::answer(common.json, &stats, &stats)?;
    Ok(Outcome::Good)
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, pieces, positions, win, loss, draw, longest, .. } = self;
        let [positions, win, loss, draw] =
            [positions, win, loss, draw].map(|&number| HumanCount(number));
        write!(f, "{variant} with {pieces}: {positions} positions, ")?;
        write!(f, "{win} won, {loss} lost, {draw} drawn; at most {longest} plies")?;
        for (name, StartValue { value, plies, .. }) in &self.starts {
            write!(f, "\n{name}: {}", value.name())?;
            if let Some(plies) = plies {
                write!(f, " in {plies} plies")?;
            }
        }
        let Some(by_plies) = &self.by_plies else { return Ok(()) };
        for (plies, &count) in by_plies.plies.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let value = if plies % 2 == 1 { "won" } else { "lost" };
            write!(f, "\n{value} in {plies}: {}", HumanCount(count))?;
        }
        if let Some(position) = &by_plies.longest_position {
            write!(f, "\nlongest: {position}\n{}", by_plies.longest_line.join(" "))?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct VerifiedTablebase {
    ok: bool,
    checked: u64,
    all: bool,
    /// Whether every value is proved to be right.
    proved: bool,
    #[serde(skip)]
    has_plies: bool,
    #[serde(flatten)]
    refuted: Option<RefutedTable>,
}

#[derive(Serialize)]
struct RefutedTable {
    reason: String,
    /// The position whose value does not agree with those of its successors; null where the file is at fault.
    position: Option<String>,
}

impl RefutedTable {
    fn new(error: &anyhow::Error) -> Self {
        let position = match error.downcast_ref() {
            Some(shogi_variants::Error::Library(error)) => match error.downcast_ref() {
                Some(VerifyError::Refuted { sfen, .. } | VerifyError::Missing { sfen }) => {
                    Some(sfen.clone())
                }
                _ => None,
            },
            _ => None,
        };
        Self { reason: chain_text(error), position }
    }
}

#[derive(Serialize)]
struct WholeCheckpoint {
    ok: bool,
    variant: &'static str,
    /// Positions that the build goes through.
    positions: u64,
    /// The plies it has come to; null while the moves are being counted.
    plies: Option<u32>,
}

impl fmt::Display for WholeCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, positions, plies, .. } = self;
        write!(f, "ok: a checkpoint of {variant}, {} positions, ", HumanCount(*positions))?;
        match plies {
            Some(plies) => write!(f, "at {plies} plies"),
            None => f.write_str("whose moves are being counted"),
        }
    }
}

/// A checkpoint of a build, checked; `None` for a tablebase.
fn whole_checkpoint(path: &Path) -> Result<Option<WholeCheckpoint>> {
    let variant = variant_of(path)?;
    let whole = |(positions, plies)| WholeCheckpoint {
        ok: true,
        variant: variant.name(),
        positions,
        plies,
    };
    Ok(world(variant)?.check_checkpoint(path)?.map(whole))
}

/// Checks a tablebase, or that the checkpoint of a build is whole; also for the verb `verify`.
pub fn verify(path: &Path, all: bool, common: &Common) -> Result<Outcome> {
    let finished = match whole_checkpoint(path) {
        Ok(Some(checkpoint)) => {
            print::answer(common.json, &checkpoint, &checkpoint)?;
            return Ok(Outcome::Good);
        }
        Ok(None) => open(path),
        Err(error) => Err(error),
    };
    let shown = bar::count(0, 0, "positions");
    let checked = finished.and_then(|(_, table)| {
        let samples = if all { None } else { Some(SAMPLES) };
        let watch = &mut |done, size| {
            shown.set_length(size);
            shown.set_position(done);
        };
        Ok((table.verify(samples, watch)?, table.has_plies()))
    });
    shown.finish_and_clear();
    let verified = match checked {
        Ok((checked, has_plies)) => {
            VerifiedTablebase { ok: true, checked, all, proved: all, has_plies, refuted: None }
        }
        Err(error) if common.json || path.is_file() => {
            let refuted = Some(RefutedTable::new(&error));
            VerifiedTablebase {
                ok: false,
                checked: 0,
                all,
                proved: false,
                has_plies: true,
                refuted,
            }
        }
        Err(error) => return Err(error),
    };
    print::answer(common.json, &verified, &verified)?;
    Ok(Outcome::good_if(verified.ok))
}

impl fmt::Display for VerifiedTablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checked = HumanCount(self.checked);
        if let Some(refuted) = &self.refuted {
            return write!(f, "refuted: {}", refuted.reason);
        }
        match (self.all, self.has_plies) {
            (true, true) => write!(
                f,
                "ok: all {checked} numbers agree with their successors, so that every value is right, \
                 by induction on plies; the totals are theirs"
            ),
            (true, false) => write!(
                f,
                "ok: the plies of all {checked} numbers were found anew and agree with their successors, \
                 and the verdicts are theirs, so that every one is right, by induction on plies; the totals \
                 are theirs"
            ),
            (false, _) => write!(
                f,
                "ok: {checked} numbers agree with their successors, which proves nothing of the others; \
                 `shogi tablebase verify --all` proves all"
            ),
        }
    }
}
