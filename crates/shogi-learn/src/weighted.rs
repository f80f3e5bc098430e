//! Weights from games: logistic regression.
//!
//! The share of points that the evaluation promises, `1 / (1 + exp(-value / 600))`, is fitted to one that is given
//! for each position, by least cross-entropy, with Adam (Kingma & Ba, 2015). Weights that know where a
//! piece is or how many squares it attacks are drawn towards zero: what is rare is left to what is common.

use std::ops::Range;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_core::{Kind, KindSpec, Position, Role, RuleTable};
use shogi_eval::weighted::{HUNDREDTHS, Layout, MAX_DANGER, Surroundings, Visitor, visit_dyn};
use shogi_eval::{Values, Weighted, WeightsError, faces};

use crate::linear::logistic;

/// A position with what is aimed at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target<R: RuleTable> {
    /// The position.
    pub position: Position<R>,
    /// The share of points of the player to move, between 0 and 1.
    pub share: f32,
}

/// How weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WeightedFit {
    /// Passes over the positions.
    pub passes: u32,
    /// The largest step of a weight, in pawns or roots of a pawn.
    pub rate: f32,
    /// Positions for each step.
    pub batch: usize,
    /// How strongly weights that know where a piece is are drawn towards zero.
    pub decay: f32,
    /// Seed of the order of the positions.
    pub seed: u64,
}

impl Default for WeightedFit {
    /// 24 passes, steps of 0.02, 2,048 positions for each.
    fn default() -> Self {
        Self { passes: 24, rate: 0.02, batch: 2_048, decay: 1e-5, seed: 1 }
    }
}

/// How well weights say what is aimed at, after a pass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WeightedPass {
    /// The pass, from 1.
    pub number: u32,
    /// The mean cross-entropy of the positions during the pass, in nats.
    pub loss: f32,
}

/// Pawns for which the odds grow by a factor of e.
pub const PAWNS: f32 = HUNDREDTHS as f32 / 100.0;
/// How slowly the moments of gradients change.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// What each weight of danger begins with: from zero it would never move.
const FIRST_DANGER: f32 = 0.2;

/// Fits weights to targets. `report` is called after every pass.
///
/// The same targets and settings always give the same weights (with the same exponential function of the machine). Takes
/// about 600 bytes for each position, and a second for 400,000 positions and pass.
///
/// # Errors
///
/// None for the weights of a rule table; see [`Weighted::new`].
///
/// ```
/// use shogi_learn::weighted::{Target, WeightedFit, fit};
/// use shogi_eval::Values;
/// use shogi_rules::{Minishogi, parse_position};
/// // A rook down, and lost.
/// let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 b r 1")?;
/// let targets = vec![Target { position, share: 0.05 }; 40];
/// let prior = Values::by_freedom::<Minishogi>();
/// let settings = WeightedFit { passes: 60, ..WeightedFit::default() };
/// let weighted = fit(&targets, &settings, &prior, "one position", |_| {})?;
/// assert!(weighted.evaluate(&position) < -500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<R: RuleTable>(
    targets: &[Target<R>],
    settings: &WeightedFit,
    prior: &Values,
    origin: &str,
    mut report: impl FnMut(&WeightedPass),
) -> Result<Weighted<R>, WeightsError> {
    let samples = Samples::new(targets);
    let mut model = Model::new::<R>(prior);
    fit_samples(&mut model, &samples, settings, &mut report);
    model.weighted(&samples, origin)
}

fn fit_samples(
    model: &mut Model,
    samples: &Samples,
    settings: &WeightedFit,
    report: &mut dyn FnMut(&WeightedPass),
) {
    let mut order: Vec<usize> = (0..samples.shares.len()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut steps = 0;
    for number in 1..=settings.passes {
        order.shuffle(&mut rng);
        // The steps become smaller towards the end.
        let left = 1.0 - (number - 1) as f32 / settings.passes as f32;
        let mut loss = 0.0;
        for batch in order.chunks(settings.batch.max(1)) {
            loss += batch.iter().map(|&sample| model.learn(samples, sample)).sum::<f32>();
            steps += 1;
            model.step(settings.rate * left, settings.decay, steps, batch.len() as f32);
        }
        report(&WeightedPass { number, loss: loss / order.len().max(1) as f32 });
    }
}

/// Features of all positions, and what is aimed at.
struct Samples {
    /// Numbers of weights with how often they count; those of danger follow those of values, first for the player to
    /// move, then for the opponent.
    features: Vec<(u16, i8)>,
    /// Where the values, and where the dangers of each position end.
    ends: Vec<[usize; 2]>,
    shares: Vec<f32>,
}

/// What is seen of one position.
#[derive(Default)]
struct Seen {
    values: Vec<(u16, i8)>,
    dangers: Vec<(u16, i8)>,
    /// Where the opponent's dangers begin.
    all_dangers: usize,
}

impl Visitor for Seen {
    fn value(&mut self, player: usize, weight: usize, times: i32) {
        if times != 0 {
            let times = if player == 0 { times } else { -times };
            self.values.push((weight as u16, times as i8));
        }
    }

    fn danger(&mut self, player: usize, weight: usize, times: i32) {
        if times != 0 {
            self.dangers.push(((weight + player * self.all_dangers) as u16, times as i8));
        }
    }
}

impl Samples {
    fn new<R: RuleTable>(targets: &[Target<R>]) -> Self {
        const { assert!(Layout::<R>::VALUES <= 1 << 16, "weights are numbered by 16 bits") };
        let surroundings = Surroundings::all();
        let mut seen = Seen { all_dangers: Layout::<R>::DANGERS, ..Seen::default() };
        let (features, ends, shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut samples = Self { features, ends, shares };
        for target in targets {
            visit_dyn(&surroundings, &target.position, &mut seen);
            samples.push(&mut seen, target.share);
        }
        samples
    }

    /// Takes what is seen of a position.
    fn push(&mut self, seen: &mut Seen, share: f32) {
        self.features.append(&mut seen.values);
        let values = self.features.len();
        self.features.append(&mut seen.dangers);
        self.ends.push([values, self.features.len()]);
        self.shares.push(share);
    }

    /// The values and the dangers of a position.
    fn get(&self, sample: usize) -> [&[(u16, i8)]; 2] {
        let start = sample.checked_sub(1).map_or(0, |before| self.ends[before][1]);
        let [values, end] = self.ends[sample];
        [&self.features[start..values], &self.features[values..end]]
    }
}

/// Weights in pawns, those of danger in roots of a pawn.
struct Model {
    weights: Vec<f32>,
    /// The gradient of the batch.
    gradient: Vec<f32>,
    /// The moments of the gradients, which are kept for all weights: one that seldom comes up would grow by a whole
    /// step each time if its moments were left alone between.
    means: Vec<f32>,
    squares: Vec<f32>,
    values: usize,
    dangers: usize,
    /// The weights that are drawn towards zero.
    drawn: Range<usize>,
}

/// No weight grows above this either way: what 16 bits hold.
const MAX_WEIGHT: f32 = 20.0;

impl Model {
    /// Pieces with their prior values, danger with small weights, all else with none.
    fn new<R: RuleTable>(prior: &Values) -> Self {
        let (values, dangers) = (Layout::<R>::VALUES, Layout::<R>::DANGERS);
        let drawn = Layout::<R>::OWN_KING..Layout::<R>::UNPROTECTED;
        let mut weights = vec![0.0; values];
        weights.resize(values + dangers, FIRST_DANGER);
        let mut model = Self::of_weights(weights, values, dangers, drawn);
        model.start(prior, R::KINDS, Layout::<R>::PIECE, Layout::<R>::of_hand);
        model
    }

    /// Gives pieces that have a value their worth; a king is always there. The weights of faces begin at `piece`.
    fn start(
        &mut self,
        prior: &Values,
        kinds: &[KindSpec],
        piece: usize,
        of_hand: fn(Kind) -> Range<usize>,
    ) {
        for face in faces(kinds) {
            if kinds[face.kind.index()].role != Role::Royal {
                self.weights[piece + face.index()] = prior.board(face) as f32 / 100.0;
                self.weights[of_hand(face.kind)].fill(prior.hand(face.kind) as f32 / 100.0);
            }
        }
    }

    fn of_weights(weights: Vec<f32>, values: usize, dangers: usize, drawn: Range<usize>) -> Self {
        let zero = vec![0.0; weights.len()];
        let [gradient, means, squares] = [zero.clone(), zero.clone(), zero];
        Self { weights, gradient, means, squares, values, dangers, drawn }
    }

    /// Adds the gradient of a sample to the batch's; gives its cross-entropy.
    fn learn(&mut self, samples: &Samples, sample: usize) -> f32 {
        let [values, dangers] = samples.get(sample);
        let weight = |place: usize| self.weights[place];
        let value: f32 =
            values.iter().map(|&(place, times)| weight(place.into()) * f32::from(times)).sum();
        let mut sums = [0.0; 2];
        for &(place, times) in dangers {
            let (king, place) = self.of_danger(place);
            sums[king] += weight(place) * f32::from(times);
        }
        let [own, other] = sums.map(|sum: f32| sum.clamp(0.0, MAX_DANGER).powi(2));
        let promised = logistic((value - own + other) / PAWNS);
        let promised = promised.clamp(1e-6, 1.0 - 1e-6);
        let share = samples.shares[sample];

        let slope = (promised - share) / PAWNS;
        for &(place, times) in values {
            self.gradient[usize::from(place)] += slope * f32::from(times);
        }
        for &(place, times) in dangers {
            let (king, place) = self.of_danger(place);
            // Below and above these bounds the danger does not depend on the weights.
            if (0.0..MAX_DANGER).contains(&sums[king]) {
                let slope = slope * 2.0 * sums[king] * if king == 0 { -1.0 } else { 1.0 };
                self.gradient[place] += slope * f32::from(times);
            }
        }
        -share * promised.ln() - (1.0 - share) * (1.0 - promised).ln()
    }

    /// Moves the weights by the mean gradient of a batch of so many, which is step number `number`, and forgets the
    /// gradient.
    fn step(&mut self, rate: f32, decay: f32, number: i32, batch: f32) {
        let (mean_share, square_share) =
            (1.0 - MEAN_DECAY.powi(number), 1.0 - SQUARE_DECAY.powi(number));
        for place in 0..self.weights.len() {
            let decay = if self.drawn.contains(&place) { decay } else { 0.0 };
            let weight = &mut self.weights[place];
            let slope = std::mem::take(&mut self.gradient[place]) / batch + decay * *weight;
            let (mean, square) = (&mut self.means[place], &mut self.squares[place]);
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let size = (*square / square_share).sqrt() + 1e-7;
            *weight = (*weight - rate * *mean / mean_share / size).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }

    /// Whose king is in danger by a feature, and the place of its weight.
    fn of_danger(&self, feature: u16) -> (usize, usize) {
        let feature = usize::from(feature);
        (feature / self.dangers, self.values + feature % self.dangers)
    }

    /// The evaluation in whole numbers.
    fn weighted<R: RuleTable>(
        &self,
        samples: &Samples,
        origin: &str,
    ) -> Result<Weighted<R>, WeightsError> {
        let (weights, dangers) = self.weights.split_at(self.values);
        let values = self.worth::<R>(samples);
        let weights = in_units(weights, 100.0 * Weighted::<R>::UNITS as f32);
        let dangers = in_units(dangers, Weighted::<R>::DANGER_UNITS as f32);
        Weighted::new(values, weights, dangers, origin.to_owned())
    }

    /// What each face is worth on the board on average, with what its place and mobility add.
    fn worth<R: RuleTable>(&self, samples: &Samples) -> Values {
        let counts = self.counts(samples);
        Values::new::<R>(|face| self.worth_at(&counts, Layout::<R>::of_face(face)))
    }

    /// How often each weight of a value counts.
    fn counts(&self, samples: &Samples) -> Vec<u64> {
        let mut counts = vec![0_u64; self.values];
        for sample in 0..samples.ends.len() {
            for &(place, times) in samples.get(sample)[0] {
                counts[usize::from(place)] += u64::from(times.unsigned_abs());
            }
        }
        counts
    }

    /// What a face with weights at these places is worth.
    fn worth_at(&self, counts: &[u64], places: [Range<usize>; 4]) -> i32 {
        let means = places.map(|places| {
            let all: u64 = counts[places.clone()].iter().sum();
            let weighted = |place: usize| f64::from(self.weights[place]) * counts[place] as f64;
            places.map(weighted).sum::<f64>() / all.max(1) as f64
        });
        // A piece that the games say nothing about is worth no less than nothing.
        (means.iter().sum::<f64>() * 100.0).round().max(10.0) as i32
    }
}

/// Weights in whole units.
fn in_units(weights: &[f32], units: f32) -> Vec<i16> {
    weights.iter().map(|weight| (weight * units).round() as i16).collect()
}
