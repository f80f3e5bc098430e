//! The trait of all numbered sets of placements.

use num_bigint::BigUint;
use shogi_core::{Colour, Placement, RuleTable};

use crate::error::RankError;
use crate::space::{Order, Space, narrow};

/// A set of placements numbered from 0 without gaps, so that it can be sampled.
///
/// `rank` and `unrank` work with big integers and fit every set; `rank_u64` and `unrank_u64` are
/// faster where the ranks fit in 64 bits.
///
/// ```
/// use shogi_rank::{BigUint, RankError, Ranking, Space};
/// use shogi_rules::Dobutsu;
/// let space = Space::<Dobutsu>::new()?;
/// fn numbered_alike(set: &impl Ranking<Dobutsu>, number: u32) -> Result<bool, RankError> {
///     let rank = BigUint::from(number);
///     Ok(set.rank(&set.unrank(&rank)?)? == rank && set.rank_u64(&set.unrank_u64(number.into())?)? == number.into())
/// }
/// assert!(numbered_alike(&space, 2026)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Ranking<R: RuleTable> {
    /// The number of members.
    fn size(&self) -> BigUint;

    /// The number of members, if it fits in 64 bits.
    fn size_u64(&self) -> Option<u64>;

    /// The member with this rank.
    ///
    /// # Errors
    ///
    /// [`RankError::OutOfRange`] if the rank is not below the size.
    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError>;

    /// The member with this rank: the fast way for ranks of one word.
    ///
    /// # Errors
    ///
    /// [`RankError::OutOfRange`] if the rank is not below the size.
    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError>;

    /// The rank of a placement.
    ///
    /// # Errors
    ///
    /// [`RankError::Outside`] if the placement is not a member, with the reason.
    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError>;

    /// The rank of a placement: the fast way for sets that fit in 64 bits.
    ///
    /// # Errors
    ///
    /// As [`Ranking::rank`], and [`RankError::TooWide`] if the rank does not fit in 64 bits.
    fn rank_u64(&self, placement: &Placement<R>) -> Result<u64, RankError> {
        narrow(self.rank(placement)?)
    }
}

/// The number of a placement, or of the member that represents it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ranked<T> {
    /// The number.
    pub rank: T,
    /// Whether this is the number of the placement with colours exchanged and the board turned, since in
    /// members Sente is to move.
    pub exchanged: bool,
    /// Whether this is the number of the mirror image, which is counted in its place.
    pub mirrored: bool,
}

/// Numbers a placement with either player to move and either of two mirror images, by a function that numbers members.
///
/// With Gote to move, the placement with colours exchanged is numbered; if the mirror image is the member, the
/// mirror image is.
///
/// ```
/// use shogi_rank::{Space, rank_image};
/// use shogi_rules::{Minishogi, Rules, parse_sfen};
/// let space = Space::<Minishogi>::new()?;
/// let (start, _) = parse_sfen::<Minishogi>(Minishogi::START)?;
/// let pushed = parse_sfen::<Minishogi>("rbsgk/4p/P4/5/KGSBR w - 1")?.0;
/// let rank = |placement: &_| space.rank::<u64>(placement, Default::default());
/// let ranked = rank_image(&pushed, rank)?;
/// assert!(ranked.exchanged && !ranked.mirrored);
/// assert_eq!(ranked.rank, rank(&pushed.exchange_colours())?);
/// let ranked = rank_image(&start.mirror(), rank)?;
/// assert!(ranked.mirrored && !ranked.exchanged);
/// assert_eq!(ranked.rank, rank(&start)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Any error of the function, except that Gote is to move or that the mirror image is the member.
pub fn rank_image<R: RuleTable, T>(
    placement: &Placement<R>,
    rank: impl Fn(&Placement<R>) -> Result<T, RankError>,
) -> Result<Ranked<T>, RankError> {
    let exchanged = placement.side() == Colour::Gote;
    let turned = if exchanged { placement.exchange_colours() } else { *placement };
    match rank(&turned) {
        Err(RankError::Outside(outside)) if outside.is_mirrored() => {
            Ok(Ranked { rank: rank(&turned.mirror())?, exchanged, mirrored: true })
        }
        ranked => Ok(Ranked { rank: ranked?, exchanged, mirrored: false }),
    }
}

/// A ranking of any kind: for callers whose work outweighs an indirect call for each placement.
impl<R: RuleTable, S: Ranking<R> + ?Sized> Ranking<R> for Box<S> {
    fn size(&self) -> BigUint {
        (**self).size()
    }

    fn size_u64(&self) -> Option<u64> {
        (**self).size_u64()
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        (**self).unrank(rank)
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        (**self).unrank_u64(rank)
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        (**self).rank(placement)
    }

    fn rank_u64(&self, placement: &Placement<R>) -> Result<u64, RankError> {
        (**self).rank_u64(placement)
    }
}

/// The native order of a space, which by itself numbers in any: [`Space::rank`].
impl<R: RuleTable> Ranking<R> for Space<R> {
    fn size(&self) -> BigUint {
        self.size()
    }

    #[inline]
    fn size_u64(&self) -> Option<u64> {
        self.size_u64()
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        Self::unrank(self, rank.clone(), Order::Native)
    }

    #[inline]
    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        Self::unrank(self, rank, Order::Native)
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        Self::rank(self, placement, Order::Native)
    }

    fn rank_u64(&self, placement: &Placement<R>) -> Result<u64, RankError> {
        Self::rank(self, placement, Order::Native)
    }
}
