//! A position as the index reads it: the content of each square as a small number.

use shogi_core::{Colour, Face, Move, Unmove};

use crate::world::World;

/// The number of squares of the largest board that an index is made for.
pub const MAX_SQUARES: usize = 32;

/// Number of the empty square.
pub(crate) const EMPTY: u8 = 0;
/// Number of the first kind's front in Sente's hands on the board. A piece has the number
/// `FIRST + 4 * kind + 2 * promoted + colour`, with the kinds of the set counted from 0.
pub(crate) const FIRST: u8 = 4;
/// The bit in the number of a piece that says which face is up.
pub(crate) const TURN: u8 = 2;

/// Pieces by square, and the hands.
///
/// The player to move is not stored: the index reads a board as it is or with the players
/// exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The numbers of the pieces, those of the kings left out.
    pub(crate) contents: [u8; MAX_SQUARES],
    /// The squares with a piece, those of the kings left out.
    pub(crate) occupied: u32,
    /// Squares of the kings.
    pub(crate) kings: [u8; 2],
    /// The hands as stocks; see [`Stocks`](crate::stocks::Stocks).
    pub(crate) hands: [u16; 2],
}

/// The numbers of pieces and stocks for a set.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    /// By kind, the number of its front for Sente; 0 for kinds that are not in the set.
    pub(crate) fronts: [u8; shogi_core::MAX_KINDS],
    /// By the number of a piece, the amount that one such piece adds to a stock.
    pub(crate) units: [u16; 64],
}

impl Codes {
    /// The number of a player's piece with a face up, of a kind that is in the set.
    #[inline]
    pub(crate) fn of(&self, face: Face, colour: Colour) -> u8 {
        self.fronts[face.kind.index()] + TURN * u8::from(face.promoted) + colour.index() as u8
    }
}

impl Board {
    pub(crate) const EMPTY: Self =
        Self { contents: [EMPTY; MAX_SQUARES], occupied: 0, kings: [0; 2], hands: [0; 2] };

    #[inline]
    pub(crate) fn lift(&mut self, square: usize) -> u8 {
        self.occupied &= !(1 << square);
        std::mem::replace(&mut self.contents[square], EMPTY)
    }

    #[inline]
    pub(crate) fn put(&mut self, square: usize, code: u8) {
        self.occupied |= 1 << square;
        self.contents[square] = code;
    }

    /// The board after a move of `mover`.
    #[inline]
    pub(crate) fn play<R: World>(&self, mv: Move<R>, mover: Colour, codes: &Codes) -> Self {
        let mut next = *self;
        let us = mover.index();
        match mv {
            Move::Board { from, to, turn } => {
                let (from, to) = (from.index(), to.index());
                let captured = next.lift(to);
                next.hands[us] += codes.units[usize::from(captured)];
                if usize::from(self.kings[us]) == from {
                    next.kings[us] = to as u8;
                } else {
                    let code = next.lift(from);
                    next.put(to, if turn { code ^ TURN } else { code });
                }
            }
            Move::Drop { face, to } => {
                let code = codes.of(face, mover);
                next.hands[us] -= codes.units[usize::from(code)];
                next.put(to.index(), code);
            }
        }
        next
    }

    /// Takes a move of `mover` back.
    ///
    /// In place, since reading a whole board waits for the bytes written last: a copy of the result
    /// took a quarter of a build.
    #[inline]
    pub(crate) fn take_back<R: World>(&mut self, unmove: Unmove<R>, mover: Colour, codes: &Codes) {
        let us = mover.index();
        match unmove.mv {
            Move::Board { from, to, turn } => {
                let (from, to) = (from.index(), to.index());
                if usize::from(self.kings[us]) == to {
                    self.kings[us] = from as u8;
                } else {
                    let code = self.lift(to);
                    self.put(from, if turn { code ^ TURN } else { code });
                }
                if let Some(face) = unmove.captured {
                    let code = codes.of(face, !mover);
                    self.hands[us] -= codes.units[usize::from(code)];
                    self.put(to, code);
                }
            }
            Move::Drop { to, .. } => {
                let code = self.lift(to.index());
                self.hands[us] += codes.units[usize::from(code)];
            }
        }
    }

    /// Restores the original, from which the board differs by a move.
    #[inline]
    pub(crate) fn restore<R: World>(&mut self, original: &Self, mv: Move<R>) {
        if let Move::Board { from, .. } = mv {
            self.contents[from.index()] = original.contents[from.index()];
        }
        let to = mv.to().index();
        self.contents[to] = original.contents[to];
        (self.occupied, self.kings, self.hands) =
            (original.occupied, original.kings, original.hands);
    }
}
