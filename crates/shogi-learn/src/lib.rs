#![doc = include_str!("../README.md")]

mod evaluation;
mod features;
mod linear;
mod regression;
mod self_play;
mod train;

pub use evaluation::{Evaluation, EvaluationError, EvaluationReason};
pub use features::{FEATURE_SET, Features};
pub use linear::{Linear, MOST_UNITS, UNITS, WeightsError};
pub use regression::Quality;
pub use train::{Progress, Settings, Trained, train};
