#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod archive;
pub mod arena;
pub mod effort;
pub mod expert;
mod in_order;
pub mod learner;
pub mod linear;
pub mod matches;
mod network;
pub mod self_play;
pub mod targets;
pub mod value;
pub mod weighted;

pub use shogi_eval;
pub use shogi_search;
pub use shogi_solve;
