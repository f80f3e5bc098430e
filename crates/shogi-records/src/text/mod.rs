//! The conventions, for records, of games that are read as text.

mod custom;
mod names;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::{Mutex, PoisonError};

use shogi_core::{Face, Kind};
use shogi_rules::text::{Definition, TextVariant};

use crate::Name;

use self::custom::Custom;

/// The conventions of a loaded text, made once.
struct Conventions {
    custom: Custom,
    /// The names, in pictures and records, of its faces that have kanji.
    names: Vec<Name>,
    /// The names of its start.
    titles: Box<[&'static str]>,
}

impl Conventions {
    fn new(definition: &'static Definition) -> Self {
        let custom = Custom::of(&definition.rules);
        let names = names::names(definition, &letters(definition), &custom);
        let titles = names::titles(definition, &custom);
        Self { custom, names, titles }
    }

    /// Those of the text whose rules the current thread has entered. They are made when they are first wanted, and
    /// stay as long as the text does.
    fn entered() -> Option<&'static Self> {
        static KNOWN: Mutex<Vec<(TextVariant, &'static Conventions)>> = Mutex::new(Vec::new());
        let variant = TextVariant::entered()?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, conventions)) = known.iter().find(|(one, _)| *one == variant) {
            return Some(conventions);
        }
        let conventions: &'static Self = Box::leak(Box::new(Self::new(variant.definition())));
        known.push((variant, conventions));
        Some(conventions)
    }
}

/// The letters of all faces in the lishogi dialect, in upper case: their names in records.
fn letters(definition: &'static Definition) -> Vec<(Face, &'static str)> {
    let table = &definition.rules.table;
    let own = |face: Face| table.letters.iter().find(|(_, named)| *named == face);
    let mut letters = Vec::new();
    for (index, kind) in table.kinds.iter().enumerate() {
        let front = Face::front(Kind::new(index as u8));
        let letter = own(front).map_or(kind.letter, |(letter, _)| *letter);
        letters.push((front, leaked(String::from(letter))));
        if kind.back.is_some() {
            let back = Face { promoted: true, ..front };
            let plus = || String::from_iter(['+', letter]);
            letters.push((
                back,
                leaked(own(back).map_or_else(plus, |(letter, _)| String::from(*letter))),
            ));
        }
    }
    letters
}

/// Letters that stay as long as the text to which they belong.
fn leaked(letters: String) -> &'static str {
    Box::leak(letters.into_boxed_str())
}
