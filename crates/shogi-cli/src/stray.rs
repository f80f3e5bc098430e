//! Messages on arguments that a verb has no place for since it reads such items from standard input.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::input::Items;

/// An error in the arguments `words` of the program `command`; its tip says where the verb reads its items, if one is what
/// it is about.
pub fn explained(mut error: Error, command: &Command, words: &[String]) -> Error {
    let verb = words.iter().fold(command, |verb, word| verb.find_subcommand(word).unwrap_or(verb));
    let Some(items) = Items::read_by(verb) else { return error };
    let is_item = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) => !is_option(given),
        // Not where the name of a game is only misspelt.
        (ErrorKind::InvalidValue, Some(ContextValue::String(argument))) => {
            argument == "<VARIANT>" && error.get(ContextKind::SuggestedValue).is_none()
        }
        _ => false,
    };
    if is_item {
        let tip = ContextValue::StyledStrs(vec![items.to_string().into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Whether it looks like the name of an option, and not like a number below zero.
fn is_option(given: &str) -> bool {
    let name = given.strip_prefix('-');
    name.is_some_and(|name| !name.starts_with(|first: char| first.is_ascii_digit()))
}
