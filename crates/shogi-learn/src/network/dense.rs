//! A layer in which each output is a weighted sum of all inputs.

use crate::linear::WeightsError;

/// Weights are counted in this fraction: 1/1024.
pub const WEIGHT_UNITS: i32 = 1024;

/// A layer with `I` inputs and `O` outputs. Inputs are 16-bit numbers in some unit; outputs are in
/// 1/1024 of that unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dense<const I: usize, const O: usize> {
    weights: [[i16; I]; O],
    bias: [i32; O],
}

impl<const I: usize, const O: usize> Dense<I, O> {
    /// The largest weight either way, 4, in units of 1/1024.
    pub const MAX_WEIGHT: i16 = 4 * WEIGHT_UNITS as i16;
    /// The largest bias either way, in units of the output.
    pub const MAX_BIAS: i32 = 1 << 26;

    /// A layer from its weights, in units of 1/1024 and output by output, and its biases in units of
    /// the output.
    ///
    /// # Errors
    ///
    /// If there is not one weight for each input and output and one bias for each output, or one is
    /// above [`Dense::MAX_WEIGHT`] or [`Dense::MAX_BIAS`] either way.
    pub fn new(weights: &[i16], bias: &[i32]) -> Result<Self, WeightsError> {
        for (found, expected) in [(weights.len(), I * O), (bias.len(), O)] {
            if found != expected {
                return Err(WeightsError::Count { found, expected });
            }
        }
        WeightsError::check(weights, Self::MAX_WEIGHT)?;
        WeightsError::check(bias, Self::MAX_BIAS)?;
        let mut layer = Self::zero();
        for (row, weights) in layer.weights.iter_mut().zip(weights.chunks_exact(I)) {
            row.copy_from_slice(weights);
        }
        layer.bias.copy_from_slice(bias);
        Ok(layer)
    }

    /// The layer whose outputs are all zero.
    pub const fn zero() -> Self {
        Self { weights: [[0; I]; O], bias: [0; O] }
    }

    /// A layer from weights by output and input that are in range.
    #[cfg(feature = "train")]
    pub(crate) const fn from_rows(weights: [[i16; I]; O], bias: [i32; O]) -> Self {
        Self { weights, bias }
    }

    /// The weights, output by output.
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        self.weights.iter().flatten().copied()
    }

    /// The biases.
    pub const fn bias(&self) -> &[i32; O] {
        &self.bias
    }

    /// The outputs, exactly. For inputs whose sum of magnitudes is at most 2^18.
    #[inline]
    pub fn outputs(&self, inputs: &[i16; I]) -> [i32; O] {
        let mut outputs = self.bias;
        for (output, weights) in outputs.iter_mut().zip(&self.weights) {
            // Pairs of 16-bit products, which processors add up many at a time.
            let products = weights.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x));
            *output = output.wrapping_add(products.fold(0, i32::wrapping_add));
        }
        outputs
    }
}
