//! Weights in floating point while they are fitted.

use std::ops::Range;

use super::Layer;

/// Weights in blocks of `N`, with the moments of their gradients: Adam (Kingma & Ba, 2015). A step changes only
/// blocks that the batch has a gradient of, so that rows of a first layer which seldom come up cost nothing; or all,
/// if they are [dense](Blocks::dense).
pub(crate) struct Blocks<const N: usize> {
    pub(crate) weights: Vec<[f32; N]>,
    /// No weight grows above this either way, and none of the last block, the bias, above the other.
    limit: f32,
    bias_limit: f32,
    /// These blocks are drawn towards zero, so strongly.
    drawn: Range<usize>,
    decay: f32,
    /// What keeps a step finite where there was no gradient.
    epsilon: f32,
    is_dense: bool,
    gradients: Vec<[f32; N]>,
    means: Vec<[f32; N]>,
    squares: Vec<[f32; N]>,
    /// The blocks that have a gradient; if they are dense, all.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

/// The size of a step, and what the moments are divided by, as they begin at zero.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) rate: f32,
    mean: f32,
    square: f32,
}

/// How slowly the moments change.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Step {
    /// Step number `number`, from 1.
    pub(crate) fn new(rate: f32, number: u32) -> Self {
        let number = number.min(1 << 20) as i32;
        Self { rate, mean: 1.0 - MEAN_DECAY.powi(number), square: 1.0 - SQUARE_DECAY.powi(number) }
    }
}

impl<const N: usize> Blocks<N> {
    pub(crate) fn new(weights: Vec<[f32; N]>, limit: f32, bias_limit: f32) -> Self {
        let zero = || vec![[0.0; N]; weights.len()];
        Self {
            limit,
            bias_limit,
            drawn: 0..0,
            decay: 0.0,
            epsilon: 1e-8,
            is_dense: false,
            gradients: zero(),
            means: zero(),
            squares: zero(),
            touched: Vec::new(),
            is_touched: vec![false; weights.len()],
            weights,
        }
    }

    /// The same, but every step changes all blocks: a weight that seldom comes up would grow by a whole step each time
    /// if its moments were left alone between. Those of `drawn` are drawn towards zero, so strongly.
    pub(crate) fn dense(self, drawn: Range<usize>, decay: f32) -> Self {
        let touched = (0..self.weights.len() as u32).collect();
        let is_touched = vec![true; self.weights.len()];
        Self { is_dense: true, epsilon: 1e-7, drawn, decay, touched, is_touched, ..self }
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

    /// Moves the weights of a block.
    #[inline]
    fn move_block(&mut self, block: usize, step: Step, batch: f32) {
        let is_bias = block + 1 == self.weights.len();
        let limit = if is_bias { self.bias_limit } else { self.limit };
        let decay = if self.drawn.contains(&block) { self.decay } else { 0.0 };
        let (weights, gradients) = (&mut self.weights[block], &mut self.gradients[block]);
        let (means, squares) = (&mut self.means[block], &mut self.squares[block]);
        for i in 0..N {
            let gradient = gradients[i] / batch + decay * weights[i];
            gradients[i] = 0.0;
            means[i] = MEAN_DECAY * means[i] + (1.0 - MEAN_DECAY) * gradient;
            squares[i] = SQUARE_DECAY * squares[i] + (1.0 - SQUARE_DECAY) * gradient * gradient;
            let size = (squares[i] / step.square).sqrt() + self.epsilon;
            let moved = weights[i] - step.rate * (means[i] / step.mean) / size;
            weights[i] = moved.clamp(-limit, limit);
        }
    }
}

impl<const N: usize> Layer for Blocks<N> {
    fn step(&mut self, step: Step, batch: f32) {
        for place in 0..self.touched.len() {
            self.move_block(self.touched[place] as usize, step, batch);
        }
        if !self.is_dense {
            for block in self.touched.drain(..) {
                self.is_touched[block as usize] = false;
            }
        }
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        let all = [&mut self.weights, &mut self.means, &mut self.squares];
        all.into_iter().map(|blocks| blocks.as_flattened_mut()).collect()
    }
}
