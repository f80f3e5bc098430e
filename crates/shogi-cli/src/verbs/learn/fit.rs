//! `learn fit`: evaluations of the player, fitted to the games of archives.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Error, Result};
use serde::Serialize;
use shogi_learn::value::NetFit;
use shogi_learn::weighted::WeightedFit;
use shogi_learn::{FitPass, FitProgress};
use shogi_variants::operations::{AnyFit, FitSettings, JudgedBy};

use crate::bar::count;
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::job::Job;
use crate::verbs::learn::evaluation_arguments::EvaluationArguments;
use crate::{amount, file, print};

/// Arguments of `learn fit`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Fit to the games of this archive, which `selfplay` has made; may be given more than once.
    #[arg(long, value_name = "FILE", required = true)]
    archive: Vec<PathBuf>,
    /// What is made.
    #[arg(long, value_parser = choice::parser(FORMS), default_value = "network")]
    form: FitForm,
    /// Passes over the positions of the games [default: 4 for a network, 24 for weights, 1 for a correction].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    passes: Option<u32>,
    #[command(flatten)]
    base: Judgement,
}

/// What is fitted.
#[derive(Clone, Copy, Debug)]
enum FitForm {
    Network,
    Weighted,
    Correction,
}

const FORMS: &[Choice<FitForm>] = &[
    ("network", "A network", FitForm::Network),
    ("weighted", "Weights of features", FitForm::Weighted),
    (
        "correction",
        "A network that adds to the weights of features, which --eval names, what these do not see",
        FitForm::Correction,
    ),
];

#[derive(Serialize)]
struct FitAnswer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the evaluation by.
    name: String,
    /// The size of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    /// How many games weights were fitted to.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    settings: FitSettings,
    passes: Vec<FitPass>,
    seconds: f64,
}

impl fmt::Display for FitAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, name, bytes, games, passes, seconds, .. } = self;
        writeln!(f, "pass    loss{}", if bytes.is_some() { "  held out" } else { "" })?;
        for FitPass { number, loss, held_out, .. } in passes {
            write!(f, "{number:>4}  {loss:>6.4}")?;
            match held_out {
                Some(held_out) => writeln!(f, "  {held_out:>8.4}")?,
                None => writeln!(f)?,
            }
        }
        match (bytes, games) {
            (Some(bytes), _) => write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s"),
            (None, games) => {
                let games = games.unwrap_or_default();
                write!(f, "{name}: fitted to {games} games in {file}, {seconds:.1} s")
            }
        }
    }
}

impl Arguments {
    /// How the evaluation is fitted.
    fn settings(&self) -> FitSettings {
        let seed = self.evaluation.seed;
        let network = |default: NetFit| {
            let passes = self.passes.unwrap_or(default.passes);
            FitSettings::Network(NetFit { passes, seed, ..default })
        };
        match self.form {
            FitForm::Network => network(NetFit::default()),
            FitForm::Correction => network(NetFit::correction()),
            FitForm::Weighted => {
                let default = WeightedFit::default();
                let passes = self.passes.unwrap_or(default.passes);
                FitSettings::Weighted(WeightedFit { passes, seed, ..default })
            }
        }
    }

    /// The command that makes the evaluation again, but for the archives.
    fn command(&self) -> String {
        let EvaluationArguments { variant, seed, .. } = self.evaluation;
        let (form, base) = match self.form {
            FitForm::Network => ("network", String::new()),
            FitForm::Weighted => ("weighted", String::new()),
            FitForm::Correction => ("correction", format!(" --eval {}", self.base.name())),
        };
        let passes = match self.settings() {
            FitSettings::Network(NetFit { passes, .. }) => passes,
            FitSettings::Weighted(WeightedFit { passes, .. }) => passes,
        };
        format!("shogi learn fit {variant} --form {form} --seed {seed} --passes {passes}{base}")
    }

    /// The fit without a step, over the weights of --eval if it is to correct them.
    fn begin(&self) -> Result<Box<dyn AnyFit>> {
        let games = file::read_archives(&self.archive)?;
        let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
        let begin = |base: Option<JudgedBy<'_>>| {
            self.evaluation.variant.learning().fit(&games, self.settings(), base, &self.command())
        };
        let begun = match self.form {
            FitForm::Correction => self.base.apply(|base| begin(Some(base))),
            FitForm::Network | FitForm::Weighted => begin(None).map_err(Error::from),
        };
        begun.map_err(|error| file::in_archive(error, &self.archive))
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { form, ref base, .. } = arguments;
    let &EvaluationArguments { variant, ref out, ref checkpoint, .. } = &arguments.evaluation;
    if !matches!(form, FitForm::Correction) && !base.is_standard() {
        return Err(Usage("--eval needs --form correction".to_owned()).into());
    }
    let mut job = Job::start(checkpoint, [out])?;
    let mut fit = arguments.begin()?;
    if let Some(path) = job.resume() {
        fit.resume(&mut file::open(path)?).with_context(|| file::unresumable(path))?;
    }
    let FitProgress { done, total, .. } = fit.progress();
    job.show(count(total, done, "positions"));
    let started = Instant::now();
    let learnt = fit.run(&mut |fit| {
        job.bar().set_position(fit.progress().done);
        job.pulse(&mut |out| Ok(fit.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(fit.write(out)?));
    let Some(learnt) = learnt else {
        saved?;
        let FitProgress { done, total, .. } = fit.progress();
        return Err(job.interrupted(&format!("{done} of {total} positions are")));
    };
    file::write_whole(out, &learnt.file)?;
    let is_weighted = matches!(form, FitForm::Weighted);
    let answer = FitAnswer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: learnt.name,
        bytes: (!is_weighted).then_some(learnt.file.len()),
        games: is_weighted.then(|| fit.games()),
        settings: arguments.settings(),
        passes: fit.progress().passes.to_vec(),
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}
