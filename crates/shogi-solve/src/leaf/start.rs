//! The numbers that a new leaf of [`solve`](crate::solve) starts with.

use super::{Leaf, Mobility, Unit};
use crate::game::{GameGraph, Goal};

/// How a [`Solver`](crate::Solver) starts a new leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StartLeaf {
    /// With 1 and 1, [`Unit`].
    #[default]
    Unit,
    /// With the number of moves, [`Mobility`]: fewer nodes to most values of 3x4 shogi, each of which takes longer.
    Mobility,
}

impl StartLeaf {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Unit, Self::Mobility];

    /// `unit` or `mobility`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Mobility => "mobility",
        }
    }
}

impl<G: GameGraph> Leaf<G> for StartLeaf {
    #[inline]
    fn numbers(&self, game: &G, goal: Goal, position: &G::Position) -> (u32, u32) {
        match self {
            Self::Unit => Unit.numbers(game, goal, position),
            Self::Mobility => Mobility.numbers(game, goal, position),
        }
    }
}
