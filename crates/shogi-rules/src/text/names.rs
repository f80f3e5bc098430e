//! What records and pictures call the pieces of loaded texts.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::Face;

use super::definition::Definition;
use super::variant::TextVariant;
use crate::loaded::{Loaded, LoadedWord};
use crate::record::{Name, Recorded};

impl<W: LoadedWord> Recorded for Loaded<W> {
    const TITLES: &'static [&'static str] = &[];
    const NAMES: &'static [Name] = &[];

    fn titles() -> &'static [&'static str] {
        TextVariant::entered().map_or(&[], TextVariant::titles)
    }

    fn names() -> &'static [Name] {
        TextVariant::entered().map_or(&[], TextVariant::names)
    }
}

/// The names of the faces that have kanji, made once for each loaded text.
pub(super) fn names(
    definition: &'static Definition,
    letters: &'static [(Face, String)],
) -> Vec<Name> {
    let mut names = Vec::new();
    for (face, letters) in letters {
        let Some(word) = definition.face(*face).kanji.as_deref() else { continue };
        let mark = word.chars().next_back().unwrap_or(' ');
        names.push(Name { letters, word, mark, kanji: mark, also: &[], csa: "" });
    }
    names
}

/// The one title of a loaded text.
pub(super) fn titles(definition: &'static Definition) -> Box<[&'static str]> {
    Box::new([definition.title.as_str()])
}
