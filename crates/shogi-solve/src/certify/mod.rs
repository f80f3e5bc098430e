//! From the findings of a search to a [`Plan`](crate::Plan) that can be checked by the rules alone.

mod collection;
mod decide;
mod reach;
mod safe_set;

pub(crate) use collection::{Collection, known_move, known_winning_move};
pub(crate) use decide::Deciding;
pub use decide::{Decision, decide};
pub(crate) use reach::Reaching;
pub use reach::reach_plan;
pub(crate) use safe_set::SafeSet;
pub use safe_set::{Prevention, prevent};

/// Nodes of the first search of an unknown position.
pub const EFFORT: u64 = 1 << 10;
