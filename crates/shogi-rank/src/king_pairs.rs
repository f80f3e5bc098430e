//! The pairs of squares on which the two kings stand.

use crate::error::Outside;
use crate::table::Table;

/// Marks pairs that are not in the space.
const NONE: u16 = u16::MAX;

/// The king pairs of a space, numbered.
///
/// Left and right are exchangeable, so Sente's king stays on the left half or the middle file; with
/// it on the middle file, Gote's king stays on the left half or the middle file, too. Pairs are
/// ordered by Sente's square, then by Gote's.
#[derive(Clone, Debug)]
pub(crate) struct KingPairs {
    table: &'static Table,
    pairs: Vec<(u8, u8)>,
    numbers: Vec<u16>,
}

impl KingPairs {
    pub(crate) fn new(table: &'static Table) -> Self {
        let mut pairs = Vec::new();
        let mut numbers = vec![NONE; table.area() * table.area()];
        for sente in table.squares() {
            for gote in table.squares() {
                if sente != gote && check(table, sente, gote).is_ok() {
                    numbers[usize::from(sente) * table.area() + usize::from(gote)] =
                        pairs.len() as u16;
                    pairs.push((sente, gote));
                }
            }
        }
        Self { table, pairs, numbers }
    }

    /// The rule table.
    pub(crate) const fn table(&self) -> &'static Table {
        self.table
    }

    /// The number of pairs; at most 128 * 127, so it fits u16.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The squares of Sente's and Gote's king, pair by pair.
    pub(crate) fn pairs(&self) -> &[(u8, u8)] {
        &self.pairs
    }

    /// The squares of Sente's and Gote's king.
    #[inline(always)]
    pub(crate) fn pair(&self, number: usize) -> (u8, u8) {
        self.pairs[number]
    }

    /// The number of a pair, or why it has none.
    #[inline]
    pub(crate) fn number(&self, sente: u8, gote: u8) -> Result<usize, Outside> {
        match self.numbers[usize::from(sente) * self.table.area() + usize::from(gote)] {
            NONE => Err(check(self.table, sente, gote).err().unwrap_or(Outside::Inconsistent)),
            number => Ok(usize::from(number)),
        }
    }
}

/// Whether a pair of different squares is its own representative among mirror images.
fn check(table: &Table, sente: u8, gote: u8) -> Result<(), Outside> {
    if table.is_right(sente) {
        Err(Outside::SenteKingOnTheRight)
    } else if table.is_middle(sente) && table.is_right(gote) {
        Err(Outside::GoteKingOnTheRight)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::Constants;
    use shogi_rules::{Dobutsu, Minishogi, Shogi};

    #[test]
    fn counts_of_the_literature() {
        assert_eq!(KingPairs::new(Constants::<Minishogi>::TABLE).len(), 310);
        assert_eq!(KingPairs::new(Constants::<Shogi>::TABLE).len(), 3276);
        assert_eq!(KingPairs::new(Constants::<Dobutsu>::TABLE).len(), 4 * 11 + 4 * 7);
    }

    #[test]
    fn pairs_are_as_many_as_a_table_says() {
        for table in
            [Constants::<Minishogi>::TABLE, Constants::<Shogi>::TABLE, Constants::<Dobutsu>::TABLE]
        {
            assert_eq!(KingPairs::new(table).len() as u64, table.king_pairs());
        }
    }

    #[test]
    fn a_pair_or_its_mirror_image_is_a_member() {
        let table = Constants::<Minishogi>::TABLE;
        let kings = KingPairs::new(table);
        for sente in table.squares() {
            for gote in table.squares().filter(|&gote| gote != sente) {
                let (here, there) = (
                    kings.number(sente, gote),
                    kings.number(table.mirror(sente), table.mirror(gote)),
                );
                assert!(here.is_ok() || there.is_ok());
                if let Ok(number) = here {
                    assert_eq!(kings.pair(number), (sente, gote));
                }
            }
        }
    }
}
