//! Loaded texts: their rules, ready for use, and the names of their pieces.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::definition::Definition;
use super::error::TextError;
use crate::loaded::{LoadError, LoadedRules};

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
