//! `proof build`: a proof too large for one search.

use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use serde::Serialize;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules, to_sfen_in, to_usi_in};
use shogi_solve::build::{AsRanked, Builder, Event, Settings, State, load, save};
use shogi_solve::df_pn::Tuning;
use shogi_solve::learn::Evaluation;
use shogi_solve::proof::{Claim, Proof, Repetition};
use shogi_solve::{Budget, Goal, Leaf, Learnt, RulesGame, Unit, strategy_from_plan};

use crate::bar::spinner;
use crate::common::Common;
use crate::end::Outcome;
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::{self, Variant, dispatch};
use crate::{amount, file, print};

/// Most open positions in the answer.
const MOST_OPEN: usize = 1000;

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
    /// An evaluation made by `shogi train`, which df-pn then starts its leaves with.
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
    plies_at_most: Option<u64>,
    /// Entries of the proof file, null without one.
    entries: Option<usize>,
    bytes: Option<usize>,
    nodes: u64,
    seconds: f64,
    /// Positions that were neither proved nor refuted and whose replies are not listed in their
    /// place, with the numbers of their last job.
    open: Vec<OpenPosition>,
}

#[derive(Serialize)]
struct OpenPosition {
    sfen: String,
    proof: u32,
    disproof: u32,
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
    dispatch!(arguments.variant, R => run_for::<R>(arguments, common))
}

fn run_for<R: Rules>(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.evaluation {
        None => build::<R, _>(Unit, Tuning::default(), arguments, common),
        Some(path) => {
            let evaluation = Evaluation::<R>::load(path)?;
            build::<R, _>(Learnt::new(evaluation.linear()), Tuning::LEARNT, arguments, common)
        }
    }
}

fn build<R: Rules, L: Leaf<RulesGame<R>>>(
    leaf: L,
    tuning: Tuning,
    arguments: &Arguments,
    common: &Common,
) -> Result<Outcome> {
    let root = arguments.start.position::<R>()?;
    let mut job = Job::start(&arguments.checkpoint, [&arguments.out])?;
    let prover = match arguments.winner {
        Winner::Sente => Colour::Sente,
        Winner::Gote => Colour::Gote,
    };
    let (game, goal) = (RulesGame::<R>::new(), Goal::win(prover));
    let bytes = (arguments.hash as usize) << 20;
    let settings = Settings { nodes: arguments.job, bytes, tuning, ..Settings::default() };
    let mut builder = match job.resume() {
        None => Builder::new(&game, goal, root, leaf, settings),
        Some(path) => {
            let name = || path.display().to_string();
            let text = fs::read_to_string(path).with_context(name)?;
            load(&text, &game, goal, root, leaf, settings).with_context(name)?
        }
    };

    job.show(spinner("{spinner} {msg}"));
    let limit = arguments.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(builder.spent()));
    let mut budget = Budget::nodes(limit).stopped_by(job.stop_signal());
    if let Some(time) = arguments.time {
        budget = budget.time(time);
    }
    let started = Instant::now();
    let mut tell = |builder: &Builder<'_, RulesGame<R>, L>, position: &Position<R>, event: _| {
        job.bar().set_message(format!(
            "{} nodes, {} positions proved, {} open",
            builder.spent(),
            builder.steps(),
            builder.open().filter(|open| !open.expanded).count()
        ));
        job.bar().tick();
        if let Event::MoveFails { made } = event {
            let made = to_usi_in(made, position, common.dialect::<R>());
            let sfen = to_sfen_in(position, common.dialect::<R>());
            job.report(&format!("{made} does not win in {sfen}; trying the next move"));
        }
        // The budget looks at Ctrl-C.
        let _ = job.pulse(|file| write(builder, file));
    };
    builder.run(&mut AsRanked, &mut budget, &mut tell);
    job.end(|file| write(&builder, file))?;
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
        nodes: builder.spent(),
        seconds: started.elapsed().as_secs_f64(),
        open: Vec::new(),
    };
    if let Some(plan) = builder.plan() {
        let strategy = strategy_from_plan(&root, &plan, prover, Repetition::Absent)?;
        answer.entries = Some(strategy.len());
        let proof = Proof::new(root, Claim::Win { prover }, vec![strategy])?;
        // Never written unchecked, since a proof that does not hold is worse than none.
        answer.plies_at_most = proof.check()?.plies;
        let mut bytes = Vec::new();
        proof.write(&mut bytes)?;
        file::write_whole(&arguments.out, &bytes)?;
        answer.bytes = Some(bytes.len());
    } else if builder.state() == State::Open {
        let leaves = builder.open().filter(|open| !open.expanded).take(MOST_OPEN);
        let open = leaves.map(|open| OpenPosition {
            sfen: to_sfen_in(open.position, common.dialect::<R>()),
            proof: open.proof,
            disproof: open.disproof,
        });
        answer.open = open.collect();
    }
    ensure!(answer.state != "proved" || answer.entries.is_some(), "the proof does not close");
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}

fn write<R: Rules, L: Leaf<RulesGame<R>>>(
    builder: &Builder<'_, RulesGame<R>, L>,
    file: &mut File,
) -> Result<()> {
    Ok(file.write_all(save(builder).as_bytes())?)
}
