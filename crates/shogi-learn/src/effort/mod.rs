//! Fits an [`EffortNet`], which estimates the cost of proofs, to [`Record`]s of searches.
//!
//! A proved position shows the cost of its proof; the loss is the squared error of the logarithm. An open one
//! shows that a proof costs more than was spent; the loss is the square of the estimate's shortfall, and
//! nothing if there is none (as in Tobin's regression with censored data, 1958). Proved and disproved positions
//! show whether a proof exists; the loss is the log-loss.

mod record;

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shogi_eval::effort::{EffortHead, EffortNet, HIDDEN, MIDDLE};
use shogi_eval::network::{HIDDEN_UNITS, Rows, Transformer};
use shogi_eval::{Features, WeightsError};
use shogi_rules::Rules;
use shogi_solve::SearchOutcome;

pub use record::{Record, RecordError, to_records};

use crate::fit::{
    Decline, DenseModel, Fit, FitProgress, Layer, MAX_HIDDEN_VALUE, Model, Schedule,
    TransformerModel, cross_entropy, joined, logistic, parted,
};
use crate::linear::generator;

/// Settings of the fit of a network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffortFit {
    /// Passes over the records.
    pub passes: u32,
    /// Records for each step.
    pub batch: u32,
    /// The size of the first steps; they become smaller towards the end.
    pub rate: f32,
    /// Seed of the first weights and of the order of the records.
    pub seed: u64,
}

impl Default for EffortFit {
    fn default() -> Self {
        Self { passes: 5, batch: 512, rate: 2e-3, seed: 1 }
    }
}

impl EffortFit {
    const fn schedule(&self) -> Schedule {
        let &Self { passes, batch, rate, .. } = self;
        let decline = Decline::ByStep(0.05);
        Schedule { passes, batch: batch as usize, rate, decline, mirrors: true }
    }
}

/// The quality of a network after a pass, measured on every twentieth record, which the fit leaves out. A
/// measure without records is NaN.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EffortPass {
    /// The pass, from 1.
    pub number: u32,
    /// Records that were fitted.
    pub records: usize,
    /// For proved positions, the root of the mean squared error of the logarithm of the expansions.
    pub error: f64,
    /// The error if the mean logarithm is predicted for every position.
    pub error_of_mean: f64,
    /// For proved and disproved positions, the mean of -ln(predicted chance of the outcome).
    pub log_loss: f64,
    /// The log-loss if the share of proved positions is predicted for every position.
    pub log_loss_of_mean: f64,
}

/// Fits a network to records, starting from random weights. `progress` is called after every step; the result
/// is `None` if it breaks.
///
/// The same records and settings make the same network (with the same exponential function and
/// logarithm of the machine). One thread; about 5 microseconds for each record and pass on 5x5.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::effort::{EffortFit, Record, fit};
/// use shogi_eval::Features;
/// use shogi_solve::SearchOutcome;
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// let position = parse_position::<Minishogi>(Minishogi::START)?;
/// let prover = Colour::Sente;
/// let record = Record { position, prover, outcome: SearchOutcome::Proved, expansions: 1000 };
/// let settings = EffortFit { passes: 40, batch: 16, ..EffortFit::default() };
/// let net = fit(&vec![record; 200], &settings, |_| ControlFlow::Continue(())).unwrap();
/// let attacked = Features::attacked(&position);
/// let estimate = net.estimate(&net.accumulate(&position), &position, &attacked, prover);
/// let ln = estimate.expansions as f32 / (1 << 18) as f32;
/// assert!((ln - 1000_f32.ln()).abs() < 0.5, "{ln}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<R: Rules>(
    records: &[Record<R>],
    settings: &EffortFit,
    progress: impl FnMut(FitProgress<'_, EffortPass>) -> ControlFlow<()>,
) -> Option<EffortNet<R>> {
    let mut random = generator(settings.seed, STREAM);
    let mut model = EffortModel::random(records, &mut random);
    let (held_out, order) = split(records.len());
    let mut fit = Fit::new(settings.schedule(), order, random);
    let measure = |model: &mut EffortModel<'_, R>, fit: &Fit, number, _| {
        model.measure(number, fit.samples(), &held_out)
    };
    let end = fit.run(&mut model, &mut Vec::new(), measure, progress);
    // The weights are in range, and there are as many as there have to be.
    if end.is_break() { None } else { model.net().ok() }
}

/// The numbers of the held-out records, and of the fitted ones.
fn split(records: usize) -> (Vec<u32>, Vec<u32>) {
    (0..records as u32).partition(|number| number % HELD_OUT == HELD_OUT - 1)
}

/// One in this many records is held out.
const HELD_OUT: u32 = 20;

/// The stream of random numbers of a fit, distinct from those of games.
const STREAM: u64 = 3 << 62;

/// Outputs, or the derivative of the loss by each: ln(expansions), logit of provable.
type Outputs = [f32; 2];

/// The loss of a record with these outputs, and its derivative. Estimates of a logarithm above `ceiling` count
/// as too large unless a proof shows otherwise.
fn loss_and_slope(
    outcome: SearchOutcome,
    expansions: u32,
    outputs: Outputs,
    ceiling: f32,
) -> (f32, Outputs) {
    let error = outputs[0] - (expansions as f32).ln();
    let excess = (outputs[0] - ceiling).max(0.0);
    let (chance, aim) = (
        logistic(outputs[1]),
        match outcome {
            SearchOutcome::Proved => 1.0,
            SearchOutcome::Disproved => 0.0,
            SearchOutcome::Open => 0.5,
        },
    );
    let (squares, slope) = match outcome {
        SearchOutcome::Proved => (error * error, error),
        SearchOutcome::Disproved => (excess * excess, excess),
        SearchOutcome::Open => (error.min(0.0).powi(2) + excess * excess, error.min(0.0) + excess),
    };
    (squares / 2.0 + cross_entropy(chance, aim), [slope, chance - aim])
}

/// The network in floating point, while it is fitted to records.
struct EffortModel<'r, R: Rules> {
    records: &'r [Record<R>],
    transformer: TransformerModel<HIDDEN>,
    /// The layers above for the prover and for the opponent to move.
    heads: [HeadModel; 2],
    /// The largest sensible estimate of a logarithm.
    ceiling: f32,
}

/// An [`EffortHead`] while it is fitted.
struct HeadModel {
    middle: DenseModel<{ 2 * HIDDEN }, MIDDLE>,
    last: DenseModel<MIDDLE, 2>,
}

/// The values of the layers for one position.
struct Activations {
    hidden: [f32; 2 * HIDDEN],
    middle: [f32; MIDDLE],
    outputs: Outputs,
}

/// The largest value of a unit between the layers, as in the network of whole numbers.
const MAX_MIDDLE_VALUE: f32 = 64.0;

impl<'r, R: Rules> EffortModel<'r, R> {
    /// Random weights; all estimates are about the mean of the records, and all chances even.
    fn random(records: &'r [Record<R>], random: &mut ChaCha8Rng) -> Self {
        let limit = f32::from(Self::MAX_WEIGHT) / f32::from(HIDDEN_UNITS);
        let transformer = TransformerModel::random(Rows::<R>::COUNTS, limit, random);
        let mut middle = || DenseModel::random(0.3, [0.0; MIDDLE], random);
        let (first, second) = (middle(), middle());
        let mean = mean_ln(records.iter().filter(|record| record.outcome == SearchOutcome::Proved));
        let mean = if mean.is_nan() { 0.0 } else { mean };
        let mut last = || DenseModel::random(0.6, [mean as f32, 0.0], random);
        let heads =
            [HeadModel { middle: first, last: last() }, HeadModel { middle: second, last: last() }];
        let most = records.iter().map(|record| record.expansions).max();
        let ceiling = most.map_or(0.0, |most| (most as f32).ln() + 1.0);
        Self { records, transformer, heads, ceiling }
    }

    /// The largest weight of the first layer.
    const MAX_WEIGHT: i16 = Transformer::<R, HIDDEN>::MAX_WEIGHT;

    /// Computes the layers for a position or its mirror image.
    fn activate(&mut self, number: usize, mirrored: bool) -> Activations {
        let Record { position, prover, .. } = &self.records[number];
        let placement = if mirrored { &position.mirror() } else { position.placement() };
        let added = &mut self.transformer.added;
        added.set_pieces(placement, *prover);
        added.add_state(placement, &Features::attacked(placement), *prover);
        let HeadModel { middle, last } = &self.heads[self.records[number].head()];
        let hidden = joined(&self.transformer.hidden(MAX_HIDDEN_VALUE));
        let middle = middle.outputs(&hidden).map(|sum| sum.clamp(0.0, MAX_MIDDLE_VALUE));
        let outputs = last.outputs(&middle);
        Activations { hidden, middle, outputs }
    }

    /// The nearest integer network.
    fn net(&self) -> Result<EffortNet<R>, WeightsError> {
        let max = f32::from(Self::MAX_WEIGHT);
        let round = |weight: &f32| (weight * f32::from(HIDDEN_UNITS)).round().clamp(-max, max);
        let rows: Vec<i16> =
            self.transformer.weights().iter().map(|weight| round(weight) as i16).collect();
        let [first, second] = &self.heads;
        Ok(EffortNet::new(Transformer::new(&rows)?, [first.head()?, second.head()?]))
    }
}

impl<R: Rules> Model for EffortModel<'_, R> {
    fn learn(&mut self, number: usize, mirrored: bool) -> f64 {
        let Activations { hidden, middle: of_middle, outputs } = self.activate(number, mirrored);
        let record = &self.records[number];
        let (loss, slope) =
            loss_and_slope(record.outcome, record.expansions, outputs, self.ceiling);
        let HeadModel { middle, last } = &mut self.heads[record.head()];
        let of_middle = last.learn(&of_middle, MAX_MIDDLE_VALUE, &slope);
        let of_hidden = middle.learn(&hidden, MAX_HIDDEN_VALUE, &of_middle);
        self.transformer.learn(&parted(&of_hidden));
        loss.into()
    }

    fn layers(&mut self) -> Vec<&mut dyn Layer> {
        let mut layers: Vec<&mut dyn Layer> = vec![&mut self.transformer.blocks];
        for HeadModel { middle, last } in &mut self.heads {
            layers.extend([&mut middle.blocks as &mut dyn Layer, &mut last.blocks]);
        }
        layers
    }
}

impl HeadModel {
    fn head(&self) -> Result<EffortHead, WeightsError> {
        Ok(EffortHead {
            middle: self.middle.dense(HIDDEN_UNITS)?,
            last: self.last.dense(HIDDEN_UNITS)?,
        })
    }
}

/// The mean logarithm of the expansions; NaN without records.
fn mean_ln<'r, R: Rules>(records: impl Iterator<Item = &'r Record<R>>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for record in records {
        sum += f64::from(record.expansions).ln();
        count += 1.0;
    }
    sum / count
}

impl<R: Rules> EffortModel<'_, R> {
    /// The records among some that have this outcome.
    fn with_outcome(&self, numbers: &[u32], outcome: SearchOutcome) -> Vec<usize> {
        let numbers = numbers.iter().map(|&number| number as usize);
        numbers.filter(|&number| self.records[number].outcome == outcome).collect()
    }

    /// Measures the model on the records held out.
    fn measure(&mut self, number: u32, fitted: &[u32], held_out: &[u32]) -> EffortPass {
        let [proved, disproved] = [SearchOutcome::Proved, SearchOutcome::Disproved]
            .map(|outcome| self.with_outcome(fitted, outcome));
        let mean = mean_ln(proved.iter().map(|&number| &self.records[number]));
        let share = proved.len() as f64 / (proved.len() + disproved.len()) as f64;
        let [proved, disproved] = [SearchOutcome::Proved, SearchOutcome::Disproved]
            .map(|outcome| self.with_outcome(held_out, outcome));
        let (mut squares, mut squares_of_mean, mut loss, mut loss_of_mean) = (0.0, 0.0, 0.0, 0.0);
        for &number in proved.iter().chain(&disproved) {
            let [expansions, logit] = self.activate(number, false).outputs.map(f64::from);
            let chance = 1.0 / (1.0 + (-logit).exp());
            let record = &self.records[number];
            if record.outcome == SearchOutcome::Proved {
                let ln = f64::from(record.expansions).ln();
                squares += (expansions - ln).powi(2);
                squares_of_mean += (mean - ln).powi(2);
                loss -= chance.max(1e-9).ln();
                loss_of_mean -= share.ln();
            } else {
                loss -= (1.0 - chance).max(1e-9).ln();
                loss_of_mean -= (1.0 - share).ln();
            }
        }
        let (of_proved, of_both) = (proved.len() as f64, (proved.len() + disproved.len()) as f64);
        EffortPass {
            number,
            records: fitted.len(),
            error: (squares / of_proved).sqrt(),
            error_of_mean: (squares_of_mean / of_proved).sqrt(),
            log_loss: loss / of_both,
            log_loss_of_mean: loss_of_mean / of_both,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_the_derivative_of_the_loss() {
        let mut steep = 0;
        for outcome in [SearchOutcome::Proved, SearchOutcome::Disproved, SearchOutcome::Open] {
            for outputs in [[2.0, -1.5], [4.0, 0.3], [7.5, 2.0], [11.0, -3.0]] {
                let loss = |outputs| f64::from(loss_and_slope(outcome, 300, outputs, 9.0).0);
                let (_, slope) = loss_and_slope(outcome, 300, outputs, 9.0);
                for (output, &slope) in slope.iter().enumerate() {
                    let [mut below, mut above] = [outputs; 2];
                    below[output] -= 0.02;
                    above[output] += 0.02;
                    let found = (loss(above) - loss(below)) / 0.04;
                    assert!((found - f64::from(slope)).abs() < 5e-3, "{outcome:?} {outputs:?}");
                    steep += usize::from(slope.abs() > 0.1);
                }
            }
        }
        assert!(steep > 15, "{steep}");
    }
}
