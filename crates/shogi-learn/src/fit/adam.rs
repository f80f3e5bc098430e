//! Weights in floating point while they are fitted.

use std::ops::Range;

use super::Layer;

/// Weights in blocks of `N`, with the moments of their gradients: Adam (Kingma & Ba, 2015). A step changes only
/// blocks with a gradient in the batch, so that rare rows of a first layer cost nothing.
pub(crate) struct Blocks<const N: usize> {
    pub(crate) weights: Vec<[f32; N]>,
    /// Bound of the magnitude of weights, and another for the last block, the bias.
    limit: f32,
    bias_limit: f32,
    gradients: Vec<[f32; N]>,
    means: Vec<[f32; N]>,
    squares: Vec<[f32; N]>,
    /// The blocks that have a gradient.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

/// The size of a step, and the divisors of the moments, which begin at zero.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) rate: f32,
    mean: f32,
    square: f32,
}

/// The decay of the moments.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Step {
    /// Step number `number`, from 1.
    pub(crate) fn new(rate: f32, number: u32) -> Self {
        let number = number.min(1 << 20) as i32;
        Self { rate, mean: 1.0 - MEAN_DECAY.powi(number), square: 1.0 - SQUARE_DECAY.powi(number) }
    }
}

/// Moves weights by their mean gradients in a batch and clears the gradients. `decay` draws weights towards
/// zero, `limit` bounds their magnitude, and `epsilon` keeps steps finite where there was no gradient.
#[inline(always)]
fn move_weights(
    weights: &mut [f32],
    [gradients, means, squares]: [&mut [f32]; 3],
    (step, batch): (Step, f32),
    [limit, decay, epsilon]: [f32; 3],
) {
    let moments = means.iter_mut().zip(squares);
    for ((weight, sum), (mean, square)) in weights.iter_mut().zip(gradients).zip(moments) {
        let gradient = *sum / batch + decay * *weight;
        *sum = 0.0;
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
        *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
        let size = (*square / step.square).sqrt() + epsilon;
        let moved = *weight - step.rate * (*mean / step.mean) / size;
        *weight = moved.clamp(-limit, limit);
    }
}

impl<const N: usize> Blocks<N> {
    pub(crate) fn new(weights: Vec<[f32; N]>, limit: f32, bias_limit: f32) -> Self {
        let zero = || vec![[0.0; N]; weights.len()];
        Self {
            limit,
            bias_limit,
            gradients: zero(),
            means: zero(),
            squares: zero(),
            touched: Vec::new(),
            is_touched: vec![false; weights.len()],
            weights,
        }
    }

    /// Adds `factor` times a vector to the gradient of a block.
    #[inline]
    pub(crate) fn add_gradient(&mut self, block: usize, factor: f32, vector: &[f32; N]) {
        if !self.is_touched[block] {
            self.is_touched[block] = true;
            self.touched.push(block as u32);
        }
        for (sum, value) in self.gradients[block].iter_mut().zip(vector) {
            *sum += factor * value;
        }
    }
}

impl<const N: usize> Layer for Blocks<N> {
    fn step(&mut self, step: Step, batch: f32) {
        let bias = self.weights.len().saturating_sub(1);
        for block in self.touched.drain(..) {
            let block = block as usize;
            let limit = if block == bias { self.bias_limit } else { self.limit };
            self.is_touched[block] = false;
            let moments =
                [&mut self.gradients[block][..], &mut self.means[block], &mut self.squares[block]];
            move_weights(&mut self.weights[block], moments, (step, batch), [limit, 0.0, 1e-8]);
        }
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        let all = [&mut self.weights, &mut self.means, &mut self.squares];
        all.into_iter().map(|blocks| blocks.as_flattened_mut()).collect()
    }
}

/// Weights that are all moved at every step, also by Adam: a rare weight would grow by a whole step each time
/// if its moments did not decay in between.
pub(crate) struct Weights {
    pub(crate) weights: Vec<f32>,
    /// The gradient of the batch.
    pub(crate) gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// Bound of the magnitude of weights.
    limit: f32,
    /// Weights that are drawn towards zero, and how strongly.
    drawn: Range<usize>,
    decay: f32,
}

impl Weights {
    pub(crate) fn new(weights: Vec<f32>, limit: f32, drawn: Range<usize>, decay: f32) -> Self {
        let [gradients, means, squares] = [(); 3].map(|()| vec![0.0; weights.len()]);
        Self { weights, gradients, means, squares, limit, drawn, decay }
    }
}

impl Layer for Weights {
    fn step(&mut self, step: Step, batch: f32) {
        let Self { limit, decay, .. } = *self;
        let Range { start, end } = self.drawn;
        for (part, decay) in [(0..start, 0.0), (start..end, decay), (end..self.weights.len(), 0.0)]
        {
            let moments = [
                &mut self.gradients[part.clone()],
                &mut self.means[part.clone()],
                &mut self.squares[part.clone()],
            ];
            move_weights(&mut self.weights[part], moments, (step, batch), [limit, decay, 1e-7]);
        }
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        vec![&mut self.weights, &mut self.means, &mut self.squares]
    }
}
