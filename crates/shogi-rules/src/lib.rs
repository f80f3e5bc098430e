#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "sealed")]
extern crate std;

#[cfg(doctest)]
mod compile_fail;
mod dobutsu;
mod game;
mod hash;
mod impasse;
mod kyotoshogi;
mod layout;
mod mate;
mod minishogi;
mod notation;
mod outcome;
mod plain;
#[cfg(feature = "record")]
pub mod record;
mod repetition;
mod rules;
#[cfg(feature = "sealed")]
pub mod sealed;
#[cfg(feature = "serde")]
pub mod serde;
mod sfen;
mod shogi;
mod shogi34;
mod start;
mod text;
mod usi;
mod violations;

pub use dobutsu::Dobutsu;
pub use game::{Game, GameOver, ImpasseError, PlayError};
#[cfg(feature = "hash")]
pub use hash::rules_hash;
pub use hash::rules_text;
pub use impasse::{Declaration, ImpasseRule};
pub use kyotoshogi::KyotoShogi;
pub use mate::mate_in_one;
pub use minishogi::Minishogi;
pub use notation::{Dialect, write_face};
pub use outcome::{GameResult, Outcome, Reason};
pub use repetition::RepetitionRule;
pub use rules::{Rules, Verdict};
pub use sfen::{
    PositionError, SfenError, SfenReason, parse_position, parse_sfen, to_sfen, to_sfen_in,
};
pub use shogi::Shogi;
pub use shogi34::Shogi34;
pub use start::StartError;
pub use text::{Sfen, Usi};
pub use usi::{UsiError, UsiReason, parse_usi, to_usi, to_usi_in};
pub use violations::{Violations, violations};

pub use shogi_core;
