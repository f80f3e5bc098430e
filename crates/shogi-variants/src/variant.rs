//! The rule sets of the family by name: the one list of them, and the one way from a name to a type.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use shogi_rules::Rules;

/// A variant that an engine can play: with tablebases where there are any.
#[cfg(feature = "search")]
macro_rules! engine_variant {
    (Shogi34) => {
        engine_variant!(with_tablebases shogi_rules::Shogi34)
    };
    (Dobutsu) => {
        engine_variant!(with_tablebases shogi_rules::Dobutsu)
    };
    (with_tablebases $rules:ty) => {{
        #[cfg(feature = "tablebase")]
        let variant = EngineVariant::with_tablebases::<$rules, crate::Tablebases<$rules>>();
        #[cfg(not(feature = "tablebase"))]
        let variant = EngineVariant::of::<$rules>();
        variant
    }};
    ($name:ident) => {
        EngineVariant::of::<shogi_rules::$name>()
    };
}

/// Writes the one list of rule sets out as an enum with the way from its values to types.
macro_rules! variants {
    ($(#[doc = $title:literal] $name:ident)*) => {
        /// A rule set of the family, chosen while the program runs.
        ///
        /// ```
        /// use shogi_variants::Variant;
        /// let variant: Variant = "minishogi".parse()?;
        /// assert_eq!(variant.to_string(), "minishogi");
        /// assert_eq!(variant.rules().perft("startpos", 3)?, 2_512);
        /// assert!("chess".parse::<Variant>().is_err());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = $title] $name,)*
        }

        impl Variant {
            /// All variants, the smaller boards' games of five files first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name that scripts and files use, such as `minishogi`: [`Rules::NAME`].
            ///
            /// [`Rules::NAME`]: shogi_rules::Rules::NAME
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => shogi_rules::$name::NAME,)*
                }
            }

            /// The name for people and the size of the board, such as `Minishogi, 5x5`.
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title.trim_ascii(),)*
                }
            }

            /// An engine that is spoken to by USI, plays every variant, and begins with this one.
            ///
            /// ```
            /// use shogi_variants::Variant;
            /// use shogi_variants::search::usi::run;
            /// let mut output = Vec::new();
            /// run("usi\nposition startpos\ngo depth 3".as_bytes(), &mut output, &Variant::Dobutsu.engine())?;
            /// let output = String::from_utf8_lossy(&output);
            /// assert!(output.contains("var kyotoshogi") && output.contains("bestmove "));
            /// # Ok::<(), std::io::Error>(())
            /// ```
            #[cfg(feature = "search")]
            // A crate that it is inlined into compiles the player for all variants again.
            #[inline(never)]
            pub fn engine(self) -> shogi_search::usi::Config {
                use shogi_search::usi::{Config, EngineVariant};

                const VARIANTS: &[EngineVariant] = &[$(engine_variant!($name)),*];
                Config::new(VARIANTS, VARIANTS[self as usize])
            }

            /// Calls a generic function with the rule set as a type.
            ///
            /// This is for programs that bring code of their own for every rule set; what the family
            /// does is there without type parameters, beginning with [`Variant::rules`].
            ///
            /// ```
            /// use shogi_variants::{RuleSet, Variant, Visitor};
            ///
            /// struct Start;
            /// impl Visitor for Start {
            ///     type Output = &'static str;
            ///     fn visit<R: RuleSet>(self) -> &'static str {
            ///         R::START
            ///     }
            /// }
            /// assert_eq!(Variant::Shogi34.visit(Start), "bkr/1p1/1P1/RKB b - 1");
            /// ```
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$name => visitor.visit::<shogi_rules::$name>(),)*
                }
            }
        }
    };
}

variants! {
    /// Minishogi, 5x5
    Minishogi
    /// Kyoto shogi, 5x5
    KyotoShogi
    /// Standard shogi, 9x9
    Shogi
    /// Shogi on 3x4, with any back rank
    Shogi34
    /// Dobutsu shogi, 3x4
    Dobutsu
}

/// A generic function over rule sets, for [`Variant::visit`].
pub trait Visitor {
    /// What the function returns.
    type Output;

    /// Calls the function.
    fn visit<R: RuleSet>(self) -> Self::Output;
}

/// What all rule sets of the family are: [`Rules`], and with the feature `record`
/// [`Recorded`](shogi_rules::record::Recorded).
#[cfg(not(feature = "record"))]
pub trait RuleSet: Rules {}
#[cfg(not(feature = "record"))]
impl<R: Rules> RuleSet for R {}

/// What all rule sets of the family are: [`Rules`], and with the feature `record`
/// [`Recorded`](shogi_rules::record::Recorded).
#[cfg(feature = "record")]
pub trait RuleSet: shogi_rules::record::Recorded {}
#[cfg(feature = "record")]
impl<R: shogi_rules::record::Recorded> RuleSet for R {}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no variant has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no variant: the variants are {names}", names = Names)]
pub struct UnknownVariant(pub String);

/// Displays the names of all variants.
struct Names;

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, variant) in Variant::ALL.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{variant}")?;
        }
        Ok(())
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        let named = Self::ALL.iter().find(|variant| variant.name() == text);
        named.copied().ok_or_else(|| UnknownVariant(text.into()))
    }
}
