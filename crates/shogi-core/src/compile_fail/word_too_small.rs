//! A board needs a word with a bit for each square.
//!
//! ```
//! shogi_core::geometry! {
//!     Board6x6: 6 x 6 in u64;
//! }
//! ```
//!
//! ```compile_fail,E0080
//! shogi_core::geometry! {
//!     Board6x6: 6 x 6 in u32;
//! }
//! ```
