//! Facts about a rule table that the spaces need: checked at compile time, or computed once for a table loaded
//! at run time.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use shogi_core::{Hand, Kind, Role, RuleTable};

use crate::table::Table;

/// Constants of a rule table.
pub(crate) struct Constants<R>(PhantomData<R>);

impl<R: RuleTable> Constants<R> {
    /// The royal kind of a compiled table.
    ///
    /// A table without exactly one royal kind of two pieces, or with more pieces of a kind than a
    /// hand holds, does not compile; those read at run time are checked when they are read.
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
        assert!(found == 1 || R::RUNTIME, "a space has exactly one royal kind");
        Kind::new(royal)
    };

    /// All facts about the rule table, computed at compile time.
    pub(crate) const TABLE: &'static Table = &Table::of::<R>();

    /// All facts about the rule table.
    #[inline(always)]
    pub(crate) fn table() -> &'static Table {
        R::compiled_or_loaded(|| Self::TABLE, || looked_up(Table::looked_up::<R>()))
    }
}

/// The tables of rule tables that were read at run time; there are no more than can be read.
static LOOKED_UP: Mutex<Vec<&'static Table>> = Mutex::new(Vec::new());

/// The one table with these values.
fn looked_up(table: Table) -> &'static Table {
    let mut known = LOOKED_UP.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|known| known.is_same(&table)) {
        return found;
    }
    let kept: &'static Table = Box::leak(Box::new(table));
    known.push(kept);
    kept
}
