//! Files of examples to learn from: archives of self-play, and the community's training data.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use shogi_learn::archive::FORMAT as ARCHIVE;
use shogi_learn::training_data::DataFormat;
use shogi_variants::operations::Examples;

use crate::choice::Choice;
use crate::file;

/// The formats of training data by name.
pub const FORMATS: &[Choice<DataFormat>] = &[
    ("psv", "YaneuraOu's positions with score, move and result", DataFormat::Psv),
    ("hcpe", "Apery's positions with score, move and result", DataFormat::Hcpe),
    ("psfen", "YaneuraOu's positions alone", DataFormat::PackedSfen),
    ("hcp", "Apery's positions alone", DataFormat::Hcp),
];

/// A file that is open, or read where it has to be read whole.
enum Opened {
    Archive(Vec<u8>),
    /// Training data, and how many of its entries were skipped.
    Data(DataFormat, Box<dyn Read>, u64),
}

/// Opens files: archives are recognised by their first bytes, training data is of the format given or of the one that
/// the end of the name stands for. What `make` makes of them; where entries with illegal moves may be skipped, also how
/// many were.
pub fn with_examples<T>(
    paths: &[PathBuf],
    given: Option<DataFormat>,
    skip_illegal: bool,
    make: impl FnOnce(&mut [Examples<'_>]) -> Result<T>,
) -> Result<(T, Option<u64>)> {
    let mut opened = paths.iter().map(|path| open(path, given)).collect::<Result<Vec<_>>>()?;
    let mut examples: Vec<_> = opened
        .iter_mut()
        .map(|opened| match opened {
            Opened::Archive(bytes) => Examples::Archive(bytes),
            Opened::Data(format, input, skipped) => {
                Examples::Data(*format, input, skip_illegal.then_some(skipped))
            }
        })
        .collect();
    let made = make(&mut examples).map_err(|error| file::in_archive(error, paths))?;
    let skipped = opened.iter().map(|opened| match opened {
        Opened::Archive(_) => 0,
        Opened::Data(.., skipped) => *skipped,
    });
    Ok((made, skip_illegal.then(|| skipped.sum())))
}

/// The line that reports how many entries were skipped.
pub fn skipped(entries: u64) -> String {
    format!("{entries} entries with illegal moves skipped")
}

fn open(path: &Path, given: Option<DataFormat>) -> Result<Opened> {
    let mut input = BufReader::with_capacity(1 << 16, file::open(path)?);
    if let Some(format) = given.or_else(|| DataFormat::of_path(path)) {
        let head = input.fill_buf().with_context(|| file::unreadable(path))?;
        if !head.starts_with(&ARCHIVE.magic) {
            return Ok(Opened::Data(format, Box::new(input), 0));
        }
    }
    let bytes = ARCHIVE.read_whole(input).with_context(|| file::name(path))?;
    Ok(Opened::Archive(bytes))
}
