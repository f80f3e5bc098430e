//! A position of shogi has no gold of Minishogi, whose number is that of the knight there.
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
