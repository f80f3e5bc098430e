//! An evaluation made from games of self-play.

mod generations;

pub use generations::{Progress, Tuner, Tuning, tune};
pub use shogi_learn::king_piece::{Fit, Pass};
