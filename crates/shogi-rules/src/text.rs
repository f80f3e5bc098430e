//! Placements and moves in their written form, for formatting, parsing and data formats.

use core::fmt;
use core::str::FromStr;

use shogi_core::{Move, Placement};

use crate::rules::Rules;
use crate::sfen::{SfenError, parse_sfen, to_sfen};
use crate::usi::{UsiError, parse_usi, to_usi};

/// A placement that is written and read as SFEN, in the variant's own dialect.
///
/// The move number is written as 1 and not kept when read.
///
/// ```
/// use shogi_rules::{Minishogi, Sfen};
/// let Sfen(placement) = "4k/5/5/5/K4 b Rr 7".parse::<Sfen<Minishogi>>()?;
/// assert_eq!(format!("{}", Sfen(placement)), "4k/5/5/5/K4 b Rr 1");
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sfen<R: Rules>(pub Placement<R>);

/// A move that is written and read in USI notation, in the variant's own dialect.
///
/// ```
/// use shogi_rules::{KyotoShogi, Usi};
/// let Usi(mv) = "+N*4b".parse::<Usi<KyotoShogi>>()?;
/// assert_eq!(format!("{}", Usi(mv)), "G*4b");
/// # Ok::<(), shogi_rules::UsiError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Usi<R: Rules>(pub Move<R>);

impl<R: Rules> fmt::Display for Sfen<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_sfen(&self.0))
    }
}

impl<R: Rules> FromStr for Sfen<R> {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        let (placement, _) = parse_sfen(text)?;
        Ok(Self(placement))
    }
}

impl<R: Rules> fmt::Display for Usi<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_usi(self.0))
    }
}

impl<R: Rules> FromStr for Usi<R> {
    type Err = UsiError;

    fn from_str(text: &str) -> Result<Self, UsiError> {
        parse_usi(text).map(Self)
    }
}
