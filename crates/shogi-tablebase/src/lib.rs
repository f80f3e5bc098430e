#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room; each line builds on those above it.
//
// pieces, world                 which pieces a game has, what a rule set says of its games
// stocks, board, tables, index  positions as numbers and back
// value                         values as bytes
// retrograde, deep              the passes over one byte a position; the positions of more plies than a byte holds
// source                        what the bytes of a file are read from: a file, memory, or parts that come from elsewhere
// container, header, compression, checkpoint, loaded   files in compressed blocks, their headings, whole tables in memory
// build, work                   a build with its rules, and without: the bytes, how far it is, and its files
// tablebase                     values, moves and lines from a file
// statistics, verify, reachable counts by plies; the table against the rules; what can arise from a start
//
// parallel                      work on all threads, block by block

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

pub use board::MAX_SQUARES;
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
