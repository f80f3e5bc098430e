//! How good a position is for the player to move: a network learnt from games.
//!
//! [`ValueNet`] judges a position by the sums of rows that both players see, kept up to date with each
//! move, and two small layers above. `fit` learns one from positions with a search's score and the
//! game's result.

mod file;
#[cfg(feature = "train")]
mod fit;

use serde::{Deserialize, Serialize};
use shogi_core::{Move, Placement, RuleTable};

pub use file::{FORMAT, NetError, NetReason, read_variant};
#[cfg(feature = "train")]
pub use fit::{NetFit, NetPass, NetProgress, fit};

use crate::linear::WeightsError;
use crate::network::{Accumulators, Dense, HIDDEN_UNITS, Transformer};
use crate::values::Values;

/// Hidden units for each player.
pub const HIDDEN: usize = 64;
/// Units of the layer above.
pub const MIDDLE: usize = 16;
/// The largest value of a unit of that layer, 64, in units of 1/256.
const MAX_MIDDLE: i32 = (64 << 8) - 1;
/// Bits of a logit behind the point in the output.
const OUTPUT_BITS: u32 = 18;
/// Hundredths of a pawn for which the odds of winning grow by a factor of e.
const PAWN_HUNDREDTHS: i64 = 400;
/// Weights of the first layer are whole multiples of 1/128 between -1 and 1, one byte each in a file.
const ROW_UNITS: i16 = 128;
/// What they are multiplied by for the units of the [`Transformer`].
const ROW_FACTOR: i16 = HIDDEN_UNITS / ROW_UNITS;

/// What a network was made from: the same makes it again.
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

/// A network that judges positions, in whole numbers: the same on every machine.
///
/// 64 hidden units for each player, clipped to 0 and 8; 16 above them; one output. The player to move
/// comes first. A position with the players exchanged has the same value.
///
/// ```
/// use shogi_learn::{Values, value::{Origin, ValueNet}};
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// let origin = Origin { command: String::new(), seed: 1, games: 0, positions: 0 };
/// let net = ValueNet::<Minishogi>::zero(Values::standard::<Minishogi>(), origin);
/// let before = parse_position::<Minishogi>(Minishogi::START)?;
/// let accumulators = net.accumulate(&before);
/// for mv in before.legal_moves() {
///     let after = before.play(mv);
///     let updated = net.after(&accumulators, &before, mv, &after);
///     assert_eq!(updated, net.accumulate(&after));
///     assert_eq!(net.evaluate(&updated, &after), 0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueNet<R> {
    transformer: Transformer<R, HIDDEN>,
    middle: Dense<{ 2 * HIDDEN }, MIDDLE>,
    last: Dense<MIDDLE, 1>,
    values: Values,
    origin: Origin,
}

impl<R: RuleTable> ValueNet<R> {
    /// The network that gives every position the value 0.
    pub fn zero(values: Values, origin: Origin) -> Self {
        let transformer = Transformer::zero();
        let (middle, last) = (Dense::zero(), Dense::zero());
        Self { transformer, middle, last, values, origin }
    }

    /// A network with a first layer of these weights, in units of 1/128: the bias first, then row by row
    /// the pieces, see [`Rows`](crate::network::Rows).
    fn new(
        rows: &[i8],
        middle: Dense<{ 2 * HIDDEN }, MIDDLE>,
        last: Dense<MIDDLE, 1>,
        values: Values,
        origin: Origin,
    ) -> Result<Self, WeightsError> {
        let rows: Vec<i16> = rows.iter().map(|&weight| i16::from(weight) * ROW_FACTOR).collect();
        Ok(Self { transformer: Transformer::of_pieces(&rows)?, middle, last, values, origin })
    }

    /// What the network was made from.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What pieces are worth when they are exchanged. The network's value of a position does not
    /// depend on them.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// The hidden values of a position, from which those of the positions after its moves follow. They
    /// do not depend on the side to move.
    pub fn accumulate(&self, placement: &Placement<R>) -> Accumulators<HIDDEN> {
        self.transformer.accumulate(placement)
    }

    /// The hidden values after a legal move.
    #[inline]
    pub fn after(
        &self,
        accumulators: &Accumulators<HIDDEN>,
        before: &Placement<R>,
        mv: Move<R>,
        after: &Placement<R>,
    ) -> Accumulators<HIDDEN> {
        self.transformer.after(accumulators, before, mv, after)
    }

    /// How good the position with these hidden values is for the player to move, in hundredths of a pawn:
    /// 400 times the logit of the share of points to be expected.
    #[inline]
    pub fn evaluate(&self, accumulators: &Accumulators<HIDDEN>, placement: &Placement<R>) -> i32 {
        let [ours, theirs] = accumulators.hidden(placement.side());
        let mut inputs = [0; 2 * HIDDEN];
        inputs[..HIDDEN].copy_from_slice(&ours);
        inputs[HIDDEN..].copy_from_slice(&theirs);
        let middle = self.middle.outputs(&inputs);
        let middle = middle.map(|sum| (sum >> 10).clamp(0, MAX_MIDDLE) as i16);
        let [output] = self.last.outputs(&middle);
        ((i64::from(output) * PAWN_HUNDREDTHS) >> OUTPUT_BITS) as i32
    }
}

#[cfg(test)]
mod tests {
    use shogi_core::Position;
    use shogi_rules::{Game, Rules};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;
    use crate::network::Rows;

    /// A network without any pattern.
    pub(super) fn random<R: Rules>() -> ValueNet<R> {
        let number = |n: usize| (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let count = (Rows::<R>::PIECES + 1) * HIDDEN;
        let rows: Vec<i8> = (0..count).map(|n| (number(n) % 41) as i8 - 20).collect();
        let weights = |count: usize| -> Vec<i16> {
            (0..count).map(|n| (number(n) % 1201) as i16 - 600).collect()
        };
        let middle = Dense::new(&weights(2 * HIDDEN * MIDDLE), &[50_000; MIDDLE]).unwrap();
        let last = Dense::new(&weights(MIDDLE), &[77]).unwrap();
        let origin = Origin { command: "random".to_owned(), seed: 1, games: 2, positions: 3 };
        ValueNet::new(&rows, middle, last, Values::standard::<R>(), origin).unwrap()
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
            inputs.extend(sums.into_iter().map(|sum| sum.clamp(0, 2048)));
        }
        let layer = |weights: Vec<i16>, bias: &[i32], inputs: &[i64]| -> Vec<i64> {
            let sum = |row: &[i16]| -> i64 {
                row.iter().zip(inputs).map(|(&weight, input)| i64::from(weight) * input).sum()
            };
            let rows = weights.chunks_exact(inputs.len()).zip(bias);
            rows.map(|(row, &bias)| i64::from(bias) + sum(row)).collect()
        };
        let middle = layer(net.middle.weights().collect(), net.middle.bias(), &inputs);
        let middle: Vec<i64> = middle.iter().map(|sum| (sum >> 10).clamp(0, 16_383)).collect();
        let output = layer(net.last.weights().collect(), net.last.bias(), &middle)[0];
        ((output * 400) >> 18) as i32
    }

    fn follow<R: Rules>(games: u64) {
        let net = random::<R>();
        let mut random = Random::new(7);
        let (mut values, mut differ) = (0, 0);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            let mut state = net.accumulate(game.position());
            while game.outcome().is_none() && game.moves().len() < 80 {
                let before = *game.position();
                let moves = before.legal_moves();
                let mv = random.pick(&moves);
                game.play(mv).unwrap();
                let position = game.position();
                state = net.after(&state, &before, mv, position);
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
