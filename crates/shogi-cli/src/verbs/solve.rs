//! `solve`: the value of a position, proved.

use std::fmt;
use std::io::{BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use serde::Serialize;
use shogi_files::sealed::Flaw;
use shogi_solve::checkpoint::{CheckpointError, CheckpointReason, Content, Header, Reader};
use shogi_solve::{Ended, SearchProgress};
use shogi_variants::Error;
use shogi_variants::operations::{AnySolver, AnyTablebase};
use shogi_variants::tasks::{Solution, SolveTask};

use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::fault::{self, Fault};
use crate::job::{Checkpoint, Job};
use crate::limits::{Done, Limits};
use crate::print::note;
use crate::proof_file::draw;
use crate::start::Start;
use crate::tablebase_file::TablebaseFile;
use crate::variant::{self, Game};
use crate::{file, print};

/// Arguments of `solve`.
///
/// Where a tablebase with the position lies in the current directory or the cache folder, the answer
/// comes from it, and the proof if one is wanted, unless there is a checkpoint. A search that takes
/// long says how such a tablebase is made.
///
/// A run that was interrupted and resumed from its checkpoint has the same value as one that was not, but may have
/// another proof of it: the path of the search is not saved.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    start: Start,
    #[command(flatten)]
    task: SolveTask,
    /// Write what is proved to this file, for `verify` and `proof`.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    checkpoint: Checkpoint,
}

impl Arguments {
    /// The limits of all runs from a checkpoint together.
    const fn limits(&self) -> Limits {
        Limits { nodes: self.task.nodes, time: self.task.time }
    }
}

/// Answers from a tablebase.
fn look_up(
    path: &Path,
    table: &dyn AnyTablebase,
    sfen: &str,
    arguments: &Arguments,
    common: &Common,
) -> Result<Outcome> {
    let started = Instant::now();
    let dialect = common.dialect();
    let proof = match &arguments.proof {
        Some(_) => Some(draw(path, table, sfen)?.0),
        None => None,
    };
    let probed = table.probe(sfen, dialect)?;
    let line = match probed.plies {
        Some(plies) => table.line(sfen, plies, dialect)?,
        None => probed.moves.first().map(|best| best.mv.clone()).into_iter().collect(),
    };
    let solution = Solution {
        value: Some(probed.value),
        plies: probed.plies,
        nodes: 0,
        seconds: Some(started.elapsed().as_secs_f64()),
        line,
        expansions: 0,
        ended: Ended::Solved,
        method: "tablebase",
        certified: proof.is_some(),
        proof,
        refuted: None,
        open: Vec::new(),
        tablebase: Some(path.to_owned()),
    };
    print(&solution, arguments, common)?;
    Ok(Outcome::Good)
}

/// Prints a solution and writes its proof to the file, if one is named. An answer that took hours is printed even where it
/// cannot be saved, and saved even where it cannot be printed.
fn print(solution: &Solution, arguments: &Arguments, common: &Common) -> Result<()> {
    let printed = print::answer_beside(&arguments.proof, common.json, solution, solution);
    let written = match (&arguments.proof, &solution.proof) {
        (Some(path), Some(proof)) => {
            file::write_by(path, &mut |out| Ok(proof.write(&mut BufWriter::new(out))?))
        }
        (Some(path), None) => {
            note(format_args!("nothing is proved, and {} is not written", path.display()));
            Ok(())
        }
        (None, _) => Ok(()),
    };
    written.and(printed)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let position = arguments.start.sfen(arguments.game.variant)?;
    let known = TablebaseFile::find(arguments.game.variant, &position)?;
    if let Some(TablebaseFile::Found(path, table)) = &known
        && !arguments.checkpoint.is_named()
    {
        return look_up(path, table.as_ref(), &position, arguments, common);
    }
    let mut job = Job::start(&arguments.checkpoint, &arguments.proof)?;
    let mut solver = solver(&position, arguments, &job)?;
    let mut remark = Remark::new(known.as_ref(), arguments);
    job.show(arguments.limits().bar(solver.nodes(), solver.elapsed()));
    search(&mut *solver, arguments, &job, &mut remark);
    let saved = job.end(&mut |out| Ok(solver.write(out)?));
    let stopped = job.is_interrupted() && solver.value().is_none();
    let seconds = Some(solver.elapsed().as_secs_f64());
    let solution = Solution { seconds, ..solver.into_solution(common.dialect()) };
    saved.and(print(&solution, arguments, common))?;
    if let (Some(making), None) = (remark.making, solution.value) {
        note(making);
    }
    if stopped {
        return Err(job.interrupted("the state is"));
    }
    Ok(Outcome::Good)
}

/// After so long, a search says where else the value is found, and how to end it.
const LONG: Duration = Duration::from_secs(3);

/// The notice, given once, on a search that takes long: one line, if there is one.
struct Remark {
    text: Option<String>,
    /// A tablebase that could be made, which is worth a word of a short search, too, that has not found the value.
    making: Option<String>,
}

impl Remark {
    fn new(known: Option<&TablebaseFile>, arguments: &Arguments) -> Self {
        let is_limited = arguments.task.nodes.is_some() || arguments.task.time.is_some();
        let search = if is_limited { "searching" } else { "searching without --nodes or --time" };
        let making = match known {
            Some(TablebaseFile::Missing(making)) => {
                Some(format!("a tablebase has the value at once: {making}"))
            }
            _ => None,
        };
        let text = match (known, &making) {
            (Some(TablebaseFile::Found(path, _)), _) => {
                let path = path.display();
                Some(format!("{search}; {path} has the value, without --checkpoint"))
            }
            (_, Some(making)) => Some(format!("{search}; {making}")),
            _ if is_limited => None,
            _ if arguments.checkpoint.is_named() => Some(format!("{search}; Ctrl-C ends it")),
            _ => Some(format!("{search}; Ctrl-C ends it, --checkpoint FILE would keep the state")),
        };
        Self { text, making }
    }

    /// Says it, if the search has taken long by now.
    fn after(&mut self, searched: Duration, job: &Job<'_>) {
        if searched >= LONG
            && let Some(text) = self.text.take()
        {
            job.report(&text);
            self.making = None;
        }
    }
}

/// A new solver, or the one in the checkpoint.
fn solver(position: &str, arguments: &Arguments, job: &Job<'_>) -> Result<Box<dyn AnySolver>> {
    let (solving, options) = (arguments.game.variant.solving(), arguments.task.options());
    let solver = match job.resume() {
        None => solving.solver(position, options),
        Some(path) => solving.resume_solver(&mut file::open(path)?, position, options),
    };
    solver.map_err(|error| match (error, job.resume()) {
        (Error::Memory { .. }, _) => {
            let megabytes = arguments.task.hash;
            anyhow!(Usage(format!("the system has no {megabytes} megabytes for --hash")))
        }
        (error, Some(path)) => anyhow!(error).context(path.display().to_string()),
        (error, None) => error.into(),
    })
}

/// Searches until the value is known, the budget is spent or the user interrupts, and saves the
/// state from time to time.
fn search(solver: &mut dyn AnySolver, arguments: &Arguments, job: &Job<'_>, remark: &mut Remark) {
    let (limits, begun) = (arguments.limits(), Instant::now());
    let before = solver.nodes();
    while solver.value().is_none() && !solver.is_stuck() {
        let (nodes, expansions) = (solver.nodes(), solver.expansions());
        let elapsed = solver.elapsed();
        let is_spent = limits.are_spent(nodes, elapsed);
        let mut show = limits.report(job.bar(), before, Done { nodes, expansions, elapsed });
        let mut report = |progress: SearchProgress| {
            show(progress);
            remark.after(begun.elapsed(), job);
        };
        let mut budget = limits.budget(nodes, elapsed, job.until_save());
        budget = budget.stopped_by(job.stop_signal()).reporting_to(&mut report);
        if is_spent {
            // The solver plays no move then, but knows by which limit it ends.
            budget.look();
        }
        solver.run(&mut budget);
        let ended = is_spent || solver.value().is_some();
        if ended || job.pulse(&mut |out| Ok(solver.write(out)?)).is_break() {
            break;
        }
    }
}

/// A checkpoint that holds, for `verify`.
#[derive(Serialize)]
struct CheckedCheckpoint {
    variant: String,
    root: String,
    algorithm: &'static str,
    nodes: u64,
    seconds: f64,
    /// Entries of the tables.
    entries: u64,
    /// Plans that prove something of the root.
    certificates: u64,
}

impl fmt::Display for CheckedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, root, algorithm, nodes, entries, certificates, .. } = self;
        write!(f, "a checkpoint of {algorithm} for {variant}, {root}, after {nodes} nodes: ")?;
        write!(f, "{entries} entries, {certificates} certificates")
    }
}

/// Checks a checkpoint, for `verify`.
pub fn verify(input: Box<dyn Read>, common: &Common) -> Result<Outcome> {
    fault::print_verified(check(input), common)
}

/// The fault of a checkpoint with this error: it cannot be read, or is refuted.
pub fn fault_of(error: CheckpointError) -> Fault {
    match error {
        CheckpointError { reason: CheckpointReason::File(Flaw::Io(error)), .. } => {
            Fault::Unchecked(anyhow!(error).context("cannot read the checkpoint"))
        }
        error => Fault::refuted(error.to_string()),
    }
}

fn check(input: Box<dyn Read>) -> Result<CheckedCheckpoint, Fault> {
    let input = Box::new(BufReader::new(input)) as Box<dyn Read>;
    let reader = Reader::new(input).map_err(fault_of)?;
    let header = reader.header().clone();
    let solving = variant::named(&header.variant)?.solving();
    let content = solving.check_checkpoint(reader).map_err(fault_of)?;
    let Content { entries, certificates, .. } = content;
    let Header { variant, root, algorithm, nodes, elapsed, .. } = header;
    let (algorithm, seconds) = (algorithm.name(), elapsed.as_secs_f64());
    Ok(CheckedCheckpoint { variant, root, algorithm, nodes, seconds, entries, certificates })
}
