//! Loaded texts: their rules, ready for use, and the names of their pieces.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
#[cfg(feature = "record")]
use std::sync::OnceLock;
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "record")]
use shogi_core::Face;

#[cfg(feature = "record")]
use super::custom::Custom;
use super::definition::Definition;
use super::error::TextError;
#[cfg(feature = "record")]
use super::names::{names, titles};
use crate::loaded::{LoadError, LoadedRules};
#[cfg(feature = "record")]
use crate::record::Name;

/// Why a text cannot be loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextLoadError {
    /// The text does not define a variant.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The rules cannot be used.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// Too many other texts are loaded.
    #[error(
        "{} texts have been loaded, and there is no room for another until the program starts again",
        LoadedRules::MOST
    )]
    TooMany,
}

/// A text whose rules are ready for use; it stays loaded until the program ends.
///
/// Equal definitions are the same value.
///
/// ```
/// use shogi_rules::text::{BUILT_IN, TextVariant};
/// use shogi_rules::{Rules, SmallBoard, shogi_core::perft};
/// let micro = TextVariant::load(BUILT_IN[3].text)?;
/// assert_eq!(micro.rules().within(|| perft(&SmallBoard::start(), 3)), 767);
/// assert_eq!(TextVariant::load(BUILT_IN[3].text)?, micro);
/// # Ok::<(), shogi_rules::text::TextLoadError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TextVariant(&'static LoadedText);

/// A loaded text.
struct LoadedText {
    definition: Definition,
    title: String,
    rules: LoadedRules,
    /// The letters of all faces in the lishogi dialect, in upper case.
    #[cfg(feature = "record")]
    letters: Vec<(Face, String)>,
    #[cfg(feature = "record")]
    custom: OnceLock<Custom>,
    #[cfg(feature = "record")]
    names: OnceLock<Vec<Name>>,
    #[cfg(feature = "record")]
    titles: OnceLock<Box<[&'static str]>>,
}

/// All loaded texts, in the order of loading.
static LOADED: Mutex<Vec<TextVariant>> = Mutex::new(Vec::new());

impl TextVariant {
    /// Reads a text and loads its rules.
    ///
    /// # Errors
    ///
    /// All faults of the text, or that too many others have been loaded.
    pub fn load(text: &str) -> Result<Self, TextLoadError> {
        Self::of(Definition::parse(text)?)
    }

    /// Loads the rules of a definition.
    ///
    /// # Errors
    ///
    /// If the rules cannot be used, or too many others have been loaded.
    pub fn of(definition: Definition) -> Result<Self, TextLoadError> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.iter().find(|known| *known.definition() == definition) {
            return Ok(*known);
        }
        if loaded.len() >= LoadedRules::MOST {
            return Err(TextLoadError::TooMany);
        }
        let rules = LoadedRules::new(definition.rules.clone())?;
        let variant = Self(Box::leak(Box::new(LoadedText {
            #[cfg(feature = "record")]
            letters: letters(&definition),
            #[cfg(feature = "record")]
            custom: OnceLock::new(),
            #[cfg(feature = "record")]
            names: OnceLock::new(),
            #[cfg(feature = "record")]
            titles: OnceLock::new(),
            title: format!(
                "{}, {}x{}",
                definition.title, definition.rules.table.width, definition.rules.table.height
            ),
            definition,
            rules,
        })));
        loaded.push(variant);
        Ok(variant)
    }

    /// All loaded texts, in the order of loading.
    pub fn loaded() -> Vec<Self> {
        LOADED.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The text whose [rules](TextVariant::rules) the current thread has entered, if any. Of several that
    /// differ only in names of pieces it is the one loaded last.
    pub fn entered() -> Option<Self> {
        let entered = LoadedRules::entered()?;
        Self::loaded().into_iter().rfind(|variant| variant.0.rules == entered)
    }

    /// The definition in its text.
    pub fn definition(self) -> &'static Definition {
        &self.0.definition
    }

    /// Its rules, which a thread enters to work with it.
    pub fn rules(self) -> LoadedRules {
        self.0.rules
    }

    /// The name in scripts.
    pub fn name(self) -> &'static str {
        &self.0.definition.rules.name
    }

    /// The name shown to people, with the size of the board, such as `Judkins shogi, 6x6`.
    pub fn title(self) -> &'static str {
        &self.0.title
    }

    /// Its conventions for records.
    #[cfg(feature = "record")]
    pub(super) fn custom(self) -> &'static Custom {
        self.0.custom.get_or_init(|| Custom::of(&self.0.definition.rules))
    }

    /// The names, in pictures and records, of its faces that have kanji.
    #[cfg(feature = "record")]
    pub(super) fn names(self) -> &'static [Name] {
        self.0.names.get_or_init(|| names(self.definition(), &self.0.letters, self.custom()))
    }

    /// The names of its start in records.
    #[cfg(feature = "record")]
    pub(super) fn titles(self) -> &'static [&'static str] {
        self.0.titles.get_or_init(|| titles(self.definition(), self.custom()))
    }
}

/// The letters of all faces in the lishogi dialect, used as names in records.
#[cfg(feature = "record")]
fn letters(definition: &Definition) -> Vec<(Face, String)> {
    let table = &definition.rules.table;
    let own = |face: Face| table.letters.iter().find(|(_, named)| *named == face);
    let mut letters = Vec::new();
    for (index, kind) in table.kinds.iter().enumerate() {
        let front = Face::front(shogi_core::Kind::new(index as u8));
        let letter = own(front).map_or(kind.letter, |(letter, _)| *letter);
        letters.push((front, String::from(letter)));
        if kind.back.is_some() {
            let back = Face { promoted: true, ..front };
            let plus = || String::from_iter(['+', letter]);
            letters.push((back, own(back).map_or_else(plus, |(letter, _)| String::from(*letter))));
        }
    }
    letters
}

impl PartialEq for TextVariant {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for TextVariant {}

impl Hash for TextVariant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for TextVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextVariant").field(&self.name()).finish()
    }
}
