#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "train")]
pub mod effort;
#[cfg(feature = "train")]
mod evaluation;
mod features;
#[cfg(feature = "files")]
mod file;
#[cfg(feature = "files")]
pub mod half_kp;
pub mod king_piece;
mod linear;
pub mod network;
#[cfg(feature = "files")]
mod packed;
#[cfg(feature = "train")]
mod regression;
#[cfg(feature = "train")]
mod self_play;
#[cfg(feature = "train")]
mod train;
#[cfg(feature = "files")]
pub mod value;
mod values;
pub mod weighted;

#[cfg(feature = "train")]
pub use effort::{EffortNet, Outcome, ProofEvaluation, Record};
#[cfg(feature = "train")]
pub use evaluation::Evaluation;
pub use features::{FEATURE_SET, Features};
#[cfg(feature = "files")]
pub use file::{FileError, FileReason, MOST_EVALUATION_BYTES};
#[cfg(feature = "files")]
pub use half_kp::HalfKp;
pub use king_piece::KingPiece;
pub use linear::{Linear, MAX_UNITS, UNITS, WeightsError};
#[cfg(feature = "train")]
pub use regression::Quality;
#[cfg(feature = "train")]
pub use self_play::sample_position;
#[cfg(feature = "train")]
pub use train::{
    FORMAT as TRAINING_FORMAT, Progress, Settings, Trained, Training, TrainingError,
    TrainingReason, read_variant as read_training_variant, train,
};
#[cfg(feature = "files")]
pub use value::ValueNet;
pub use values::{Values, ValuesError};
pub use weighted::Weighted;
