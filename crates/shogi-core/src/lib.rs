#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "clock", test))]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod attack;
mod bitboard;
mod checks;
#[cfg(feature = "clock")]
pub mod clock;
mod colour;
#[cfg(doctest)]
mod compile_fail;
mod flip;
mod generate;
#[doc(hidden)]
pub mod geometry;
mod hand;
mod movement;
mod moves;
mod perft;
mod placement;
mod position;
#[cfg(feature = "serde")]
mod serde;
mod square;
#[doc(hidden)]
pub mod steps;
mod table;
mod unmove;
mod validity;
mod word;
mod zobrist;

pub use attack::{attacks, between, camp, ray_attacks, slide_attacks, step_attacks};
pub use bitboard::{Bitboard, Squares};
pub use checks::{CheckSquares, checks, generate_checks, generate_checks_dyn, has_check};
pub use colour::Colour;
pub use flip::{passes_flip, precedes_mirror_image};
pub use geometry::{Board3x4, Board5x5, Board9x9, Geometry};
pub use hand::Hand;
pub use movement::{Movement, Slide, Step};
pub use moves::{Batch, Move, Origin, Unmove};
pub use perft::{perft, perft_playing};
pub use placement::{Piece, Placement};
pub use position::Position;
pub use square::{ParseSquareError, Square};
pub use steps::Direction;
pub use table::{Face, Kind, KindSpec, MAX_KINDS, Promotion, Role, RuleTable};
pub use validity::{Faults, InvalidPosition};
pub use word::Word;

/// A list of moves that stays off the heap up to 256 moves.
pub type MoveList<R> = smallvec::SmallVec<[Move<R>; 256]>;
