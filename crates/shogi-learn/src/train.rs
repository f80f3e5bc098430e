//! Training: generations of self-play, each fitted to the results of its games.

use std::ops::ControlFlow;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_rules::{Rules, to_sfen};

use crate::evaluation::Evaluation;
use crate::linear::{Linear, UNITS};
use crate::regression::{Quality, Samples, fit};
use crate::self_play::{Played, generator, play};

/// Games between two reports of progress.
const BLOCK: u32 = 64;

/// Every so many games one is not learnt from, but measured on.
const HELD_OUT: u32 = 10;

/// How to train. The default makes a useful evaluation of Kyoto shogi in about two minutes on one
/// core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seed of everything drawn: the same seed makes the same evaluation, on any number of threads.
    pub seed: u64,
    /// How many times games are played and learnt from. The first generation plays with an
    /// evaluation that takes every position as even, and so at random but for mates.
    pub generations: u32,
    /// Games of each generation.
    pub games: u32,
    /// Each game begins with 0 to so many random moves, whose positions are not learnt from.
    pub opening: u32,
    /// Of a thousand moves so many are random, so that games differ and lost positions come up.
    pub random_per_mille: u32,
    /// A game of so many plies is a draw.
    pub plies: u32,
    /// How many times the regression goes over the positions of a generation.
    pub epochs: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            generations: 4,
            games: 40_000,
            opening: 4,
            random_per_mille: 80,
            plies: 200,
            epochs: 4,
        }
    }
}

/// How far training has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Games played so far in all generations.
    pub games: u64,
    /// The generations that are complete.
    pub generations: &'a [Quality],
}

/// What training has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained<R> {
    /// The evaluation after the last generation.
    pub evaluation: Evaluation<R>,
    /// How well each generation's evaluation predicts the results of its own games.
    pub generations: Vec<Quality>,
}

/// Trains an evaluation by games from a start position; `None` if `progress`, which hears of every
/// 64 games, breaks.
///
/// Games are played on all threads of the rayon pool. The result depends on the start and the
/// settings alone (and on the machine's exponential function).
pub fn train<R: Rules>(
    start: &Position<R>,
    settings: Settings,
    mut progress: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Option<Trained<R>> {
    let mut linear = Linear::<R>::zero();
    let mut generations = Vec::new();
    for generation in 0..settings.generations {
        let [mut fitted, mut held_out] = [Samples::default(), Samples::default()];
        let mut next = 0;
        while next < settings.games {
            let block = next..next.saturating_add(BLOCK).min(settings.games);
            let played: Vec<Played<R>> = block
                .clone()
                .into_par_iter()
                .map(|game| play(start, &linear, &settings, (generation, game)))
                .collect();
            for (game, played) in block.clone().zip(&played) {
                let is_held_out = game % HELD_OUT == HELD_OUT - 1;
                played.score(if is_held_out { &mut held_out } else { &mut fitted });
            }
            next = block.end;
            let games = u64::from(generation) * u64::from(settings.games) + u64::from(next);
            if progress(Progress { games, generations: &generations }).is_break() {
                return None;
            }
        }
        let units = UNITS as f32;
        let mut weights: Vec<f32> = linear.weights().iter().map(|&w| w as f32 / units).collect();
        let mut random = generator(settings.seed, (1 << 63) | u64::from(generation));
        fit(&mut weights, &fitted, settings.epochs, &mut random);
        generations.push(Quality::measure(&weights, &fitted, &held_out));
        linear = Linear::nearest(&weights);
    }
    Some(Trained { evaluation: Evaluation::new(to_sfen(start), settings, linear), generations })
}

impl<R: Rules> Played<R> {
    /// Adds the positions with what came of the game for their players.
    fn score(&self, samples: &mut Samples) {
        for placement in &self.positions {
            let score = self.winner.map_or(
                0.5,
                |winner| {
                    if winner == placement.side() { 1.0 } else { 0.0 }
                },
            );
            samples.push(placement, score);
        }
    }
}
