#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "files")]
pub mod effort;
#[cfg(feature = "files")]
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
#[cfg(feature = "files")]
pub mod value;
mod values;
pub mod weighted;

#[cfg(feature = "files")]
pub use effort::{EffortNet, ProofEvaluation};
#[cfg(feature = "files")]
pub use evaluation::{Evaluation, TrainingSettings};
pub use features::{FEATURE_SET, Features};
#[cfg(feature = "files")]
pub use file::{FileError, FileReason, MOST_EVALUATION_BYTES, WeightsReader};
#[cfg(feature = "files")]
pub use half_kp::HalfKp;
pub use king_piece::KingPiece;
pub use linear::{Linear, MAX_UNITS, UNITS, WeightsError};
#[cfg(feature = "files")]
pub use value::ValueNet;
pub use values::{Values, ValuesError, faces};
pub use weighted::Weighted;
