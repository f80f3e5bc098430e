//! Initial numbers from the estimated effort of a proof.

use std::borrow::Borrow;
use std::marker::PhantomData;

use shogi_core::{Move, Position};
use shogi_eval::ProofEvaluation;
use shogi_eval::effort::{HIDDEN, Judgement};
use shogi_eval::network::Accumulators;
use shogi_rules::{Rules, mate_in_one};

use super::numbers::{SCALE, SLOPE, effort_pn_dn, mean_pn_dn, pn_dn, pn_in_check};
use crate::game::{GameGraph, Goal, RulesGame};
use crate::leaf::Leaf;

/// Both numbers of a position that is provable with probability one half; large, so that rounding matters
/// little.
const PROVABLE_SCALE: f32 = 1000.0;

/// The source of the numbers of an [`Effort`] leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Blend {
    /// The linear evaluation alone, as in [`Learnt`](crate::Learnt).
    Linear,
    /// The estimate of effort: [`effort_pn_dn`].
    Effort,
    /// The geometric mean of both: [`mean_pn_dn`].
    #[default]
    Mean,
    /// Only the logit that a proof exists, without its effort: ln(disproof number / proof number) is this
    /// logit. For an [oracle](crate::builder::AlphaBeta), which ranks moves.
    Provable,
}

/// Initial numbers from the estimated cost of a proof and a search for a mate in one. `E` is a
/// [`ProofEvaluation`] or a reference to one.
///
/// Use it with [`Tuning::LEARNT`](crate::df_pn::Tuning::LEARNT). The leaf keeps the hidden values of the
/// position whose moves are being examined, so that each move costs only a few rows of the network. The
/// blend may be changed between two searches with one table.
///
/// ```
/// use shogi_eval::effort::{EffortHead, EffortNet, Origin};
/// use shogi_eval::network::{Dense, Transformer};
/// use shogi_eval::{Evaluation, Linear, ProofEvaluation, TrainingSettings};
/// use shogi_rules::{Shogi34, Rules, parse_position};
/// use shogi_solve::df_pn::{DfPn, Options, Tuning};
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::{Blend, Budget, Effort, Finding, Goal, RulesGame, Search};
///
/// // An evaluation that has learnt nothing; `shogi learn proofs` makes better ones.
/// let (start, settings) = (Shogi34::START.to_owned(), TrainingSettings::default());
/// let linear = Evaluation::<Shogi34>::new(start, settings, Linear::zero());
/// let head = || EffortHead { middle: Dense::zero(), last: Dense::zero() };
/// let net = EffortNet::new(Transformer::zero(), [head(), head()]);
/// let origin = Origin { command: String::new(), seed: 1, records: 0 };
/// let evaluation = ProofEvaluation::new(linear, net, origin);
///
/// let game = RulesGame::<Shogi34>::new();
/// let leaf = Effort::new(&evaluation, Blend::Mean);
/// let options = Options { tuning: Tuning::LEARNT, ..Options::default() };
/// let mut search = DfPn::new(&game, Goal::win(Colour::Sente), leaf, options);
/// let root = parse_position::<Shogi34>("rkr/1p1/1P1/RKR b - 1")?;
/// let found = search.search(&root, &mut Budget::nodes(100_000));
/// assert!(matches!(found, Finding::Proved { .. }), "{found:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Effort<R: Rules, E> {
    evaluation: E,
    blend: Blend,
    /// The key of the last position and its hidden values.
    above: Option<(u64, Accumulators<HIDDEN>)>,
    rules: PhantomData<R>,
}

impl<R: Rules, E: Borrow<ProofEvaluation<R>>> Effort<R, E> {
    /// A leaf with this evaluation.
    pub const fn new(evaluation: E, blend: Blend) -> Self {
        Self { evaluation, blend, above: None, rules: PhantomData }
    }

    /// The source of the numbers.
    pub const fn blend(&self) -> Blend {
        self.blend
    }

    /// Sets the source of the numbers.
    pub const fn set_blend(&mut self, blend: Blend) {
        self.blend = blend;
    }

    /// The numbers of a position; its hidden values follow from those of the position above, if known.
    fn of(
        &self,
        game: &RulesGame<R>,
        goal: Goal,
        position: &Position<R>,
        above: Option<(&Accumulators<HIDDEN>, &Position<R>, Move<R>)>,
    ) -> (u32, u32) {
        let prover_moves = position.side() == goal.prover;
        if prover_moves && mate_in_one(position).is_some() {
            return (0, 1);
        }
        let evaluation = self.evaluation.borrow();
        let escapes = || match !prover_moves && game.is_check(position) {
            true => Some(position.count_moves() as u32),
            false => None,
        };
        if self.blend == Blend::Linear {
            let mover_wins = evaluation.linear().logit(position);
            return linear(if prover_moves { mover_wins } else { -mover_wins }, escapes());
        }
        let accumulators = match above {
            None => evaluation.net().accumulate(position),
            Some((hidden, above, mv)) => evaluation.net().after(hidden, above, mv, position),
        };
        let judgement = evaluation.judge(&accumulators, position, goal.prover);
        match self.blend {
            Blend::Mean => mean_pn_dn(linear(judgement.winning, escapes()), effort(judgement)),
            Blend::Provable => pn_dn(judgement.provable, PROVABLE_SCALE, 0.5),
            Blend::Linear | Blend::Effort => effort(judgement),
        }
    }
}

/// The numbers by the linear evaluation, given the opponent's number of escapes from a check.
fn linear(winning: f32, escapes: Option<u32>) -> (u32, u32) {
    let (pn, dn) = pn_dn(winning, SCALE, SLOPE);
    (escapes.map_or(pn, |escapes| pn_in_check(pn, escapes)), dn)
}

/// The numbers by the effort; a network knows checks and escapes.
fn effort(judgement: Judgement) -> (u32, u32) {
    effort_pn_dn(judgement.expansions, judgement.provable, judgement.winning)
}

impl<R: Rules, E: Borrow<ProofEvaluation<R>>> Leaf<RulesGame<R>> for Effort<R, E> {
    fn is_costly(&self) -> bool {
        true
    }

    fn numbers(&self, game: &RulesGame<R>, goal: Goal, position: &Position<R>) -> (u32, u32) {
        self.of(game, goal, position, None)
    }

    #[inline]
    fn numbers_below(
        &mut self,
        game: &RulesGame<R>,
        goal: Goal,
        above: &Position<R>,
        mv: Move<R>,
        position: &Position<R>,
    ) -> (u32, u32) {
        if self.blend == Blend::Linear {
            // The network is not consulted, and needs no hidden values.
            return self.numbers(game, goal, position);
        }
        let net = self.evaluation.borrow().net();
        let accumulators = match self.above {
            Some((key, accumulators)) if key == above.key() => accumulators,
            _ => {
                let accumulators = net.accumulate(above);
                self.above = Some((above.key(), accumulators));
                accumulators
            }
        };
        self.of(game, goal, position, Some((&accumulators, above, mv)))
    }
}
