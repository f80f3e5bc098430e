//! The observations in a position, by the places of their weights.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Movement, Position, Role, RuleTable, Slide, Square,
    Step, attacks, face_attacks, for_each_face,
};

use super::layout::{FLIGHTS, IN_HAND, Layout, THREATENING};
use super::surroundings::Surroundings;

/// Receives the observations in a position. The player to move is number 0, the opponent 1.
pub trait Visitor {
    /// A player has the observation of this value weight `times` times.
    fn value(&mut self, player: usize, weight: usize, times: i32);
    /// An observation adds `times` times to the danger of a player's king.
    fn danger(&mut self, player: usize, weight: usize, times: i32);
}

/// The squares that a player's pieces attack.
struct Attacks<G: Geometry> {
    /// Squares attacked at least once, twice and three times.
    all: [Bitboard<G>; 3],
    /// Squares attacked by pieces other than the king, at least once and twice.
    protected: [Bitboard<G>; 2],
    /// Squares attacked by pieces of each class; see [`class`].
    by_class: [Bitboard<G>; CLASSES],
}

impl<G: Geometry> Attacks<G> {
    /// None.
    const NONE: Self = Self {
        all: [Bitboard::EMPTY; 3],
        protected: [Bitboard::EMPTY; 2],
        by_class: [Bitboard::EMPTY; CLASSES],
    };

    /// Adds a piece that attacks these squares, or several pieces whose attacks do not overlap.
    #[inline(always)]
    fn add(&mut self, targets: Bitboard<G>) {
        let [once, twice, thrice] = self.all;
        self.all = [once | targets, twice | (once & targets), thrice | (twice & targets)];
    }
}

/// The visit's data about a player.
struct Side<'s, G: Geometry> {
    number: usize,
    colour: Colour,
    king: Square<G>,
    around: &'s Surroundings<G>,
    attacks: Attacks<G>,
}

/// Classes of pieces by value.
const CLASSES: usize = 6;

/// The class of a piece: an attacker of a lower class is a threat even to a protected piece. A promoted pawn is
/// worth less than another gold, since it becomes a pawn when captured.
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

/// Passes all observations in a position to a visitor; none if a king is missing.
// Long, and called from several places.
#[inline(never)]
pub fn visit_dyn<R: RuleTable>(
    surroundings: &[Surroundings<R::Geometry>],
    position: &Position<R>,
    visitor: &mut dyn Visitor,
) {
    visit::<R, false>(surroundings, position, visitor);
}

/// Passes all observations in a position to a visitor; none if a king is missing. With `FAST` the loops over
/// faces are unrolled.
#[inline(always)]
pub(super) fn visit<R: RuleTable, const FAST: bool>(
    surroundings: &[Surroundings<R::Geometry>],
    position: &Position<R>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let us = position.side();
    let (Some(own), Some(other)) = (position.king(us), position.king(!us)) else { return };
    let side = |number: usize, colour: Colour, king: Square<R::Geometry>| Side {
        number,
        colour,
        king,
        around: &surroundings[king.index()],
        attacks: Attacks::NONE,
    };
    let (mut own, mut other) = (side(0, us, own), side(1, !us, other));
    visit_pieces::<R, FAST>(position, &mut own, &other, visitor);
    visit_pieces::<R, FAST>(position, &mut other, &own, visitor);
    // Not in a loop, so that the compiler knows whose value each is.
    visit_side::<R, FAST>(position, &own, &other, visitor);
    visit_side::<R, FAST>(position, &other, &own, visitor);
    visitor.value(0, Layout::<R>::TURN, 1);
}

/// The observations about a player, once the attacks of both are known.
#[inline(always)]
fn visit_side<R: RuleTable, const FAST: bool>(
    position: &Position<R>,
    side: &Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    visit_hand(position, side, visitor);
    visit_threats::<R, FAST>(position, side, opponent, visitor);
    visit_control::<R>(side, opponent, visitor);
    for square in position.blockers(side.king, opponent.colour).0 & position.of(side.colour) {
        let Some(piece) = position.piece(square) else { continue };
        visitor.value(side.number, Layout::<R>::PINNED + piece.face.index(), 1);
    }
    visit_danger(position, side, opponent, visitor);
}

/// A player's pieces on the board, and the squares that they attack.
#[inline(always)]
fn visit_pieces<R: RuleTable, const FAST: bool>(
    position: &Position<R>,
    side: &mut Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let mut by_king = Bitboard::EMPTY;
    if FAST {
        for_each_face!(R, |face, movement| {
            visit_face(position, (face, movement), side, opponent, &mut by_king, visitor);
        });
    } else {
        for face in Face::all::<R>() {
            let Some(movement) = face.movement::<R>() else { continue };
            visit_face(position, (face, movement), side, opponent, &mut by_king, visitor);
        }
    }
    let attacked = &mut side.attacks;
    let [once, twice, _] = attacked.all;
    attacked.protected = [once, twice];
    attacked.add(by_king);
}

/// A player's pieces with a face. The attacks of a king are kept apart.
#[inline(always)]
fn visit_face<R: RuleTable>(
    position: &Position<R>,
    (face, movement): (Face, Movement),
    side: &mut Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    by_king: &mut Bitboard<R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let &mut Side { number, colour, king, around, attacks: ref mut attacked } = side;
    let (own, occupied) = (position.of(colour), position.occupied());
    let role = face.kind.spec::<R>().role;
    let pieces = position.face(face) & own;
    if role == Role::Royal {
        *by_king |= attacks(movement, colour, king, occupied);
    } else if !pieces.is_empty() {
        let class = class(movement, role);
        let [piece, from_own, from_other, mobility] = Layout::<R>::starts(face);
        let attacker = Layout::<R>::ATTACKER + face.index();
        visitor.value(number, piece, pieces.len() as i32);
        for square in pieces {
            visitor.value(number, from_own + around.displacement(colour, square), 1);
            visitor.value(number, from_other + opponent.around.displacement(colour, square), 1);
        }
        if movement == Movement::PAWN {
            let targets = pieces.forward(colour);
            let mobile = (targets - own).len() as i32;
            visitor.value(number, mobility + 1, mobile);
            visitor.value(number, mobility, pieces.len() as i32 - mobile);
            let attackers = (targets & opponent.around.zone).len() as i32;
            visitor.danger(opponent.number, attacker, attackers);
            attacked.by_class[class] |= targets;
            attacked.add(targets);
        } else {
            for square in pieces {
                let targets = attacks(movement, colour, square, occupied);
                visitor.value(number, mobility + (targets - own).len() as usize, 1);
                let attackers = i32::from(targets.meets(opponent.around.zone));
                visitor.danger(opponent.number, attacker, attackers);
                attacked.by_class[class] |= targets;
                attacked.add(targets);
            }
        }
    }
}

/// A player's hand: its value, and its danger to the other king.
#[inline(always)]
fn visit_hand<R: RuleTable>(
    position: &Position<R>,
    side: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
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
            let mut free = 0;
            for column in 0..R::Geometry::WIDTH {
                let Some(top) = Square::new(column, 0) else { continue };
                free += usize::from(!pawns.meets(Bitboard::file(top)));
            }
            visitor.value(side.number, Layout::<R>::FILES + free, 1);
        }
    }
}

/// A player's pieces that the opponent threatens to capture.
#[inline(always)]
fn visit_threats<R: RuleTable, const FAST: bool>(
    position: &Position<R>,
    side: &Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let attacked = position.of(side.colour) & opponent.attacks.all[0];
    let protected = side.attacks.all[0];
    // By pieces of a class below each.
    let mut by_cheaper = [Bitboard::EMPTY; CLASSES];
    for class in 1..CLASSES {
        by_cheaper[class] = by_cheaper[class - 1] | opponent.attacks.by_class[class - 1];
    }
    let attacked = (attacked, protected, by_cheaper);
    if FAST {
        for_each_face!(R, |face, movement| {
            visit_threatened(position, (face, movement), side.number, attacked, visitor);
        });
    } else {
        for face in Face::all::<R>() {
            let Some(movement) = face.movement::<R>() else { continue };
            visit_threatened(position, (face, movement), side.number, attacked, visitor);
        }
    }
}

/// A player's attacked pieces with a face, by whether they are protected and attacked by pieces below each
/// class.
#[inline(always)]
fn visit_threatened<R: RuleTable>(
    position: &Position<R>,
    (face, movement): (Face, Movement),
    player: usize,
    (attacked, protected, by_cheaper): Threatened<R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let (pieces, role) = (position.face(face) & attacked, face.kind.spec::<R>().role);
    if role != Role::Royal && !pieces.is_empty() {
        let place = player * Face::MAX + face.index();
        let unprotected = (pieces - protected).len() as i32;
        visitor.value(player, Layout::<R>::UNPROTECTED + place, unprotected);
        let threatened = pieces & protected & by_cheaper[class(movement, role)];
        let threatened = threatened.len() as i32;
        visitor.value(player, Layout::<R>::THREATENED + place, threatened);
    }
}

/// The squares of a player's pieces that are attacked, those that are protected, and those that pieces below each class
/// attack.
type Threatened<G> = (Bitboard<G>, Bitboard<G>, [Bitboard<G>; CLASSES]);

/// The squares that a player's pieces attack.
#[inline(always)]
fn visit_control<R: RuleTable>(
    side: &Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
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

/// The danger of a player's king, apart from attackers and hand.
#[inline(always)]
fn visit_danger<R: RuleTable>(
    position: &Position<R>,
    side: &Side<'_, R::Geometry>,
    opponent: &Side<'_, R::Geometry>,
    visitor: &mut (impl Visitor + ?Sized),
) {
    let &Surroundings { zone, rings, .. } = side.around;
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
    for kind in Kind::all::<R>() {
        if !hand.has(kind) {
            continue;
        }
        let face = Face::front(kind);
        let Some(movement) = face.movement::<R>() else { continue };
        let seen = face_attacks::<R>((face, movement), side.colour, side.king, occupied);
        let checks = (seen & safe).len() as usize;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use shogi_rules::{Game, Rules};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;
    use crate::weighted::layout::DISTANCES;

    /// How often each weight counts, by whether it is one of danger, by player and by its place.
    #[derive(Default, PartialEq, Debug)]
    struct Seen(BTreeMap<(bool, usize, usize), i32>);

    impl Seen {
        fn add(&mut self, place: (bool, usize, usize), times: i32) {
            if times != 0 {
                *self.0.entry(place).or_default() += times;
            }
        }
    }

    impl Visitor for Seen {
        fn value(&mut self, player: usize, weight: usize, times: i32) {
            self.add((false, player, weight), times);
        }

        fn danger(&mut self, player: usize, weight: usize, times: i32) {
            self.add((true, player, weight), times);
        }
    }

    /// Whether the naive code below covers the weight: those of pieces, threats, control, attackers and zones.
    fn is_known<R: RuleTable>(&(danger, _, weight): &(bool, usize, usize)) -> bool {
        if danger {
            (Layout::<R>::ZONE..Layout::<R>::OPEN).contains(&weight)
                || (Layout::<R>::ATTACKER..Layout::<R>::HELD).contains(&weight)
        } else {
            (Layout::<R>::PIECE..Layout::<R>::HAND).contains(&weight)
                || (Layout::<R>::OWN_KING..Layout::<R>::PINNED).contains(&weight)
        }
    }

    /// The definitions of these weights, piece by piece and square by square.
    fn naive<R: RuleTable>(position: &Position<R>) -> Seen {
        let mut seen = Seen::default();
        let pieces: Vec<_> = position
            .pieces()
            .map(|(square, piece)| {
                let movement = piece.face.movement::<R>().unwrap();
                let targets = attacks(movement, piece.colour, square, position.occupied());
                let role = piece.face.kind.spec::<R>().role;
                (square, piece, targets, role == Role::Royal, class(movement, role))
            })
            .collect();
        let attackers = |square, colour| {
            let attack =
                move |(_, piece, targets, ..): &&(_, shogi_core::Piece, Bitboard<_>, _, _)| {
                    piece.colour == colour && targets.contains(square)
                };
            pieces.iter().filter(attack)
        };
        let steps = |a: Square<R::Geometry>, b: Square<R::Geometry>| {
            let columns = a.column().abs_diff(b.column());
            usize::from(columns.max(a.rank().abs_diff(b.rank())))
        };
        for (number, us) in [(0, position.side()), (1, !position.side())] {
            let [own_king, other_king] = [us, !us].map(|colour| position.king(colour).unwrap());
            let way = |king: Square<R::Geometry>, square: Square<R::Geometry>| {
                let columns = usize::from(square.column().abs_diff(king.column()));
                let down = i32::from(square.rank()) - i32::from(king.rank());
                let down = if us == Colour::Sente { down } else { -down };
                columns * (2 * Layout::<R>::HEIGHT - 1)
                    + (down + Layout::<R>::HEIGHT as i32 - 1) as usize
            };
            for &(square, piece, targets, royal, class) in &pieces {
                if piece.colour != us || royal {
                    continue;
                }
                let face = piece.face.index();
                let [single, from_own, from_other, mobility] = Layout::<R>::starts(piece.face);
                seen.value(number, single, 1);
                seen.value(number, from_own + way(own_king, square), 1);
                seen.value(number, from_other + way(other_king, square), 1);
                let mobile = targets.iter().filter(|&to| !position.of(us).contains(to)).count();
                seen.value(number, mobility + mobile, 1);
                let near = targets.iter().any(|to| steps(to, other_king) <= 1);
                seen.danger(1 - number, Layout::<R>::ATTACKER + face, i32::from(near));
                let place = number * Face::MAX + face;
                if attackers(square, us).count() == 0 {
                    let attacked = attackers(square, !us).count() > 0;
                    seen.value(number, Layout::<R>::UNPROTECTED + place, i32::from(attacked));
                } else {
                    let cheaper =
                        |&(.., royal, other): &(_, _, _, bool, usize)| !royal && other < class;
                    let threatened = attackers(square, !us).any(cheaper);
                    seen.value(number, Layout::<R>::THREATENED + place, i32::from(threatened));
                }
            }
            for square in Square::all() {
                for times in 0..attackers(square, us).count().min(3) {
                    for (whose, king) in [own_king, other_king].into_iter().enumerate() {
                        let distance = steps(square, king).min(DISTANCES - 1);
                        let place = (whose * 3 + times) * DISTANCES + distance;
                        seen.value(number, Layout::<R>::CONTROL + place, 1);
                    }
                }
                let attacked = attackers(square, !us).count().min(3);
                if attacked > 0 && steps(square, own_king) <= 1 {
                    let protected = attackers(square, us).filter(|piece| !piece.3).count().min(2);
                    let place = Layout::<R>::ZONE + 3 * (attacked - 1) + protected;
                    seen.danger(number, place, 1);
                }
            }
        }
        seen
    }

    fn compare<R: Rules>(games: u64) {
        let surroundings = Surroundings::all();
        let mut random = Random::new(9);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            while game.outcome().is_none() && game.moves().len() < 80 {
                let position = *game.position();
                let mut seen = Seen::default();
                visit_dyn(&surroundings, &position, &mut seen);
                let mut told = Seen::default();
                visit::<R, true>(&surroundings, &position, &mut told);
                assert_eq!(told, seen);
                seen.0.retain(|place, _| is_known::<R>(place));
                assert_eq!(seen, naive(&position));
                game.play(random.pick(&position.legal_moves())).unwrap();
            }
        }
    }

    for_every_variant!(sets_of_squares_say_what_each_piece_and_square_says: compare(20; shogi: 6));
}
