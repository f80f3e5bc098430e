#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room, from the ground up. Each line builds on those above it.
//
// colour, word, square         the two players; the words that bitboards are made of; squares
// geometry, steps, bitboard    boards as types, the constant functions that fill their tables, sets of squares
// movement, rays_and_jumps     how a face moves: by a named pattern, or by rays and jumps of its own
// table, kind_spec             the trait `RuleTable`: all that a single move depends on. Start reading here
// kind                         kinds of pieces and their faces, of one rule table or of any
// hand, placement, position    pieces in hand; board, hands and player to move; a legal placement with its key
// validity, zobrist            what makes a placement a position of the game; keys
// attack, special              which squares a piece attacks; faces that move by no named pattern
// moves, generate, drops       moves and unmoves; the generator in batches; drops
// violations                   which rules an illegal move breaks
// play, unmove, checks         making a move, taking one back, moves that give check
// flip, classic                mirror images; which rule tables counting and backward search are made for
// perft                        legal move sequences, counted
//
// text, sfen, usi, notation    positions and moves as text, and the letters of faces
// plain, picture               what notations see of any rule set; positions drawn
// spec, board_size, lookup     rule tables of rule sets loaded at run time
// loaded_table, runtime_board  what the generator looks up there
// clock                        the clock of searches

extern crate alloc;
#[cfg(any(feature = "clock", test))]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod attack;
mod bitboard;
mod board_size;
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
mod goal;
mod hand;
mod kind;
mod kind_rules;
mod kind_spec;
mod loaded_table;
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
mod violations;
mod word;
mod zobrist;

pub use attack::{
    attacks, between, camp, face_attacks, face_moves, face_sources, ray_attacks, slide_attacks,
    step_attacks,
};
pub use bitboard::{Bitboard, Squares};
pub use checks::{CheckSquares, checks, generate_checks, generate_checks_dyn, has_check};
#[doc(hidden)]
pub use classic::dead_ranks;
pub use classic::{NotClassic, check_classic, check_countable, check_named, unnamed};
pub use colour::Colour;
pub use flip::{passes_flip, precedes_mirror_image};
pub use geometry::{Board3x4, Board5x5, Board9x9, Geometry};
pub use hand::Hand;
pub use kind_rules::{KindRules, Region};
pub use lookup::Lookup;
pub use movement::{Movement, Slide, Step};
pub use moves::{Batch, Move, Origin, Unmove};
pub use notation::{Dialect, write_face};
pub use perft::{perft, perft_playing};
pub use placement::{Piece, Placement};
pub use position::{HasStart, Position};
pub use rays_and_jumps::RaysAndJumps;
pub use runtime_board::{LookupSource, RuntimeBoard};
pub use sfen::{
    PositionError, SfenError, SfenReason, parse_position, parse_problem, parse_sfen, to_sfen,
    to_sfen_in, to_sfen_numbered,
};
pub use spec::{SpecFault, TableSpec};
pub use square::{ParseSquareError, Square};
pub use steps::Direction;
pub use table::{
    AnyTable, Drops, Face, Fits, Kind, KindSpec, MAX_KINDS, Promotion, Role, RuleTable,
};
pub use text::Hands;
pub use unmove::IllegalUnmove;
pub use usi::{UsiError, UsiReason, parse_usi, to_usi, to_usi_in};
pub use validity::{Faults, InvalidPosition};
pub use violations::{IllegalMove, Violations, violations};
pub use word::Word;

/// A list of moves that stays off the heap up to 256 moves.
pub type MoveList<R> = smallvec::SmallVec<[Move<R>; 256]>;
