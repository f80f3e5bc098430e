//! Linear evaluations for proof searches, trained by generations of games against themselves.

mod games;
mod regression;
mod training;

pub(crate) use games::generator;
pub use games::sample_position;
pub use regression::Quality;
pub use training::{Trained, Training, TrainingProgress, train};
