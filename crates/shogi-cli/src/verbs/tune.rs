//! `tune`: the tables that the player judges positions by, made from self-play.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_search::archive::FORMAT;
use shogi_search::self_play::{Effort, MAX_PLIES, SelfPlay};
use shogi_search::tune::{Progress, Tuning};

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::{self, Variant};
use crate::{amount, file, print};

/// Nodes for each move.
pub const NODES: u64 = 1000;

/// Arguments of `tune`, which is `learn --form tables`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    pub variant: Variant,
    /// Write the tables to this file.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Seed of the games: the same seed always makes the same tables.
    #[arg(long, value_name = "S", default_value = amount::default(SelfPlay::default().seed), value_parser = amount::count::<u64>(..))]
    pub seed: u64,
    /// How many times games are played and learnt from.
    #[arg(
        long,
        value_name = "G",
        default_value = amount::default(Tuning::default().generations),
        value_parser = amount::count::<u32>(1..)
    )]
    pub generations: u32,
    /// Games of each generation.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(Tuning::default().games),
        value_parser = amount::count::<u32>(10..)
    )]
    pub games: u32,
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value = amount::default(NODES), value_parser = amount::count::<u64>(..))]
    pub nodes: u64,
    /// Plies after which a game is a draw.
    #[arg(long, value_name = "N", default_value = amount::default(SelfPlay::default().plies), value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    pub plies: u32,
    #[command(flatten)]
    pub checkpoint: Checkpoint,
    #[command(flatten)]
    pub start: Start,
}

/// What the fit of a generation has come to.
#[derive(Serialize, Clone, Copy, Debug)]
struct Fitted {
    /// Positions that were fitted, those of the generations before that are kept among them.
    positions: usize,
    /// The mean cross-entropy of the last pass, in nats.
    loss: f32,
    /// That of the positions kept out of the fit.
    held_out: f32,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the tables by.
    name: String,
    weights: usize,
    settings: Tuning,
    generations: Vec<Fitted>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions    loss  held out")?;
        for (number, fitted) in (1..).zip(&self.generations) {
            let Fitted { positions, loss, held_out } = fitted;
            writeln!(f, "{number:>10}  {positions:>9}  {loss:>6.4}  {held_out:>8.4}")?;
        }
        let Self { file, name, weights, seconds, .. } = self;
        write!(f, "{name}: {weights} weights in {file}, {seconds:.1} s")
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, seed, generations, games, nodes, plies, ref out, .. } = arguments;
    let all_games = generations.checked_mul(games).ok_or_else(|| {
        Usage(format!("{generations} generations of {games} games are more than {}", u32::MAX))
    })?;
    let start = arguments.start.sfen(variant)?;
    let self_play = SelfPlay { seed, effort: Effort::Nodes(nodes), plies, ..SelfPlay::default() };
    let settings = Tuning { generations, games, self_play, ..Tuning::default() };
    // What the tables depend on: neither the threads nor the file's name.
    let origin = format!(
        "shogi tune {variant} --seed {seed} --generations {generations} --games {games} \
         --nodes {nodes} --plies {plies}"
    );
    let mut job = Job::start(&arguments.checkpoint, [out])?;
    let mut tuner = variant.playing().tuner(&start, settings, &origin)?;
    if let Some(path) = job.resume() {
        let file = file::read_format(path, &FORMAT)?;
        tuner.resume(&file).with_context(|| file::unresumable(path))?;
    }
    job.show(count(all_games.into(), tuner.archive().len() as u64, "games"));
    let started = Instant::now();
    let mut fits = Vec::new();
    let tables = tuner.run(rayon::current_num_threads(), &mut |archive, progress| {
        match progress {
            Progress::Games(played) => job.bar().set_position(played.into()),
            Progress::Fitted { positions, pass, .. } => {
                job.bar().set_message(format!(", held out {:.4}", pass.held_out));
                fits.push(Fitted { positions, loss: pass.loss, held_out: pass.held_out });
            }
        }
        job.pulse(&mut |out| Ok(archive.write(out)?))
    })?;
    let saved = job.end(&mut |out| Ok(tuner.archive().write(out)?));
    let Some(tables) = tables else {
        saved?;
        return Err(job.interrupted(&format!("{} games are", tuner.archive().len())));
    };
    file::write_whole(out, format!("{}\n", tables.json).as_bytes())?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: tables.name,
        weights: tables.weights,
        settings,
        generations: fits,
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}
