//! What is seen of a position, each kind of observation with a number of its own: the weights' places.

use std::marker::PhantomData;
use std::ops::Range;

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, MAX_KINDS, Movement, Position, Role, RuleTable, Slide,
    Square, Step, attacks,
};

/// What is told of a position. The player to move is number 0, the opponent 1.
pub(super) trait Visitor {
    /// A player has what this value weight stands for so many times.
    fn value(&mut self, player: usize, weight: usize, times: i32);
    /// So many times something adds to the danger that a player's king is in.
    fn danger(&mut self, player: usize, weight: usize, times: i32);
}

/// The places of weights: of what has a value, and of what is dangerous to a king.
pub(super) struct Layout<R>(PhantomData<R>);

/// Groups of weights of values.
pub(super) const GROUPS: usize = 10;
/// Pieces of a kind in a hand that are told apart: the first, the second, ...
const IN_HAND: usize = 8;
/// The same for the danger that they are; more of a kind add none.
const THREATENING: usize = 3;
/// Distances to a king that are told apart: its own square, one step to three steps, and more.
const DISTANCES: usize = 5;
/// Numbers of flights that are told apart.
const FLIGHTS: usize = 5;

impl<R: RuleTable> Layout<R> {
    const WIDTH: usize = R::Geometry::WIDTH as usize;
    const HEIGHT: usize = R::Geometry::HEIGHT as usize;
    /// Columns apart, whichever is left, by ranks from a king to a piece.
    const DISPLACEMENTS: usize = Self::WIDTH * (2 * Self::HEIGHT - 1);
    /// Squares that a piece attacks, from none to all four directions and four steps.
    const MOBILITIES: usize = Self::WIDTH + Self::HEIGHT + 3;

    /// A piece on the board, by its face.
    pub(super) const PIECE: usize = 0;
    /// A piece in hand, by kind and number.
    pub(super) const HAND: usize = Self::PIECE + Face::MAX;
    /// A piece by its face and where its own king is.
    pub(super) const OWN_KING: usize = Self::HAND + MAX_KINDS * IN_HAND;
    /// A piece by its face and where the other king is.
    pub(super) const OTHER_KING: usize = Self::OWN_KING + Face::MAX * Self::DISPLACEMENTS;
    /// A piece by its face and how many squares it attacks that its own side does not occupy.
    pub(super) const MOBILITY: usize = Self::OTHER_KING + Face::MAX * Self::DISPLACEMENTS;
    /// A piece that is attacked and not protected, by whether its owner is to move and by its face.
    pub(super) const UNPROTECTED: usize = Self::MOBILITY + Face::MAX * Self::MOBILITIES;
    /// The same of one that is protected, but attacked by a cheaper piece.
    const THREATENED: usize = Self::UNPROTECTED + 2 * Face::MAX;
    /// A square attacked at least once, twice or three times, by how far it is from the own and from the other king.
    const CONTROL: usize = Self::THREATENED + 2 * Face::MAX;
    /// A piece that may not move out of a line to its king, by its face.
    const PINNED: usize = Self::CONTROL + 2 * 3 * DISTANCES;
    /// Files on which a pawn in hand can be dropped, by their number.
    const FILES: usize = Self::PINNED + Face::MAX;
    /// The right to move.
    pub(super) const TURN: usize = Self::FILES + Self::WIDTH + 1;
    /// All weights of values.
    pub(super) const VALUES: usize = Self::TURN + 1;

    /// The weights of values by what they are about.
    pub(super) const GROUPS: [(&'static str, Range<usize>); GROUPS] = [
        ("pieces", Self::PIECE..Self::HAND),
        ("hands", Self::HAND..Self::OWN_KING),
        ("places from own king", Self::OWN_KING..Self::OTHER_KING),
        ("places from other king", Self::OTHER_KING..Self::MOBILITY),
        ("mobility", Self::MOBILITY..Self::UNPROTECTED),
        ("threats", Self::UNPROTECTED..Self::CONTROL),
        ("control", Self::CONTROL..Self::PINNED),
        ("pins", Self::PINNED..Self::FILES),
        ("files for a pawn", Self::FILES..Self::TURN),
        ("right to move", Self::TURN..Self::VALUES),
    ];

    /// A square of the zone (the king's and those around it) that is attacked, by how often up to three
    /// times and by how often pieces other than the king protect it up to twice.
    const ZONE: usize = 0;
    /// An empty square of the zone that only the king may protect: not attacked, and attacked.
    const OPEN: usize = Self::ZONE + 9;
    /// A square two steps away that is attacked, by whether more than once and whether it is protected.
    const OUTER: usize = Self::OPEN + 2;
    /// A piece that attacks a square of the zone, by its face.
    pub(super) const ATTACKER: usize = Self::OUTER + 4;
    /// A piece in the other hand, by kind and number.
    pub(super) const HELD: usize = Self::ATTACKER + Face::MAX;
    /// Squares on which a piece in the other hand gives check and nothing captures it, by kind and number.
    const CHECKS: usize = Self::HELD + MAX_KINDS * THREATENING;
    /// Squares that the king can go to, by their number.
    const FLIGHT: usize = Self::CHECKS + MAX_KINDS * THREATENING;
    /// The opponent is to move.
    const ATTACKER_TO_MOVE: usize = Self::FLIGHT + FLIGHTS;
    /// In every position.
    const ALWAYS: usize = Self::ATTACKER_TO_MOVE + 1;
    /// All weights of danger.
    pub(super) const DANGERS: usize = Self::ALWAYS + 1;

    /// The places of a piece's weights: of the face, of where it is from the own and from the other king, and of its
    /// mobility.
    pub(super) fn of_face(face: Face) -> [Range<usize>; 4] {
        let part = |start: usize, size: usize| {
            start + face.index() * size..start + (face.index() + 1) * size
        };
        [
            part(Self::PIECE, 1),
            part(Self::OWN_KING, Self::DISPLACEMENTS),
            part(Self::OTHER_KING, Self::DISPLACEMENTS),
            part(Self::MOBILITY, Self::MOBILITIES),
        ]
    }

    /// The places of the weights of a kind in hand.
    pub(super) fn of_hand(kind: Kind) -> Range<usize> {
        let start = Self::HAND + kind.index() * IN_HAND;
        start..start + IN_HAND
    }
}

/// The squares around a king.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<G: Geometry> {
    /// The king's square and those next to it.
    zone: Bitboard<G>,
    /// All squares by how many steps they are away.
    rings: [Bitboard<G>; DISTANCES],
}

impl<G: Geometry> Surroundings<G> {
    /// Those of every square.
    pub(super) fn all() -> Vec<Self> {
        let around = |king: Square<G>| {
            let steps = |square: Square<G>| {
                let columns = square.column().abs_diff(king.column());
                usize::from(columns.max(square.rank().abs_diff(king.rank())))
            };
            let rings: [Bitboard<G>; DISTANCES] = std::array::from_fn(|distance| {
                let there = |square: &Square<G>| steps(*square).min(DISTANCES - 1) == distance;
                Square::all().filter(there).collect()
            });
            Self { zone: rings[0] | rings[1], rings }
        };
        Square::all().map(around).collect()
    }
}

/// What a player's pieces attack.
struct Attacks<G: Geometry> {
    /// Squares attacked at least once, twice and three times.
    all: [Bitboard<G>; 3],
    /// The same without the king, once and twice.
    protected: [Bitboard<G>; 2],
    /// What pieces of each class attack; see [`class`].
    by_class: [Bitboard<G>; CLASSES],
}

/// A player as the visit sees it.
struct Side<G: Geometry> {
    number: usize,
    colour: Colour,
    king: Square<G>,
    around: Surroundings<G>,
    attacks: Attacks<G>,
}

impl<G: Geometry> Side<G> {
    /// The rank of a square as this player sees it, from the far side.
    #[inline(always)]
    fn rank(&self, square: Square<G>) -> usize {
        let rank = usize::from(square.rank());
        if self.colour == Colour::Sente { rank } else { G::HEIGHT as usize - 1 - rank }
    }

    /// From a king to a square: columns apart, and ranks as this player sees them.
    #[inline(always)]
    fn displacement(&self, king: Square<G>, square: Square<G>) -> usize {
        let columns = usize::from(square.column().abs_diff(king.column()));
        let ranks = self.rank(square) + G::HEIGHT as usize - 1 - self.rank(king);
        columns * (2 * G::HEIGHT as usize - 1) + ranks
    }
}

/// Classes of pieces by what they are worth.
const CLASSES: usize = 6;

/// The class of a piece: one of a lower class that attacks it is a threat even if it is protected. A promoted
/// pawn is less dear than another gold, since it is a pawn once it is captured.
const fn class(movement: Movement, role: Role) -> usize {
    match (movement.step, movement.slide) {
        (Step::Pawn, Slide::None) => 0,
        (Step::Knight, _) | (_, Slide::Forward) => 1,
        (Step::Silver, _) => 2,
        (_, Slide::None) if matches!(role, Role::Pawn) => 2,
        (_, Slide::None) => 3,
        (Step::None, _) => 4,
        _ => 5,
    }
}

/// Tells a visitor all that is seen of a position; nothing where a king is missing.
#[inline(always)]
pub(super) fn visit<R: RuleTable>(
    surroundings: &[Surroundings<R::Geometry>],
    position: &Position<R>,
    visitor: &mut impl Visitor,
) {
    let us = position.side();
    let (Some(own), Some(other)) = (position.king(us), position.king(!us)) else { return };
    let side = |number: usize, colour: Colour, king: Square<R::Geometry>| Side {
        number,
        colour,
        king,
        around: surroundings[king.index()],
        attacks: Attacks {
            all: [Bitboard::EMPTY; 3],
            protected: [Bitboard::EMPTY; 2],
            by_class: [Bitboard::EMPTY; CLASSES],
        },
    };
    let (mut own, mut other) = (side(0, us, own), side(1, !us, other));
    visit_pieces(position, &mut own, &other, visitor);
    visit_pieces(position, &mut other, &own, visitor);
    for (side, opponent) in [(&own, &other), (&other, &own)] {
        visit_hand(position, side, visitor);
        visit_threats(position, side, opponent, visitor);
        visit_control::<R>(side, opponent, visitor);
        for square in position.blockers(side.king, opponent.colour).0 & position.of(side.colour) {
            let Some(piece) = position.piece(square) else { continue };
            visitor.value(side.number, Layout::<R>::PINNED + piece.face.index(), 1);
        }
        visit_danger(position, side, opponent, visitor);
    }
    visitor.value(0, Layout::<R>::TURN, 1);
}

/// A player's pieces on the board, and the squares that they attack.
#[inline(always)]
fn visit_pieces<R: RuleTable>(
    position: &Position<R>,
    side: &mut Side<R::Geometry>,
    opponent: &Side<R::Geometry>,
    visitor: &mut impl Visitor,
) {
    let (number, own, occupied) = (side.number, position.of(side.colour), position.occupied());
    for face in Face::all::<R>() {
        let (Some(movement), role) = (face.movement::<R>(), face.kind.spec::<R>().role) else {
            continue;
        };
        let class = class(movement, role);
        let [piece, from_own, from_other, mobility] =
            Layout::<R>::of_face(face).map(|range| range.start);
        for square in position.face(face) & own {
            let targets = attacks(movement, side.colour, square, occupied);
            let [once, twice, thrice] = side.attacks.all;
            side.attacks.all =
                [once | targets, twice | (once & targets), thrice | (twice & targets)];
            if role == Role::Royal {
                continue;
            }
            let [once, twice] = side.attacks.protected;
            side.attacks.protected = [once | targets, twice | (once & targets)];
            side.attacks.by_class[class] |= targets;
            visitor.value(number, piece, 1);
            visitor.value(number, from_own + side.displacement(side.king, square), 1);
            visitor.value(number, from_other + side.displacement(opponent.king, square), 1);
            visitor.value(number, mobility + (targets - own).len() as usize, 1);
            if targets.meets(opponent.around.zone) {
                visitor.danger(opponent.number, Layout::<R>::ATTACKER + face.index(), 1);
            }
        }
    }
}

/// A player's hand: its value, and the danger that it is to the other king.
#[inline(always)]
fn visit_hand<R: RuleTable>(
    position: &Position<R>,
    side: &Side<R::Geometry>,
    visitor: &mut impl Visitor,
) {
    let hand = position.hand(side.colour);
    if hand.is_empty() {
        return;
    }
    for kind in Kind::all::<R>() {
        let values = Layout::<R>::of_hand(kind).start;
        let dangers = Layout::<R>::HELD + kind.index() * THREATENING;
        for nth in 0..usize::from(hand.count(kind)) {
            visitor.value(side.number, values + nth.min(IN_HAND - 1), 1);
            if nth < THREATENING {
                visitor.danger(1 - side.number, dangers + nth, 1);
            }
        }
        if kind.spec::<R>().role == Role::Pawn && hand.has(kind) {
            let pawns = position.pawns() & position.of(side.colour);
            let free = (0..R::Geometry::WIDTH).filter_map(|column| Square::new(column, 0));
            let free = free.filter(|&top| !pawns.meets(Bitboard::file(top))).count();
            visitor.value(side.number, Layout::<R>::FILES + free, 1);
        }
    }
}

/// A player's pieces that the opponent threatens to capture.
#[inline(always)]
fn visit_threats<R: RuleTable>(
    position: &Position<R>,
    side: &Side<R::Geometry>,
    opponent: &Side<R::Geometry>,
    visitor: &mut impl Visitor,
) {
    let attacked = (position.of(side.colour) - Bitboard::of(side.king)) & opponent.attacks.all[0];
    for square in attacked {
        let Some(face) = position.piece(square).map(|piece| piece.face) else { continue };
        let place = side.number * Face::MAX + face.index();
        if !side.attacks.all[0].contains(square) {
            visitor.value(side.number, Layout::<R>::UNPROTECTED + place, 1);
            continue;
        }
        let class =
            face.movement::<R>().map_or(0, |movement| class(movement, face.kind.spec::<R>().role));
        let cheaper = &opponent.attacks.by_class[..class];
        if cheaper.iter().any(|attacks| attacks.contains(square)) {
            visitor.value(side.number, Layout::<R>::THREATENED + place, 1);
        }
    }
}

/// The squares that a player's pieces attack.
#[inline(always)]
fn visit_control<R: RuleTable>(
    side: &Side<R::Geometry>,
    opponent: &Side<R::Geometry>,
    visitor: &mut impl Visitor,
) {
    let rings = [side.around.rings, opponent.around.rings];
    let mut place = Layout::<R>::CONTROL;
    for rings in rings {
        for squares in side.attacks.all {
            for ring in rings {
                visitor.value(side.number, place, (squares & ring).len() as i32);
                place += 1;
            }
        }
    }
}

/// The danger that a player's king is in, but for the attackers and the hand.
#[inline(always)]
fn visit_danger<R: RuleTable>(
    position: &Position<R>,
    side: &Side<R::Geometry>,
    opponent: &Side<R::Geometry>,
    visitor: &mut impl Visitor,
) {
    let Surroundings { zone, rings } = side.around;
    let count = |squares: Bitboard<R::Geometry>| squares.len() as i32;
    let mut danger = |weight, times| visitor.danger(side.number, weight, times);
    let [attacked, twice, thrice] = opponent.attacks.all;
    let [protected, well_protected] = side.attacks.protected;
    let occupied = position.occupied();

    for (row, squares) in [attacked - twice, twice - thrice, thrice].into_iter().enumerate() {
        let squares = squares & zone;
        if squares.is_empty() {
            continue;
        }
        let place = Layout::<R>::ZONE + 3 * row;
        danger(place, count(squares - protected));
        danger(place + 1, count(squares & (protected - well_protected)));
        danger(place + 2, count(squares & well_protected));
    }
    let open = zone - occupied - protected;
    danger(Layout::<R>::OPEN, count(open - attacked));
    danger(Layout::<R>::OPEN + 1, count(open & attacked));
    for (row, squares) in [attacked - twice, twice].into_iter().enumerate() {
        let squares = squares & rings[2];
        danger(Layout::<R>::OUTER + 2 * row, count(squares - protected));
        danger(Layout::<R>::OUTER + 2 * row + 1, count(squares & protected));
    }

    // The king captures what is dropped next to it, unless that is protected.
    let safe = !occupied - protected - (zone - attacked);
    let hand = position.hand(opponent.colour);
    for kind in Kind::all::<R>().filter(|&kind| hand.has(kind)) {
        let Some(movement) = Face::front(kind).movement::<R>() else { continue };
        let checks = (attacks(movement, side.colour, side.king, occupied) & safe).len() as usize;
        if checks > 0 {
            let place = Layout::<R>::CHECKS + kind.index() * THREATENING;
            danger(place + checks.min(THREATENING) - 1, 1);
        }
    }
    let flights = (zone - position.of(side.colour) - attacked).len() as usize;
    danger(Layout::<R>::FLIGHT + flights.min(FLIGHTS - 1), 1);
    danger(Layout::<R>::ATTACKER_TO_MOVE, i32::from(opponent.number == 0));
    danger(Layout::<R>::ALWAYS, 1);
}
