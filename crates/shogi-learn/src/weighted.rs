//! Fits weights to games by logistic regression.
//!
//! The share of points that the evaluation predicts, `1 / (1 + exp(-value / 600))`, is fitted to a target for
//! each position by least cross-entropy. Weights that depend on the place of a piece or on the number of
//! squares that it attacks are drawn towards zero, so that common features explain what they can.

use std::marker::PhantomData;
use std::ops::Range;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_core::{Face, Role, RuleTable};
use shogi_eval::weighted::{HUNDREDTHS, Layout, MAX_DANGER, Surroundings, Visitor, visit_dyn};
use shogi_eval::{Values, Weighted, WeightsError, faces};

use crate::fit::{Decline, Fit, Layer, Model, Schedule, Weights, cross_entropy, logistic};
use crate::targets::Target;

/// Settings of the fit of weights.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WeightedFit {
    /// Passes over the positions.
    pub passes: u32,
    /// The largest step of a weight, in pawns or roots of a pawn.
    pub rate: f32,
    /// Positions for each step.
    pub batch: usize,
    /// How strongly weights that depend on the place of a piece are drawn towards zero.
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

impl WeightedFit {
    const fn schedule(&self) -> Schedule {
        let &Self { passes, rate, batch, .. } = self;
        Schedule { passes, batch, rate, decline: Decline::ByPass, mirrors: false }
    }
}

/// Pawns that multiply the odds by e.
pub const PAWNS: f32 = HUNDREDTHS as f32 / 100.0;
/// The initial value of weights of danger, which would never move from zero.
const FIRST_DANGER: f32 = 0.2;

/// Features and targets of all positions.
struct Samples {
    /// Numbers of weights with how often they count; those of danger follow those of values, first for the player to
    /// move, then for the opponent.
    features: Vec<(u16, i8)>,
    /// For each position, where its values and its dangers end.
    ends: Vec<[usize; 2]>,
    shares: Vec<f32>,
}

/// The observations in one position.
#[derive(Default)]
struct Observations {
    values: Vec<(u16, i8)>,
    dangers: Vec<(u16, i8)>,
    /// Where the opponent's dangers begin.
    all_dangers: usize,
}

impl Visitor for Observations {
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
        let mut seen =
            Observations { all_dangers: Layout::<R>::DANGERS, ..Observations::default() };
        let (features, ends, shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut samples = Self { features, ends, shares };
        for target in targets {
            visit_dyn(&surroundings, &target.position, &mut seen);
            samples.push(&mut seen, target.share);
        }
        samples
    }

    /// Adds the observations in a position.
    fn push(&mut self, seen: &mut Observations, share: f32) {
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

/// Weights while they are fitted, in pawns, those of danger in roots of a pawn.
pub(crate) struct WeightedModel<R> {
    samples: Samples,
    /// The weights, those of values first.
    layer: Weights,
    rules: PhantomData<R>,
}

/// Bound of the magnitude of weights, which 16 bits must hold.
const MAX_WEIGHT: f32 = 20.0;

impl<R: RuleTable> WeightedModel<R> {
    const VALUES: usize = Layout::<R>::VALUES;
    const DANGERS: usize = Layout::<R>::DANGERS;

    /// A model with prior values for pieces, small weights for danger and zero for everything else; and the
    /// fit.
    pub(crate) fn new(
        targets: &[Target<R>],
        prior: &Values,
        settings: &WeightedFit,
    ) -> (Self, Fit) {
        let mut weights = vec![0.0; Self::VALUES];
        weights.resize(Self::VALUES + Self::DANGERS, FIRST_DANGER);
        // A king is always there.
        let is_royal = |face: Face| face.kind.spec::<R>().role == Role::Royal;
        for face in faces(R::KINDS).into_iter().filter(|&face| !is_royal(face)) {
            weights[Layout::<R>::PIECE + face.index()] = prior.board(face) as f32 / 100.0;
            let in_hand = prior.hand(face.kind) as f32 / 100.0;
            weights[Layout::<R>::of_hand(face.kind)].fill(in_hand);
        }
        let drawn = Layout::<R>::OWN_KING..Layout::<R>::UNPROTECTED;
        let layer = Weights::new(weights, MAX_WEIGHT, drawn, settings.decay);
        let random = ChaCha8Rng::seed_from_u64(settings.seed);
        let fit = Fit::new(settings.schedule(), (0..targets.len() as u32).collect(), random);
        (Self { samples: Samples::new(targets), layer, rules: PhantomData }, fit)
    }

    fn weight(&self, place: usize) -> f32 {
        self.layer.weights[place]
    }

    /// Whose king is in danger by a feature, and the place of its weight.
    fn of_danger(feature: u16) -> (usize, usize) {
        let feature = usize::from(feature);
        (feature / Self::DANGERS, Self::VALUES + feature % Self::DANGERS)
    }

    /// The evaluation in whole numbers.
    pub(crate) fn weighted(&self, origin: &str) -> Result<Weighted<R>, WeightsError> {
        let counts = self.counts();
        let values = Values::new::<R>(|face| self.worth(&counts, Layout::<R>::of_face(face)));
        let (weights, dangers) = self.layer.weights.split_at(Self::VALUES);
        let weights = in_units(weights, 100.0 * Weighted::<R>::UNITS as f32);
        let dangers = in_units(dangers, Weighted::<R>::DANGER_UNITS as f32);
        Weighted::new(values, weights, dangers, origin.to_owned())
    }

    /// How often each weight of a value counts.
    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0_u64; Self::VALUES];
        for sample in 0..self.samples.ends.len() {
            for &(place, times) in self.samples.get(sample)[0] {
                counts[usize::from(place)] += u64::from(times.unsigned_abs());
            }
        }
        counts
    }

    /// The average value on the board of a face with weights at these places, including place and mobility.
    fn worth(&self, counts: &[u64], places: [Range<usize>; 4]) -> i32 {
        let means = places.map(|places| {
            let all: u64 = counts[places.clone()].iter().sum();
            let weighted = |place: usize| f64::from(self.weight(place)) * counts[place] as f64;
            places.map(weighted).sum::<f64>() / all.max(1) as f64
        });
        // A piece about which the games show nothing has no negative value.
        (means.iter().sum::<f64>() * 100.0).round().max(10.0) as i32
    }
}

impl<R: RuleTable> Model for WeightedModel<R> {
    fn learn(&mut self, sample: usize, _: bool) -> f64 {
        let [values, dangers] = self.samples.get(sample);
        let value: f32 =
            values.iter().map(|&(place, times)| self.weight(place.into()) * f32::from(times)).sum();
        let mut sums = [0.0; 2];
        for &(place, times) in dangers {
            let (king, place) = Self::of_danger(place);
            sums[king] += self.weight(place) * f32::from(times);
        }
        let [own, other] = sums.map(|sum: f32| sum.clamp(0.0, MAX_DANGER).powi(2));
        let promised = logistic((value - own + other) / PAWNS);
        let share = self.samples.shares[sample];

        let slope = (promised.clamp(1e-6, 1.0 - 1e-6) - share) / PAWNS;
        for &(place, times) in values {
            self.layer.gradients[usize::from(place)] += slope * f32::from(times);
        }
        for &(place, times) in dangers {
            let (king, place) = Self::of_danger(place);
            // Below and above these bounds the danger does not depend on the weights.
            if (0.0..MAX_DANGER).contains(&sums[king]) {
                let slope = slope * 2.0 * sums[king] * if king == 0 { -1.0 } else { 1.0 };
                self.layer.gradients[place] += slope * f32::from(times);
            }
        }
        cross_entropy(promised, share).into()
    }

    fn layers(&mut self) -> Vec<&mut dyn Layer> {
        vec![&mut self.layer]
    }
}

/// Weights in whole units.
fn in_units(weights: &[f32], units: f32) -> Vec<i16> {
    weights.iter().map(|weight| (weight * units).round() as i16).collect()
}
