//! The rules read aloud: a move generator over a plain two-dimensional board.
//!
//! It knows of the library only the types that carry data (rule table, piece, move, placement) and
//! shares no idea with its generator: no bitboards, pins or evasions. Every move that the movement
//! of a piece allows is made on a copy of the board, and the result is judged rule by rule. Slow,
//! and simple enough to be checked by reading.

use std::marker::PhantomData;

use shogi_rules::shogi_core::{
    Colour, Direction, Drops, Face, Geometry, Kind, MAX_KINDS, Move, Piece, Placement, Promotion,
    RaysAndJumps, Role, RuleTable, Slide, Square, Step,
};

/// Side of the array; boards up to this size fit.
const SIDE: usize = 11;

/// A step seen from the owner of a piece: squares to the right, squares forward.
type Offset = (i8, i8);

/// A square: column from the left and rank from the top, as the board is printed.
type Point = (usize, usize);

/// Board, hands and side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board<R> {
    /// By column, then rank.
    squares: [[Option<Piece>; SIDE]; SIDE],
    /// By player, then kind.
    hands: [[u8; MAX_KINDS]; 2],
    side: Colour,
    rules: PhantomData<R>,
}

/// The rule that a move breaks, although the piece moves so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegal {
    /// The piece could never move again.
    Immobile,
    /// An unpromoted pawn too many on the file.
    Nifu,
    /// The mover's own king is attacked afterwards.
    KingLeftInCheck,
    /// The dropped pawn gives mate.
    DropPawnMate,
}

const fn steps(step: Step) -> &'static [Offset] {
    match step {
        Step::None => &[],
        Step::Pawn => &[(0, 1)],
        Step::Knight => &[(-1, 2), (1, 2)],
        Step::Silver => &[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)],
        Step::Gold => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
        Step::King => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
        Step::Orthogonal => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        Step::Diagonal => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
        _ => panic!("a step that is not written out here"),
    }
}

const fn slides(slide: Slide) -> &'static [Offset] {
    match slide {
        Slide::None => &[],
        Slide::Forward => &[(0, 1)],
        Slide::Diagonal => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
        Slide::Orthogonal => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        _ => panic!("a slide that is not written out here"),
    }
}

/// The step of a direction.
const fn step(direction: Direction) -> Offset {
    match direction {
        Direction::North => (0, 1),
        Direction::NorthEast => (1, 1),
        Direction::East => (1, 0),
        Direction::SouthEast => (1, -1),
        Direction::South => (0, -1),
        Direction::SouthWest => (-1, -1),
        Direction::West => (-1, 0),
        Direction::NorthWest => (-1, 1),
    }
}

/// Where an offset leads, unless off the board.
fn offset<R: RuleTable>(from: Point, (right, forward): Offset, colour: Colour) -> Option<Point> {
    let sign = if colour == Colour::Sente { 1 } else { -1 };
    let column = usize::try_from(from.0 as isize + isize::from(sign * right)).ok()?;
    let rank = usize::try_from(from.1 as isize - isize::from(sign * forward)).ok()?;
    let inside = column < R::Geometry::width().into() && rank < R::Geometry::height().into();
    inside.then_some((column, rank))
}

/// Whether a square belongs to the promotion zone of a player.
fn in_zone<R: RuleTable>(square: Point, colour: Colour) -> bool {
    let ranks_to_the_far_edge = match colour {
        Colour::Sente => square.1,
        Colour::Gote => usize::from(R::Geometry::height()) - 1 - square.1,
    };
    ranks_to_the_far_edge < R::zone().into()
}

fn is_royal<R: RuleTable>(face: Face) -> bool {
    R::kinds()[face.kind.index()].role == Role::Royal
}

fn is_pawn<R: RuleTable>(face: Face) -> bool {
    R::kinds()[face.kind.index()].role == Role::Pawn && !face.promoted
}

fn points<R: RuleTable>() -> impl Iterator<Item = Point> {
    (0..R::Geometry::width().into())
        .flat_map(|column| (0..R::Geometry::height().into()).map(move |rank| (column, rank)))
}

fn square<R: RuleTable>((column, rank): Point) -> Square<R::Geometry> {
    Square::new(column as u8, rank as u8).expect("a point is on the board")
}

fn point<R: RuleTable>(square: Square<R::Geometry>) -> Point {
    (square.column().into(), square.rank().into())
}

impl<R: RuleTable> From<&Placement<R>> for Board<R> {
    fn from(placement: &Placement<R>) -> Self {
        let mut board = Self {
            squares: [[None; SIDE]; SIDE],
            hands: [[0; MAX_KINDS]; 2],
            side: placement.side(),
            rules: PhantomData,
        };
        for (column, rank) in points::<R>() {
            board.squares[column][rank] = placement.piece(square::<R>((column, rank)));
        }
        for colour in Colour::ALL {
            for kind in Kind::all::<R>() {
                board.hands[colour.index()][kind.index()] = placement.hand(colour).count(kind);
            }
        }
        board
    }
}

impl<R: RuleTable> Board<R> {
    fn at(&self, (column, rank): Point) -> Option<Piece> {
        self.squares[column][rank]
    }

    fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        points::<R>().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Visits the squares that a piece reaches, whatever stands on them.
    fn reached(&self, from: Point, piece: Piece, mut visit: impl FnMut(Point)) {
        let spec = &R::kinds()[piece.face.kind.index()];
        let movement = if piece.face.promoted { spec.back.expect("a back") } else { spec.front };
        if movement.is_special() {
            return self.reached_by(movement.reach(), from, piece.colour, visit);
        }
        for &step in steps(movement.step) {
            if let Some(to) = offset::<R>(from, step, piece.colour) {
                visit(to);
            }
        }
        for &direction in slides(movement.slide) {
            let mut here = from;
            while let Some(to) = offset::<R>(here, direction, piece.colour) {
                visit(to);
                if self.at(to).is_some() {
                    break;
                }
                here = to;
            }
        }
    }

    /// Visits the squares that rays and jumps reach, each once.
    fn reached_by(
        &self,
        reach: RaysAndJumps,
        from: Point,
        colour: Colour,
        mut visit: impl FnMut(Point),
    ) {
        let mut seen = Vec::new();
        let mut visit = |to| {
            if !seen.contains(&to) {
                seen.push(to);
                visit(to);
            }
        };
        for forward in -5..=5 {
            for right in -5..=5 {
                if reach.has_jump(forward, right) {
                    offset::<R>(from, (right, forward), colour).into_iter().for_each(&mut visit);
                }
            }
        }
        for direction in Direction::ALL {
            let mut here = from;
            for _ in 0..reach.range(direction) {
                let Some(to) = offset::<R>(here, step(direction), colour) else { break };
                visit(to);
                if self.at(to).is_some() {
                    break;
                }
                here = to;
            }
        }
    }

    /// How many pieces attack the king of a player.
    pub fn checks(&self, colour: Colour) -> usize {
        let mut checks = 0;
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.colour != colour) {
            self.reached(from, piece, |to| {
                let target = self.at(to);
                let is_king = target.is_some_and(|t| t.colour == colour && is_royal::<R>(t.face));
                checks += usize::from(is_king);
            });
        }
        checks
    }

    /// Whether the king of a player is attacked.
    pub fn in_check(&self, colour: Colour) -> bool {
        self.checks(colour) > 0
    }

    /// Whether a piece here could never move, were all other pieces gone.
    fn is_stuck(&self, square: Point, piece: Piece) -> bool {
        let mut stuck = true;
        self.reached(square, piece, |_| stuck = false);
        stuck
    }

    fn has_nifu(&self, colour: Colour) -> bool {
        let pawn = |piece: Piece| piece.colour == colour && is_pawn::<R>(piece.face);
        let Some(limit) = R::pawns_on_a_file() else { return false };
        let pawns = |file: &[Option<Piece>]| file.iter().flatten().filter(|&&p| pawn(p)).count();
        self.squares.iter().any(|file| pawns(file) > limit.into())
    }

    /// Whether this is a position of the game.
    pub fn is_position(&self) -> bool {
        let kings = |colour| {
            let own = |piece: Piece| piece.colour == colour && is_royal::<R>(piece.face);
            self.pieces().filter(|&(_, piece)| own(piece)).count()
        };
        let enough = R::kinds().iter().enumerate().all(|(kind, spec)| {
            let board = self.pieces().filter(|(_, piece)| piece.face.kind.index() == kind).count();
            let hands = self.hands[0][kind] + self.hands[1][kind];
            let royal_in_hand = spec.role == Role::Royal && hands > 0;
            board + usize::from(hands) <= spec.count.into() && !royal_in_hand
        });
        let stuck = || self.pieces().any(|(square, piece)| self.is_stuck(square, piece));
        enough
            && Colour::ALL.map(kings) == [1, 1]
            && !Colour::ALL.into_iter().any(|colour| self.has_nifu(colour))
            && (R::allows_immobile() || R::allows_immobile_drops() || !stuck())
            && !(R::royal_safety() && self.in_check(self.opponent()))
    }

    fn opponent(&self) -> Colour {
        match self.side {
            Colour::Sente => Colour::Gote,
            Colour::Gote => Colour::Sente,
        }
    }

    /// Every move that the pieces' movements, the empty squares and the promotion rule allow.
    pub fn candidates(&self) -> Vec<Move<R>> {
        let mut moves = Vec::new();
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.colour == self.side) {
            self.reached(from, piece, |to| {
                if self.at(to).is_some_and(|target| target.colour == self.side) {
                    return;
                }
                for &turn in self.turns(piece, from, to) {
                    moves.push(Move::Board { from: square::<R>(from), to: square::<R>(to), turn });
                }
            });
        }
        for kind in Kind::all::<R>() {
            let spec = &R::kinds()[kind.index()];
            let held = self.hands[self.side.index()][kind.index()] > 0;
            if !held || spec.role == Role::Royal {
                continue;
            }
            for promoted in [false, true] {
                let drops = if R::DROP_EITHER_FACE { Drops::Either } else { spec.drops };
                let other = if promoted { Drops::Front } else { Drops::Back };
                if drops == other || promoted && spec.back.is_none() {
                    continue;
                }
                let face = Face { kind, promoted };
                let empty = points::<R>().filter(|&to| self.at(to).is_none());
                moves.extend(empty.map(|to| Move::Drop { face, to: square::<R>(to) }));
            }
        }
        moves
    }

    /// Whether a piece may keep its face (`false`) or turn over (`true`) with a move.
    fn turns(&self, piece: Piece, from: Point, to: Point) -> &'static [bool] {
        let two_faced = R::kinds()[piece.face.kind.index()].back.is_some();
        let zone = in_zone::<R>(from, piece.colour) || in_zone::<R>(to, piece.colour);
        let may_promote = two_faced && !piece.face.promoted && zone;
        match R::promotion() {
            Promotion::EveryMove if two_faced => &[true],
            Promotion::OnCapture if two_faced && self.at(to).is_some() => &[true],
            Promotion::Optional if may_promote => &[false, true],
            Promotion::Forced if may_promote => &[true],
            _ => &[false],
        }
    }

    /// The board after a candidate.
    pub fn make(&self, mv: Move<R>) -> Self {
        let mut next = *self;
        let hand = &mut next.hands[self.side.index()];
        match mv {
            Move::Board { from, to, turn } => {
                let (from, to) = (point::<R>(from), point::<R>(to));
                if let Some(captured) = self.at(to) {
                    hand[captured.face.kind.index()] += 1;
                }
                let mut piece = self.at(from).expect("a candidate moves a piece");
                piece.face.promoted = piece.face.promoted != turn;
                next.squares[from.0][from.1] = None;
                next.squares[to.0][to.1] = Some(piece);
            }
            Move::Drop { face, to } => {
                let to = point::<R>(to);
                hand[face.kind.index()] -= 1;
                next.squares[to.0][to.1] = Some(Piece { face, colour: self.side });
            }
        }
        next.side = self.opponent();
        next
    }

    /// The board after a candidate, or the rule that forbids it.
    pub fn judge(&self, mv: Move<R>) -> Result<Self, Illegal> {
        let next = self.make(mv);
        let to = point::<R>(mv.to());
        let moved = next.at(to).expect("a candidate puts a piece on its target");
        let pawn_drop = matches!(mv, Move::Drop { face, .. } if is_pawn::<R>(face));
        let may_be_stuck = match mv {
            Move::Board { .. } => R::allows_immobile(),
            Move::Drop { .. } => R::allows_immobile_drops(),
        };
        if !may_be_stuck && next.is_stuck(to, moved) {
            return Err(Illegal::Immobile);
        }
        if pawn_drop && next.has_nifu(self.side) {
            return Err(Illegal::Nifu);
        }
        if R::royal_safety() {
            if next.in_check(self.side) {
                return Err(Illegal::KingLeftInCheck);
            }
            let judged = pawn_drop && !R::allows_drop_pawn_mate();
            if judged && next.in_check(next.side) && next.moves().is_empty() {
                return Err(Illegal::DropPawnMate);
            }
        }
        Ok(next)
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move<R>> {
        self.candidates().into_iter().filter(|&mv| self.judge(mv).is_ok()).collect()
    }
}
