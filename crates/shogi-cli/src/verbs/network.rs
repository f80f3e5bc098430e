//! The network that the player judges positions by, made from self-play: `learn --for play`.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_eval::value::{FORMAT as NETWORK, read_variant as read_network_variant};
use shogi_search::archive::FORMAT as ARCHIVE;
use shogi_search::learn::{FORMAT as LEARNER, Generation, Learning, Progress, read_variant};

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::job::{Checkpoint, Job};
use crate::learnt::{self, Content, Done};
use crate::start::Start;
use crate::variant::Variant;
use crate::{file, print};

/// What `learn` was given.
pub struct Arguments<'a> {
    pub variant: Variant,
    pub learning: Learning,
    /// What the first games are played with.
    pub first: &'a Judgement,
    /// An archive that the first games are taken from.
    pub archive: Option<&'a PathBuf>,
    /// The command that makes the network again.
    pub command: String,
    pub out: &'a PathBuf,
    pub checkpoint: &'a Checkpoint,
    pub start: &'a Start,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the network by.
    name: String,
    bytes: usize,
    settings: Learning,
    generations: Vec<Generation>,
    seconds: f64,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions  held out   won  drawn  lost    Elo  kept")?;
        for (number, generation) in (1..).zip(&self.generations) {
            let &Generation { positions, pass, tally, kept } = generation;
            let held_out = pass.map_or(f32::NAN, |pass| pass.held_out);
            let ([elo, ..], kept) = (tally.elo(), if kept { "yes" } else { "no" });
            write!(f, "{number:>10}  {positions:>9}  {held_out:>8.4}  {:>4}  ", tally.won)?;
            writeln!(f, "{:>5}  {:>4}  {elo:>+5.0}  {kept}", tally.drawn, tally.lost)?;
        }
        let Self { file, name, bytes, seconds, .. } = self;
        write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s")
    }
}

/// Learns a network.
pub fn run(arguments: &Arguments<'_>, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, learning, out, .. } = arguments;
    let Learning { generations, games, .. } = learning;
    let all_games = generations.checked_mul(games).ok_or_else(|| {
        Usage(format!("{generations} generations of {games} games are more than {}", u32::MAX))
    })?;
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(arguments.checkpoint, [out])?;
    let mut learner = arguments
        .first
        .apply(|first| variant.playing().learner(&start, learning, first, &arguments.command))?;
    if let Some(path) = arguments.archive {
        let taken = learner.take_games(&file::read_format(path, &ARCHIVE)?);
        taken.with_context(|| format!("{}: cannot take games from it", file::name(path)))?;
    }
    if let Some(path) = job.resume() {
        let file = file::read_format(path, &LEARNER)?;
        learner.resume(&file).with_context(|| file::unresumable(path))?;
    }
    job.show(count(all_games.into(), learner.games() as u64, "games"));
    let started = Instant::now();
    let net = learner.run(rayon::current_num_threads(), &mut |learner, progress| {
        match progress {
            Progress::Game => job.bar().set_position(learner.games() as u64),
            Progress::Fit(fit) => {
                let percent = 100 * fit.done / fit.total.max(1);
                job.bar().set_message(format!(", {percent} % fitted"));
            }
            Progress::Match(tally) => {
                let [elo, low, high] = tally.elo();
                let played = tally.games();
                job.bar().set_message(format!(
                    ", {elo:+.0} Elo ({low:+.0} to {high:+.0}) in {played} games of the match"
                ));
            }
            Progress::Generation(_) => job.bar().set_message(""),
        }
        job.pulse(&mut |out| Ok(learner.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(learner.write(out)?));
    let Some(net) = net else {
        saved?;
        return Err(job.interrupted(&format!("{} games are", learner.games())));
    };
    file::write_whole(out, &net.file)?;
    let answer = Answer {
        file: out.display().to_string(),
        variant: variant.name(),
        name: net.name,
        bytes: net.file.len(),
        settings: learning,
        generations: learner.generations().to_vec(),
        seconds: started.elapsed().as_secs_f64(),
    };
    print::answer_beside([out], common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}

/// Checks a network or a checkpoint of one, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    learnt::verify(input, LEARNER.most, common, &|bytes| {
        if bytes.starts_with(&NETWORK.magic) {
            let variant = read_network_variant(bytes)?.parse::<Variant>()?;
            variant.playing().check_network(bytes)?;
            return Ok((variant, Content::Evaluation("a network for")));
        }
        let variant = read_variant(bytes)?.parse::<Variant>()?;
        let games = variant.playing().check_learner(bytes)?;
        Ok((variant, Content::Checkpoint("learn", Done::Games(games as u64))))
    })
}
