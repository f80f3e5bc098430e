//! The rows of the first layer that a position adds up, for programs that fit networks.

use std::marker::PhantomData;

use shogi_core::{Colour, Placement, RuleTable};

use super::features::{FeatureSet, PieceNumbers};
use crate::network::RowCounts;

/// The inputs of a network for each player, by number.
///
/// ```
/// use shogi_eval::nn_bin::{FeatureSet, Inputs};
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Minishogi, Rules, Shogi};
/// let rows = |set| {
///     let (inputs, mut rows) = (Inputs::<Shogi>::new(set).unwrap(), Vec::new());
///     inputs.visit(&Shogi::start(), Colour::Sente, |row| rows.push(row));
///     rows
/// };
/// // All pieces but the kings. The own king stands on 5i, the square of number 44.
/// let half_kp = rows(FeatureSet::HalfKp);
/// assert_eq!(half_kp.len(), 38);
/// assert!(half_kp.iter().all(|row| row / 1548 == 44));
/// // All pieces.
/// assert_eq!(rows(FeatureSet::Kp).len(), 40);
/// // The pieces of other boards are numbered in K-P alone.
/// assert!(Inputs::<Minishogi>::new(FeatureSet::HalfKp).is_none());
/// assert_eq!(Inputs::<Minishogi>::new(FeatureSet::Kp).unwrap().counts().all, 521);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs<R> {
    pub(super) numbers: PieceNumbers,
    rules: PhantomData<R>,
}

impl<R> Inputs<R> {
    pub(super) const fn of(numbers: PieceNumbers) -> Self {
        Self { numbers, rules: PhantomData }
    }

    /// The kind of the inputs.
    pub const fn set(&self) -> FeatureSet {
        self.numbers.set
    }

    /// The number of inputs of a player, and of inputs for each square of the own king. An input that depends
    /// on the king has the number of the king's square times the latter, plus the number of the piece.
    pub const fn counts(&self) -> RowCounts {
        self.numbers.counts()
    }
}

impl<R: RuleTable> Inputs<R> {
    /// The inputs of these rules; `None` for HalfKP elsewhere than in standard shogi, and for rules that were read as
    /// text.
    pub fn new(set: FeatureSet) -> Option<Self> {
        PieceNumbers::new::<R>(set).map(Self::of)
    }

    /// Calls `input` once with the number of each active input of a player. In HalfKP a player without a king
    /// has none.
    pub fn visit(&self, placement: &Placement<R>, player: Colour, input: impl FnMut(usize)) {
        self.numbers.visit(placement, player, input);
    }
}
