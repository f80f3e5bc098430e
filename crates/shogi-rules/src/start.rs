//! The default of positions, and errors of named start positions.

use alloc::string::String;

use shogi_core::{HasStart, Position};

use crate::Rules;

/// Positions of these rule sets are by default the start.
macro_rules! have_starts {
    ($($rules:ident)*) => {$(
        impl HasStart for crate::$rules {
            fn start_position() -> Position<Self> {
                Self::start()
            }
        }
    )*};
}

have_starts! {
    Minishogi KyotoShogi Shogi Shogi34 Dobutsu Gorogoro GorogoroPlus Judkins MicroShogi ToriShogi
}

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
