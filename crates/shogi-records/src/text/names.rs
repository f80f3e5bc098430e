//! The names of pieces of loaded texts in records and pictures.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shogi_core::Face;
use shogi_rules::text::Definition;
use shogi_rules::{Loaded, LoadedWord};

use super::Conventions;
use super::custom::Custom;
use crate::{Name, Recorded};

impl<W: LoadedWord> Recorded for Loaded<W> {
    const TITLES: &'static [&'static str] = &[];
    const NAMES: &'static [Name] = &[];

    fn titles() -> &'static [&'static str] {
        Conventions::entered().map_or(&[], |own| &own.titles)
    }

    fn names() -> &'static [Name] {
        Conventions::entered().map_or(&[], |own| &own.names)
    }

    fn handicaps() -> &'static [(&'static str, &'static str)] {
        Conventions::entered().map_or(&[], |own| own.custom.handicaps)
    }

    fn in_hand() -> &'static [Face] {
        Conventions::entered().map_or(&[], |own| own.custom.in_hand)
    }

    fn has_csa() -> bool {
        Conventions::entered().is_some_and(|own| own.custom.csa)
    }
}

/// The names of the faces that have kanji or conventional names, made once for each loaded text.
pub(super) fn names(
    definition: &'static Definition,
    letters: &[(Face, &'static str)],
    custom: &Custom,
) -> Vec<Name> {
    let mut names = Vec::new();
    for &(face, own) in letters {
        if let Some(name) = custom.name(own, definition.face(face).kanji.as_deref()) {
            names.push(name);
            continue;
        }
        let Some(word) = definition.face(face).kanji.as_deref() else { continue };
        let mark = mark(definition, letters, face, word);
        names.push(Name { letters: own, word, mark, kanji: mark, also: &[], csa: "" });
    }
    names
}

/// The character for a face in pictures: the last of its kanji, or the first if another face has the same last
/// one.
fn mark(definition: &Definition, letters: &[(Face, &str)], face: Face, word: &str) -> char {
    let last = |word: &str| word.chars().next_back();
    let is_shared = letters
        .iter()
        .filter(|(other, _)| *other != face)
        .any(|(other, _)| definition.face(*other).kanji.as_deref().and_then(last) == last(word));
    let mark = if is_shared { word.chars().next() } else { last(word) };
    mark.unwrap_or(' ')
}

/// The names of a loaded text's start in records: the conventional ones, and its own title.
pub(super) fn titles(definition: &'static Definition, custom: &Custom) -> Box<[&'static str]> {
    custom.titles.iter().copied().chain([definition.title.as_str()]).collect()
}
