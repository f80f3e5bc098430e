//! `learn play`: the network that the player judges positions by, made from self-play.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_learn::archive::FORMAT as ARCHIVE;
use shogi_learn::learner::{Generation, LearnerProgress, Learning};
use shogi_learn::saved::Work;
use shogi_learn::self_play::{Effort, MAX_PLIES, SelfPlay};
use shogi_learn::value::NetFit;

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::job::Job;
use crate::start::Start;
use crate::verbs::learn::evaluation_arguments::EvaluationArguments;
use crate::{amount, file, print};

/// Nodes for each move.
const NODES: u64 = 1000;

/// Arguments of `learn play`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    evaluation: EvaluationArguments,
    /// How many times games are played and learnt from.
    #[arg(
        long,
        value_name = "G",
        default_value = amount::default(Learning::default().generations),
        value_parser = amount::count::<u32>(1..)
    )]
    generations: u32,
    /// Games of each generation.
    #[arg(
        long,
        value_name = "N",
        default_value = amount::default(Learning::default().games),
        value_parser = amount::count::<u32>(10..)
    )]
    games: u32,
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value = amount::default(NODES), value_parser = amount::count::<u64>(1..))]
    nodes: u64,
    /// Plies after which a game is a draw.
    #[arg(long, value_name = "N", default_value = amount::default(SelfPlay::default().plies), value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    plies: u32,
    /// Passes of a fit over the positions of the games.
    #[arg(long, value_name = "N", default_value = amount::default(NetFit::default().passes), value_parser = amount::count::<u32>(1..))]
    passes: u32,
    /// Take the first games from this archive, which `selfplay` has made with the same seed, nodes, plies and
    /// evaluation, instead of playing them.
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    #[command(flatten)]
    first: Judgement,
    #[command(flatten)]
    start: Start,
}

impl Arguments {
    /// How the network is made.
    fn learning(&self) -> Learning {
        let default = Learning::default();
        let &Self { generations, games, nodes, plies, passes, .. } = self;
        let seed = self.evaluation.seed;
        let effort = Effort::Nodes(nodes);
        Learning {
            generations,
            games,
            self_play: SelfPlay { seed, effort, plies, ..default.self_play },
            fit: NetFit { passes, seed, ..default.fit },
            match_nodes: nodes.saturating_mul(5),
            ..default
        }
    }

    /// The command that makes the network again, whatever the threads and the file's name.
    fn command(&self) -> String {
        let &Self { generations, games, nodes, plies, passes, .. } = self;
        let EvaluationArguments { variant, seed, .. } = self.evaluation;
        format!(
            "shogi learn play {variant} --seed {seed} --generations {generations} --games {games} --nodes \
             {nodes} --plies {plies} --passes {passes} --eval {}",
            self.first.name()
        )
    }
}

#[derive(Serialize)]
struct NetworkAnswer {
    file: String,
    variant: &'static str,
    /// The name that `selfplay` calls the network by.
    name: String,
    bytes: usize,
    settings: Learning,
    generations: Vec<Generation>,
    seconds: f64,
}

impl fmt::Display for NetworkAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "generation  positions  held out   won  drawn  lost    Elo  kept")?;
        for (number, generation) in (1..).zip(&self.generations) {
            let &Generation { positions, pass, score, kept } = generation;
            let held_out = pass.and_then(|pass| pass.held_out);
            let held_out = held_out.map_or("-".to_owned(), |loss| format!("{loss:.4}"));
            let ([elo, ..], kept) = (score.elo(), if kept { "yes" } else { "no" });
            write!(f, "{number:>10}  {positions:>9}  {held_out:>8}  {:>4}  ", score.won)?;
            writeln!(f, "{:>5}  {:>4}  {elo:>+5.0}  {kept}", score.drawn, score.lost)?;
        }
        let Self { file, name, bytes, seconds, .. } = self;
        write!(f, "{name}: {bytes} bytes in {file}, {seconds:.1} s")
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { generations, games, .. } = arguments;
    let &EvaluationArguments { variant, ref out, ref checkpoint, .. } = &arguments.evaluation;
    let (learning, command) = (arguments.learning(), arguments.command());
    let all_games = generations.checked_mul(games).ok_or_else(|| {
        Usage(format!("{generations} generations of {games} games are more than {}", u32::MAX))
    })?;
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(checkpoint, [out])?;
    let mut learner = arguments
        .first
        .apply(|first| variant.learning().learner(&start, learning, first, &command))?;
    if let Some(path) = &arguments.archive {
        let taken = learner.take_games(&file::read_format(path, &ARCHIVE)?);
        taken.with_context(|| format!("{}: cannot take games from it", file::name(path)))?;
    }
    if let Some(path) = job.resume() {
        let file = file::read_format(path, &Work::SelfPlay.format())?;
        learner.resume(&file).with_context(|| file::unresumable(path))?;
    }
    job.show(count(all_games.into(), learner.games() as u64, "games"));
    let started = Instant::now();
    let net = learner.run(rayon::current_num_threads(), &mut |learner, progress| {
        match progress {
            LearnerProgress::Game => job.bar().set_position(learner.games() as u64),
            LearnerProgress::Fit(fit) => {
                let percent = 100 * fit.done / fit.total.max(1);
                job.bar().set_message(format!(", {percent} % fitted"));
            }
            LearnerProgress::Match(score) => {
                let [elo, low, high] = score.elo();
                let played = score.games();
                job.bar().set_message(format!(
                    ", {elo:+.0} Elo ({low:+.0} to {high:+.0}) in {played} games of the match"
                ));
            }
            LearnerProgress::Generation(_) => job.bar().set_message(""),
        }
        job.pulse(&mut |out| Ok(learner.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(learner.write(out)?));
    let Some(net) = net else {
        saved?;
        return Err(job.interrupted(&format!("{} games are", learner.games())));
    };
    file::write_whole(out, &net.file)?;
    let answer = NetworkAnswer {
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
