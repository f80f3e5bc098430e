#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room: "Inside `shogi-tablebase`" in docs/architecture.md.

mod board;
mod build;
mod checkpoint;
mod compression;
mod container;
mod deep;
mod error;
mod header;
mod index;
mod loaded;
mod parallel;
mod pieces;
mod reachable;
mod retrograde;
mod source;
mod statistics;
mod stocks;
mod tablebase;
mod tables;
mod value;
mod verify;
mod work;
mod world;

pub use build::{BuildProgress, Builder, Finished, check_checkpoint};
pub use container::FORMAT;
pub use error::{
    BuildError, FileError, FileReason, IndexError, ProbeError, StageError, VerifyError,
};
pub use header::{Stored, Totals};
pub use index::{Index, Members};
pub use pieces::PieceSet;
pub use reachable::Reachable;
pub use source::{FileParts, Source};
pub use statistics::Statistics;
pub use tablebase::{Tablebase, file_name, read_variant, read_variant_from};
pub use value::Value;
pub use world::World;

pub use shogi_core;
