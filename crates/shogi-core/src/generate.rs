//! Legal move generation, in batches by closure.

use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::MoveList;
use crate::attack::{attacks, between, step_attacks};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::movement::Step;
use crate::moves::{Batch, Move, Origin};
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, Kind, Promotion, Role, RuleTable};

impl<R: RuleTable> Placement<R> {
    /// Gives every legal move once, in batches, until `sink` breaks.
    ///
    /// The position must be one that can be played on: side not to move not in check (see
    /// [`Placement::faults`]). A missing king is allowed, its owner then has no checks to answer.
    ///
    /// # Errors
    ///
    /// `Break` with what `sink` broke with.
    #[inline]
    pub fn generate<B>(&self, mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>) -> ControlFlow<B> {
        let us = self.side;
        let (own, occupied) = (self.of(us), self.occupied());
        let mut evasion = Bitboard::ALL;
        let mut pins = Pins::<R::Geometry>::default();
        if R::ROYAL_SAFETY {
            if let Some(king) = self.king(us) {
                let checkers = self.attackers(king, !us, occupied);
                self.generate_king(king, &mut sink)?;
                if checkers.has_many() {
                    return ControlFlow::Continue(());
                }
                if let Some(checker) = checkers.first() {
                    evasion = between(king, checker) | checkers;
                }
                pins = self.pins(king, us);
            }
        }
        for kind in Kind::all::<R>() {
            if R::ROYAL_SAFETY && kind.spec::<R>().role == Role::Royal {
                continue;
            }
            for face in [Face::front(kind), Face::back(kind)] {
                let Some(movement) = face.movement::<R>() else { continue };
                for from in self.face(face) & own {
                    let mut targets = (attacks(movement, us, from, occupied) - own) & evasion;
                    if pins.pinned.contains(from) {
                        targets &= pins.line(from);
                    }
                    let (keep, turn) = turning::<R>(face, us, from, targets);
                    let batch = Batch { origin: Origin::Board(from), face, keep, turn };
                    if !batch.is_empty() {
                        sink(batch)?;
                    }
                }
            }
        }
        self.generate_drops(evasion - occupied, &mut sink)
    }

    /// Moves of the king to squares where it is not attacked.
    #[inline]
    fn generate_king<B>(
        &self,
        king: Square<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        // Sliders see through the square that the king leaves.
        let occupied = self.occupied() - Bitboard::of(king);
        let face = Face::front(self.kind_at(king));
        let Some(movement) = face.movement::<R>() else { return ControlFlow::Continue(()) };
        let mut keep = Bitboard::EMPTY;
        for to in attacks(movement, us, king, occupied) - self.of(us) {
            // A captured piece need not be taken off first: it does not attack its own square.
            if !self.attacked(to, !us, occupied) {
                keep.insert(to);
            }
        }
        if keep.is_empty() {
            return ControlFlow::Continue(());
        }
        sink(Batch { origin: Origin::Board(king), face, keep, turn: Bitboard::EMPTY })
    }

    /// Own pieces that alone stand between the king and an enemy slider.
    #[inline]
    fn pins(&self, king: Square<R::Geometry>, us: Colour) -> Pins<R::Geometry> {
        let mut pins = Pins::default();
        for sniper in self.snipers(king, !us) {
            let line = between(king, sniper);
            let blockers = line & self.occupied();
            if !blockers.has_many() && blockers.meets(self.of(us)) {
                pins.pinned |= blockers;
                let line = line | Bitboard::of(sniper);
                // At most one sniper pins on each of eight rays, so there is room.
                let _ = pins.lines.try_push(line);
            }
        }
        pins
    }

    /// Drops on the given empty squares.
    #[inline]
    fn generate_drops<B>(
        &self,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        let hand = self.hand(us);
        if hand.is_empty() || targets.is_empty() {
            return ControlFlow::Continue(());
        }
        for kind in Kind::all::<R>() {
            if !hand.has(kind) || kind.spec::<R>().role == Role::Royal {
                continue;
            }
            for face in [Face::front(kind), Face::back(kind)] {
                let Some(movement) = face.movement::<R>() else { continue };
                if face.promoted && !R::DROP_EITHER_FACE {
                    continue;
                }
                let mut keep = targets;
                if !R::IMMOBILE {
                    keep -= Self::dead_squares(movement, us);
                }
                if kind.spec::<R>().role == Role::Pawn && !face.promoted {
                    keep = self.pawn_drops(keep, face);
                }
                if !keep.is_empty() {
                    sink(Batch { origin: Origin::Hand, face, keep, turn: Bitboard::EMPTY })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Of the target squares those where a pawn drop is neither nifu nor drop-pawn mate.
    #[inline]
    fn pawn_drops(&self, mut targets: Bitboard<R::Geometry>, pawn: Face) -> Bitboard<R::Geometry> {
        let us = self.side;
        if !R::NIFU {
            targets -= fill_files(self.pawns() & self.of(us));
        }
        if !R::DROP_PAWN_MATE && R::ROYAL_SAFETY {
            if let Some(king) = self.king(!us) {
                // Only one square gives check: the one from which a pawn sees the king.
                let check = step_attacks(Step::Pawn, !us, king) & targets;
                if let Some(to) = check.first() {
                    if self.after(Move::Drop { face: pawn, to }).has_no_move() {
                        targets -= check;
                    }
                }
            }
        }
        targets
    }

    /// Whether the player to move has no legal move.
    #[inline]
    pub fn has_no_move(&self) -> bool {
        self.generate(|_| ControlFlow::Break(())).is_continue()
    }

    /// Whether the player to move is in check and has no legal move.
    pub fn is_mate(&self) -> bool {
        self.in_check(self.side) && self.has_no_move()
    }

    /// Number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        let _: ControlFlow<()> = self.generate(|batch| {
            count += u64::from(batch.len());
            ControlFlow::Continue(())
        });
        count
    }

    /// The legal moves as a list, in the order of generation.
    pub fn legal_moves(&self) -> MoveList<R> {
        let mut list = MoveList::new();
        let _: ControlFlow<()> = self.generate(|batch| {
            list.extend(batch.moves());
            ControlFlow::Continue(())
        });
        list
    }

    /// Whether a move is legal here. Costs one generation.
    pub fn is_legal(&self, wanted: Move<R>) -> bool {
        self.generate(|batch| {
            let found = batch.moves().any(|m| m == wanted);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .is_break()
    }

    /// The position after a legal move.
    ///
    /// For a move that is not legal here the result is some position, not a panic; see
    /// [`Placement::is_legal`].
    #[inline]
    pub fn after(&self, made: Move<R>) -> Self {
        let mut next = *self;
        let us = self.side;
        match made {
            Move::Board { from, to, turn } => {
                if let Some(captured) = next.lift(to) {
                    next.hand_mut(us).add(captured.face.kind);
                }
                next.relocate(from, to, turn);
            }
            Move::Drop { face, to } => {
                next.put(to, Piece { face, colour: us });
                next.hand_mut(us).take(face.kind);
            }
        }
        next.side = !us;
        next
    }
}

/// The pinned pieces and the lines they may move on.
#[derive(Default)]
struct Pins<G: Geometry> {
    pinned: Bitboard<G>,
    lines: ArrayVec<Bitboard<G>, 8>,
}

impl<G: Geometry> Pins<G> {
    #[inline]
    fn line(&self, from: Square<G>) -> Bitboard<G> {
        self.lines.iter().copied().find(|line| line.contains(from)).unwrap_or(Bitboard::ALL)
    }
}

/// Splits the targets of a piece into those where it may keep its face and those where it may
/// turn over.
#[inline]
pub(crate) fn turning<R: RuleTable>(
    face: Face,
    colour: Colour,
    from: Square<R::Geometry>,
    targets: Bitboard<R::Geometry>,
) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
    let (mut keep, mut turn) = allowed::<R>(face, colour, from, targets);
    if !R::IMMOBILE {
        let dead = |face: Face| {
            face.movement::<R>()
                .map_or(Bitboard::EMPTY, |m| Placement::<R>::dead_squares(m, colour))
        };
        keep -= dead(face);
        turn -= dead(Face { promoted: !face.promoted, ..face });
    }
    (keep, turn)
}

/// Likewise by the promotion rule alone.
#[inline]
fn allowed<R: RuleTable>(
    face: Face,
    colour: Colour,
    from: Square<R::Geometry>,
    targets: Bitboard<R::Geometry>,
) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
    if face.kind.spec::<R>().back.is_none() {
        return (targets, Bitboard::EMPTY);
    }
    if R::PROMOTION == Promotion::EveryMove {
        return (Bitboard::EMPTY, targets);
    }
    if face.promoted {
        return (targets, Bitboard::EMPTY);
    }
    let zone = crate::attack::camp(colour, R::ZONE);
    let turn = if zone.contains(from) { targets } else { targets & zone };
    let keep = if R::PROMOTION == Promotion::Forced { targets - turn } else { targets };
    (keep, turn)
}

/// All squares of the files that the given squares stand on.
#[inline]
pub(crate) fn fill_files<G: Geometry>(squares: Bitboard<G>) -> Bitboard<G> {
    let mut files = Bitboard::EMPTY;
    let mut rest = squares;
    while let Some(square) = rest.pop() {
        let file = Bitboard::file(square);
        files |= file;
        rest -= file;
    }
    files
}
