//! Exact numbers of placements, and placements by number.

use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::fmt;
use std::str::FromStr;
use std::string::{String, ToString as _};
use std::vec::Vec;

use shogi_rank::{
    BigUint, Checks, Counts, KingLegal, Order, ParseOrderError, Ranked, Ranking as _, Space,
    Strata, by_hand, by_hand_of, rank_image,
};
use shogi_rules::shogi_core::{NotClassic, check_classic, check_countable, check_named};
use shogi_rules::{Dialect, Minishogi, Rules, to_sfen_in};

use super::Error;
use super::held::Held;
use super::position::{placement, position};
use crate::variant::call;
use crate::{RuleSet, Variant};

/// Tasks that need counting and ranking: [`Variant::ranking`].
#[derive(Clone, Copy, Debug)]
pub struct RankingTasks(pub(super) Variant);

impl RankingTasks {
    /// How many placements there are, by the stage that drops them: [`Counts::new`].
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let counts = Variant::Dobutsu.ranking().counts()?;
    /// assert_eq!(counts.distinct.to_string(), "1567925964");
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If placements of its rules [cannot be counted](check_countable).
    pub fn counts(self) -> Result<Counts, Error> {
        call!(self.0, R => Counts::new::<R>().map_err(uncountable::<R>))
    }

    /// All placements by the number of pieces in hand, mirror images counted as two: [`by_hand`].
    pub fn by_hand(self) -> Vec<BigUint> {
        call!(self.0, R => by_hand::<R>())
    }

    /// All placements of the pieces of a position, by the number of pieces in hand: [`by_hand_of`].
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn by_hand_of(self, text: &str) -> Result<Vec<BigUint>, Error> {
        call!(self.0, R => Ok(by_hand_of::<R>(position(text)?.placement())))
    }

    /// The placements that are left after the king stage, divided by the checks on the player to move,
    /// mirror images counted as two.
    ///
    /// # Errors
    ///
    /// If positions of its rules [cannot be traced back](check_classic), or the variant is too large.
    pub fn classes(self) -> Result<CheckClasses, Error> {
        call!(self.0, R => classes::<R>())
    }

    /// Tables for ranking and unranking.
    ///
    /// # Errors
    ///
    /// If placements of its rules [cannot be counted](check_countable), or the variant is too large for this numbering.
    pub fn numbered(self, numbering: Numbering) -> Result<Box<dyn AnyNumbered>, Error> {
        call!(self.0, R => numbered::<R>(numbering))
    }
}

/// A numbered set of placements: each has a number, its rank, and each number up to the size of the set a
/// placement.
pub trait AnyNumbered: Send + Sync {
    /// How many placements there are: all numbers are smaller.
    ///
    /// ```
    /// use shogi_variants::{Variant, operations::Numbering};
    /// let numbered = Variant::Minishogi.ranking().numbered(Numbering::default())?;
    /// assert_eq!(numbered.size().to_string(), "16014219505238849250");
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn size(&self) -> BigUint;

    /// The number of a placement: with Gote to move that of the one with colours exchanged, and of two mirror images
    /// that of the member.
    ///
    /// # Errors
    ///
    /// If the text is no placement, or one outside the set.
    fn rank(&self, placement: &str) -> Result<Ranked<BigUint>, Error>;

    /// The placement with a number in SFEN.
    ///
    /// # Errors
    ///
    /// If the set has not so many.
    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, Error>;
}

/// A numbered set of placements, and its order.
///
/// ```
/// use shogi_variants::{Variant, operations::Numbering};
/// let numbering: Numbering = "king-legal".parse()?;
/// let numbered = Variant::Minishogi.ranking().numbered(numbering)?;
/// let ranked = numbered.rank("startpos")?;
/// assert_eq!(numbered.unrank(&ranked.rank, None)?, "rbsgk/4p/5/P4/KGSBR b - 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// All candidates, in an order of [`Space`].
    Space(Order),
    /// The placements that pass the stages flip, pawn and king: [`KingLegal`].
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

/// A name that no numbering has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no order is named {0:?}; there are native, ishii-tanaka and {KING_LEGAL}")]
pub struct UnknownNumbering(pub String);

impl FromStr for Numbering {
    type Err = UnknownNumbering;

    fn from_str(text: &str) -> Result<Self, UnknownNumbering> {
        if text == KING_LEGAL {
            return Ok(Self::KingLegal);
        }
        let order = text.parse().map(Self::Space);
        order.map_err(|ParseOrderError(name)| UnknownNumbering(name))
    }
}

/// Classes by the checks on the player to move, for [`RankingTasks::classes`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckClasses {
    /// Placements to which no move can have led.
    pub excluded: u128,
    /// The classes with their sizes.
    pub classes: Vec<(Checks, u128)>,
}

#[cfg(feature = "serde")]
impl serde::Serialize for CheckClasses {
    /// The sizes in decimal digits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        #[derive(serde::Serialize)]
        struct Class {
            checks: String,
            size: String,
        }
        let class = |(checks, size): &(Checks, u128)| Class {
            checks: checks.to_string(),
            size: size.to_string(),
        };
        let mut object = serializer.serialize_struct("CheckClasses", 2)?;
        object.serialize_field("excluded", &self.excluded.to_string())?;
        let classes: Vec<_> = self.classes.iter().map(class).collect();
        object.serialize_field("classes", &classes)?;
        object.end()
    }
}

impl fmt::Display for CheckClasses {
    /// Writes a line for each class.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("after king, mirrors distinct, by the checks on the player to move\n")?;
        let classes = self.classes.iter().map(|(checks, size)| (checks.to_string(), size));
        for (checks, size) in
            core::iter::once(("excluded".to_owned(), &self.excluded)).chain(classes)
        {
            write!(f, "\n  {checks:<42} {size:>20}")?;
        }
        Ok(())
    }
}

fn classes<R: RuleSet>() -> Result<CheckClasses, Error> {
    let strata = strata::<R>()?;
    Ok(CheckClasses { excluded: strata.excluded(), classes: strata.classes().collect() })
}

fn numbered<R: RuleSet>(numbering: Numbering) -> Result<Box<dyn AnyNumbered>, Error> {
    Ok(Box::new(Held::new(match numbering {
        Numbering::Space(order) => Numbered::<R>::Space(space()?, order),
        Numbering::KingLegal => Numbered::KingLegal(king_legal()?),
    })))
}

/// Why the placements of a variant cannot be counted.
fn uncountable<R: Rules>(reason: NotClassic) -> Error {
    let (task, variant) = ("counting", R::name());
    Error::Unsuited { task, variant, reason: reason.to_string() }
}

/// All candidates.
pub(super) fn space<R: Rules>() -> Result<Space<R>, Error> {
    Space::new().map_err(uncountable::<R>)
}

/// The placements that pass the stages flip, pawn and king.
pub(super) fn king_legal<R: Rules>() -> Result<KingLegal<R>, Error> {
    check_countable::<R>().and_then(|()| check_named::<R>()).map_err(uncountable::<R>)?;
    KingLegal::new()
        .ok_or(Error::TooLarge { variant: R::name(), task: "to number its legal positions" })
}

/// The classes by checks.
pub(super) fn strata<R: Rules>() -> Result<Strata<R>, Error> {
    check_classic::<R>().map_err(uncountable::<R>)?;
    if !R::royal_safety() {
        return Err(Error::Unsuited {
            task: "dividing into classes by checks",
            variant: R::name(),
            reason: "kings can be captured".to_owned(),
        });
    }
    Strata::new().ok_or(Error::TooLarge { variant: R::name(), task: "to be divided into classes" })
}

enum Numbered<R: Rules> {
    Space(Space<R>, Order),
    KingLegal(KingLegal<R>),
}

impl<R: Rules> AnyNumbered for Held<Numbered<R>> {
    fn size(&self) -> BigUint {
        self.with(|numbered| match numbered {
            Numbered::Space(space, _) => space.size(),
            Numbered::KingLegal(set) => set.size(),
        })
    }

    fn rank(&self, text: &str) -> Result<Ranked<BigUint>, Error> {
        self.with(|numbered| {
            let ranked = rank_image(&placement(text)?, |placement| match numbered {
                Numbered::Space(space, order) => space.rank::<BigUint>(placement, *order),
                Numbered::KingLegal(set) => set.rank(placement),
            });
            ranked.map_err(Error::library)
        })
    }

    fn unrank(&self, rank: &BigUint, dialect: Option<Dialect>) -> Result<String, Error> {
        self.with(|numbered| {
            let placement = match numbered {
                Numbered::Space(space, order) => space.unrank(rank.clone(), *order),
                Numbered::KingLegal(set) => set.unrank(rank),
            };
            let dialect = dialect.unwrap_or(R::dialect());
            Ok(to_sfen_in(&placement.map_err(Error::library)?, dialect))
        })
    }
}
