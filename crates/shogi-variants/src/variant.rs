//! The rule sets of the family by name: the one list of them, and the one way from a name to a type.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

#[cfg(feature = "text")]
use shogi_rules::LoadedRules;
use shogi_rules::Rules;
#[cfg(feature = "text")]
use shogi_rules::text::{BUILT_IN, BeyondText, Definition, TextLoadError, TextVariant};
#[cfg(feature = "search")]
use shogi_search::usi::EngineVariant;

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

/// Variants with the games that are built in as texts after them.
#[cfg(all(feature = "search", feature = "text"))]
const fn with_texts<const ALL: usize>(compiled: &[EngineVariant]) -> [EngineVariant; ALL] {
    let (mut all, mut n) = ([compiled[0]; ALL], 0);
    while n < ALL {
        all[n] = if n < compiled.len() {
            compiled[n]
        } else {
            EngineVariant::built_in(BUILT_IN[n - compiled.len()])
        };
        n += 1;
    }
    all
}

/// `call_within!(rules, R => f::<R>(x))` calls a generic function with loaded rules as the type `R`, which are entered for the
/// call and left after it.
#[cfg(feature = "text")]
macro_rules! call_within {
    ($rules:expr, $R:ident => $call:expr) => {
        if $rules.is_small() {
            type $R = shogi_rules::SmallBoard;
            $rules.within(|| $call)
        } else {
            type $R = shogi_rules::LargeBoard;
            $rules.within(|| $call)
        }
    };
}
#[cfg(feature = "text")]
pub(crate) use call_within;

/// Writes the one list of rule sets out as an enum with the way from its values to types.
macro_rules! variants {
    ($d:tt $(#[doc = $title:literal] $name:ident)*) => {
        /// `call!(variant, R => f::<R>(x))` calls a generic function with the rule set of a variant as the type `R`. One that
        /// was read as text is entered for the call and left after it, so that callers never see which one a thread works with.
        macro_rules! call {
            ($d variant:expr, $d R:ident => $d call:expr) => {
                match $d variant {
                    $($crate::Variant::$name => {
                        type $d R = shogi_rules::$name;
                        $d call
                    })*
                    #[cfg(feature = "text")]
                    $crate::Variant::Text(text) => {
                        $crate::variant::call_within!(text.rules(), $d R => $d call)
                    }
                }
            };
        }
        pub(crate) use call;

        /// `of_each_rule_set!(Positions of Position)` declares an enum with a `Position` of one of the rule sets, which is made of
        /// typed positions.
        macro_rules! of_each_rule_set {
            ($d(#[$d meta:meta])* $d Held:ident of $d Typed:ident) => {
                $d(#[$d meta])*
                pub(crate) enum $d Held {
                    $($name($d Typed<shogi_rules::$name>),)*
                    #[cfg(feature = "text")]
                    SmallBoard($d Typed<shogi_rules::SmallBoard>),
                    #[cfg(feature = "text")]
                    LargeBoard($d Typed<shogi_rules::LargeBoard>),
                }

                $(
                    impl From<$d Typed<shogi_rules::$name>> for $d Held {
                        fn from(typed: $d Typed<shogi_rules::$name>) -> Self {
                            Self::$name(typed)
                        }
                    }
                )*

                #[cfg(feature = "text")]
                impl From<$d Typed<shogi_rules::SmallBoard>> for $d Held {
                    fn from(typed: $d Typed<shogi_rules::SmallBoard>) -> Self {
                        Self::SmallBoard(typed)
                    }
                }

                #[cfg(feature = "text")]
                impl From<$d Typed<shogi_rules::LargeBoard>> for $d Held {
                    fn from(typed: $d Typed<shogi_rules::LargeBoard>) -> Self {
                        Self::LargeBoard(typed)
                    }
                }
            };
        }
        pub(crate) use of_each_rule_set;

        /// `value_of_any_variant!(AnyPosition: Positions of Position)` declares that enum as what `AnyPosition` holds beside its
        /// variant, and the ways to `AnyPosition` from typed positions, and back.
        macro_rules! value_of_any_variant {
            ($d Any:ident: $d Held:ident of $d Typed:ident) => {
                crate::variant::of_each_rule_set!(#[derive(Clone, PartialEq, Eq)] $d Held of $d Typed);

                $(
                    impl From<$d Typed<shogi_rules::$name>> for $d Any {
                        fn from(typed: $d Typed<shogi_rules::$name>) -> Self {
                            Self::of($crate::Variant::$name, typed.into())
                        }
                    }
                )*

                impl $d Any {
                    /// The variant.
                    pub const fn variant(&self) -> $crate::Variant {
                        self.variant
                    }

                    /// The typed value, for code that [`Variant::visit`] calls; `None` for another rule set, and for a variant
                    /// read as text where the thread does not work with its rules, as it does inside such a call.
                    ///
                    /// [`Variant::visit`]: crate::Variant::visit
                    pub fn typed<R: $crate::RuleSet>(&self) -> Option<&$d Typed<R>> {
                        if !self.variant.is_in_use() {
                            return None;
                        }
                        let typed: &dyn core::any::Any = match &self.held {
                            $($d Held::$name(typed) => typed,)*
                            #[cfg(feature = "text")]
                            $d Held::SmallBoard(typed) => typed,
                            #[cfg(feature = "text")]
                            $d Held::LargeBoard(typed) => typed,
                        };
                        typed.downcast_ref()
                    }
                }
            };
        }
        pub(crate) use value_of_any_variant;

        /// `held!(self, &self.held, Positions<R>(position) => work(position))` works on what such a value holds, within its
        /// rule set, which is the type `R`.
        macro_rules! held {
            ($d any:expr, $d held:expr, $d Held:ident<$d R:ident>($d typed:ident) => $d work:expr) => {
                $d any.variant.within(|| match $d held {
                    $($d Held::$name($d typed) => {
                        #[allow(dead_code, reason = "not all work names the type")]
                        type $d R = shogi_rules::$name;
                        $d work
                    })*
                    #[cfg(feature = "text")]
                    $d Held::SmallBoard($d typed) => {
                        #[allow(dead_code, reason = "not all work names the type")]
                        type $d R = shogi_rules::SmallBoard;
                        $d work
                    }
                    #[cfg(feature = "text")]
                    $d Held::LargeBoard($d typed) => {
                        #[allow(dead_code, reason = "not all work names the type")]
                        type $d R = shogi_rules::LargeBoard;
                        $d work
                    }
                })
            };
        }
        pub(crate) use held;

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
            /// A variant that was read as text: [`Variant::from_text`].
            #[cfg(feature = "text")]
            Text(TextVariant),
        }

        impl Variant {
            /// All variants that rules are compiled for, the smaller boards' games of five files first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name that scripts and files use, such as `minishogi`: [`Rules::NAME`].
            ///
            /// [`Rules::NAME`]: shogi_rules::Rules::NAME
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => shogi_rules::$name::NAME,)*
                    #[cfg(feature = "text")]
                    Self::Text(text) => text.name(),
                }
            }

            /// The name for people and the size of the board, such as `Minishogi, 5x5`.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title.trim_ascii(),)*
                    #[cfg(feature = "text")]
                    Self::Text(text) => text.title(),
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
                use shogi_search::usi::Config;

                const COMPILED: &[EngineVariant] = &[$(engine_variant!($name)),*];
                #[cfg(not(feature = "text"))]
                const VARIANTS: &[EngineVariant] = COMPILED;
                #[cfg(feature = "text")]
                const VARIANTS: &[EngineVariant] = &with_texts::<{ COMPILED.len() + BUILT_IN.len() }>(COMPILED);
                #[cfg(feature = "text")]
                if let Self::Text(text) = self {
                    return Config::new(VARIANTS, EngineVariant::loaded(text.rules()));
                }
                let named = VARIANTS.iter().find(|variant| variant.name() == self.name());
                Config::new(VARIANTS, named.copied().unwrap_or(VARIANTS[0]))
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
                call!(self, R => visitor.visit::<R>())
            }
        }
    };
}

variants! { $
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

/// As its name, or as a whole text where it was read from one that is not built in.
///
/// ```
/// use shogi_variants::Variant;
/// assert_eq!(serde_json::to_string(&Variant::Dobutsu)?, "\"dobutsu\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "serde")]
impl serde::Serialize for Variant {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[cfg(feature = "text")]
        if let Self::Text(text) = self
            && !self.is_built_in()
        {
            return serializer.collect_str(text.definition());
        }
        serializer.serialize_str(self.name())
    }
}

/// From the name of a game, built-in ones first, or from a text as [`Variant::from_text`] reads it, which has several lines.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Variant {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;

        let text = String::deserialize(deserializer)?;
        #[cfg(feature = "text")]
        if text.contains('\n') {
            return Self::from_text(&text).map_err(D::Error::custom);
        }
        #[cfg(feature = "text")]
        if let Ok(variant) = Self::built_in_named(&text) {
            return Ok(variant);
        }
        text.parse().map_err(D::Error::custom)
    }
}

impl Variant {
    /// Whether the thread can work with what is typed by its rules.
    pub(crate) fn is_in_use(self) -> bool {
        match self {
            #[cfg(feature = "text")]
            Self::Text(text) => LoadedRules::entered() == Some(text.rules()),
            _ => true,
        }
    }

    /// Calls a function while the thread works with the rules of the variant, if they were read as text.
    pub(crate) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        match self {
            #[cfg(feature = "text")]
            Self::Text(text) => text.rules().within(work),
            _ => work(),
        }
    }
}

/// A generic function over rule sets, for [`Variant::visit`].
pub trait Visitor {
    /// The result of the function.
    type Output;

    /// Calls the function.
    fn visit<R: RuleSet>(self) -> Self::Output;
}

/// The traits of all rule sets of the family: [`Rules`], and with the feature `record`
/// [`Recorded`](shogi_records::Recorded).
#[cfg(not(feature = "record"))]
pub trait RuleSet: Rules {}
#[cfg(not(feature = "record"))]
impl<R: Rules> RuleSet for R {}

/// The traits of all rule sets of the family: [`Rules`], and with the feature `record`
/// [`Recorded`](shogi_records::Recorded).
#[cfg(feature = "record")]
pub trait RuleSet: shogi_records::Recorded {}
#[cfg(feature = "record")]
impl<R: shogi_records::Recorded> RuleSet for R {}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(feature = "text")]
impl Variant {
    /// The variant that a text describes; see [`shogi_rules::text`] for the format.
    ///
    /// The tasks on it run the same code as on the other variants, in about twice the time. Those of
    /// [`Variant::ranking`] and [`Variant::reach`] fail with the reason where they have no method for its rules; those
    /// of [`Variant::learning`] need compiled rules, but for matches.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let text = r#"
    /// name = "pawngame"
    /// start = "1k1/1p1/1P1/1K1 b - 1"
    /// [pieces]
    /// P = { front = "pawn", back = "gold" }
    /// K = { front = "king", royal = true }
    /// "#;
    /// let variant = Variant::from_text(text)?;
    /// assert_eq!(variant.name(), "pawngame");
    /// assert_eq!(variant.rules().moves("startpos", None)?.moves.len(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self, TextLoadError> {
        TextVariant::load(text).map(Self::Text)
    }

    /// A built-in game as a text, to make another one of it.
    ///
    /// # Errors
    ///
    /// If it decides more than a text can say, as no game of today does.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// assert!(Variant::Minishogi.to_text()?.starts_with("name = \"minishogi\"\n"));
    /// assert!(Variant::Dobutsu.to_text()?.contains("into_check = \"legal\"\n"));
    /// # Ok::<(), shogi_rules::text::BeyondText>(())
    /// ```
    pub fn to_text(self) -> Result<String, BeyondText> {
        use alloc::string::ToString as _;

        Ok(self.definition()?.to_string())
    }

    /// The definition that a text of it has.
    pub(crate) fn definition(self) -> Result<Definition, BeyondText> {
        if let Self::Text(text) = self {
            return Ok(text.definition().clone());
        }
        let title = self.title().split(',').next().unwrap_or_default();
        #[cfg_attr(not(feature = "record"), expect(unused_mut))]
        let mut definition = call!(self, R => Definition::of::<R>(title))?;
        #[cfg(feature = "record")]
        for (faces, piece) in definition
            .faces
            .iter_mut()
            .zip(self.rules().pieces(Some(shogi_rules::Dialect::Lishogi)))
        {
            faces[0].kanji = Some(piece.front.kanji.into());
            faces[1].kanji = piece.back.map(|back| back.kanji.into());
        }
        Ok(definition)
    }

    /// The hash by which files name its rules: [`rules_hash`](shogi_rules::rules_hash).
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let copy = Variant::from_text(&Variant::Minishogi.to_text()?)?;
    /// assert_eq!(copy.rules_hash(), Variant::Minishogi.rules_hash());
    /// assert_ne!(copy.rules_hash(), Variant::KyotoShogi.rules_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules_hash(self) -> [u8; 32] {
        call!(self, R => shogi_rules::rules_hash::<R>())
    }

    /// The name and the title of every built-in game: of [`Variant::ALL`], and of those that are built in as
    /// texts.
    pub fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
        let compiled = Self::ALL.iter().map(|variant| (variant.name(), variant.title()));
        compiled.chain(BUILT_IN.iter().map(|game| (game.name, game.title)))
    }

    /// The built-in game with this name, whatever has been loaded: [`str::parse`] finds first a text that was loaded under
    /// the name of a game that is built in as a text.
    ///
    /// # Errors
    ///
    /// If no built-in game has this name.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let micro = Variant::built_in_named("micro")?;
    /// let text = micro.to_text().unwrap().replace("result = \"draw\"", "result = \"sente wins\"");
    /// assert_eq!(Variant::built_in_named("micro")?, micro);
    /// assert!(micro.is_built_in() && !Variant::from_text(&text).unwrap().is_built_in());
    /// # Ok::<(), shogi_variants::UnknownVariant>(())
    /// ```
    pub fn built_in_named(name: &str) -> Result<Self, UnknownVariant> {
        let compiled = Self::ALL.iter().find(|variant| variant.name() == name).copied();
        let text = || {
            let game = BUILT_IN.iter().find(|game| game.name == name)?;
            Self::from_text(game.text).ok()
        };
        compiled.or_else(text).ok_or_else(|| UnknownVariant(name.into()))
    }

    /// All games with this name: the one that is built in, then those that were loaded as texts, the last one first. A file
    /// that names a game without its rules is of the one whose hash it has.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// assert_eq!(Variant::all_named("dobutsu"), [Variant::Dobutsu]);
    /// assert!(Variant::all_named("chess").is_empty());
    /// ```
    pub fn all_named(name: &str) -> alloc::vec::Vec<Self> {
        let built_in = Self::built_in_named(name).ok();
        let loaded = TextVariant::loaded().into_iter().rev().filter(|text| text.name() == name);
        let loaded = loaded.map(Self::Text).filter(|variant| Some(*variant) != built_in);
        built_in.into_iter().chain(loaded).collect()
    }

    /// Whether it is one of [`Variant::built_in`].
    pub fn is_built_in(self) -> bool {
        match self {
            Self::Text(_) => Self::built_in_named(self.name()) == Ok(self),
            _ => true,
        }
    }

    /// The game with this name among those that are built in or loaded as texts.
    fn named_text(name: &str) -> Option<Self> {
        let loaded = TextVariant::loaded().into_iter().rfind(|text| text.name() == name);
        let built_in = || {
            let game = BUILT_IN.iter().find(|game| game.name == name)?;
            TextVariant::load(game.text).ok()
        };
        loaded.or_else(built_in).map(Self::Text)
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
        #[cfg(feature = "text")]
        let names = Variant::built_in().map(|(name, _)| name);
        #[cfg(not(feature = "text"))]
        let names = Variant::ALL.iter().map(|variant| variant.name());
        for (i, name) in names.enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{name}")?;
        }
        Ok(())
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        let named = Self::ALL.iter().find(|variant| variant.name() == text).copied();
        #[cfg(feature = "text")]
        let named = named.or_else(|| Self::named_text(text));
        named.ok_or_else(|| UnknownVariant(text.into()))
    }
}
