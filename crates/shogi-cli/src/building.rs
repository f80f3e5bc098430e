//! The work on a proof too large for one search, alike for `proof build` and `proof expand`.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use shogi_eval::MOST_EVALUATION_BYTES;
use shogi_eval::effort::FORMAT as EFFORT;
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Verdict};
use shogi_solve::Budget;
use shogi_solve::builder::{ProofState, Settings};
use shogi_solve::proof::Checked;
use shogi_variants::Error;
use shogi_variants::operations::{
    AnyBuilder, AnyProof, AnyTablebase, BuilderOptions, BuilderState, FailedMove, Frontier,
    LeafNumbers, MoveOracle, OpenPosition,
};

use crate::bar::spinner;
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Interrupted, Outcome, chain_text};
use crate::job::{Checkpoint, Job};
use crate::lock::Lock;
use crate::print::note;
use crate::variant::Variant;
use crate::{amount, file, print, proof_file};

/// Most open positions in the answer.
const MAX_OPEN: usize = 1000;

/// The limits of the work, and its tools.
#[derive(clap::Args, Debug)]
pub struct Effort {
    #[command(flatten)]
    evaluation: EvaluationFile,
    /// The numbers that leaves start with; a list has the searches take turns [default: mean, if the evaluation
    /// has a network].
    #[arg(long, value_parser = choice::parser(LEAVES), value_name = "LEAF", value_delimiter = ',')]
    leaf: Vec<LeafNumbers>,
    /// Who names the moves that are followed [default: alpha-beta, if the evaluation has a network, else
    /// ranked].
    #[arg(long, value_parser = choice::parser(ORACLES), value_name = "ORACLE")]
    oracle: Option<MoveOracle>,
    /// Limit of the moves played in all [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Limit of time, such as 90, 10m or 2h [default: no limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    /// Megabytes for the table of each search. The tree and the proofs come to it: about 50 bytes for
    /// each proved position.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = amount::count::<u32>(1..))]
    hash: u32,
    /// How many searches work side by side. With one the same command always makes the same proof. With
    /// --jobs, how many jobs wait for workers or are being done.
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount::count::<u32>(1..=256))]
    workers: u32,
    /// Search nothing here but what workers refute, and leave the jobs to them: each is a file NUMBER.job in this directory,
    /// for `shogi proof work --job NUMBER.job --out NUMBER.result`, with --game for a game of your own. Other jobs and
    /// results there are removed first.
    #[arg(long, value_name = "DIR")]
    jobs: Option<PathBuf>,
    /// Fit a new network to what the searches have found after every N expansions; new leaves are judged
    /// by it. The directory of --checkpoint keeps it [default: the network stays as it is].
    #[arg(long, value_name = "N", conflicts_with = "jobs", value_parser = amount::count::<u64>(1..))]
    retrain: Option<u64>,
    /// Keep a log of the work in this directory, and resume from it.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
}

impl Effort {
    /// Keeps other processes from the folders of the log and of the jobs.
    fn lock_folders(&self) -> Result<Vec<Lock>> {
        let mut locks = Vec::new();
        let mut locked: Vec<PathBuf> = Vec::new();
        for folder in [&self.checkpoint, &self.jobs].into_iter().flatten() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let whole = folder.canonicalize().with_context(|| folder.display().to_string())?;
            if !locked.contains(&whole) {
                locks.push(Lock::folder(folder)?);
                locked.push(whole);
            }
        }
        Ok(locks)
    }

    /// Whether a log of the work is kept.
    pub const fn has_checkpoint(&self) -> bool {
        self.checkpoint.is_some()
    }
}

/// Which evaluation df-pn starts its leaves with.
#[derive(clap::Args, Debug)]
pub struct EvaluationFile {
    /// An evaluation that df-pn starts its leaves with, made by `shogi learn proofs`; - for
    /// standard input [default: the one that comes with the program, for Kyoto shogi].
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
}

impl EvaluationFile {
    /// The bytes of the file, if one is named, which is an evaluation for the variant.
    pub fn read(&self, variant: Variant) -> Result<Option<Vec<u8>>> {
        let Some(path) = &self.evaluation else { return Ok(None) };
        let bytes = file::read(path, MOST_EVALUATION_BYTES)?;
        let learning = variant.learning();
        let checked = if bytes.starts_with(&EFFORT.magic) {
            learning.check_proof_evaluation(&mut &bytes[..]).map_err(anyhow::Error::from)
        } else {
            learning.check_evaluation(&String::from_utf8_lossy(&bytes)).map_err(anyhow::Error::from)
        };
        checked.with_context(|| file::name(path))?;
        Ok(Some(bytes))
    }

    /// Has an error begin with the file that it is about: the one named here if it has no network,
    /// none that the error names itself, else the subject of the work.
    pub fn name<T>(&self, done: Result<T, Error>, subject: impl FnOnce() -> String) -> Result<T> {
        done.map_err(|error| {
            let about = match (&error, &self.evaluation) {
                (Error::Kept { .. }, _) => return error.into(),
                (Error::NoNetwork, Some(path)) => file::name(path),
                _ => subject(),
            };
            anyhow::Error::new(error).context(about)
        })
    }
}

/// The numbers that leaves start with, by name.
pub const LEAVES: &[Choice<LeafNumbers>] = &[
    ("linear", "The linear evaluation, which predicts the winner", LeafNumbers::Linear),
    ("effort", "The network, which estimates the effort of a proof", LeafNumbers::Effort),
    ("mean", "The mean of both", LeafNumbers::Mean),
];

/// The oracles by name.
const ORACLES: &[Choice<MoveOracle>] = &[
    ("ranked", "The search that has left a position open", MoveOracle::Ranked),
    ("alpha-beta", "A search of eight plies on the evaluation", MoveOracle::AlphaBeta),
    (
        "player",
        "The player, which visits 300,000 positions, and more where more was spent",
        MoveOracle::Player,
    ),
];

/// The position to be proved, and how.
pub struct BuildTask<'a> {
    pub variant: Variant,
    /// The beginning of errors on the position or the skeleton.
    pub subject: String,
    /// The position, in SFEN.
    pub position: String,
    pub winner: Colour,
    /// But for the bytes, which are those of the effort.
    pub settings: Settings,
    /// The text of a skeleton to follow.
    pub skeleton: Option<String>,
    pub effort: &'a Effort,
    /// Where the proof goes, and its skeleton.
    pub out: &'a PathBuf,
    pub skeleton_out: Option<&'a PathBuf>,
}

/// The result of the work.
#[derive(Serialize, Default)]
struct BuildAnswer {
    /// `proved`, `refuted` or `open`.
    state: &'static str,
    /// Plies to the end at most.
    plies_at_most: Option<u32>,
    /// Entries of the proof file, null without one.
    entries: Option<usize>,
    bytes: Option<usize>,
    nodes: u64,
    expansions: u64,
    seconds: f64,
    /// Positions that were neither proved nor refuted and whose replies are not listed in their
    /// place, with the numbers of their last job.
    open: Vec<OpenPosition>,
    /// The tablebase that the proof was drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    tablebase: Option<PathBuf>,
}

impl fmt::Display for BuildAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, plies_at_most, entries, bytes, nodes, expansions, seconds, open, .. } =
            self;
        write!(f, "{state} after {nodes} nodes, {expansions} expansions, {seconds:.1} s")?;
        if let (Some(plies), Some(entries), Some(bytes)) = (plies_at_most, entries, bytes) {
            write!(f, ": at most {plies} plies, {entries} entries, {bytes} bytes")?;
        }
        if let Some(path) = &self.tablebase {
            write!(f, "\nfrom {}", path.display())?;
        }
        for OpenPosition { sfen, proof, disproof, .. } in open {
            write!(f, "\nopen: {sfen} (proof number {proof}, disproof number {disproof})")?;
        }
        Ok(())
    }
}

impl BuildAnswer {
    /// Writes a proof that was checked, and says how large it is.
    fn write(&mut self, proof: &dyn AnyProof, checked: &Checked, out: &Path) -> Result<()> {
        (self.entries, self.plies_at_most) = (Some(proof.entries()), checked.plies);
        let mut bytes = Vec::new();
        proof.write(&mut bytes)?;
        file::write_whole(out, &bytes)?;
        self.bytes = Some(bytes.len());
        Ok(())
    }

    /// Prints the answer. A claim that is refuted is bad, one that is open is not.
    fn print(&self, out: &Path, common: &Common) -> Result<Outcome> {
        print::answer_beside([out], common.json, self, self)?;
        if self.state != "proved" {
            note(format_args!("nothing is proved, and {} is not written", out.display()));
        }
        Ok(Outcome::good_if(self.state != "refuted"))
    }
}

impl BuildTask<'_> {
    /// Draws the proof from a tablebase and writes it, if the winner wins, and prints the answer.
    pub fn look_up(
        self,
        path: &Path,
        table: &dyn AnyTablebase,
        common: &Common,
    ) -> Result<Outcome> {
        let started = Instant::now();
        let dialect = common.dialect();
        let mut answer = BuildAnswer {
            state: "refuted",
            tablebase: Some(path.to_owned()),
            ..BuildAnswer::default()
        };
        if table.probe(&self.position, dialect)?.value != Verdict::Draw {
            let (proof, checked) = proof_file::draw(path, table, &self.position)?;
            if proof.claimed(dialect).provers == [self.winner] {
                answer.state = "proved";
                answer.write(&*proof, &checked, self.out)?;
            }
        }
        answer.seconds = started.elapsed().as_secs_f64();
        answer.print(self.out, common)
    }

    /// Does the work, writes the proof if there is one, and prints the answer.
    pub fn run(mut self, common: &Common) -> Result<Outcome> {
        let dialect = common.dialect();
        // The log is the checkpoint.
        let no_file = Checkpoint::default();
        let mut job =
            Job::start(&no_file, [Some(self.out), self.skeleton_out].into_iter().flatten())?;
        let options = self.builder_options()?;
        let folder = self.effort.checkpoint.as_deref();
        let _locks = self.effort.lock_folders()?;
        let builder = self.variant.solving().builder(&self.position, &options);
        let mut builder = self.effort.evaluation.name(builder, || self.subject.clone())?;
        if let Some(damaged) = builder.damaged() {
            note(damaged);
        }
        job.show(spinner("{spinner} {msg}"));
        let started = Instant::now();
        self.build(&mut *builder, &job, dialect)?;
        let seconds = started.elapsed().as_secs_f64();
        job.end(&mut |_| Ok(()))?;
        // A result that was reached as Ctrl-C came in is written.
        if job.is_interrupted() && builder.state().state() == ProofState::Open {
            return Err(interrupted(folder).into());
        }
        let answer = self.write_proof(&*builder, dialect)?;
        BuildAnswer { seconds, ..answer }.print(self.out, common)
    }

    fn builder_options(&mut self) -> Result<BuilderOptions> {
        let effort = self.effort;
        Ok(BuilderOptions {
            winner: self.winner,
            evaluation: effort.evaluation.read(self.variant)?,
            leaves: effort.leaf.clone(),
            oracle: effort.oracle,
            settings: Settings { hash_bytes: (effort.hash as usize) << 20, ..self.settings },
            workers: effort.workers as usize,
            skeleton: self.skeleton.take(),
            checkpoint: effort.checkpoint.clone(),
            retrain: effort.retrain,
            jobs: effort.jobs.clone(),
        })
    }

    /// Builds until the position is proved or refuted, the effort is spent, or Ctrl-C.
    fn build(
        &self,
        builder: &mut dyn AnyBuilder,
        job: &Job<'_>,
        dialect: Option<Dialect>,
    ) -> Result<()> {
        let spent = builder.state().frontier(dialect).nodes;
        let limit = self.effort.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(spent));
        let mut budget = Budget::nodes(limit).stopped_by(job.stop_signal());
        if let Some(time) = self.effort.time {
            budget = budget.time(time);
        }
        let mut progress = BuildProgress::new(self.effort.checkpoint.as_deref());
        builder.run(
            &mut budget,
            dialect,
            &mut |builder, failed| {
                progress.show(job, builder, dialect);
                if let Some(FailedMove { sfen, mv }) = failed {
                    job.report(&format!("{mv} does not win in {sfen}; trying the next move"));
                }
            },
            &mut |file, reason| job.report(&format!("{}: {reason}", file.display())),
        )?;
        Ok(())
    }

    /// Writes the proof and its skeleton, if the position is proved; what has come of the work.
    fn write_proof(
        &self,
        builder: &dyn AnyBuilder,
        dialect: Option<Dialect>,
    ) -> Result<BuildAnswer> {
        let builder_state = builder.state();
        let state = builder_state.state();
        let Frontier { nodes, expansions, .. } = builder_state.frontier(dialect);
        let mut answer = BuildAnswer {
            state: match state {
                ProofState::Open => "open",
                ProofState::Proved => "proved",
                ProofState::Refuted => "refuted",
            },
            nodes,
            expansions,
            ..BuildAnswer::default()
        };
        if let Some(proof) = builder.proof()? {
            // Never written unchecked, since a proof that does not hold is worse than none.
            answer.write(&*proof, &proof_file::check(&*proof)?, self.out)?;
            if let (Some(path), Some(skeleton)) = (self.skeleton_out, builder.skeleton()) {
                file::write_whole(path, (skeleton + "\n").as_bytes())?;
            }
        } else if state == ProofState::Open {
            answer.open = builder_state.open(MAX_OPEN, dialect);
        }
        ensure!(answer.state != "proved" || answer.entries.is_some(), "the proof does not close");
        Ok(answer)
    }
}

/// The error of work that Ctrl-C has ended, whose log is in this directory.
fn interrupted(folder: Option<&Path>) -> Interrupted {
    let advice = match folder {
        Some(folder) => format!(
            "the state is saved in {}, and the same command resumes from there",
            folder.display()
        ),
        None => "nothing is kept without --checkpoint DIR".to_owned(),
    };
    Interrupted { advice }
}

/// How often the progress is shown, and written beside the log.
const SHOW_EVERY: Duration = Duration::from_secs(1);
const WRITE_EVERY: Duration = Duration::from_secs(60);

/// The file in the directory of the log that says what is left to do.
const FRONTIER: &str = "frontier.json";

/// How fast the work goes on.
struct BuildProgress<'a> {
    /// The directory of the log.
    folder: Option<&'a Path>,
    started: Instant,
    /// Expansions of earlier runs.
    before: Option<u64>,
    shown: Option<Instant>,
    written: Option<Instant>,
    /// Positions proved a minute ago or less, and when.
    proved: VecDeque<(Instant, usize)>,
}

/// The file that is written beside the log.
#[derive(Serialize)]
struct BuildStatus {
    seconds: f64,
    expansions_per_second: f64,
    proved_last_minute: usize,
    #[serde(flatten)]
    frontier: Frontier,
}

impl<'a> BuildProgress<'a> {
    fn new(folder: Option<&'a Path>) -> Self {
        let (shown, written, proved) = (None, None, VecDeque::new());
        Self { folder, started: Instant::now(), before: None, shown, written, proved }
    }

    /// Shows how far the work has come, if it is time.
    fn show(&mut self, job: &Job<'_>, builder: &dyn BuilderState, dialect: Option<Dialect>) {
        let is_due = |last: Option<Instant>, every| last.is_none_or(|last| last.elapsed() >= every);
        if !is_due(self.shown, SHOW_EVERY) {
            return;
        }
        let now = Instant::now();
        self.shown = Some(now);
        let frontier = builder.frontier(dialect);
        let before = *self.before.get_or_insert(frontier.expansions);
        self.proved.push_back((now, frontier.proved));
        while self.proved.len() > 1
            && self.proved.front().is_some_and(|(then, _)| now - *then > Duration::from_secs(60))
        {
            self.proved.pop_front();
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let status = BuildStatus {
            seconds,
            expansions_per_second: (frontier.expansions - before) as f64 / seconds.max(1e-3),
            proved_last_minute: frontier.proved
                - self.proved.front().map_or(frontier.proved, |&(_, proved)| proved),
            frontier,
        };
        let BuildStatus { expansions_per_second: pace, proved_last_minute: new, frontier, .. } =
            &status;
        job.bar().set_message(format!(
            "{} expansions, {pace:.0}/s; {} positions proved, {new} in the last minute; {} open; \
             about {:.2e} expansions left, {} plies deep",
            frontier.expansions,
            frontier.proved,
            frontier.open,
            frontier.estimate,
            2 * frontier.hardest.len(),
        ));
        job.bar().tick();
        if let Some(folder) = self.folder.filter(|_| is_due(self.written, WRITE_EVERY)) {
            self.written = Some(now);
            // The log has all that is needed; this file is only for the reader.
            if let Ok(text) = serde_json::to_vec_pretty(&status)
                && let Err(error) = file::write_whole(&folder.join(FRONTIER), &text)
            {
                job.report(&format!("warning: {}", chain_text(&error)));
            }
        }
    }
}
