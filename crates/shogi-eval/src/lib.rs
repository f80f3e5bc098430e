#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "files")]
pub mod effort;
#[cfg(feature = "files")]
mod evaluation;
mod features;
#[cfg(feature = "files")]
mod file;
pub mod king_piece;
mod linear;
pub mod network;
#[cfg(feature = "files")]
pub mod nn_bin;
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
pub use king_piece::KingPiece;
pub use linear::{Linear, MAX_UNITS, UNITS, WeightsError};
#[cfg(feature = "files")]
pub use nn_bin::NnBin;
#[cfg(feature = "files")]
pub use value::ValueNet;
pub use values::{Values, ValuesError, faces};
pub use weighted::Weighted;
