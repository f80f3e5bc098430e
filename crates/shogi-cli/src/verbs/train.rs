//! `train`: an evaluation learnt from self-play.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use shogi_rules::Rules;
use shogi_solve::learn::{FEATURE_SET, Features, Quality, Settings, train};

use crate::bar::count;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::start::Start;
use crate::variant::{self, Variant, dispatch};
use crate::{amount, file, print};

/// Arguments of `train`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Write the evaluation to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of the games: the same seed always makes the same evaluation.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// Games of each generation.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Settings::default().games,
        value_parser = amount::count::<u32>(10..)
    )]
    games: u32,
    /// How many times games are played and learnt from.
    #[arg(
        long,
        value_name = "G",
        default_value_t = Settings::default().generations,
        value_parser = amount::count::<u32>(1..)
    )]
    generations: u32,
    #[command(flatten)]
    start: Start,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    features: &'static str,
    weights: usize,
    start: String,
    settings: Settings,
    generations: Vec<Quality>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions  log-loss  (mean)  accuracy  (mean)")?;
        for (i, quality) in self.generations.iter().enumerate() {
            let Quality { positions, log_loss, log_loss_of_mean, .. } = quality;
            let Quality { accuracy, accuracy_of_mean, .. } = quality;
            writeln!(
                f,
                "{:>10}  {positions:>9}  {log_loss:>8.4}  {log_loss_of_mean:.4}  {accuracy:>8.4}  \
                 {accuracy_of_mean:.4}",
                i + 1,
            )?;
        }
        write!(f, "{} weights in {}, {:.1} s", self.weights, self.file, self.seconds)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => run_for::<R>(arguments, common))
}

fn run_for<R: Rules>(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { seed, games, generations, .. } = arguments;
    let start = arguments.start.position::<R>()?;
    file::check_writable(&arguments.out)?;
    let interrupt = Interrupt::listen()?;
    let settings = Settings { seed, games, generations, ..Settings::default() };
    let bar = count(u64::from(games) * u64::from(generations), 0, "games");
    let started = Instant::now();
    let trained = train(&start, settings, |progress| {
        bar.set_position(progress.games);
        if let Some(last) = progress.generations.last() {
            bar.set_message(format!(", log-loss {:.4}", last.log_loss));
        }
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let Some(trained) = trained else {
        return Err(Interrupted { advice: "nothing is written".to_owned() }.into());
    };
    let seconds = started.elapsed().as_secs_f64();
    let evaluation = &trained.evaluation;
    file::write_whole(&arguments.out, format!("{}\n", evaluation.to_json()).as_bytes())?;
    let answer = Answer {
        file: arguments.out.display().to_string(),
        variant: R::NAME,
        features: FEATURE_SET,
        weights: Features::<R>::COUNT,
        start: evaluation.start().to_owned(),
        settings,
        generations: trained.generations,
        seconds,
    };
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
