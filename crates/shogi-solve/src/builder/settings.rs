//! Settings of a builder.

use crate::df_pn::Tuning;

/// Settings of a builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Expansions of the first job of a position; each later job has three times as many.
    pub first_expansions: u64,
    /// The most expansions of a job; a position that resists longer is followed move by move.
    pub max_expansions: u64,
    /// The most expansions of a job for the root, or for the positions after each reply to it:
    /// their table entries help all others.
    pub root_max_expansions: u64,
    /// Bytes of the table of each search.
    pub hash_bytes: usize,
    /// The tuning of the searches.
    pub tuning: Tuning,
    /// Thresholds of the root of each job: see
    /// [`Options::root_epsilon`](crate::df_pn::Options::root_epsilon).
    pub root_epsilon: Option<u32>,
}

impl Default for Settings {
    /// Jobs of 3,000 to 40,000 expansions, up to a million for the root, 256 MiB, no
    /// thresholds at the root of a job.
    fn default() -> Self {
        Self {
            first_expansions: 3_000,
            max_expansions: 40_000,
            root_max_expansions: 1_000_000,
            hash_bytes: 256 << 20,
            tuning: Tuning::default(),
            root_epsilon: None,
        }
    }
}
