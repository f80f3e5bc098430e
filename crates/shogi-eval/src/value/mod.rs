//! The value of a position for the player to move: a network learnt from games.
//!
//! [`ValueNet`] judges a position by the sums of rows that both players see, kept up to date with each
//! move, and one layer above.

mod file;

use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Move, Placement, Position, RuleTable};

pub use file::{FORMAT, read_variant};

use crate::linear::WeightsError;
use crate::network::{
    Accumulators, Dense, FirstLayer, HIDDEN_UNITS, Rows, Transformer, WEIGHT_UNITS,
};
use crate::values::Values;
use crate::weighted::{HUNDREDTHS, Weighted};

/// Hidden units for each player.
pub const HIDDEN: usize = 64;
/// Hidden values are clipped to 0 and 2, in units of [`HIDDEN_UNITS`].
pub const MAX_ACTIVE: i16 = 2 * HIDDEN_UNITS;
/// Bits of a squared hidden value behind the point.
pub const SQUARE_BITS: u32 = 9;
/// Bits of a logit behind the point in the output.
const OUTPUT_BITS: u32 = SQUARE_BITS + WEIGHT_UNITS.ilog2();
/// Hundredths of a pawn for which the odds of winning grow by a factor of e, without weighted features.
const PAWN_HUNDREDTHS: i64 = 400;
/// Weights of the first layer are whole multiples of 1/128 between -1 and 1, one byte each in a file.
pub const ROW_UNITS: i16 = 128;
/// The factor from these units to those of the [`Transformer`].
const ROW_FACTOR: i16 = HIDDEN_UNITS / ROW_UNITS;

/// The origin of a network, from which it can be made again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The command.
    pub command: String,
    /// The seed.
    pub seed: u64,
    /// Games that the last fit learnt from.
    pub games: u64,
    /// Positions of these games that it learnt from.
    pub positions: u64,
}

/// A network that judges positions, in integers, so the same on every machine.
///
/// 64 hidden units for each player, clipped to 0 and 2 and squared; the output is a weighted sum of these squares. The
/// player to move comes first. A position with the players exchanged has the same value. A network may have a base:
/// weighted features, whose value it corrects.
///
/// ```
/// use shogi_eval::{Values, value::{Origin, ValueNet}};
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// let origin = Origin { command: String::new(), seed: 1, games: 0, positions: 0 };
/// let net = ValueNet::<Minishogi>::zero(Values::standard::<Minishogi>(), origin);
/// let before = parse_position::<Minishogi>(Minishogi::START)?;
/// let accumulators = net.accumulate(&before);
/// let mut updated = accumulators;
/// for mv in before.legal_moves() {
///     let after = before.play_unchecked(mv);
///     net.update(&mut updated, &accumulators, &before, mv, &after);
///     assert_eq!(updated, net.accumulate(&after));
///     assert_eq!(net.evaluate(&updated, &after), 0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueNet<R: RuleTable> {
    transformer: Transformer<R, HIDDEN>,
    output: Dense<{ 2 * HIDDEN }, 1>,
    values: Values,
    origin: Origin,
    base: Option<Weighted<R>>,
}

impl<R: RuleTable> ValueNet<R> {
    /// The network that gives every position the value 0.
    pub fn zero(values: Values, origin: Origin) -> Self {
        Self::of_layers(Transformer::zero(), Dense::zero(), values, origin)
    }

    const fn of_layers(
        transformer: Transformer<R, HIDDEN>,
        output: Dense<{ 2 * HIDDEN }, 1>,
        values: Values,
        origin: Origin,
    ) -> Self {
        Self { transformer, output, values, origin, base: None }
    }

    /// A network from the weights of its layers. Those of the first are in units of 1/[`ROW_UNITS`]: the bias, then the
    /// [rows of pieces that a position may have](Rows::met).
    ///
    /// # Errors
    ///
    /// If there are not exactly [`HIDDEN`] weights for the bias and each of these rows, or one is so large that
    /// sums could overflow.
    pub fn new(
        rows: &[i8],
        output: Dense<{ 2 * HIDDEN }, 1>,
        values: Values,
        origin: Origin,
    ) -> Result<Self, WeightsError> {
        let (met, max) = (Rows::<R>::met(), Transformer::<R, HIDDEN>::MAX_WEIGHT);
        let layer = layer_of_pieces(rows, &met, Rows::<R>::PIECES, max)?;
        let transformer = Transformer::of_layer(layer.with_rows(Rows::<R>::COUNT));
        Ok(Self::of_layers(transformer, output, values, origin))
    }

    /// Makes the network correct the value of weighted features, whose piece values it takes over.
    #[must_use]
    pub fn with_base(self, base: Weighted<R>) -> Self {
        Self { values: base.values().clone(), base: Some(base), ..self }
    }

    /// The weighted features that the network corrects, if any.
    pub const fn base(&self) -> Option<&Weighted<R>> {
        self.base.as_ref()
    }

    /// The origin of the network.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The values of pieces for exchanges. The network's value of a position does not depend on them.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// The hidden values of a position, from which those of the positions after its moves follow. They
    /// do not depend on the side to move.
    pub fn accumulate(&self, placement: &Placement<R>) -> Accumulators<HIDDEN> {
        self.transformer.accumulate(placement)
    }

    /// Sets `next`, whatever it was, to the hidden values after a legal move: equal to [`ValueNet::accumulate`] of the
    /// placement after it, at the cost of a few rows.
    #[inline]
    pub fn update(
        &self,
        next: &mut Accumulators<HIDDEN>,
        accumulators: &Accumulators<HIDDEN>,
        before: &Placement<R>,
        mv: Move<R>,
        after: &Placement<R>,
    ) {
        self.transformer.update(next, accumulators, before, mv, after);
    }

    /// The value of the position with these hidden values for the player to move, in hundredths of a pawn: 400
    /// times the logit of the expected share of points. With a base, the value of the base plus 600 times the
    /// network's contribution to the logit.
    #[inline]
    pub fn evaluate(&self, accumulators: &Accumulators<HIDDEN>, position: &Position<R>) -> i32 {
        let base = self.base.as_ref().map_or(0, |base| base.evaluate(position));
        base + self.of_network(accumulators, position)
    }

    /// The part of the value that comes from the network and not from its base, in hundredths of a pawn.
    pub fn correction(&self, position: &Position<R>) -> i32 {
        self.of_network(&self.accumulate(position), position)
    }

    /// [`ValueNet::correction`], from the hidden values.
    #[inline]
    fn of_network(&self, accumulators: &Accumulators<HIDDEN>, placement: &Placement<R>) -> i32 {
        let scale = if self.base.is_some() { HUNDREDTHS } else { PAWN_HUNDREDTHS };
        let output = output(&self.output, accumulators, placement.side());
        ((i64::from(output) * scale) >> OUTPUT_BITS) as i32
    }
}

/// The output of the layer above the first, for the player to move.
fn output(
    layer: &Dense<{ 2 * HIDDEN }, 1>,
    accumulators: &Accumulators<HIDDEN>,
    mover: Colour,
) -> i32 {
    let [output] = layer.outputs(&accumulators.inputs(mover, activate));
    output
}

/// A first layer without the rows of the state, from the weights of a file in units of 1/128: the bias, then
/// the rows of pieces that a position may have.
fn layer_of_pieces(
    read: &[i8],
    met: &[usize],
    pieces: usize,
    max: i16,
) -> Result<FirstLayer<HIDDEN>, WeightsError> {
    let expected = (met.len() + 1) * HIDDEN;
    if read.len() != expected {
        return Err(WeightsError::Count { found: read.len(), expected });
    }
    let mut weights = vec![0; (pieces + 1) * HIDDEN];
    for (row, read) in written_rows(met).zip(read.chunks_exact(HIDDEN)) {
        let row = weights[row * HIDDEN..].iter_mut();
        row.zip(read).for_each(|(weight, &read)| *weight = i16::from(read) * ROW_FACTOR);
    }
    FirstLayer::new(&weights, pieces, max)
}

/// The rows of the first layer in the order of a file: 0 is the bias, and the rows of pieces follow.
fn written_rows(met: &[usize]) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(met.iter().map(|row| row + 1))
}

/// The weights of the rows that a file has.
fn written<T: Copy>(weights: &[T], met: &[usize]) -> Vec<T> {
    let mut written = Vec::new();
    for row in written_rows(met) {
        written.extend_from_slice(&weights[row * HIDDEN..][..HIDDEN]);
    }
    written
}

/// The square of a hidden value clipped to 0 and 2, in units of 1/512.
#[inline(always)]
fn activate(sum: i16) -> i16 {
    const SHIFT: u32 = 16 + SQUARE_BITS - 2 * HIDDEN_UNITS.ilog2();
    let hidden = sum.clamp(0, MAX_ACTIVE);
    // The upper half of a 32-bit product, which processors compute for many numbers at once.
    let [one, other] = [hidden << (SHIFT / 2), hidden << SHIFT.div_ceil(2)];
    ((i32::from(one) * i32::from(other)) >> 16) as i16
}

#[cfg(test)]
mod tests {
    use std::mem;

    use shogi_core::Position;
    use shogi_rules::{Game, Rules};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// A network without any pattern.
    pub(super) fn random<R: Rules>() -> ValueNet<R> {
        let number = |n: usize| (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let count = written_rows(&Rows::<R>::met()).count() * HIDDEN;
        let rows: Vec<i8> = (0..count).map(|n| (number(n) % 41) as i8 - 20).collect();
        let weights = |count: usize| -> Vec<i16> {
            (0..count).map(|n| (number(n) % 1201) as i16 - 600).collect()
        };
        let output = Dense::new(&weights(2 * HIDDEN), &[50_000]).unwrap();
        let origin = Origin { command: "random".to_owned(), seed: 1, games: 2, positions: 3 };
        ValueNet::new(&rows, output, Values::standard::<R>(), origin).unwrap()
    }

    /// The value as its definition says, with nothing updated.
    fn naive<R: Rules>(net: &ValueNet<R>, position: &Position<R>) -> i32 {
        let weights: Vec<i64> = net.transformer.weights().map(i64::from).collect();
        let mut inputs = Vec::new();
        for player in [position.side(), !position.side()] {
            let mut sums = weights[..HIDDEN].to_vec();
            Rows::visit_pieces(position, player, |row| {
                let row = &weights[(row + 1) * HIDDEN..(row + 2) * HIDDEN];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            });
            inputs.extend(sums.into_iter().map(|sum| sum.clamp(0, 512).pow(2) / 128));
        }
        let products =
            net.output.weights().zip(inputs).map(|(weight, input)| i64::from(weight) * input);
        let output = i64::from(net.output.bias()[0]) + products.sum::<i64>();
        ((output * 400) >> 19) as i32
    }

    fn follow<R: Rules>(games: u64) {
        let net = random::<R>();
        let mut random = Random::new(7);
        let (mut values, mut differ) = (0, 0);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            let (mut state, mut next) = (net.accumulate(game.position()), Accumulators::default());
            while game.outcome().is_none() && game.moves().len() < 80 {
                let before = *game.position();
                let moves = before.legal_moves();
                let mv = random.pick(&moves);
                game.play(mv).unwrap();
                let position = game.position();
                net.update(&mut next, &state, &before, mv, position);
                mem::swap(&mut state, &mut next);
                assert_eq!(state, net.accumulate(position));
                let value = net.evaluate(&state, position);
                assert_eq!(value, naive(&net, position));
                // The same position with the colours changed is as good.
                let exchanged = position.exchange_colours();
                let same = Position::new_allowing(exchanged, shogi_core::Faults::all()).unwrap();
                assert_eq!(net.evaluate(&net.accumulate(&same), &same), value);
                values += 1;
                differ += usize::from(value != values);
            }
        }
        assert!(differ > 10, "the network says something");
    }

    for_every_variant!(sums_are_kept_up_to_date: follow(20; shogi: 4));
}
