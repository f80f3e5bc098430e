//! A TOML document read key by key: each value has a line, and unread keys are faults.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Alternatives, TextError, TextFault, TextReason};

/// The largest size of a text in bytes.
const MAX_BYTES: usize = 1 << 16;

/// The largest number of faults that are collected; a text with more is not a variant with a few
/// slips.
const MAX_FAULTS: usize = 100;

/// Reads a text with a function, which reports each fault and gives up by returning `None`.
///
/// # Errors
///
/// All faults that were reported.
pub(super) fn read<T>(
    text: &str,
    reading: impl FnOnce(&mut Faults<'_>, &TomlTable<'_, '_>) -> Option<T>,
) -> Result<T, TextError> {
    let mut faults = Faults { text, found: Vec::new() };
    if text.len() > MAX_BYTES {
        let reason = TextReason::TooLong { found: text.len(), most: MAX_BYTES };
        faults.add(0..0, "the text", reason);
        return Err(TextError(faults.found.into_iter().map(|(_, fault)| fault).collect()));
    }
    let read = match DeTable::parse(text) {
        Ok(table) => {
            let root = TomlTable { path: String::new(), span: 0..0, table: table.get_ref() };
            reading(&mut faults, &root)
        }
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().trim();
            let key = match message {
                "duplicate key" => key_at(text, span.clone()),
                _ => "the text".into(),
            };
            faults.add(span, &key, TextReason::Syntax(message.to_string()));
            None
        }
    };
    faults.found.sort_by_key(|(start, _)| *start);
    match read {
        Some(read) if faults.found.is_empty() => Ok(read),
        _ => Err(TextError(faults.found.into_iter().map(|(_, fault)| fault).collect())),
    }
}

/// The name of a key, with that of the table before it.
fn key_at(text: &str, span: Range<usize>) -> String {
    let (before, key) = (text.get(..span.start), text.get(span));
    let is_table = |line: &&str| line.starts_with('[');
    let table = before.unwrap_or_default().lines().map(str::trim).rfind(is_table);
    let table = table.and_then(|line| line[1..].split_once(']')).map(|(name, _)| name.trim());
    let key = key.unwrap_or_default().trim();
    table.map_or_else(|| key.into(), |table| format!("{table}.{key}"))
}

/// The faults found so far, with their places.
pub(super) struct Faults<'t> {
    text: &'t str,
    found: Vec<(usize, TextFault)>,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, span: Range<usize>, key: &str, reason: TextReason) {
        if self.found.len() < MAX_FAULTS {
            let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            self.found.push((span.start, TextFault { line, key: key.into(), reason }));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns a value that could be read, and reports the fault of one that could not.
    pub(super) fn keep<T>(
        &mut self,
        field: &Field<'_, '_>,
        read: Result<T, TextReason>,
    ) -> Option<T> {
        read.map_err(|reason| self.add(field.span.clone(), &field.path, reason)).ok()
    }
}

/// A table of the document.
pub(super) struct TomlTable<'a, 't> {
    pub(super) path: String,
    pub(super) span: Range<usize>,
    table: &'a DeTable<'t>,
}

/// A key with its value.
pub(super) struct Field<'a, 't> {
    pub(super) key: &'a str,
    pub(super) path: String,
    pub(super) span: Range<usize>,
    value: &'a DeValue<'t>,
}

impl<'a, 't> TomlTable<'a, 't> {
    fn field(
        &self,
        key: &'a Spanned<Cow<'t, str>>,
        value: &'a Spanned<DeValue<'t>>,
    ) -> Field<'a, 't> {
        let name: &'a str = key.get_ref();
        let path = if self.path.is_empty() { name.into() } else { format!("{}.{name}", self.path) };
        Field { key: name, path, span: key.span(), value: value.get_ref() }
    }

    /// All keys, in the order of the text.
    pub(super) fn fields(&self) -> Vec<Field<'a, 't>> {
        let mut fields: Vec<_> =
            self.table.iter().map(|(key, value)| self.field(key, value)).collect();
        fields.sort_by_key(|field| field.span.start);
        fields
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<Field<'a, 't>> {
        let (key, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        Some(self.field(key, value))
    }

    /// The value of a required key.
    pub(super) fn require(
        &self,
        faults: &mut Faults<'_>,
        name: &str,
        such_as: &'static str,
    ) -> Option<Field<'a, 't>> {
        let found = self.get(name);
        if found.is_none() {
            let path =
                if self.path.is_empty() { name.into() } else { format!("{}.{name}", self.path) };
            faults.add(self.span.clone(), &path, TextReason::Missing(such_as));
        }
        found
    }

    /// Reports all keys but the known ones.
    pub(super) fn deny_others(&self, faults: &mut Faults<'_>, known: &'static [&'static str]) {
        for field in self.fields() {
            if !known.contains(&field.key) {
                let nearest = Alternatives::to(field.key, known);
                faults.add(field.span.clone(), &field.path, TextReason::UnknownKey { nearest });
            }
        }
    }

    /// The table of a key, whose unknown keys are reported; `None` if there is none.
    pub(super) fn section(
        &self,
        faults: &mut Faults<'_>,
        name: &str,
        known: &'static [&'static str],
    ) -> Option<TomlTable<'a, 't>> {
        let field = self.get(name)?;
        let read = field.section();
        let section = faults.keep(&field, read)?;
        section.deny_others(faults, known);
        Some(section)
    }
}

impl<'a, 't> Field<'a, 't> {
    fn wrong_type(&self, expected: &'static str) -> TextReason {
        TextReason::Type { expected, found: self.value.type_str() }
    }

    /// The value as a table.
    pub(super) fn section(&self) -> Result<TomlTable<'a, 't>, TextReason> {
        let table = self.value.as_table().ok_or_else(|| self.wrong_type("a table"))?;
        Ok(TomlTable { path: self.path.clone(), span: self.span.clone(), table })
    }

    /// The value as a text.
    pub(super) fn text(&self) -> Result<&'a str, TextReason> {
        self.value.as_str().ok_or_else(|| self.wrong_type("a text in quotes"))
    }

    /// The value as a text of one line.
    pub(super) fn words(&self, most: usize) -> Result<&'a str, TextReason> {
        let text = self.text()?;
        let fits = (1..=most).contains(&text.chars().count()) && !text.contains(char::is_control);
        if fits && !text.trim().is_empty() { Ok(text) } else { Err(TextReason::Words { most }) }
    }

    /// The value as true or false.
    pub(super) fn truth(&self) -> Result<bool, TextReason> {
        self.value.as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// The value as a number.
    pub(super) fn number(&self, least: i64, most: i64) -> Result<i64, TextReason> {
        let integer = self.value.as_integer().ok_or_else(|| self.wrong_type("a whole number"))?;
        let number = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let fits = number.filter(|number| (least..=most).contains(number));
        fits.ok_or(TextReason::Number { least, most })
    }

    /// The value as one of these words, each given with its meaning.
    pub(super) fn one_of<T: Copy>(
        &self,
        words: &'static [&'static str],
        meanings: &[T],
    ) -> Result<T, TextReason> {
        let found = self.text()?;
        let place = words.iter().position(|&word| word == found);
        place.and_then(|place| meanings.get(place).copied()).ok_or_else(|| {
            TextReason::UnknownWord {
                found: found.chars().take(40).collect(),
                nearest: Alternatives::to(found, words),
            }
        })
    }

    /// Whether the value is a text.
    pub(super) const fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }
}
