//! What the proof-number searches have in common: their numbers, the path from the root, and what
//! the table knows of a position.
//!
//! [`ProofNumbers`] are the proof and the disproof number as one player sees them. [`Explorer`] walks
//! the graph: it puts a position on the path with one [`Frame`], looks its moves up, one [`Assessment`]
//! each, and stores what is known of the position when it is left. What does not depend on the game is the
//! [`Walk`]'s. Which move is searched next and how far is the business of the algorithm, in `df_pn.rs` and
//! `pds.rs`.

mod explorer;
mod frame;
mod lookup;
mod numbers;
mod simulation;
mod walk;

pub(crate) use explorer::{Explorer, search_by_explorer};
pub(crate) use frame::{Assessment, Frame, Sums};
pub(crate) use numbers::raised;
pub use numbers::{INFINITE, ProofNumbers};
pub(crate) use walk::{Turn, Walk};
