//! The variants on the command line: by name, or as a file.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use shogi_rules::sealed::read_bounded;
pub use shogi_variants::Variant;

/// Most bytes that are read of a file: more than a text may have, which is then refused with that reason.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the name of a variant, or the file that describes one.
pub fn parser() -> impl TypedValueParser<Value = Variant> {
    VariantParser
}

/// Reads the name of a variant that is built in.
pub fn built_in() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(names()).try_map(|name| name.parse::<Variant>())
}

/// The names of the variants that are built in.
fn names() -> impl Iterator<Item = PossibleValue> {
    Variant::built_in().map(|(name, title)| PossibleValue::new(name).help(title))
}

/// The text of a file that describes a variant.
///
/// # Errors
///
/// If it cannot be read, or is no text.
pub fn read_text(path: &Path) -> Result<String> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let bytes = read_bounded(&mut { file }, MOST_BYTES);
    let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
    String::from_utf8(bytes).with_context(|| format!("{} is no text", path.display()))
}

#[derive(Clone)]
struct VariantParser;

impl TypedValueParser for VariantParser {
    type Value = Variant;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        given: &OsStr,
    ) -> Result<Variant, Error> {
        let path = Path::new(given);
        if path.extension().is_none_or(|extension| extension != "toml") {
            return built_in().parse_ref(command, arg, given);
        }
        let read = || -> Result<Variant> {
            let text = read_text(path)?;
            Variant::from_text(&text).with_context(|| format!("{} is no variant", path.display()))
        };
        read().map_err(|error| {
            command.clone().error(ErrorKind::ValueValidation, format!("{error:#}"))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}
