//! Drops: where a piece in hand may be dropped, with nifu, dead ranks and drop-pawn mate.

use core::ops::ControlFlow;

use crate::attack::{dead_squares, face_sources, step_attacks};
use crate::bitboard::Bitboard;
use crate::geometry::Geometry;
use crate::movement::{Slide, Step};
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
        let us = self.side;
        let hand = self.hand(us);
        if hand.is_empty() || targets.is_empty() {
            return ControlFlow::Continue(());
        }
        if const { R::RUNTIME } {
            return self.generate_drops_looked_up(targets, sink);
        }
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

    /// [`Placement::generate_drops`] for tables loaded at run time.
    #[inline(always)]
    fn generate_drops_looked_up<B>(
        &self,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        let held = self.hand(us).bits();
        for drop in &R::Geometry::lookup().drops {
            if held & drop.in_hand == 0 {
                continue;
            }
            let mut keep = targets - Bitboard::from_table(drop.dead[us.index()]);
            if drop.is_pawn {
                keep = self.pawn_drops(keep, drop.face);
            }
            if !keep.is_empty() {
                let (origin, turn) = (Origin::Hand, Bitboard::EMPTY);
                sink(Batch { origin, face: drop.face, colour: us, keep, turn })?;
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
            targets -= dead_squares::<R>(face, self.side);
        }
        if face.kind.spec::<R>().role == Role::Pawn && !face.promoted {
            targets = self.pawn_drops(targets, face);
        }
        targets
    }

    /// The target squares on which a pawn drop is neither nifu nor drop-pawn mate.
    #[inline]
    fn pawn_drops(&self, mut targets: Bitboard<R::Geometry>, pawn: Face) -> Bitboard<R::Geometry> {
        let us = self.side;
        if let Some(limit) = R::pawns_on_a_file() {
            targets -= full_files(self.pawns() & self.of(us), limit);
        }
        if !R::allows_drop_pawn_mate()
            && R::royal_safety()
            && let Some(king) = self.king(!us)
        {
            if const { R::RUNTIME || !pawns_step::<R>() } {
                return targets - self.mating_drops(targets, pawn, king);
            }
            // Only one square gives check: the one from which a pawn sees the king.
            let check = step_attacks(Step::Pawn, !us, king) & targets;
            if let Some(to) = check.first()
                && self.play_unchecked(Move::Drop { face: pawn, to }).has_no_move()
            {
                targets -= check;
            }
        }
        targets
    }

    /// The squares on which a dropped pawn gives mate, where pawns may move in any way.
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

/// Whether all pawns step straight ahead and do nothing else.
const fn pawns_step<R: RuleTable>() -> bool {
    let mut kind = 0;
    while kind < R::KINDS.len() {
        let spec = &R::KINDS[kind];
        let steps = matches!((spec.front.step, spec.front.slide), (Step::Pawn, Slide::None));
        if matches!(spec.role, Role::Pawn) && !steps {
            return false;
        }
        kind += 1;
    }
    true
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
