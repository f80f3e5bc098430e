//! Fits a network to judged positions.
//!
//! The output is the logit of the share of points that the player to move will get. The target is a mixture of
//! the game's result and the search's score of the position; the loss is the cross-entropy. A search's score
//! becomes a share by the odds that games with such scores were won with, so that its unit does not matter. The
//! steps are Adam's (Kingma & Ba, 2015).

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_eval::network::{HIDDEN_UNITS, Rows};
use shogi_eval::value::{HIDDEN, MAX_ACTIVE, Origin, ROW_UNITS, SQUARE_BITS};
use shogi_eval::weighted::HUNDREDTHS;
use shogi_eval::{ValueNet, Values, Weighted};
use shogi_rules::{Rules, Verdict};

use crate::fit::{
    Decline, DenseModel, Fit, FitPass, FitProgress, Layer, Model, Schedule, TransformerModel,
    cross_entropy, joined, logistic, parted,
};
use crate::linear::generator;
use crate::self_play::is_decided;
use crate::targets::Target;

/// A position with a search's score and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The score of a search, for the player to move, in hundredths of a pawn.
    pub score: i16,
    /// How the game ended, for the player to move.
    pub result: Verdict,
}

/// Settings of the fit of a network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetFit {
    /// Passes over the positions.
    pub passes: u32,
    /// Positions for each step.
    pub batch: u32,
    /// The size of the first steps; they become smaller towards the end.
    pub rate: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result_share: f32,
    /// Seed of the first weights and of the order of the positions.
    pub seed: u64,
}

impl NetFit {
    /// One pass with steps of half the size, for a network that corrects weighted features: the correction is
    /// small, and more passes would overfit.
    pub fn correction() -> Self {
        Self { passes: 1, rate: 1e-3, ..Self::default() }
    }

    pub(crate) const fn schedule(&self) -> Schedule {
        let &Self { passes, batch, rate, .. } = self;
        let decline = Decline::ByStep(0.02);
        Schedule { passes, batch: batch as usize, rate, decline, mirrors: true }
    }
}

impl Default for NetFit {
    fn default() -> Self {
        Self { passes: 4, batch: 512, rate: 2e-3, result_share: 0.4, seed: 1 }
    }
}

/// Fits a network to judged positions, starting from random weights. `progress` is called after every step; the
/// result is `None` if it breaks.
///
/// Consecutive positions should be of one game: of every twenty thousand, one thousand consecutive positions
/// are held out of the fit, so that quality is measured on games that were not learnt from.
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
    progress: impl FnMut(FitProgress<'_, FitPass>) -> ControlFlow<()>,
) -> Option<ValueNet<R>> {
    let results = samples.iter().map(|sample| sample.result.points()).collect();
    let targets = to_targets(samples, settings.result_share);
    let (mut model, mut fit) = ValueModel::new(targets, results, Vec::new(), settings);
    let measure = |model: &mut ValueModel<R>, _: &Fit, number, loss| model.measure(number, loss);
    match fit.run(&mut model, &mut Vec::new(), measure, progress) {
        ControlFlow::Continue(()) => model.net(values, origin),
        ControlFlow::Break(()) => None,
    }
}

/// Of every `RUNS` runs of this many positions one is held out of the fit.
const RUN: u32 = 1000;
const RUNS: u32 = 20;

/// Whether the position with this number is held out.
pub(crate) const fn is_held_out(number: &u32) -> bool {
    *number / RUN % RUNS == RUNS - 1
}

/// The mean over the held-out positions; `None` without any.
pub(crate) fn mean(sum: f64, positions: usize) -> Option<f32> {
    (positions > 0).then(|| (sum / positions as f64) as f32)
}

/// The stream of random numbers of a fit, distinct from those of games.
pub(crate) const STREAM: u64 = (3 << 62) | 1;

/// The targets of judged positions: a share of the result, and the rest from the points that the score
/// promises, which are all or nothing where the search saw the end.
pub(crate) fn to_targets<R: Rules>(samples: &[Judged<R>], result_share: f32) -> Vec<Target<R>> {
    let scale = score_scale(samples);
    let target = |&Judged { position, score, result }: &Judged<R>| {
        let promised = match is_decided(score) {
            true => f32::from(u8::from(score > 0)),
            false => logistic(f32::from(score) / scale),
        };
        let share = result_share * result.points() + (1.0 - result_share) * promised;
        Target { position, share }
    };
    samples.iter().map(target).collect()
}

/// Units of a score that multiply the odds of winning by e, between 200 and 1,000: the number that explains the
/// results best. The bounds are needed since badly played games would make every score mean little, and the
/// network's values too small for the margins of a search.
fn score_scale<R: Rules>(samples: &[Judged<R>]) -> f32 {
    // The derivative of the cross-entropy by 1 / scale, which grows with it.
    let slope = |inverse: f32| -> f64 {
        let of = |sample: &Judged<R>| {
            let score = f32::from(sample.score);
            f64::from((logistic(score * inverse) - sample.result.points()) * score)
        };
        samples.iter().filter(|sample| !is_decided(sample.score)).map(of).sum()
    };
    let (mut low, mut high) = (1e-3, 5e-3);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    2.0 / (low + high)
}

/// The network in floating point, while it is fitted to targets.
pub(crate) struct ValueModel<R: Rules> {
    targets: Vec<Target<R>>,
    /// The results of the games, if they are not the targets.
    results: Vec<f32>,
    /// The logits to which the outputs are added, if the network corrects something.
    bases: Vec<f32>,
    /// The held-out positions.
    held_out: Vec<u32>,
    transformer: TransformerModel<HIDDEN>,
    output: DenseModel<{ 2 * HIDDEN }, 1>,
}

/// The values of the layers for one position.
struct Activations {
    /// The hidden values, clipped.
    hidden: [f32; 2 * HIDDEN],
    /// Their squares.
    squares: [f32; 2 * HIDDEN],
    /// The predicted logit.
    logit: f32,
}

/// The largest hidden value, as in the network of whole numbers.
const MAX_ACTIVE_VALUE: f32 = (MAX_ACTIVE / HIDDEN_UNITS) as f32;
/// The largest weight of the first layer.
const MAX_ROW_WEIGHT: f32 = i8::MAX as f32 / ROW_UNITS as f32;

impl<R: Rules> ValueModel<R> {
    /// A model with random weights, and its fit.
    pub(crate) fn new(
        targets: Vec<Target<R>>,
        results: Vec<f32>,
        bases: Vec<f32>,
        settings: &NetFit,
    ) -> (Self, Fit) {
        let mut random = generator(settings.seed, STREAM);
        let transformer = TransformerModel::random(Rows::<R>::COUNTS, MAX_ROW_WEIGHT, &mut random);
        let output = DenseModel::random(0.2, [0.0], &mut random);
        let (held_out, order) = (0..targets.len() as u32).partition(is_held_out);
        let fit = Fit::new(settings.schedule(), order, random);
        (Self { targets, results, bases, held_out, transformer, output }, fit)
    }

    /// The logits that weighted features give to targets.
    pub(crate) fn bases(base: &Weighted<R>, targets: &[Target<R>]) -> Vec<f32> {
        let logit = |target: &Target<R>| base.evaluate(&target.position) as f32 / HUNDREDTHS as f32;
        targets.iter().map(logit).collect()
    }

    /// Computes the layers for a position or its mirror image, the player to move first.
    fn activate(&mut self, number: usize, mirrored: bool) -> Activations {
        let position = &self.targets[number].position;
        let placement = if mirrored { &position.mirror() } else { position.placement() };
        self.transformer.added.set_pieces(placement, placement.side());
        let hidden: [f32; 2 * HIDDEN] = joined(&self.transformer.hidden(MAX_ACTIVE_VALUE));
        let squares = hidden.map(|value| value * value);
        let [output] = self.output.outputs(&squares);
        let logit = self.bases.get(number).unwrap_or(&0.0) + output;
        Activations { hidden, squares, logit }
    }

    /// The result of a pass with this mean loss, measured on the held-out positions.
    pub(crate) fn measure(&mut self, number: u32, loss: f32) -> FitPass {
        let (mut of_shares, mut of_results) = (0.0, 0.0);
        for place in 0..self.held_out.len() {
            let sample = self.held_out[place] as usize;
            let promised = logistic(self.activate(sample, false).logit);
            let share = self.targets[sample].share;
            let result = *self.results.get(sample).unwrap_or(&share);
            of_shares += f64::from(cross_entropy(promised, share));
            of_results += f64::from(cross_entropy(promised, result));
        }
        let mean = |sum: f64| mean(sum, self.held_out.len());
        FitPass { number, loss, held_out: mean(of_shares), of_results: mean(of_results) }
    }

    /// The nearest integer network.
    pub(crate) fn net(&self, values: Values, origin: Origin) -> Option<ValueNet<R>> {
        let max = f32::from(i8::MAX);
        let round = |weight: &f32| (weight * f32::from(ROW_UNITS)).round().clamp(-max, max) as i8;
        let weights = self.transformer.weights();
        let written = std::iter::once(0).chain(Rows::<R>::met().into_iter().map(|row| row + 1));
        let rows: Vec<i8> =
            written.flat_map(|row| weights[row * HIDDEN..][..HIDDEN].iter().map(round)).collect();
        // The weights are in range, and there are as many as there have to be.
        ValueNet::new(&rows, self.output.dense(1 << SQUARE_BITS).ok()?, values, origin).ok()
    }
}

impl<R: Rules> Model for ValueModel<R> {
    fn learn(&mut self, number: usize, mirrored: bool) -> f64 {
        let Activations { hidden, squares, logit } = self.activate(number, mirrored);
        let share = self.targets[number].share;
        let promised = logistic(logit);
        let slope = [promised - share];
        let mut slopes = self.output.learn(&squares, MAX_ACTIVE_VALUE * MAX_ACTIVE_VALUE, &slope);
        slopes.iter_mut().zip(hidden).for_each(|(slope, value)| *slope *= 2.0 * value);
        self.transformer.learn(&parted(&slopes));
        cross_entropy(promised, share).into()
    }

    fn layers(&mut self) -> Vec<&mut dyn Layer> {
        vec![&mut self.transformer.blocks, &mut self.output.blocks]
    }
}
