//! Arbitrary values keep to their board and rule table, whatever the bytes.
#![cfg(feature = "arbitrary")]

use arbitrary::{Arbitrary, Unstructured};
use proptest::prelude::*;
use shogi_core::{
    Bitboard, Board3x4, Board5x5, Board9x9, Colour, Face, Geometry, Hand, Kind, KindSpec, Move,
    Movement, Placement, Promotion, Role, RuleTable, Square,
};

/// Two faces for the pawn, one for the rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct RookGame;

impl RuleTable for RookGame {
    type Geometry = Board5x5;
    const KINDS: &'static [KindSpec] = &[
        KindSpec::pawn('P', 2, Some(Movement::GOLD)),
        KindSpec::new('R', 2, Movement::ROOK, None),
        KindSpec::royal('K'),
    ];
}

/// Nothing but kings that can be captured: there is nothing to drop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Kings;

impl RuleTable for Kings {
    type Geometry = Board3x4;
    const KINDS: &'static [KindSpec] = &[KindSpec::royal('K')];
    const PROMOTION: Promotion = Promotion::Forced;
    const ROYAL_SAFETY: bool = false;
}

fn stays_on_the_board<G: Geometry>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut u = Unstructured::new(bytes);
    prop_assert!(Square::<G>::arbitrary(&mut u).unwrap().index() < G::AREA);
    let set = Bitboard::<G>::arbitrary(&mut u).unwrap();
    prop_assert_eq!(set - Bitboard::ALL, Bitboard::EMPTY);
    Ok(())
}

fn keeps_to_the_table<R: RuleTable>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut u = Unstructured::new(bytes);
    if let Move::Drop { face, .. } = Move::<R>::arbitrary(&mut u).unwrap() {
        prop_assert!(face.is_droppable::<R>());
    }
    let placement = Placement::<R>::arbitrary(&mut u).unwrap();
    let mut again = Placement::<R>::EMPTY;
    again.set_side(placement.side());
    for (square, piece) in placement.pieces() {
        prop_assert!(Face::all::<R>().any(|face| face == piece.face));
        again.put(square, piece);
    }
    for colour in Colour::ALL {
        for kind in Kind::all::<R>() {
            let count = placement.hand(colour).count(kind);
            let royal = kind.spec::<R>().role == Role::Royal;
            prop_assert!(!royal || !R::royal_safety() || count == 0);
            again.hand_mut(colour).set(kind, count);
        }
    }
    // Nothing is there but what the table has.
    prop_assert_eq!(again, placement);
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_accepted(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        stays_on_the_board::<Board3x4>(&bytes)?;
        stays_on_the_board::<Board9x9>(&bytes)?;
        keeps_to_the_table::<RookGame>(&bytes)?;
        keeps_to_the_table::<Kings>(&bytes)?;
        let hand = Hand::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        prop_assert_eq!(Hand::from_bits(hand.bits()), hand);
    }
}

#[test]
fn no_square_colour_or_sort_of_move_is_shut_out() {
    let (mut squares, mut colours) = (Bitboard::<Board9x9>::EMPTY, [false; 2]);
    let (mut drops, mut boards) = (0, 0);
    for byte in 0..=255 {
        let bytes = [byte; 64];
        squares.insert(Square::arbitrary(&mut Unstructured::new(&bytes)).unwrap());
        colours[Colour::arbitrary(&mut Unstructured::new(&bytes)).unwrap().index()] = true;
        match Move::<RookGame>::arbitrary(&mut Unstructured::new(&bytes)).unwrap() {
            Move::Drop { .. } => drops += 1,
            Move::Board { .. } => boards += 1,
        }
    }
    assert_eq!((squares, colours), (Bitboard::ALL, [true; 2]));
    assert!(drops > 0 && boards > 0);
}
