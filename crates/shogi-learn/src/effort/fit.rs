//! Fitting an effort net to the records of searches.
//!
//! A proved position says what its proof cost: the squared error of the logarithm. An open one says
//! that a proof costs more than was spent: the square of what the estimate falls short, and nothing if
//! it does not (as in Tobin's regression with censored data, 1958). Proved and disproved positions say
//! whether a proof exists: the log-loss. The steps are Adam's (Kingma & Ba, 2015).
//!
//! The rows of a piece depend on the own king's square, and many of them are seldom seen. So a weight
//! is a sum of two while it is fitted, one of them the same for all squares of the king; both are one
//! number again in the network that comes out.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Placement, RuleTable};
use shogi_rules::Rules;

use super::{EffortNet, HIDDEN, Head, MIDDLE, Outcome, Record};
use crate::features::Features;
use crate::network::{
    Blocks, Dense, HIDDEN_UNITS, MAX_HIDDEN, Rows, Step, Transformer, WEIGHT_UNITS,
};
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
    let chance = 1.0 / (1.0 + (-outputs[1]).exp());
    match record.outcome {
        Outcome::Proved => [error, chance - 1.0],
        Outcome::Disproved => [excess, chance],
        Outcome::Open => [error.min(0.0) + excess, chance - 0.5],
    }
}

/// The network in floating point, while it is fitted.
struct Model<R: RuleTable> {
    /// The rows, then those without the king's square, then the bias.
    rows: Blocks<HIDDEN>,
    /// For each head, and each input: its weights for all outputs; last the bias.
    middle: [Blocks<MIDDLE>; 2],
    last: [Blocks<2>; 2],
    /// The largest sensible estimate of a logarithm.
    ceiling: f32,
    /// The rows of the last position, for each player.
    added: [Vec<u32>; 2],
    rules: PhantomData<R>,
}

/// What the layers hold for one position.
struct Activations {
    head: usize,
    hidden: [f32; 2 * HIDDEN],
    middle: [f32; MIDDLE],
    outputs: Outputs,
}

/// The largest values of the layers, as in the network of whole numbers.
const MAX_HIDDEN_VALUE: f32 = (MAX_HIDDEN / HIDDEN_UNITS) as f32;
const MAX_MIDDLE_VALUE: f32 = 64.0;

impl<R: Rules> Model<R> {
    const GENERAL: usize = Rows::<R>::COUNT;
    const BIAS: usize = Self::GENERAL + Rows::<R>::BY_KING;
    /// Half of the largest weight of a row, which is a sum of two.
    const LIMIT: f32 = Transformer::<R, HIDDEN>::MAX_WEIGHT as f32 / HIDDEN_UNITS as f32 / 2.0;

    /// Random weights; all estimates are about `mean`, and all chances even.
    fn random(mean: f64, random: &mut ChaCha8Rng) -> Self {
        let mut rows = vec![[0.0; HIDDEN]; Self::BIAS + 1];
        // Rows of pieces begin with what does not depend on the king.
        for (number, row) in rows.iter_mut().enumerate() {
            if number < Self::GENERAL && Rows::<R>::without_king(number).is_some() {
                continue;
            }
            fill(row, 0.1, random);
        }
        rows[Self::BIAS] = [0.5; HIDDEN];
        let layer = |random: &mut ChaCha8Rng| {
            let mut weights = vec![[0.0; MIDDLE]; 2 * HIDDEN + 1];
            weights[..2 * HIDDEN].iter_mut().for_each(|row| fill(row, 0.3, random));
            Blocks::new(weights, MAX_LAYER_WEIGHT, MAX_LAYER_BIAS)
        };
        let middle = [layer(random), layer(random)];
        let layer = |random: &mut ChaCha8Rng| {
            let mut weights = vec![[0.0; 2]; MIDDLE + 1];
            weights[..MIDDLE].iter_mut().for_each(|row| fill(row, 0.6, random));
            weights[MIDDLE][0] = mean as f32;
            Blocks::new(weights, MAX_LAYER_WEIGHT, MAX_LAYER_BIAS)
        };
        let last = [layer(random), layer(random)];
        let rows = Blocks::new(rows, Self::LIMIT, Self::LIMIT);
        Self { rows, middle, last, ceiling: 0.0, added: Default::default(), rules: PhantomData }
    }

    /// Notes the rows of a position, for the prover first.
    fn add_rows(&mut self, placement: &Placement<R>, prover: Colour) {
        let attacked = Features::attacked(placement);
        for (added, player) in self.added.iter_mut().zip([prover, !prover]) {
            added.clear();
            Rows::visit_pieces(placement, player, |row| {
                added.push(row as u32);
                let general = Rows::<R>::without_king(row);
                added.extend(general.map(|row| (Self::GENERAL + row) as u32));
            });
        }
        Rows::visit_state(placement, &attacked, |player, row| {
            self.added[usize::from(player != prover)].push(row as u32);
        });
    }

    /// What the layers make of a position.
    fn activate(&mut self, placement: &Placement<R>, prover: Colour) -> Activations {
        self.add_rows(placement, prover);
        let head = usize::from(placement.side() != prover);
        let mut hidden = [0.0; 2 * HIDDEN];
        for (hidden, added) in hidden.chunks_exact_mut(HIDDEN).zip(&self.added) {
            let mut sum = self.rows.weights[Self::BIAS];
            for &row in added {
                add(&mut sum, 1.0, &self.rows.weights[row as usize]);
            }
            hidden.copy_from_slice(&sum.map(|sum| sum.clamp(0.0, MAX_HIDDEN_VALUE)));
        }
        let (middle, last) = (&self.middle[head].weights, &self.last[head].weights);
        let mut sums = middle[2 * HIDDEN];
        for (value, weights) in hidden.iter().zip(middle) {
            add(&mut sums, *value, weights);
        }
        let middle = sums.map(|sum| sum.clamp(0.0, MAX_MIDDLE_VALUE));
        let mut outputs = last[MIDDLE];
        for (value, weights) in middle.iter().zip(last) {
            add(&mut outputs, *value, weights);
        }
        Activations { head, hidden, middle, outputs }
    }

    /// Adds the gradient of a record's loss.
    fn learn(&mut self, record: &Record<R>, mirrored: bool) {
        let placement = record.position.placement();
        let placement = if mirrored { placement.mirror() } else { *placement };
        let found = self.activate(&placement, record.prover);
        let slope = slope(record, found.outputs, self.ceiling);
        let Activations { head, hidden, middle, .. } = found;
        let last = &mut self.last[head];
        last.add_gradient(MIDDLE, 1.0, &slope);
        let mut of_middle = [0.0; MIDDLE];
        for (unit, &value) in middle.iter().enumerate() {
            if value > 0.0 && value < MAX_MIDDLE_VALUE {
                of_middle[unit] = dot(&slope, &last.weights[unit]);
            }
            last.add_gradient(unit, value, &slope);
        }
        let layer = &mut self.middle[head];
        layer.add_gradient(2 * HIDDEN, 1.0, &of_middle);
        let mut of_hidden = [[0.0; HIDDEN]; 2];
        for (unit, &value) in hidden.iter().enumerate() {
            if value > 0.0 {
                if value < MAX_HIDDEN_VALUE {
                    of_hidden[unit / HIDDEN][unit % HIDDEN] = dot(&of_middle, &layer.weights[unit]);
                }
                layer.add_gradient(unit, value, &of_middle);
            }
        }
        for (added, slope) in self.added.iter().zip(&of_hidden) {
            self.rows.add_gradient(Self::BIAS, 1.0, slope);
            for &row in added {
                self.rows.add_gradient(row as usize, 1.0, slope);
            }
        }
    }

    fn step(&mut self, step: Step, batch: f32) {
        self.rows.step(step, batch);
        self.middle.iter_mut().for_each(|layer| layer.step(step, batch));
        self.last.iter_mut().for_each(|layer| layer.step(step, batch));
    }

    /// The nearest network of whole numbers.
    fn net(&self) -> EffortNet<R> {
        let rows = &self.rows.weights;
        let bias = rows[Self::BIAS].into_iter();
        let weights = (0..Rows::<R>::COUNT).flat_map(|row| {
            let mut sum = rows[row];
            if let Some(general) = Rows::<R>::without_king(row) {
                add(&mut sum, 1.0, &rows[Self::GENERAL + general]);
            }
            sum
        });
        let max = f32::from(Transformer::<R, HIDDEN>::MAX_WEIGHT);
        let round = |weight: f32| (weight * f32::from(HIDDEN_UNITS)).round().clamp(-max, max);
        let weights: Vec<i16> = bias.chain(weights).map(|weight| round(weight) as i16).collect();
        let transformer = Transformer::of_weights(&weights);
        let head = |head: usize| Head {
            middle: layer(&self.middle[head].weights),
            last: layer(&self.last[head].weights),
        };
        EffortNet { transformer, heads: [head(0), head(1)] }
    }
}

/// The largest weight and bias of the layers above the first, just below what [`Dense`] takes.
const MAX_LAYER_WEIGHT: f32 = 3.99;
const MAX_LAYER_BIAS: f32 = 200.0;

/// A layer of whole numbers.
fn layer<const I: usize, const O: usize>(blocks: &[[f32; O]]) -> Dense<I, O> {
    let units = WEIGHT_UNITS as f32;
    let mut weights = [[0; I]; O];
    for (input, block) in blocks[..I].iter().enumerate() {
        for (output, weight) in block.iter().enumerate() {
            weights[output][input] = (weight * units).round() as i16;
        }
    }
    let bias = blocks[I].map(|bias| (bias * units * f32::from(HIDDEN_UNITS)).round() as i32);
    Dense::from_rows(weights, bias)
}

/// Random numbers up to `size` either way.
fn fill(row: &mut [f32], size: f32, random: &mut ChaCha8Rng) {
    row.iter_mut().for_each(|weight| *weight = random.random_range(-size..size));
}

/// Adds `factor` times a vector.
#[inline(always)]
fn add<const N: usize>(sum: &mut [f32; N], factor: f32, vector: &[f32; N]) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += factor * value;
    }
}

/// The inner product, as four sums side by side.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 4];
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        sums[i % 4] += a * b;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
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
