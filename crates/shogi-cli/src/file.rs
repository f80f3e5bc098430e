//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use shogi_rank::Shard;

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
pub fn write_by(path: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let whole = || -> Result<()> {
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
