//! The ways of numbering placements that `rank` and `unrank` know.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use shogi_rank::{BigUint, KingLegal, Order, Ranking as _, Space};
use shogi_rules::shogi_core::Placement;
use shogi_rules::{Minishogi, Rules};

use crate::draws::king_legal;

/// What is numbered, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// All candidates.
    Space(Order),
    /// What passes the stages flip, pawn and king.
    KingLegal,
}

/// The set has one name for all variants.
const KING_LEGAL: &str = KingLegal::<Minishogi>::NAME;

impl Default for Numbering {
    fn default() -> Self {
        Self::Space(Order::default())
    }
}

impl fmt::Display for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Space(order) => order.fmt(f),
            Self::KingLegal => f.write_str(KING_LEGAL),
        }
    }
}

impl FromStr for Numbering {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == KING_LEGAL {
            return Ok(Self::KingLegal);
        }
        text.parse().map(Self::Space).map_err(|_| {
            format!("no order is named {text:?}; there are native, ishii-tanaka and {KING_LEGAL}")
        })
    }
}

/// A numbered set of placements.
pub enum Numbered<R: Rules> {
    Space(Space<R>, Order),
    KingLegal(KingLegal<R>),
}

impl<R: Rules> Numbered<R> {
    /// The set that is numbered so.
    ///
    /// # Errors
    ///
    /// If the variant is too large for it.
    pub fn new(numbering: Numbering) -> Result<Self> {
        Ok(match numbering {
            Numbering::Space(order) => Self::Space(Space::new(), order),
            Numbering::KingLegal => Self::KingLegal(king_legal()?),
        })
    }

    /// The number of a placement.
    ///
    /// # Errors
    ///
    /// If it is not in the set.
    pub fn rank(&self, placement: &Placement<R>) -> Result<BigUint> {
        Ok(match self {
            Self::Space(space, order) => space.rank(*order, placement)?,
            Self::KingLegal(set) => set.rank_of(placement)?,
        })
    }

    /// The placement with a number.
    ///
    /// # Errors
    ///
    /// If there are not so many.
    pub fn unrank(&self, rank: &BigUint) -> Result<Placement<R>> {
        Ok(match self {
            Self::Space(space, order) => space.unrank(*order, rank)?,
            Self::KingLegal(set) => set.placement(rank)?,
        })
    }
}
