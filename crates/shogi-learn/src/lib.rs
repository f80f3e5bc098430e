#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod effort;
mod network;
mod regression;
mod self_play;
mod train;
pub mod value;
pub mod weighted;

pub use effort::{Outcome, Record};
pub use regression::Quality;
pub use self_play::sample_position;
pub use shogi_eval;
pub use train::{
    FORMAT as TRAINING_FORMAT, Progress, Trained, Training, TrainingError, TrainingReason,
    read_variant as read_training_variant, train,
};
