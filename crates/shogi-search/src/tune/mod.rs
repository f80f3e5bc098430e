//! An evaluation made from games of self-play.

mod fit;
mod generations;

pub use fit::{Fit, Pass, SCALE, fit};
pub use generations::{Progress, Tuning, tune};
