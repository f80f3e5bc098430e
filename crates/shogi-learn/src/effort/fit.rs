//! Fitting an effort net to the records of searches.
//!
//! A proved position says what its proof cost: the squared error of the logarithm. An open one says
//! that a proof costs more than was spent: the square of what the estimate falls short, and nothing if
//! it does not (as in Tobin's regression with censored data, 1958). Proved and disproved positions say
//! whether a proof exists: the log-loss. The steps are Adam's (Kingma & Ba, 2015).

use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Placement};
use shogi_rules::Rules;

use super::{EffortNet, HIDDEN, Head, MIDDLE, Outcome, Record};
use crate::features::Features;
use crate::network::{
    DenseModel, HIDDEN_UNITS, MAX_HIDDEN_VALUE, Step, Transformer, TransformerModel, joined, parted,
};
use crate::regression::logistic;
use crate::self_play::generator;

/// How a network is fitted.
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

/// How well a network predicts, after a pass; of every twentieth record, which are kept out of the
/// fit. A number without a record to measure it on is no number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EffortPass {
    /// The pass, from 1.
    pub number: u32,
    /// Records that were fitted.
    pub records: usize,
    /// Of proved positions: the root of the mean squared error of the logarithm of the expansions.
    pub error: f64,
    /// The same for the mean logarithm, estimated for every position.
    pub error_of_mean: f64,
    /// Of proved and disproved positions: the mean of -ln(chance given to what was found).
    pub log_loss: f64,
    /// The same for the share of proved positions, predicted for every position.
    pub log_loss_of_mean: f64,
}

/// How far a fit has come.
#[derive(Clone, Copy, Debug)]
pub struct EffortProgress<'a> {
    /// Records gone over, in all passes.
    pub done: u64,
    /// Records to go over, in all passes.
    pub total: u64,
    /// The passes that are complete.
    pub passes: &'a [EffortPass],
}

/// Fits a network to records, beginning from random weights. `progress` is called after every step and
/// every pass; `None` if it breaks.
///
/// The same records and settings make the same network (with the same exponential function and
/// logarithm of the machine). One thread; about 5 microseconds for each record and pass on 5x5.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_learn::effort::{EffortFit, fit};
/// use shogi_learn::{Features, Outcome, Record};
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// let position = parse_position::<Minishogi>(Minishogi::START)?;
/// let prover = Colour::Sente;
/// let record = Record { position, prover, outcome: Outcome::Proved, expansions: 1000 };
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
    mut progress: impl FnMut(EffortProgress<'_>) -> ControlFlow<()>,
) -> Option<EffortNet<R>> {
    let mut random = generator(settings.seed, STREAM);
    let mean = mean_ln(records.iter().filter(|record| record.outcome == Outcome::Proved));
    let mut model = Model::<R>::random(if mean.is_nan() { 0.0 } else { mean }, &mut random);
    let most = records.iter().map(|record| record.expansions).max();
    model.ceiling = most.map_or(0.0, |most| (most as f32).ln() + 1.0);
    let (held_out, mut order): (Vec<u32>, Vec<u32>) =
        (0..records.len() as u32).partition(|number| number % HELD_OUT == HELD_OUT - 1);
    let total = u64::from(settings.passes) * order.len() as u64;
    let batch = settings.batch.max(1) as usize;
    let (mut done, mut steps, mut passes) = (0, 0, Vec::new());
    for number in 1..=settings.passes {
        order.shuffle(&mut random);
        for batch in order.chunks(batch) {
            for &record in batch {
                let mirrored = random.random_range(0..2) == 1;
                model.learn(&records[record as usize], mirrored);
            }
            steps += 1;
            // The steps become smaller towards the end.
            let rate = settings.rate * (1.0 - done as f32 / total as f32).max(0.05);
            model.step(Step::new(rate, steps), batch.len() as f32);
            done += batch.len() as u64;
            if progress(EffortProgress { done, total, passes: &passes }).is_break() {
                return None;
            }
        }
        passes.push(measure(&mut model, number, records, &order, &held_out));
        if progress(EffortProgress { done, total, passes: &passes }).is_break() {
            return None;
        }
    }
    Some(model.net())
}

/// Every so many records one is not learnt from, but measured on.
const HELD_OUT: u32 = 20;

/// The stream of random numbers that a fit draws from; none of a game.
const STREAM: u64 = 3 << 62;

/// Outputs, or the derivative of the loss by each: ln(expansions), logit of provable.
type Outputs = [f32; 2];

/// The derivative of a record's loss by the outputs. Estimates of a logarithm above `ceiling` count as
/// too large wherever no proof tells better.
fn slope<R: Rules>(record: &Record<R>, outputs: Outputs, ceiling: f32) -> Outputs {
    let error = outputs[0] - (record.expansions as f32).ln();
    let excess = (outputs[0] - ceiling).max(0.0);
    let chance = logistic(outputs[1]);
    match record.outcome {
        Outcome::Proved => [error, chance - 1.0],
        Outcome::Disproved => [excess, chance],
        Outcome::Open => [error.min(0.0) + excess, chance - 0.5],
    }
}

/// The network in floating point, while it is fitted.
struct Model<R: Rules> {
    transformer: TransformerModel<R, HIDDEN>,
    /// The layers above for the prover and for the opponent to move.
    heads: [HeadModel; 2],
    /// The largest sensible estimate of a logarithm.
    ceiling: f32,
}

/// A [`Head`] while it is fitted.
struct HeadModel {
    middle: DenseModel<{ 2 * HIDDEN }, MIDDLE>,
    last: DenseModel<MIDDLE, 2>,
}

/// What the layers hold for one position.
struct Activations {
    head: usize,
    hidden: [f32; 2 * HIDDEN],
    middle: [f32; MIDDLE],
    outputs: Outputs,
}

/// The largest value of a unit between the layers, as in the network of whole numbers.
const MAX_MIDDLE_VALUE: f32 = 64.0;

impl<R: Rules> Model<R> {
    /// Random weights; all estimates are about `mean`, and all chances even.
    fn random(mean: f64, random: &mut ChaCha8Rng) -> Self {
        let limit = Transformer::<R, HIDDEN>::MAX_WEIGHT as f32 / HIDDEN_UNITS as f32;
        let transformer = TransformerModel::random(limit, random);
        let middle = [(); 2].map(|()| DenseModel::random(0.3, [0.0; MIDDLE], random));
        let last = [(); 2].map(|()| DenseModel::random(0.6, [mean as f32, 0.0], random));
        let [first, second] = middle;
        let [first_last, second_last] = last;
        let heads = [
            HeadModel { middle: first, last: first_last },
            HeadModel { middle: second, last: second_last },
        ];
        Self { transformer, heads, ceiling: 0.0 }
    }

    /// What the layers make of a position.
    fn activate(&mut self, placement: &Placement<R>, prover: Colour) -> Activations {
        self.transformer.set_pieces(placement, prover);
        self.transformer.add_state(placement, &Features::attacked(placement), prover);
        let head = usize::from(placement.side() != prover);
        let HeadModel { middle, last } = &self.heads[head];
        let hidden = joined(&self.transformer.hidden(MAX_HIDDEN_VALUE));
        let middle = middle.outputs(&hidden).map(|sum| sum.clamp(0.0, MAX_MIDDLE_VALUE));
        let outputs = last.outputs(&middle);
        Activations { head, hidden, middle, outputs }
    }

    /// Adds the gradient of a record's loss.
    fn learn(&mut self, record: &Record<R>, mirrored: bool) {
        let placement = record.position.placement();
        let placement = if mirrored { placement.mirror() } else { *placement };
        let found = self.activate(&placement, record.prover);
        let slope = slope(record, found.outputs, self.ceiling);
        let HeadModel { middle, last } = &mut self.heads[found.head];
        let of_middle = last.learn(&found.middle, MAX_MIDDLE_VALUE, &slope);
        let of_hidden = middle.learn(&found.hidden, MAX_HIDDEN_VALUE, &of_middle);
        self.transformer.learn(&parted(&of_hidden));
    }

    fn step(&mut self, step: Step, batch: f32) {
        self.transformer.step(step, batch);
        for HeadModel { middle, last } in &mut self.heads {
            middle.step(step, batch);
            last.step(step, batch);
        }
    }

    /// The nearest network of whole numbers.
    fn net(&self) -> EffortNet<R> {
        let max = f32::from(Transformer::<R, HIDDEN>::MAX_WEIGHT);
        let round = |weight: f32| (weight * f32::from(HIDDEN_UNITS)).round().clamp(-max, max);
        let weights: Vec<i16> =
            self.transformer.weights().map(|weight| round(weight) as i16).collect();
        let heads = self.heads.each_ref().map(|HeadModel { middle, last }| Head {
            middle: middle.dense(HIDDEN_UNITS),
            last: last.dense(HIDDEN_UNITS),
        });
        EffortNet { transformer: Transformer::of_weights(&weights), heads }
    }
}

/// The mean logarithm of the expansions; no number if there are no records.
fn mean_ln<'a, R: Rules>(records: impl Iterator<Item = &'a Record<R>>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for record in records {
        sum += f64::from(record.expansions).ln();
        count += 1.0;
    }
    sum / count
}

/// Measures a model on the records held out.
fn measure<R: Rules>(
    model: &mut Model<R>,
    number: u32,
    records: &[Record<R>],
    fitted: &[u32],
    held_out: &[u32],
) -> EffortPass {
    let of = |numbers: &[u32], outcome: Outcome| -> Vec<Record<R>> {
        let records = numbers.iter().map(|&number| records[number as usize]);
        records.filter(|record| record.outcome == outcome).collect()
    };
    let (proved, disproved) = (of(fitted, Outcome::Proved), of(fitted, Outcome::Disproved));
    let mean = mean_ln(proved.iter());
    let share = proved.len() as f64 / (proved.len() + disproved.len()) as f64;
    let (proved, disproved) = (of(held_out, Outcome::Proved), of(held_out, Outcome::Disproved));
    let (mut squares, mut squares_of_mean, mut loss, mut loss_of_mean) = (0.0, 0.0, 0.0, 0.0);
    for record in proved.iter().chain(&disproved) {
        let outputs = model.activate(&record.position, record.prover).outputs;
        let [expansions, logit] = outputs.map(f64::from);
        let chance = 1.0 / (1.0 + (-logit).exp());
        if record.outcome == Outcome::Proved {
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
