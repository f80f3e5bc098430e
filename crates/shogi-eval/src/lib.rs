#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room.
//
// values                             what pieces are worth
// features, linear, evaluation       statements about a position, their weighted sum, and its file: for proof searches
// weighted                           features with weights: for the player
// network                            rows, sums and layers that networks are made of
// effort, value, nn_bin              networks: what a proof costs; how good a position is; the community's `nn.bin`
// file, packed                       the one error of files; the networks of the crate, compressed

#[cfg(feature = "files")]
pub mod effort;
#[cfg(feature = "files")]
mod evaluation;
mod features;
#[cfg(feature = "files")]
mod file;
mod linear;
#[cfg(feature = "files")]
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
pub use linear::{Linear, MAX_UNITS, UNITS, WeightsError};
#[cfg(feature = "files")]
pub use nn_bin::NnBin;
#[cfg(feature = "files")]
pub use value::ValueNet;
pub use values::{Values, ValuesError, faces};
pub use weighted::Weighted;
