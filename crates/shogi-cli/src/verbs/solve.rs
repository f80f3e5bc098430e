//! `solve`: the value of a position, proved.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::ValueEnum;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;
use shogi_rules::Rules;
use shogi_rules::shogi_core::Position;
use shogi_solve::checkpoint::{CheckpointError, CheckpointReason, Content, Header, Reader};
use shogi_solve::proof::{Claim, Refuted};
use shogi_solve::{Budget, Finding, Goal, Options, Progress, RulesGame, Solved, Solver};

use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::interrupt::Interrupt;
use crate::line::in_usi;
use crate::start::Start;
use crate::variant::{self, Variant, dispatch};
use crate::verbs::proof::colour;
use crate::{amount, file, print};

/// How often the checkpoint is saved.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Arguments of `solve`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    start: Start,
    /// The search.
    #[arg(long, value_enum, default_value_t)]
    algorithm: Algorithm,
    /// Most moves to play, all runs from a checkpoint together, such as 5e8; then the value is
    /// unknown [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count)]
    nodes: Option<u64>,
    /// Most time to spend, all runs from a checkpoint together, in seconds or as in 5m or 2h; then
    /// the value is unknown [default: no limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    /// Megabytes for the tables of the searches; plans and proofs come on top.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Write what is proved to this file, for `verify` and `proof`.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Save the state here every minute and on Ctrl-C, and go on from it if the file exists. The
    /// file grows up to the size of the tables.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// Which search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Algorithm {
    /// Depth-first proof-number search.
    #[default]
    #[value(name = "dfpn")]
    DfPn,
    /// The search that leaves a position when both of its numbers have grown.
    Pds,
}

impl From<Algorithm> for shogi_solve::Algorithm {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::DfPn => Self::DfPn,
            Algorithm::Pds => Self::Pds,
        }
    }
}

#[derive(Serialize)]
struct Answer {
    value: &'static str,
    plies_at_most: Option<u64>,
    nodes: u64,
    seconds: f64,
    pv: Vec<String>,
    /// Whether the value was checked by the rules alone.
    certified: bool,
    /// What is proved; without a value it may be that one player does not lose.
    proof: Option<Proved>,
    /// What was proved by the search but not by the rules, if anything was.
    refuted: Option<Refutation>,
    /// The questions that are left.
    open: Vec<Open>,
}

#[derive(Serialize)]
struct Proved {
    claim: &'static str,
    provers: Vec<&'static str>,
    entries: usize,
}

#[derive(Serialize)]
struct Refutation {
    reason: String,
    position: String,
}

/// A question that was not answered, with its numbers at the root.
#[derive(Serialize)]
struct Open {
    prover: &'static str,
    goal: &'static str,
    /// `open`, or what is believed but has no plan yet: `proved` or `disproved`.
    found: &'static str,
    proof: Option<u32>,
    disproof: Option<u32>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => solve::<R>(arguments, common))
}

fn solve<R: Rules>(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let root = arguments.start.position::<R>()?;
    let files = [&arguments.proof, &arguments.checkpoint];
    files.into_iter().flatten().try_for_each(|path| file::check_writable(path))?;
    let mut solver = solver(root, arguments)?;
    let interrupt = Interrupt::listen()?;
    search(&mut solver, arguments, &interrupt)?;
    let saved = match &arguments.checkpoint {
        Some(path) => save(&solver, path),
        None => Ok(()),
    };
    let stopped = interrupt.is_set() && solver.value().is_none();
    let seconds = solver.elapsed().as_secs_f64();
    let solved = solver.into_solved();
    // An answer that took hours is told even where it cannot be saved.
    let answer = answer(&solved, root, seconds, common);
    print::answer(common.json, &answer, &answer)?;
    saved?;
    match (&arguments.proof, &solved.proof) {
        (Some(path), Some(proof)) => {
            file::write_by(path, |out| Ok(proof.write(BufWriter::new(out))?))?;
        }
        (Some(path), None) => {
            writeln!(io::stderr(), "nothing is proved, and {} is not written", path.display())?;
        }
        (None, _) => {}
    }
    if stopped {
        let advice = match &arguments.checkpoint {
            Some(path) => format!(
                "the state is saved in {}, and the same command goes on from there",
                path.display()
            ),
            None => "nothing is kept without --checkpoint FILE".to_owned(),
        };
        return Err(Interrupted { advice }.into());
    }
    Ok(Outcome::Good)
}

/// A new solver, or the one in the checkpoint.
fn solver<R: Rules>(
    root: Position<R>,
    arguments: &Arguments,
) -> Result<Solver<'static, RulesGame<R>>> {
    let bytes = u64::from(arguments.hash) << 20;
    let hash = usize::try_from(bytes).ok().filter(|&bytes| {
        // Asked for now, so that a refusal is an answer.
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    });
    let hash = hash.ok_or_else(|| {
        anyhow!(Usage(format!("the system has no {} megabytes for --hash", arguments.hash)))
    })?;
    let algorithm = arguments.algorithm.into();
    let options = Options { algorithm, hash, ..Options::default() };
    match arguments.checkpoint.as_deref().filter(|path| path.exists()) {
        None => Ok(Solver::of_position(root, options)),
        Some(path) => {
            let file = File::open(path);
            let file = file.with_context(|| format!("cannot read {}", path.display()))?;
            let solver = Reader::new(file).and_then(|reader| reader.solver(root, options));
            solver.with_context(|| path.display().to_string())
        }
    }
}

fn save<R: Rules>(solver: &Solver<'static, RulesGame<R>>, path: &Path) -> Result<()> {
    file::write_by(path, |out| Ok(solver.write(out)?))
}

/// Searches until the value is known, the budget is spent or the user asks to stop, and saves the
/// state from time to time.
fn search<R: Rules>(
    solver: &mut Solver<'static, RulesGame<R>>,
    arguments: &Arguments,
    interrupt: &Interrupt,
) -> Result<()> {
    let bar = Bar::new(arguments);
    let checkpoint = arguments.checkpoint.as_deref();
    let mut part = SAVE_EVERY;
    loop {
        let nodes = arguments.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(solver.nodes()));
        let time = arguments.time.map(|time| time.saturating_sub(solver.elapsed()));
        let ended = solver.value().is_some() || solver.is_stuck();
        if ended || nodes == 0 || time.is_some_and(|time| time.is_zero()) {
            break;
        }
        let (before, elapsed) = (solver.nodes(), solver.elapsed());
        let mut tell = |progress: Progress| bar.tell(before, elapsed, progress);
        let mut budget = Budget::nodes(nodes).stopped_by(interrupt.flag()).reporting_to(&mut tell);
        let part_of_time = checkpoint.map(|_| part);
        if let Some(time) = time.into_iter().chain(part_of_time).min() {
            budget = budget.time(time);
        }
        solver.run(&mut budget);
        if interrupt.is_set() {
            break;
        }
        // A plan is begun anew in each part, and needs one that is long enough.
        part = if solver.is_certifying() { part * 2 } else { SAVE_EVERY };
        let unfinished = checkpoint.filter(|_| solver.value().is_none());
        if let Some(Err(error)) = unfinished.map(|path| save(solver, path)) {
            // The work goes on: there may be room again in a minute.
            bar.0.suspend(|| writeln!(io::stderr(), "warning: {error:#}")).ok();
        }
    }
    bar.0.finish_and_clear();
    Ok(())
}

/// Progress on standard error, hidden where that is no terminal.
struct Bar(ProgressBar, Option<u64>, Option<Duration>);

impl Bar {
    /// The parts of a budget that the bar tells apart.
    const STEPS: u64 = 1000;

    fn new(arguments: &Arguments) -> Self {
        let limited = arguments.nodes.is_some() || arguments.time.is_some();
        let (bar, template) = if limited {
            (ProgressBar::new(Self::STEPS), "{bar:20} {elapsed}, {eta} left, {msg}")
        } else {
            (ProgressBar::new_spinner(), "{spinner} {elapsed}, {msg}")
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar, arguments.nodes, arguments.time)
    }

    /// Tells of the progress of a part of the run, with what came before it.
    fn tell(&self, before: u64, elapsed: Duration, progress: Progress) {
        let Self(bar, nodes, time) = self;
        let Progress { nodes: now, proof, disproof, fill } = progress;
        let spent = before + now;
        let share = |part: f64, whole: f64| (part / whole * Self::STEPS as f64) as u64;
        let of_nodes = nodes.map(|nodes| share(spent as f64, nodes as f64));
        let total = elapsed + bar.elapsed();
        let of_time = time.map(|time| share(total.as_secs_f64(), time.as_secs_f64()));
        if let Some(position) = of_nodes.max(of_time) {
            bar.set_position(position);
        }
        let rate = spent as f64 / total.as_secs_f64();
        bar.set_message(format!(
            "{} nodes, {}/s, proof number {proof}, disproof number {disproof}, table {:.0} % full",
            HumanCount(spent),
            HumanCount(rate as u64),
            fill * 100.0
        ));
        bar.tick();
    }
}

fn answer<R: Rules>(
    solved: &Solved<R>,
    root: Position<R>,
    seconds: f64,
    common: &Common,
) -> Answer {
    let Solved { value, plies, proof, line, refuted, nodes, open } = solved;
    Answer {
        value: value.map_or("unknown", |value| value.name()),
        plies_at_most: plies.filter(|_| value.is_some()),
        nodes: *nodes,
        seconds,
        pv: if value.is_some() { in_usi(root, line, common) } else { Vec::new() },
        certified: value.is_some(),
        proof: proof.as_ref().map(|proof| Proved {
            claim: proof.claim().name(),
            provers: proof.claim().provers().iter().copied().map(colour).collect(),
            entries: proof.strategies().iter().map(|strategy| strategy.len()).sum(),
        }),
        refuted: refuted.as_ref().map(|Refuted { fault, sfen }| Refutation {
            reason: fault.to_string(),
            position: sfen.clone(),
        }),
        open: open.iter().map(|&(goal, finding)| left(goal, finding)).collect(),
    }
}

/// The answer of `verify` for a checkpoint.
#[derive(Serialize)]
#[serde(untagged)]
enum Verified {
    Holds {
        ok: bool,
        variant: String,
        root: String,
        algorithm: &'static str,
        nodes: u64,
        seconds: f64,
        /// Entries of the tables.
        entries: u64,
        /// Plans that prove something of the root.
        certificates: u64,
    },
    Refuted {
        ok: bool,
        reason: String,
        position: Option<String>,
    },
}

/// Checks a checkpoint, for `verify`.
pub fn verify(input: impl Read, common: &Common) -> Result<Outcome> {
    let answer = match check(input) {
        Ok(holds) => holds,
        Err(error) => match error.downcast::<CheckpointError>()? {
            CheckpointError { reason: CheckpointReason::Io(error), .. } => {
                return Err(anyhow!(error).context("cannot read the checkpoint"));
            }
            error => Verified::Refuted { ok: false, reason: error.to_string(), position: None },
        },
    };
    let (text, good) = match &answer {
        Verified::Holds { variant, root, algorithm, nodes, entries, certificates, .. } => {
            let text = format!(
                "ok: a checkpoint of {algorithm} for {variant}, {root}, after {nodes} nodes: \
                 {entries} entries, {certificates} certificates"
            );
            (text, true)
        }
        Verified::Refuted { reason, .. } => (format!("refuted: {reason}"), false),
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(good))
}

fn check(input: impl Read) -> Result<Verified> {
    let reader = Reader::new(input)?;
    let header = reader.header().clone();
    let variant = header
        .variant
        .parse::<Variant>()
        .map_err(|_| reader.error(CheckpointReason::Field("variant")))?;
    let content = dispatch!(variant, R => anyhow::Ok(reader.check::<R>()?))?;
    let Content { entries, certificates, .. } = content;
    let Header { variant, root, algorithm, nodes, elapsed, .. } = header;
    Ok(Verified::Holds {
        ok: true,
        variant,
        root,
        algorithm: algorithm.name(),
        nodes,
        seconds: elapsed.as_secs_f64(),
        entries,
        certificates,
    })
}

fn left(Goal { prover, draw_suffices }: Goal, finding: Finding) -> Open {
    let claim = if draw_suffices { Claim::NotLose { prover } } else { Claim::Win { prover } };
    let (found, proof, disproof) = match finding {
        Finding::Proved { .. } => ("proved", None, None),
        Finding::Disproved => ("disproved", None, None),
        Finding::Unknown { proof, disproof } => ("open", Some(proof), Some(disproof)),
    };
    Open { prover: colour(prover), goal: claim.name(), found, proof, disproof }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        if let Some(plies) = self.plies_at_most {
            write!(f, " in at most {plies} plies")?;
        }
        write!(f, ", {} nodes, {:.1} s", HumanCount(self.nodes), self.seconds)?;
        if !self.pv.is_empty() {
            write!(f, "\n{}", self.pv.join(" "))?;
        }
        for Open { prover, goal, found, proof, disproof } in &self.open {
            write!(f, "\n{goal} for {prover}: {found}")?;
            if let (Some(proof), Some(disproof)) = (proof, disproof) {
                write!(f, ", proof number {proof}, disproof number {disproof}")?;
            }
        }
        if let Some(Proved { claim, provers, entries }) = &self.proof {
            write!(f, "\nproved: {claim} for {}, {entries} entries", provers.join(" and "))?;
        }
        match &self.refuted {
            Some(Refutation { reason, position }) => {
                write!(f, "\nnot proved by the rules: {reason}, at {position}")
            }
            None => Ok(()),
        }
    }
}
