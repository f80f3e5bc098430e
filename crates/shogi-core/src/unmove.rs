//! Unmove generation: every way in which a position can have arisen.
//!
//! Taking back a move is not generation run backwards. A piece that shows its back may have turned over with
//! the move or long before; an empty origin square does not reveal what was captured on the target; a piece
//! may have been dropped. And the position before must itself be legal: the side that is to move now was not
//! in check there, and a piece that is put back obeys nifu and the dead ranks.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::attack::{face_sources, quiet_sources};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::generate::turning;
use crate::geometry::Geometry;
use crate::moves::{Move, Unmove};
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, MAX_KINDS, Promotion, Role, RuleTable};

/// An unmove that [`Placement::unmake`] refuses, because the position cannot have arisen by its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no legal move {unmove} leads to {placement}")]
pub struct IllegalUnmove<R: RuleTable> {
    /// The unmove.
    pub unmove: Unmove<R>,
    /// The position it was to be taken back in.
    pub placement: Placement<R>,
}

/// Faces that an unmove can put back on the board.
type Restorable = ArrayVec<Face, { 2 * MAX_KINDS }>;

/// The checks on the side to move, each with the squares between checker and king.
///
/// Before the last move there was no check. So each checker has just moved or been dropped, or it slides and
/// the moved piece has left its line. Only one piece moves, and it leaves one square, which lies on one
/// line: three checks cannot arise, and two only if one checker left the line of the other.
enum Checks<G: Geometry> {
    None,
    One(Square<G>, Bitboard<G>),
    Two([Square<G>; 2], [Bitboard<G>; 2]),
    TooMany,
}

impl<G: Geometry> Checks<G> {
    /// The mover's pieces that can have moved last.
    #[inline]
    fn movers(&self, pieces: Bitboard<G>) -> Bitboard<G> {
        match *self {
            Self::None => pieces,
            Self::One(checker, line) if line.is_empty() => Bitboard::of(checker),
            Self::One(..) => pieces,
            Self::Two([a, b], [line_a, line_b]) => {
                let mut movers = Bitboard::EMPTY;
                if !line_b.is_empty() {
                    movers.insert(a);
                }
                if !line_a.is_empty() {
                    movers.insert(b);
                }
                movers
            }
            Self::TooMany => Bitboard::EMPTY,
        }
    }

    /// Whether the piece on `to` can have been dropped, and where it can have come from.
    #[inline]
    fn origins(&self, to: Square<G>) -> (bool, Bitboard<G>) {
        match *self {
            Self::None => (true, Bitboard::all()),
            Self::One(checker, _) if to == checker => (true, Bitboard::all()),
            Self::One(_, line) => (false, line),
            Self::Two([a, b], [line_a, line_b]) => {
                let line = if to == a {
                    line_b
                } else if to == b {
                    line_a
                } else {
                    Bitboard::EMPTY
                };
                (false, line)
            }
            Self::TooMany => (false, Bitboard::EMPTY),
        }
    }
}

impl<R: RuleTable> Placement<R> {
    /// Passes to `sink` every unmove that leads to a legal position in which the move is legal, with that
    /// position, until `sink` breaks.
    ///
    /// The position itself must be legal ([`Placement::faults`] empty); otherwise no legal move
    /// leads to it and the result has no meaning.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `sink` broke with.
    pub fn generate_unmoves<B>(
        &self,
        sink: impl FnMut(Unmove<R>, &Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.generate_legal_unmoves(self.restorable(!self.side()), sink)
    }

    /// Like [`Placement::generate_unmoves`], without the unmoves that put a captured piece back.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `sink` broke with.
    pub fn generate_quiet_unmoves<B>(
        &self,
        sink: impl FnMut(Unmove<R>, &Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.generate_legal_unmoves(Restorable::new(), sink)
    }

    /// Passes to `sink` every unmove that fits the movement of the piece and accounts for the checks on the
    /// side to move, until `sink` breaks. The position before it ([`Placement::unmake_unchecked`]) may be
    /// illegal, and the move a drop-pawn mate: for callers that check legality by other means, such as a
    /// table of all legal positions.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `sink` broke with.
    #[inline]
    pub fn generate_pseudo_unmoves<B>(
        &self,
        mut sink: impl FnMut(Unmove<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut found = ControlFlow::Continue(());
        let _ = self.generate_unmade(&self.restorable(!self.side()), &mut |unmove| {
            found = sink(unmove);
            if found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
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

    /// The unmoves of [`Placement::generate_unmoves`] with the positions before the moves, as a list.
    pub fn predecessors(&self) -> Vec<(Unmove<R>, Self)> {
        self.list_predecessors(self.restorable(!self.side()))
    }

    /// The unmoves of [`Placement::generate_quiet_unmoves`] with the positions before the moves, as a list.
    pub fn quiet_predecessors(&self) -> Vec<(Unmove<R>, Self)> {
        self.list_predecessors(Restorable::new())
    }

    fn list_predecessors(&self, restorable: Restorable) -> Vec<(Unmove<R>, Self)> {
        let mut list = Vec::new();
        let _: ControlFlow<()> = self.generate_legal_unmoves(restorable, |unmove, before| {
            list.push((unmove, *before));
            ControlFlow::Continue(())
        });
        list
    }

    fn generate_legal_unmoves<B>(
        &self,
        restorable: Restorable,
        mut sink: impl FnMut(Unmove<R>, &Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut found = ControlFlow::Continue(());
        let _ = self.generate_unmade(&restorable, &mut |unmove| {
            if let Some(before) = self.before(unmove) {
                found = sink(unmove, &before);
            }
            if found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// The position before an unmove of [`Placement::generate_unmade`], if it is legal and the move legal in
    /// it.
    fn before(&self, unmove: Unmove<R>) -> Option<Self> {
        let before = self.unmake_unchecked(unmove);
        before.could_precede(unmove, self).then_some(before)
    }

    /// Unmoves that fit the movement of the piece and account for the checks; the position before is not yet
    /// judged. Compiled once for a rule table.
    fn generate_unmade(
        &self,
        restorable: &Restorable,
        sink: &mut dyn FnMut(Unmove<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = !self.side();
        let occupied = self.occupied();
        let unlike = R::has_kind_rules();
        let checks = self.checks();
        let movers = checks.movers(self.of(mover));
        if movers.is_empty() {
            return ControlFlow::Continue(());
        }
        for now in Face::all::<R>() {
            for to in self.face(now) & movers {
                let (drop, allowed) = checks.origins(to);
                if drop && now.is_droppable::<R>() && self.may_be_dropped(now, to) {
                    sink(Unmove { mv: Move::Drop { face: now, to }, captured: None })?;
                }
                if allowed.is_empty() {
                    continue;
                }
                for turn in [false, true] {
                    let was = Face { promoted: now.promoted ^ turn, ..now };
                    let Some(movement) = was.movement::<R>() else { continue };
                    let moving = (was, movement);
                    let capturing = face_sources::<R>(moving, mover, to, occupied);
                    let quietly = match unlike {
                        true => quiet_sources::<R>(moving, mover, to, occupied),
                        false => capturing,
                    };
                    let origins = ((capturing | quietly) - occupied) & allowed;
                    for from in origins {
                        let target = Bitboard::of(to);
                        let (keep, turned) =
                            turning::<R>(was, mover, from, target, Bitboard::EMPTY);
                        let quiet = !(if turn { turned } else { keep }).is_empty();
                        let mut captures = quiet;
                        if R::promotion() == Promotion::OnCapture {
                            let (keep, turned) = turning::<R>(was, mover, from, target, target);
                            captures = !(if turn { turned } else { keep }).is_empty();
                        }
                        let mv = Move::Board { from, to, turn };
                        if quiet && (!unlike || quietly.contains(from)) {
                            sink(Unmove { mv, captured: None })?;
                        }
                        if captures && (!unlike || capturing.contains(from)) {
                            for &captured in restorable {
                                sink(Unmove { mv, captured: Some(captured) })?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a piece that stands here may have been dropped here, if it may have moved here.
    #[inline(always)]
    fn may_be_dropped(&self, face: Face, to: Square<R::Geometry>) -> bool {
        if !R::allows_drop(face, !self.side(), to) {
            return false;
        }
        !R::allows_immobile()
            || R::allows_immobile_drops()
            || !R::dead_squares(face, !self.side()).contains(to)
    }

    /// The checks on the side to move, which the last move must account for.
    fn checks(&self) -> Checks<R::Geometry> {
        let king = if R::royal_safety() { self.king(self.side()) } else { None };
        let Some(king) = king else { return Checks::None };
        let mut checkers = self.attackers(king, !self.side(), self.occupied());
        match (checkers.pop(), checkers.pop(), checkers.is_empty()) {
            (None, ..) => Checks::None,
            (Some(a), None, _) => Checks::One(a, self.interposing_squares(king, a)),
            (Some(a), Some(b), true) => {
                Checks::Two([a, b], [a, b].map(|checker| self.interposing_squares(king, checker)))
            }
            _ => Checks::TooMany,
        }
    }

    /// The faces that can go back from a player's hand to the board as the opponent's.
    #[inline]
    fn restorable(&self, mover: Colour) -> Restorable {
        let mut restorable = Restorable::new();
        for face in Face::all::<R>() {
            if self.hand(mover).has(face.kind) {
                restorable.push(face);
            }
        }
        restorable
    }

    /// The position before a move that led here. Costs one generation of unmoves.
    ///
    /// # Errors
    ///
    /// If the unmove is not one of [`Placement::unmoves`].
    ///
    /// ```
    /// use shogi_rules::shogi_core::Unmove;
    /// use shogi_rules::{Minishogi, Rules};
    /// let start = Minishogi::start();
    /// let next = start.play("5d5c".parse()?)?;
    /// let unmove = |usi: &str| usi.parse().map(|mv| Unmove { mv, captured: None });
    /// assert_eq!(next.unmake(unmove("5d5c")?), Ok(*start.placement()));
    /// assert_eq!(
    ///     next.unmake(unmove("4d5c")?).unwrap_err().to_string(),
    ///     "no legal move 4d5c leads to rbsgk/4p/P4/5/KGSBR w - 1",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmake(&self, unmove: Unmove<R>) -> Result<Self, IllegalUnmove<R>> {
        let found = self.generate_unmoves(|one, before| match one == unmove {
            true => ControlFlow::Break(*before),
            false => ControlFlow::Continue(()),
        });
        found.break_value().ok_or(IllegalUnmove { unmove, placement: *self })
    }

    /// The position before a move that is known to have led here, such as one of
    /// [`Placement::unmoves`].
    ///
    /// For any other unmove the result is a meaningless position, not a panic; [`Placement::unmake`] refuses
    /// such an unmove.
    #[inline]
    pub fn unmake_unchecked(&self, unmove: Unmove<R>) -> Self {
        let mut before = *self;
        let mover = !self.side();
        match unmove.mv {
            Move::Board { from, to, turn } => {
                before.relocate(to, from, turn);
                if let Some(face) = unmove.captured {
                    before.put(to, Piece { face, colour: !mover });
                    before.hand_mut(mover).take(face.kind);
                }
            }
            Move::Drop { face, to } => {
                before.clear(to);
                before.hand_mut(mover).add(face.kind);
            }
        }
        before.side = mover;
        before
    }

    /// Whether this position, which results from taking back a move in the legal position `next`, is legal
    /// and the move legal in it.
    fn could_precede(&self, unmove: Unmove<R>, next: &Self) -> bool {
        let mover = self.side();
        // With the opponent in check here, the king would already have been lost.
        if R::royal_safety() && self.in_check(!mover) || R::is_over(self) {
            return false;
        }
        if R::must_capture() && unmove.captured.is_none() && self.has_capture() {
            return false;
        }
        match unmove.mv {
            Move::Board { turn, .. } => {
                // Only a piece turned back or put back can stand on a wrong square.
                if !turn && unmove.captured.is_none() {
                    return true;
                }
                !self.has_nifu() && !self.has_immobile() && !self.has_outsider()
            }
            Move::Drop { face, .. } => {
                let pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
                R::allows_drop_pawn_mate() || !R::royal_safety() || !pawn || !next.is_mate()
            }
        }
    }
}
