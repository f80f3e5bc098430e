//! The board as a player sees it: own side below, own king on the left half or the middle file.

use std::marker::PhantomData;

use shogi_core::{Colour, Geometry, RuleTable, Square};

/// The view of a player whose king stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct View<R: RuleTable> {
    pub(crate) player: Colour,
    mirrored: bool,
    /// The king's square in this view: on the left half or the middle file, so that its number is
    /// below [`View::KINGS`].
    pub(crate) king: usize,
    rules: PhantomData<R>,
}

impl<R: RuleTable> View<R> {
    /// Squares of the king, mirror images folded.
    pub(crate) const KINGS: usize =
        R::Geometry::WIDTH.div_ceil(2) as usize * R::Geometry::HEIGHT as usize;

    #[inline(always)]
    pub(crate) fn new(player: Colour, king: Square<R::Geometry>) -> Self {
        let seen = own_side(king, player);
        let mirrored = 2 * seen.column() >= R::Geometry::WIDTH + R::Geometry::WIDTH % 2;
        let king = if mirrored { seen.mirror() } else { seen };
        Self { player, mirrored, king: king.index(), rules: PhantomData }
    }

    /// The number of a square in this view.
    #[inline(always)]
    pub(crate) fn square(&self, square: Square<R::Geometry>) -> usize {
        let seen = own_side(square, self.player);
        (if self.mirrored { seen.mirror() } else { seen }).index()
    }

    /// 0 for the player who sees, 1 for the opponent.
    #[inline(always)]
    pub(crate) fn owner(&self, colour: Colour) -> usize {
        usize::from(colour != self.player)
    }
}

/// A square from the side of a player.
#[inline(always)]
pub(crate) fn own_side<G: Geometry>(square: Square<G>, player: Colour) -> Square<G> {
    match player {
        Colour::Sente => square,
        // Turning the board reverses the numbers of the squares.
        Colour::Gote => square.rotate(),
    }
}
