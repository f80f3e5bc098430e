//! `proof build`: a proof too large for one search.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use serde::Serialize;
use shogi_rules::shogi_core::Colour;
use shogi_solve::Budget;
use shogi_solve::build::{Settings, State};
use shogi_variants::operations::{BuilderOptions, FailedMove, OpenPosition};

use crate::bar::spinner;
use crate::common::Common;
use crate::end::Outcome;
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::{self, Variant};
use crate::{amount, file, print};

/// Most open positions in the answer.
const MAX_OPEN: usize = 1000;

/// Arguments of `proof build`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    start: Start,
    /// Who is to be proved to win.
    #[arg(long, value_enum, default_value_t = Winner::Sente)]
    winner: Winner,
    /// Write the proof to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// An evaluation made by `shogi train`, which df-pn then starts its leaves with; - for standard
    /// input.
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    /// Nodes of a job of df-pn in the first round; each round doubles them.
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = amount::count::<u64>(1..))]
    job: u64,
    /// Most moves to play in all [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Most time to spend, such as 90, 10m or 2h [default: no limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    /// Megabytes for the table of the searches.
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = amount::count::<u32>(1..))]
    hash: u32,
    #[command(flatten)]
    checkpoint: Checkpoint,
}

/// A player by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Winner {
    /// The first player.
    Sente,
    /// The second player.
    Gote,
}

#[derive(Serialize)]
struct Answer {
    /// `proved`, `refuted` or `open`.
    state: &'static str,
    /// Plies to the end at most.
    plies_at_most: Option<u32>,
    /// Entries of the proof file, null without one.
    entries: Option<usize>,
    bytes: Option<usize>,
    nodes: u64,
    seconds: f64,
    /// Positions that were neither proved nor refuted and whose replies are not listed in their
    /// place, with the numbers of their last job.
    open: Vec<OpenPosition>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, plies_at_most, entries, bytes, nodes, seconds, open } = self;
        write!(f, "{state} after {nodes} nodes, {seconds:.1} s")?;
        if let (Some(plies), Some(entries), Some(bytes)) = (plies_at_most, entries, bytes) {
            write!(f, ": at most {plies} plies, {entries} entries, {bytes} bytes")?;
        }
        for OpenPosition { sfen, proof, disproof } in open {
            write!(f, "\nopen: {sfen} (proof number {proof}, disproof number {disproof})")?;
        }
        Ok(())
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let dialect = common.dialect_asked_for();
    let position = arguments.start.sfen(arguments.variant)?;
    let mut job = Job::start(&arguments.checkpoint, [&arguments.out])?;
    let winner = match arguments.winner {
        Winner::Sente => Colour::Sente,
        Winner::Gote => Colour::Gote,
    };
    let bytes = (arguments.hash as usize) << 20;
    let settings = Settings { nodes: arguments.job, bytes, ..Settings::default() };
    let evaluation = arguments.evaluation.as_deref().map(file::read_text).transpose()?;
    let options = BuilderOptions { winner, evaluation, settings };
    let solving = arguments.variant.solving();
    let mut builder = match job.resume() {
        None => solving.builder(&position, &options, None)?,
        Some(path) => {
            let builder = solving.builder(&position, &options, Some(&file::read(path)?));
            builder.with_context(|| path.display().to_string())?
        }
    };

    job.show(spinner("{spinner} {msg}"));
    let limit = arguments.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(builder.nodes()));
    let mut budget = Budget::nodes(limit).stopped_by(job.stop_signal());
    if let Some(time) = arguments.time {
        budget = budget.time(time);
    }
    let started = Instant::now();
    builder.run(&mut budget, dialect, &mut |builder, failed| {
        job.bar().set_message(format!(
            "{} nodes, {} positions proved, {} open",
            builder.nodes(),
            builder.proved(),
            builder.open_count()
        ));
        job.bar().tick();
        if let Some(FailedMove { sfen, mv }) = failed {
            job.report(&format!("{mv} does not win in {sfen}; trying the next move"));
        }
        // The budget looks at Ctrl-C.
        let _ = job.pulse(|out| Ok(builder.write(out)?));
    });
    job.end(|out| Ok(builder.write(out)?))?;
    if job.is_interrupted() {
        return Err(job.interrupted("the state is"));
    }

    let mut answer = Answer {
        state: match builder.state() {
            State::Open => "open",
            State::Proved => "proved",
            State::Refuted => "refuted",
        },
        plies_at_most: None,
        entries: None,
        bytes: None,
        nodes: builder.nodes(),
        seconds: started.elapsed().as_secs_f64(),
        open: Vec::new(),
    };
    if let Some(proof) = builder.proof()? {
        answer.entries = Some(proof.entries());
        // Never written unchecked, since a proof that does not hold is worse than none.
        answer.plies_at_most = proof.check()?.plies;
        let mut bytes = Vec::new();
        proof.write(&mut bytes)?;
        file::write_whole(&arguments.out, &bytes)?;
        answer.bytes = Some(bytes.len());
    } else if builder.state() == State::Open {
        answer.open = builder.open(MAX_OPEN, dialect);
    }
    ensure!(answer.state != "proved" || answer.entries.is_some(), "the proof does not close");
    print::answer_beside([&arguments.out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
