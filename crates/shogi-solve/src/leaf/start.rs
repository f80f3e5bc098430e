//! The initial numbers of leaves of [`solve`](crate::solve).

use super::{Leaf, Mobility, Unit};
use crate::game::{GameGraph, Goal};

/// The initial numbers of a new leaf of a [`Solver`](crate::Solver).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StartLeaf {
    /// 1 and 1, [`Unit`].
    #[default]
    Unit,
    /// The number of moves, [`Mobility`]: fewer nodes for most values of 3x4 shogi, but each node takes longer.
    Mobility,
}

impl StartLeaf {
    /// Both kinds.
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
