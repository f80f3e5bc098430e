//! Errors of named start positions.

use alloc::string::String;

/// Why [`Rules::named_start`](crate::Rules::named_start) has no position for a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The variant has no named starts.
    #[error("{variant} takes no start by name")]
    Unnamed {
        /// The name of the variant.
        variant: &'static str,
    },
    /// No start of 3x4 shogi has this name.
    #[error(
        "{0:?} names no start: give three letters, one K and two of R B G S N L P, such as RKB"
    )]
    Unknown(String),
}
