//! Making a move.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, RuleTable};
use crate::violations::IllegalMove;

impl<R: RuleTable> Placement<R> {
    /// The position after a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal here; the error has the rules that it breaks.
    pub fn play(&self, mv: Move<R>) -> Result<Self, IllegalMove<R>> {
        self.check_move(mv)?;
        Ok(self.play_unchecked(mv))
    }

    /// The position after a move that is known to be legal here, such as one of
    /// [`Placement::legal_moves`].
    ///
    /// For any other move the result is a meaningless position, not a panic; [`Placement::play`]
    /// refuses such a move.
    #[inline]
    pub fn play_unchecked(&self, mv: Move<R>) -> Self {
        let mut next = *self;
        next.make_with(self.moving_face(mv), mv, |_, _| {});
        next
    }

    /// The face of the piece that a legal move moves or drops.
    #[inline(always)]
    pub(crate) fn moving_face(&self, mv: Move<R>) -> Face {
        match mv {
            Move::Board { from, .. } => self.face_on(from),
            Move::Drop { face, .. } => face,
        }
    }

    /// Makes a legal move of a piece that shows `face`, and calls `changed` for every piece that
    /// leaves or comes to a square.
    #[inline(always)]
    pub(crate) fn make_with(
        &mut self,
        face: Face,
        mv: Move<R>,
        mut changed: impl FnMut(Square<R::Geometry>, Piece),
    ) {
        let us = self.side;
        self.side = !us;
        let mut piece = Piece { face, colour: us };
        match mv {
            Move::Board { from, to, turn } => {
                let (left, reached) = (Bitboard::of(from), Bitboard::of(to));
                if self.of(!us).meets(reached) {
                    let face = self.face_on(to);
                    changed(to, Piece { face, colour: !us });
                    self.kinds[face.kind.index()] ^= reached;
                    self.colours[(!us).index()] ^= reached;
                    self.promoted -= reached;
                    self.hand_mut(us).add(face.kind);
                }
                changed(from, piece);
                self.kinds[face.kind.index()] ^= left | reached;
                self.colours[us.index()] ^= left | reached;
                if piece.face.promoted {
                    self.promoted ^= left;
                }
                piece.face.promoted ^= turn;
                if piece.face.promoted {
                    self.promoted ^= reached;
                }
                changed(to, piece);
            }
            Move::Drop { face, to } => {
                changed(to, piece);
                self.put(to, piece);
                self.hand_mut(us).take(face.kind);
            }
        }
    }
}
