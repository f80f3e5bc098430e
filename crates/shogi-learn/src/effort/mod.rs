//! What a proof of a position will cost, learnt from proof searches: an
//! [`EffortNet`](shogi_eval::EffortNet) is learnt from [`Record`]s of searches by [`fit`].

mod fit;
mod record;

pub use fit::{EffortFit, EffortPass, EffortProgress, fit};
pub use record::{Record, RecordError, to_records};
