//! What the spaces need to know of a rule table, checked at compile time.

use std::marker::PhantomData;

use shogi_core::{Colour, Face, Geometry, Hand, Kind, Role, RuleTable, Square, camp};

/// Constants of a rule table.
pub(crate) struct Constants<R>(PhantomData<R>);

impl<R: RuleTable> Constants<R> {
    /// The royal kind.
    ///
    /// A table without exactly one royal kind of two pieces, or with more pieces of a kind than a
    /// hand holds, does not compile.
    pub(crate) const ROYAL: Kind = {
        let (mut royal, mut found, mut k) = (0, 0, 0);
        while k < R::KINDS.len() {
            let spec = &R::KINDS[k];
            if matches!(spec.role, Role::Royal) {
                assert!(spec.count == 2, "a space has one king for each player");
                assert!(spec.back.is_none(), "a king has no back");
                royal = k as u8;
                found += 1;
            }
            assert!(
                spec.count <= Hand::capacity(Kind::new(k as u8)),
                "a hand must be able to hold every piece of a kind"
            );
            k += 1;
        }
        assert!(found == 1, "a space has exactly one royal kind");
        Kind::new(royal)
    };

    /// Number of squares left by the two kings.
    pub(crate) const LEFT_BY_KINGS: usize = R::Geometry::AREA - 2;

    /// The kinds other than the royal one, in the order of the table.
    pub(crate) fn kinds() -> impl DoubleEndedIterator<Item = Kind> {
        Kind::all::<R>().filter(|&kind| kind != Self::ROYAL)
    }

    /// How many pieces of a kind the set has.
    #[inline(always)]
    pub(crate) fn count(kind: Kind) -> u32 {
        u32::from(R::KINDS[kind.index()].count)
    }

    /// The binary logarithm of the number of ways in which a piece can lie on its square: either
    /// owner, either face if there are two.
    #[inline(always)]
    pub(crate) fn face_bits(kind: Kind) -> u32 {
        if R::KINDS[kind.index()].back.is_some() { 2 } else { 1 }
    }
}

/// Whether a face stands where it can never move again, and that is illegal.
pub(crate) fn is_dead<R: RuleTable>(
    face: Face,
    colour: Colour,
    square: Square<R::Geometry>,
) -> bool {
    let dead_ranks = face.movement::<R>().map_or(0, |movement| movement.dead_ranks());
    !R::ALLOWS_IMMOBILE && camp(colour, dead_ranks).contains(square)
}
