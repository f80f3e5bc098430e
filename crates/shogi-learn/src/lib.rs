#![doc = include_str!("../README.md")]

pub mod effort;
mod evaluation;
mod features;
mod file;
pub mod king_piece;
mod linear;
pub mod network;
mod regression;
mod self_play;
mod train;
mod values;

pub use effort::{EffortNet, Outcome, ProofEvaluation, Record};
pub use evaluation::Evaluation;
pub use features::{FEATURE_SET, Features};
pub use file::{FileError, FileReason};
pub use king_piece::KingPiece;
pub use linear::{Linear, MAX_UNITS, UNITS, WeightsError};
pub use regression::Quality;
pub use self_play::sample_position;
pub use train::{
    FORMAT as TRAINING_FORMAT, Progress, Settings, Trained, Training, TrainingError,
    TrainingReason, read_variant as read_training_variant, train,
};
pub use values::Values;
