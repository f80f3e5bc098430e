//! Logistic regression of the results of games.

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_core::{Placement, RuleTable};
use shogi_eval::Features;

use crate::fit::{Decline, Fit, Layer, Model, Schedule, Step, cross_entropy, logistic};

/// Size of the first steps, in logits.
const RATE: f32 = 0.05;

/// Strength of the quadratic penalty on weights, for each sample that has the feature.
const PENALTY: f32 = 1e-5;

/// Positions as lists of features, each with the score of its player: 1 won, 0 lost, 1/2 neither.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    features: Vec<u16>,
    /// Where the features of each sample end.
    ends: Vec<usize>,
    scores: Vec<f32>,
}

impl Samples {
    pub(crate) fn push<R: RuleTable>(&mut self, placement: &Placement<R>, score: f32) {
        const { assert!(Features::<R>::COUNT <= 1 << 16, "features are numbered by 16 bits") };
        Features::<R>::visit_dyn(placement, &mut |feature| self.features.push(feature as u16));
        self.ends.push(self.features.len());
        self.scores.push(score);
    }

    /// Appends other positions.
    pub(crate) fn append(&mut self, others: &Self) {
        let start = self.features.len();
        self.features.extend(&others.features);
        self.ends.extend(others.ends.iter().map(|end| start + end));
        self.scores.extend(&others.scores);
    }

    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The features of a sample, and its score.
    fn get(&self, sample: usize) -> (&[u16], f32) {
        let start = if sample == 0 { 0 } else { self.ends[sample - 1] };
        (&self.features[start..self.ends[sample]], self.scores[sample])
    }

    fn iter(&self) -> impl Iterator<Item = (&[u16], f32)> {
        (0..self.len()).map(|sample| self.get(sample))
    }

    /// The mean score.
    pub(crate) fn mean(&self) -> f64 {
        self.scores.iter().map(|&score| f64::from(score)).sum::<f64>() / self.len() as f64
    }
}

fn logit(weights: &[f32], features: &[u16]) -> f32 {
    features.iter().map(|&feature| weights[usize::from(feature)]).sum()
}

/// Improves the weights, in logits, by stochastic gradient descent on the log-loss with a quadratic penalty,
/// going over all samples `epochs` times.
pub(crate) fn fit(
    weights: Vec<f32>,
    samples: &Samples,
    epochs: u32,
    random: ChaCha8Rng,
) -> Vec<f32> {
    let schedule =
        Schedule { passes: epochs, batch: 1, rate: RATE, decline: Decline::None, mirrors: false };
    let order = (0..samples.len() as u32).collect();
    let mut model = LinearModel { samples, layer: AdaGrad::new(weights) };
    // The closure never breaks.
    let _ = Fit::new(schedule, order, random).run(
        &mut model,
        &mut Vec::new(),
        |_, _, _, _| (),
        |_| ControlFlow::Continue(()),
    );
    model.layer.weights
}

/// A linear evaluation while it is fitted.
struct LinearModel<'s> {
    samples: &'s Samples,
    layer: AdaGrad,
}

/// Weights with individual rates, which fall with their past gradients: AdaGrad (Duchi, Hazan and Singer,
/// "Adaptive subgradient methods for online learning and stochastic optimization", 2011). Features are seen
/// thousands of times or ten, so one rate would not do.
struct AdaGrad {
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// The features of the current sample, and the derivative of its loss by the logit.
    features: Vec<u16>,
    slope: f32,
}

impl AdaGrad {
    fn new(weights: Vec<f32>) -> Self {
        let squares = vec![1.0; weights.len()];
        Self { weights, squares, features: Vec::new(), slope: 0.0 }
    }
}

impl Model for LinearModel<'_> {
    fn learn(&mut self, sample: usize, _: bool) -> f64 {
        let (features, score) = self.samples.get(sample);
        let chance = logistic(logit(&self.layer.weights, features));
        self.layer.features.clear();
        self.layer.features.extend(features);
        self.layer.slope = chance - score;
        cross_entropy(chance, score).into()
    }

    fn layers(&mut self) -> Vec<&mut dyn Layer> {
        vec![&mut self.layer]
    }
}

impl Layer for AdaGrad {
    /// For batches of one sample.
    fn step(&mut self, step: Step, _: f32) {
        for &feature in &self.features {
            let feature = usize::from(feature);
            let gradient = self.slope + PENALTY * self.weights[feature];
            self.squares[feature] += gradient * gradient;
            self.weights[feature] -= step.rate * gradient / self.squares[feature].sqrt();
        }
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        vec![&mut self.weights, &mut self.squares]
    }
}

/// How well an evaluation predicts the results of games that it was not fitted to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Quality {
    /// Number of fitted positions.
    pub positions: usize,
    /// Number of held-out positions, from other games; without any the measures are NaN.
    pub held_out: usize,
    /// Mean of -ln(predicted chance of the result), with a draw as half a win: 0 at best.
    pub log_loss: f64,
    /// The log-loss if the mean score of the fitted positions is predicted for every position.
    pub log_loss_of_mean: f64,
    /// Share of the positions of decided games in which the winner has the better predicted chance.
    pub accuracy: f64,
    /// The accuracy if the mean score is predicted for every position.
    pub accuracy_of_mean: f64,
}

impl Quality {
    /// Measures weights, fitted to some samples, on others.
    pub(crate) fn measure(weights: &[f32], fitted: &Samples, held_out: &Samples) -> Self {
        let mean = fitted.mean();
        let (log_loss, accuracy) =
            measure(held_out, |features| f64::from(logistic(logit(weights, features))));
        let (log_loss_of_mean, accuracy_of_mean) = measure(held_out, |_| mean);
        let (positions, held_out) = (fitted.len(), held_out.len());
        Self { positions, held_out, log_loss, log_loss_of_mean, accuracy, accuracy_of_mean }
    }
}

/// Mean log-loss, and accuracy, of a guess.
fn measure(samples: &Samples, guess: impl Fn(&[u16]) -> f64) -> (f64, f64) {
    let (mut loss, mut right, mut decided) = (0.0, 0, 0);
    for (features, score) in samples.iter() {
        let (chance, score) = (guess(features).clamp(1e-9, 1.0 - 1e-9), f64::from(score));
        loss -= score * chance.ln() + (1.0 - score) * (1.0 - chance).ln();
        if score != 0.5 {
            decided += 1;
            right += u32::from((chance > 0.5) == (score > 0.5));
        }
    }
    (loss / samples.len() as f64, f64::from(right) / f64::from(decided))
}

#[cfg(test)]
mod tests {
    use super::super::games::generator;
    use super::*;

    /// Of three features the first decides the result, nine times out of ten.
    fn toy(count: usize) -> Samples {
        let mut samples = Samples::default();
        for i in 0..count {
            let good = i % 2 == 0;
            samples.features.extend([if good { 0 } else { 1 }, 2]);
            samples.ends.push(samples.features.len());
            samples.scores.push(if good != (i % 20 < 2) { 1.0 } else { 0.0 });
        }
        samples
    }

    #[test]
    fn a_fit_finds_the_chances() {
        let (fitted, held_out) = (toy(4000), toy(400));
        let weights = vec![0.0; 3];
        let before = Quality::measure(&weights, &fitted, &held_out);
        let weights = fit(weights, &fitted, 5, generator(1, 0));
        let after = Quality::measure(&weights, &fitted, &held_out);
        assert!((before.log_loss - 2f64.ln()).abs() < 1e-6);
        // The entropy of one in ten.
        let entropy = -(0.1 * 0.1f64.ln() + 0.9 * 0.9f64.ln());
        assert!((after.log_loss - entropy).abs() < 5e-3, "{after:?}");
        assert_eq!(after.accuracy, 0.9);
        assert!((after.log_loss_of_mean - 2f64.ln()).abs() < 1e-3);
        let nine_to_one = 9f32.ln();
        assert!((logit(&weights, &[0, 2]) - nine_to_one).abs() < 0.2, "{weights:?}");
        assert!((logit(&weights, &[1, 2]) + nine_to_one).abs() < 0.2, "{weights:?}");
    }
}
