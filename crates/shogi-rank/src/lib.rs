#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room, from the ground up. All but `Constants` and the last step into `Placement` works with plain
// values: a rule table becomes a value, a square a number, a set of squares a `u128`.
//
// table, constants, board     a rule table as a value; a placement in the making
// number, combinations        machine words or big integers; subsets and their numbers
// king_pairs                  the squares of the two kings, mirror images folded
//
// The space, all of it or without nifu and immobile pieces:
// native, ishii_tanaka        its two orders; `space` chooses between them
// restricted_faces, census    pieces that may not stand everywhere, counted file by file as polynomials
// file_order, remainder       these numbered, then everything else; `pawn_legal` joins the two
//
// The placements in which nobody is in check out of turn:
// out_of_check                how many there are, with polynomials from dense_polynomial
// king_view, pawn_files       what a king sees, and what nifu forbids, on a half-filled board
// trellis, graph              walks that fill a board, counted and numbered
// king_walk                   the walk around Gote's king; `king_legal` is the numbered set
// ways                        how a piece that gives check can have come
// checks                      the class of a position by the checks in it
// check_plan                  what a class demands of a board, and what of it is demanded yet
// check_walk, pair_ranking    the walk around both kings, class by class; `strata` joins all pairs of kings
//
// For all sets:
// ranking, error              what numbered sets have in common; why a placement is not in one
// sample, stratified          samples by seed; so many of each class
// kings_last                  samples in which the kings are put on all squares that are left
// count, interval             exact numbers; what samples say of shares

mod board;
mod census;
mod check_plan;
mod check_walk;
mod checks;
mod combinations;
mod constants;
mod count;
mod dense_polynomial;
mod error;
mod file_order;
mod graph;
mod interval;
mod ishii_tanaka;
mod king_legal;
mod king_pairs;
mod king_view;
mod king_walk;
#[cfg(feature = "sample")]
mod kings_last;
mod native;
mod number;
mod out_of_check;
mod pair_ranking;
mod pawn_files;
mod pawn_legal;
mod ranking;
mod remainder;
mod restricted_faces;
#[cfg(feature = "sample")]
mod sample;
mod space;
mod strata;
#[cfg(feature = "sample")]
mod stratified;
mod table;
mod trellis;
mod ways;

pub use checks::{Check, CheckContext, Checks, Company, Ways};
pub use count::{Counts, by_hand, by_hand_of};
pub use error::{Outside, ParseOrderError, ParseRankError, ParseRankReason, RankError, parse_rank};
pub use interval::{Interval, Z_95, clopper_pearson, weighted_sum, wilson, z_two_samples};
pub use king_legal::KingLegal;
#[cfg(feature = "sample")]
pub use kings_last::{KingSquares, KingsLast, KingsLastSample, PAIRS_DRAWN};
pub use pawn_legal::PawnLegal;
pub use ranking::{Ranked, Ranking, rank_image};
#[cfg(feature = "sample")]
pub use sample::{Ranks, Sampler};
pub use space::{Order, RankNumber, Space};
pub use strata::{Strata, Stratum};
#[cfg(feature = "sample")]
pub use stratified::{Stratified, neyman};

pub use num_bigint::BigUint;
pub use shogi_core::{NotClassic, check_countable, passes_flip};
