//! Sets of squares, for each width of their words.

use proptest::prelude::*;
use shogi_core::{Bitboard, Board3x4, Board5x5, Board9x9, Geometry, Square, geometry};

geometry! {
    /// As many squares as a word has bits.
    Board8x8: 8 x 8 in u64;
}

/// However its members are visited, they come in the order of squares, and so many of them before each square.
fn members_come_in_order<G: Geometry>(bits: u128) -> Result<(), TestCaseError> {
    let is_member = |square: &Square<G>| bits >> square.index() & 1 == 1;
    let expected: Vec<_> = Square::all().filter(is_member).collect();
    let set: Bitboard<G> = expected.iter().copied().collect();
    let mut squares = set.iter();
    let one_by_one: Vec<_> = std::iter::from_fn(|| squares.next()).collect();
    let mut at_once = Vec::new();
    set.iter().for_each(|square| at_once.push(square));
    prop_assert_eq!(&one_by_one, &expected);
    prop_assert_eq!(&at_once, &expected);
    for square in Square::all() {
        let before = expected.iter().filter(|&&member| member < square).count();
        prop_assert_eq!(set.len_before(square) as usize, before);
    }
    Ok(())
}

proptest! {
    #[test]
    fn members_are_visited_in_order(bits in any::<u128>()) {
        members_come_in_order::<Board3x4>(bits)?;
        members_come_in_order::<Board5x5>(bits)?;
        members_come_in_order::<Board8x8>(bits)?;
        members_come_in_order::<Board9x9>(bits)?;
    }
}
