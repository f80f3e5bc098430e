//! The variants by name on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
pub use shogi_variants::Variant;

/// Reads the name of a variant.
pub fn parser() -> impl TypedValueParser<Value = Variant> {
    let value = |variant: &Variant| PossibleValue::new(variant.name()).help(variant.title());
    PossibleValuesParser::new(Variant::ALL.iter().map(value))
        .try_map(|name| name.parse::<Variant>())
}

/// Evaluates an expression with `$rules` standing for the rule set of a variant.
///
/// The expression is a `Result` with an `anyhow` error. With a list of variants, all others are a
/// [`Usage`](crate::end::Usage) error.
macro_rules! dispatch {
    ($variant:expr, $rules:ident => $call:expr) => {
        $crate::variant::dispatch!($variant, [Minishogi KyotoShogi Shogi Shogi34 Dobutsu], $rules => $call)
    };
    ($variant:expr, [$($name:ident)*], $rules:ident => $call:expr) => {
        match $variant {
            $($crate::variant::Variant::$name => {
                type $rules = shogi_rules::$name;
                $call
            })*
            absent => Err($crate::end::Usage(format!(
                "this is not available for {absent} in this version"
            ))
            .into()),
        }
    };
}
pub(crate) use dispatch;
