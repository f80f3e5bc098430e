//! Sets of two boards have no union, not even where both are kept in the same word.
//!
//! ```
//! shogi_core::geometry! {
//!     Tall: 3 x 5 in u16;
//!     Wide: 5 x 3 in u16;
//! }
//! use shogi_core::Bitboard;
//! assert!(!(Bitboard::<Tall>::EMPTY | Bitboard::<Tall>::ALL).is_empty());
//! ```
//!
//! ```compile_fail,E0308
//! shogi_core::geometry! {
//!     Tall: 3 x 5 in u16;
//!     Wide: 5 x 3 in u16;
//! }
//! use shogi_core::Bitboard;
//! assert!(!(Bitboard::<Tall>::EMPTY | Bitboard::<Wide>::ALL).is_empty());
//! ```
