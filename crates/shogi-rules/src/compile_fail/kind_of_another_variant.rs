//! A position of shogi does not accept Minishogi's gold, which has the number of shogi's knight.
//!
//! ```
//! use shogi_rules::{Rules, Shogi};
//! assert_eq!(Shogi::start().placement().kind(Shogi::GOLD).len(), 4);
//! ```
//!
//! ```compile_fail,E0277
//! use shogi_rules::{Minishogi, Rules, Shogi};
//! assert_eq!(Shogi::start().placement().kind(Minishogi::GOLD).len(), 4);
//! ```
