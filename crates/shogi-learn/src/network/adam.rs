//! Weights in floating point while they are fitted.

/// Weights in blocks of `N`, with the moments of their gradients: Adam (Kingma & Ba, 2015). A step
/// changes only blocks that the batch has a gradient of, so that rows of a first layer which seldom come
/// up cost nothing.
pub(crate) struct Blocks<const N: usize> {
    pub(crate) weights: Vec<[f32; N]>,
    /// No weight grows above this either way, and none of the last block, the bias, above the other.
    limit: f32,
    bias_limit: f32,
    gradients: Vec<[f32; N]>,
    means: Vec<[f32; N]>,
    squares: Vec<[f32; N]>,
    /// The blocks that have a gradient.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

/// The size of a step, and what the moments are divided by, as they begin at zero.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    rate: f32,
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

    /// Moves the weights by the mean gradient of a batch of so many, and forgets the gradient.
    pub(crate) fn step(&mut self, step: Step, batch: f32) {
        let bias = self.weights.len().saturating_sub(1);
        for block in self.touched.drain(..) {
            let block = block as usize;
            let limit = if block == bias { self.bias_limit } else { self.limit };
            self.is_touched[block] = false;
            let (weights, gradients) = (&mut self.weights[block], &mut self.gradients[block]);
            let (means, squares) = (&mut self.means[block], &mut self.squares[block]);
            for i in 0..N {
                let gradient = gradients[i] / batch;
                gradients[i] = 0.0;
                means[i] = MEAN_DECAY * means[i] + (1.0 - MEAN_DECAY) * gradient;
                squares[i] = SQUARE_DECAY * squares[i] + (1.0 - SQUARE_DECAY) * gradient * gradient;
                let size = (squares[i] / step.square).sqrt() + 1e-8;
                let moved = weights[i] - step.rate * (means[i] / step.mean) / size;
                weights[i] = moved.clamp(-limit, limit);
            }
        }
    }
}
