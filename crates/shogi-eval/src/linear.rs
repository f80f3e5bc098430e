//! A linear evaluation: the logit of a win for the mover as a sum of weights.
//!
//! Written plainly the sum has one term for each feature, three for each piece. [`Linear`]
//! precomputes the sums that depend on a piece and one king: for each place of the own king, and
//! for each of the enemy king, a table over pieces and squares (as in the king-piece tables of
//! computer shogi). Then a piece costs two lookups, in two rows that stay in the cache for a whole
//! position. Weights are whole multiples of 1/4096, so that sums are exact in any order.

use std::marker::PhantomData;

use shogi_core::{Bitboard, Geometry, Placement, RuleTable};

use crate::features::Features;

/// Weights are counted in this fraction of a logit: 1/4096.
pub const UNITS: i32 = 4096;

/// The largest magnitude of a weight, 256 logits: a sum of some hundreds fits in 32 bits.
pub const MAX_UNITS: i32 = 256 * UNITS;

/// Why a list of numbers is not a valid list of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The number of weights is not that of features or faces.
    #[error("{found} numbers instead of {expected}")]
    Count {
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// A weight is out of range.
    #[error("weight {index} is {value}, more than {MAX_UNITS} either way")]
    Size {
        /// The number of the feature.
        index: usize,
        /// Its weight.
        value: i32,
    },
    /// A weight of a network is out of range.
    #[error("weight {index} is {value}, more than {max} either way")]
    Range {
        /// The number of the weight in its layer.
        index: usize,
        /// The weight.
        value: i32,
        /// The largest allowed.
        max: i32,
    },
}

impl WeightsError {
    /// Checks that no weight exceeds `max` in magnitude.
    #[cfg(feature = "files")]
    pub(crate) fn check<T: Copy + Into<i32>>(weights: &[T], max: T) -> Result<(), Self> {
        let max = max.into();
        let too_large = |&weight: &T| weight.into().unsigned_abs() > max.unsigned_abs();
        match weights.iter().position(too_large) {
            Some(index) => Err(Self::Range { index, value: weights[index].into(), max }),
            None => Ok(()),
        }
    }
}

/// A linear evaluation over the [`Features`] of a rule table.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_eval::{Features, Linear};
/// let mut weights = vec![0; Features::<Minishogi>::COUNT];
/// weights[0] = 2048; // the feature that is always there
/// let evaluation = Linear::<Minishogi>::new(weights)?;
/// let start = parse_position::<Minishogi>(Minishogi::START)?;
/// assert_eq!(evaluation.logit(&start), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear<R> {
    weights: Vec<i32>,
    /// For each square of each king as the mover sees it, and for a missing king: weights by slot
    /// and square. Terms that depend on no king are in the first table, the mover's.
    tables: [Vec<i32>; 2],
    rules: PhantomData<R>,
}

impl<R: RuleTable> Linear<R> {
    /// The evaluation with these weights, in units of 1/[`UNITS`], one for each feature.
    ///
    /// # Errors
    ///
    /// If the number of weights is not that of features, or a weight exceeds [`MAX_UNITS`] in
    /// magnitude.
    pub fn new(weights: Vec<i32>) -> Result<Self, WeightsError> {
        check(&weights, Features::<R>::COUNT)?;
        Ok(Self::folded(weights))
    }

    /// The evaluation that judges every position even.
    pub fn zero() -> Self {
        Self::folded(vec![0; Features::<R>::COUNT])
    }

    /// The evaluation with the weights nearest to these, in logits; NaN counts as 0.
    pub fn nearest(weights: &[f32]) -> Self {
        Self::folded(nearest(weights))
    }

    /// Adds up the tables; the weights have been checked.
    pub(crate) fn folded(weights: Vec<i32>) -> Self {
        let (area, slots) = (R::Geometry::AREA, Features::<R>::SLOTS);
        let at_offset = |whose, king, slot, square| {
            weights[Features::<R>::at_offset(whose, king, slot, square)]
        };
        let on_square = |slot, square| weights[Features::<R>::on_square(slot, square)];
        let own =
            table(area, slots, &|king, slot, square| at_offset(0, king, slot, square), &on_square);
        let enemy =
            table(area, slots, &|king, slot, square| at_offset(1, king, slot, square), &|_, _| 0);
        let tables = [own, enemy];
        Self { weights, tables, rules: PhantomData }
    }

    /// The weights, in units of 1/[`UNITS`], in order of the features.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The logit of a win for the player to move, positive if a win is more likely than not.
    ///
    /// About 0.1 microseconds on 5x5. The same for a position, its mirror image, and the position
    /// with the players exchanged. It does not recognise mates or other ends of the game.
    // Long, and called from many places.
    #[inline(never)]
    pub fn logit(&self, placement: &Placement<R>) -> f32 {
        self.units_and_attacks(placement).0 as f32 / UNITS as f32
    }

    /// The logit in units of 1/[`UNITS`], and the result of [`Features::attacked`].
    #[inline(always)]
    pub(crate) fn units_and_attacks(
        &self,
        placement: &Placement<R>,
    ) -> (i32, [Bitboard<R::Geometry>; 2]) {
        let area = R::Geometry::AREA;
        let size = Features::<R>::SLOTS * area;
        let [own, enemy] = Features::<R>::kings(placement);
        let (own, enemy) = (own.unwrap_or(area) * size, enemy.unwrap_or(area) * size);
        let (own, enemy) = (&self.tables[0][own..own + size], &self.tables[1][enemy..enemy + size]);
        let mut sum = self.weights[Features::<R>::BIAS];
        let attacked = Features::<R>::pieces(placement, |slot, square| {
            let index = slot * area + square;
            sum += own[index] + enemy[index];
        });
        Features::<R>::others(placement, attacked, |feature| sum += self.weights[feature]);
        (sum, attacked)
    }
}

/// For each square of a king, and for no king, the sums of two weights by slot and square.
fn table(
    area: usize,
    slots: usize,
    at_offset: &dyn Fn(usize, usize, usize) -> i32,
    on_square: &dyn Fn(usize, usize) -> i32,
) -> Vec<i32> {
    let mut table = Vec::with_capacity((area + 1) * slots * area);
    for king in 0..=area {
        for slot in 0..slots {
            for square in 0..area {
                let of_king = if king < area { at_offset(king, slot, square) } else { 0 };
                table.push(of_king + on_square(slot, square));
            }
        }
    }
    table
}

/// Checks the number of weights, and that none exceeds [`MAX_UNITS`] in magnitude.
pub(crate) fn check(weights: &[i32], expected: usize) -> Result<(), WeightsError> {
    if weights.len() != expected {
        return Err(WeightsError::Count { found: weights.len(), expected });
    }
    let too_large = |weight: &i32| weight.unsigned_abs() > MAX_UNITS as u32;
    match weights.iter().position(too_large) {
        Some(index) => Err(WeightsError::Size { index, value: weights[index] }),
        None => Ok(()),
    }
}

/// The nearest weights in whole units to these, in logits.
fn nearest(weights: &[f32]) -> Vec<i32> {
    let most = MAX_UNITS as f32;
    let units = |weight: &f32| (weight * UNITS as f32).round().clamp(-most, most) as i32;
    weights.iter().map(units).collect()
}
