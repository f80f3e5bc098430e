//! A set of squares of one board has no squares of another.
//!
//! ```
//! use shogi_core::{Bitboard, Board9x9, Square};
//! let corner = Square::<Board9x9>::new(0, 0).unwrap();
//! assert!(Bitboard::<Board9x9>::ALL.contains(corner));
//! ```
//!
//! ```compile_fail,E0308
//! use shogi_core::{Bitboard, Board5x5, Board9x9, Square};
//! let corner = Square::<Board5x5>::new(0, 0).unwrap();
//! assert!(Bitboard::<Board9x9>::ALL.contains(corner));
//! ```
