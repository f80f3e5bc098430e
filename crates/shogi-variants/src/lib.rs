// The front page's example needs the default features.
#![cfg_attr(feature = "rules", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "rules"), doc = "Small-board shogi for people who work on it.")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "rules")]
extern crate alloc;
// The libraries above the rules need it.
#[cfg(any(feature = "rank", feature = "proof", feature = "search", feature = "tablebase"))]
extern crate std;

#[cfg(feature = "rules")]
mod game;
#[cfg(feature = "text")]
mod known;
#[cfg(feature = "rules")]
pub mod operations;
#[cfg(feature = "search")]
pub mod play;
#[cfg(feature = "rules")]
mod position;
#[cfg(feature = "record")]
mod record;
#[cfg(all(feature = "search", feature = "tablebase"))]
mod tablebases;
#[cfg(feature = "solve")]
pub mod tasks;
#[cfg(feature = "rules")]
mod variant;

/// Rule sets and notations, and the files of both.
#[cfg(feature = "rules")]
pub mod rules {
    pub use shogi_files::packed;
    #[cfg(any(
        feature = "proof",
        feature = "reach",
        feature = "search",
        feature = "tablebase"
    ))]
    pub use shogi_files::sealed;
    #[cfg(feature = "record")]
    pub use shogi_records as record;
    pub use shogi_rules::*;
}

#[cfg(feature = "core")]
pub use shogi_core as core;
#[cfg(any(feature = "search", feature = "solve"))]
pub use shogi_eval as eval;
#[cfg(feature = "learn")]
pub use shogi_learn as learn;
#[cfg(any(feature = "search", feature = "solve"))]
pub use shogi_mate as mate;
#[cfg(feature = "proof")]
pub use shogi_proof as proof;
#[cfg(feature = "rank")]
pub use shogi_rank as rank;
#[cfg(feature = "reach")]
pub use shogi_reach as reach;
#[cfg(feature = "search")]
pub use shogi_search as search;
#[cfg(feature = "solve")]
pub use shogi_solve as solve;
#[cfg(feature = "tablebase")]
pub use shogi_tablebase as tablebase;

#[cfg(feature = "rules")]
pub use game::AnyGame;
#[cfg(feature = "text")]
pub use known::PublishedValue;
#[cfg(feature = "rules")]
pub use operations::held::Held as OfVariant;
#[cfg(feature = "rules")]
pub use operations::{Error, MoveError};
#[cfg(feature = "rules")]
pub use position::AnyPosition;
#[cfg(feature = "record")]
pub use record::{AnyReading, AnyRecord, RecordedLine, RecordedMove};
#[cfg(all(feature = "search", feature = "tablebase"))]
pub use tablebases::Tablebases;
#[cfg(feature = "rules")]
pub use variant::{RuleSet, UnknownVariant, Variant, Visitor};
