//! One list of variants for all tests: the five whose rules differ most. The other ones, which are near to these, have
//! tests where they differ.

/// Stamps a law, a function generic over the rule set, onto these variants: a test for each, in a module with
/// the name of the law's statement.
///
/// ```ignore
/// fn round_trip<R: Rules>() { ... }
/// fn follow<R: Rules>(games: u64) { ... }
///
/// for_every_variant!(every_start_is_read_back: round_trip());
/// // With an argument, and another one for standard shogi, which takes longer.
/// for_every_variant!(sums_are_kept_up_to_date: follow(60; shogi: 6));
/// ```
#[macro_export]
macro_rules! for_every_variant {
    ($statement:ident: $law:ident()) => {
        $crate::for_every_variant!(@stamp $statement, $law, (), ());
    };
    ($statement:ident: $law:ident($argument:expr)) => {
        $crate::for_every_variant!(@stamp $statement, $law, ($argument), ($argument));
    };
    ($statement:ident: $law:ident($argument:expr; shogi: $large:expr)) => {
        $crate::for_every_variant!(@stamp $statement, $law, ($argument), ($large));
    };
    (@stamp $statement:ident, $law:ident, $arguments:tt, $large:tt) => {
        mod $statement {
            use super::$law;

            #[test]
            fn minishogi() {
                $law::<$crate::shogi_rules::Minishogi>$arguments;
            }

            #[test]
            fn kyotoshogi() {
                $law::<$crate::shogi_rules::KyotoShogi>$arguments;
            }

            #[test]
            fn shogi() {
                $law::<$crate::shogi_rules::Shogi>$large;
            }

            #[test]
            fn shogi34() {
                $law::<$crate::shogi_rules::Shogi34>$arguments;
            }

            #[test]
            fn dobutsu() {
                $law::<$crate::shogi_rules::Dobutsu>$arguments;
            }
        }
    };
}
