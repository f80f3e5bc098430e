//! Arguments that are one of several names.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, Command, Error};

/// A name, what help says of it, if anything, and what it stands for.
pub type Choice<T> = (&'static str, &'static str, T);

/// The parser of an argument that is one of these names.
pub fn parser<T: Copy + Send + Sync + 'static>(choices: &'static [Choice<T>]) -> ValueParser {
    let mut names = Names::default();
    for (name, help, _) in choices {
        names.add(name, help);
    }
    ValueParser::new(ChoiceParser { names, choices })
}

/// The names of an argument, whatever they stand for.
#[derive(Clone, Default)]
struct Names(Vec<PossibleValue>);

impl Names {
    fn add(&mut self, name: &'static str, help: &'static str) {
        let value = PossibleValue::new(name);
        self.0.push(if help.is_empty() { value } else { value.help(help) });
    }

    /// Which of the names was given.
    fn find(&self, command: &Command, arg: Option<&Arg>, given: &OsStr) -> Result<usize, Error> {
        // What is not UTF-8 is none of the names either, and the error lists them.
        let given = given.to_string_lossy();
        let names = PossibleValuesParser::from(self.0.clone());
        let name = names.parse_ref(command, arg, OsStr::new(&*given))?;
        Ok(self.0.iter().position(|value| value.get_name() == name).unwrap_or_default())
    }
}

#[derive(Clone)]
struct ChoiceParser<T: 'static> {
    names: Names,
    choices: &'static [Choice<T>],
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for ChoiceParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, given: &OsStr) -> Result<T, Error> {
        let place = self.names.find(command, arg, given)?;
        Ok(self.choices[place].2)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.0.iter().cloned()))
    }
}
