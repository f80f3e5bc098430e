//! A position of 3x4 shogi cannot be written by the rules of Dobutsu shogi.
//!
//! ```
//! use shogi_rules::{Shogi34, Rules, parse_position, to_sfen};
//! let start = parse_position::<Shogi34>(Shogi34::START).unwrap();
//! to_sfen::<Shogi34>(&start);
//! ```
//!
//! ```compile_fail,E0308
//! use shogi_rules::{Dobutsu, Shogi34, Rules, parse_position, to_sfen};
//! let start = parse_position::<Shogi34>(Shogi34::START).unwrap();
//! to_sfen::<Dobutsu>(&start);
//! ```
