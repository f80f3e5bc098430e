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
use shogi_eval::effort::{EffortHead, EffortNet, HIDDEN, MIDDLE};
use shogi_eval::network::{HIDDEN_UNITS, RowCounts, Rows, Transformer};
use shogi_eval::{Features, WeightsError};
use shogi_rules::Rules;

use shogi_solve::SearchOutcome;

use super::Record;
use crate::linear::{generator, logistic};
use crate::network::{
    AddedRows, DenseModel, MAX_HIDDEN_VALUE, Step, TransformerModel, joined, parted,
};

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
    mut progress: impl FnMut(EffortProgress<'_>) -> ControlFlow<()>,
) -> Option<EffortNet<R>> {
    let mut findings = Vec::with_capacity(records.len());
    for Record { position, prover, outcome, expansions } in records {
        let head = usize::from(position.side() != *prover);
        findings.push(Finding { outcome: *outcome, expansions: *expansions, head });
    }
    let take = |number: usize, mirrored: bool, rows: &mut AddedRows| {
        let Record { position, prover, .. } = &records[number];
        let placement = if mirrored { &position.mirror() } else { position.placement() };
        rows.set_pieces(placement, *prover);
        rows.add_state(placement, &Features::attacked(placement), *prover);
    };
    let samples = Samples { findings, take: &take };
    let max = Transformer::<R, HIDDEN>::MAX_WEIGHT;
    let model = fit_samples(Rows::<R>::COUNTS, max, &samples, settings, &mut progress)?;
    // The weights are in range, and there are as many as there have to be.
    model.net(max).ok()
}

/// The positions to learn from, by number.
struct Samples<'s> {
    findings: Vec<Finding>,
    /// Takes a position, or its mirror image, as the prover sees it first.
    take: &'s dyn Fn(usize, bool, &mut AddedRows),
}

/// What a search has found of a position.
#[derive(Clone, Copy)]
struct Finding {
    outcome: SearchOutcome,
    expansions: u32,
    /// 0 if the prover was to move, else 1.
    head: usize,
}

/// Fits the layers to samples; no weight of the first grows above `max` either way.
fn fit_samples(
    rows: RowCounts,
    max: i16,
    samples: &Samples<'_>,
    settings: &EffortFit,
    progress: &mut dyn FnMut(EffortProgress<'_>) -> ControlFlow<()>,
) -> Option<Model> {
    let mut random = generator(settings.seed, STREAM);
    let findings = &samples.findings;
    let mean = mean_ln(findings.iter().filter(|found| found.outcome == SearchOutcome::Proved));
    let mean = if mean.is_nan() { 0.0 } else { mean };
    let mut model = Model::random(rows, max, mean, &mut random);
    let most = findings.iter().map(|found| found.expansions).max();
    model.ceiling = most.map_or(0.0, |most| (most as f32).ln() + 1.0);
    let (held_out, mut order): (Vec<u32>, Vec<u32>) =
        (0..findings.len() as u32).partition(|number| number % HELD_OUT == HELD_OUT - 1);
    let total = u64::from(settings.passes) * order.len() as u64;
    let batch = settings.batch.max(1) as usize;
    let (mut done, mut steps, mut passes) = (0, 0, Vec::new());
    for number in 1..=settings.passes {
        order.shuffle(&mut random);
        for batch in order.chunks(batch) {
            for &number in batch {
                let mirrored = random.random_range(0..2) == 1;
                model.learn(samples, number as usize, mirrored);
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
        passes.push(measure(&mut model, number, samples, &order, &held_out));
        if progress(EffortProgress { done, total, passes: &passes }).is_break() {
            return None;
        }
    }
    Some(model)
}

/// Every so many records one is not learnt from, but measured on.
const HELD_OUT: u32 = 20;

/// The stream of random numbers that a fit draws from; none of a game.
const STREAM: u64 = 3 << 62;

/// Outputs, or the derivative of the loss by each: ln(expansions), logit of provable.
type Outputs = [f32; 2];

/// The derivative of a loss by the outputs. Estimates of a logarithm above `ceiling` count as
/// too large wherever no proof shows better.
fn slope(found: Finding, outputs: Outputs, ceiling: f32) -> Outputs {
    let error = outputs[0] - (found.expansions as f32).ln();
    let excess = (outputs[0] - ceiling).max(0.0);
    let chance = logistic(outputs[1]);
    match found.outcome {
        SearchOutcome::Proved => [error, chance - 1.0],
        SearchOutcome::Disproved => [excess, chance],
        SearchOutcome::Open => [error.min(0.0) + excess, chance - 0.5],
    }
}

/// The network in floating point, while it is fitted.
struct Model {
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

/// What the layers hold for one position.
struct Activations {
    hidden: [f32; 2 * HIDDEN],
    middle: [f32; MIDDLE],
    outputs: Outputs,
}

/// The largest value of a unit between the layers, as in the network of whole numbers.
const MAX_MIDDLE_VALUE: f32 = 64.0;

impl Model {
    /// Random weights, in the first layer up to `max`; all estimates are about `mean`, and all chances even.
    fn random(rows: RowCounts, max: i16, mean: f64, random: &mut ChaCha8Rng) -> Self {
        let limit = f32::from(max) / f32::from(HIDDEN_UNITS);
        let transformer = TransformerModel::random(rows, limit, random);
        let mut middle = || DenseModel::random(0.3, [0.0; MIDDLE], random);
        let (first, second) = (middle(), middle());
        let mut last = || DenseModel::random(0.6, [mean as f32, 0.0], random);
        let heads =
            [HeadModel { middle: first, last: last() }, HeadModel { middle: second, last: last() }];
        Self { transformer, heads, ceiling: 0.0 }
    }

    /// What the layers make of a position, or of its mirror image.
    fn activate(&mut self, samples: &Samples<'_>, number: usize, mirrored: bool) -> Activations {
        (samples.take)(number, mirrored, &mut self.transformer.added);
        let HeadModel { middle, last } = &self.heads[samples.findings[number].head];
        let hidden = joined(&self.transformer.hidden(MAX_HIDDEN_VALUE));
        let middle = middle.outputs(&hidden).map(|sum| sum.clamp(0.0, MAX_MIDDLE_VALUE));
        let outputs = last.outputs(&middle);
        Activations { hidden, middle, outputs }
    }

    /// Adds the gradient of the loss of a position, or of its mirror image.
    fn learn(&mut self, samples: &Samples<'_>, number: usize, mirrored: bool) {
        let activations = self.activate(samples, number, mirrored);
        let found = samples.findings[number];
        let slope = slope(found, activations.outputs, self.ceiling);
        let HeadModel { middle, last } = &mut self.heads[found.head];
        let of_middle = last.learn(&activations.middle, MAX_MIDDLE_VALUE, &slope);
        let of_hidden = middle.learn(&activations.hidden, MAX_HIDDEN_VALUE, &of_middle);
        self.transformer.learn(&parted(&of_hidden));
    }

    fn step(&mut self, step: Step, batch: f32) {
        self.transformer.step(step, batch);
        for HeadModel { middle, last } in &mut self.heads {
            middle.step(step, batch);
            last.step(step, batch);
        }
    }

    /// The nearest network of whole numbers, no weight of the first layer above `max` either way.
    fn net<R: Rules>(&self, max: i16) -> Result<EffortNet<R>, WeightsError> {
        let [first, second] = &self.heads;
        let heads = [first.head()?, second.head()?];
        Ok(EffortNet::new(Transformer::new(&self.rows(max))?, heads))
    }

    /// The weights of the first layer in whole numbers.
    fn rows(&self, max: i16) -> Vec<i16> {
        let max = f32::from(max);
        let round = |weight: &f32| (weight * f32::from(HIDDEN_UNITS)).round().clamp(-max, max);
        self.transformer.weights().iter().map(|weight| round(weight) as i16).collect()
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

/// The mean logarithm of the expansions; no number if nothing was found.
fn mean_ln<'a>(findings: impl Iterator<Item = &'a Finding>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for found in findings {
        sum += f64::from(found.expansions).ln();
        count += 1.0;
    }
    sum / count
}

/// Measures a model on the records held out.
fn measure(
    model: &mut Model,
    number: u32,
    samples: &Samples<'_>,
    fitted: &[u32],
    held_out: &[u32],
) -> EffortPass {
    let findings = &samples.findings;
    let of = |numbers: &[u32], outcome: SearchOutcome| -> Vec<usize> {
        let numbers = numbers.iter().map(|&number| number as usize);
        numbers.filter(|&number| findings[number].outcome == outcome).collect()
    };
    let (proved, disproved) =
        (of(fitted, SearchOutcome::Proved), of(fitted, SearchOutcome::Disproved));
    let mean = mean_ln(proved.iter().map(|&number| &findings[number]));
    let share = proved.len() as f64 / (proved.len() + disproved.len()) as f64;
    let (proved, disproved) =
        (of(held_out, SearchOutcome::Proved), of(held_out, SearchOutcome::Disproved));
    let (mut squares, mut squares_of_mean, mut loss, mut loss_of_mean) = (0.0, 0.0, 0.0, 0.0);
    for &number in proved.iter().chain(&disproved) {
        let outputs = model.activate(samples, number, false).outputs;
        let [expansions, logit] = outputs.map(f64::from);
        let chance = 1.0 / (1.0 + (-logit).exp());
        let found = findings[number];
        if found.outcome == SearchOutcome::Proved {
            let ln = f64::from(found.expansions).ln();
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
