//! `learn`: evaluations learnt from self-play, and from searches.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::Value;
use shogi_eval::TrainingSettings;
use shogi_eval::effort::{FORMAT as EFFORT, read_effort_variant};
use shogi_learn::effort::EffortPass;
use shogi_learn::value::NetFit;
use shogi_search::learn::Learning;
use shogi_search::self_play::{Effort, MAX_PLIES, SelfPlay};
use shogi_search::tune::Tuning;
use shogi_search::weigh::WeightedFit;
use shogi_solve::expert::{
    ExpertProgress, ExpertSettings, FORMAT as EXPERT, Round, read_variant as read_expert_variant,
};
use shogi_variants::operations::{AnyExpertIteration, TrainedProofEvaluation};

use crate::bar::count;
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::job::{Checkpoint, Job};
use crate::learnt::{self, Content, Done};
use crate::start::Start;
use crate::variant::{self, Variant};
use crate::verbs::{fitted, network, train, tune, weighted};
use crate::{amount, file, print};

/// Arguments of `learn`.
///
/// For play, games of the player against itself teach a network that it judges positions by, generation by
/// generation; a match says whether a new network is better than what the games were played with. With
/// --form tables the tables are tuned, as `tune` does. With --form weighted the weights of features are fitted to
/// games that `selfplay` has played, with --form fitted a network, and with --form corrected one that adds to the weights
/// of --eval what these do not see. For proofs, a linear evaluation is trained by self-play, as `train` does, and then
/// rounds of searches teach a network what proofs cost.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// What the evaluation is for.
    #[arg(long = "for", value_parser = choice::parser(PURPOSES), default_value = "play")]
    purpose: Purpose,
    /// For play: what is made [default: network].
    #[arg(long, value_parser = choice::parser(FORMS))]
    form: Option<Form>,
    /// Write the evaluation to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of all that is drawn: the same seed always makes the same evaluation.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// How many times games are played and learnt from [default: 4 for proofs, 3 for a network, else that of
    /// `tune`].
    #[arg(long, value_name = "G", value_parser = amount::count::<u32>(1..))]
    generations: Option<u32>,
    /// Games of each generation [default: 40000 for proofs, 20000 for a network, else that of `tune`].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(10..))]
    games: Option<u32>,
    /// Nodes for each move, or for each search for proofs [default: 1000, 100000 for proofs].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(1..))]
    nodes: Option<u64>,
    /// For play: plies after which a game is a draw.
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    plies: Option<u32>,
    /// For proofs: how many times positions are searched and learnt from [default: 4]; 0 makes the
    /// linear evaluation only.
    #[arg(long, value_name = "R", value_parser = amount::count::<u32>(..))]
    rounds: Option<u32>,
    /// For proofs: searches of each round [default: 500].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    searches: Option<u32>,
    /// Passes of a fit over what was collected [default: 5 for proofs, 4 for a network, 24 for weights,
    /// 1 for a network that corrects them].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    passes: Option<u32>,
    /// For proofs: a linear evaluation made by `train`, which is trained first by default.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "generations"])]
    linear: Option<PathBuf>,
    /// For a network: take the first games from this archive, which `selfplay` has made with the same seed,
    /// nodes, plies and evaluation, instead of playing them. For the other forms but tables: fit to the games of
    /// this archive; may be given more than once.
    #[arg(long, value_name = "FILE")]
    archive: Vec<PathBuf>,
    #[command(flatten)]
    first: Judgement,
    #[command(flatten)]
    checkpoint: Checkpoint,
    #[command(flatten)]
    start: Start,
}

/// What an evaluation is for.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    Play,
    Proofs,
}

const PURPOSES: &[Choice<Purpose>] =
    &[("play", "The player", Purpose::Play), ("proofs", "Proof searches", Purpose::Proofs)];

/// What the player judges positions by.
#[derive(Clone, Copy, Debug)]
enum Form {
    Network,
    Tables,
    Weighted,
    Fitted,
    Corrected,
}

const FORMS: &[Choice<Form>] = &[
    ("network", "A network", Form::Network),
    ("tables", "Tables by the king's square", Form::Tables),
    ("weighted", "Weights of features", Form::Weighted),
    ("fitted", "A network, from games in archives", Form::Fitted),
    (
        "corrected",
        "A network that corrects weights of features, from games in archives",
        Form::Corrected,
    ),
];

/// What a round has come to.
#[derive(Serialize)]
struct Learnt {
    #[serde(flatten)]
    round: Round,
    /// How well the round's network predicts; null for rounds of an earlier run.
    fitted: Option<EffortPass>,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    start: String,
    /// How the linear evaluation was trained.
    linear: TrainingSettings,
    settings: ExpertSettings,
    rounds: Vec<Learnt>,
    /// Records that the last network was fitted to.
    records: u64,
    bytes: usize,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "round  solved    proved  disproved      open   error  (mean)  log-loss  (mean)"
        )?;
        for (number, Learnt { round, fitted }) in (1..).zip(&self.rounds) {
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
    match arguments.purpose {
        Purpose::Play => {
            let given = [
                ("--rounds", arguments.rounds.is_some()),
                ("--searches", arguments.searches.is_some()),
                ("--linear", arguments.linear.is_some()),
            ];
            refuse(given, "--for proofs")?;
            match arguments.form.unwrap_or(Form::Network) {
                Form::Network if arguments.archive.len() > 1 => Err(Usage(
                    "more than one --archive needs --form weighted, fitted or corrected".to_owned(),
                )
                .into()),
                Form::Network => network::run(&arguments.network(), common),
                Form::Tables => {
                    let given = [
                        ("--passes", arguments.passes.is_some()),
                        ("--archive", !arguments.archive.is_empty()),
                    ];
                    refuse(given, "another --form")?;
                    tune::run(&arguments.tune(), common)
                }
                Form::Weighted => {
                    arguments.check_fit("weighted")?;
                    refuse([("--eval", !arguments.first.is_standard())], "another --form")?;
                    weighted::run(&arguments.weighted(), common)
                }
                Form::Fitted => {
                    arguments.check_fit("fitted")?;
                    refuse([("--eval", !arguments.first.is_standard())], "another --form")?;
                    fitted::run(&arguments.fitted("fitted", NetFit::default(), None), common)
                }
                Form::Corrected => {
                    arguments.check_fit("corrected")?;
                    let base = Some(&arguments.first);
                    let default = NetFit::correction();
                    fitted::run(&arguments.fitted("corrected", default, base), common)
                }
            }
        }
        Purpose::Proofs => {
            let given = [
                ("--plies", arguments.plies.is_some()),
                ("--archive", !arguments.archive.is_empty()),
                ("--form", arguments.form.is_some()),
            ];
            refuse(given, "--for play")?;
            match arguments.rounds {
                Some(0) => train::run(&arguments.train(), common),
                _ => learn(arguments, common),
            }
        }
    }
}

/// An error if an option was given that needs another.
fn refuse<const N: usize>(given: [(&str, bool); N], other: &str) -> Result<()> {
    let Some((option, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    Err(Usage(format!("{option} needs {other}")).into())
}

impl Arguments {
    /// How a network is made.
    fn network(&self) -> network::Arguments<'_> {
        let default = Learning::default();
        let Self { variant, seed, .. } = *self;
        let generations = self.generations.unwrap_or(default.generations);
        let games = self.games.unwrap_or(default.games);
        let nodes = self.nodes.unwrap_or(tune::NODES);
        let plies = self.plies.unwrap_or(default.self_play.plies);
        let passes = self.passes.unwrap_or(default.fit.passes);
        let effort = Effort::Nodes(nodes);
        let learning = Learning {
            generations,
            games,
            self_play: SelfPlay { seed, effort, plies, ..default.self_play },
            fit: NetFit { passes, seed, ..default.fit },
            match_nodes: nodes.saturating_mul(5),
            ..default
        };
        let command = format!(
            "shogi learn {variant} --seed {seed} --generations {generations} --games {games} --nodes \
             {nodes} --plies {plies} --passes {passes} --eval {}",
            self.first.name()
        );
        let Self { archive, first, out, checkpoint, start, .. } = self;
        let archive = archive.first();
        network::Arguments { variant, learning, first, archive, command, out, checkpoint, start }
    }

    /// An error if there are no games for a fit of this form, or options were given that need another.
    fn check_fit(&self, form: &str) -> Result<()> {
        let given = [
            ("--generations", self.generations.is_some()),
            ("--games", self.games.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--plies", self.plies.is_some()),
            ("--checkpoint", self.checkpoint.is_named()),
            ("--sfen or --start", self.start.is_named()),
        ];
        refuse(given, "another --form")?;
        if self.archive.is_empty() {
            return Err(Usage(format!("--form {form} needs --archive")).into());
        }
        Ok(())
    }

    /// How weights are fitted.
    fn weighted(&self) -> weighted::Arguments<'_> {
        let Self { variant, seed, archive: archives, out, .. } = self;
        let default = WeightedFit::default();
        let passes = self.passes.unwrap_or(default.passes);
        let fit = WeightedFit { passes, seed: *seed, ..default };
        let command =
            format!("shogi learn {variant} --form weighted --seed {seed} --passes {passes}");
        weighted::Arguments { variant: *variant, fit, archives, command, out }
    }

    /// How a network is fitted, over these weights if there are any.
    fn fitted<'a>(
        &'a self,
        form: &str,
        default: NetFit,
        base: Option<&'a Judgement>,
    ) -> fitted::Arguments<'a> {
        let Self { variant, seed, archive: archives, out, .. } = self;
        let passes = self.passes.unwrap_or(default.passes);
        let fit = NetFit { passes, seed: *seed, ..default };
        let mut command =
            format!("shogi learn {variant} --form {form} --seed {seed} --passes {passes}");
        if let Some(base) = base {
            command += &format!(" --eval {}", base.name());
        }
        fitted::Arguments { variant: *variant, fit, base, archives, command, out }
    }

    /// What `tune` would have been given.
    fn tune(&self) -> tune::Arguments {
        let default = Tuning::default();
        tune::Arguments {
            variant: self.variant,
            out: self.out.clone(),
            seed: self.seed,
            generations: self.generations.unwrap_or(default.generations),
            games: self.games.unwrap_or(default.games),
            nodes: self.nodes.unwrap_or(tune::NODES),
            plies: self.plies.unwrap_or(SelfPlay::default().plies),
            checkpoint: self.checkpoint.clone(),
            start: self.start.clone(),
        }
    }

    /// What `train` would have been given.
    fn train(&self) -> train::Arguments {
        let TrainingSettings { seed, games, generations, .. } = self.linear();
        train::Arguments {
            variant: self.variant,
            out: self.out.clone(),
            seed,
            games,
            generations,
            checkpoint: self.checkpoint.clone(),
            start: self.start.clone(),
        }
    }

    /// How the linear evaluation is trained.
    fn linear(&self) -> TrainingSettings {
        let default = TrainingSettings::default();
        TrainingSettings {
            seed: self.seed,
            games: self.games.unwrap_or(default.games),
            generations: self.generations.unwrap_or(default.generations),
            ..default
        }
    }

    /// How the network learns.
    fn expert(&self) -> ExpertSettings {
        let default = ExpertSettings::default();
        ExpertSettings {
            seed: self.seed,
            rounds: self.rounds.unwrap_or(default.rounds),
            searches: self.searches.unwrap_or(default.searches),
            nodes: self.nodes.unwrap_or(default.nodes),
            passes: self.passes.unwrap_or(default.passes),
            ..default
        }
    }

    /// The command that makes the evaluation again, whatever the threads and the file's name.
    fn command(&self, start: &str) -> String {
        let variant = self.variant;
        let linear = match &self.linear {
            Some(path) => format!("--linear {}", path.display()),
            None => {
                let TrainingSettings { games, generations, .. } = self.linear();
                format!("--generations {generations} --games {games}")
            }
        };
        let ExpertSettings { seed, rounds, searches, nodes, passes, .. } = self.expert();
        let start =
            if self.start.is_named() { format!(" --sfen \"{start}\"") } else { String::new() };
        format!(
            "shogi learn {variant} --for proofs --seed {seed} {linear} --rounds {rounds} --searches \
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
fn linear(arguments: &Arguments, start: &str, job: &mut Job<'_>) -> Result<String> {
    match &arguments.linear {
        Some(path) => {
            let json = file::read_text(path)?.trim_end().to_owned();
            let checked = arguments.variant.learning().check_evaluation(&json);
            checked.with_context(|| file::name(path))?;
            Ok(json)
        }
        None => {
            let (trained, saved) = train::train(job, arguments.variant, start, arguments.linear())?;
            saved?;
            Ok(trained.json)
        }
    }
}

/// The iteration in a checkpoint, if it is of the same run.
fn resume(arguments: &Arguments, start: &str, path: &Path) -> Result<Box<dyn AnyExpertIteration>> {
    let solving = arguments.variant.solving();
    let found =
        solving.resume_expert_iteration(&mut file::open(path)?, start, &arguments.expert())?;
    let json = found.linear();
    let is_same = match &arguments.linear {
        Some(path) => file::read_text(path)?.trim_end() == json,
        None => settings_of(&json)? == arguments.linear(),
    };
    if is_same {
        return Ok(found);
    }
    let found = "another linear evaluation".to_owned();
    Err(shogi_variants::Error::OtherRun { found }.into())
}

/// Learns for proofs.
fn learn(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, ref out, .. } = arguments;
    let settings = arguments.expert();
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(&arguments.checkpoint, [out])?;
    let started = Instant::now();
    let mut iteration = match job.resume() {
        Some(path) if is_of_searches(path)? => {
            resume(arguments, &start, path).with_context(|| file::unresumable(path))?
        }
        _ => {
            let linear = linear(arguments, &start, &mut job)?;
            variant.solving().expert_iteration(&start, &linear, settings)?
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
        Learnt { round, fitted }
    });
    let answer = Answer {
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
    let read = file::open(path)?.take(EXPERT.magic.len() as u64).read_to_end(&mut head);
    read.with_context(|| file::unreadable(path))?;
    Ok(head == EXPERT.magic)
}

/// Checks an evaluation for proof searches or a checkpoint of one, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    learnt::verify(input, EXPERT.most, common, &|bytes| {
        if bytes.starts_with(&EFFORT.magic) {
            let variant = read_effort_variant(bytes)?.parse::<Variant>()?;
            variant.learning().check_proof_evaluation(&mut &bytes[..])?;
            return Ok((variant, Content::Evaluation("an evaluation for proof searches of")));
        }
        let variant = read_expert_variant(bytes)?.parse::<Variant>()?;
        let searches = variant.solving().check_expert_iteration(&mut &bytes[..])?;
        Ok((variant, Content::Checkpoint("learn", Done::Searches(searches))))
    })
}
