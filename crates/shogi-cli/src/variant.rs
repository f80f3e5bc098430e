//! The variants by name, and the way from a name to a rule set.

use std::fmt;

use clap::ValueEnum;

/// A variant as scripts name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "lower")]
pub enum Variant {
    /// Minishogi, 5x5.
    Minishogi,
    /// Kyoto shogi, 5x5.
    KyotoShogi,
    /// Shogi, 9x9.
    Shogi,
    /// 3x4 shogi.
    Shogi34,
    /// Dobutsu shogi, 3x4.
    Dobutsu,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
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
            #[allow(unreachable_patterns, reason = "a list may hold all variants")]
            absent => Err($crate::end::Usage(format!(
                "this is not available for {absent} in this version"
            ))
            .into()),
        }
    };
}
pub(crate) use dispatch;
