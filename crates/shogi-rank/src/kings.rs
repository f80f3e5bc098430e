//! The pairs of squares on which the two kings stand.

use shogi_core::{Geometry, Square};

use crate::error::Outside;

/// Marks pairs that are not in the space.
const NONE: u16 = u16::MAX;

/// The king pairs of a space, numbered.
///
/// Left and right are exchangeable, so Sente's king stays on the left half or the middle file,
/// and on the middle file Gote's king stays on the left half or the middle file too. Pairs are
/// ordered by Sente's square, then by Gote's.
#[derive(Clone, Debug)]
pub(crate) struct KingPairs<G: Geometry> {
    pairs: Vec<(Square<G>, Square<G>)>,
    numbers: Vec<u16>,
}

impl<G: Geometry> KingPairs<G> {
    pub(crate) fn new() -> Self {
        let mut pairs = Vec::new();
        let mut numbers = vec![NONE; G::AREA * G::AREA];
        for sente in Square::<G>::all() {
            for gote in Square::<G>::all() {
                if sente != gote && check(sente, gote).is_ok() {
                    numbers[sente.index() * G::AREA + gote.index()] = pairs.len() as u16;
                    pairs.push((sente, gote));
                }
            }
        }
        Self { pairs, numbers }
    }

    /// The number of pairs; at most 128 * 127, so it fits u16.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The squares of Sente's and Gote's king, pair by pair.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Square<G>, Square<G>)> {
        self.pairs.iter().copied()
    }

    /// The squares of Sente's and Gote's king.
    #[inline(always)]
    pub(crate) fn pair(&self, number: usize) -> (Square<G>, Square<G>) {
        self.pairs[number]
    }

    /// The number of a pair, or why it has none.
    #[inline]
    pub(crate) fn number(&self, sente: Square<G>, gote: Square<G>) -> Result<usize, Outside> {
        match self.numbers[sente.index() * G::AREA + gote.index()] {
            NONE => Err(check(sente, gote).err().unwrap_or(Outside::Inconsistent)),
            number => Ok(usize::from(number)),
        }
    }
}

/// Whether a pair of different squares is its own representative among mirror images.
fn check<G: Geometry>(sente: Square<G>, gote: Square<G>) -> Result<(), Outside> {
    let right_of_middle = |square: Square<G>| square.column() > square.mirror().column();
    if right_of_middle(sente) {
        Err(Outside::SenteKingOnTheRight)
    } else if sente.column() == sente.mirror().column() && right_of_middle(gote) {
        Err(Outside::GoteKingOnTheRight)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi_core::{Board3x4, Board5x5, Board9x9};

    #[test]
    fn counts_of_the_literature() {
        assert_eq!(KingPairs::<Board5x5>::new().len(), 310);
        assert_eq!(KingPairs::<Board9x9>::new().len(), 3276);
        assert_eq!(KingPairs::<Board3x4>::new().len(), 4 * 11 + 4 * 7);
    }

    #[test]
    fn a_pair_or_its_mirror_image_is_a_member() {
        let kings = KingPairs::<Board5x5>::new();
        for sente in Square::<Board5x5>::all() {
            for gote in Square::<Board5x5>::all().filter(|&gote| gote != sente) {
                let (here, there) =
                    (kings.number(sente, gote), kings.number(sente.mirror(), gote.mirror()));
                assert!(here.is_ok() || there.is_ok());
                if let Ok(number) = here {
                    assert_eq!(kings.pair(number), (sente, gote));
                }
            }
        }
    }
}
