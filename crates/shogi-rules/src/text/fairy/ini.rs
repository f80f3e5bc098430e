//! The sections of a file with variants, with their inherited settings.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::ImportError;
use super::bases::BASES;

/// A setting: the texts left and right of the equals sign.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) value: String,
    /// Its line in the file; `None` for a setting of a built-in game.
    pub(super) line: Option<usize>,
}

/// The largest number of sections that build on each other.
const DEEPEST: usize = 32;

struct IniSection<'a> {
    name: &'a str,
    base: Option<&'a str>,
    settings: Vec<Setting>,
}

/// The settings of a section, inherited ones first.
pub(super) fn settings(ini: &str, name: &str) -> Result<Vec<Setting>, ImportError> {
    let own = sections(ini, true);
    let built_in = sections(BASES, false);
    let unknown = || {
        let names = own.iter().map(|section| section.name.to_string()).collect();
        ImportError::NoSection { name: name.into(), names }
    };
    // A repeated name replaces the earlier section.
    let mut section = own.iter().rfind(|section| section.name == name).ok_or_else(unknown)?;
    let mut chain = Vec::from([section]);
    while let Some(base) = section.base {
        let is_base = |other: &&IniSection<'_>| other.name == base;
        // A section may build on the built-in game of its own name.
        let of_file = own.iter().filter(|_| base != section.name).rfind(is_base);
        let found = of_file.or_else(|| built_in.iter().find(is_base));
        section = found.ok_or_else(|| {
            let games = built_in.iter().map(|game| game.name.to_string()).collect();
            ImportError::NoBase { base: base.into(), games }
        })?;
        chain.push(section);
        if chain.len() > DEEPEST {
            return Err(ImportError::Circle(name.into()));
        }
    }
    Ok(chain.iter().rev().flat_map(|section| section.settings.iter().cloned()).collect())
}

fn sections(ini: &str, is_file: bool) -> Vec<IniSection<'_>> {
    let mut sections: Vec<IniSection<'_>> = Vec::new();
    let ini = ini.strip_prefix('\u{feff}').unwrap_or(ini);
    for (number, line) in (1..).zip(ini.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(head) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (name, base) = match head.split_once(':') {
                Some((name, base)) => (name.trim(), Some(base.trim())),
                None => (head.trim(), None),
            };
            sections.push(IniSection { name, base, settings: Vec::new() });
        } else if let (Some((key, value)), Some(section)) =
            (line.split_once('='), sections.last_mut())
        {
            section.settings.push(Setting {
                key: key.trim().into(),
                value: value.trim().into(),
                line: is_file.then_some(number),
            });
        }
    }
    sections
}
