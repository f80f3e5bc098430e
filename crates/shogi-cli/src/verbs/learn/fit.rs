//! `learn fit`: evaluations of the player, fitted to the games of archives.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Error, Result};
use serde::Serialize;
use shogi_learn::value::{NetFit, NetPass};
use shogi_learn::weighted::{WeightedFit, WeightedPass};
use shogi_variants::operations::JudgedBy;

use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::variant::{self, Variant};
use crate::{amount, bar, file, print};

/// Arguments of `learn fit`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Write the evaluation to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Fit to the games of this archive, which `selfplay` has made; may be given more than once.
    #[arg(long, value_name = "FILE", required = true)]
    archive: Vec<PathBuf>,
    /// What is made.
    #[arg(long, value_parser = choice::parser(FORMS), default_value = "network")]
    form: Form,
    /// Seed of all that is drawn: the same seed always makes the same evaluation.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// Passes over the positions of the games [default: 4 for a network, 24 for weights, 1 for a correction].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    passes: Option<u32>,
    #[command(flatten)]
    base: Judgement,
}

/// What is fitted.
#[derive(Clone, Copy, Debug)]
enum Form {
    Network,
    Weighted,
    Correction,
}

const FORMS: &[Choice<Form>] = &[
    ("network", "A network", Form::Network),
    ("weighted", "Weights of features", Form::Weighted),
    (
        "correction",
        "A network that adds to the weights of features, which --eval names, what these do not see",
        Form::Correction,
    ),
];

/// The answer of a fit, whose passes come to `P` each.
#[derive(Serialize)]
struct Answer<S, P> {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the evaluation by.
    name: String,
    #[serde(flatten)]
    size: Size,
    settings: S,
    passes: Vec<P>,
    seconds: f64,
}

/// How much was read or written.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Size {
    /// Bytes of a network.
    Bytes(usize),
    /// Games that weights were fitted to.
    Games(usize),
}

impl<S, P> Answer<S, P> {
    /// The last line of the text.
    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, name, size, seconds, .. } = self;
        match size {
            Size::Bytes(bytes) => write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s"),
            Size::Games(games) => {
                write!(f, "{name}: fitted to {games} games in {file}, {seconds:.1} s")
            }
        }
    }
}

impl fmt::Display for Answer<NetFit, NetPass> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pass    loss  held out")?;
        for NetPass { number, loss, held_out, .. } in &self.passes {
            writeln!(f, "{number:>4}  {loss:>6.4}  {held_out:>8.4}")?;
        }
        self.write_end(f)
    }
}

impl fmt::Display for Answer<WeightedFit, WeightedPass> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pass    loss")?;
        for WeightedPass { number, loss } in &self.passes {
            writeln!(f, "{number:>4}  {loss:>6.4}")?;
        }
        self.write_end(f)
    }
}

impl Arguments {
    /// The command that makes the evaluation again, but for the archives.
    fn command(&self, form: &str, passes: u32) -> String {
        let Self { variant, seed, .. } = self;
        let mut command =
            format!("shogi learn fit {variant} --form {form} --seed {seed} --passes {passes}");
        if let Form::Correction = self.form {
            command += &format!(" --eval {}", self.base.name());
        }
        command
    }

    /// The games to fit to.
    fn games(&self) -> Result<Vec<Vec<u8>>> {
        file::check_writable(&self.out)?;
        file::read_archives(&self.archive)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let is_correction = matches!(arguments.form, Form::Correction);
    if !is_correction && !arguments.base.is_standard() {
        return Err(Usage("--eval needs --form correction".to_owned()).into());
    }
    match arguments.form {
        Form::Network => network(arguments, "network", NetFit::default(), common),
        Form::Correction => network(arguments, "correction", NetFit::correction(), common),
        Form::Weighted => weighted(arguments, common),
    }
}

/// Fits a network, over the weights of --eval if it is to correct them.
fn network(arguments: &Arguments, form: &str, default: NetFit, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, seed, ref out, .. } = arguments;
    let passes = arguments.passes.unwrap_or(default.passes);
    let (fit, command) = (NetFit { passes, seed, ..default }, arguments.command(form, passes));
    let games = arguments.games()?;
    let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let bar = bar::count(0, 0, "positions");
    let (started, mut passes) = (Instant::now(), Vec::new());
    let mut fit_over = |base: Option<JudgedBy<'_>>| {
        variant.learning().fit_network(&games, base, &fit, &command, &mut |fitting| {
            bar.set_length(fitting.total);
            bar.set_position(fitting.done);
            passes = fitting.passes.to_vec();
            ControlFlow::Continue(())
        })
    };
    let net = match arguments.form {
        Form::Correction => arguments.base.apply(|base| fit_over(Some(base))),
        Form::Network | Form::Weighted => fit_over(None).map_err(Error::from),
    };
    let net = net.map_err(|error| file::in_archive(error, &arguments.archive))?;
    bar.finish_and_clear();
    file::write_whole(out, &net.file)?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: net.name,
        size: Size::Bytes(net.file.len()),
        settings: fit,
        passes,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}

/// Fits weights.
fn weighted(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, seed, ref out, .. } = arguments;
    let default = WeightedFit::default();
    let passes = arguments.passes.unwrap_or(default.passes);
    let fit = WeightedFit { passes, seed, ..default };
    let command = arguments.command("weighted", passes);
    let games = arguments.games()?;
    let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let bar = bar::count(passes.into(), 0, "passes");
    let (started, mut passes) = (Instant::now(), Vec::new());
    let fitted = variant.learning().weigh(&games, &fit, &command, &mut |pass| {
        bar.inc(1);
        passes.push(*pass);
    });
    let fitted = fitted.map_err(|error| file::in_archive(error.into(), &arguments.archive))?;
    bar.finish_and_clear();
    file::write_whole(out, format!("{}\n", fitted.json).as_bytes())?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: fitted.name,
        size: Size::Games(fitted.games),
        settings: fit,
        passes,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    Ok(Outcome::Good)
}
