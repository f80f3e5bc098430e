//! The common parts of the proof-number searches: numbers, the path from the root, and table look-ups.
//!
//! [`ProofNumbers`] are the proof and the disproof number as one player sees them. [`Explorer`] walks the
//! graph: it puts a position on the path with one [`Frame`], looks up its moves, one [`Assessment`] each,
//! and stores the position's assessment when it is left. [`Walk`] is the part that is independent of the
//! game. The algorithms, in `df_pn.rs` and `pds.rs`, choose the next move and its thresholds.

mod explorer;
mod frame;
mod lookup;
mod simulation;
mod walk;

pub(crate) use explorer::{Explorer, search_by_explorer};
pub(crate) use frame::{Assessment, Frame, Sums};
pub(crate) use shogi_mate::raised;
pub use shogi_mate::{INFINITE, ProofNumbers};
pub(crate) use walk::{Turn, Walk};
