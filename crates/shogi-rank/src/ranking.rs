//! What all numbered sets of placements have in common.

use num_bigint::BigUint;
use shogi_core::{Placement, RuleTable};

use crate::error::RankError;
use crate::space::{Order, Space};

/// A set of placements that is numbered without gaps from 0, so that it can be drawn from.
///
/// ```
/// use shogi_rank::{BigUint, Ranking, Space};
/// use shogi_rules::Dobutsu;
/// let space = Space::<Dobutsu>::new();
/// let rank = BigUint::from(2026u32);
/// assert_eq!(space.rank_of(&space.placement(&rank)?)?, rank);
/// # Ok::<(), shogi_rank::RankError>(())
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
    /// [`RankError::OutOfRange`].
    fn placement(&self, rank: &BigUint) -> Result<Placement<R>, RankError>;

    /// The member with this rank: the fast way for ranks of one word.
    ///
    /// # Errors
    ///
    /// [`RankError::OutOfRange`].
    fn placement_u64(&self, rank: u64) -> Result<Placement<R>, RankError>;

    /// The rank of a placement.
    ///
    /// # Errors
    ///
    /// [`RankError::Outside`] with the reason why the placement is no member.
    fn rank_of(&self, placement: &Placement<R>) -> Result<BigUint, RankError>;
}

/// The native order of a space.
impl<R: RuleTable> Ranking<R> for Space<R> {
    fn size(&self) -> BigUint {
        self.size()
    }

    #[inline]
    fn size_u64(&self) -> Option<u64> {
        self.size_u64()
    }

    fn placement(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        self.unrank(Order::Native, rank)
    }

    #[inline]
    fn placement_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        self.unrank_u64(Order::Native, rank)
    }

    fn rank_of(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        self.rank(Order::Native, placement)
    }
}
