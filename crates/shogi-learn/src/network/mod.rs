//! Layers of networks while they are fitted.

mod adam;
mod model;

pub(crate) use adam::Step;
pub(crate) use model::{AddedRows, DenseModel, MAX_HIDDEN_VALUE, TransformerModel, joined, parted};
