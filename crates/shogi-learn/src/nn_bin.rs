//! Fits a network of the form HalfKP or K-P to targets; YaneuraOu and programs derived from it load such
//! networks as `nn.bin`.
//!
//! As for [other networks](crate::value), the output is the logit of the share of points that the player to
//! move will get, and the layers are fitted in floating point. Hidden values and those of the layers above lie
//! between 0 and 1, which are 0 and 127 in the network of whole numbers. A weight of the first layer in HalfKP
//! is a sum of two, one of them shared by all squares of the king. Weights are bounded from the beginning, so
//! that each fits into its byte and no sum of the first layer exceeds 16 bits.

use shogi_core::Colour;
use shogi_eval::NnBin;
use shogi_eval::nn_bin::{HIDDEN, Inputs, LAYER, MAX_INPUT, MAX_WEIGHT, PAWN, SCALE, WEIGHT_BITS};
use shogi_rules::Rules;

use crate::fit::{
    DenseModel, Fit, FitPass, Layer, Model, TransformerModel, cross_entropy, joined, logistic,
    parted,
};
use crate::linear::generator;
use crate::targets::Target;
use crate::value::{NetFit, STREAM, is_held_out, mean};
use crate::weighted::PAWNS;

/// The largest value of the layers.
const MAX: f32 = 1.0;
/// Units of a value of 1 in the network of whole numbers.
const UNITS: i16 = MAX_INPUT;
/// Units of a weight of 1 in the layers above but the last.
const WEIGHT_UNITS: f32 = (1 << WEIGHT_BITS) as f32;
/// Units of a weight of 1 in the last layer: a logit of 1 is as many pawns as in the other evaluations.
const LAST_UNITS: f32 = PAWNS * (PAWN * SCALE) as f32 / UNITS as f32;
/// The largest weight of the first layer: 40 of them and the bias stay below 2^15 units.
const MAX_ROW_WEIGHT: f32 = 6.0;

/// The network in floating point, while it is fitted.
pub(crate) struct NnBinModel<R: Rules> {
    inputs: Inputs<R>,
    targets: Vec<Target<R>>,
    /// The held-out positions.
    held_out: Vec<u32>,
    transformer: TransformerModel<HIDDEN>,
    first: DenseModel<{ 2 * HIDDEN }, LAYER>,
    second: DenseModel<LAYER, LAYER>,
    last: DenseModel<LAYER, 1>,
}

/// The values of the layers for one position.
struct Activations {
    hidden: [f32; 2 * HIDDEN],
    first: [f32; LAYER],
    second: [f32; LAYER],
    /// The predicted logit.
    logit: f32,
}

impl<R: Rules> NnBinModel<R> {
    /// A model with random weights, and its fit.
    pub(crate) fn new(
        inputs: Inputs<R>,
        targets: Vec<Target<R>>,
        settings: &NetFit,
    ) -> (Self, Fit) {
        let mut random = generator(settings.seed, STREAM);
        let transformer = TransformerModel::random(inputs.counts(), MAX_ROW_WEIGHT, &mut random);
        let limit = |units: f32| f32::from(MAX_WEIGHT) / units;
        let (limit, last_limit) = (limit(WEIGHT_UNITS), limit(LAST_UNITS));
        let first = DenseModel::bounded(0.06, [0.5; LAYER], limit, &mut random);
        let second = DenseModel::bounded(0.3, [0.5; LAYER], limit, &mut random);
        let last = DenseModel::bounded(0.3, [0.0], last_limit, &mut random);
        let (held_out, order) = (0..targets.len() as u32).partition(is_held_out);
        let fit = Fit::new(settings.schedule(), order, random);
        (Self { inputs, targets, held_out, transformer, first, second, last }, fit)
    }

    /// Takes the weights of a network with the same inputs, which were rounded when it was made.
    pub(crate) fn begin_with(&mut self, net: &NnBin<R>) {
        let (first, second, last) = net.layers();
        self.transformer.begin_with(net.rows(), UNITS.into());
        self.first.begin_with(first, WEIGHT_UNITS, UNITS);
        self.second.begin_with(second, WEIGHT_UNITS, UNITS);
        self.last.begin_with(last, LAST_UNITS, UNITS);
    }

    /// The activations of the layers for a position or its mirror image, from the view of the player to move
    /// first.
    fn activate(&mut self, number: usize, mirrored: bool) -> Activations {
        let position = &self.targets[number].position;
        let placement = if mirrored { &position.mirror() } else { position.placement() };
        let inputs = &self.inputs;
        self.transformer.added.set(inputs.counts(), placement.side(), |player: Colour, row| {
            inputs.visit(placement, player, row);
        });
        let clipped = |value: f32| value.clamp(0.0, MAX);
        let hidden = joined(&self.transformer.hidden(MAX));
        let first = self.first.outputs(&hidden).map(clipped);
        let second = self.second.outputs(&first).map(clipped);
        let [logit] = self.last.outputs(&second);
        Activations { hidden, first, second, logit }
    }

    /// The result of a pass with this mean loss, measured on the held-out positions.
    pub(crate) fn measure(&mut self, number: u32, loss: f32) -> FitPass {
        let mut sum = 0.0;
        for place in 0..self.held_out.len() {
            let sample = self.held_out[place] as usize;
            let promised = logistic(self.activate(sample, false).logit);
            sum += f64::from(cross_entropy(promised, self.targets[sample].share));
        }
        FitPass { number, loss, held_out: mean(sum, self.held_out.len()), of_results: None }
    }

    /// The nearest integer network, with this description.
    pub(crate) fn net(&self, description: String) -> Option<NnBin<R>> {
        let round = |weight: f32| (weight * f32::from(UNITS)).round() as i16;
        let rows: Vec<i16> = self.transformer.weights().into_iter().map(round).collect();
        let first = self.first.rounded(WEIGHT_UNITS, UNITS).ok()?;
        let second = self.second.rounded(WEIGHT_UNITS, UNITS).ok()?;
        let last = self.last.rounded(LAST_UNITS, UNITS).ok()?;
        // The weights are in range, and there are as many as there have to be.
        NnBin::new(self.inputs.clone(), &rows, first, second, last, description).ok()
    }
}

impl<R: Rules> Model for NnBinModel<R> {
    fn learn(&mut self, number: usize, mirrored: bool) -> f64 {
        let Activations { hidden, first, second, logit } = self.activate(number, mirrored);
        let share = self.targets[number].share;
        let promised = logistic(logit);
        let of_second = self.last.learn(&second, MAX, &[promised - share]);
        let of_first = self.second.learn(&first, MAX, &of_second);
        let of_hidden = self.first.learn(&hidden, MAX, &of_first);
        self.transformer.learn(&parted(&of_hidden));
        cross_entropy(promised, share).into()
    }

    fn layers(&mut self) -> Vec<&mut dyn Layer> {
        vec![
            &mut self.transformer.blocks,
            &mut self.first.blocks,
            &mut self.second.blocks,
            &mut self.last.blocks,
        ]
    }
}
