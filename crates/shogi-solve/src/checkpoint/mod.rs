//! Checkpoints: the state of a [`Solver`](crate::Solver) in a file, to resume from later.
//!
//! docs/reference/formats.md in the repository describes the file. The content is not trusted: a damaged file
//! is refused, and a forged one can make a search slower but no value wrong, since a value needs a certificate,
//! and certificates in the file are checked.
//!
//! Neither the path of a search nor the exploration of a small game is kept. So a resumed solver has the same
//! value as one that was not interrupted, but may have another proof.

mod certificate;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::time::Duration;

use shogi_files::sealed::FileFormat;

use crate::df_pn::Tuning;
use crate::ghi::Ghi;
use crate::leaf::StartLeaf;
use crate::solve::Algorithm;

pub use read::Reader;
pub use shogi_mate::saved::{CheckpointError, CheckpointReason};

/// The format of checkpoints.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89SOLVE\r\n",
    version: 2,
    name: "checkpoint of a solver",
    most: 1 << 38,
};

/// The head of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the rule set.
    pub variant: String,
    /// The hash of the rules, see [`rules_hash`](shogi_proof::rules_hash).
    pub rules: [u8; 32],
    /// The position to solve, in SFEN.
    pub root: String,
    /// The search.
    pub algorithm: Algorithm,
    /// The numbers of its new leaves.
    pub leaf: StartLeaf,
    /// The treatment of the history by df-pn.
    pub ghi: Ghi,
    /// The tuning of df-pn.
    pub tuning: Tuning,
    /// Bytes for the tables of all searches together.
    pub hash_bytes: u64,
    /// Nodes spent.
    pub nodes: u64,
    /// Positions entered.
    pub expansions: u64,
    /// Time spent.
    pub elapsed: Duration,
}

/// Counts of the content of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Entries of the tables.
    pub entries: u64,
    /// Final values kept beside the tables.
    pub final_values: u64,
    /// Certificates, all of which hold.
    pub certificates: u64,
}

/// The algorithms with their leaves by their number in the file.
const SEARCHES: [(Algorithm, StartLeaf); 4] = [
    (Algorithm::DfPn, StartLeaf::Unit),
    (Algorithm::Pds, StartLeaf::Unit),
    (Algorithm::DfPn, StartLeaf::Mobility),
    (Algorithm::Pds, StartLeaf::Mobility),
];
/// The treatments of the history by their number in the file.
const GHI: [Ghi; 3] = [Ghi::Provisional, Ghi::ByPath, Ghi::Simulation];
/// Stands for [`Combine::Sum`].
const SUM: u32 = u32::MAX;
