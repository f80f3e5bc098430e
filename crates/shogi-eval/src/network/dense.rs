//! A layer in which each output is a weighted sum of all inputs.

use wide::{i16x8, i32x4};

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

const MAX_WEIGHT: i16 = 4 * WEIGHT_UNITS as i16;
const MAX_BIAS: i32 = 1 << 26;

/// Checks the numbers of weights and biases, and their ranges.
fn check(weights: &[i16], bias: &[i32], counts: [usize; 2]) -> Result<(), WeightsError> {
    for (found, expected) in [weights.len(), bias.len()].into_iter().zip(counts) {
        if found != expected {
            return Err(WeightsError::Count { found, expected });
        }
    }
    WeightsError::check(weights, MAX_WEIGHT)?;
    WeightsError::check(bias, MAX_BIAS)
}

/// Number of 16-bit numbers that processors multiply at a time.
pub(crate) const LANES: usize = 8;

/// The first eight numbers, or zeros if there are fewer. It avoids functions of the standard library that may
/// remain calls: one call for every eight weights made networks eleven times slower.
#[inline(always)]
pub(crate) fn lanes(numbers: &[i16]) -> i16x8 {
    match numbers.first_chunk::<LANES>() {
        Some(&lanes) => i16x8::new(lanes),
        None => i16x8::ZERO,
    }
}

/// The inner product of weights and inputs, which have the same length.
#[inline(always)]
fn dot(weights: &[i16], inputs: &[i16]) -> i32 {
    let mut pairs = i32x4::ZERO;
    let mut at = 0;
    while at + LANES <= inputs.len() {
        pairs += lanes(&weights[at..]).dot(lanes(&inputs[at..]));
        at += LANES;
    }
    let mut sum = pairs.reduce_add();
    while at < inputs.len() {
        sum = sum.wrapping_add(i32::from(weights[at]) * i32::from(inputs[at]));
        at += 1;
    }
    sum
}

impl<const I: usize, const O: usize> Dense<I, O> {
    /// The largest magnitude of a weight, 4, in units of 1/1024.
    pub const MAX_WEIGHT: i16 = MAX_WEIGHT;
    /// The largest magnitude of a bias, in units of the output.
    pub const MAX_BIAS: i32 = MAX_BIAS;

    /// A layer from its weights, in units of 1/1024 and output by output, and its biases in units of
    /// the output.
    ///
    /// # Errors
    ///
    /// If there is not exactly one weight for each input and output and one bias for each output, or one
    /// exceeds [`Dense::MAX_WEIGHT`] or [`Dense::MAX_BIAS`] in magnitude.
    pub fn new(weights: &[i16], bias: &[i32]) -> Result<Self, WeightsError> {
        check(weights, bias, [I * O, O])?;
        let mut layer = Self::zero();
        layer.weights.as_flattened_mut().copy_from_slice(weights);
        layer.bias.copy_from_slice(bias);
        Ok(layer)
    }

    /// The layer whose outputs are all zero.
    pub const fn zero() -> Self {
        Self { weights: [[0; I]; O], bias: [0; O] }
    }

    /// The weights, output by output.
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        self.weight_list().iter().copied()
    }

    pub(crate) fn weight_list(&self) -> &[i16] {
        self.weights.as_flattened()
    }

    /// The biases.
    pub const fn bias(&self) -> &[i32; O] {
        &self.bias
    }

    /// The exact outputs, for inputs whose magnitudes sum to at most 2^18.
    #[inline]
    pub fn outputs(&self, inputs: &[i16; I]) -> [i32; O] {
        let mut outputs = self.bias;
        for (output, weights) in outputs.iter_mut().zip(&self.weights) {
            *output = output.wrapping_add(dot(weights, inputs));
        }
        outputs
    }
}

#[cfg(test)]
mod tests {
    use testing::random::Random;

    use super::*;

    /// Outputs against the sums written plainly, inputs and weights up to their bounds.
    fn sums_up<const I: usize, const O: usize>(random: &mut Random) {
        let most = i32::from(Dense::<I, O>::MAX_WEIGHT);
        let mut number = |most: i32| random.below(2 * most as usize + 1) as i32 - most;
        let weights: Vec<i16> = (0..I * O).map(|_| number(most) as i16).collect();
        let bias: Vec<i32> = (0..O).map(|_| number(Dense::<I, O>::MAX_BIAS)).collect();
        let inputs: [i16; I] = std::array::from_fn(|_| number((1 << 18) / I as i32) as i16);
        let outputs = Dense::<I, O>::new(&weights, &bias).unwrap().outputs(&inputs);
        for (output, (row, bias)) in outputs.iter().zip(weights.chunks_exact(I).zip(bias)) {
            let products = row.iter().zip(inputs).map(|(&w, x)| i32::from(w) * i32::from(x));
            assert_eq!(*output, bias + products.sum::<i32>());
        }
    }

    #[test]
    fn outputs_are_exact_sums_whatever_is_left_of_eight_inputs() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            sums_up::<64, 16>(&mut random);
            sums_up::<16, 2>(&mut random);
            sums_up::<29, 3>(&mut random);
            sums_up::<9, 1>(&mut random);
        }
    }
}
