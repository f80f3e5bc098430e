//! Tables of an evaluation from games: logistic regression.
//!
//! The evaluation should say how the game will end. So the share of points that it promises,
//! `1 / (1 + exp(-value / 400))`, is fitted to a mixture of the game's result and what a search thought
//! of the position, by least cross-entropy.
//!
//! There are far more weights than any number of games says much about, so each is a sum of three:
//! one for the piece and its owner, one that also knows the square, one that also knows the square of
//! the king. The latter two are drawn towards zero; what is rare is left to the more general ones.

use std::marker::PhantomData;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_core::{Face, Geometry, Kind, MAX_KINDS, Position, Square};
use shogi_rules::{Rules, Verdict};

use super::KingPiece;
use crate::linear::WeightsError;
use crate::regression::logistic;
use crate::values::Values;

/// A position with what is known of how good it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// What a search found, for the player to move, in hundredths of a pawn.
    pub score: i16,
    /// How the game ended, for the player to move.
    pub result: Verdict,
}

/// How tables are fitted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// Passes over the samples.
    pub passes: u32,
    /// The share of the game's result in what is aimed at; the rest is the search's score.
    pub result_share: f32,
    /// How strongly weights that know a square are drawn towards zero.
    pub decay: f32,
    /// The largest step of a weight, in pawns.
    pub step: f32,
    /// Seed of the order of the samples.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Self {
        Self { passes: 8, result_share: 0.5, decay: 1e-6, step: 0.02, seed: 1 }
    }
}

/// How well tables say what is aimed at, after a pass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pass {
    /// The pass, from 1.
    pub number: u32,
    /// The mean cross-entropy of the samples that are fitted, in nats.
    pub loss: f32,
    /// That of every twentieth sample, which are kept out of the fit.
    pub held_out: f32,
}

/// Hundredths of a pawn for which the odds grow by a factor of e.
pub const SCALE: f32 = 400.0;

/// One sample in numbers: the features of the player to move, then the opponent's.
struct Row {
    start: u32,
    middle: u32,
    end: u32,
    target: f32,
}

/// The three summands of all weights, in pawns, with the moments of their gradients.
struct Parameters {
    value: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Fits tables to judged positions. `report` is called after every pass.
///
/// The same samples and settings always give the same tables. Takes about 100 bytes for each sample,
/// and a second for a million samples and pass.
///
/// # Errors
///
/// None for the tables of a rule set; see [`KingPiece::new`].
///
/// ```
/// use shogi_learn::king_piece::{Fit, Judged, fit};
/// use shogi_learn::Values;
/// use shogi_rules::{Minishogi, Rules, Verdict, parse_position};
/// // A rook down, and lost.
/// let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 b r 1")?;
/// let samples = vec![Judged { position, score: -1500, result: Verdict::Loss }; 40];
/// let prior = Values::by_freedom::<Minishogi>();
/// let tables = fit(&samples, &Fit::default(), &prior, "one position", |_| {})?;
/// assert!(tables.evaluate(&tables.start(&position), &position) < -500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<R: Rules>(
    samples: &[Judged<R>],
    fit: &Fit,
    prior: &Values,
    origin: &str,
    mut report: impl FnMut(&Pass),
) -> Result<KingPiece<R>, WeightsError> {
    let (rows, features) = numbers(samples, fit.result_share);
    let mut model = Model::<R>::new(prior);
    let (held_out, mut order): (Vec<u32>, Vec<u32>) =
        (0..rows.len() as u32).partition(|number| number % 20 == 19);
    let mut rng = ChaCha8Rng::seed_from_u64(fit.seed);
    for number in 1..=fit.passes {
        order.shuffle(&mut rng);
        // The steps become smaller towards the end.
        let step = fit.step * (1.0 - (number - 1) as f32 / fit.passes as f32).max(0.05);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            for &row in batch {
                loss += model.learn(&rows[row as usize], &features);
            }
            model.step(step, fit.decay, batch.len() as f32);
        }
        let of = |row: &u32| f64::from(model.loss(&rows[*row as usize], &features).0);
        let held_out = held_out.iter().map(of).sum::<f64>() as f32 / held_out.len().max(1) as f32;
        report(&Pass { number, loss: loss / order.len().max(1) as f32, held_out });
    }
    model.tables(origin)
}

/// Samples for each step.
const BATCH: usize = 4096;

/// The features and targets of all samples.
fn numbers<R: Rules>(samples: &[Judged<R>], result_share: f32) -> (Vec<Row>, Vec<u32>) {
    let mut features = Vec::new();
    let mut rows = Vec::with_capacity(samples.len());
    for sample in samples {
        let us = sample.position.side();
        let start = features.len() as u32;
        KingPiece::visit(&sample.position, us, |feature| features.push(feature as u32));
        let middle = features.len() as u32;
        KingPiece::visit(&sample.position, !us, |feature| features.push(feature as u32));
        let promised = logistic(f32::from(sample.score) / SCALE);
        let target = result_share * sample.result.points() + (1.0 - result_share) * promised;
        rows.push(Row { start, middle, end: features.len() as u32, target });
    }
    (rows, features)
}

struct Model<R> {
    parameters: Parameters,
    /// Gradients of the batch, and which of them are not zero.
    gradient: Vec<f32>,
    touched: Vec<u32>,
    tempo: usize,
    rules: PhantomData<R>,
}

impl<R: Rules> Model<R> {
    /// Weights that know king and square come first, then those that know the square alone, then
    /// those that know the piece alone, then the right to move.
    const SQUARES: usize = KingPiece::<R>::COUNT;
    const PIECES: usize = Self::SQUARES + KingPiece::<R>::FEATURES;
    const GROUPS: usize = 2 * Face::MAX + KingPiece::<R>::FEATURES;

    fn new(prior: &Values) -> Self {
        let tempo = Self::PIECES + Self::GROUPS;
        let mut value = vec![0.0; tempo + 1];
        let mut start = |owner: usize, face: usize, worth: i32| {
            // Half is seen by the owner, half by the opponent.
            let half = worth as f32 / 200.0;
            value[Self::PIECES + owner * Face::MAX + face] = if owner == 0 { half } else { -half };
        };
        for face in Face::all::<R>().filter(|face| prior.board(*face) < Values::ROYAL) {
            start(0, face.index(), prior.board(face));
            start(1, face.index(), prior.board(face));
        }
        for kind in Kind::all::<R>().filter(|kind| prior.hand(*kind) < Values::ROYAL) {
            for owner in 0..2 {
                for nth in 0..KingPiece::<R>::FEATURES {
                    let feature = Self::hand(owner, kind, nth);
                    let Some(feature) = feature else { break };
                    let half = prior.hand(kind) as f32 / 200.0;
                    value[Self::PIECES + Self::group(feature)] =
                        if owner == 0 { half } else { -half };
                }
            }
        }
        let zero = vec![0.0; value.len()];
        let parameters = Parameters { value, mean: zero.clone(), square: zero.clone() };
        Self { parameters, gradient: zero, touched: Vec::new(), tempo, rules: PhantomData }
    }

    /// The feature, king apart, of the nth piece of a kind in a hand.
    fn hand(owner: usize, kind: Kind, nth: usize) -> Option<usize> {
        let start = 2 * Face::MAX * R::Geometry::AREA;
        let most = (KingPiece::<R>::FEATURES - start) / (2 * MAX_KINDS);
        (nth < most).then(|| start + (owner * MAX_KINDS + kind.index()) * most + nth)
    }

    /// The piece that a feature, king apart, is about: owner and face, or owner, kind and number in
    /// hand.
    fn group(feature: usize) -> usize {
        let board = 2 * Face::MAX * R::Geometry::AREA;
        if feature < board { feature / R::Geometry::AREA } else { 2 * Face::MAX + feature - board }
    }

    /// The three summands of a weight.
    fn parts(weight: usize) -> [usize; 3] {
        let feature = weight % KingPiece::<R>::FEATURES;
        [weight, Self::SQUARES + feature, Self::PIECES + Self::group(feature)]
    }

    /// The weight of the mirror image, for a king on the middle file and a piece on the board; for
    /// all others the weight itself.
    fn mirror(weight: usize) -> usize {
        let (king, feature) =
            (weight / KingPiece::<R>::FEATURES, weight % KingPiece::<R>::FEATURES);
        let area = R::Geometry::AREA;
        let middle = Square::<R::Geometry>::from_index(king).is_some_and(|at| at == at.mirror());
        match Square::<R::Geometry>::from_index(feature % area) {
            Some(square) if middle && feature < 2 * Face::MAX * area => {
                weight - square.index() + square.mirror().index()
            }
            _ => weight,
        }
    }

    fn weight(&self, weight: usize) -> f32 {
        Self::parts(weight).iter().map(|&part| self.parameters.value[part]).sum()
    }

    /// The cross-entropy of a sample, and its derivative by the logit.
    fn loss(&self, row: &Row, features: &[u32]) -> (f32, f32) {
        let sum = |range: std::ops::Range<u32>| -> f32 {
            let range = range.start as usize..range.end as usize;
            features[range].iter().map(|&feature| self.weight(feature as usize)).sum()
        };
        let pawns = sum(row.start..row.middle) - sum(row.middle..row.end);
        let pawns = pawns + self.parameters.value[self.tempo];
        let promised = logistic(pawns * 100.0 / SCALE).clamp(1e-6, 1.0 - 1e-6);
        let target = row.target;
        let loss = -target * promised.ln() - (1.0 - target) * (1.0 - promised).ln();
        (loss, promised - target)
    }

    /// Adds the gradient of a sample to the batch's; gives the loss.
    fn learn(&mut self, row: &Row, features: &[u32]) -> f32 {
        let (loss, slope) = self.loss(row, features);
        let slope = slope * 100.0 / SCALE;
        for (range, slope) in [(row.start..row.middle, slope), (row.middle..row.end, -slope)] {
            for &feature in &features[range.start as usize..range.end as usize] {
                for part in Self::parts(feature as usize) {
                    self.add(part, slope);
                }
            }
        }
        self.add(self.tempo, slope);
        loss
    }

    fn add(&mut self, part: usize, slope: f32) {
        if self.gradient[part] == 0.0 {
            self.touched.push(part as u32);
        }
        self.gradient[part] += slope;
    }

    /// A step of Adam (Kingma & Ba 2015) for the weights that the batch says something about.
    fn step(&mut self, step: f32, decay: f32, samples: f32) {
        let Parameters { value, mean, square } = &mut self.parameters;
        for &part in &self.touched {
            let part = part as usize;
            let slope = std::mem::take(&mut self.gradient[part]) / samples;
            let knows_square = part < Self::PIECES;
            let slope = slope + if knows_square { decay * value[part] } else { 0.0 };
            mean[part] = 0.9 * mean[part] + 0.1 * slope;
            square[part] = 0.999 * square[part] + 0.001 * slope * slope;
            value[part] -= step * mean[part] / (square[part].sqrt() + 1e-8);
        }
        self.touched.clear();
    }

    fn tables(&self, origin: &str) -> Result<KingPiece<R>, WeightsError> {
        let units = 100.0 * KingPiece::<R>::UNITS as f32;
        let rounded = |pawns: f32| (pawns * units).clamp(-32_000.0, 32_000.0).round() as i16;
        // A position is as good as its mirror image, which a king on the middle file does not
        // distinguish.
        let weights = (0..KingPiece::<R>::COUNT)
            .map(|weight| rounded((self.weight(weight) + self.weight(Self::mirror(weight))) / 2.0));
        let piece = |owner: usize, face: Face| {
            self.parameters.value[Self::PIECES + owner * Face::MAX + face.index()]
        };
        let values = Values::new::<R>(|face| {
            // A piece that the games say nothing about is worth no less than nothing.
            ((piece(0, face) - piece(1, face)) * 100.0).round().max(10.0) as i32
        });
        let tempo = (self.parameters.value[self.tempo] * 100.0).round() as i32;
        KingPiece::new(values, tempo, weights.collect(), origin.to_owned())
    }
}
