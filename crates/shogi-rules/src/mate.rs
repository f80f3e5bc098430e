//! Mates in one move.

use core::ops::ControlFlow;

use shogi_core::{
    Batch, Bitboard, Colour, Face, Geometry, Move, Movement, Origin, Position, Promotion, Role,
    RuleTable, Square, Step, camp, face_attacks, for_each_face, generate_checks,
};

use crate::rules::{Rules, Verdict};

/// The first check, in the order of generation, that makes the checked player lose at once.
///
/// Where a royal piece may be left to capture, as in Dobutsu shogi, the move found is its capture, not a mate.
///
/// ```
/// use shogi_rules::{Dobutsu, Minishogi, mate_in_one, parse_position, to_usi};
/// // The rook is dropped behind the king, whose other squares the gold attacks.
/// let position = parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1")?;
/// let mate = mate_in_one(&position).expect("there is one");
/// assert!(position.play_unchecked(mate).is_mate());
/// let capture = mate_in_one(&parse_position::<Dobutsu>("2l/2C/3/L2 b - 1")?);
/// assert_eq!(capture.map(|mv| to_usi(mv).to_string()).as_deref(), Some("1b1a+"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn mate_in_one<R: Rules>(position: &Position<R>) -> Option<Move<R>> {
    let king = position.king(!position.side())?;
    // The squares from which a piece closes the king in are looked up as if it captured as it moves, everywhere, and
    // the king were kept in by pieces alone.
    let by_moves = R::royal_safety() && R::safe_goal() == 0;
    let looks_up = by_moves && !R::has_kind_rules() && !R::forbids_facing_kings();
    let closing = if looks_up { Some(Closing::new(position, king)?) } else { None };
    let found = generate_checks(position, |batch| {
        let batch = closing.as_ref().map_or(batch, |closing| closing.filter(batch));
        position.play_batch(batch, |mv, next| {
            // A player without a legal move has lost, in every game of the family.
            let lost =
                if by_moves { next.has_no_move() } else { R::verdict(next) == Some(Verdict::Loss) };
            if lost { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        })
    });
    found.break_value()
}

/// The squares from which pieces may mate. Checks from other squares are no mates, so those moves need not be made.
struct Closing<R: RuleTable> {
    /// For each face, the squares from which a piece attacks the king and all squares where the king could go at
    /// present, and cannot be captured. A move on the board need not attack those that it may uncover.
    squares: [Bitboard<R::Geometry>; Face::MAX],
    /// Whether only drops are restricted to these squares.
    drops_only: bool,
}

impl<R: RuleTable> Closing<R> {
    /// `None` if no piece of the player to move can come to such a square.
    #[inline]
    fn new(position: &Position<R>, king: Square<R::Geometry>) -> Option<Self> {
        let us = position.side();
        let own = position.of(us);
        let mut coverage = Coverage::new(position, king);
        for_each_face!(R, |face, movement| {
            coverage.add(face, movement);
        });
        if coverage.king_slides {
            // A piece that moves next to such a king may also block its way to other squares.
            return Some(Self { squares: [Bitboard::all(); Face::MAX], drops_only: false });
        }
        let Coverage { occupied, staying, attacked, twice, uncovered, beside, .. } = coverage;
        let free = beside - position.of(!us) - attacked;
        // A piece on the board that uncovers a check may mate wherever it goes.
        let drops_only = uncovered.contains(king);
        // The king captures an unguarded piece next to it. A piece does not guard the square to which it moves,
        // but a piece behind it may.
        let vacant = Bitboard::all() - position.occupied() - (beside - attacked);
        let open = Bitboard::all() - own - (beside - twice - uncovered);
        let dropped = Attacked::<R> { king, free, by: us };
        // What a move on the board uncovers attacks some of the squares where the king could go.
        let moved = Attacked::<R> { free: free - uncovered, ..dropped };
        let mut closing = [Bitboard::EMPTY; Face::MAX];
        let mut any = Bitboard::EMPTY;
        for_each_face!(R, |face, movement| {
            let mut squares = Bitboard::EMPTY;
            if !drops_only {
                let reached = coverage.reached[face.index()] & open;
                squares = moved.from((face, movement), reached, staying);
            }
            if position.hand(us).has(face.kind) && face.is_droppable::<R>() {
                squares |= dropped.from((face, movement), vacant, occupied);
            }
            closing[face.index()] = squares;
            any |= squares;
        });
        let exposed = Self::exposed(position, king, any);
        if any == exposed && !drops_only {
            return None;
        }
        for squares in &mut closing {
            *squares -= exposed;
        }
        Some(Self { squares: closing, drops_only })
    }

    /// The subset of the squares on which the opponent can capture with a piece other than the king.
    #[inline]
    fn exposed(
        position: &Position<R>,
        king: Square<R::Geometry>,
        squares: Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let us = position.side();
        let mut exposed = Bitboard::EMPTY;
        if squares.is_empty() {
            return exposed;
        }
        // Pieces that are pinned, or will be when another piece leaves their line, may not be able to capture.
        let (alone, together) = position.blockers(king, us);
        let bound = alone | together | Bitboard::of(king);
        // A piece may be forbidden on a square from which it could never move again.
        for square in squares - R::anywhere_dead(!us) {
            if !(position.attackers(square, !us, position.occupied()) - bound).is_empty() {
                exposed.insert(square);
            }
        }
        exposed
    }

    /// The moves of a batch that may mate.
    #[inline]
    fn filter(&self, mut batch: Batch<R>) -> Batch<R> {
        if self.drops_only && batch.origin != Origin::Hand {
            return batch;
        }
        let turned = Face { promoted: !batch.face.promoted, ..batch.face };
        batch.keep &= self.squares[batch.face.index()];
        batch.turn &= self.squares[turned.index()];
        batch
    }
}

/// The attacks of the pieces of the player to move.
struct Coverage<'a, R: RuleTable> {
    position: &'a Position<R>,
    /// Occupied squares without the king, through which sliders attack.
    occupied: Bitboard<R::Geometry>,
    /// Occupied squares without the attacker's pieces, any of which may move away.
    staying: Bitboard<R::Geometry>,
    attacked: Bitboard<R::Geometry>,
    twice: Bitboard<R::Geometry>,
    /// The squares attacked once one of the attacker's pieces moves away.
    uncovered: Bitboard<R::Geometry>,
    /// For each face, the squares where a move on the board can put a piece that shows it.
    reached: [Bitboard<R::Geometry>; Face::MAX],
    /// The squares from which a piece for which [`steps_beside`] holds comes near the king.
    near: Bitboard<R::Geometry>,
    king: Square<R::Geometry>,
    /// The squares where the king could step if they were neither guarded nor taken by its own pieces.
    beside: Bitboard<R::Geometry>,
    /// Whether the king also slides.
    king_slides: bool,
}

impl<'a, R: RuleTable> Coverage<'a, R> {
    #[inline(always)]
    fn new(position: &'a Position<R>, king: Square<R::Geometry>) -> Self {
        let occupied = position.occupied() - Bitboard::of(king);
        Self {
            position,
            occupied,
            staying: occupied - position.of(position.side()),
            attacked: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            uncovered: Bitboard::EMPTY,
            reached: [Bitboard::EMPTY; Face::MAX],
            near: near::<R>(king, position.side()),
            king,
            beside: Bitboard::EMPTY,
            king_slides: false,
        }
    }

    /// Adds the pieces that show a face.
    #[inline(always)]
    fn add(&mut self, face: Face, movement: Movement) {
        let us = self.position.side();
        if face.kind.spec::<R>().role == Role::Royal {
            self.beside = face_attacks::<R>((face, movement), !us, self.king, self.occupied)
                - R::dead_ends_of_king(!us);
            let far = R::slides((face, movement), !us, self.king, Bitboard::EMPTY);
            self.king_slides = !far.is_empty();
        }
        let mut targets = Bitboard::EMPTY;
        let mut pieces = self.position.face(face) & self.position.of(us);
        if steps_beside::<R>(face) {
            pieces &= self.near;
        }
        for square in pieces {
            let seen = face_attacks::<R>((face, movement), us, square, self.occupied);
            self.twice |= seen & (self.attacked | targets);
            targets |= seen;
            self.uncovered |= R::slides((face, movement), us, square, self.staying);
        }
        self.attacked |= targets;
        let turned = Face { promoted: !face.promoted, ..face };
        self.reached[turned.index()] |= targets;
        // No square lets a king attack the other king, and a piece without a back cannot turn over.
        let spec = face.kind.spec::<R>();
        let one_sided = spec.back.is_none() && spec.role != Role::Royal;
        if R::promotion() != Promotion::EveryMove || one_sided {
            self.reached[face.index()] |= targets;
        }
    }
}

/// The ranks up to the second behind a king, as its opponent sees it: a piece on another rank that only steps to neighbours
/// neither guards a square beside the king nor moves to one.
#[inline(always)]
fn near<R: RuleTable>(king: Square<R::Geometry>, us: Colour) -> Bitboard<R::Geometry> {
    if !R::royal().is_some_and(|kind| steps_beside::<R>(Face::front(kind))) {
        return Bitboard::all();
    }
    let ahead = match us {
        Colour::Sente => king.rank(),
        Colour::Gote => R::Geometry::height() - 1 - king.rank(),
    };
    camp(us, (ahead + 3).min(15))
}

/// Whether a piece that shows a face only steps to neighbours, now and after its next move.
#[inline(always)]
fn steps_beside<R: RuleTable>(face: Face) -> bool {
    let steps = |face: Face| {
        let movement = face.moving::<R>();
        !movement.is_special() && !movement.slides() && movement.step != Step::Knight
    };
    let stays = face.promoted && matches!(R::promotion(), Promotion::Optional | Promotion::Forced);
    !R::RUNTIME && steps(face) && (stays || steps(Face { promoted: !face.promoted, ..face }))
}

/// A king and the squares where it could go: a mating piece must attack all of them.
struct Attacked<R: RuleTable> {
    king: Square<R::Geometry>,
    free: Bitboard<R::Geometry>,
    by: Colour,
}

impl<R: RuleTable> Attacked<R> {
    /// The subset of `squares` from which a piece with this face attacks them all.
    #[inline(always)]
    fn from(
        &self,
        moving: (Face, Movement),
        squares: Bitboard<R::Geometry>,
        occupied: Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        // Hardly any square is in line with all of them, so that blockers seldom matter.
        let squares = self.looked_up(moving, squares, Bitboard::EMPTY);
        if moving.1.slides() { self.looked_up(moving, squares, occupied) } else { squares }
    }

    /// [`Attacked::from`], each attack looked up with its blockers.
    #[inline(always)]
    fn looked_up(
        &self,
        moving: (Face, Movement),
        mut squares: Bitboard<R::Geometry>,
        occupied: Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        if squares.is_empty() {
            return squares;
        }
        // A piece attacks a square from just those squares that an opposing piece of its kind would attack from
        // there.
        squares &= face_attacks::<R>(moving, !self.by, self.king, occupied);
        for flight in self.free {
            if squares.is_empty() {
                break;
            }
            squares &= face_attacks::<R>(moving, !self.by, flight, occupied);
        }
        squares
    }
}
