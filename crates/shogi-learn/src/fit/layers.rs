//! Layers in floating point, while they are fitted.
//!
//! The rows of a piece depend on the own king's zone, and many of them are seldom seen. So during the fit a
//! weight is a sum of two, one of them shared by all zones of the king; the resulting network has one number
//! for both.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use shogi_core::{Bitboard, Colour, Placement, RuleTable};

use super::adam::Blocks;
use shogi_eval::WeightsError;
use shogi_eval::network::{Dense, HIDDEN_UNITS, MAX_HIDDEN, RowCounts, Rows, WEIGHT_UNITS};

/// The largest hidden value, as [`Accumulators::hidden`](shogi_eval::network::Accumulators::hidden) gives them.
pub(crate) const MAX_HIDDEN_VALUE: f32 = (MAX_HIDDEN / HIDDEN_UNITS) as f32;

/// The largest weight and bias of a [`DenseModel`], just below what [`Dense`] takes.
const MAX_DENSE_WEIGHT: f32 = 3.99;
const MAX_DENSE_BIAS: f32 = 200.0;

/// A [`Transformer`](shogi_eval::network::Transformer) while it is fitted.
pub(crate) struct TransformerModel<const H: usize> {
    /// The rows, then those without the king's zone, then the bias.
    pub(crate) blocks: Blocks<H>,
    counts: RowCounts,
    /// The rows of the current position.
    pub(crate) added: AddedRows,
}

/// The rows that a position adds up for each player, including those without the king's zone, which follow the
/// others.
#[derive(Default)]
pub(crate) struct AddedRows([Vec<u32>; 2]);

impl AddedRows {
    /// Sets the rows of the pieces of a position, for `first` and then for the other player.
    pub(crate) fn set_pieces<R: RuleTable>(&mut self, placement: &Placement<R>, first: Colour) {
        self.set(Rows::<R>::COUNTS, first, |player, row| {
            Rows::visit_pieces(placement, player, row);
        });
    }

    /// Sets the rows that `visit` passes for each player, `first` and then the other one.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        counts: RowCounts,
        first: Colour,
        visit: impl Fn(Colour, &mut dyn FnMut(usize)),
    ) {
        for (added, player) in self.0.iter_mut().zip([first, !first]) {
            added.clear();
            visit(player, &mut |row| {
                added.push(row as u32);
                if let Some(general) = counts.without_king(row) {
                    added.push((counts.all + general) as u32);
                }
            });
        }
    }

    /// Adds the rows of the state of the same position.
    pub(crate) fn add_state<R: RuleTable>(
        &mut self,
        placement: &Placement<R>,
        attacked: &[Bitboard<R::Geometry>; 2],
        first: Colour,
    ) {
        Rows::visit_state(placement, attacked, |player, row| {
            self.0[usize::from(player != first)].push(row as u32);
        });
    }
}

impl<const H: usize> TransformerModel<H> {
    /// Random weights, with `limit` as the bound of their magnitude.
    pub(crate) fn random(counts: RowCounts, limit: f32, random: &mut ChaCha8Rng) -> Self {
        let bias = counts.all + counts.by_king;
        let mut rows = vec![[0.0; H]; bias + 1];
        // Rows of pieces begin with the part that does not depend on the king.
        for (number, row) in rows.iter_mut().enumerate() {
            if number < counts.all && counts.without_king(number).is_some() {
                continue;
            }
            fill(row, 0.1, random);
        }
        rows[bias] = [0.5; H];
        // The larger summands are two.
        let blocks = Blocks::new(rows, limit / 2.0, limit / 2.0);
        Self { blocks, counts, added: AddedRows::default() }
    }

    /// Takes these weights, those of the bias first, then row by row. What a row has in common with those of other zones of
    /// the king is 0 then.
    pub(crate) fn begin_with<'w>(
        &mut self,
        weights: impl Iterator<Item = &'w [i16; H]>,
        units: f32,
    ) {
        let bias = self.bias();
        let places = std::iter::once(bias).chain(0..self.counts.all);
        self.blocks.weights.fill([0.0; H]);
        for (place, row) in places.zip(weights) {
            self.blocks.weights[place] = row.map(|weight| f32::from(weight) / units);
        }
    }

    /// The number of the bias.
    const fn bias(&self) -> usize {
        self.counts.all + self.counts.by_king
    }

    /// The hidden values of the current position, clipped to 0 and `max`.
    pub(crate) fn hidden(&self, max: f32) -> [[f32; H]; 2] {
        let rows = &self.blocks.weights;
        let hidden = |added: &Vec<u32>| {
            let mut sum = rows[self.bias()];
            for &row in added {
                add(&mut sum, 1.0, &rows[row as usize]);
            }
            for value in &mut sum {
                *value = value.clamp(0.0, max);
            }
            sum
        };
        let AddedRows([first, second]) = &self.added;
        [hidden(first), hidden(second)]
    }

    /// Adds the gradient of the current position, from the derivative by its hidden values.
    pub(crate) fn learn(&mut self, slopes: &[[f32; H]; 2]) {
        let bias = self.bias();
        for (added, slope) in self.added.0.iter().zip(slopes) {
            self.blocks.add_gradient(bias, 1.0, slope);
            for &row in added {
                self.blocks.add_gradient(row as usize, 1.0, slope);
            }
        }
    }

    /// The weights, those of the bias first, then row by row.
    pub(crate) fn weights(&self) -> Vec<f32> {
        let rows = &self.blocks.weights;
        let mut weights = rows[self.bias()].to_vec();
        for row in 0..self.counts.all {
            let mut sum = rows[row];
            if let Some(general) = self.counts.without_king(row) {
                add(&mut sum, 1.0, &rows[self.counts.all + general]);
            }
            weights.extend(sum);
        }
        weights
    }
}

/// A [`Dense`] while it is fitted.
pub(crate) struct DenseModel<const I: usize, const O: usize> {
    /// For each input its weights for all outputs, last the bias.
    pub(crate) blocks: Blocks<O>,
}

impl<const I: usize, const O: usize> DenseModel<I, O> {
    /// Random weights of magnitude up to `size`.
    pub(crate) fn random(size: f32, bias: [f32; O], random: &mut ChaCha8Rng) -> Self {
        Self::bounded(size, bias, MAX_DENSE_WEIGHT, random)
    }

    /// Likewise, with `limit` as the bound of their magnitude.
    pub(crate) fn bounded(size: f32, bias: [f32; O], limit: f32, random: &mut ChaCha8Rng) -> Self {
        let mut weights = vec![[0.0; O]; I + 1];
        weights[..I].iter_mut().for_each(|row| fill(row, size, random));
        weights[I] = bias;
        Self { blocks: Blocks::new(weights, limit, MAX_DENSE_BIAS) }
    }

    /// Takes the weights of a layer of whole numbers: the reverse of [`DenseModel::rounded`].
    pub(crate) fn begin_with(&mut self, layer: &Dense<I, O>, units: f32, input_units: i16) {
        for (number, weight) in layer.weights().enumerate() {
            self.blocks.weights[number % I][number / I] = f32::from(weight) / units;
        }
        let units = units * f32::from(input_units);
        self.blocks.weights[I] = layer.bias().map(|bias| bias as f32 / units);
    }

    pub(crate) fn outputs(&self, inputs: &[f32; I]) -> [f32; O] {
        let mut outputs = self.blocks.weights[I];
        for (value, weights) in inputs.iter().zip(&self.blocks.weights) {
            add(&mut outputs, *value, weights);
        }
        outputs
    }

    /// Adds the gradient for these inputs, from the derivative by the outputs. Returns the derivative by the
    /// inputs before they were clipped to 0 and `max`.
    pub(crate) fn learn(&mut self, inputs: &[f32; I], max: f32, slopes: &[f32; O]) -> [f32; I] {
        self.blocks.add_gradient(I, 1.0, slopes);
        let mut of_inputs = [0.0; I];
        for (input, &value) in inputs.iter().enumerate() {
            if value > 0.0 {
                if value < max {
                    of_inputs[input] = dot(slopes, &self.blocks.weights[input]);
                }
                self.blocks.add_gradient(input, value, slopes);
            }
        }
        of_inputs
    }

    /// The nearest integer layer, for inputs in these units.
    pub(crate) fn dense(&self, input_units: i16) -> Result<Dense<I, O>, WeightsError> {
        self.rounded(WEIGHT_UNITS as f32, input_units)
    }

    /// Likewise, with weights in these units.
    pub(crate) fn rounded(
        &self,
        units: f32,
        input_units: i16,
    ) -> Result<Dense<I, O>, WeightsError> {
        let mut weights = [[0; I]; O];
        for (input, block) in self.blocks.weights[..I].iter().enumerate() {
            for (output, weight) in block.iter().enumerate() {
                weights[output][input] = (weight * units).round() as i16;
            }
        }
        let units = units * f32::from(input_units);
        let mut bias = [0; O];
        for (bias, weight) in bias.iter_mut().zip(&self.blocks.weights[I]) {
            *bias = (weight * units).round() as i32;
        }
        Dense::new(weights.as_flattened(), &bias)
    }
}

/// The hidden values of both players in a row, the inputs of the layer above.
pub(crate) fn joined<T: Copy + Default, const H: usize, const I: usize>(
    hidden: &[[T; H]; 2],
) -> [T; I] {
    let mut inputs = [T::default(); I];
    inputs[..H].copy_from_slice(&hidden[0]);
    inputs[H..].copy_from_slice(&hidden[1]);
    inputs
}

/// The reverse of [`joined`].
pub(crate) fn parted<const H: usize, const I: usize>(inputs: &[f32; I]) -> [[f32; H]; 2] {
    let mut hidden = [[0.0; H]; 2];
    hidden[0].copy_from_slice(&inputs[..H]);
    hidden[1].copy_from_slice(&inputs[H..]);
    hidden
}

/// Random numbers of magnitude up to `size`.
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
