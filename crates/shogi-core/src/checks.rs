//! The moves that give check.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::attack::{between, face_sources};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::movement::Movement;
use crate::moves::{Batch, Move, Origin};
use crate::placement::Placement;
use crate::square::Square;
use crate::table::{Face, RuleTable};

/// Passes the legal moves that attack the opponent's royal piece to `sink` in batches, until `sink` breaks.
/// Where a royal piece can be captured, its capture counts as one of them.
///
/// There are none if the opponent has no royal piece.
///
/// # Errors
///
/// `Break` with the value that `sink` broke with.
#[inline]
pub fn generate_checks<R: RuleTable, B>(
    position: &Placement<R>,
    mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let us = position.side();
    let Some(king) = position.king(!us) else { return ControlFlow::Continue(()) };
    // Where a capture is a duty, moves have to be compared with all others first.
    if !R::royal_safety() || R::must_capture() {
        return generate_attacks(position, sink);
    }
    let lines = Lines::new(position, Some(king));
    let mut found = ControlFlow::Continue(());
    let mut keep_checks = |batch: Batch<R>| {
        let batch = lines.checks_of(batch);
        if !batch.is_empty() {
            found = sink(batch);
        }
        if found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // A king gives check only by uncovering one, unless it can attack a king that cannot attack it.
    let by_king = match position.king(us) {
        Some(own) if lines.screens.pieces.contains(own) || R::has_kind_rules() => {
            position.generate_king(own, &mut keep_checks)
        }
        _ => ControlFlow::Continue(()),
    };
    if by_king.is_continue() {
        let _ = position.generate_others_dyn(&mut keep_checks);
    }
    found
}

/// [`generate_checks`] into any closure: see [`Placement::generate_dyn`].
///
/// # Errors
///
/// `Break` if `sink` broke.
pub fn generate_checks_dyn<R: RuleTable>(
    position: &Placement<R>,
    sink: &mut dyn FnMut(Batch<R>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    generate_checks(position, sink)
}

/// [`generate_checks`] by trying each move: a royal piece that can be captured may already be attacked with the
/// attacker to move, so that any move of another piece leaves it so.
fn generate_attacks<R: RuleTable, B>(
    position: &Placement<R>,
    mut sink: impl FnMut(Batch<R>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let them = !position.side();
    let mut found = ControlFlow::Continue(());
    let _ = position.generate_dyn(&mut |mut batch| {
        let mut kept = [Bitboard::EMPTY; 2];
        for mv in batch.moves() {
            let next = position.play_unchecked(mv);
            if next.king(them).is_none() || next.in_check(them) {
                let turns = matches!(mv, Move::Board { turn: true, .. });
                kept[usize::from(turns)].insert(mv.to());
            }
        }
        [batch.keep, batch.turn] = kept;
        if !batch.is_empty() {
            found = sink(batch);
        }
        if found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// Whether the player to move can give check.
pub fn has_check<R: RuleTable>(position: &Placement<R>) -> bool {
    generate_checks_dyn(position, &mut |_| ControlFlow::Break(())).is_break()
}

/// The moves of [`generate_checks`] as a list, in the order of generation.
pub fn checks<R: RuleTable>(position: &Placement<R>) -> Vec<Move<R>> {
    let mut list = Vec::new();
    // The closure never breaks.
    let _ = generate_checks_dyn(position, &mut |batch| {
        for mv in batch.moves() {
            list.push(mv);
        }
        ControlFlow::Continue(())
    });
    list
}

/// Where pieces give check in a position: tests many moves for check without making them.
///
/// ```
/// use shogi_core::{CheckSquares, Position, RuleTable};
///
/// /// The legal moves that give no check.
/// fn quiet_moves<R: RuleTable>(position: &Position<R>) -> usize {
///     let squares = CheckSquares::new(position);
///     position.legal_moves().iter().filter(|&&mv| !squares.gives_check(position, mv)).count()
/// }
/// ```
pub struct CheckSquares<R: RuleTable>(Lines<R>);

impl<R: RuleTable> CheckSquares<R> {
    /// The checks that the player to move can give.
    #[inline]
    pub fn new(position: &Placement<R>) -> Self {
        Self(Lines::new(position, position.king(!position.side()).filter(|_| R::royal_safety())))
    }

    /// The moves that give check of a batch of legal moves of the position that `self` was built from. `None` where royal
    /// pieces may be left attacked: there a move must be made to see it, as [`CheckSquares::gives_check`] does.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use shogi_core::CheckSquares;
    /// use shogi_rules::{Minishogi, parse_position};
    ///
    /// let position = parse_position::<Minishogi>("4k/5/3R1/5/K4 b G 1")?;
    /// let squares = CheckSquares::new(&position);
    /// let mut checks = Vec::new();
    /// let _: ControlFlow<()> = position.generate(|batch| {
    ///     checks.extend(squares.checks_of(batch).iter().flat_map(|checks| checks.moves()));
    ///     ControlFlow::Continue(())
    /// });
    /// let mut checks: Vec<String> = checks.iter().map(ToString::to_string).collect();
    /// checks.sort();
    /// assert_eq!(checks, ["2c1c", "2c2a", "2c2a+", "G*1b", "G*2a", "G*2b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn checks_of(&self, batch: Batch<R>) -> Option<Batch<R>> {
        R::royal_safety().then(|| self.0.checks_of(batch))
    }

    /// Whether a legal move of the position that `self` was built from gives check.
    // Called for every move of a search: in Kyoto shogi a call of its own costs the player half a per cent of its instructions.
    #[inline(always)]
    pub fn gives_check(&self, position: &Placement<R>, mv: Move<R>) -> bool {
        if !R::royal_safety() {
            // A royal piece that was attacked before may still be.
            let next = position.play_unchecked(mv);
            return next.in_check(next.side());
        }
        let Lines { target, screens } = &self.0;
        match mv {
            Move::Drop { face, to } => target.seen(face).contains(to),
            Move::Board { from, to, turn } => {
                let face = position.moving_face(mv);
                let shown = Face { promoted: face.promoted ^ turn, ..face };
                target.seen_from(shown, from).contains(to)
                    || screens.uncovered_from(from).contains(to)
            }
        }
    }
}

/// The ways to attack a royal piece; none if there is no such piece.
struct Lines<R: RuleTable> {
    target: Target<R>,
    screens: Screens<R>,
}

impl<R: RuleTable> Lines<R> {
    /// All parts are filled in where they lie, since copies of them would take as long as finding them.
    #[inline(always)]
    fn new(position: &Placement<R>, king: Option<Square<R::Geometry>>) -> Self {
        let mut lines = Self { target: Target::none(position, king), screens: Screens::none(king) };
        if let Some(king) = king {
            crate::for_each_face!(R, |face, movement| {
                lines.target.see((face, movement), king);
            });
            lines.screens.find(position, king);
        }
        lines
    }

    /// The moves of a batch that give check.
    #[inline(always)]
    fn checks_of(&self, mut batch: Batch<R>) -> Batch<R> {
        let Self { target, screens } = self;
        let turned = Face { promoted: !batch.face.promoted, ..batch.face };
        match batch.origin {
            Origin::Board(from) => {
                let uncovered = screens.uncovered_from(from);
                batch.keep &= target.seen_from(batch.face, from) | uncovered;
                if !batch.turn.is_empty() {
                    batch.turn &= target.seen_from(turned, from) | uncovered;
                }
            }
            Origin::Behind => {
                let us = target.us;
                let uncovered = screens.uncovered_from_behind(us);
                // A slider never sees through a pawn as the piece that the pawn turns into, except in Kyoto
                // shogi, where pawns move one by one below.
                batch.keep &= target.seen(batch.face) | uncovered;
                if !batch.turn.is_empty() {
                    let mut turn = batch.turn & uncovered;
                    for to in batch.turn - uncovered {
                        if target.seen_from(turned, to.behind(us)).contains(to) {
                            turn.insert(to);
                        }
                    }
                    batch.turn = turn;
                }
            }
            Origin::Hand => batch.keep &= target.seen(batch.face),
        }
        batch
    }
}

/// The royal piece that is to be attacked.
struct Target<R: RuleTable> {
    king: Option<Square<R::Geometry>>,
    us: Colour,
    occupied: Bitboard<R::Geometry>,
    /// Where each face gives check.
    seen: [Bitboard<R::Geometry>; Face::MAX],
    /// The first occupied squares on the lines from the king: a slider sees it from behind such a
    /// square once the piece there has left it.
    nearest: Bitboard<R::Geometry>,
}

impl<R: RuleTable> Target<R> {
    /// A target that no face sees yet.
    #[inline(always)]
    fn none(position: &Placement<R>, king: Option<Square<R::Geometry>>) -> Self {
        let (us, occupied) = (position.side(), position.occupied());
        let seen = [Bitboard::EMPTY; Face::MAX];
        Self { king, us, occupied, seen, nearest: Bitboard::EMPTY }
    }

    /// Adds where a face gives check.
    #[inline(always)]
    fn see(&mut self, (face, movement): (Face, Movement), king: Square<R::Geometry>) {
        let [leaps, along_lines] = R::sources((face, movement), self.us, king, self.occupied);
        self.seen[face.index()] = leaps | along_lines;
        self.nearest |= along_lines & self.occupied;
    }

    /// Where a piece with this face gives check.
    #[inline(always)]
    fn seen(&self, face: Face) -> Bitboard<R::Geometry> {
        self.seen[face.index()]
    }

    /// Where a piece with this face gives check once it has left `from`.
    #[inline(always)]
    fn seen_from(&self, face: Face, from: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        match (face.movement::<R>(), self.king) {
            (Some(movement), Some(king)) if self.nearest.contains(from) => {
                let occupied = self.occupied - Bitboard::of(from);
                face_sources::<R>((face, movement), self.us, king, occupied)
            }
            _ => self.seen(face),
        }
    }
}

/// Own pieces that alone stand between an own slider and the royal piece.
struct Screens<R: RuleTable> {
    king: Option<Square<R::Geometry>>,
    pieces: Bitboard<R::Geometry>,
    sliders: Bitboard<R::Geometry>,
}

impl<R: RuleTable> Screens<R> {
    /// No screens yet.
    #[inline(always)]
    const fn none(king: Option<Square<R::Geometry>>) -> Self {
        Self { king, pieces: Bitboard::EMPTY, sliders: Bitboard::EMPTY }
    }

    /// Adds the screens of a position.
    #[inline]
    fn find(&mut self, position: &Placement<R>, king: Square<R::Geometry>) {
        let (us, occupied) = (position.side(), position.occupied());
        for sniper in position.snipers(king, us) {
            let blockers = between(king, sniper) & occupied;
            if !blockers.has_many() && blockers.meets(position.of(us)) {
                self.pieces |= blockers;
                self.sliders.insert(sniper);
            }
        }
    }

    /// The squares between the royal piece and a slider.
    #[inline(always)]
    fn line(&self, slider: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        self.king.map_or(Bitboard::EMPTY, |king| between(king, slider))
    }

    /// Where the piece on this square uncovers a check by going there.
    #[inline(always)]
    fn uncovered_from(&self, from: Square<R::Geometry>) -> Bitboard<R::Geometry> {
        if !self.pieces.contains(from) {
            return Bitboard::EMPTY;
        }
        for slider in self.sliders {
            let line = self.line(slider);
            if line.contains(from) {
                // Elsewhere on the line it still screens.
                return Bitboard::all() - line;
            }
        }
        Bitboard::EMPTY
    }

    /// Where pawns of `us` that uncover a check by a step ahead end up.
    #[inline(always)]
    fn uncovered_from_behind(&self, us: Colour) -> Bitboard<R::Geometry> {
        let mut targets = Bitboard::EMPTY;
        for slider in self.sliders {
            let line = self.line(slider);
            targets |= (line & self.pieces).forward(us) - line;
        }
        targets
    }
}
