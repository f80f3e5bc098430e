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
    Data(DataFormat, Box<dyn Read>),
}

/// Opens files: archives are recognised by their first bytes, training data is of the format given or of the one that
/// the end of the name stands for. What `make` makes of them.
///
/// # Errors
///
/// Where a file cannot be read or is none of these, or `make` fails, with the file's name.
pub fn with_examples<T>(
    paths: &[PathBuf],
    given: Option<DataFormat>,
    make: impl FnOnce(&mut [Examples<'_>]) -> Result<T>,
) -> Result<T> {
    let mut opened = Vec::new();
    for path in paths {
        opened.push(open(path, given)?);
    }
    let mut examples: Vec<_> = opened
        .iter_mut()
        .map(|opened| match opened {
            Opened::Archive(bytes) => Examples::Archive(bytes),
            Opened::Data(format, input) => Examples::Data(*format, input),
        })
        .collect();
    make(&mut examples).map_err(|error| file::in_archive(error, paths))
}

fn open(path: &Path, given: Option<DataFormat>) -> Result<Opened> {
    let mut input = BufReader::with_capacity(1 << 16, file::open(path)?);
    if let Some(format) = given.or_else(|| DataFormat::of_path(path)) {
        let head = input.fill_buf().with_context(|| file::unreadable(path))?;
        if !head.starts_with(&ARCHIVE.magic) {
            return Ok(Opened::Data(format, Box::new(input)));
        }
    }
    let bytes = ARCHIVE.read_whole(input).with_context(|| file::name(path))?;
    Ok(Opened::Archive(bytes))
}
