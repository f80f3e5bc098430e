#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room is in the README: a module a line. Start reading at `fit`.

pub mod archive;
pub mod arena;
pub mod effort;
mod error;
pub mod evaluation_fit;
pub mod expert;
mod fit;
mod in_order;
pub mod levels;
pub mod linear;
pub mod matches;
mod nn_bin;
pub mod saved;
pub mod self_play;
pub mod targets;
pub mod training_data;
pub mod value;
pub mod weighted;

pub use error::{LearnError, LearnReason};
pub use fit::{FitPass, FitProgress};

pub use shogi_eval;
pub use shogi_search;
pub use shogi_solve;
