//! Checking a tablebase by the rules alone.
//!
//! The check shares with the builder the numbering of the positions and nothing else: moves, ends and captures
//! come from the rules. Once every position agrees with its successors, the table is right, by induction on
//! plies: a position lost in 0 is one without a move or after the end; a value of n plies follows by the rules
//! from values of fewer plies; and a drawn position has a move to a draw and none to a loss of the opponent, so
//! that neither player can force a win.
//!
//! Without plies the induction fails: positions that follow each other in a cycle may all agree and be wrong.
//! For a table of verdicts the plies are recomputed by a build in memory, which is not trusted, either: its
//! values are checked, and the stored verdicts must agree with them.

use std::ops::{ControlFlow, Range};

use shogi_core::{Colour, Placement};
use shogi_rules::{Stalemate, Verdict, to_sfen};

use crate::build::Builder;
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

/// The value of a number, if the totals count it.
type Counted<'a> = dyn Fn(u64) -> Result<Option<Value>, VerifyError> + Sync + 'a;

/// The totals of the counted values of the numbers below `size`.
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

/// The totals of the counted values of some numbers.
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
    /// Proves by the rules alone that every value and the totals of the header are right. If only verdicts are
    /// stored, a [`Builder`] first recomputes the plies.
    ///
    /// Takes memory for the whole table: a byte for each number (with verdicts alone a byte and a quarter, and
    /// the tables of the index), and 16 to 24 bytes for each position of more than 238 plies. `watch` is called
    /// with the count of numbers done, and with 0 while plies are recomputed.
    ///
    /// # Errors
    ///
    /// The first position, in order of number, whose value is wrong; or why the file cannot be read.
    pub fn verify_all(&self, mut watch: impl FnMut(u64)) -> Result<(), VerifyError> {
        let table = Loaded::read(self.container(), self.stored())?;
        let with_plies = match self.stored() {
            Stored::Plies => None,
            Stored::Verdict => Some(self.values_anew(&mut || watch(0))?),
        };
        let values = with_plies.as_ref().unwrap_or(&table);
        let counted = |rank| {
            let value = self.check(rank, Stored::Plies, &|rank| Ok(values.value(rank)))?;
            if with_plies.is_some() {
                self.compare(rank, table.value(rank), value)?;
            }
            Ok(value.filter(|_| !self.index().is_second_twin(rank)))
        };
        let totals = sum(self.index().size(), &counted, &mut watch)?;
        if totals == *self.totals() { Ok(()) } else { Err(VerifyError::Totals) }
    }

    /// The values of all positions, by a new build that takes nothing from the file.
    fn values_anew(&self, watch: &mut dyn FnMut()) -> Result<Loaded, VerifyError> {
        let mut builder = Builder::new(*self.set(), None)?;
        builder.run(|_| {
            watch();
            ControlFlow::Continue(())
        })?;
        Ok(builder.into_values())
    }

    /// Checks that the verdict of a number agrees with its value.
    fn compare(
        &self,
        rank: u64,
        found: Option<Value>,
        value: Option<Value>,
    ) -> Result<(), VerifyError> {
        if found.map(|found| found.verdict) == value.map(|value| value.verdict) {
            return Ok(());
        }
        let placement = self.index().unrank_u64(rank);
        let sfen = placement.map(|placement| to_sfen(&placement)).unwrap_or_default();
        Err(VerifyError::Refuted { sfen, found, expected: value })
    }

    /// Checks the positions with these numbers against their successors. Success means that each agrees with
    /// the stored values of others, not that it is right.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::verify_all`].
    pub fn verify_some(&self, ranks: impl IntoIterator<Item = u64>) -> Result<(), VerifyError> {
        for rank in ranks {
            self.check(rank, self.stored(), &|rank| self.value(rank))?;
        }
        Ok(())
    }

    /// Returns the stored value of a number if it follows by the rules from the values of the successors, with
    /// or without plies.
    fn check(
        &self,
        rank: u64,
        of: Stored,
        stored: &StoredValue<'_>,
    ) -> Result<Option<Value>, VerifyError> {
        let Some(placement) = self.index().unrank_u64(rank) else { return Ok(None) };
        let found = stored(rank)?;
        let expected =
            if is_member(&placement) { Some(self.expected(&placement, stored)?) } else { None };
        let expected = expected.map(|value| match of {
            Stored::Plies => value,
            Stored::Verdict => Value { plies: None, ..value },
        });
        if found == expected {
            Ok(found)
        } else {
            Err(VerifyError::Refuted { sfen: to_sfen(&placement), found, expected })
        }
    }

    /// The value that follows by the rules from those of the successors.
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
            let value = after(self.index(), &placement.play_unchecked(mv), stored)?.before();
            if best.is_none_or(|best| value.order() < best.order()) {
                best = Some(value);
            }
        }
        let drawn = R::stalemate() == Stalemate::Draw && !placement.in_check(placement.side());
        Ok(best.unwrap_or(if drawn { Value::DRAW } else { Value::loss(0) }))
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
    if !R::royal_safety() && placement.in_check(!placement.side()) {
        return Ok(Value::win(1));
    }
    let value = match index.rank_u64(placement) {
        Some(rank) => stored(rank)?,
        None => None,
    };
    value.ok_or_else(|| VerifyError::Missing { sfen: to_sfen(placement) })
}

/// The stored value of a position after the end; in a byte odd plies are wins.
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
mod tests;
