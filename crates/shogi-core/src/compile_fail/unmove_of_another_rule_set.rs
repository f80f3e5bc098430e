//! An unmove of one rule set is not taken back in another, though both have the same board and
//! pieces.
//!
//! ```
//! use shogi_core::*;
//! macro_rules! pawn_game {
//!     ($($name:ident)*) => {$(
//!         #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
//!         struct $name;
//!         impl RuleTable for $name {
//!             type Geometry = Board3x4;
//!             const KINDS: &'static [KindSpec] =
//!                 &[KindSpec::pawn('P', 2, None), KindSpec::royal('K')];
//!         }
//!     )*};
//! }
//! pawn_game!(One Other);
//! let position = Placement::<One>::EMPTY;
//! let to = Square::new(1, 1).unwrap();
//! let mv: Move<One> = Move::Drop { face: Face::front(Kind::new(0)), to };
//! position.unmake_unchecked(Unmove { mv, captured: None });
//! ```
//!
//! ```compile_fail,E0308
//! use shogi_core::*;
//! macro_rules! pawn_game {
//!     ($($name:ident)*) => {$(
//!         #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
//!         struct $name;
//!         impl RuleTable for $name {
//!             type Geometry = Board3x4;
//!             const KINDS: &'static [KindSpec] =
//!                 &[KindSpec::pawn('P', 2, None), KindSpec::royal('K')];
//!         }
//!     )*};
//! }
//! pawn_game!(One Other);
//! let position = Placement::<One>::EMPTY;
//! let to = Square::new(1, 1).unwrap();
//! let mv: Move<Other> = Move::Drop { face: Face::front(Kind::new(0)), to };
//! position.unmake_unchecked(Unmove { mv, captured: None });
//! ```
