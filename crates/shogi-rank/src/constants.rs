//! What the spaces need to know of a rule table, checked at compile time.

use std::marker::PhantomData;

use shogi_core::{Hand, Kind, Role, RuleTable};

use crate::table::Table;

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

    /// All that is known of the rule table at run time.
    pub(crate) const TABLE: &'static Table = &Table::of::<R>();
}
