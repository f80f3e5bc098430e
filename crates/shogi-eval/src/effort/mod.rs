//! Estimates of the cost of a proof: a network with two outputs, learnt from proof searches.
//!
//! An evaluation that predicts the winner says little about how long a proof takes. [`EffortNet`]
//! estimates for a position and a prover
//!
//! - the natural logarithm of the expansions until the prover's win is proved, and
//! - the logit that it can be proved at all.
//!
//! A [`ProofEvaluation`] combines such a network with a linear evaluation, in one file with the origin of both.

mod file;

use shogi_core::{Bitboard, Colour, Move, Placement, RuleTable};
use shogi_rules::Rules;

pub use file::{FORMAT, Origin, ProofEvaluation, read_effort_variant};

use crate::linear::UNITS;
use crate::network::{Accumulators, Dense, Transformer};

/// Hidden units for each player.
pub const HIDDEN: usize = 32;
/// Units of the layer above.
pub const MIDDLE: usize = 16;
/// The largest value of a unit of that layer, 64, in units of 1/256.
const MAX_MIDDLE: i32 = (64 << 8) - 1;
/// Outputs are counted in this fraction: 1/2^18.
pub(crate) const OUTPUT_UNITS: i32 = 1 << 18;

/// The layers above the first, for one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffortHead {
    /// From the hidden values of both players.
    pub middle: Dense<{ 2 * HIDDEN }, MIDDLE>,
    /// From there to the two outputs.
    pub last: Dense<MIDDLE, 2>,
}

/// The result of [`EffortNet::estimate`], in units of 1/2^18.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The natural logarithm of the expansions to prove the win.
    pub expansions: i32,
    /// The logit that the win can be proved.
    pub provable: i32,
}

/// A network that estimates the effort of a proof, in whole numbers: the same on every machine.
///
/// 32 hidden units for each player, clipped to 0 and 8; 16 above them; two outputs. The prover and the opponent
/// to move have separate layers above the first. A position with the players exchanged has the same estimate,
/// for the other prover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffortNet<R> {
    transformer: Transformer<R, HIDDEN>,
    /// The prover to move, the opponent to move.
    heads: [EffortHead; 2],
}

impl<R: RuleTable> EffortNet<R> {
    /// A network from its layers; `heads` has the layers above the first for the prover and then for the
    /// opponent to move.
    pub const fn new(transformer: Transformer<R, HIDDEN>, heads: [EffortHead; 2]) -> Self {
        Self { transformer, heads }
    }

    /// The hidden values of a position, from which those of the positions after its moves follow.
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

    /// The estimate for a position with its hidden values, and the squares that each player attacks as
    /// [`Features::attacked`](crate::Features::attacked) finds them.
    #[inline]
    pub fn estimate(
        &self,
        accumulators: &Accumulators<HIDDEN>,
        placement: &Placement<R>,
        attacked: &[Bitboard<R::Geometry>; 2],
        prover: Colour,
    ) -> Estimate {
        let hidden = self.transformer.hidden(accumulators, placement, attacked, prover);
        self.heads[usize::from(placement.side() != prover)].estimate(&hidden)
    }
}

impl EffortHead {
    #[inline]
    fn estimate(&self, hidden: &[[i16; HIDDEN]; 2]) -> Estimate {
        let mut inputs = [0; 2 * HIDDEN];
        inputs.copy_from_slice(hidden.as_flattened());
        let middle = self.middle.outputs(&inputs);
        let middle = middle.map(|sum| (sum >> 10).clamp(0, MAX_MIDDLE) as i16);
        let [expansions, provable] = self.last.outputs(&middle);
        Estimate { expansions, provable }
    }
}

/// The judgement of a [`ProofEvaluation`] on a position, for a prover.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// The natural logarithm of the expansions to prove the prover's win.
    pub expansions: f32,
    /// The logit that it can be proved.
    pub provable: f32,
    /// The logit that the prover wins, by the linear evaluation.
    pub winning: f32,
}

impl<R: Rules> ProofEvaluation<R> {
    /// Judges a position whose hidden values are known: 0.2
    /// microseconds on 5x5, of which the linear evaluation takes a quarter.
    ///
    /// ```
    /// use shogi_eval::ProofEvaluation;
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{KyotoShogi, Rules, parse_position};
    /// let evaluation = ProofEvaluation::<KyotoShogi>::trained().expect("Kyoto shogi has one");
    /// let before = parse_position::<KyotoShogi>(KyotoShogi::START)?;
    /// let accumulators = evaluation.net().accumulate(&before);
    /// for mv in before.legal_moves() {
    ///     let after = before.play_unchecked(mv);
    ///     let updated = evaluation.net().after(&accumulators, &before, mv, &after);
    ///     let judgement = evaluation.judge(&updated, &after, Colour::Sente);
    ///     assert!(judgement.expansions > 1.0, "no first move wins at once");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // Long, and called from several places.
    #[inline(never)]
    pub fn judge(
        &self,
        accumulators: &Accumulators<HIDDEN>,
        placement: &Placement<R>,
        prover: Colour,
    ) -> Judgement {
        let (units, attacked) = self.linear().units_and_attacks(placement);
        let estimate = self.net().estimate(accumulators, placement, &attacked, prover);
        let sign = if placement.side() == prover { 1.0 } else { -1.0 };
        Judgement {
            expansions: estimate.expansions as f32 / OUTPUT_UNITS as f32,
            provable: estimate.provable as f32 / OUTPUT_UNITS as f32,
            winning: sign * units as f32 / UNITS as f32,
        }
    }
}
