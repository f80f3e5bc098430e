//! `learn fit`: evaluations of the player, fitted to games and positions.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Error, Result};
use serde::Serialize;
use shogi_learn::targets::Aim;
use shogi_learn::training_data::DataFormat;
use shogi_learn::value::NetFit;
use shogi_learn::weighted::WeightedFit;
use shogi_learn::{FitPass, FitProgress};
use shogi_variants::operations::{AnyFit, FitSettings, JudgedBy};

use crate::bar::count;
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::examples::{FORMATS, with_examples};
use crate::job::Job;
use crate::verbs::learn::evaluation_arguments::EvaluationArguments;
use crate::{amount, examples, file, print};

/// Arguments of `learn fit`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// Fit to the games of this archive, which `selfplay` has made, or to training data in PSV or hcpe; may be given
    /// more than once.
    #[arg(long, value_name = "FILE", required = true)]
    archive: Vec<PathBuf>,
    /// Format of the files that are no archives [default: by the ends of their names, .psv or .bin, .hcpe].
    #[arg(long, value_parser = choice::parser(FORMATS), value_name = "FORMAT")]
    from: Option<DataFormat>,
    /// The form of the evaluation.
    #[arg(long, value_parser = choice::parser(FORMS), default_value = "network")]
    form: FitForm,
    /// Passes over the positions of the games [default: 4 for a network, halfkp and kp, 24 for weights, 1 for a
    /// correction].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    passes: Option<u32>,
    /// The size of the first steps [default: 0.002 for a network, halfkp and kp, 0.02 for weights, 0.001 for a correction].
    #[arg(long, value_name = "X", value_parser = amount::share)]
    rate: Option<f32>,
    /// Leave out the entries of training data whose move is illegal in their position, and report how many; without this
    /// option such a file is refused.
    #[arg(long)]
    skip_illegal: bool,
    /// Aim at so much of the game's result, from 0 to 1, and else at what the search thought of the position itself; a
    /// position in which it saw the end counts as won or lost [default: in archives what the search thought of the
    /// position and all that came after it, else 0.4].
    #[arg(long, value_name = "SHARE", value_parser = amount::part)]
    result_share: Option<f32>,
    /// Begin from the weights of this network, instead of from random ones, as with `zero`: for halfkp and kp, of the same
    /// form.
    #[arg(long, value_name = "NAME|FILE")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    base: Judgement,
}

/// The form that is fitted.
#[derive(Clone, Copy, Debug)]
enum FitForm {
    Network,
    Weighted,
    Correction,
    HalfKp,
    Kp,
}

const FORMS: &[Choice<FitForm>] = &[
    ("network", "A network", FitForm::Network),
    ("weighted", "Weights of features", FitForm::Weighted),
    (
        "correction",
        "A network that adds to the weights of features, which --eval names, what these do not see",
        FitForm::Correction,
    ),
    (
        "halfkp",
        "An nn.bin that YaneuraOu and other programs load, HalfKP 256x2-32-32, for shogi",
        FitForm::HalfKp,
    ),
    ("kp", "The same of the form K-P 256x2-32-32, a smaller one, for every game", FitForm::Kp),
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
    /// Entries of training data that were left out, if that was allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    settings: FitSettings,
    passes: Vec<FitPass>,
    seconds: f64,
}

impl fmt::Display for FitAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, name, bytes, games, skipped, passes, seconds, .. } = self;
        writeln!(f, "pass    loss{}", if bytes.is_some() { "  held out" } else { "" })?;
        for FitPass { number, loss, held_out, .. } in passes {
            write!(f, "{number:>4}  {loss:>6.4}")?;
            match held_out {
                Some(held_out) => writeln!(f, "  {held_out:>8.4}")?,
                None if bytes.is_some() => writeln!(f, "  {:>8}", "-")?,
                None => writeln!(f)?,
            }
        }
        if let Some(skipped) = skipped {
            writeln!(f, "{}", examples::skipped(*skipped))?;
        }
        match (bytes, games) {
            (Some(bytes), _) => write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s"),
            // Training data does not say how many games it is from.
            (None, None | Some(0)) => write!(f, "{name}: in {file}, {seconds:.1} s"),
            (None, Some(games)) => {
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
            let rate = self.rate.unwrap_or(default.rate);
            let result_share = self.result_share.unwrap_or(default.result_share);
            NetFit { passes, seed, rate, result_share, ..default }
        };
        match self.form {
            FitForm::Network => FitSettings::Network(network(NetFit::default())),
            FitForm::Correction => FitSettings::Network(network(NetFit::correction())),
            FitForm::HalfKp => FitSettings::HalfKp(network(NetFit::default())),
            FitForm::Kp => FitSettings::Kp(network(NetFit::default())),
            FitForm::Weighted => {
                let default = WeightedFit::default();
                let passes = self.passes.unwrap_or(default.passes);
                let rate = self.rate.unwrap_or(default.rate);
                FitSettings::Weighted(WeightedFit { passes, rate, seed, ..default })
            }
        }
    }

    /// The aims that positions are fitted to.
    fn aim(&self) -> Aim {
        self.result_share.map_or(Aim::Later, |result_share| Aim::Mixture { result_share })
    }

    /// The command that makes the evaluation again, but for the archives.
    fn command(&self) -> String {
        let EvaluationArguments { variant, seed, .. } = self.evaluation;
        let (form, base) = match self.form {
            FitForm::Network => ("network", String::new()),
            FitForm::Weighted => ("weighted", String::new()),
            FitForm::HalfKp => ("halfkp", String::new()),
            FitForm::Kp => ("kp", String::new()),
            FitForm::Correction => ("correction", format!(" --eval {}", self.base.name())),
        };
        let passes = match self.settings() {
            FitSettings::Network(NetFit { passes, .. })
            | FitSettings::HalfKp(NetFit { passes, .. })
            | FitSettings::Kp(NetFit { passes, .. }) => passes,
            FitSettings::Weighted(WeightedFit { passes, .. }) => passes,
        };
        let rate = self.rate.map(|rate| format!(" --rate {rate}")).unwrap_or_default();
        let skip = if self.skip_illegal { " --skip-illegal" } else { "" };
        let share = self.result_share.map(|share| format!(" --result-share {share}"));
        let weights = self.weights.as_ref().map(|path| format!(" --weights {}", path.display()));
        let [share, weights] = [share, weights].map(Option::unwrap_or_default);
        format!(
            "shogi learn fit {variant} --form {form} --seed {seed} --passes {passes}{rate}{skip}{share}{weights}{base}"
        )
    }

    /// The fit without a step, over the weights of --eval if it is to correct them, or from those of --weights; how many
    /// entries were skipped.
    fn begin(&self) -> Result<(Box<dyn AnyFit>, Option<u64>)> {
        with_examples(&self.archive, self.from, self.skip_illegal, |examples| {
            let mut begin = |base: Option<JudgedBy<'_>>| {
                let learning = self.evaluation.variant.learning();
                learning.fit(examples, self.settings(), base, self.aim(), &self.command())
            };
            match (self.form, &self.weights) {
                (FitForm::Correction, _) => self.base.apply(|base| begin(Some(base))),
                (_, Some(path)) => Judgement::of(path.clone()).apply(|base| begin(Some(base))),
                (_, None) => begin(None).map_err(Error::from),
            }
        })
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { form, ref base, .. } = arguments;
    let &EvaluationArguments { variant, ref out, ref checkpoint, .. } = &arguments.evaluation;
    if !matches!(form, FitForm::Correction) && !base.is_standard() {
        return Err(Usage("--eval needs --form correction".to_owned()).into());
    }
    if arguments.weights.is_some() && !matches!(form, FitForm::HalfKp | FitForm::Kp) {
        return Err(Usage("--weights needs --form halfkp or kp".to_owned()).into());
    }
    let mut job = Job::start(checkpoint, [out])?;
    let (mut fit, skipped) = arguments.begin()?;
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
        skipped,
        settings: arguments.settings(),
        passes: fit.progress().passes.to_vec(),
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}
