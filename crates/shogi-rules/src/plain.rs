//! Squares, moves and placements of any rule set, as the notations see them.
//!
//! A text is read and written by the same code for all rule sets, which takes these; a generic
//! function of a few lines turns them into the types of `shogi_core`, or makes them of those.

use alloc::vec;
use alloc::vec::Vec;

use shogi_core::{Colour, Face, Geometry, Hand, Move, Piece, Placement, RuleTable, Square};

/// A square of any board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnySquare {
    /// The file, counted from the right, from 1.
    pub(crate) file: u8,
    /// The rank, counted from the top, from 0.
    pub(crate) rank: u8,
}

impl AnySquare {
    #[inline]
    pub(crate) fn of<G: Geometry>(square: Square<G>) -> Self {
        Self { file: square.file(), rank: square.rank() }
    }

    /// The same square of a board; `None` outside it.
    #[inline]
    pub(crate) fn typed<G: Geometry>(self) -> Option<Square<G>> {
        Square::new(G::WIDTH.checked_sub(self.file)?, self.rank)
    }
}

/// A move of any rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnyMove {
    /// See [`Move::Board`].
    Board { from: AnySquare, to: AnySquare, turn: bool },
    /// See [`Move::Drop`].
    Drop { face: Face, to: AnySquare },
}

impl AnyMove {
    pub(crate) fn of<R: RuleTable>(mv: Move<R>) -> Self {
        match mv {
            Move::Board { from, to, turn } => {
                Self::Board { from: AnySquare::of(from), to: AnySquare::of(to), turn }
            }
            Move::Drop { face, to } => Self::Drop { face, to: AnySquare::of(to) },
        }
    }

    /// The same move of a rule set; `None` if its squares are not on the board.
    pub(crate) fn typed<R: RuleTable>(self) -> Option<Move<R>> {
        Some(match self {
            Self::Board { from, to, turn } => {
                Move::Board { from: from.typed()?, to: to.typed()?, turn }
            }
            Self::Drop { face, to } => Move::Drop { face, to: to.typed()? },
        })
    }
}

/// A placement of any rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnyPlacement {
    height: u8,
    /// File by file from the right, and from the top of each.
    pub(crate) squares: Vec<Option<Piece>>,
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Colour,
}

impl AnyPlacement {
    /// An empty board with so many files and ranks, Sente to move.
    pub(crate) fn empty(width: u8, height: u8) -> Self {
        let squares = vec![None; usize::from(width) * usize::from(height)];
        Self { height, squares, hands: [Hand::EMPTY; 2], side: Colour::Sente }
    }

    pub(crate) fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let mut any = Self::empty(R::Geometry::WIDTH, R::Geometry::HEIGHT);
        for square in Square::all() {
            *any.at(AnySquare::of(square)) = placement.piece(square);
        }
        any.hands = [placement.hand(Colour::Sente), placement.hand(Colour::Gote)];
        any.side = placement.side();
        any
    }

    /// The same placement of a rule set with such a board.
    pub(crate) fn typed<R: RuleTable>(&self) -> Placement<R> {
        let mut placement = Placement::EMPTY;
        for square in Square::all() {
            if let Some(piece) = self.piece(AnySquare::of(square)) {
                placement.put(square, piece);
            }
        }
        for colour in Colour::ALL {
            *placement.hand_mut(colour) = self.hands[colour.index()];
        }
        placement.set_side(self.side);
        placement
    }

    fn index(&self, square: AnySquare) -> usize {
        (usize::from(square.file) - 1) * usize::from(self.height) + usize::from(square.rank)
    }

    /// What stands on a square of the board.
    pub(crate) fn piece(&self, square: AnySquare) -> Option<Piece> {
        self.squares[self.index(square)]
    }

    /// The same, to be changed.
    pub(crate) fn at(&mut self, square: AnySquare) -> &mut Option<Piece> {
        let index = self.index(square);
        &mut self.squares[index]
    }
}
