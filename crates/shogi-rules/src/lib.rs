#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod minishogi;
mod rules;
mod sfen;
mod usi;

pub use minishogi::Minishogi;
pub use rules::{Rules, Verdict};
pub use sfen::{PositionError, SfenError, SfenReason, parse_position, parse_sfen, to_sfen};
pub use usi::{UsiError, UsiReason, parse_usi, to_usi};

pub use shogi_core;
