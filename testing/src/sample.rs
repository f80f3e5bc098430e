//! Seeded random positions: pieces scattered over board and hands in several styles.

use crate::random::Random;
use shogi_rules::shogi_core::{
    Colour, Face, Faults, Geometry, Kind, Piece, Placement, Position, Role, RuleTable, Square,
};

/// How to scatter the pieces; all numbers are percentages.
#[derive(Clone, Copy)]
pub struct Style {
    /// Pieces that lie in a hand.
    pub in_hand: usize,
    /// Pawns that lie in a hand.
    pub pawns_in_hand: usize,
    /// Pieces that are left in the box.
    pub missing: usize,
    /// Kings on a square of the two outer ranks.
    pub edge_kings: usize,
    /// Pieces on the board that stand within two squares of the king that moves next.
    pub crowd: usize,
    /// Positions with the wrong king in check that are kept by passing the turn to its owner.
    pub pass: usize,
}

impl Style {
    /// Pieces anywhere.
    pub const EVEN: Self =
        Self { in_hand: 35, pawns_in_hand: 35, missing: 0, edge_kings: 20, crowd: 0, pass: 100 };
    /// Nearly everything in hand, kings at the edge.
    pub const FULL_HANDS: Self =
        Self { in_hand: 85, pawns_in_hand: 85, missing: 0, edge_kings: 60, crowd: 30, pass: 100 };
    /// Few pieces at all.
    pub const BARE: Self =
        Self { in_hand: 20, pawns_in_hand: 20, missing: 60, edge_kings: 50, crowd: 40, pass: 100 };
    /// A siege: a king at the edge with both players' pieces around, where mates, drop-pawn mates
    /// and their near misses are common.
    pub const SIEGE: Self =
        Self { in_hand: 10, pawns_in_hand: 80, missing: 0, edge_kings: 95, crowd: 90, pass: 2 };

    /// All styles.
    pub const ALL: [Self; 4] = [Self::EVEN, Self::FULL_HANDS, Self::BARE, Self::SIEGE];
}

/// Scatters the pieces of a rule set. The result may be no legal position.
pub fn scatter<R: RuleTable>(random: &mut Random, style: Style) -> Placement<R> {
    let mut placement = Placement::EMPTY;
    let side = random.pick(&Colour::ALL);
    placement.set_side(side);
    let squares: Vec<Square<R::Geometry>> = Square::all().collect();
    let outer = [0, R::Geometry::height() - 1];
    let edge: Vec<_> = squares.iter().copied().filter(|s| outer.contains(&s.rank())).collect();
    for kind in Kind::all::<R>().filter(|kind| kind.spec::<R>().role == Role::Royal) {
        for colour in Colour::ALL {
            let places = if random.percent(style.edge_kings) { &edge } else { &squares };
            put(random, &mut placement, places, Piece { face: Face::front(kind), colour });
        }
    }
    let near: Vec<_> = match placement.king(!side) {
        Some(king) => squares.iter().copied().filter(|&s| distance(s, king) <= 2).collect(),
        // It found no square where it may stand.
        None => squares.clone(),
    };
    for kind in Kind::all::<R>().filter(|kind| kind.spec::<R>().role != Role::Royal) {
        for _ in 0..kind.spec::<R>().count {
            let colour = random.pick(&Colour::ALL);
            if random.percent(style.missing) {
                continue;
            }
            let promoted = kind.spec::<R>().back.is_some() && random.percent(30);
            let piece = Piece { face: Face { kind, promoted }, colour };
            let places = if random.percent(style.crowd) { &near } else { &squares };
            let is_pawn = kind.spec::<R>().role == Role::Pawn;
            let in_hand = if is_pawn { style.pawns_in_hand } else { style.in_hand };
            if random.percent(in_hand) || !put(random, &mut placement, places, piece) {
                placement.hand_mut(colour).add(kind);
            }
        }
    }
    placement
}

/// Puts a piece on one of the squares and returns whether it found room. Where nifu or a dead rank
/// forbids the square it mostly tries another: else no full set of pawns would ever be legal.
fn put<R: RuleTable>(
    random: &mut Random,
    placement: &mut Placement<R>,
    places: &[Square<R::Geometry>],
    piece: Piece,
) -> bool {
    for _ in 0..8 {
        let square = random.pick(places);
        if placement.piece(square).is_none() {
            placement.put(square, piece);
            if !placement.has_nifu() && !placement.has_immobile() || random.percent(2) {
                return true;
            }
            placement.lift(square);
        }
    }
    false
}

/// King's steps from one square to the other.
fn distance<G: Geometry>(a: Square<G>, b: Square<G>) -> u8 {
    a.column().abs_diff(b.column()).max(a.rank().abs_diff(b.rank()))
}

/// A scattered position that is legal, if need be with the other player to move.
pub fn legal<R: RuleTable>(random: &mut Random, style: Style) -> Position<R> {
    loop {
        let mut placement = scatter::<R>(random, style);
        let wrong_check = placement.faults() == Faults::OPPONENT_IN_CHECK;
        if wrong_check && random.percent(style.pass) {
            placement.set_side(!placement.side());
        }
        if let Ok(position) = Position::new(placement) {
            return position;
        }
    }
}
