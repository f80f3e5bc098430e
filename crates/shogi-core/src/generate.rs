//! Legal move generation, in batches by closure.

use core::ops::ControlFlow;

use crate::MoveList;
use crate::attack::{between, face_moves, quiet_sources};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::movement::Movement;
use crate::moves::{Batch, Move, Origin};
use crate::placement::Placement;
use crate::square::Square;
use crate::table::{Face, RuleTable, Turning};

impl<R: RuleTable> Placement<R> {
    /// Passes every legal move to `sink` once, in batches, until `sink` breaks.
    ///
    /// The player who is not to move must not be in check (see [`Placement::faults`]). A king may be missing;
    /// its owner is then never in check.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `sink` broke with.
    #[inline]
    pub fn generate<B>(&self, mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>) -> ControlFlow<B> {
        if R::must_capture() {
            return self.generate_captures_first(sink);
        }
        if R::royal_safety()
            && let Some(king) = self.king(self.side)
        {
            self.generate_king(king, &mut sink)?;
        }
        self.generate_others(|_, squares| squares, true, sink)
    }

    /// Passes the legal moves on the board, without drops, to `sink`, as [`Placement::generate`] does, but only those to
    /// squares that `narrow` keeps of the ones that it is given for a face. It judges each square by itself and adds none.
    /// Cheaper than to generate all moves and leave some out.
    ///
    /// # Errors
    ///
    /// `Break` with the value that `sink` broke with.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use shogi_rules::{Minishogi, parse_position};
    ///
    /// let position = parse_position::<Minishogi>("rbsgk/P4/5/4p/KGSBR b - 1")?;
    /// let enemies = position.of(!position.side());
    /// let mut captures = Vec::new();
    /// let _: ControlFlow<()> = position.generate_on_board(
    ///     |_face, squares| squares & enemies,
    ///     |batch| {
    ///         captures.extend(batch.moves());
    ///         ControlFlow::Continue(())
    ///     },
    /// );
    /// let mut found: Vec<String> = captures.iter().map(ToString::to_string).collect();
    /// found.sort();
    /// assert_eq!(found, ["1e1d", "2e1d", "5b5a+"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn generate_on_board<B>(
        &self,
        narrow: impl Fn(Face, Bitboard<R::Geometry>) -> Bitboard<R::Geometry>,
        mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if R::must_capture() {
            return self.generate_captures_first(|mut batch| {
                batch.keep &= narrow(batch.face, batch.keep);
                batch.turn &= narrow(batch.face, batch.turn);
                match batch.is_empty() || batch.origin == Origin::Hand {
                    true => ControlFlow::Continue(()),
                    false => sink(batch),
                }
            });
        }
        if R::royal_safety()
            && let Some(king) = self.king(self.side)
        {
            let face = self.royal_face(king);
            let keep = match R::forbids_facing_kings() {
                true => narrow(face, R::king_targets(self, king)),
                false => self.known_king_targets(king, |squares| narrow(face, squares)),
            };
            self.sink_king((king, face), keep, &mut sink)?;
        }
        self.generate_others(narrow, false, sink)
    }

    /// [`Placement::generate`] into any closure, for callers whose work outweighs an indirect call for each batch.
    ///
    /// # Errors
    ///
    /// `Break` if `sink` broke.
    pub fn generate_dyn(
        &self,
        sink: &mut dyn FnMut(Batch<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if R::must_capture() {
            return self.generate_captures_first(sink);
        }
        self.generate_all_dyn(sink)
    }

    /// All moves that would be legal if no capture were a duty.
    fn generate_all_dyn(
        &self,
        sink: &mut dyn FnMut(Batch<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if R::royal_safety()
            && let Some(king) = self.king(self.side)
        {
            self.generate_king(king, sink)?;
        }
        self.generate_others_dyn(sink)
    }

    /// The captures if there are any, and else all moves.
    #[cold]
    fn generate_captures_first<B>(
        &self,
        mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let enemies = self.of(!self.side);
        let targets = if self.has_capture() { enemies } else { Bitboard::all() };
        let mut found = ControlFlow::Continue(());
        let _ = self.generate_all_dyn(&mut |mut batch| {
            batch.keep &= targets;
            batch.turn &= targets;
            if !batch.is_empty() {
                found = sink(batch);
            }
            if found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// Whether a capture is legal.
    pub(crate) fn has_capture(&self) -> bool {
        let enemies = self.of(!self.side);
        let captures = |batch: Batch<R>| match (batch.keep | batch.turn).meets(enemies) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.generate_all_dyn(&mut { captures }).is_break()
    }

    /// [`Placement::generate_others`] into any closure.
    // A call costs nothing compared with the work.
    #[inline(never)]
    pub(crate) fn generate_others_dyn(
        &self,
        sink: &mut dyn FnMut(Batch<R>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.generate_others(|_, squares| squares, true, sink)
    }

    /// The moves of all pieces but a king that must not be left in check, to the squares that `narrow` keeps, and, if
    /// `drops`, all drops.
    #[inline(always)]
    fn generate_others<B>(
        &self,
        narrow: impl Fn(Face, Bitboard<R::Geometry>) -> Bitboard<R::Geometry>,
        drops: bool,
        mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        let (own, occupied) = (self.of(us), self.occupied());
        let mut evasion = Bitboard::all();
        let mut pins = Pins::default();
        let king = if R::royal_safety() { self.king(us) } else { None };
        if let Some(king) = king {
            pins = self.pins(king, us);
            if pins.checkers.has_many() {
                return ControlFlow::Continue(());
            }
            if let Some(checker) = pins.checkers.first() {
                evasion = self.interposing_squares(king, checker) | pins.checkers;
            }
        }
        let free = own - pins.pinned;
        let targets = evasion - own;
        crate::for_each_face!(R, |face, movement| {
            self.generate_pieces(face, movement, free, narrow(face, targets), &mut sink)?;
        });
        if let Some(king) = king {
            for pinner in pins.pinners {
                let line = between(king, pinner) | Bitboard::of(pinner);
                let Some(from) = (line & pins.pinned).first() else { continue };
                // It has one square; this form shows that to the compiler.
                let pinned = Bitboard::of(from);
                let face = self.face_on(from);
                let targets = narrow(face, (evasion & line) - own);
                self.generate_face(face, pinned, targets, &mut sink)?;
            }
        }
        if !drops {
            return ControlFlow::Continue(());
        }
        self.generate_drops(evasion - occupied, &mut sink)
    }

    /// Moves of the given pieces that show `face`, unless it is a king that must be safe.
    #[inline(always)]
    fn generate_pieces<B>(
        &self,
        face: Face,
        movement: Movement,
        pieces: Bitboard<R::Geometry>,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if R::royal() == Some(face.kind) && R::royal_safety() {
            return ControlFlow::Continue(());
        }
        let pieces = self.face(face) & pieces;
        if R::steps_ahead((face, movement)) {
            self.generate_pawns(face, pieces, targets, sink)
        } else {
            self.generate_face(face, pieces, targets, sink)
        }
    }

    /// Moves of the given pieces, which all show `face`, to the given squares.
    #[inline(always)]
    fn generate_face<B>(
        &self,
        face: Face,
        pieces: Bitboard<R::Geometry>,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(movement) = face.movement::<R>() else { return ControlFlow::Continue(()) };
        for from in pieces {
            let batch = self.batch(face, movement, from, targets);
            if !batch.is_empty() {
                sink(batch)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Moves of a piece to the given squares.
    #[inline(always)]
    fn batch(
        &self,
        face: Face,
        movement: Movement,
        from: Square<R::Geometry>,
        targets: Bitboard<R::Geometry>,
    ) -> Batch<R> {
        let colour = self.side;
        let enemies = self.of(!colour);
        let reached = face_moves::<R>((face, movement), colour, from, self.occupied(), enemies);
        let targets = reached & targets;
        let (keep, turn) = turning::<R>(face, colour, from, targets, enemies);
        Batch { origin: Origin::Board(from), face, colour, keep, turn }
    }

    /// Moves of the given pawns to the given squares, all in one batch.
    #[inline(always)]
    fn generate_pawns<B>(
        &self,
        face: Face,
        pawns: Bitboard<R::Geometry>,
        targets: Bitboard<R::Geometry>,
        sink: &mut impl FnMut(Batch<R>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        let targets = pawns.forward(us) & targets;
        if targets.is_empty() {
            return ControlFlow::Continue(());
        }
        // A pawn that starts in the zone also ends there.
        let in_zone = targets & R::zone_squares(us);
        let (keep, turn) = split_targets::<R>(face, us, targets, in_zone, self.of(!us));
        if keep.is_empty() && turn.is_empty() {
            return ControlFlow::Continue(());
        }
        sink(Batch { origin: Origin::Behind, face, colour: us, keep, turn })
    }

    /// Moves of the king to squares where it is not attacked.
    #[inline(always)]
    pub(crate) fn generate_king<B>(
        &self,
        king: Square<R::Geometry>,
        sink: &mut (impl FnMut(Batch<R>) -> ControlFlow<B> + ?Sized),
    ) -> ControlFlow<B> {
        let face = self.royal_face(king);
        self.sink_king((king, face), R::king_targets(self, king), sink)
    }

    #[inline(always)]
    fn sink_king<B>(
        &self,
        (king, face): (Square<R::Geometry>, Face),
        keep: Bitboard<R::Geometry>,
        sink: &mut (impl FnMut(Batch<R>) -> ControlFlow<B> + ?Sized),
    ) -> ControlFlow<B> {
        if keep.is_empty() {
            return ControlFlow::Continue(());
        }
        let (colour, turn) = (self.side, Bitboard::EMPTY);
        sink(Batch { origin: Origin::Board(king), face, colour, keep, turn })
    }

    /// The squares, of those that `narrow` keeps, where the king can go without being attacked there, tested one by one.
    #[inline]
    pub(crate) fn known_king_targets(
        &self,
        king: Square<R::Geometry>,
        narrow: impl Fn(Bitboard<R::Geometry>) -> Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let mut targets = Bitboard::EMPTY;
        let _: ControlFlow<()> = self.visit_king_targets(king, narrow, |to| {
            targets.insert(to);
            ControlFlow::Continue(())
        });
        targets
    }

    /// Visits these squares, until `visit` breaks.
    #[inline(always)]
    fn visit_king_targets<B>(
        &self,
        king: Square<R::Geometry>,
        narrow: impl Fn(Bitboard<R::Geometry>) -> Bitboard<R::Geometry>,
        mut visit: impl FnMut(Square<R::Geometry>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = self.side;
        // Sliders see through the square that the king leaves.
        let occupied = self.occupied() - Bitboard::of(king);
        let face = self.royal_face(king);
        let Some(movement) = face.movement::<R>() else { return ControlFlow::Continue(()) };
        let reached =
            face_moves::<R>((face, movement), us, king, occupied, self.of(!us)) - self.of(us);
        for to in narrow(reached - R::dead_ends_of_king(us)) {
            // A captured piece need not be taken off first: it does not attack its own square.
            if !self.attacked(to, !us, occupied) {
                visit(to)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The pieces that give check, and own pieces that alone stand between the king and an enemy slider.
    #[inline(always)]
    fn pins(&self, king: Square<R::Geometry>, us: Colour) -> Pins<R::Geometry> {
        let mut pins = Pins { checkers: R::leapers(self, king, !us), ..Pins::default() };
        for sniper in self.snipers(king, !us) {
            let blockers = between(king, sniper) & self.occupied();
            if blockers.is_empty() {
                pins.checkers.insert(sniper);
            } else if !blockers.has_many() && blockers.meets(self.of(us)) {
                pins.pinned |= blockers;
                pins.pinners.insert(sniper);
            }
        }
        pins
    }

    /// Whether the player to move has no legal move.
    #[inline]
    pub fn has_no_move(&self) -> bool {
        if R::royal_safety()
            && let Some(king) = self.king(self.side)
        {
            let can_step = match R::forbids_facing_kings() {
                true => !R::king_targets(self, king).is_empty(),
                // Mostly one of the first squares is enough, and the others need no check.
                false => self
                    .visit_king_targets(king, |squares| squares, |_| ControlFlow::Break(()))
                    .is_break(),
            };
            if can_step {
                return false;
            }
        }
        self.generate_others_dyn(&mut |_| ControlFlow::Break(())).is_continue()
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
        // The closure never breaks.
        let _ = self.generate_dyn(&mut |batch| {
            for mv in batch.moves() {
                list.push(mv);
            }
            ControlFlow::Continue(())
        });
        list
    }

    /// The pieces of `by` that move or capture so that they come to a square, if it is empty or the other
    /// player's: [`Placement::attackers`], unless pieces move otherwise than they capture.
    pub fn movers(&self, to: Square<R::Geometry>, by: Colour) -> Bitboard<R::Geometry> {
        let occupied = self.occupied();
        if !R::has_kind_rules() || occupied.contains(to) {
            return self.attackers(to, by, occupied);
        }
        let mut set = Bitboard::EMPTY;
        crate::for_each_face!(R, |face, movement| {
            set |= quiet_sources::<R>((face, movement), by, to, occupied) & self.face(face);
        });
        set & self.of(by)
    }

    /// Whether a move is legal here. Costs the generation of the moves to its target, for a drop that of all moves.
    pub fn is_legal(&self, wanted: Move<R>) -> bool {
        let mut find = |batch: Batch<R>| match batch.contains(wanted) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let found = match wanted {
            Move::Drop { .. } => self.generate_dyn(&mut find),
            Move::Board { to, .. } => {
                let target = Bitboard::of(to);
                self.generate_on_board(|_, squares| squares & target, find)
            }
        };
        found.is_break()
    }
}

/// The pieces that give check, the pinned pieces and those that pin them.
#[derive(Default)]
struct Pins<G: Geometry> {
    checkers: Bitboard<G>,
    pinned: Bitboard<G>,
    pinners: Bitboard<G>,
}

/// Splits the targets of a piece into those where it may keep its face and those where it may
/// turn over; on some of them it captures an enemy.
#[inline(always)]
pub(crate) fn turning<R: RuleTable>(
    face: Face,
    colour: Colour,
    from: Square<R::Geometry>,
    targets: Bitboard<R::Geometry>,
    enemies: Bitboard<R::Geometry>,
) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
    let zone = R::zone_squares(colour);
    let in_zone = if zone.contains(from) { targets } else { targets & zone };
    split_targets::<R>(face, colour, targets, in_zone, enemies)
}

/// As above; the caller gives the targets on which the zone allows turning.
#[inline(always)]
fn split_targets<R: RuleTable>(
    face: Face,
    colour: Colour,
    targets: Bitboard<R::Geometry>,
    in_zone: Bitboard<R::Geometry>,
    enemies: Bitboard<R::Geometry>,
) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
    let (mut keep, mut turn) = match R::turning(face) {
        Turning::Never => (targets, Bitboard::EMPTY),
        Turning::InZone => (targets, in_zone),
        Turning::InZoneAlways => (targets - in_zone, in_zone),
        Turning::Always => (Bitboard::EMPTY, targets),
        Turning::OnCapture => (targets - enemies, targets & enemies),
    };
    if !R::allows_immobile() {
        keep -= R::dead_squares(face, colour);
        if !turn.is_empty() {
            turn -= R::dead_squares(Face { promoted: !face.promoted, ..face }, colour);
        }
    }
    (keep, turn)
}
