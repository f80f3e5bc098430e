//! Checking a tablebase by the rules alone.
//!
//! The check shares with the builder the numbering of the positions and nothing else: moves, ends
//! and captures come from the rules. Once every position agrees with its successors, the table is
//! right, by induction on plies: a position lost in 0 is one without a move or after the end; a
//! value of n plies is what the rules make of values of fewer plies; and what is drawn has a move
//! to a draw and none to a loss of the opponent, so that neither player can force a win.

use std::ops::Range;

use shogi_core::{Colour, Placement};
use shogi_rules::{Verdict, to_sfen};

use crate::error::{FileError, VerifyError};
use crate::header::{Stored, Totals};
use crate::index::Index;
use crate::loaded::Loaded;
use crate::parallel::{self, BLOCK};
use crate::tablebase::Tablebase;
use crate::value::Value;
use crate::world::World;

/// Blocks that are checked between two calls of the callback.
const GROUP: u64 = 1 << 10;

/// The stored value of a number.
type StoredValue<'a> = dyn Fn(u64) -> Result<Option<Value>, FileError> + 'a;

/// The value of a number, if it is counted.
type Counted<'a> = dyn Fn(u64) -> Result<Option<Value>, VerifyError> + Sync + 'a;

/// The totals of the values that are counted of the numbers below `size`.
fn sum(
    size: u64,
    counted: &Counted<'_>,
    watch: &mut dyn FnMut(u64),
) -> Result<Totals, VerifyError> {
    let mut totals = Totals::default();
    let blocks = size.div_ceil(BLOCK);
    for first in (0..blocks).step_by(GROUP as usize) {
        let group = first..blocks.min(first + GROUP);
        let sum = |block| sum_of(parallel::numbers_of(block, size), counted);
        for block in parallel::map(group.clone(), &sum) {
            totals = totals.merged(&block?);
        }
        watch(size.min(group.end * BLOCK));
    }
    Ok(totals)
}

/// The totals of the values that are counted of some numbers.
fn sum_of(ranks: Range<u64>, counted: &Counted<'_>) -> Result<Totals, VerifyError> {
    let mut totals = Totals::default();
    for rank in ranks {
        if let Some(value) = counted(rank)? {
            totals = totals.with(value);
        }
    }
    Ok(totals)
}

impl<R: World> Tablebase<R> {
    /// Checks every position against its successors, and the totals of the header. Takes memory
    /// for the whole table. `watch` is called with how many numbers are done.
    ///
    /// With plies stored this is a proof that the table is right; with verdicts alone, that each
    /// agrees with those of its successors.
    ///
    /// # Errors
    ///
    /// The first position in the order of numbers that does not agree, or why the file cannot be
    /// read.
    pub fn verify_all(&self, mut watch: impl FnMut(u64)) -> Result<(), VerifyError> {
        let table = Loaded::read(self.container(), self.stored())?;
        let counted = |rank| {
            let value = self.check(rank, &|rank| Ok(table.value(rank)))?;
            Ok(value.filter(|_| !self.index().is_second_twin(rank)))
        };
        let mut totals = sum(self.index().size(), &counted, &mut watch)?;
        if self.stored() == Stored::Verdict {
            totals.longest = self.totals().longest;
        }
        if totals == *self.totals() { Ok(()) } else { Err(VerifyError::Totals) }
    }

    /// Checks the positions with these numbers against their successors.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::verify_all`].
    pub fn verify_some(&self, ranks: impl IntoIterator<Item = u64>) -> Result<(), VerifyError> {
        for rank in ranks {
            self.check(rank, &|rank| self.value(rank))?;
        }
        Ok(())
    }

    /// The stored value of a number, if it is the one that the rules make of the values of the
    /// successors.
    fn check(&self, rank: u64, stored: &StoredValue<'_>) -> Result<Option<Value>, VerifyError> {
        let Some(placement) = self.index().unrank_u64(rank) else { return Ok(None) };
        let found = stored(rank)?;
        let expected =
            if is_member(&placement) { Some(self.expected(&placement, stored)?) } else { None };
        let expected = expected.map(|value| match self.stored() {
            Stored::Plies => value,
            Stored::Verdict => Value { plies: None, ..value },
        });
        if found == expected {
            Ok(found)
        } else {
            Err(VerifyError::Refuted { sfen: to_sfen(&placement), found, expected })
        }
    }

    /// What the rules make of the values of the successors.
    fn expected(
        &self,
        placement: &Placement<R>,
        stored: &StoredValue<'_>,
    ) -> Result<Value, VerifyError> {
        if let Some(value) = ended(placement) {
            return Ok(value);
        }
        let mut best = None::<Value>;
        for mv in placement.legal_moves() {
            let value = after(self.index(), &placement.play(mv), stored)?.before();
            if best.is_none_or(|best| value.order() < best.order()) {
                best = Some(value);
            }
        }
        Ok(best.unwrap_or(Value::loss(0)))
    }
}

/// The value of a position after a move.
fn after<R: World>(
    index: &Index<R>,
    placement: &Placement<R>,
    stored: &StoredValue<'_>,
) -> Result<Value, VerifyError> {
    if let Some(value) = ended(placement) {
        return Ok(value);
    }
    if !R::ROYAL_SAFETY && placement.in_check(!placement.side()) {
        return Ok(Value::win(1));
    }
    let value = match index.rank_u64(placement) {
        Some(rank) => stored(rank)?,
        None => None,
    };
    value.ok_or_else(|| VerifyError::Missing { sfen: to_sfen(placement) })
}

/// What is stored of a position after the end; a byte tells wins by odd plies.
fn ended<R: World>(placement: &Placement<R>) -> Option<Value> {
    R::is_over(placement).then(|| match R::verdict(placement) {
        Some(Verdict::Win) => Value::win(1),
        Some(Verdict::Loss) => Value::loss(0),
        _ => Value::DRAW,
    })
}

/// Whether a position of the index is one whose value is stored.
pub(crate) fn is_member<R: World>(placement: &Placement<R>) -> bool {
    placement.faults().is_empty() && !placement.in_check(Colour::Gote)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use shogi_rules::Shogi34;

    use super::*;
    use crate::{Builder, PieceSet, Progress};

    #[test]
    fn a_table_of_a_build_that_was_broken_off_is_refuted() {
        let set = PieceSet::<Shogi34>::parse("P1G1K2").unwrap();
        let mut builder = Builder::new(set, None).unwrap();
        let stop = |progress: &Progress| match progress.plies {
            Some(4) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert!(builder.run(stop).unwrap().is_none());
        let name = format!("shogi-tablebase-broken-off-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        builder.finish().write(&path, Stored::Plies).unwrap();
        let table = Tablebase::<Shogi34>::open(&path).unwrap();
        let error = table.verify_all(|_| ()).unwrap_err();
        let VerifyError::Refuted { found, .. } = error else { panic!("{error}") };
        assert_eq!(found, Some(Value::DRAW));
        std::fs::remove_file(path).unwrap();
    }
}
