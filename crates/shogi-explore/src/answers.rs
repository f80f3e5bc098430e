//! The objects that only a page is sent. All others are the structs that the program prints, too.

use serde::Serialize;
use shogi_variants::PublishedValue;
use shogi_variants::operations::TablebaseMaking;

/// Lines as people write them; `None` for one that cannot be played.
#[derive(Serialize)]
pub(crate) struct Notated {
    pub(crate) lines: Vec<Option<Vec<String>>>,
}

/// The known value of a position without any search.
#[derive(Serialize)]
pub(crate) struct Known {
    /// Its published value.
    pub(crate) known: Option<PublishedValue>,
    /// How a tablebase that has it is made.
    pub(crate) tablebase: Option<TablebaseMaking>,
}

/// The orders that number a variant's start.
#[derive(Serialize)]
pub(crate) struct Orders {
    pub(crate) orders: Vec<OrderOf>,
}

/// An order, and how many placements it numbers.
#[derive(Serialize)]
pub(crate) struct OrderOf {
    pub(crate) order: String,
    pub(crate) positions: String,
}
