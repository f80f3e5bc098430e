//! Placements of two rule sets cannot be compared, though both have the same board and pieces.
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
//! assert!(Placement::<One>::EMPTY == Placement::<One>::EMPTY);
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
//! assert!(Placement::<One>::EMPTY == Placement::<Other>::EMPTY);
//! ```
