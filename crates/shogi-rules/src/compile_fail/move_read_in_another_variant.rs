//! A move read by the rules of Kyoto shogi cannot be played in Minishogi, though both have the same
//! board.
//!
//! ```
//! use shogi_rules::{Minishogi, Rules, parse_position, parse_usi};
//! let start = parse_position::<Minishogi>(Minishogi::START).unwrap();
//! start.play_unchecked(parse_usi::<Minishogi>("5d5c").unwrap());
//! ```
//!
//! ```compile_fail,E0308
//! use shogi_rules::{KyotoShogi, Minishogi, Rules, parse_position, parse_usi};
//! let start = parse_position::<Minishogi>(Minishogi::START).unwrap();
//! start.play_unchecked(parse_usi::<KyotoShogi>("5d5c").unwrap());
//! ```
