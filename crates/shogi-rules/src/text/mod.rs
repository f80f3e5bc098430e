//! Variants as text: a game of one's own in a file, without a compiler.
//!
//! A text is TOML. It names the game, draws its start and says how each face of each piece moves; what it does not
//! say is as in standard shogi. `variants/README.md` teaches the format by an example.

mod check;
mod definition;
mod document;
mod error;
mod motion;
mod read;
mod start;
mod write;

pub use definition::{Definition, DropFace, FaceDefinition, KindDefinition, Repeated, When};
pub use error::{Alternatives, TextError, TextFault, TextReason};
pub use motion::Motion;
