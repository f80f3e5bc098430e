//! The first layer: for each player a sum of rows, kept up to date.

use std::marker::PhantomData;

use shogi_core::{Bitboard, Colour, Move, Placement, RuleTable};
use wide::i16x8;

use super::dense::{LANES, lanes};
use super::item::{Item, exchanged, unmoved_king};
use super::rows::Rows;
use super::view::View;
use crate::linear::WeightsError;

/// The unit of the hidden values: 1/256.
pub const HIDDEN_UNITS: i16 = 256;

/// The largest hidden value, 8; the least is 0.
pub const MAX_HIDDEN: i16 = 8 * HIDDEN_UNITS;

/// A row of weights, on a cache line of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct Row<const H: usize>(pub(crate) [i16; H]);

impl<const H: usize> Row<H> {
    /// The row whose weights are all zero.
    pub(crate) const ZERO: Self = Self([0; H]);

    /// Adds a row.
    #[inline(always)]
    pub(crate) fn add(&mut self, row: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(row.0) {
            // The sum of all rows of a position is in range, and sums in any order end there.
            *sum = sum.wrapping_add(weight);
        }
    }

    /// Sets the sum to another with rows added and as many subtracted, in one pass.
    #[inline(always)]
    fn exchange<const N: usize>(&mut self, other: &Self, more: [&Self; N], less: [&Self; N]) {
        for (unit, sum) in self.0.iter_mut().enumerate() {
            *sum = other.0[unit];
            for (more, less) in more.iter().zip(less) {
                *sum = sum.wrapping_add(more.0[unit]).wrapping_sub(less.0[unit]);
            }
        }
    }
}

/// The hidden values of both players, Sente first, before the state of the position is added and
/// before they are clipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulators<const H: usize>(pub(crate) [Row<H>; 2]);

impl<const H: usize> Default for Accumulators<H> {
    /// Zeros, which belong to no position.
    fn default() -> Self {
        Self([Row::ZERO; 2])
    }
}

impl<const H: usize> Accumulators<H> {
    /// The hidden values without the state of the position, clipped to 0 and [`MAX_HIDDEN`]: those of `first`,
    /// then those of the other player.
    #[inline]
    pub fn hidden(&self, first: Colour) -> [[i16; H]; 2] {
        const { assert!((2 * H).is_multiple_of(LANES)) };
        let mut hidden = [self.0[first.index()].0, self.0[(!first).index()].0];
        for units in hidden.as_flattened_mut().chunks_exact_mut(LANES) {
            let clipped = lanes(units).max(i16x8::ZERO).min(i16x8::splat(MAX_HIDDEN));
            units.copy_from_slice(clipped.as_array());
        }
        hidden
    }

    /// The inputs of the layer above: each sum of `first`, then of the other player, mapped by `activate`. The state of the
    /// position is not added.
    #[inline(always)]
    pub(crate) fn inputs<T: Copy + Default, const I: usize>(
        &self,
        first: Colour,
        activate: impl Fn(i16) -> T,
    ) -> [T; I] {
        const { assert!(I == 2 * H) };
        let mut inputs = [T::default(); I];
        for (inputs, player) in inputs.chunks_exact_mut(H).zip([first, !first]) {
            let sums = &self.0[player.index()].0;
            inputs.iter_mut().zip(sums).for_each(|(input, &sum)| *input = activate(sum));
        }
        inputs
    }

    /// Sets the hidden values to those after a legal move; `accumulators` are those before it. If `view` returns a
    /// player's views before and after the move, the rows of the changed items, which `row` returns, are exchanged. If
    /// it returns nothing, since rows depend on a king that moves, appears or disappears, `anew` computes the sum.
    #[inline]
    pub(crate) fn update<'a, R: RuleTable, V>(
        &mut self,
        accumulators: &Self,
        (before, mv, after): (&Placement<R>, Move<R>, &Placement<R>),
        anew: impl Fn(Colour) -> Row<H>,
        view: impl Fn(Colour) -> Option<V>,
        row: impl Fn(&V, Item<R>) -> &'a Row<H>,
    ) {
        let [brought, taken] = exchanged(before, mv, after);
        for player in Colour::ALL {
            let (sum, last) = (&mut self.0[player.index()], &accumulators.0[player.index()]);
            let Some(view) = view(player) else {
                *sum = anew(player);
                continue;
            };
            let row = |item| row(&view, item);
            match (brought, taken) {
                ([Some(more), None], [Some(less), None]) => {
                    sum.exchange(last, [row(more)], [row(less)]);
                }
                ([Some(more), Some(held)], [Some(less), Some(captured)]) => {
                    sum.exchange(last, [row(more), row(held)], [row(less), row(captured)]);
                }
                // No legal move.
                _ => *sum = anew(player),
            }
        }
    }
}

/// The weights of a first layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FirstLayer<const H: usize> {
    pub(crate) rows: Vec<Row<H>>,
    pub(crate) bias: Row<H>,
}

impl<const H: usize> FirstLayer<H> {
    /// A layer with `rows` rows: the bias first, then row by row.
    ///
    /// # Errors
    ///
    /// If there are not exactly `H` weights for the bias and each row, or one exceeds `max` in magnitude.
    pub(crate) fn new(weights: &[i16], rows: usize, max: i16) -> Result<Self, WeightsError> {
        let expected = (rows + 1) * H;
        if weights.len() != expected {
            return Err(WeightsError::Count { found: weights.len(), expected });
        }
        WeightsError::check(weights, max)?;
        Ok(Self::of_weights(weights))
    }

    /// A layer from as many weights as it needs, which are in range.
    pub(crate) fn of_weights(weights: &[i16]) -> Self {
        let mut rows = weights.chunks_exact(H).map(|weights| {
            let mut row = Row::ZERO;
            row.0.copy_from_slice(weights);
            row
        });
        let bias = rows.next().unwrap_or(Row::ZERO);
        Self { rows: rows.collect(), bias }
    }

    /// The layer with `rows` rows whose weights are all zero.
    pub(crate) fn zero(rows: usize) -> Self {
        Self { rows: vec![Row::ZERO; rows], bias: Row::ZERO }
    }

    /// Extends the layer with rows of zeros to `rows` rows in all.
    pub(crate) fn with_rows(mut self, rows: usize) -> Self {
        self.rows.resize(rows, Row::ZERO);
        self
    }

    /// The weights, in the form that [`FirstLayer::new`] takes.
    pub(crate) fn weights(&self) -> Vec<i16> {
        self.all().flat_map(|row| row.0).collect()
    }

    /// The bias, then row by row.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Row<H>> {
        std::iter::once(&self.bias).chain(&self.rows)
    }
}

/// The first layer of a network with `H` hidden units a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transformer<R, const H: usize> {
    pub(crate) layer: FirstLayer<H>,
    rules: PhantomData<R>,
}

impl<R: RuleTable, const H: usize> Transformer<R, H> {
    /// The largest magnitude of a weight, in units of 1/256, such that no sum overflows.
    pub const MAX_WEIGHT: i16 = i16::MAX / Rows::<R>::MAX_ADDED as i16;

    /// A layer from its weights in units of 1/256: the bias first, then row by row of [`Rows`].
    ///
    /// # Errors
    ///
    /// If there are not exactly `H` weights for each row and the bias, or one exceeds
    /// [`Transformer::MAX_WEIGHT`] in magnitude.
    pub fn new(weights: &[i16]) -> Result<Self, WeightsError> {
        FirstLayer::new(weights, Rows::<R>::COUNT, Self::MAX_WEIGHT).map(Self::of_layer)
    }

    /// The layer whose hidden values are all zero.
    pub fn zero() -> Self {
        Self::of_layer(FirstLayer::zero(Rows::<R>::COUNT))
    }

    /// A layer whose rows are those of [`Rows`].
    pub(crate) const fn of_layer(layer: FirstLayer<H>) -> Self {
        Self { layer, rules: PhantomData }
    }

    /// The weights, in the form that [`Transformer::new`] takes.
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        self.layer.weights().into_iter()
    }

    /// The hidden values of a position.
    pub fn accumulate(&self, placement: &Placement<R>) -> Accumulators<H> {
        Accumulators([self.sum(placement, Colour::Sente), self.sum(placement, Colour::Gote)])
    }

    fn sum(&self, placement: &Placement<R>, player: Colour) -> Row<H> {
        let mut sum = self.layer.bias;
        Rows::visit_pieces(placement, player, |row| sum.add(&self.layer.rows[row]));
        sum
    }

    /// The hidden values after a legal move, from those before it: equal to [`Transformer::accumulate`] of the
    /// placement after it, at the cost of a few rows.
    #[inline]
    pub fn after(
        &self,
        accumulators: &Accumulators<H>,
        before: &Placement<R>,
        mv: Move<R>,
        after: &Placement<R>,
    ) -> Accumulators<H> {
        let mut next = Accumulators::default();
        self.update(&mut next, accumulators, before, mv, after);
        next
    }

    /// Sets `next` to the hidden values after a legal move, as [`Transformer::after`] returns them.
    #[inline]
    pub fn update(
        &self,
        next: &mut Accumulators<H>,
        accumulators: &Accumulators<H>,
        before: &Placement<R>,
        mv: Move<R>,
        after: &Placement<R>,
    ) {
        let (line, anew) = ((before, mv, after), |player| self.sum(after, player));
        let view = |player| Some(View::<R>::new(player, unmoved_king(line, player)?));
        next.update(accumulators, line, anew, view, |view, item| {
            &self.layer.rows[match item {
                Item::Board(square, piece) => Rows::of_piece(view, square, piece),
                Item::Hand(owner, kind, nth) => Rows::of_hand(view, owner, kind, nth),
            }]
        })
    }

    /// The hidden values with the state of the position, clipped to 0 and [`MAX_HIDDEN`]: those of
    /// `first` and then those of the other player. `attacked` has the squares that each player attacks,
    /// as [`Features::attacked`](crate::Features::attacked) finds them.
    #[inline]
    pub fn hidden(
        &self,
        accumulators: &Accumulators<H>,
        placement: &Placement<R>,
        attacked: &[Bitboard<R::Geometry>; 2],
        first: Colour,
    ) -> [[i16; H]; 2] {
        let mut accumulators = *accumulators;
        Rows::visit_state(placement, attacked, |player, row| {
            accumulators.0[player.index()].add(&self.layer.rows[row]);
        });
        accumulators.hidden(first)
    }
}
