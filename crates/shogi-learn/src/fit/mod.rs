//! The fit of all models: passes over samples in minibatches, each pass in an order of its own.
//!
//! A model defines its layers and how a sample changes the gradient ([`Model`]). Everything else is here: the
//! order of the samples and their mirror images, which the seed draws; the size of the steps; the loss of a
//! pass; and saving and resuming, after which a fit has the same result as without interruption.

mod adam;
mod layers;

use std::ops::ControlFlow;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::error::LearnReason;

pub(crate) use adam::{Step, Weights};
pub(crate) use layers::{DenseModel, MAX_HIDDEN_VALUE, TransformerModel, joined, parted};

/// A model to fit.
pub(crate) trait Model {
    /// Adds the gradient of the loss of a sample, or of its mirror image, to that of the batch; returns the loss.
    fn learn(&mut self, sample: usize, mirrored: bool) -> f64;

    /// The layers, always in the same order.
    fn layers(&mut self) -> Vec<&mut dyn Layer>;
}

/// Weights of a model.
pub(crate) trait Layer {
    /// Moves the weights by the mean gradient of a batch of `batch` samples and clears the gradient.
    fn step(&mut self, step: Step, batch: f32);

    /// The state that the next steps depend on: the weights and the moments of their gradients.
    fn numbers(&mut self) -> Vec<&mut [f32]>;
}

/// The schedule of a fit.
#[derive(Clone, Copy)]
pub(crate) struct Schedule {
    /// Passes over the samples.
    pub(crate) passes: u32,
    /// Samples for each step.
    pub(crate) batch: usize,
    /// The size of the first steps.
    pub(crate) rate: f32,
    /// The decline of the steps towards the end.
    pub(crate) decline: Decline,
    /// Whether half of the samples are mirrored.
    pub(crate) mirrors: bool,
}

/// The decline of steps.
#[derive(Clone, Copy)]
pub(crate) enum Decline {
    /// No decline.
    None,
    /// Linear by passes, towards zero after the last one.
    ByPass,
    /// By steps, down to this share.
    ByStep(f32),
}

/// The progress of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitProgress<'a, P> {
    /// Samples done, in all passes.
    pub done: u64,
    /// Samples in all passes.
    pub total: u64,
    /// The passes that are complete.
    pub passes: &'a [P],
}

/// The losses of a model after a pass, in nats.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct FitPass {
    /// The pass, from 1.
    pub number: u32,
    /// The mean cross-entropy of the fitted positions, over the pass.
    pub loss: f32,
    /// The mean cross-entropy of the held-out positions; `None` if there are none, as with fewer than 19,001
    /// positions of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<f32>,
    /// Their mean cross-entropy against the results of their games alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_results: Option<f32>,
}

/// The state of a fit in a checkpoint, besides the numbers of its layers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FitState {
    pub(crate) steps: u32,
    /// The bits of the sum of losses in this pass.
    loss: u64,
    pub(crate) passes: Vec<FitPass>,
}

/// A fit: the order of samples and the steps.
pub(crate) struct Fit {
    schedule: Schedule,
    /// The numbers of the samples.
    order: Vec<u32>,
    random: ChaCha8Rng,
    done: u64,
    steps: u32,
    /// The sum of losses in this pass.
    loss: f64,
}

impl Fit {
    /// A fit to the samples with these numbers, whose order `random` draws anew for each pass.
    pub(crate) const fn new(schedule: Schedule, order: Vec<u32>, random: ChaCha8Rng) -> Self {
        Self { schedule, order, random, done: 0, steps: 0, loss: 0.0 }
    }

    /// The fitted samples, in any order.
    pub(crate) fn samples(&self) -> &[u32] {
        &self.order
    }

    /// The progress of the fit.
    pub(crate) fn progress<'a, P>(&self, passes: &'a [P]) -> FitProgress<'a, P> {
        let total = u64::from(self.schedule.passes) * self.order.len() as u64;
        FitProgress { done: self.done, total, passes }
    }

    /// Takes all remaining steps. After each pass `measure` computes its result from its number, from 1, and
    /// its mean loss. Breaks if `progress` does, which is called after every step.
    pub(crate) fn run<M: Model, P>(
        &mut self,
        model: &mut M,
        passes: &mut Vec<P>,
        measure: impl Fn(&mut M, &Self, u32, f32) -> P,
        mut progress: impl FnMut(FitProgress<'_, P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while !self.is_over() {
            if let Some(loss) = self.step(model) {
                passes.push(measure(model, self, passes.len() as u32 + 1, loss));
            }
            progress(self.progress(passes))?;
        }
        ControlFlow::Continue(())
    }

    /// Whether all passes are complete.
    pub(crate) fn is_over(&self) -> bool {
        let FitProgress { done, total, .. } = self.progress::<()>(&[]);
        done == total
    }

    /// Takes the next step. Returns the mean loss of the pass if it ends with this step.
    pub(crate) fn step(&mut self, model: &mut dyn Model) -> Option<f32> {
        let rate = self.schedule.rate * self.left();
        let mut loss = 0.0;
        let batch = self.draw(&mut |sample, mirrored| loss += model.learn(sample, mirrored));
        self.loss += loss;
        let step = Step::new(rate, self.steps);
        for layer in model.layers() {
            layer.step(step, batch as f32);
        }
        self.is_between_passes()
            .then(|| (std::mem::take(&mut self.loss) / self.order.len() as f64) as f32)
    }

    /// The size of the next step, as a share of the first.
    fn left(&self) -> f32 {
        let FitProgress { done, total, .. } = self.progress::<()>(&[]);
        match self.schedule.decline {
            Decline::None => 1.0,
            Decline::ByPass => {
                let complete = done / self.order.len() as u64;
                1.0 - complete as f32 / self.schedule.passes as f32
            }
            Decline::ByStep(least) => (1.0 - done as f32 / total as f32).max(least),
        }
    }

    /// Whether a pass is complete, and none begun.
    fn is_between_passes(&self) -> bool {
        self.done.is_multiple_of(self.order.len() as u64)
    }

    /// Draws the samples of the next step, mirrored or not, and passes them to `each`. Returns their number.
    fn draw(&mut self, each: &mut dyn FnMut(usize, bool)) -> usize {
        if self.is_between_passes() {
            self.order.shuffle(&mut self.random);
        }
        let start = (self.done % self.order.len() as u64) as usize;
        let end = self.order.len().min(start + self.schedule.batch.max(1));
        for &sample in &self.order[start..end] {
            let mirrored = self.schedule.mirrors && self.random.random_range(0..2) == 1;
            each(sample as usize, mirrored);
        }
        self.done += (end - start) as u64;
        self.steps += 1;
        end - start
    }

    /// The state of the fit for a checkpoint.
    pub(crate) fn state(&self, passes: &[FitPass]) -> FitState {
        FitState { steps: self.steps, loss: self.loss.to_bits(), passes: passes.to_vec() }
    }

    /// Moves to the place at which a fit of the same samples and settings was saved, by repeating its draws
    /// without learning.
    pub(crate) fn resume(&mut self, state: &FitState) -> Result<(), LearnReason> {
        while self.steps < state.steps && !self.is_over() {
            self.draw(&mut |_, _| {});
        }
        let complete = self.done.checked_div(self.order.len() as u64).unwrap_or(0);
        if (self.steps, complete) != (state.steps, state.passes.len() as u64) {
            return Err(LearnReason::Field("number of steps"));
        }
        self.loss = f64::from_bits(state.loss);
        Ok(())
    }
}

/// The numbers of all layers, 32-bit floating point, little-endian.
pub(crate) fn write_layers(model: &mut dyn Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    for layer in model.layers() {
        for number in layer.numbers().into_iter().flatten() {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}

/// Reads the numbers that [`write_layers`] has written for such a model.
pub(crate) fn read_layers(model: &mut dyn Model, bytes: &[u8]) -> Result<(), LearnReason> {
    let refused = || LearnReason::Field("number of a weight");
    let mut numbers = bytes.chunks(4);
    for layer in model.layers() {
        for number in layer.numbers().into_iter().flatten() {
            let bytes = numbers.next().and_then(|bytes| bytes.try_into().ok());
            *number = f32::from_le_bytes(bytes.ok_or_else(refused)?);
            if !number.is_finite() {
                return Err(refused());
            }
        }
    }
    if numbers.next().is_none() { Ok(()) } else { Err(refused()) }
}

/// The cross-entropy of a share of points and the predicted one, in nats.
pub(crate) fn cross_entropy(promised: f32, share: f32) -> f32 {
    let promised = promised.clamp(1e-6, 1.0 - 1e-6);
    -share * promised.ln() - (1.0 - share) * (1.0 - promised).ln()
}

/// The probability with this logit.
pub(crate) fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::adam::Blocks;
    use super::*;

    /// Fits one weight for each sample to its number.
    struct Numbers(Blocks<1>);

    impl Model for Numbers {
        fn learn(&mut self, sample: usize, mirrored: bool) -> f64 {
            let aim = if mirrored { sample as f32 + 0.5 } else { sample as f32 };
            let error = self.0.weights[sample][0] - aim;
            self.0.add_gradient(sample, error, &[1.0]);
            f64::from(error * error / 2.0)
        }

        fn layers(&mut self) -> Vec<&mut dyn Layer> {
            vec![&mut self.0]
        }
    }

    fn begun() -> (Numbers, Fit) {
        let schedule = Schedule {
            passes: 4,
            batch: 3,
            rate: 0.5,
            decline: Decline::ByStep(0.1),
            mirrors: true,
        };
        let random = ChaCha8Rng::seed_from_u64(8);
        let model = Numbers(Blocks::new(vec![[0.0]; 10], 100.0, 100.0));
        (model, Fit::new(schedule, (0..10).collect(), random))
    }

    fn pass(number: u32, loss: f32) -> FitPass {
        FitPass { number, loss, held_out: None, of_results: None }
    }

    #[test]
    fn a_fit_saved_at_any_step_has_the_same_result() {
        let (mut model, mut fit) = begun();
        let mut passes = Vec::new();
        let end = fit.run(
            &mut model,
            &mut passes,
            |_, _, n, loss| pass(n, loss),
            |progress| {
                assert_eq!(progress.total, 40);
                ControlFlow::Continue(())
            },
        );
        // Three steps of three samples and one of one in each pass.
        assert_eq!((end, fit.steps, passes.len()), (ControlFlow::Continue(()), 16, 4));
        assert!(passes[3].loss < passes[0].loss, "{passes:?}");
        let whole = (model.0.weights, passes);

        for stop in 1..16 {
            let (mut model, mut fit) = begun();
            let mut passes = Vec::new();
            let end = fit.run(
                &mut model,
                &mut passes,
                |_, _, n, loss| pass(n, loss),
                |progress| {
                    let is_over = progress.done == stop * 3 - stop / 4 * 2;
                    if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!((end, u64::from(fit.steps)), (ControlFlow::Break(()), stop));
            let (state, numbers) = (fit.state(&passes), write_layers(&mut model));
            let (mut model, mut fit) = begun();
            read_layers(&mut model, &numbers).unwrap();
            fit.resume(&state).unwrap();
            let mut passes = state.passes;
            let _ = fit.run(
                &mut model,
                &mut passes,
                |_, _, n, loss| pass(n, loss),
                |_| ControlFlow::Continue(()),
            );
            assert_eq!((model.0.weights, passes), whole, "saved after {stop} steps");
        }
    }

    #[test]
    fn files_that_no_fit_has_saved_are_refused() {
        let (mut model, _) = begun();
        let numbers = write_layers(&mut model);
        for bad in [&numbers[1..], &numbers[4..], &[&numbers[..], &[0; 4]].concat()] {
            assert!(read_layers(&mut model, bad).is_err());
        }
        let mut endless = numbers.clone();
        endless[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert!(read_layers(&mut model, &endless).is_err());
        assert!(read_layers(&mut model, &numbers).is_ok());
        for (steps, passes) in [(17, 4), (5, 0), (5, 2)] {
            let (_, mut fit) = begun();
            let passes = (1..=passes).map(|number| pass(number, 1.0)).collect();
            assert!(fit.resume(&FitState { steps, loss: 0, passes }).is_err());
        }
    }

    #[test]
    fn without_samples_or_passes_a_fit_is_over_at_once() {
        let (mut model, fit) = begun();
        let mut of_nothing = Fit::new(fit.schedule, Vec::new(), fit.random.clone());
        let none = Schedule { passes: 0, ..fit.schedule };
        let mut without_passes = Fit::new(none, fit.order, fit.random);
        for fit in [&mut of_nothing, &mut without_passes] {
            let mut passes = Vec::new();
            let end =
                fit.run(&mut model, &mut passes, |_, _, n, loss| pass(n, loss), |_| unreachable!());
            assert!(end.is_continue() && passes.is_empty());
        }
    }
}
