//! Initial numbers from an evaluation.

use std::borrow::Borrow;

use shogi_core::Position;
use shogi_rules::{Rules, mate_in_one};

use super::numbers::{SCALE, SLOPE, pn_dn, pn_in_check};
use crate::game::{GameGraph, Goal, RulesGame};
use crate::leaf::Leaf;
use shogi_eval::Linear;

/// Initial numbers from an evaluation and from a search for a mate in one. `L` is a [`Linear`] or
/// a reference to one.
#[derive(Clone, Copy, Debug)]
pub struct Learnt<L> {
    linear: L,
    scale: f32,
    slope: f32,
}

impl<L> Learnt<L> {
    /// A leaf with the usual [`SCALE`] and [`SLOPE`].
    pub const fn new(linear: L) -> Self {
        Self::with_scale(linear, SCALE, SLOPE)
    }

    /// A leaf with another [scale and slope](crate::pn_dn).
    pub const fn with_scale(linear: L, scale: f32, slope: f32) -> Self {
        Self { linear, scale, slope }
    }
}

impl<R: Rules, L: Borrow<Linear<R>>> Leaf<RulesGame<R>> for Learnt<L> {
    fn is_costly(&self) -> bool {
        true
    }

    fn numbers(&self, game: &RulesGame<R>, goal: Goal, position: &Position<R>) -> (u32, u32) {
        let mover_wins = || self.linear.borrow().logit(position);
        if position.side() == goal.prover {
            return match mate_in_one(position) {
                Some(_) => (0, 1),
                None => pn_dn(mover_wins(), self.scale, self.slope),
            };
        }
        let (pn, dn) = pn_dn(-mover_wins(), self.scale, self.slope);
        if game.is_check(position) {
            (pn_in_check(pn, position.count_moves() as u32), dn)
        } else {
            (pn, dn)
        }
    }
}
