//! Placements and their numbers.

use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_rank::{Order, ParseRankError, parse_rank};

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
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RankTask {
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[serde(deserialize_with = "super::read::text")]
    #[cfg_attr(feature = "clap", arg(long, default_value = "native"))]
    pub order: Numbering,
}

/// Writes the placement with a number, which may have a byte-order mark before it and blanks around it.
///
/// The answer is an error if placements of the variant cannot be numbered so, or the line is no number of one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct UnrankTask {
    /// The numbering: native, ishii-tanaka to replay published ranks, or king-legal, which numbers
    /// only what passes the stages flip, pawn and king.
    #[serde(deserialize_with = "super::read::text")]
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

/// Lists the numberings that have a number for a placement.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{OrdersTask, Session, Task as _};
/// let mut session = Session::new(Budget::unlimited());
/// let listed = OrdersTask {}.answer(Variant::Minishogi, "startpos", &mut session)?;
/// let names: Vec<_> = listed.orders.iter().map(|one| one.order.as_str()).collect();
/// assert_eq!(names, ["native", "ishii-tanaka", "king-legal"]);
/// # Ok::<(), shogi_variants::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrdersTask {}

/// The answer of [`OrdersTask`].
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Orders {
    /// The numberings.
    pub orders: Vec<NumberedBy>,
}

/// A numbering that has a number for a placement.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct NumberedBy {
    /// Its name.
    pub order: String,
    /// How many placements it numbers, in decimal digits.
    pub positions: String,
}

impl Task for OrdersTask {
    const NAME: &'static str = "orders";
    type Answer = Orders;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Orders> {
        let all = [Order::Native, Order::IshiiTanaka].map(Numbering::Space);
        let fitting = all.into_iter().chain([Numbering::KingLegal]).filter_map(|order| {
            let numbered = session.tables.numbered(variant, order).ok()?;
            numbered.rank(line).ok()?;
            let positions = numbered.size().to_string();
            Some(NumberedBy { order: order.to_string(), positions })
        });
        Ok(Orders { orders: fitting.collect() })
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
