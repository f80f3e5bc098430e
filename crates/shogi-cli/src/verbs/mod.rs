//! One module for each verb: its arguments and its `run`.

pub mod bench;
pub mod build;
pub mod classify;
pub mod completions;
pub mod convert;
pub mod count;
pub mod estimate;
pub mod expand;
pub mod explain;
pub mod learn;
pub mod mate;
pub mod merge;
pub mod moves;
pub mod perft;
pub mod proof;
pub mod rank;
pub mod selfplay;
pub mod show;
pub mod solve;
pub mod tablebase;
pub mod train;
pub mod tune;
pub mod unmoves;
pub mod unrank;
pub mod usi;
pub mod verify;
