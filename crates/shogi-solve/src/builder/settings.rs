//! How a builder works.

use crate::df_pn::Tuning;

/// How a builder works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Expansions of the first job of a position; each further one has three times as many.
    pub first_expansions: u64,
    /// Most expansions of a job: a position that resists is followed move by move then.
    pub max_expansions: u64,
    /// The same for the root, or the positions after each reply to it: what they leave in the table
    /// helps all others.
    pub root_max_expansions: u64,
    /// Bytes of the table of each search.
    pub hash_bytes: usize,
    /// What shapes the searches.
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
