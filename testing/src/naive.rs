//! The rules read aloud: a move generator over a plain two-dimensional board.
//!
//! It knows of the library only the types that carry data (rule table, piece, move, placement) and
//! shares no idea with its generator: no bitboards, pins or evasions. Every move that the movement
//! of a piece allows is made on a copy of the board, and the result is judged rule by rule. Slow,
//! and simple enough to be checked by reading. Only what reads a placement and writes a move is
//! generic over the rule table.

use std::iter::successors;
use std::rc::Rc;

use shogi_rules::shogi_core::{
    self, Colour, Direction, Drops, Face, Geometry, Kind, KindSpec, MAX_KINDS, Movement, Piece,
    Placement, Promotion, Region, Role, RuleTable, Slide, Square, Step, TableSpec,
};

/// Side of the array; boards up to this size fit.
const SIDE: usize = 11;

/// A step seen from the owner of a piece: squares to the right, squares forward.
type Offset = (i8, i8);

/// A square: column from the left and rank from the top, as the board is printed.
type Point = (usize, usize);

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// From a square to another, and whether the piece turns over.
    Board(Point, Point, bool),
    /// A piece from the hand with this face up, to a square.
    Drop(Face, Point),
}

/// Board, hands and side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    table: Rc<TableSpec>,
    /// By column, then rank.
    squares: [[Option<Piece>; SIDE]; SIDE],
    /// By player, then kind.
    hands: [[u8; MAX_KINDS]; 2],
    side: Colour,
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
    /// Another move captures, and a player who can must.
    MustCapture,
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

/// A step in each direction, clockwise from the front as in `Direction::ALL`.
const COMPASS: [Offset; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// What a rule table says, as a value.
fn table<R: RuleTable>() -> TableSpec {
    let either = R::DROP_EITHER_FACE;
    let kind = |kind: &KindSpec| if either { kind.dropping_either() } else { *kind };
    let kinds = R::kinds().iter().map(kind).collect();
    TableSpec {
        promotion: R::promotion(),
        zone: R::zone(),
        pawns_on_a_file: R::pawns_on_a_file(),
        allows_drop_pawn_mate: R::allows_drop_pawn_mate(),
        allows_immobile: R::allows_immobile(),
        allows_immobile_drops: R::allows_immobile_drops(),
        goal: (!R::royal_safety()).then_some(0),
        forbids_facing_kings: R::forbids_facing_kings(),
        must_capture: R::must_capture(),
        extras: R::spec().map_or_else(Vec::new, |spec| spec.extras.clone()),
        ..TableSpec::new(R::Geometry::width(), R::Geometry::height(), kinds)
    }
}

fn square<G: Geometry>((column, rank): Point) -> Square<G> {
    Square::new(column as u8, rank as u8).expect("a point is on the board")
}

impl<R: RuleTable> From<Move> for shogi_core::Move<R> {
    fn from(mv: Move) -> Self {
        match mv {
            Move::Board(from, to, turn) => Self::Board { from: square(from), to: square(to), turn },
            Move::Drop(face, to) => Self::Drop { face, to: square(to) },
        }
    }
}

impl<R: RuleTable> From<&Placement<R>> for Board {
    fn from(placement: &Placement<R>) -> Self {
        let mut board = Self {
            table: Rc::new(table::<R>()),
            squares: [[None; SIDE]; SIDE],
            hands: [[0; MAX_KINDS]; 2],
            side: placement.side(),
        };
        for (column, rank) in board.points() {
            board.squares[column][rank] = placement.piece(square((column, rank)));
        }
        for colour in Colour::ALL {
            for kind in board.kinds() {
                board.hands[colour.index()][kind.index()] = placement.hand(colour).count(kind);
            }
        }
        board
    }
}

impl Board {
    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.table.width.into(), self.table.height.into());
        (0..width).flat_map(move |column| (0..height).map(move |rank| (column, rank)))
    }

    fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.table.kinds.len() as u8).map(Kind::new)
    }

    fn spec(&self, kind: Kind) -> &KindSpec {
        &self.table.kinds[kind.index()]
    }

    fn is_royal(&self, face: Face) -> bool {
        self.spec(face.kind).role == Role::Royal
    }

    fn is_pawn(&self, face: Face) -> bool {
        self.spec(face.kind).role == Role::Pawn && !face.promoted
    }

    fn at(&self, (column, rank): Point) -> Option<Piece> {
        self.squares[column][rank]
    }

    fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        self.points().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Whether a square belongs to the promotion zone of a player.
    fn in_zone(&self, square: Point, colour: Colour) -> bool {
        let ranks_to_the_far_edge = match colour {
            Colour::Sente => square.1,
            Colour::Gote => usize::from(self.table.height) - 1 - square.1,
        };
        ranks_to_the_far_edge < self.table.zone.into()
    }

    /// Where an offset leads, unless off the board.
    fn offset(&self, from: Point, (right, forward): Offset, colour: Colour) -> Option<Point> {
        let sign = if colour == Colour::Sente { 1 } else { -1 };
        let column = usize::try_from(from.0 as isize + isize::from(sign * right)).ok()?;
        let rank = usize::try_from(from.1 as isize - isize::from(sign * forward)).ok()?;
        let inside = column < self.table.width.into() && rank < self.table.height.into();
        inside.then_some((column, rank))
    }

    /// The squares of a slide, up to the first piece.
    fn slide(&self, from: Point, direction: Offset, colour: Colour) -> impl Iterator<Item = Point> {
        let next = move |here| self.offset(here, direction, colour);
        successors(next(from), move |&here| if self.at(here).is_some() { None } else { next(here) })
    }

    /// How a piece moves to empty squares and, if `capturing`, how it captures.
    fn movement(&self, piece: Piece, capturing: bool) -> Movement {
        let Face { kind, promoted } = piece.face;
        let spec = self.spec(kind);
        let moves = if promoted { spec.back.expect("a back") } else { spec.front };
        let captures = self.table.extra(kind).captures[usize::from(promoted)];
        if capturing { captures.unwrap_or(moves) } else { moves }
    }

    /// Whether the squares of a region have this one among them.
    fn is_in(&self, region: Option<Region>, (column, rank): Point, colour: Colour) -> bool {
        let (width, height) = (usize::from(self.table.width), usize::from(self.table.height));
        let (column, rank) = match colour {
            Colour::Sente => (column, rank),
            Colour::Gote => (width - 1 - column, height - 1 - rank),
        };
        region.is_none_or(|region| region.word() >> (column * height + rank) & 1 == 1)
    }

    /// Visits the squares where a piece captures or, if it is not `capturing`, to which it moves, whatever stands on
    /// them; by a jump and a slide twice.
    fn reached(&self, from: Point, piece: Piece, capturing: bool, mut visit: impl FnMut(Point)) {
        let region = self.table.extra(piece.face.kind).region;
        let movement = self.movement(piece, capturing);
        let mut visit = |to| {
            if self.is_in(region, to, piece.colour) {
                visit(to);
            }
        };
        let offset = |offset| self.offset(from, offset, piece.colour);
        for to in steps(movement.step).iter().filter_map(|&step| offset(step)) {
            visit(to);
        }
        for &direction in slides(movement.slide) {
            for to in self.slide(from, direction, piece.colour) {
                visit(to);
            }
        }
        if !movement.is_special() {
            return;
        }
        let reach = movement.reach();
        for (forward, right) in (-5..=5).flat_map(|rank| (-5..=5).map(move |file| (rank, file))) {
            if reach.has_jump(forward, right) {
                offset((right, forward)).into_iter().for_each(&mut visit);
            }
        }
        for (direction, step) in Direction::ALL.into_iter().zip(COMPASS) {
            let squares = self.slide(from, step, piece.colour);
            squares.take(reach.range(direction).into()).for_each(&mut visit);
        }
    }

    /// How many pieces attack the king of a player.
    pub fn checks(&self, colour: Colour) -> usize {
        let own_king = |piece: Piece| piece.colour == colour && self.is_royal(piece.face);
        let mut checks = 0;
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.colour != colour) {
            let mut attacks_king = false;
            self.reached(from, piece, true, |to| attacks_king |= self.at(to).is_some_and(own_king));
            checks += usize::from(attacks_king);
        }
        checks + usize::from(self.table.forbids_facing_kings && self.kings_face())
    }

    /// Whether there is no piece between two kings on one file or rank.
    fn kings_face(&self) -> bool {
        let kings: Vec<Point> =
            self.pieces().filter(|&(_, p)| self.is_royal(p.face)).map(|(at, _)| at).collect();
        let &[(a, b), (c, d)] = &kings[..] else { return false };
        let between: Vec<Point> = match (a == c, b == d) {
            (true, _) => (b.min(d) + 1..b.max(d)).map(|rank| (a, rank)).collect(),
            (_, true) => (a.min(c) + 1..a.max(c)).map(|column| (column, b)).collect(),
            _ => return false,
        };
        between.into_iter().all(|square| self.at(square).is_none())
    }

    /// Whether the king of a player is attacked.
    pub fn in_check(&self, colour: Colour) -> bool {
        self.checks(colour) > 0
    }

    /// Whether a piece here could never move, were all other pieces gone.
    fn is_stuck(&self, square: Point, piece: Piece) -> bool {
        let ways = [false, true];
        // A piece that has no moves at all is meant to stay.
        let mut stuck = ways.iter().any(|&way| !self.movement(piece, way).reach().is_empty());
        let alone = Self { squares: [[None; SIDE]; SIDE], ..self.clone() };
        for way in ways {
            alone.reached(square, piece, way, |_| stuck = false);
        }
        stuck
    }

    fn has_nifu(&self, colour: Colour) -> bool {
        let pawn = |piece: Piece| piece.colour == colour && self.is_pawn(piece.face);
        let Some(limit) = self.table.pawns_on_a_file else { return false };
        let pawns = |file: &[Option<Piece>]| file.iter().flatten().filter(|&&p| pawn(p)).count();
        self.squares.iter().any(|file| pawns(file) > limit.into())
    }

    /// Whether this is a position of the game.
    pub fn is_position(&self) -> bool {
        let mut kings = [0, 0];
        let mut counts = [0; MAX_KINDS];
        for (_, piece) in self.pieces() {
            kings[piece.colour.index()] += usize::from(self.is_royal(piece.face));
            counts[piece.face.kind.index()] += 1;
        }
        let enough = self.kinds().all(|kind| {
            let hands = self.hands[0][kind.index()] + self.hands[1][kind.index()];
            let royal_in_hand = self.is_royal(Face::front(kind)) && hands > 0;
            counts[kind.index()] + hands <= self.spec(kind).count && !royal_in_hand
        });
        let stuck = || self.pieces().any(|(square, piece)| self.is_stuck(square, piece));
        let inside = |(square, piece): (Point, Piece)| {
            self.is_in(self.table.extra(piece.face.kind).region, square, piece.colour)
        };
        enough
            && kings == [1, 1]
            && self.pieces().all(inside)
            && !Colour::ALL.into_iter().any(|colour| self.has_nifu(colour))
            && (self.table.allows_immobile || self.table.allows_immobile_drops || !stuck())
            && !(self.royal_safety() && self.in_check(!self.side))
    }

    fn royal_safety(&self) -> bool {
        self.table.goal.is_none()
    }

    /// Every move that the pieces' movements, the empty squares and the promotion rule allow, in the
    /// order of the library's moves.
    pub fn candidates(&self) -> Vec<Move> {
        let (mut moves, mut reached) = (Vec::new(), Vec::new());
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.colour == self.side) {
            let own = |to| self.at(to).is_some_and(|target| target.colour == self.side);
            for capturing in [false, true] {
                self.reached(from, piece, capturing, |to| {
                    let fits = self.at(to).is_some() == capturing && !own(to);
                    reached.extend(fits.then_some(to));
                });
            }
            // A jump and a slide may lead to one square.
            reached.sort_unstable();
            reached.dedup();
            for to in reached.drain(..) {
                let turns = self.turns(piece, from, to).iter();
                moves.extend(turns.map(|&turn| Move::Board(from, to, turn)));
            }
        }
        for kind in self.kinds() {
            let spec = self.spec(kind);
            let held = self.hands[self.side.index()][kind.index()] > 0;
            if !held || spec.role == Role::Royal {
                continue;
            }
            for promoted in [false, true] {
                let other = if promoted { Drops::Front } else { Drops::Back };
                if spec.drops == other || promoted && spec.back.is_none() {
                    continue;
                }
                let face = Face { kind, promoted };
                let extra = self.table.extra(kind);
                let allowed = |to| {
                    [extra.region, extra.drop_region]
                        .into_iter()
                        .all(|region| self.is_in(region, to, self.side))
                };
                let empty = self.points().filter(|&to| self.at(to).is_none() && allowed(to));
                moves.extend(empty.map(|to| Move::Drop(face, to)));
            }
        }
        moves
    }

    /// Whether a piece may keep its face (`false`) or turn over (`true`) with a move.
    fn turns(&self, piece: Piece, from: Point, to: Point) -> &'static [bool] {
        let two_faced = self.spec(piece.face.kind).back.is_some();
        let zone = self.in_zone(from, piece.colour) || self.in_zone(to, piece.colour);
        let may_promote = two_faced && !piece.face.promoted && zone;
        match self.table.promotion {
            Promotion::EveryMove if two_faced => &[true],
            Promotion::OnCapture if two_faced && self.at(to).is_some() => &[true],
            Promotion::Optional if may_promote => &[false, true],
            Promotion::Forced if may_promote => &[true],
            _ => &[false],
        }
    }

    /// The board after a candidate.
    pub fn make(&self, mv: Move) -> Self {
        let mut next = self.clone();
        let hand = &mut next.hands[self.side.index()];
        match mv {
            Move::Board(from, to, turn) => {
                if let Some(captured) = self.at(to) {
                    hand[captured.face.kind.index()] += 1;
                }
                let mut piece = self.at(from).expect("a candidate moves a piece");
                piece.face.promoted = piece.face.promoted != turn;
                next.squares[from.0][from.1] = None;
                next.squares[to.0][to.1] = Some(piece);
            }
            Move::Drop(face, to) => {
                hand[face.kind.index()] -= 1;
                next.squares[to.0][to.1] = Some(Piece { face, colour: self.side });
            }
        }
        next.side = !self.side;
        next
    }

    /// The board after a candidate, or the rule that forbids it.
    pub fn judge(&self, mv: Move) -> Result<Self, Illegal> {
        let next = self.judge_apart(mv)?;
        if self.table.must_capture && !self.captures(mv) {
            let others = self.candidates().into_iter().filter(|&other| self.captures(other));
            if others.into_iter().any(|other| self.judge_apart(other).is_ok()) {
                return Err(Illegal::MustCapture);
            }
        }
        Ok(next)
    }

    /// The same, whatever other moves there are.
    fn judge_apart(&self, mv: Move) -> Result<Self, Illegal> {
        let next = self.make(mv);
        let (to, may_be_stuck, pawn_drop) = match mv {
            Move::Board(_, to, _) => (to, self.table.allows_immobile, false),
            Move::Drop(face, to) => (to, self.table.allows_immobile_drops, self.is_pawn(face)),
        };
        let moved = next.at(to).expect("a candidate puts a piece on its target");
        if !may_be_stuck && next.is_stuck(to, moved) {
            return Err(Illegal::Immobile);
        }
        if pawn_drop && next.has_nifu(self.side) {
            return Err(Illegal::Nifu);
        }
        if self.royal_safety() {
            if next.in_check(self.side) {
                return Err(Illegal::KingLeftInCheck);
            }
            let judged = pawn_drop && !self.table.allows_drop_pawn_mate;
            if judged && next.in_check(next.side) && next.moves().is_empty() {
                return Err(Illegal::DropPawnMate);
            }
        }
        Ok(next)
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move> {
        self.candidates().into_iter().filter(|&mv| self.judge(mv).is_ok()).collect()
    }

    /// Whether a candidate captures.
    fn captures(&self, mv: Move) -> bool {
        matches!(mv, Move::Board(_, to, _) if self.at(to).is_some())
    }
}
