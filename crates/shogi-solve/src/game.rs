//! The interface between searches and games.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use shogi_rules::shogi_core::{Colour, Hand, Move, Position};
use shogi_rules::{Rules, Verdict};

/// A game of two players with perfect information, for proof searches.
///
/// The first player is called Sente and the second Gote; they take turns. A game has finitely many
/// positions, may run in cycles, and may reach a position in many ways. The search, and not the game,
/// defines the value of a repetition.
///
/// ```
/// use shogi_solve::{GameGraph, Verdict};
/// use shogi_solve::shogi_core::Colour;
///
/// /// Takes one or two from a heap; who cannot take has lost.
/// struct Heap;
///
/// impl GameGraph for Heap {
///     type Position = (u32, Colour);
///     type Move = u32;
///
///     fn side(&self, &(_, side): &(u32, Colour)) -> Colour {
///         side
///     }
///     fn verdict(&self, &(heap, _): &(u32, Colour)) -> Option<Verdict> {
///         (heap == 0).then_some(Verdict::Loss)
///     }
///     fn moves(&self, &(heap, _): &(u32, Colour), moves: &mut Vec<u32>) {
///         moves.extend((1..=2).filter(|&taken| taken <= heap));
///     }
///     fn play(&self, &(heap, side): &(u32, Colour), taken: u32) -> (u32, Colour) {
///         (heap - taken, !side)
///     }
///     fn key(&self, &(heap, side): &(u32, Colour)) -> u64 {
///         u64::from(heap) << 1 | side.index() as u64
///     }
/// }
///
/// let answer = shogi_solve::solve(&Heap, &(7, Colour::Sente), &shogi_solve::Options::default());
/// assert_eq!(answer.value, Some(Verdict::Win));
/// ```
pub trait GameGraph {
    /// A position: everything that decides how the game may continue.
    type Position: Clone + Debug;
    /// A move in a given position.
    type Move: Copy + PartialEq + Debug;

    /// The player to move.
    fn side(&self, position: &Self::Position) -> Colour;

    /// The result for the player to move if the game is over here. Without moves it is over.
    fn verdict(&self, position: &Self::Position) -> Option<Verdict>;

    /// Appends the moves, always in the same order. Called only if the game is not over.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Sorts moves of one position into the order of files, which never changes; by default the order
    /// of [`GameGraph::moves`].
    fn sort_for_files(&self, _moves: &mut [Self::Move]) {}

    /// The position after a move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Visits each move with the position after it, in the order of [`GameGraph::moves`].
    fn children(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Move, Self::Position),
    ) {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        for mv in moves {
            visit(mv, self.play(position, mv));
        }
    }

    /// Number of moves. Called only if the game is not over.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.len()
    }

    /// A key that distinguishes positions, the player to move included.
    fn key(&self, position: &Self::Position) -> u64;

    /// The parts of a position for comparisons: a key of everything except the pieces in hand, and
    /// Sente's hand. Two positions with equal parts must be equal.
    ///
    /// By default the key has everything and the hand is empty.
    fn parts(&self, position: &Self::Position) -> Parts {
        Parts { board: self.key(position), hand: 0 }
    }

    /// Whether, on the same board and with the same player to move, Sente is never worse off with
    /// the first hand than with the second, and Gote never better.
    ///
    /// By default only equal hands.
    fn dominates(&self, hand: u32, other: u32) -> bool {
        hand == other
    }

    /// Whether a player, on the same board and with the same player to move, is never worse off with
    /// the first of Sente's hands than with the second.
    fn dominates_for(&self, player: Colour, hand: u32, other: u32) -> bool {
        match player {
            Colour::Sente => self.dominates(hand, other),
            Colour::Gote => self.dominates(other, hand),
        }
    }

    /// Whether the player to move is in check.
    fn is_check(&self, _position: &Self::Position) -> bool {
        false
    }
}

/// See [`GameGraph::parts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parts {
    /// A key of everything except the hands.
    pub board: u64,
    /// Sente's hand.
    pub hand: u32,
}

/// The goal of a proof: a player can force a good enough end of the game, whatever the opponent does,
/// where every repetition is a failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// The player who must force it.
    pub prover: Colour,
    /// Whether a drawn end is good enough, besides a won one.
    pub draw_suffices: bool,
}

impl Goal {
    /// The goal that this player wins.
    pub const fn win(prover: Colour) -> Self {
        Self { prover, draw_suffices: false }
    }

    /// Whether an end of the game with this result for `side` is good enough.
    pub fn is_reached(self, verdict: Verdict, side: Colour) -> bool {
        match verdict {
            Verdict::Win => side == self.prover,
            Verdict::Loss => side != self.prover,
            Verdict::Draw => self.draw_suffices,
        }
    }
}

/// A rule set of the family as a [`GameGraph`], with hands that dominate.
///
/// Pieces do not leave the game, so the board and Sente's hand determine Gote's. More in one's own hand
/// and less in the opponent's never hurts: every line of play stays available, and the opponent has no
/// new replies. (Whether a mating pawn drop is forbidden does not depend on the hands, since such a
/// check cannot be interposed.)
pub struct RulesGame<R>(PhantomData<R>);

impl<R> RulesGame<R> {
    /// Makes the game.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R> Default for RulesGame<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> GameGraph for RulesGame<R> {
    type Position = Position<R>;
    type Move = Move<R>;

    #[inline]
    fn side(&self, position: &Position<R>) -> Colour {
        position.side()
    }

    #[inline]
    fn verdict(&self, position: &Position<R>) -> Option<Verdict> {
        R::verdict(position)
    }

    #[inline]
    fn moves(&self, position: &Position<R>, moves: &mut Vec<Move<R>>) {
        // The closure never breaks.
        let _ = position.generate_dyn(&mut |batch| {
            moves.extend(batch.moves());
            ControlFlow::Continue(())
        });
    }

    fn sort_for_files(&self, moves: &mut [Move<R>]) {
        Move::sort(moves);
    }

    #[inline]
    fn play(&self, position: &Position<R>, mv: Move<R>) -> Position<R> {
        position.play_unchecked(mv)
    }

    #[inline]
    fn children(&self, position: &Position<R>, mut visit: impl FnMut(Move<R>, Position<R>)) {
        // The closure never breaks.
        let _ = position.generate_dyn(&mut |batch| {
            position.play_batch(batch, |mv, next| {
                visit(mv, *next);
                ControlFlow::Continue(())
            })
        });
    }

    #[inline]
    fn count_moves(&self, position: &Position<R>) -> usize {
        position.placement().count_moves() as usize
    }

    #[inline]
    fn key(&self, position: &Position<R>) -> u64 {
        position.key()
    }

    #[inline]
    fn parts(&self, position: &Position<R>) -> Parts {
        Parts { board: position.board_key(), hand: position.hand(Colour::Sente).bits() }
    }

    #[inline]
    fn dominates(&self, hand: u32, other: u32) -> bool {
        Hand::from_bits(hand).dominates(Hand::from_bits(other))
    }

    #[inline]
    fn is_check(&self, position: &Position<R>) -> bool {
        position.is_check()
    }
}
