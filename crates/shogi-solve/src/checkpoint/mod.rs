//! Checkpoints: the state of a [`Solver`](crate::Solver) in a file, to resume from later.
//!
//! docs/reference/formats.md in the repository describes the file. What is read is not taken on trust: a file
//! that was damaged is refused, and one that was forged can make a search slower but no value wrong,
//! since a value needs a certificate, and those in the file are checked.
//!
//! The path of a search is not kept, nor what was seen of a small game as a whole. So a solver that was resumed has the
//! same value as one that was not interrupted, but may have another proof of it.

mod certificate;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::time::Duration;

use shogi_rules::sealed::{At, FileFormat, Flaw};

use crate::df_pn::Tuning;
use crate::ghi::Ghi;
use crate::leaf::StartLeaf;
use crate::solve::Algorithm;

pub use read::Reader;

/// The format of checkpoints.
pub const FORMAT: FileFormat = FileFormat {
    magic: *b"\x89SOLVE\r\n",
    version: 2,
    name: "checkpoint of a solver",
    most: 1 << 38,
};

/// Why a checkpoint cannot be read, and where.
pub type CheckpointError = At<CheckpointReason>;

/// What can be wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointReason {
    /// The file cannot be read, or is not one that was written as a checkpoint.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The hash of its rules is not that of the variant's.
    #[error("it was made by other rules of the same name")]
    Rules,
    /// A field has a value that is never written.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// The checkpoint belongs to another search.
    #[error("the checkpoint is of another run: its {field} is {found}, not {wanted}")]
    Mismatch {
        /// What differs.
        field: &'static str,
        /// The value in the file.
        found: String,
        /// The value of this run.
        wanted: String,
    },
    /// A certificate in the file does not hold.
    #[error("a certificate does not hold: {0}")]
    Certificate(String),
}

/// The head of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the rule set.
    pub variant: String,
    /// The rules, see [`rules_hash`](shogi_proof::rules_hash).
    pub rules: [u8; 32],
    /// The position that is being solved, in SFEN.
    pub root: String,
    /// The search.
    pub algorithm: Algorithm,
    /// What it starts a new leaf with.
    pub leaf: StartLeaf,
    /// What df-pn does about the history.
    pub ghi: Ghi,
    /// What shapes df-pn.
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

/// What a checkpoint holds.
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
