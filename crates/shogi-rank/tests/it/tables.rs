//! Rule tables so small that their spaces can be enumerated.

use std::collections::HashSet;

use shogi_core::*;
use testing::rule_table;

geometry! {
    /// A board with a middle file and little else.
    pub Board3x3: 3 x 3 in u16;
    /// A board without a middle file.
    pub Board4x3: 4 x 3 in u16;
    /// A board with room along its ranks.
    pub Board5x3: 5 x 3 in u16;
    /// A board without a middle file, with room along its files.
    pub Board2x5: 2 x 5 in u16;
}

rule_table! {
    /// Two pawns.
    Pawns on Board3x4: [KindSpec::pawn('P', 2, Some(Movement::GOLD)), KindSpec::royal('K')]
}

rule_table! {
    /// A king between the other kinds, three pieces of one of them.
    Golds on Board3x3: [
        KindSpec::new('G', 3, Movement::GOLD, None),
        KindSpec::royal('K'),
        KindSpec::new('N', 1, Movement::KNIGHT, Some(Movement::LANCE)),
    ]
}

rule_table! {
    /// An even number of files, and two kinds that are restricted.
    Wide on Board4x3: [
        KindSpec::royal('K'),
        KindSpec::pawn('P', 2, None),
        KindSpec::new('L', 1, Movement::LANCE, Some(Movement::GOLD)),
    ]
}

rule_table! {
    /// Pieces that slide straight, one of them straight ahead only.
    Rooks on Board3x3: [
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
        KindSpec::new('L', 1, Movement::LANCE, Some(Movement::GOLD)),
    ]
}

rule_table! {
    /// Pieces that slide aslant.
    Bishops on Board3x4: [
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// A board and a set that are too large together.
    Vast on Board9x9: [
        KindSpec::new('S', 4, Movement::SILVER, Some(Movement::GOLD)),
        KindSpec::new('G', 4, Movement::GOLD, None),
        KindSpec::new('N', 4, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::new('R', 1, Movement::ROOK, None),
        KindSpec::new('B', 1, Movement::BISHOP, None),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// Three pawns, and no piece that slides.
    Trio on Board3x3: [KindSpec::pawn('P', 3, Some(Movement::GOLD)), KindSpec::royal('K')]
}

rule_table! {
    /// Pawns that stand between a rook and its target.
    Covers on Board3x3: [
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// A game of 3x4 shogi whose pieces may stand everywhere but the pawns.
    RooksAndBishops on Board3x4: [
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::new('B', 2, Movement::BISHOP, Some(Movement::HORSE)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// A game of 3x4 shogi in which all unpromoted pieces are restricted.
    KnightsAndLances on Board3x4: [
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('L', 2, Movement::LANCE, Some(Movement::GOLD)),
        KindSpec::new('N', 2, Movement::KNIGHT, Some(Movement::GOLD)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// Long ranks.
    Long on Board5x3: [
        KindSpec::royal('K'),
        KindSpec::new('R', 1, Movement::ROOK, Some(Movement::DRAGON)),
        KindSpec::new('G', 1, Movement::GOLD, None),
    ]
}

rule_table! {
    /// Long files, an even number of them.
    Tall on Board2x5: [
        KindSpec::pawn('P', 2, None),
        KindSpec::new('L', 1, Movement::LANCE, Some(Movement::BISHOP)),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// Two kinds of pawns, which are nifu together.
    Twins on Board3x3: [
        KindSpec::pawn('P', 1, None),
        KindSpec::royal('K'),
        KindSpec::pawn('Q', 1, Some(Movement::ROOK)),
    ]
}

rule_table! {
    /// Neither nifu nor immobile pieces nor moving into check are illegal.
    Lawless on Board3x3: [
        KindSpec::pawn('P', 2, Some(Movement::ROOK)),
        KindSpec::new('N', 1, Movement::KNIGHT, Some(Movement::BISHOP)),
        KindSpec::royal('K'),
    ]
    ALLOWS_NIFU: bool = true;
    ALLOWS_IMMOBILE: bool = true;
    ROYAL_SAFETY: bool = false;
}

rule_table! {
    /// Pieces some of which are dropped with one face up only.
    PawnsAndGolds on Board3x3: [
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('G', 2, Movement::GOLD, None),
        KindSpec::royal('K'),
    ]
}

rule_table! {
    /// More pawns than can be tested for nifu together.
    ThreePawns on Board3x3: [KindSpec::pawn('P', 3, None), KindSpec::royal('K')]
}

/// Every placement of the pieces with Sente to move, made piece by piece.
pub fn enumerate<R: RuleTable>() -> HashSet<Placement<R>> {
    let royal = Kind::all::<R>().find(|k| k.spec::<R>().role == Role::Royal).unwrap();
    let mut placements = HashSet::from([Placement::EMPTY]);
    for colour in Colour::ALL {
        placements = everywhere(&placements, &[Piece { face: Face::front(royal), colour }], None);
    }
    for kind in Kind::all::<R>().filter(|&kind| kind != royal) {
        let faces = Face::all::<R>().filter(|face| face.kind == kind);
        let pieces: Vec<Piece> =
            faces.flat_map(|face| Colour::ALL.map(|colour| Piece { face, colour })).collect();
        for _ in 0..kind.spec::<R>().count {
            placements = everywhere(&placements, &pieces, Some(kind));
        }
    }
    placements
}

/// All ways to add one piece: any of `pieces` to any empty square, or the kind to any hand.
fn everywhere<R: RuleTable>(
    placements: &HashSet<Placement<R>>,
    pieces: &[Piece],
    in_hand: Option<Kind>,
) -> HashSet<Placement<R>> {
    let mut more = HashSet::new();
    for &placement in placements {
        for square in !placement.occupied() {
            more.extend(pieces.iter().map(|&piece| {
                let mut next = placement;
                next.put(square, piece);
                next
            }));
        }
        more.extend(in_hand.into_iter().flat_map(|kind| {
            Colour::ALL.map(|colour| {
                let mut next = placement;
                next.hand_mut(colour).add(kind);
                next
            })
        }));
    }
    more
}

/// Whether the mirror image is smaller, in some total order of the two.
pub fn mirror_is_smaller<R: RuleTable>(placement: &Placement<R>) -> bool {
    let key = |p: &Placement<R>| {
        let kinds: Vec<_> = Kind::all::<R>().map(|kind| p.kind(kind)).collect();
        (kinds, p.promoted(), p.of(Colour::Sente))
    };
    key(&placement.mirror()) < key(placement)
}
