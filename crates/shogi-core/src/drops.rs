//! Drops: where a piece in hand may be dropped, with nifu, dead ranks and drop-pawn mate.

use core::ops::ControlFlow;

use crate::attack::face_sources;
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::moves::{Batch, Move, Origin};
use crate::placement::Placement;
use crate::square::Square;
use crate::table::{Face, Kind, Role, RuleTable};

impl<R: RuleTable> Placement<R> {
    /// Drops on the given empty squares.
    #[inline]
    pub(crate) fn generate_drops<B>(
        &self,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.hand(self.side).is_empty() || targets.is_empty() {
            return ControlFlow::Continue(());
        }
        R::generate_drops(self, targets, sink)
    }

    /// The drops by the constants of the rule table.
    #[inline(always)]
    pub(crate) fn generate_known_drops<B>(
        &self,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (us, hand) = (self.side, self.hand(self.side));
        for kind in Kind::all::<R>() {
            if !hand.has(kind) {
                continue;
            }
            for promoted in [false, true] {
                let face = Face { kind, promoted };
                if !face.is_droppable::<R>() {
                    continue;
                }
                let keep = self.drop_targets(targets, face);
                if !keep.is_empty() {
                    let (origin, turn) = (Origin::Hand, Bitboard::EMPTY);
                    sink(Batch { origin, face, colour: us, keep, turn })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The empty squares on which a piece with this face may be dropped.
    #[inline(always)]
    fn drop_targets(
        &self,
        mut targets: Bitboard<R::Geometry>,
        face: Face,
    ) -> Bitboard<R::Geometry> {
        if !R::allows_immobile_drops() {
            targets -= R::dead_squares(face, self.side);
        }
        if face.kind.spec::<R>().role == Role::Pawn && !face.promoted {
            targets = self.pawn_drops(targets, face);
        }
        targets
    }

    /// The target squares on which a pawn drop is neither nifu nor drop-pawn mate.
    #[inline]
    pub(crate) fn pawn_drops(
        &self,
        mut targets: Bitboard<R::Geometry>,
        pawn: Face,
    ) -> Bitboard<R::Geometry> {
        let us = self.side;
        if let Some(limit) = R::pawns_on_a_file() {
            targets -= full_files(self.pawns() & self.of(us), limit);
        }
        if !R::allows_drop_pawn_mate()
            && R::royal_safety()
            && let Some(king) = self.king(!us)
        {
            targets -= self.mating_drops(targets, pawn, king);
        }
        targets
    }

    /// The squares on which a dropped pawn gives mate.
    fn mating_drops(
        &self,
        targets: Bitboard<R::Geometry>,
        pawn: Face,
        king: Square<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let Some(movement) = pawn.movement::<R>() else { return Bitboard::EMPTY };
        let seen = face_sources::<R>((pawn, movement), self.side, king, self.occupied());
        let mut mating = Bitboard::EMPTY;
        for to in seen & targets {
            if self.play_unchecked(Move::Drop { face: pawn, to }).has_no_move() {
                mating.insert(to);
            }
        }
        mating
    }
}

/// All squares of the files on which at least `limit` of the given squares lie.
#[inline(always)]
fn full_files<G: Geometry>(squares: Bitboard<G>, limit: u8) -> Bitboard<G> {
    if limit == 1 {
        return fill_files(squares);
    }
    let mut files = Bitboard::EMPTY;
    for square in squares {
        let file = Bitboard::file(square);
        if (file & squares).len() >= limit.into() {
            files |= file;
        }
    }
    files
}

/// All squares of the files that the given squares stand on.
#[inline]
fn fill_files<G: Geometry>(squares: Bitboard<G>) -> Bitboard<G> {
    let mut files = Bitboard::EMPTY;
    let mut rest = squares;
    while let Some(square) = rest.pop() {
        let file = Bitboard::file(square);
        files |= file;
        rest -= file;
    }
    files
}
