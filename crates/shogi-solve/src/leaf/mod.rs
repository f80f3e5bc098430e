//! Initial numbers: the proof and disproof number of a position that has not been searched.

#[cfg(feature = "eval")]
mod any;
#[cfg(feature = "eval")]
mod effort;
#[cfg(feature = "eval")]
mod learnt;
mod numbers;
mod start;

use crate::game::{GameGraph, Goal};

#[cfg(feature = "eval")]
pub use any::AnyLeaf;
#[cfg(feature = "eval")]
pub use effort::{Blend, Effort};
#[cfg(feature = "eval")]
pub use learnt::Learnt;
pub use numbers::{MAX_NUMBER, SCALE, SLOPE, effort_pn_dn, mean_pn_dn, pn_dn, pn_in_check};
pub use start::StartLeaf;

/// Gives a new leaf its initial numbers, a proof and a disproof number.
///
/// Any numbers from 1 to a few million are sound; better guesses of the effort shorten the search
/// (Nagai & Imai, "Application of df-pn+ to Othello endgames", 1999).
///
/// ```
/// use shogi_solve::df_pn::{DfPn, Options};
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, GameGraph, Goal, Leaf, Search};
///
/// /// Half as much is expected to be left where the prover is to move.
/// struct Hopeful;
///
/// impl<G: GameGraph> Leaf<G> for Hopeful {
///     fn numbers(&self, game: &G, goal: Goal, position: &G::Position) -> (u32, u32) {
///         if game.side(position) == goal.prover { (1, 2) } else { (2, 1) }
///     }
/// }
///
/// let game = Graph::parse("(L(DW)(WW))")?;
/// let mut search = DfPn::new(&game, Goal::win(Colour::Sente), Hopeful, Options::default());
/// let found = search.search(&game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Proved { plies: 2 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Leaf<G: GameGraph> {
    /// Whether the table keeps the numbers, since computing them again takes longer.
    #[inline]
    fn is_costly(&self) -> bool {
        false
    }

    /// Proof and disproof number of a position in which the game is not over. The disproof number is
    /// never 0; the proof number may be 0 if the prover is to move and reaches the goal with one move,
    /// which a leaf need not detect.
    fn numbers(&self, game: &G, goal: Goal, position: &G::Position) -> (u32, u32);

    /// The numbers of a position after a move from `above`, which must equal those of
    /// [`Leaf::numbers`]. A leaf that saves work by knowing `above` overrides this; it may cache
    /// results for the next move from there.
    #[inline]
    fn numbers_below(
        &mut self,
        game: &G,
        goal: Goal,
        _above: &G::Position,
        _mv: G::Move,
        position: &G::Position,
    ) -> (u32, u32) {
        self.numbers(game, goal, position)
    }
}

/// Proof and disproof number 1 for every leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unit;

impl<G: GameGraph> Leaf<G> for Unit {
    #[inline]
    fn numbers(&self, _: &G, _: Goal, _: &G::Position) -> (u32, u32) {
        (1, 1)
    }
}

/// The number of moves: the opponent must refute all of them, the player to move needs only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mobility;

impl<G: GameGraph> Leaf<G> for Mobility {
    fn numbers(&self, game: &G, goal: Goal, position: &G::Position) -> (u32, u32) {
        let count = game.count_moves(position).max(1) as u32;
        if game.side(position) == goal.prover { (1, count) } else { (count, 1) }
    }
}
