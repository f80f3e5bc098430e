//! The variants by name on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
pub use shogi_variants::Variant;

/// Reads the name of a variant.
pub fn parser() -> impl TypedValueParser<Value = Variant> {
    let value = |variant: &Variant| PossibleValue::new(variant.name()).help(variant.title());
    PossibleValuesParser::new(Variant::ALL.iter().map(value))
        .try_map(|name| name.parse::<Variant>())
}
