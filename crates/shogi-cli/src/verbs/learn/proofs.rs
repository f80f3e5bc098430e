//! `learn proofs`: evaluations for proof searches, learnt from self-play and from searches.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::Value;
use shogi_eval::TrainingSettings;
use shogi_learn::effort::EffortPass;
use shogi_learn::expert::{ExpertProgress, ExpertSettings, Round};
use shogi_learn::saved::{Work, differing};
use shogi_variants::operations::{AnyExpertIteration, TrainedProofEvaluation};

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::job::Job;
use crate::start::Start;
use crate::verbs::learn::evaluation_arguments::EvaluationArguments;
use crate::verbs::learn::linear;
use crate::{amount, file, print};

/// Arguments of `learn proofs`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// How many times games are played and the linear evaluation learns from them.
    #[arg(
        long,
        value_name = "G",
        default_value = amount::default(TrainingSettings::default().generations),
        value_parser = amount::count::<u32>(1..)
    )]
    generations: u32,
    /// Games of each generation.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(TrainingSettings::default().games),
        value_parser = amount::count::<u32>(10..)
    )]
    games: u32,
    /// A linear evaluation to use, made with --rounds 0, instead of training one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "generations"])]
    linear: Option<PathBuf>,
    /// How many times positions are searched and the network learns from them; 0 makes the linear
    /// evaluation only.
    #[arg(
        long,
        value_name = "R",
        default_value = amount::default(ExpertSettings::default().rounds),
        value_parser = amount::count::<u32>(..)
    )]
    rounds: u32,
    /// Searches of each round.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(ExpertSettings::default().searches),
        value_parser = amount::count::<u32>(1..)
    )]
    searches: u32,
    /// Nodes for each search.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(ExpertSettings::default().nodes),
        value_parser = amount::count::<u64>(1..)
    )]
    nodes: u64,
    /// Passes of a fit over what was collected.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(ExpertSettings::default().passes),
        value_parser = amount::count::<u32>(1..)
    )]
    passes: u32,
    #[command(flatten)]
    start: Start,
}

/// The result of a round.
#[derive(Serialize)]
struct LearntRound {
    #[serde(flatten)]
    round: Round,
    /// How well the round's network predicts; null for rounds of an earlier run.
    fitted: Option<EffortPass>,
}

#[derive(Serialize)]
struct ProofEvaluationAnswer {
    file: String,
    variant: &'static str,
    start: String,
    /// How the linear evaluation was trained.
    linear: TrainingSettings,
    settings: ExpertSettings,
    rounds: Vec<LearntRound>,
    /// Records that the last network was fitted to.
    records: u64,
    bytes: usize,
    seconds: f64,
}

impl fmt::Display for ProofEvaluationAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "round  solved    proved  disproved      open   error  (mean)  log-loss  (mean)"
        )?;
        for (number, LearntRound { round, fitted }) in (1..).zip(&self.rounds) {
            let Round { solved, proved, disproved, open } = round;
            write!(f, "{number:>5}  {solved:>6}  {proved:>8}  {disproved:>9}  {open:>8}")?;
            if let Some(fitted) = fitted {
                let EffortPass { error, error_of_mean, log_loss, log_loss_of_mean, .. } = fitted;
                write!(f, "  {error:>6.4}  {error_of_mean:.4}")?;
                write!(f, "  {log_loss:>8.4}  {log_loss_of_mean:.4}")?;
            }
            writeln!(f)?;
        }
        let Self { records, bytes, file, seconds, .. } = self;
        write!(f, "{records} records, {bytes} bytes in {file}, {seconds:.1} s")
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match arguments.rounds {
        0 => train(arguments, common),
        _ => learn(arguments, common),
    }
}

impl Arguments {
    /// How the linear evaluation is trained.
    fn linear(&self) -> TrainingSettings {
        let &Self { games, generations, .. } = self;
        let seed = self.evaluation.seed;
        TrainingSettings { seed, games, generations, ..TrainingSettings::default() }
    }

    /// How the network learns.
    fn expert(&self) -> ExpertSettings {
        let &Self { rounds, searches, nodes, passes, .. } = self;
        let seed = self.evaluation.seed;
        ExpertSettings { seed, rounds, searches, nodes, passes, ..ExpertSettings::default() }
    }

    /// The command that makes the evaluation again, whatever the threads and the file's name.
    fn command(&self, start: &str) -> String {
        let linear = match &self.linear {
            Some(path) => format!("--linear {}", path.display()),
            None => format!("--generations {} --games {}", self.generations, self.games),
        };
        let &Self { rounds, searches, nodes, passes, .. } = self;
        let EvaluationArguments { variant, seed, .. } = self.evaluation;
        let start =
            if self.start.is_named() { format!(" --sfen \"{start}\"") } else { String::new() };
        format!(
            "shogi learn proofs {variant} --seed {seed} {linear} --rounds {rounds} --searches \
             {searches} --nodes {nodes} --passes {passes}{start}"
        )
    }
}

/// The settings that a linear evaluation was trained with, from the text of its file.
fn settings_of(json: &str) -> Result<TrainingSettings> {
    let evaluation: Value = serde_json::from_str(json)?;
    Ok(serde_json::from_value(evaluation["settings"].clone())?)
}

/// The linear evaluation that is given, or one that is trained as a part of the job.
fn linear_of(arguments: &Arguments, start: &str, job: &mut Job<'_>) -> Result<String> {
    match &arguments.linear {
        Some(path) => {
            let json = file::read_text(path)?.trim_end().to_owned();
            let checked = arguments.evaluation.variant.learning().check_evaluation(&json);
            checked.with_context(|| file::name(path))?;
            Ok(json)
        }
        None => {
            let (trained, saved) =
                linear::train(job, arguments.evaluation.variant, start, arguments.linear())?;
            saved?;
            Ok(trained.json)
        }
    }
}

/// The iteration in a checkpoint, if it is of the same run.
fn resume(arguments: &Arguments, start: &str, path: &Path) -> Result<Box<dyn AnyExpertIteration>> {
    let learning = arguments.evaluation.variant.learning();
    let found =
        learning.resume_expert_iteration(&mut file::open(path)?, start, &arguments.expert())?;
    let json = found.linear();
    let differing = match &arguments.linear {
        Some(path) => (file::read_text(path)?.trim_end() != json)
            .then(|| "another linear evaluation".to_owned()),
        None => differing(&settings_of(&json)?, &arguments.linear()),
    };
    match differing {
        None => Ok(found),
        Some(found) => Err(shogi_variants::Error::OtherRun { found }.into()),
    }
}

/// Trains the linear evaluation and nothing else.
fn train(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &EvaluationArguments { variant, ref out, ref checkpoint, .. } = &arguments.evaluation;
    if arguments.linear.is_some() {
        return Err(Usage("--linear needs --rounds of 1 or more".to_owned()).into());
    }
    let settings = arguments.linear();
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(checkpoint, [out])?;
    let started = Instant::now();
    let (trained, saved) = linear::train(&mut job, variant, &start, settings)?;
    file::write_whole(out, format!("{}\n", trained.json).as_bytes())?;
    let seconds = started.elapsed().as_secs_f64();
    let answer = linear::LinearAnswer::new(trained, variant, settings, out, seconds);
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}

/// Learns from searches.
fn learn(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &EvaluationArguments { variant, ref out, ref checkpoint, .. } = &arguments.evaluation;
    let settings = arguments.expert();
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(checkpoint, [out])?;
    let started = Instant::now();
    let mut iteration = match job.resume() {
        Some(path) if is_of_searches(path)? => {
            resume(arguments, &start, path).with_context(|| file::unresumable(path))?
        }
        _ => {
            let linear = linear_of(arguments, &start, &mut job)?;
            variant.learning().expert_iteration(&start, &linear, settings)?
        }
    };
    let total = u64::from(settings.rounds) * u64::from(settings.searches);
    job.show(count(total, iteration.searches(), "searches"));
    let mut passes = Vec::new();
    let command = arguments.command(&start);
    let trained = iteration.run(&command, &mut |iteration, progress| {
        watch(iteration, progress, &job, &mut passes);
        job.pulse(&mut |out| Ok(iteration.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(iteration.write(out)?));
    let Some(TrainedProofEvaluation { file, records }) = trained else {
        saved?;
        return Err(job.interrupted(&format!("{} searches are", iteration.searches())));
    };
    file::write_whole(out, &file)?;
    let rounds = (1..).zip(iteration.rounds()).map(|(number, &round)| {
        let fitted = passes.iter().find(|&&(round, _)| round == number).map(|&(_, pass)| pass);
        LearntRound { round, fitted }
    });
    let answer = ProofEvaluationAnswer {
        file: out.display().to_string(),
        variant: variant.name(),
        start,
        linear: settings_of(&iteration.linear())?,
        settings,
        rounds: rounds.collect(),
        records,
        bytes: file.len(),
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}

/// Shows how far learning has come, and keeps the last measures of each round by its number.
fn watch(
    iteration: &dyn AnyExpertIteration,
    progress: ExpertProgress<'_>,
    job: &Job<'_>,
    passes: &mut Vec<(usize, EffortPass)>,
) {
    job.bar().set_position(iteration.searches());
    let proved: u64 = iteration.rounds().iter().map(|round| round.proved).sum();
    match progress {
        ExpertProgress::Searched => job.bar().set_message(format!(", {proved} positions proved")),
        ExpertProgress::Fitting(fitting) => {
            let percent = 100 * fitting.done / fitting.total.max(1);
            job.bar().set_message(format!(", {proved} positions proved, {percent} % fitted"));
            if let Some(&last) = fitting.passes.last() {
                let number = iteration.rounds().len();
                if passes.last().is_some_and(|&(round, _)| round == number) {
                    passes.pop();
                }
                passes.push((number, last));
            }
        }
    }
}

/// Whether a checkpoint is one of the searches; else it is one of the games before them.
fn is_of_searches(path: &Path) -> Result<bool> {
    let mut head = Vec::new();
    let magic = Work::Searches.format().magic;
    let read = file::open(path)?.take(magic.len() as u64).read_to_end(&mut head);
    read.with_context(|| file::unreadable(path))?;
    Ok(head == magic)
}
