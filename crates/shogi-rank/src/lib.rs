#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod around;
mod board;
mod census;
mod checks;
mod combinations;
mod constants;
mod count;
mod error;
mod file_order;
mod files;
mod interval;
mod ishii_tanaka;
mod king;
mod king_legal;
mod kings;
mod native;
mod number;
mod pawn_legal;
mod ranking;
mod remainder;
mod sample;
mod space;
mod strata;
mod stratified;
mod table;
mod trellis;
mod watch;
mod ways;

pub use checks::{Check, Checks, Ways};
pub use count::{Counts, by_hand, by_hand_of};
pub use error::{Outside, ParseOrderError, ParseRankError, ParseRankReason, RankError, parse_rank};
pub use interval::{Interval, Z_95, clopper_pearson, weighted_sum, wilson, z_two_samples};
pub use king_legal::KingLegal;
pub use pawn_legal::PawnLegal;
pub use ranking::Ranking;
pub use sample::{Ranks, Sampler};
pub use space::{Order, Space};
pub use strata::{Strata, Stratum};
pub use stratified::{Stratified, neyman};

pub use num_bigint::BigUint;
pub use shogi_core::passes_flip;
