//! From the findings of a search to a [`Plan`](crate::Plan) that can be checked by the rules alone.

mod collection;
mod decide;
mod reach;
mod safe_set;

pub(crate) use collection::{Collection, known_move, known_winning_move};
pub(crate) use decide::Deciding;
pub use decide::{Decision, decide};
pub(crate) use reach::Reaching;
pub use reach::reach;
pub(crate) use safe_set::SafeSet;
pub use safe_set::{Prevention, prevent};

/// Nodes that a position of which nothing is known is searched with the first time.
pub const EFFORT: u64 = 1 << 10;
