#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod dobutsu;
mod kyotoshogi;
mod minishogi;
mod notation;
mod rules;
mod sfen;
mod shogi;
mod shogi34;
mod usi;

pub use dobutsu::Dobutsu;
pub use kyotoshogi::KyotoShogi;
pub use minishogi::Minishogi;
pub use notation::Dialect;
pub use rules::{Rules, Verdict};
pub use sfen::{
    PositionError, SfenError, SfenReason, parse_position, parse_sfen, to_sfen, to_sfen_in,
};
pub use shogi::Shogi;
pub use shogi34::{Shogi34, StartError};
pub use usi::{UsiError, UsiReason, parse_usi, to_usi, to_usi_in};

pub use shogi_core;
