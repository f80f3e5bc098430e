//! Files that are read, and files that are there whole or not at all; `-` stands for standard input or
//! output.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use shogi_rank::Shard;

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

/// Writes a file in one step: a new file beside it takes its name once it is complete, so that an
/// interrupted program leaves the old content. What is no regular file (a pipe, a terminal) is
/// written to as it is.
///
/// # Errors
///
/// Where the file cannot be written, with its name.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    write_by(path, |out| Ok(out.write_all(content)?))
}

/// Writes what `write` writes, in one step like [`write_whole`].
///
/// # Errors
///
/// Where the file cannot be written, or `write` fails, with its name.
pub fn write_by(path: &Path, mut write: impl FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    if is_standard(path) {
        let mut output = io::stdout().lock();
        write(&mut output)?;
        return Ok(output.flush()?);
    }
    let mut whole = || -> Result<()> {
        let path = target(path)?;
        if is_special(&path) {
            return write(&mut OpenOptions::new().write(true).open(&path)?);
        }
        let new = beside(&path)?;
        let written = (|| {
            let mut file = File::create(&new)?;
            write(&mut file)?;
            file.sync_all()?;
            Ok(fs::rename(&new, &path)?)
        })();
        if written.is_err() {
            // Its absence is no further error.
            let _ = fs::remove_file(&new);
        }
        written
    };
    whole().with_context(|| format!("cannot write {}", path.display()))
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
    let check = || -> Result<()> {
        let path = target(path)?;
        if path.is_dir() {
            bail!("it is a directory");
        }
        if !is_special(&path) {
            let new = beside(&path)?;
            File::create(&new)?;
            fs::remove_file(&new)?;
        }
        Ok(())
    };
    check().with_context(|| format!("cannot write {}", path.display()))
}

/// The file itself where the path is a symbolic link to it.
fn target(path: &Path) -> Result<PathBuf> {
    Ok(if path.exists() { path.canonicalize()? } else { path.to_owned() })
}

fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The name of the new file: in the same folder, so that it can take the other's name.
fn beside(path: &Path) -> Result<PathBuf> {
    let name = path.file_name().context("it is no file name")?;
    let mut new = OsString::from(".");
    new.push(name);
    new.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(new))
}
