//! The networks that the community of shogi programs exchanges as `nn.bin`: HalfKP 256x2-32-32 and K-P 256x2-32-32.
//!
//! A network of this kind sums up a row of 256 weights for every piece on the board and in hand, for each
//! player (the first layer of NNUE, Nasu 2018). In HalfKP the row depends on the square of the player's king,
//! and kings have none; in K-P kings have rows as other pieces do. The sums are clipped to 0 and 127 and go
//! through layers of 32, 32 and 1 outputs. YaneuraOu and the programs derived from it read and write such
//! files. None is part of this crate: the tests make files from random numbers and compare with a plain
//! computation from the definition. `shogi-learn` fits such networks to games.

mod features;
mod file;
mod inputs;
mod layer;

use std::marker::PhantomData;

use shogi_core::{Colour, Move, Placement, RuleTable};
use shogi_rules::Rules;

pub use self::features::FeatureSet;
use self::features::{PieceNumbers, View};
pub use self::file::VERSION;
pub use self::inputs::Inputs;
use self::layer::{Input, Layer};
use crate::linear::WeightsError;
use crate::network::{Accumulators, Dense, FirstLayer, Item, Row, unmoved_king};
use crate::values::Values;

/// Hidden units for each player.
pub const HIDDEN: usize = 256;
/// Outputs of the two layers above.
pub const LAYER: usize = 32;
/// The largest input of a layer; the least is 0.
pub const MAX_INPUT: i16 = 127;
/// Sums of a layer count in 1/64 of the inputs.
pub const WEIGHT_BITS: u32 = 6;
/// The largest weight of the layers above, either way: a file has a byte for each.
pub const MAX_WEIGHT: i16 = 127;
/// The value of a pawn to which the values of such networks refer.
pub const PAWN: i32 = 90;

/// A network of the form HalfKP 256x2-32-32 or K-P 256x2-32-32, in whole numbers: the same on every machine. HalfKP is
/// for standard shogi only; K-P is for every board, with numbers of this project for other pieces than those of shogi.
///
/// ```no_run
/// use std::fs::File;
/// use shogi_eval::NnBin;
/// use shogi_rules::{Rules, Shogi};
///
/// let net = NnBin::<Shogi>::read(File::open("nn.bin")?)?.with_scale(24);
/// let start = Shogi::start();
/// println!("{}", net.evaluate(&net.accumulate(&start), &start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NnBin<R> {
    network: Network,
    rules: PhantomData<R>,
}

/// The parts of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Network {
    numbers: PieceNumbers,
    layer: FirstLayer<HIDDEN>,
    first: Layer<{ 2 * HIDDEN }, LAYER>,
    second: Layer<LAYER, LAYER>,
    last: Layer<LAYER, 1>,
    description: String,
    scale: i32,
    values: Values,
}

/// The default divisor of the output; see [`NnBin::with_scale`]. The authors of a network publish its divisor
/// (`FV_SCALE`): 16 for most, 24 for some.
pub const SCALE: i32 = 16;

impl<R: RuleTable> NnBin<R> {
    /// Whether there is a network. For rules that were read as text there is none, and nothing is compiled.
    const FITS: bool = !R::RUNTIME;

    /// A network of these weights over these inputs, with [`SCALE`]. `rows` are those of the first layer: the
    /// bias, then input by input as [`Inputs`] numbers them, [`HIDDEN`] each. The file keeps the first 4,096
    /// bytes of `description`.
    ///
    /// # Errors
    ///
    /// If the number of rows is wrong, or a weight of the layers above does not fit in a byte.
    pub fn new(
        inputs: Inputs<R>,
        rows: &[i16],
        first: Dense<{ 2 * HIDDEN }, LAYER>,
        second: Dense<LAYER, LAYER>,
        last: Dense<LAYER, 1>,
        mut description: String,
    ) -> Result<Self, WeightsError>
    where
        R: Rules,
    {
        let numbers = inputs.numbers;
        let expected = HIDDEN * (1 + numbers.count);
        if rows.len() != expected {
            return Err(WeightsError::Count { found: rows.len(), expected });
        }
        for weights in [first.weight_list(), second.weight_list(), last.weight_list()] {
            WeightsError::check(weights, MAX_WEIGHT)?;
        }
        let layer = FirstLayer::of_weights(rows);
        let most = description.len().min(file::MAX_DESCRIPTION as usize);
        let length = (0..=most).rev().find(|&length| description.is_char_boundary(length));
        description.truncate(length.unwrap_or(0));
        let (first, second, last) = (first.into(), second.into(), last.into());
        let (scale, values) = (SCALE, Values::standard::<R>());
        let network = Network { numbers, layer, first, second, last, description, scale, values };
        Ok(Self { network, rules: PhantomData })
    }

    /// The network all of whose weights are 0: it judges every position even. From it learning begins.
    ///
    /// ```
    /// use shogi_eval::NnBin;
    /// use shogi_eval::nn_bin::{FeatureSet, Inputs};
    /// use shogi_rules::{KyotoShogi, Rules};
    /// let net = NnBin::<KyotoShogi>::zero(Inputs::new(FeatureSet::Kp).unwrap());
    /// let start = KyotoShogi::start();
    /// assert_eq!(net.evaluate(&net.accumulate(&start), &start), 0);
    /// ```
    pub fn zero(inputs: Inputs<R>) -> Self
    where
        R: Rules,
    {
        let numbers = inputs.numbers;
        let network = Network {
            layer: FirstLayer::zero(numbers.count),
            numbers,
            first: Dense::zero().into(),
            second: Dense::zero().into(),
            last: Dense::zero().into(),
            description: "all weights are 0".to_owned(),
            scale: SCALE,
            values: Values::standard::<R>(),
        };
        Self { network, rules: PhantomData }
    }

    /// The kind of its inputs.
    pub const fn feature_set(&self) -> FeatureSet {
        self.network.numbers.set
    }

    /// Its inputs.
    pub fn inputs(&self) -> Inputs<R> {
        Inputs::of(self.network.numbers.clone())
    }

    /// The weights of the first layer, as [`NnBin::new`] takes them: the bias, then input by input.
    pub fn rows(&self) -> impl Iterator<Item = &[i16; HIDDEN]> {
        self.network.layer.all().map(|row| &row.0)
    }

    /// The layers above.
    pub const fn layers(
        &self,
    ) -> (&Dense<{ 2 * HIDDEN }, LAYER>, &Dense<LAYER, LAYER>, &Dense<LAYER, 1>) {
        (self.network.first.dense(), self.network.second.dense(), self.network.last.dense())
    }

    /// The same network whose output is divided by another number, at least 1.
    #[must_use]
    pub fn with_scale(mut self, scale: i32) -> Self {
        self.network.scale = scale.max(1);
        self
    }

    /// The divisor of the output.
    pub const fn scale(&self) -> i32 {
        self.network.scale
    }

    /// The description in the file.
    pub fn description(&self) -> &str {
        &self.network.description
    }

    /// The values of pieces for exchanges. The network's value of a position does not depend on them.
    pub const fn values(&self) -> &Values {
        &self.network.values
    }

    /// The hidden values of a position before they are clipped, from which those of the positions after
    /// its moves follow. They do not depend on the side to move.
    pub fn accumulate(&self, placement: &Placement<R>) -> Accumulators<HIDDEN> {
        Accumulators([self.sum(placement, Colour::Sente), self.sum(placement, Colour::Gote)])
    }

    /// The sum of a player; in HalfKP it has no rows without a king.
    fn sum(&self, placement: &Placement<R>, player: Colour) -> Row<HIDDEN> {
        let Network { numbers, layer, .. } = &self.network;
        let mut sum = layer.bias;
        if Self::FITS {
            numbers.visit(placement, player, |row| sum.add(&layer.rows[row]));
        }
        sum
    }

    /// The row of a piece; zero for a king in HalfKP.
    #[inline]
    fn row(&self, view: &View<'_>, item: Item<R>) -> &Row<HIDDEN> {
        let row = match item {
            Item::Board(square, piece) => view.on_board(square, piece),
            Item::Hand(owner, kind, nth) => Some(view.in_hand(owner, kind, nth)),
        };
        match row {
            Some(row) => &self.network.layer.rows[row],
            None => &const { Row::ZERO },
        }
    }

    /// Sets `next`, whatever it was, to the hidden values after a legal move: equal to [`NnBin::accumulate`] of the placement
    /// after it, at the cost of a few rows.
    #[inline]
    pub fn update(
        &self,
        next: &mut Accumulators<HIDDEN>,
        accumulators: &Accumulators<HIDDEN>,
        before: &Placement<R>,
        mv: Move<R>,
        after: &Placement<R>,
    ) {
        if !Self::FITS {
            *next = *accumulators;
            return;
        }
        let (line, anew) = ((before, mv, after), |player| self.sum(after, player));
        let view = |player| View::new(&self.network.numbers, player, unmoved_king(line, player));
        next.update(accumulators, line, anew, view, |view, item| self.row(view, item));
    }

    /// The value of the position with these hidden values for the player to move, in the network's
    /// own units, of which a pawn has 90.
    #[inline]
    pub fn output(&self, accumulators: &Accumulators<HIDDEN>, placement: &Placement<R>) -> i32 {
        if Self::FITS { self.network.output(accumulators, placement.side()) } else { 0 }
    }

    /// The value of the position with these hidden values for the player to move, in hundredths of a pawn.
    #[inline]
    pub fn evaluate(&self, accumulators: &Accumulators<HIDDEN>, placement: &Placement<R>) -> i32 {
        (i64::from(self.output(accumulators, placement)) * 100 / i64::from(PAWN)) as i32
    }
}

impl Network {
    /// [`NnBin::output`], for the player to move.
    #[inline]
    fn output(&self, accumulators: &Accumulators<HIDDEN>, mover: Colour) -> i32 {
        // Processors saturate to a byte with a sign in one step.
        let byte = |sum: i16| sum.clamp(i8::MIN.into(), MAX_INPUT) as i8;
        let inputs = accumulators.inputs(mover, |sum| byte(sum).max(0) as Input);
        let clipped = |sum: i32| (sum >> WEIGHT_BITS).clamp(0, i32::from(MAX_INPUT)) as Input;
        let first = self.first.outputs(&inputs).map(clipped);
        let second = self.second.outputs(&first).map(clipped);
        let [output] = self.last.outputs(&second);
        output / self.scale
    }
}

#[cfg(test)]
mod tests;
