//! Squares of two boards cannot be compared, though both are a byte.
//!
//! ```
//! use shogi_core::{Board5x5, Square};
//! let (a, b) = (Square::<Board5x5>::new(1, 1), Square::<Board5x5>::new(1, 1));
//! assert!(a == b);
//! ```
//!
//! ```compile_fail,E0308
//! use shogi_core::{Board3x4, Board5x5, Square};
//! let (a, b) = (Square::<Board5x5>::new(1, 1), Square::<Board3x4>::new(1, 1));
//! assert!(a == b);
//! ```
