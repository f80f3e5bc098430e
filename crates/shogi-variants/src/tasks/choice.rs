//! Settings that are one of several names.

use std::borrow::ToOwned as _;
use std::string::String;
use std::vec::Vec;

#[cfg(feature = "record")]
use shogi_records::Format;
use shogi_rules::Dialect;
use shogi_solve::{Algorithm, StartLeaf};

/// A name, what help says of it, if anything, and what it stands for.
pub type Choice<T> = (&'static str, &'static str, T);

/// A type whose values have names, by which every program takes them.
///
/// ```
/// use shogi_variants::solve::Algorithm;
/// use shogi_variants::tasks::choice::named;
/// assert_eq!(named("pds"), Ok(Algorithm::Pds));
/// let error = named::<Algorithm>("mcts").unwrap_err();
/// assert_eq!(error.to_string(), "\"mcts\" is no algorithm: dfpn or pds");
/// ```
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// The word for a value in errors.
    const KIND: &'static str;
    /// The values with their names.
    const CHOICES: &'static [Choice<Self>];
}

impl Named for Algorithm {
    const KIND: &'static str = "algorithm";
    const CHOICES: &'static [Choice<Self>] = &[
        ("dfpn", "Depth-first proof-number search", Self::DfPn),
        ("pds", "The search that leaves a position when both of its numbers have grown", Self::Pds),
    ];
}

impl Named for StartLeaf {
    const KIND: &'static str = "leaf";
    const CHOICES: &'static [Choice<Self>] = &[
        ("unit", "Proof and disproof number 1", Self::Unit),
        (
            "mobility",
            "The number of moves: often fewer nodes, each of which takes longer",
            Self::Mobility,
        ),
    ];
}

#[cfg(feature = "rank")]
impl Named for super::Mirror {
    const KIND: &'static str = "way to count mirror images";
    const CHOICES: &'static [Choice<Self>] = &[
        ("distinct", "As two", Self::Distinct),
        (
            "folded",
            "As one, from the flip stage on; the candidates are folded by their kings alone",
            Self::Folded,
        ),
    ];
}

impl Named for Dialect {
    const KIND: &'static str = "dialect";
    const CHOICES: &'static [Choice<Self>] = &[
        ("lishogi", "As lishogi writes: Kyoto shogi with a letter for every face", Self::Lishogi),
        ("fairy", "As Fairy-Stockfish writes: a plus marks the back of a piece", Self::Fairy),
    ];
}

#[cfg(feature = "record")]
impl Named for Format {
    const KIND: &'static str = "format";
    const CHOICES: &'static [Choice<Self>] = &[
        ("kif", "Most Japanese programs", Self::Kif),
        ("ki2", "Books and newspapers", Self::Ki2),
        ("csa", "Computer tournaments, of shogi and minishogi", Self::Csa),
        ("json", "One object with everything", Self::Json),
        ("jkf", "JSON of json-kifu-format: programs on the web, of shogi and minishogi", Self::Jkf),
        ("usi", "The position command of USI: start and moves", Self::Usi),
    ];
}

/// A name that no value of a type has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name:?} is no {kind}: {}", known.join(" or "))]
pub struct UnknownName {
    name: String,
    kind: &'static str,
    known: Vec<&'static str>,
}

/// The value with this name.
///
/// # Errors
///
/// If none has it.
pub fn named<T: Named>(name: &str) -> Result<T, UnknownName> {
    let choice = T::CHOICES.iter().find(|(known, ..)| *known == name);
    choice.map(|&(_, _, value)| value).ok_or_else(|| UnknownName {
        name: name.to_owned(),
        kind: T::KIND,
        known: T::CHOICES.iter().map(|&(known, ..)| known).collect(),
    })
}

/// The parser of an argument that is one of these names.
#[cfg(feature = "clap")]
pub fn parser<T: Copy + Send + Sync + 'static>(
    choices: &'static [Choice<T>],
) -> clap::builder::ValueParser {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};

    let names = choices.iter().map(|&(name, help, _)| match help {
        "" => PossibleValue::new(name),
        help => PossibleValue::new(name).help(help),
    });
    let value = move |name: String| {
        let choice = choices.iter().find(|(known, ..)| *known == name);
        choice.map(|&(_, _, value)| value).ok_or("unknown")
    };
    PossibleValuesParser::new(names).try_map(value).into()
}
