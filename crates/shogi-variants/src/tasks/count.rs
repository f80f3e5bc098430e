//! Exact numbers of placements.

use core::fmt;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_rank::BigUint;

use super::{Answer, Session, Task};
use crate::operations::CheckClasses;
use crate::{Error, Variant};

/// Counts placements: all candidates and what each stage leaves of them. The line is a position with whose pieces
/// placements are counted, of which there are no stages; empty for all pieces of the set.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{CountTask, Mirror, Session, Task as _};
/// let task = CountTask { mirror: Mirror::Distinct, ..CountTask::default() };
/// let counted = task.answer(Variant::Dobutsu, "", &mut Session::new(Budget::unlimited()))?;
/// assert_eq!(counted.stages.unwrap().candidates, "1567925964");
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if placements of the variant cannot be counted or divided so, or the line is no legal position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CountTask {
    /// Whether a position and its mirror image count as two or as one.
    #[serde(deserialize_with = "super::read::name")]
    #[cfg_attr(feature = "clap", arg(long, default_value = "folded",
        value_parser = super::choice::parser(<Mirror as super::choice::Named>::CHOICES)))]
    pub mirror: Mirror,
    /// Divide what is left after the king stage by the checks on the player to move, mirror images
    /// always distinct.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strata: bool,
}

/// How a position and its mirror image are counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mirror {
    /// As two.
    Distinct,
    /// As one.
    #[default]
    Folded,
}

/// The answer of [`CountTask`]: decimal strings, since the numbers do not fit those of every reader.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Counted {
    /// The placements left after each stage; `None` for the pieces of a position.
    #[serde(flatten)]
    pub stages: Option<StageCounts>,
    /// All placements by the number of pieces in hand, mirror images distinct.
    pub by_hand: Vec<String>,
    /// Their sum.
    pub total: String,
}

/// The placements left after each stage.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct StageCounts {
    /// All candidates.
    pub candidates: String,
    /// Left after the flip stage, which drops nothing where mirror images are distinct.
    pub flip: String,
    /// Left after the pawn stage.
    pub pawn: String,
    /// Left after the king stage; `None` where that number is not known, as for shogi.
    pub king: Option<String>,
    /// Those of `pawn` whose kings are no neighbours, counted with mirror images distinct only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pawn_kings_apart: Option<String>,
    /// Placements that are their own mirror image.
    pub self_mirror: String,
    /// The classes of what is left after the king stage, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strata: Option<CheckClasses>,
}

impl Task for CountTask {
    const NAME: &'static str = "count";
    type Answer = Counted;

    fn answer(&self, variant: Variant, line: &str, _: &mut Session<'_>) -> Answer<Counted> {
        let ranking = variant.ranking();
        let (stages, by_hand) = match line {
            "" => (Some(self.stages(variant)?), ranking.by_hand()),
            position => (None, ranking.by_hand_of(position)?),
        };
        let total = by_hand.iter().sum::<BigUint>().to_string();
        Ok(Counted { stages, by_hand: by_hand.iter().map(BigUint::to_string).collect(), total })
    }
}

impl CountTask {
    fn stages(&self, variant: Variant) -> Result<StageCounts, Error> {
        let counts = variant.ranking().counts()?;
        let is_distinct = self.mirror == Mirror::Distinct;
        let ([candidates, flip, pawn], king) = match self.mirror {
            Mirror::Folded => ([&counts.candidates, &counts.flip, &counts.pawn], &counts.king),
            Mirror::Distinct => {
                ([&counts.distinct, &counts.distinct, &counts.pawn_distinct], &counts.king_distinct)
            }
        };
        Ok(StageCounts {
            candidates: candidates.to_string(),
            flip: flip.to_string(),
            pawn: pawn.to_string(),
            king: king.as_ref().map(BigUint::to_string),
            pawn_kings_apart: is_distinct.then(|| counts.kings_apart_distinct.to_string()),
            self_mirror: counts.self_mirror.to_string(),
            strata: if self.strata { Some(variant.ranking().classes()?) } else { None },
        })
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stages, by_hand, total } = self;
        let rows = stages.iter().flat_map(StageCounts::rows);
        let rows: Vec<_> = rows.chain([("all, mirrors distinct", total)]).collect();
        let width = rows.iter().map(|(_, number)| number.len()).max().unwrap_or_default();
        for (name, number) in rows {
            writeln!(f, "{name:<24} {number:>width$}")?;
        }
        // A board may be too small for all pieces of the set, so that no placement has few in hand.
        for (in_hand, number) in by_hand.iter().enumerate().filter(|(_, number)| *number != "0") {
            write!(f, "\n  {:<22} {number:>width$}", std::format!("{in_hand} in hand"))?;
        }
        let strata = stages.as_ref().and_then(|stages| stages.strata.as_ref());
        strata.map_or(Ok(()), |strata| write!(f, "\n\n{strata}"))
    }
}

impl StageCounts {
    /// The numbers that are known, with what people call them.
    fn rows(&self) -> impl Iterator<Item = (&'static str, &String)> {
        [
            ("candidates", Some(&self.candidates)),
            ("after flip", Some(&self.flip)),
            ("after pawn", Some(&self.pawn)),
            ("after king", self.king.as_ref()),
            ("with kings not adjacent", self.pawn_kings_apart.as_ref()),
            ("own mirror image", Some(&self.self_mirror)),
        ]
        .into_iter()
        .filter_map(|(name, number)| Some((name, number?)))
    }
}
