//! The strength of the levels: matches against each other.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use shogi_search::Level;

use crate::bar::count;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::print;
use crate::variant::Variant;

/// The score of each level against the one below.
#[derive(Serialize)]
struct Measured {
    variant: &'static str,
    seed: u64,
    levels: Vec<LevelScore>,
    seconds: f64,
}

/// A level against the one below.
#[derive(Serialize)]
struct LevelScore {
    level: u8,
    nodes: u64,
    /// The standard deviation of its error, in hundredths of a pawn.
    error: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// The difference in Elo; null where all points went to one side.
    elo: Option<f64>,
    /// Its 95 % interval; null where it is open.
    elo_interval: [Option<f64>; 2],
}

/// Plays the matches and prints the scores.
pub fn measure(
    variant: Variant,
    start: &str,
    pairs: u32,
    seed: u64,
    json: bool,
) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let started = Instant::now();
    let (below, above) = (Level::all(), Level::all().skip(1));
    let bar = count(u64::from(pairs) * above.clone().count() as u64, 0, "pairs of games");
    let mut levels = Vec::new();
    for (low, high) in below.zip(above) {
        let score = variant.play_levels(start, [high, low], pairs, seed, &mut |_| {
            bar.inc(1);
            if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if interrupt.is_set() {
            let advice = "no match of levels is kept".to_owned();
            return Err(Interrupted { advice }.into());
        }
        let finite = |elo: f64| Some((elo * 10.0).round() / 10.0).filter(|elo| elo.is_finite());
        let [elo, least, most] = score.elo().map(finite);
        levels.push(LevelScore {
            level: high.number(),
            nodes: high.nodes(),
            error: high.error(),
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            elo,
            elo_interval: [least, most],
        });
    }
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    let measured = Measured { variant: variant.name(), seed, levels, seconds };
    print::answer(json, &measured, &measured)?;
    Ok(Outcome::Good)
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "level    nodes  error   won  drawn  lost  Elo above the level below")?;
        for LevelScore { level, nodes, error, won, drawn, lost, elo, elo_interval } in &self.levels
        {
            let bound =
                |elo: &Option<f64>| elo.map_or_else(|| "?".to_owned(), |elo| format!("{elo:.0}"));
            let [least, most] = elo_interval;
            writeln!(
                f,
                "{level:>5} {nodes:>8} {error:>6} {won:>5} {drawn:>6} {lost:>5}  {} ({} to {})",
                bound(elo),
                bound(least),
                bound(most)
            )?;
        }
        write!(f, "{} in {:.0} s", self.variant, self.seconds)
    }
}
