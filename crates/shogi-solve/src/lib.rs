#![doc = include_str!("../README.md")]

pub mod reach;

pub use shogi_core;
