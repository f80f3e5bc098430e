//! `learn match`: which of two evaluations plays better.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result};
use serde::Serialize;
use shogi_learn::arena::{MatchScore, Test};
use shogi_learn::matches::MatchSettings;
use shogi_learn::self_play::{MAX_PLIES, SelfPlay};
use shogi_search::EVALUATIONS;
use shogi_variants::operations::AnyMatch;

use crate::bar::count;
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::evaluation::Judgement;
use crate::job::{Checkpoint, Job};
use crate::start::Start;
use crate::variant::Game;
use crate::verbs::selfplay::effort;
use crate::{amount, file, print};

/// Arguments of `learn match`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    first: Judgement,
    /// The evaluation that it plays: a name or a file, as for --eval.
    #[arg(long, value_name = "NAME|FILE", default_value = EVALUATIONS[0])]
    against: PathBuf,
    /// Write the result, a JSON object, to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pairs of games at most; both games of a pair have the same opening.
    #[arg(long, value_name = "N", default_value = "200", value_parser = amount::count::<u32>(1..=1_000_000))]
    pairs: u32,
    /// Nodes for each move [default: 1000].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(1..))]
    nodes: Option<u64>,
    /// Time for each move, such as 0.1 or 2s; the games then depend on the machine.
    #[arg(long, value_name = "T", value_parser = amount::time, conflicts_with = "nodes")]
    movetime: Option<Duration>,
    /// Plies after which a game is a draw.
    #[arg(long, value_name = "N", default_value = amount::default(SelfPlay::default().plies), value_parser = amount::count::<u32>(..=u64::from(MAX_PLIES)))]
    plies: u32,
    /// Seed of the openings: with the same seed and effort in nodes the games are always the same.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// End the match early where the first is so many Elo stronger at most, with an error of 5 %.
    #[arg(long, value_name = "ELO", default_value = "0", allow_negative_numbers = true)]
    low: f64,
    /// End the match early where the first is so many Elo stronger at least, with an error of 5 %.
    #[arg(long, value_name = "ELO", default_value = "30", allow_negative_numbers = true)]
    high: f64,
    #[command(flatten)]
    checkpoint: Checkpoint,
    #[command(flatten)]
    start: Start,
}

/// The result, from the first player's side.
#[derive(Serialize)]
struct MatchAnswer {
    #[serde(flatten)]
    settings: MatchSettings,
    #[serde(flatten)]
    score: MatchScore,
    /// The share of points.
    share: f64,
    /// The difference in Elo and its 95 % interval; null where it is infinite.
    elo: [f64; 3],
    seconds: f64,
}

impl fmt::Display for MatchAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { settings, score: MatchScore { won, drawn, lost }, share, elo, seconds } = self;
        let [first, second] = &settings.players;
        let [elo, low, high] = elo;
        writeln!(f, "{first} against {second}: {won} won, {drawn} drawn, {lost} lost")?;
        write!(f, "{:.1} %, {elo:+.0} Elo ({low:+.0} to {high:+.0}), {seconds:.1} s", 100.0 * share)
    }
}

impl Arguments {
    /// The match without a game.
    fn begin(&self, start: &str) -> Result<Box<dyn AnyMatch>> {
        let &Self { game: Game { variant }, pairs, plies, seed, low, high, .. } = self;
        let effort = effort(self.movetime, self.nodes);
        let settings = SelfPlay { seed, effort, plies, ..SelfPlay::default() };
        let test = Test { pairs, low, high };
        let second = Judgement::of(self.against.clone());
        let mut begun = Err(Error::msg("no evaluation was read"));
        self.first.apply(|first| {
            begun = second.apply(|second| {
                variant.learning().play_match(start, settings, test, [first, second])
            });
            if begun.is_err() {
                // What is wrong with the first is not to be said of the second's file.
                variant.playing().evaluation(first)?;
            }
            Ok(())
        })?;
        begun
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { game: Game { variant }, low, high, ref out, .. } = arguments;
    if !(low.is_finite() && high.is_finite() && low < high) {
        return Err(Usage("--low has to be less than --high".to_owned()).into());
    }
    let start = arguments.start.sfen(variant)?;
    let mut job = Job::start(&arguments.checkpoint, out)?;
    let mut played = arguments.begin(&start)?;
    if let Some(path) = job.resume() {
        played.resume(&mut file::open(path)?).with_context(|| file::unresumable(path))?;
    }
    let games = 2 * u64::from(arguments.pairs);
    job.show(count(games, played.score().games().into(), "games"));
    let started = Instant::now();
    let end = played.run(rayon::current_num_threads(), &mut |played| {
        let score = played.score();
        let [elo, low, high] = score.elo();
        job.bar().set_position(score.games().into());
        job.bar().set_message(format!(", {elo:+.0} Elo ({low:+.0} to {high:+.0})"));
        job.pulse(&mut |out| Ok(played.write(out)?))
    });
    let saved = job.end(&mut |out| Ok(played.write(out)?));
    let Some(score) = end else {
        saved?;
        return Err(job.interrupted(&format!("{} games are", played.score().games())));
    };
    let (share, elo, settings) = (score.share(), score.elo(), played.settings().clone());
    let seconds = started.elapsed().as_secs_f64();
    let answer = MatchAnswer { settings, score, share, elo, seconds };
    if let Some(out) = out {
        file::write_whole(out, format!("{}\n", serde_json::to_string(&answer)?).as_bytes())?;
    }
    print::answer_beside(out, common.json, &answer, &answer)?;
    saved?;
    Ok(Outcome::Good)
}
