//! Files that are read, and files that are there whole or not at all; `-` stands for standard input or
//! output. Every error begins with the file's name.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result};
use shogi_files::sealed::{self, FileFormat, read_bounded};
use shogi_solve::reach::{MOST_SHARD_BYTES, Shard};

use crate::end::Usage;
use crate::print::UNWRITTEN;
pub use crate::print::is_standard;

/// The most bytes of a text in JSON, such as a skeleton or a job.
pub const MOST_TEXT_BYTES: u64 = 1 << 28;
/// The most bytes of a file of records.
pub const MOST_RECORD_BYTES: u64 = 1 << 28;

/// The name in messages of a file that is read.
pub fn name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file, or standard input.
pub fn open(path: &Path) -> Result<Box<dyn Read>> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| unreadable(path))?;
    Ok(Box::new(file))
}

/// The message for a checkpoint from which a verb cannot resume.
pub fn unresumable(path: &Path) -> String {
    format!("{}: cannot resume from this checkpoint", path.display())
}

/// The message for a file that cannot be read.
pub fn unreadable(path: &Path) -> String {
    format!("{}: cannot read", name(path))
}

/// How many bytes there are to be read from a file; unknown of standard input and of pipes.
pub fn size(path: &Path) -> Option<u64> {
    let known = fs::metadata(path).ok().filter(|of| !is_standard(path) && of.is_file());
    known.map(|of| of.len())
}

/// Reads a whole file of at most so many bytes, or standard input.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    read_bounded(open(path)?, most).with_context(|| unreadable(path))
}

/// Reads a whole file of a format, or standard input; only its magic bytes and its length are looked at.
pub fn read_format(path: &Path, format: &FileFormat) -> Result<Vec<u8>> {
    format.read_whole(open(path)?).with_context(|| name(path))
}

/// The error of a task on files to learn from, with the name of the one at fault.
pub fn in_archive(error: Error, paths: &[PathBuf]) -> Error {
    let path = match error.downcast_ref() {
        Some(shogi_variants::Error::Archive { index, .. }) => paths.get(*index),
        _ => None,
    };
    match path {
        Some(path) => error.context(name(path)),
        None => error,
    }
}

/// Reads a whole file of text, or standard input.
///
/// # Errors
///
/// Where the file cannot be read, is no text in UTF-8 or has more than [`MOST_TEXT_BYTES`], with its name.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path, MOST_TEXT_BYTES)?)
        .with_context(|| format!("{}: this is no text", name(path)))
}

/// Reads a shard from a file, or from standard input; what it says of its variant is not checked.
pub fn read_shard(path: &Path) -> Result<Shard> {
    let bytes = read(path, MOST_SHARD_BYTES)?;
    let shard = Shard::from_json(&String::from_utf8_lossy(&bytes));
    shard.with_context(|| name(path))
}

/// Writes a file in one step, see [`sealed::replace`].
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    write_by(path, &mut |out| Ok(out.write_all(content)?))
}

/// Writes what `write` writes, in one step like [`write_whole`].
pub fn write_by(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    if is_standard(path) {
        let mut output = io::stdout().lock();
        let written = write(&mut output).and_then(|()| Ok(output.flush()?));
        return written.context(UNWRITTEN);
    }
    let written = sealed::replace(path, |file| write(file));
    written.with_context(|| unwritable(path))
}

/// Whether a path stands for standard output or, see [`sealed::is_stream`], a pipe or a device.
pub fn is_stream(path: &Path) -> bool {
    is_standard(path) || sealed::is_stream(path)
}

/// The message for a file that cannot be written.
fn unwritable(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}

/// Writes a shard with [`write_whole`].
pub fn write_shard(path: &Path, shard: &Shard) -> Result<()> {
    write_whole(path, format!("{}\n", shard.to_json()).as_bytes())
}

/// Makes sure that no file is to be written twice, so that one content would take the place of another.
///
/// # Errors
///
/// [`Usage`] where one is.
pub fn check_distinct(paths: &[&Path]) -> Result<()> {
    // A pipe or a device takes what comes.
    let is_taken = |path: &Path| is_standard(path) || !path.exists() || path.is_file();
    let place = |path: &Path| {
        path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.into())
    };
    for (number, path) in paths.iter().enumerate().filter(|(_, path)| is_taken(path)) {
        if paths[..number].iter().any(|other| place(other) == place(path)) {
            let name = if is_standard(path) {
                "standard output".into()
            } else {
                path.display().to_string()
            };
            let reason = format!(
                "{name} is to be written twice: give each output, and the checkpoint, a file of its own"
            );
            return Err(Usage(reason).into());
        }
    }
    Ok(())
}

/// Whether [`write_whole`] can be expected to succeed: checked before long work, not after.
pub fn check_writable(path: &Path) -> Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    sealed::check_replaceable(path).with_context(|| unwritable(path))
}
