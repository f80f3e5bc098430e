#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room. Each line builds on those above it.
//
// rules                          the trait `Rules`: what a rule set adds to a rule table. Start reading here
// minishogi, kyotoshogi, shogi, shogi34, dobutsu, gorogoro, judkins, micro, tori   the rule sets, each in constants
// repetition, impasse, entering_king, outcome   how games end without a mate, and how an end is named
// start, mate                    starts by name; mates in one move
// game, game_text                a game with its history, and as text
// hash                           the hash that names a rule set
// spec, loaded, text             rule sets as plain values, entered by a thread, and read from TOML
// threads                        threads with the rule set of the one that starts them

extern crate alloc;
#[cfg(any(feature = "loaded", feature = "threads"))]
extern crate std;

#[cfg(doctest)]
mod compile_fail;
mod dobutsu;
mod entering_king;
mod game;
mod game_text;
mod gorogoro;
mod hash;
mod impasse;
pub mod irregular;
mod judkins;
mod kyotoshogi;
mod layout;
#[cfg_attr(not(feature = "loaded"), path = "not_loaded.rs")]
mod loaded;
mod mate;
mod micro;
mod minishogi;
mod outcome;
mod repetition;
mod rules;
mod shogi;
mod shogi34;
mod spec;
mod start;
#[cfg(feature = "text")]
pub mod text;
#[cfg(feature = "threads")]
pub mod threads;
mod tori;

pub use dobutsu::Dobutsu;
pub use entering_king::EnteringKingRule;
pub use game::{Game, GameOver, ImpasseError, PlayError, Undone};
pub use game_text::GameError;
pub use gorogoro::{Board5x6, Gorogoro, GorogoroPlus};
pub use hash::rules_text;
#[cfg(feature = "hash")]
pub use hash::{hash_digits, rules_hash};
pub use impasse::{Declaration, ImpasseRule};
pub use irregular::{IrregularSfen, parse_irregular_sfen};
pub use judkins::{Board6x6, Judkins};
pub use kyotoshogi::KyotoShogi;
#[cfg(feature = "loaded")]
pub use loaded::{LargeBoard, LoadError, Loaded, LoadedRules, LoadedWord, SmallBoard};
pub use mate::mate_in_one;
pub use micro::{Board4x5, MicroShogi};
pub use minishogi::Minishogi;
pub use outcome::{GameResult, Outcome, Reason};
pub use repetition::{RepetitionResult, RepetitionRule};
pub use rules::{Judged, Rules, Verdict};
pub use shogi::Shogi;
pub use shogi34::Shogi34;
pub use spec::{RuleSpec, Stalemate};
pub use start::StartError;
pub use tori::{Board7x7, ToriShogi};

pub use shogi_core;
// The core's readers, writers and errors, for users of rules.
pub use shogi_core::{
    Dialect, IllegalMove, PositionError, SfenError, SfenReason, UsiError, UsiReason, Violations,
    parse_position, parse_problem, parse_sfen, parse_usi, to_sfen, to_sfen_in, to_sfen_numbered,
    to_usi, to_usi_in, violations, write_face,
};
