//! Tables of an evaluation from games: logistic regression.
//!
//! The evaluation should say how the game will end. So the share of points that it promises,
//! `1 / (1 + exp(-value / 400))`, is fitted to a mixture of the game's result and what a search thought
//! of the position, by least cross-entropy.
//!
//! There are far more weights than any number of games says much about, so each is a sum of three:
//! one for the piece and its owner, one that also knows the square, one that also knows the square of
//! the king. The latter two are drawn towards zero; what is rare is left to the more general ones.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_core::{Colour, Face, Geometry, Kind, KindSpec, MAX_KINDS, Position};
use shogi_eval::{KingPiece, Values, WeightsError, faces};
use shogi_rules::{Rules, Verdict};

use crate::regression::logistic;

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
    /// The first weights with their kings.
    kings: [u32; 2],
    target: f32,
}

impl Row {
    /// The first weight with each player's king, and the player's features.
    fn sides<'f>(&self, features: &'f [u32]) -> [(usize, &'f [u32]); 2] {
        let [start, middle, end] = [self.start, self.middle, self.end].map(|place| place as usize);
        let [own, other] = self.kings.map(|king| king as usize);
        [(own, &features[start..middle]), (other, &features[middle..end])]
    }
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
/// use shogi_eval::Values;
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
    let samples = Samples::new(samples, fit.result_share);
    let mut model = Model::new::<R>(prior);
    fit_samples(&mut model, &samples, fit, &mut report);
    model.tables(origin)
}

fn fit_samples(model: &mut Model, samples: &Samples, fit: &Fit, report: &mut dyn FnMut(&Pass)) {
    let Samples { rows, features } = samples;
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
                loss += model.learn(&rows[row as usize], features);
            }
            model.step(step, fit.decay, batch.len() as f32);
        }
        let of = |row: &u32| f64::from(model.loss(&rows[*row as usize], features).0);
        let held_out = held_out.iter().map(of).sum::<f64>() as f32 / held_out.len().max(1) as f32;
        report(&Pass { number, loss: loss / order.len().max(1) as f32, held_out });
    }
}

/// Samples for each step.
const BATCH: usize = 4096;

/// The features and targets of all samples.
struct Samples {
    rows: Vec<Row>,
    /// Features, king apart.
    features: Vec<u32>,
}

impl Samples {
    fn new<R: Rules>(samples: &[Judged<R>], result_share: f32) -> Self {
        let mut all = Self { rows: Vec::with_capacity(samples.len()), features: Vec::new() };
        for Judged { position, score, result } in samples {
            let us = position.side();
            let start = all.features.len();
            let own = all.add(position, us);
            let middle = all.features.len();
            let other = all.add(position, !us);
            all.push([start, middle], [own, other], target(*score, *result, result_share));
        }
        all
    }

    /// Adds a sample whose features have been added from here on, the opponent's from there on.
    fn push(&mut self, [start, middle]: [usize; 2], kings: [u32; 2], target: f32) {
        let (start, middle, end) = (start as u32, middle as u32, self.features.len() as u32);
        self.rows.push(Row { start, middle, end, kings, target });
    }

    /// Adds the features of a player; gives the first weight with the player's king.
    fn add<R: Rules>(&mut self, position: &Position<R>, player: Colour) -> u32 {
        let mut king = 0;
        KingPiece::visit_dyn(position, player, &mut |weight| {
            let feature = weight % KingPiece::<R>::FEATURES;
            king = (weight - feature) as u32;
            self.features.push(feature as u32);
        });
        king
    }
}

/// What is aimed at, where the result has this share and the rest is the search's score.
fn target(score: i16, result: Verdict, result_share: f32) -> f32 {
    let promised = logistic(f32::from(score) / SCALE);
    result_share * result.points() + (1.0 - result_share) * promised
}

struct Model {
    parameters: Parameters,
    /// Gradients of the batch, and which of them are not zero.
    gradient: Vec<f32>,
    touched: Vec<u32>,
    /// Weights that know king and square come first, then from here those that know the square alone.
    squares: usize,
    /// Then those that know the piece alone.
    pieces: usize,
    /// Then the right to move.
    tempo: usize,
    /// The piece that each feature, king apart, is about: owner and face, or owner, kind and number in hand.
    groups: Vec<u32>,
}

impl Model {
    fn new<R: Rules>(prior: &Values) -> Self {
        let features = KingPiece::<R>::FEATURES;
        let (area, hands) = (R::Geometry::AREA, KingPiece::<R>::HANDS);
        let mut model = Self::of_features(KingPiece::<R>::COUNT, features, area, hands);
        model.start_all(prior, R::KINDS, area, hands, KingPiece::<R>::MAX_IN_HAND);
        model
    }

    /// Gives all pieces their worth.
    fn start_all(
        &mut self,
        prior: &Values,
        kinds: &[KindSpec],
        area: usize,
        hands: usize,
        in_hand: usize,
    ) {
        for face in faces(kinds) {
            self.start(face.index() * area, Face::MAX * area, prior.board(face));
        }
        for kind in (0..kinds.len() as u8).map(Kind::new) {
            for nth in 0..in_hand {
                let first = hands + kind.index() * in_hand + nth;
                self.start(first, MAX_KINDS * in_hand, prior.hand(kind));
            }
        }
    }

    /// All weights zero. Behind the features of `hands` squares each piece has one of its own.
    fn of_features(weights: usize, features: usize, area: usize, hands: usize) -> Self {
        let group = |feature: usize| {
            if feature < hands { feature / area } else { 2 * Face::MAX + feature - hands }
        };
        let groups = (0..features).map(|feature| group(feature) as u32).collect();
        let (squares, pieces) = (weights, weights + features);
        let tempo = pieces + 2 * Face::MAX + features;
        let zero = vec![0.0; tempo + 1];
        let parameters =
            Parameters { value: zero.clone(), mean: zero.clone(), square: zero.clone() };
        Self { parameters, gradient: zero, touched: Vec::new(), squares, pieces, tempo, groups }
    }

    /// Gives a piece that is not royal its worth, by a feature of the owner, behind which the opponent's follows by
    /// `apart`.
    fn start(&mut self, feature: usize, apart: usize, worth: i32) {
        if worth < Values::ROYAL {
            // Half is seen by the owner, half by the opponent.
            let half = worth as f32 / 200.0;
            let [own, other] = [feature, feature + apart].map(|feature| self.piece(feature));
            self.parameters.value[own] = half;
            self.parameters.value[other] = -half;
        }
    }

    /// The summand that knows the piece alone of a feature, king apart.
    fn piece(&self, feature: usize) -> usize {
        self.pieces + self.groups[feature] as usize
    }

    /// The three summands of a weight, by the first weight with the king and the feature.
    fn parts(&self, king: usize, feature: usize) -> [usize; 3] {
        [king + feature, self.squares + feature, self.piece(feature)]
    }

    /// A weight, by the first one with the king and the feature.
    fn weight(&self, king: usize, feature: usize) -> f32 {
        self.parts(king, feature).iter().map(|&part| self.parameters.value[part]).sum()
    }

    /// The cross-entropy of a sample, and its derivative by the logit.
    fn loss(&self, row: &Row, features: &[u32]) -> (f32, f32) {
        let [own, other] = row.sides(features).map(|(king, features)| -> f32 {
            features.iter().map(|&feature| self.weight(king, feature as usize)).sum()
        });
        let pawns = own - other + self.parameters.value[self.tempo];
        let promised = logistic(pawns * 100.0 / SCALE).clamp(1e-6, 1.0 - 1e-6);
        let target = row.target;
        let loss = -target * promised.ln() - (1.0 - target) * (1.0 - promised).ln();
        (loss, promised - target)
    }

    /// Adds the gradient of a sample to the batch's; gives the loss.
    fn learn(&mut self, row: &Row, features: &[u32]) -> f32 {
        let (loss, slope) = self.loss(row, features);
        let slope = slope * 100.0 / SCALE;
        for ((king, features), slope) in row.sides(features).into_iter().zip([slope, -slope]) {
            for &feature in features {
                for part in self.parts(king, feature as usize) {
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
            let knows_square = part < self.pieces;
            let slope = slope + if knows_square { decay * value[part] } else { 0.0 };
            mean[part] = 0.9 * mean[part] + 0.1 * slope;
            square[part] = 0.999 * square[part] + 0.001 * slope * slope;
            value[part] -= step * mean[part] / (square[part].sqrt() + 1e-8);
        }
        self.touched.clear();
    }

    fn tables<R: Rules>(&self, origin: &str) -> Result<KingPiece<R>, WeightsError> {
        let values = Values::new::<R>(|face| self.worth(face));
        let (width, height) = (R::Geometry::WIDTH.into(), R::Geometry::HEIGHT.into());
        let weights = self.rounded(100.0 * KingPiece::<R>::UNITS as f32, &|weight| {
            mirror((width, height), KingPiece::<R>::FEATURES, weight)
        });
        let tempo = (self.parameters.value[self.tempo] * 100.0).round() as i32;
        KingPiece::new(values, tempo, weights, origin.to_owned())
    }

    /// What a face is worth on the board.
    fn worth(&self, face: Face) -> i32 {
        let piece =
            |owner: usize| self.parameters.value[self.pieces + owner * Face::MAX + face.index()];
        // A piece that the games say nothing about is worth no less than nothing.
        ((piece(0) - piece(1)) * 100.0).round().max(10.0) as i32
    }

    /// All weights in whole units, so many to a pawn.
    fn rounded(&self, units: f32, mirror: &dyn Fn(usize) -> usize) -> Vec<i16> {
        let rounded = |pawns: f32| (pawns * units).clamp(-32_000.0, 32_000.0).round() as i16;
        let weight = |weight: usize| {
            let feature = weight % self.groups.len();
            self.weight(weight - feature, feature)
        };
        // A position is as good as its mirror image, which a king on the middle file does not
        // distinguish.
        let both = |number: usize| (weight(number) + weight(mirror(number))) / 2.0;
        (0..self.squares).map(|number| rounded(both(number))).collect()
    }
}

/// The weight of the mirror image, for a king on the middle file and a piece on the board of this width and height; for
/// all others the weight itself.
fn mirror((width, height): (usize, usize), features: usize, weight: usize) -> usize {
    let (king, feature) = (weight / features, weight % features);
    let mirrored = |square: usize| (width - 1 - square / height) * height + square % height;
    if mirrored(king) != king || feature >= 2 * Face::MAX * width * height {
        return weight;
    }
    let square = feature % (width * height);
    weight - square + mirrored(square)
}
