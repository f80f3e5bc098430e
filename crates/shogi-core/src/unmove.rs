//! Unmove generation: every way in which a position can have come about.
//!
//! Taking back a move is not generation run backwards. A piece that now shows its back may have
//! turned over with the move or long before; an empty origin square says nothing of what was
//! captured on the target; a piece may have been dropped. And the position before must itself be
//! one of the game: the side to move now did not stand in check there, and what is put back obeys
//! nifu and the dead ranks.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::attack::attacks;
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::generate::turning;
use crate::moves::{Move, Unmove};
use crate::placement::{Piece, Placement};
use crate::table::{Face, Kind, Role, RuleTable};

impl<R: RuleTable> Placement<R> {
    /// Gives every unmove that leads to a legal position from which the move is legal, until
    /// `sink` breaks.
    ///
    /// The position itself must be legal ([`Placement::faults`] empty); otherwise no legal move
    /// leads to it and the result has no meaning.
    ///
    /// # Errors
    ///
    /// `Break` with what `sink` broke with.
    pub fn generate_unmoves<B>(
        &self,
        mut sink: impl FnMut(Unmove<R>, &Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.generate_unmade(|unmove| {
            let before = self.unmake(unmove);
            if before.could_precede(unmove, self) {
                sink(unmove, &before)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// The unmoves of [`Placement::generate_unmoves`] as a list.
    pub fn unmoves(&self) -> Vec<Unmove<R>> {
        let mut list = Vec::new();
        let _: ControlFlow<()> = self.generate_unmoves(|unmove, _| {
            list.push(unmove);
            ControlFlow::Continue(())
        });
        list
    }

    /// Unmoves that are right by the movement of the piece alone; what stands in the position
    /// before is not yet judged.
    fn generate_unmade<B>(
        &self,
        mut sink: impl FnMut(Unmove<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mover = !self.side();
        let occupied = self.occupied();
        let restorable = self.restorable(mover);
        for now in Face::all::<R>() {
            let spec = now.kind.spec::<R>();
            for to in self.face(now) & self.of(mover) {
                if spec.role != Role::Royal && (!now.promoted || R::DROP_EITHER_FACE) {
                    sink(Unmove { made: Move::Drop { face: now, to }, captured: None })?;
                }
                for turn in [false, true] {
                    let was = Face { promoted: now.promoted ^ turn, ..now };
                    let Some(movement) = was.movement::<R>() else { continue };
                    let origins = attacks(movement, !mover, to, occupied) - occupied;
                    for from in origins {
                        let target = Bitboard::of(to);
                        let (keep, turned) = turning::<R>(was, mover, from, target);
                        if (if turn { turned } else { keep }).is_empty() {
                            continue;
                        }
                        let made = Move::Board { from, to, turn };
                        sink(Unmove { made, captured: None })?;
                        for &captured in restorable.iter().flatten() {
                            sink(Unmove { made, captured: Some(captured) })?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The faces that can go back from a player's hand to the board as the opponent's.
    fn restorable(&self, mover: Colour) -> [Option<Face>; 2 * crate::MAX_KINDS] {
        let mut faces = [None; 2 * crate::MAX_KINDS];
        for kind in Kind::all::<R>().filter(|&kind| self.hand(mover).has(kind)) {
            for face in [Face::front(kind), Face::back(kind)] {
                if face.movement::<R>().is_some() {
                    faces[2 * kind.index() + usize::from(face.promoted)] = Some(face);
                }
            }
        }
        faces
    }

    /// The position before a move that led here.
    ///
    /// For an unmove that does not fit this position the result is some position, not a panic.
    #[inline]
    pub fn unmake(&self, unmove: Unmove<R>) -> Self {
        let mut before = *self;
        let mover = !self.side();
        match unmove.made {
            Move::Board { from, to, turn } => {
                if let Some(mut piece) = before.lift(to) {
                    piece.face.promoted ^= turn;
                    before.put(from, piece);
                }
                if let Some(face) = unmove.captured {
                    before.put(to, Piece { face, colour: !mover });
                    before.hand_mut(mover).take(face.kind);
                }
            }
            Move::Drop { face, to } => {
                before.lift(to);
                before.hand_mut(mover).add(face.kind);
            }
        }
        before.side = mover;
        before
    }

    /// Whether this position, got by taking back a move from the legal position `next`, is legal
    /// and the move legal in it.
    fn could_precede(&self, unmove: Unmove<R>, next: &Self) -> bool {
        let mover = self.side();
        // In check, the opponent would have lost the king already.
        if R::ROYAL_SAFETY && self.in_check(!mover) {
            return false;
        }
        match unmove.made {
            Move::Board { turn, .. } => {
                // Only what was turned back or put back can stand wrongly.
                if !turn && unmove.captured.is_none() {
                    return true;
                }
                !self.has_nifu() && !self.has_immobile()
            }
            Move::Drop { face, .. } => {
                let pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
                R::DROP_PAWN_MATE || !R::ROYAL_SAFETY || !pawn || !next.is_mate()
            }
        }
    }
}
