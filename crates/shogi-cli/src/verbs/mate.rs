//! `mate`: mate by checks, whatever the opponent does.

use std::fmt;
use std::io::{BufReader, BufWriter, Read};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Error, Result};
use serde::Serialize;
use shogi_solve::Budget;
use shogi_solve::mate::{MateHeader, MateReader, Status};
use shogi_variants::operations::{Answered, AnyMateRun};
use shogi_variants::tasks::{Mate, MateTask, PrintedProof, Session, Task as _};

use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::fault::{self, Fault};
use crate::input::PositionSource;
use crate::job::{Checkpoint, Job};
use crate::limits::{Done, Limits};
use crate::print::note;
use crate::variant::{self, Game};
use crate::verbs::solve::fault_of;
use crate::{batch, file, print};

/// Arguments of `mate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: MateTask,
    /// Write the proof of the mate to this file, for `verify` and `proof`: a move for each position that the attacker may
    /// come into. For one position.
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    checkpoint: Checkpoint,
    #[command(flatten)]
    source: PositionSource,
}

/// Megabytes that the program itself takes.
const PROGRAM: u32 = 10;

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    if arguments.proof.is_some() || arguments.checkpoint.is_named() {
        return run_alone(arguments, common);
    }
    let &Arguments { game: Game { variant }, ref task, ref source, .. } = arguments;
    let limits = Limits { nodes: task.nodes, time: task.time };
    limits.search_each("positions", (source, variant), common, |line, session| {
        let start = Instant::now();
        session.program_megabytes = PROGRAM;
        let mate = task.answer(variant, line, session)?;
        Ok(Mate { seconds: Some(start.elapsed().as_secs_f64()), ..mate })
    })
}

/// Searches one position, with a checkpoint or a proof.
fn run_alone(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let what = if arguments.proof.is_some() { "--proof" } else { "--checkpoint" };
    let MateTask { all, defend, brink, .. } = arguments.task;
    let unfit = [
        ("--all", all),
        ("--defend", defend),
        ("--brink", brink && arguments.checkpoint.is_named()),
    ];
    if let Some((task, _)) = unfit.into_iter().find(|&(_, is_unfit)| is_unfit) {
        return Err(Usage(format!("{task} cannot be combined with {what}")).into());
    }
    let job = Job::start(&arguments.checkpoint, &arguments.proof)?;
    let mut lines = batch::lines(arguments.source.lines(arguments.game.variant)?)?;
    let (Some(line), true) = (lines.pop(), lines.is_empty()) else {
        return Err(Usage(format!("{what} is for one position")).into());
    };
    match search(&line, arguments, common, job) {
        Ok((mate, stopped)) => {
            let json = !batch::is_read_by_people(common.json);
            let answered = Answered { line: &line, answer: &mate };
            print::answer_beside(&arguments.proof, json, &answered, &mate)?;
            stopped.map_or(Ok(Outcome::Good), Err)
        }
        Err(error) if error.is::<Usage>() => Err(error),
        Err(error) => {
            let unanswered = batch::unanswered(&line, &error);
            print::answer_beside(&arguments.proof, true, &unanswered, "")?;
            Ok(Outcome::Bad)
        }
    }
}

/// The answer for one position, and the error of a search that was interrupted.
fn search(
    line: &str,
    arguments: &Arguments,
    common: &Common,
    mut job: Job<'_>,
) -> Result<(Mate, Option<Error>)> {
    let limits = Limits { nodes: arguments.task.nodes, time: arguments.task.time };
    let mut run = begin(line, arguments, &job)?;
    job.show(limits.bar(run.nodes(), run.elapsed()));
    search_on(&mut *run, &limits, &job);
    let stopped = job.is_interrupted() && !run.has_ended();
    let saved = job.end(&mut |out| Ok(run.write(out)?));
    let mut left = limits.budget(run.nodes(), run.elapsed(), None).stopped_by(job.stop_signal());
    let mut mate = run.answer(&mut left, common.dialect());
    if let (Some(path), Status::Mate) = (&arguments.proof, mate.status) {
        let proof = run.proof(&mut Budget::unlimited().stopped_by(job.stop_signal()));
        if let Some(proof) = &proof {
            file::write_by(path, &mut |out| Ok(proof.write(&mut BufWriter::new(out))?))?;
        }
        mate.proof = proof.as_ref().map(|proof| PrintedProof::of(&**proof));
    }
    if let (Some(path), None) = (&arguments.proof, &mate.proof) {
        note(format_args!("nothing is proved, and {} is not written", path.display()));
    }
    mate.seconds = Some(run.elapsed().as_secs_f64());
    saved?;
    Ok((mate, stopped.then(|| job.interrupted("the state is"))))
}

/// A new search, or that of the checkpoint.
fn begin(line: &str, arguments: &Arguments, job: &Job<'_>) -> Result<Box<dyn AnyMateRun>> {
    let session = Session { program_megabytes: PROGRAM, ..Session::new(Budget::unlimited()) };
    let solving = arguments.game.variant.solving();
    match job.resume() {
        None => Ok(solving.mate_run(&arguments.task, line, &session, None)?),
        Some(path) => {
            let mut input = file::open(path)?;
            let run = solving.mate_run(&arguments.task, line, &session, Some(&mut input));
            run.with_context(|| path.display().to_string())
        }
    }
}

/// Searches until it is known what is wished, the budget is spent or the user interrupts, and saves the state from time to
/// time.
fn search_on(run: &mut dyn AnyMateRun, limits: &Limits, job: &Job<'_>) {
    let before = run.nodes();
    while !run.has_ended() && !limits.are_spent(run.nodes(), run.elapsed()) {
        let (nodes, expansions, elapsed) = (run.nodes(), run.expansions(), run.elapsed());
        let mut report = limits.report(job.bar(), before, Done { nodes, expansions, elapsed });
        let budget = limits.budget(nodes, elapsed, job.until_save());
        run.run(&mut budget.stopped_by(job.stop_signal()).reporting_to(&mut report));
        if run.has_ended() || job.pulse(&mut |out| Ok(run.write(out)?)).is_break() {
            break;
        }
    }
}

/// A checkpoint that holds, for `verify`.
#[derive(Serialize)]
struct CheckedCheckpoint {
    variant: String,
    root: String,
    wish: &'static str,
    nodes: u64,
    seconds: f64,
    entries: u64,
}

impl fmt::Display for CheckedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, root, wish, nodes, entries, .. } = self;
        write!(f, "a checkpoint of a search for a mate ({wish}) of {variant}, {root}, ")?;
        write!(f, "after {nodes} nodes: {entries} entries")
    }
}

/// Checks a checkpoint, for `verify`.
pub fn verify(input: Box<dyn Read>, common: &Common) -> Result<Outcome> {
    fault::print_verified(check(input), common)
}

fn check(input: Box<dyn Read>) -> Result<CheckedCheckpoint, Fault> {
    let input = Box::new(BufReader::new(input)) as Box<dyn Read>;
    let reader = MateReader::new(input).map_err(fault_of)?;
    let header = reader.header().clone();
    let solving = variant::named(&header.variant)?.solving();
    let entries = solving.check_mate_checkpoint(reader).map_err(fault_of)?;
    let MateHeader { variant, root, wish, nodes, elapsed, .. } = header;
    let (wish, seconds) = (wish.name(), elapsed.as_secs_f64());
    Ok(CheckedCheckpoint { variant, root, wish, nodes, seconds, entries })
}
