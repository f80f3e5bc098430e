//! Networks over king-relative rows of weights, updated from position to position.
//!
//! [`Rows`] numbers the weights of the first layer; [`Transformer`] adds them up into an
//! [`Accumulators`], one sum of `H` hidden units for each player, of which a move changes a few rows;
//! [`Dense`] is a layer above. All arithmetic is in integers, so that the results are exact and the
//! same on every machine. A network is made of these parts: [`EffortNet`](crate::EffortNet) and
//! [`ValueNet`](crate::ValueNet) are two.

mod dense;
mod item;
mod rows;
mod transformer;
mod view;
mod weights;

pub use dense::{Dense, WEIGHT_UNITS};
pub(crate) use item::{Item, unmoved_king};
pub use rows::{ROW_SET, RowCounts, Rows};
pub use transformer::{Accumulators, HIDDEN_UNITS, MAX_HIDDEN, Transformer};
pub(crate) use transformer::{FirstLayer, Row};
pub(crate) use view::own_side;
pub(crate) use weights::{read_numbers, write_numbers};
