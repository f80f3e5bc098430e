//! Files that are read, and files that are there whole or not at all; `-` stands for standard input or
//! output.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use shogi_rules::sealed;
use shogi_solve::reach::Shard;

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file, or standard input.
///
/// # Errors
///
/// Where the file cannot be opened, with its name.
pub fn open(path: &Path) -> Result<Box<dyn Read>> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(file))
}

/// How many bytes there are to be read from a file; unknown of standard input and of pipes.
pub fn size(path: &Path) -> Option<u64> {
    let known = fs::metadata(path).ok().filter(|of| !is_standard(path) && of.is_file());
    known.map(|of| of.len())
}

/// Reads a whole file, or standard input.
///
/// # Errors
///
/// Where the file cannot be read, with its name.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes)
}

/// Reads a whole file of text, or standard input.
///
/// # Errors
///
/// Where the file cannot be read or is no text in UTF-8, with its name.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).with_context(|| format!("{} is no text", path.display()))
}

/// Reads a shard from a file, or from standard input.
///
/// # Errors
///
/// Where the file cannot be read or is no shard, with its name.
pub fn read_shard(path: &Path) -> Result<Shard> {
    let bytes = read(path)?;
    let shard = Shard::from_json(&String::from_utf8_lossy(&bytes));
    shard.with_context(|| path.display().to_string())
}

/// Writes a file in one step, see [`sealed::replace`].
///
/// # Errors
///
/// Where the file cannot be written, with its name.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    write_by(path, &mut |out| Ok(out.write_all(content)?))
}

/// Writes what `write` writes, in one step like [`write_whole`].
///
/// # Errors
///
/// Where the file cannot be written, or `write` fails, with its name.
pub fn write_by(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    if is_standard(path) {
        let mut output = io::stdout().lock();
        write(&mut output)?;
        return Ok(output.flush()?);
    }
    let written = sealed::replace(path, |file| write(file));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a shard with [`write_whole`].
///
/// # Errors
///
/// Where the file cannot be written, with its name.
pub fn write_shard(path: &Path, shard: &Shard) -> Result<()> {
    write_whole(path, format!("{}\n", shard.to_json()).as_bytes())
}

/// Whether [`write_whole`] can be expected to succeed: asked before long work, not after.
///
/// # Errors
///
/// Where a file of that name cannot be made.
pub fn check_writable(path: &Path) -> Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    sealed::check_replaceable(path).with_context(|| format!("cannot write {}", path.display()))
}
