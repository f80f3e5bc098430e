//! Arbitrary values for fuzzing (feature `arbitrary`): anything that can be written down, legal or
//! not.

use alloc::vec::Vec;

use ::arbitrary::{Arbitrary, Result, Unstructured};

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::hand::Hand;
use crate::moves::Move;
use crate::placement::{Piece, Placement};
use crate::square::Square;
use crate::table::{Face, Kind, Role, RuleTable};
use crate::word::Word;

impl<'a> Arbitrary<'a> for Colour {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(*u.choose(&Self::ALL)?)
    }
}

impl<'a, G: Geometry> Arbitrary<'a> for Square<G> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::from_bit(u.int_in_range(0..=G::area() as u32 - 1)?))
    }
}

impl<'a, G: Geometry> Arbitrary<'a> for Bitboard<G> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::from_word(G::Word::truncate(u.arbitrary()?)))
    }
}

impl<'a> Arbitrary<'a> for Hand {
    /// Any counts, including those of kinds that some rule tables lack.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::from_bits(u.arbitrary()?))
    }
}

impl<'a, R: RuleTable> Arbitrary<'a> for Move<R> {
    /// A move between any two squares, or a drop of any face that the rules allow to be dropped.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let to = u.arbitrary()?;
        let droppable: Vec<Face> =
            Face::all::<R>().filter(|face| face.is_droppable::<R>()).collect();
        if !droppable.is_empty() && u.arbitrary()? {
            return Ok(Self::Drop { face: *u.choose(&droppable)?, to });
        }
        Ok(Self::Board { from: u.arbitrary()?, to, turn: u.arbitrary()? })
    }
}

impl<'a, R: RuleTable> Arbitrary<'a> for Placement<R> {
    /// Any pieces on any squares and any hands, with royal pieces in hand only where they can be
    /// captured.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let faces: Vec<Face> = Face::all::<R>().collect();
        let mut placement = Self::EMPTY;
        placement.set_side(u.arbitrary()?);
        for square in u.arbitrary::<Bitboard<R::Geometry>>()? {
            placement.put(square, Piece { face: *u.choose(&faces)?, colour: u.arbitrary()? });
        }
        for colour in Colour::ALL {
            for kind in Kind::all::<R>() {
                if kind.spec::<R>().role != Role::Royal || !R::royal_safety() {
                    let count = u.int_in_range(0..=Hand::capacity(kind))?;
                    placement.hand_mut(colour).set(kind, count);
                }
            }
        }
        Ok(placement)
    }
}
