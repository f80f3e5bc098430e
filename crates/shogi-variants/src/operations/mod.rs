//! Whole tasks on a variant that is chosen while the program runs.
//!
//! The libraries are generic over the rule set, and stay so down to their hot loops. A task here (the
//! moves of one position, a perft, a proof) takes and gives text and plain structs and is one virtual
//! call; everything below that call is compiled for its rule set. Each module needs the feature of the
//! library behind it:
//!
//! | trait | from | feature |
//! |---|---|---|
//! | [`AnyRules`] | [`Variant::rules`](crate::Variant::rules) | `rules` |
//!
//! Where a task takes a position, the text is in any of these forms, leading blanks and a byte-order
//! mark ignored: SFEN with or without the word `sfen` before it, `startpos`, and what USI puts after
//! and with the word `position`, moves included.

mod error;
mod position;
mod rules;
#[cfg(feature = "serde")]
mod serde;

use core::marker::PhantomData;

pub use error::Error;
pub use rules::{AnyRules, Moves};

use crate::{RuleSet, Variant, Visitor};

/// A rule set as a value: what implements the traits of this module.
struct Of<R>(PhantomData<fn() -> R>);

impl<R: 'static> Of<R> {
    const NEW: &'static Self = &Self(PhantomData);
}

impl Variant {
    /// Positions, moves and perft.
    pub fn rules(self) -> &'static dyn AnyRules {
        struct Select;
        impl Visitor for Select {
            type Output = &'static dyn AnyRules;
            fn visit<R: RuleSet>(self) -> Self::Output {
                Of::<R>::NEW
            }
        }
        self.visit(Select)
    }
}
