//! Fitting a network to judged positions.
//!
//! The output is the logit of the share of points that the player to move will get. What is aimed at is
//! a mixture of the game's result and of what a search thought of the position, by least
//! cross-entropy. A search's score becomes a share by the odds that games with such scores were won
//! with, so that its unit does not matter. The steps are Adam's (Kingma & Ba, 2015).

use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_eval::network::{HIDDEN_UNITS, RowCounts, Rows};
use shogi_eval::value::{HIDDEN, MAX_ACTIVE, Origin, ROW_UNITS, SQUARE_BITS};
use shogi_eval::weighted::HUNDREDTHS;
use shogi_eval::{ValueNet, Values, Weighted};
use shogi_rules::{Rules, Verdict};

use crate::linear::{generator, logistic};
use crate::network::{AddedRows, DenseModel, Step, TransformerModel, joined, parted};
use crate::weighted::Target;

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

/// How a network is fitted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetFit {
    /// Passes over the positions.
    pub passes: u32,
    /// Positions for each step.
    pub batch: u32,
    /// The size of the first steps; they become smaller towards the end.
    pub rate: f32,
    /// The share of the game's result in what is aimed at; the rest is the search's score.
    pub result_share: f32,
    /// Seed of the first weights and of the order of the positions.
    pub seed: u64,
}

impl NetFit {
    /// One pass by half the steps, for [`correct`]: what weighted features do not see is little, and more passes learn
    /// by heart.
    pub fn correction() -> Self {
        Self { passes: 1, rate: 1e-3, ..Self::default() }
    }
}

impl Default for NetFit {
    fn default() -> Self {
        Self { passes: 4, batch: 512, rate: 2e-3, result_share: 0.4, seed: 1 }
    }
}

/// How well a network says what is aimed at, after a pass, in nats.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetPass {
    /// The pass, from 1.
    pub number: u32,
    /// The mean cross-entropy of the positions that were fitted, in the course of the pass.
    pub loss: f32,
    /// That of the positions of every twentieth thousand, which are kept out of the fit.
    pub held_out: f32,
    /// The same for the results of these games alone.
    pub of_results: f32,
}

/// How far a fit has come.
#[derive(Clone, Copy, Debug)]
pub struct NetProgress<'a> {
    /// Positions gone over, in all passes.
    pub done: u64,
    /// Positions to go over, in all passes.
    pub total: u64,
    /// The passes that are complete.
    pub passes: &'a [NetPass],
}

/// Fits a network to judged positions, beginning from random weights. `progress` is called after every
/// step and every pass; `None` if it breaks.
///
/// Positions that stand together should be of one game: of every twenty thousand one thousand are kept
/// out of the fit together, so that the measure is of games that were not learnt from.
///
/// The same positions and settings make the same network (with the same exponential function and
/// logarithm of the machine). One thread; about 10 microseconds for each position and pass on 9x9.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_eval::value::Origin;
/// use shogi_eval::Values;
/// use shogi_learn::value::{Judged, NetFit, fit};
/// use shogi_rules::{Minishogi, Verdict, parse_position};
/// // A rook down, and lost.
/// let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 b r 1")?;
/// let samples = vec![Judged { position, score: -1500, result: Verdict::Loss }; 200];
/// let settings = NetFit { passes: 20, batch: 16, ..NetFit::default() };
/// let origin = Origin { command: "one position".to_owned(), seed: 1, games: 1, positions: 1 };
/// let values = Values::standard::<Minishogi>();
/// let net = fit(&samples, &settings, values, origin, |_| ControlFlow::Continue(())).unwrap();
/// assert!(net.evaluate(&net.accumulate(&position), &position) < -300);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<R: Rules>(
    samples: &[Judged<R>],
    settings: &NetFit,
    values: Values,
    origin: Origin,
    mut progress: impl FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<ValueNet<R>> {
    let mut scores = Vec::with_capacity(samples.len());
    for sample in samples {
        scores.push((sample.score, sample.result));
    }
    let take: Take<'_> = &|number, mirrored, rows| take(&samples[number].position, mirrored, rows);
    let model = fit_scores(Rows::<R>::COUNTS, &scores, take, settings, &mut progress)?;
    model.net(values, origin)
}

/// Fits a network that adds to the value of weighted features what these do not see, so that together they promise the
/// shares of the targets. Otherwise as [`fit`]; the share of the result in the settings is not used, and the measure of the
/// results is that of the shares.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_eval::value::Origin;
/// use shogi_eval::Weighted;
/// use shogi_learn::value::{NetFit, correct};
/// use shogi_learn::weighted::Target;
/// use shogi_rules::{Shogi, parse_position};
/// let base = Weighted::<Shogi>::fitted().expect("shogi has weights");
/// let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// let position = parse_position::<Shogi>(start)?;
/// let value = base.evaluate(&position);
/// // The position is better than it looks.
/// let targets = vec![Target { position, share: 0.9 }; 400];
/// let settings = NetFit { passes: 20, batch: 16, ..NetFit::default() };
/// let origin = Origin { command: "one position".to_owned(), seed: 1, games: 1, positions: 1 };
/// let net = correct(base, &targets, &settings, origin, |_| ControlFlow::Continue(())).unwrap();
/// assert!(net.evaluate(&net.accumulate(&position), &position) > value + 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn correct<R: Rules>(
    base: Weighted<R>,
    targets: &[Target<R>],
    settings: &NetFit,
    origin: Origin,
    mut progress: impl FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<ValueNet<R>> {
    let (shares, take) = (shares(targets), &taker(targets));
    let mut logits = Vec::with_capacity(targets.len());
    for target in targets {
        logits.push(base.evaluate(&target.position) as f32 / HUNDREDTHS as f32);
    }
    let model = fit_shares(Rows::<R>::COUNTS, &shares, &logits, take, settings, &mut progress)?;
    Some(model.net(base.values().clone(), origin)?.with_base(base))
}

/// Fits a network so that it promises the shares of the targets. Otherwise as [`fit`]; the share of the result in the settings is
/// not used, and the measure of the results is that of the shares.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_eval::value::Origin;
/// use shogi_eval::Values;
/// use shogi_learn::value::{NetFit, fit_targets};
/// use shogi_learn::weighted::Target;
/// use shogi_rules::{Minishogi, parse_position};
/// let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSBR b - 1")?;
/// let targets = vec![Target { position, share: 0.9 }; 400];
/// let settings = NetFit { passes: 20, batch: 16, ..NetFit::default() };
/// let origin = Origin { command: "one position".to_owned(), seed: 1, games: 1, positions: 1 };
/// let values = Values::standard::<Minishogi>();
/// let net = fit_targets(&targets, &settings, values, origin, |_| ControlFlow::Continue(()));
/// assert!(net.is_some_and(|net| net.evaluate(&net.accumulate(&position), &position) > 300));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_targets<R: Rules>(
    targets: &[Target<R>],
    settings: &NetFit,
    values: Values,
    origin: Origin,
    mut progress: impl FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<ValueNet<R>> {
    let (shares, take) = (shares(targets), &taker(targets));
    let logits = vec![0.0; shares.len()];
    let model = fit_shares(Rows::<R>::COUNTS, &shares, &logits, take, settings, &mut progress)?;
    model.net(values, origin)
}

/// The positions to learn from, by number.
struct Samples<'s> {
    count: usize,
    aims: &'s dyn Fn(usize) -> Aims,
    take: Take<'s>,
}

/// Takes the position with a number, or its mirror image.
type Take<'s> = &'s dyn Fn(usize, bool, &mut AddedRows);

/// What is aimed at for a position.
struct Aims {
    /// The logit that the network adds to.
    base: f32,
    /// What is aimed at.
    share: f32,
    /// What came of the game.
    result: f32,
}

/// Takes the pieces of a position, or of its mirror image, as the player to move sees them first.
fn take<R: Rules>(position: &Position<R>, mirrored: bool, rows: &mut AddedRows) {
    let placement = if mirrored { &position.mirror() } else { position.placement() };
    rows.set_pieces(placement, placement.side());
}

/// [`Take`] for targets.
fn taker<R: Rules>(targets: &[Target<R>]) -> impl Fn(usize, bool, &mut AddedRows) {
    |number, mirrored, rows| take(&targets[number].position, mirrored, rows)
}

/// The shares of targets.
fn shares<R: Rules>(targets: &[Target<R>]) -> Vec<f32> {
    let mut shares = Vec::with_capacity(targets.len());
    for target in targets {
        shares.push(target.share);
    }
    shares
}

/// Fits the layers to positions with these scores and results.
fn fit_scores(
    rows: RowCounts,
    scores: &[(i16, Verdict)],
    take: Take<'_>,
    settings: &NetFit,
    progress: &mut dyn FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<Model> {
    let aim = Aim { result_share: settings.result_share, scale: score_scale(scores) };
    let aims = |number: usize| {
        let (score, result) = scores[number];
        Aims { base: 0.0, share: aim.share(score, result), result: result.points() }
    };
    fit_samples(rows, &Samples { count: scores.len(), aims: &aims, take }, settings, progress)
}

/// Fits the layers to positions with these shares, the outputs being added to the logits.
fn fit_shares(
    rows: RowCounts,
    shares: &[f32],
    logits: &[f32],
    take: Take<'_>,
    settings: &NetFit,
    progress: &mut dyn FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<Model> {
    let aims = |number: usize| {
        let share = shares[number];
        Aims { base: logits[number], share, result: share }
    };
    fit_samples(rows, &Samples { count: shares.len(), aims: &aims, take }, settings, progress)
}

/// Fits the layers to samples.
fn fit_samples(
    rows: RowCounts,
    samples: &Samples<'_>,
    settings: &NetFit,
    progress: &mut dyn FnMut(NetProgress<'_>) -> ControlFlow<()>,
) -> Option<Model> {
    let mut random = generator(settings.seed, STREAM);
    let mut model = Model::random(rows, &mut random);
    let (held_out, mut order): (Vec<u32>, Vec<u32>) =
        (0..samples.count as u32).partition(|number| number / RUN % RUNS == RUNS - 1);
    let total = u64::from(settings.passes) * order.len() as u64;
    let (mut done, mut steps, mut passes) = (0, 0, Vec::new());
    for number in 1..=settings.passes {
        order.shuffle(&mut random);
        let mut loss = 0.0;
        for batch in order.chunks(settings.batch.max(1) as usize) {
            for &number in batch {
                let mirrored = random.random_range(0..2) == 1;
                (samples.take)(number as usize, mirrored, &mut model.transformer.added);
                let Aims { base, share, .. } = (samples.aims)(number as usize);
                loss += f64::from(model.learn(base, share));
            }
            steps += 1;
            // The steps become smaller towards the end.
            let rate = settings.rate * (1.0 - done as f32 / total as f32).max(0.02);
            model.step(Step::new(rate, steps), batch.len() as f32);
            done += batch.len() as u64;
            if progress(NetProgress { done, total, passes: &passes }).is_break() {
                return None;
            }
        }
        let loss = (loss / order.len().max(1) as f64) as f32;
        let mut losses = [0.0; 2];
        for &number in &held_out {
            (samples.take)(number as usize, false, &mut model.transformer.added);
            let Aims { base, share, result } = (samples.aims)(number as usize);
            let logit = base + model.activate().output;
            for (loss, share) in losses.iter_mut().zip([share, result]) {
                *loss += f64::from(cross_entropy(logit, share));
            }
        }
        let [held_out, of_results] =
            losses.map(|loss| (loss / held_out.len().max(1) as f64) as f32);
        passes.push(NetPass { number, loss, held_out, of_results });
        if progress(NetProgress { done, total, passes: &passes }).is_break() {
            return None;
        }
    }
    Some(model)
}

/// Of `RUNS` runs of so many positions one is kept out of the fit.
const RUN: u32 = 1000;
const RUNS: u32 = 20;

/// The stream of random numbers that a fit draws from; none of a game.
const STREAM: u64 = (3 << 62) | 1;

/// What is aimed at.
#[derive(Clone, Copy)]
struct Aim {
    result_share: f32,
    /// Units of a score for which the odds grow by a factor of e.
    scale: f32,
}

impl Aim {
    /// The share of points.
    fn share(self, score: i16, result: Verdict) -> f32 {
        let promised = logistic(f32::from(score) / self.scale);
        self.result_share * result.points() + (1.0 - self.result_share) * promised
    }
}

/// The cross-entropy of a share of points and the one that a logit promises.
fn cross_entropy(logit: f32, share: f32) -> f32 {
    let promised = logistic(logit).clamp(1e-6, 1.0 - 1e-6);
    -share * promised.ln() - (1.0 - share) * (1.0 - promised).ln()
}

/// Units of a score for which the odds of winning grow by a factor of e, between 200 and 1,000: those
/// that explain the results best. Games that are played badly would make every score mean little, and the
/// network's values too small for the margins of a search.
fn score_scale(scores: &[(i16, Verdict)]) -> f32 {
    // The derivative of the cross-entropy by 1 / scale, which grows with it.
    let slope = |inverse: f32| -> f64 {
        let of = |&(score, result): &(i16, Verdict)| {
            let score = f32::from(score);
            f64::from((logistic(score * inverse) - result.points()) * score)
        };
        scores.iter().map(of).sum()
    };
    let (mut low, mut high) = (1e-3, 5e-3);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    2.0 / (low + high)
}

/// The network in floating point, while it is fitted.
struct Model {
    transformer: TransformerModel<HIDDEN>,
    output: DenseModel<{ 2 * HIDDEN }, 1>,
}

/// What the layers hold for one position.
struct Activations {
    /// The hidden values, clipped.
    hidden: [f32; 2 * HIDDEN],
    /// Their squares.
    squares: [f32; 2 * HIDDEN],
    /// The logit.
    output: f32,
}

/// The largest hidden value, as in the network of whole numbers.
const MAX_ACTIVE_VALUE: f32 = (MAX_ACTIVE / HIDDEN_UNITS) as f32;
/// The largest weight of the first layer.
const MAX_ROW_WEIGHT: f32 = i8::MAX as f32 / ROW_UNITS as f32;

impl Model {
    fn random(rows: RowCounts, random: &mut ChaCha8Rng) -> Self {
        Self {
            transformer: TransformerModel::random(rows, MAX_ROW_WEIGHT, random),
            output: DenseModel::random(0.2, [0.0], random),
        }
    }

    /// What the layers make of the position taken.
    fn activate(&self) -> Activations {
        let hidden: [f32; 2 * HIDDEN] = joined(&self.transformer.hidden(MAX_ACTIVE_VALUE));
        let squares = hidden.map(|value| value * value);
        let [output] = self.output.outputs(&squares);
        Activations { hidden, squares, output }
    }

    /// Adds the gradient of the loss of the position taken, whose logit without the network is `base`; gives the loss.
    fn learn(&mut self, base: f32, share: f32) -> f32 {
        let Activations { hidden, squares, output } = self.activate();
        let logit = base + output;
        let slope = [logistic(logit) - share];
        let mut slopes = self.output.learn(&squares, MAX_ACTIVE_VALUE * MAX_ACTIVE_VALUE, &slope);
        slopes.iter_mut().zip(hidden).for_each(|(slope, value)| *slope *= 2.0 * value);
        self.transformer.learn(&parted(&slopes));
        cross_entropy(logit, share)
    }

    fn step(&mut self, step: Step, batch: f32) {
        self.transformer.step(step, batch);
        self.output.step(step, batch);
    }

    /// The nearest network of whole numbers.
    fn net<R: Rules>(&self, values: Values, origin: Origin) -> Option<ValueNet<R>> {
        let rows = self.rows(&Rows::<R>::met());
        // The weights are in range, and there are as many as there have to be.
        ValueNet::new(&rows, self.output.dense(1 << SQUARE_BITS).ok()?, values, origin).ok()
    }

    /// The weights of the first layer in whole numbers, as a file has them.
    fn rows(&self, met: &[usize]) -> Vec<i8> {
        let max = f32::from(i8::MAX);
        let round = |weight: &f32| (weight * f32::from(ROW_UNITS)).round().clamp(-max, max) as i8;
        let weights = self.transformer.weights();
        let written = std::iter::once(0).chain(met.iter().map(|row| row + 1));
        written.flat_map(|row| weights[row * HIDDEN..][..HIDDEN].iter().map(round)).collect()
    }
}
