//! What is said of an argument that a verb has no place for since it reads such items from standard input.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

const POSITIONS: &str =
    "positions are read from standard input, one a line; --sfen gives one as an argument";

/// What each verb reads from standard input.
const READ: &[(&str, &str)] = &[
    ("moves", POSITIONS),
    ("unmoves", POSITIONS),
    ("show", POSITIONS),
    ("rank", POSITIONS),
    ("unrank", "ranks are read from standard input, one a line"),
    ("classify", POSITIONS),
    ("mate", POSITIONS),
    ("tsume check", POSITIONS),
    ("tablebase probe", POSITIONS),
    ("proof walk", "lists of moves are read from standard input, one a line"),
    ("explain", POSITIONS),
];

/// An error in the arguments `words`; its tip says where the verb reads its items, if one is what it is about.
pub fn explained(mut error: Error, words: &[String]) -> Error {
    let is_verb = |verb: &str| {
        let mut words = words.iter();
        verb.split(' ').all(|part| words.next().is_some_and(|word| word == part))
    };
    let Some((_, tip)) = READ.iter().find(|(verb, _)| is_verb(verb)) else { return error };
    let is_item = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) => !is_option(given),
        // Not where the name of a game is only misspelt.
        (ErrorKind::InvalidValue, Some(ContextValue::String(argument))) => {
            argument == "<VARIANT>" && error.get(ContextKind::SuggestedValue).is_none()
        }
        _ => false,
    };
    if is_item {
        let tip = ContextValue::StyledStrs(vec![(*tip).into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Whether it looks like the name of an option, and not like a number below zero.
fn is_option(given: &str) -> bool {
    let name = given.strip_prefix('-');
    name.is_some_and(|name| !name.starts_with(|first: char| first.is_ascii_digit()))
}
