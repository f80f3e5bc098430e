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
mod classic;
#[cfg(feature = "clock")]
pub mod clock;
mod colour;
#[cfg(doctest)]
mod compile_fail;
mod drops;
mod flip;
mod for_each_face;
mod generate;
#[doc(hidden)]
pub mod geometry;
mod hand;
mod lookup;
mod movement;
mod moves;
#[doc(hidden)]
pub mod notation;
mod perft;
#[doc(hidden)]
pub mod picture;
mod placement;
#[doc(hidden)]
pub mod plain;
mod play;
mod position;
mod rays_and_jumps;
mod runtime_board;
#[cfg(feature = "serde")]
mod serde;
#[doc(hidden)]
pub mod sfen;
mod spec;
mod special;
mod square;
#[doc(hidden)]
pub mod steps;
mod table;
mod text;
mod unmove;
#[doc(hidden)]
pub mod usi;
mod validity;
mod word;
mod zobrist;

pub use attack::{
    anywhere_dead, attacks, between, camp, dead_squares, face_attacks, face_leaps, face_slides,
    ray_attacks, slide_attacks, step_attacks,
};
pub use bitboard::{Bitboard, Squares};
pub use checks::{CheckSquares, checks, generate_checks, generate_checks_dyn, has_check};
pub use classic::{NotClassic, check_classic, check_countable};
pub use colour::Colour;
pub use flip::{is_mirror_symmetric, passes_flip, precedes_mirror_image};
pub use geometry::{Board3x4, Board5x5, Board9x9, Geometry};
pub use hand::Hand;
pub use lookup::Lookup;
pub use movement::{Movement, Slide, Step};
pub use moves::{Batch, Move, Origin, Unmove};
pub use notation::{Dialect, write_face};
pub use perft::{perft, perft_playing};
pub use placement::{Piece, Placement};
pub use position::Position;
pub use rays_and_jumps::RaysAndJumps;
pub use runtime_board::{LookupSource, RuntimeBoard};
pub use sfen::{
    PositionError, SfenError, SfenReason, parse_position, parse_problem, parse_sfen, to_sfen,
    to_sfen_in,
};
pub use spec::{SpecFault, TableSpec};
pub use square::{ParseSquareError, Square};
pub use steps::Direction;
pub use table::{Drops, Face, Kind, KindSpec, MAX_KINDS, Promotion, Role, RuleTable};
pub use text::Hands;
pub use usi::{UsiError, UsiReason, parse_usi, to_usi, to_usi_in};
pub use validity::{Faults, InvalidPosition};
pub use word::Word;

/// A list of moves that stays off the heap up to 256 moves.
pub type MoveList<R> = smallvec::SmallVec<[Move<R>; 256]>;
