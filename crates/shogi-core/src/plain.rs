//! Squares, moves and placements of any rule set, as the notations see them.
//!
//! One reader and one writer for all rule sets work with these types; generic functions of a few lines
//! convert to and from the typed ones.

use alloc::vec;
use alloc::vec::Vec;

use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::hand::Hand;
use crate::moves::Move;
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, Kind, RuleTable};

/// A square of any board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnySquare {
    /// The file, counted from the right, from 1.
    pub file: u8,
    /// The rank, counted from the top, from 0.
    pub rank: u8,
}

impl AnySquare {
    #[inline]
    pub fn of<G: Geometry>(square: Square<G>) -> Self {
        Self { file: square.file(), rank: square.rank() }
    }

    /// This square on board `G`; `None` outside it.
    #[inline]
    pub fn typed<G: Geometry>(self) -> Option<Square<G>> {
        Square::new(G::width().checked_sub(self.file)?, self.rank)
    }
}

/// A move of any rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyMove {
    /// See [`Move::Board`].
    Board { from: AnySquare, to: AnySquare, turn: bool },
    /// See [`Move::Drop`].
    Drop { face: Face, to: AnySquare },
}

impl AnyMove {
    /// The target square.
    pub const fn to(self) -> AnySquare {
        match self {
            Self::Board { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    pub fn of<R: RuleTable>(mv: Move<R>) -> Self {
        match mv {
            Move::Board { from, to, turn } => {
                Self::Board { from: AnySquare::of(from), to: AnySquare::of(to), turn }
            }
            Move::Drop { face, to } => Self::Drop { face, to: AnySquare::of(to) },
        }
    }

    /// This move in rule set `R`; `None` if its squares are not on the board.
    pub fn typed<R: RuleTable>(self) -> Option<Move<R>> {
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
pub struct AnyPlacement {
    height: u8,
    /// File by file from the right, each from the top.
    pub squares: Vec<Option<Piece>>,
    pub hands: [Hand; 2],
    pub side: Colour,
}

impl AnyPlacement {
    /// An empty board of this size, Sente to move.
    pub fn empty(width: u8, height: u8) -> Self {
        let squares = vec![None; usize::from(width) * usize::from(height)];
        Self { height, squares, hands: [Hand::EMPTY; 2], side: Colour::Sente }
    }

    pub fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let mut any = Self::empty(R::Geometry::width(), R::Geometry::height());
        for square in Square::all() {
            *any.at(AnySquare::of(square)) = placement.piece(square);
        }
        any.hands = [placement.hand(Colour::Sente), placement.hand(Colour::Gote)];
        any.side = placement.side();
        any
    }

    /// This placement in rule set `R`, whose board must have the same size.
    pub fn typed<R: RuleTable>(&self) -> Placement<R> {
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

    /// Number of pieces of a kind on the board.
    pub fn on_board(&self, kind: Kind) -> usize {
        self.squares.iter().flatten().filter(|piece| piece.face.kind == kind).count()
    }

    fn index(&self, square: AnySquare) -> usize {
        (usize::from(square.file) - 1) * usize::from(self.height) + usize::from(square.rank)
    }

    /// The piece on a square of the board, if any.
    pub fn piece(&self, square: AnySquare) -> Option<Piece> {
        self.squares[self.index(square)]
    }

    /// The content of a square, mutable.
    pub fn at(&mut self, square: AnySquare) -> &mut Option<Piece> {
        let index = self.index(square);
        &mut self.squares[index]
    }
}
