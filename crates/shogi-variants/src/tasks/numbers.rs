//! Placements and their numbers.

use shogi_rank::{ParseRankError, parse_rank};

use super::{Answer, Session, Task};
use crate::operations::{Numbering, PrintedPosition, PrintedRank};
use crate::{Error, Variant};

/// Numbers a placement: with Gote to move it has the number of the one with colours exchanged, and of two mirror images both
/// have the same.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{RankTask, Session, Task as _, UnrankTask};
/// let mut session = Session::new(Budget::unlimited());
/// let ranked = RankTask::default().answer(Variant::Minishogi, "startpos", &mut session)?;
/// let placed = UnrankTask::default().answer(Variant::Minishogi, &ranked.rank, &mut session)?;
/// assert_eq!(placed.sfen, "rbsgk/4p/5/P4/KGSBR b - 1");
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if placements of the variant cannot be numbered so, or the line is no placement that has a number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RankTask {
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::read::text"))]
    #[cfg_attr(feature = "clap", arg(long, default_value = "native"))]
    pub order: Numbering,
}

/// Writes the placement with a number, which may have a byte-order mark before it and blanks around it.
///
/// The answer is an error if placements of the variant cannot be numbered so, or the line is no number of one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct UnrankTask {
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::read::text"))]
    #[cfg_attr(feature = "clap", arg(long, default_value = "native"))]
    pub order: Numbering,
}

impl Task for RankTask {
    const NAME: &'static str = "rank";
    type Answer = PrintedRank;

    fn prepare(&self, variant: Variant, session: &Session<'_>) -> Result<(), Error> {
        session.tables.numbered(variant, self.order).map(drop)
    }

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Answer<PrintedRank> {
        Ok(session.tables.numbered(variant, self.order)?.rank(line)?.into())
    }
}

impl Task for UnrankTask {
    const NAME: &'static str = "unrank";
    type Answer = PrintedPosition;

    fn prepare(&self, variant: Variant, session: &Session<'_>) -> Result<(), Error> {
        session.tables.numbered(variant, self.order).map(drop)
    }

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Answer<PrintedPosition> {
        let rank = rank(line).map_err(Error::library)?;
        let sfen = session.tables.numbered(variant, self.order)?.unrank(&rank, session.dialect)?;
        Ok(PrintedPosition { sfen })
    }
}

/// Reads a rank.
fn rank(line: &str) -> Result<shogi_rank::BigUint, ParseRankError> {
    let digits = line.trim_start_matches(['\u{feff}', ' ', '\t']);
    if digits.is_empty() {
        return parse_rank(line);
    }
    let before = line.chars().count() - digits.chars().count();
    parse_rank(digits.trim_end_matches([' ', '\t']))
        .map_err(|error| ParseRankError { position: before + error.position, ..error })
}
