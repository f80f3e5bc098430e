//! Replacing a file in one step.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{format, process};

/// How many times a file is written again after another process has removed it half-written.
const ATTEMPTS: u32 = 8;

/// Replaces a file in one step: `write` fills a new file in the same folder, which is flushed to the disk and
/// renamed. An interrupted program leaves the old content. Symbolic links are followed; to a
/// [stream](is_stream) `write` writes directly.
///
/// The new file is called `.NAME.PROCESS-NUMBER.new`. Files of such names that killed processes have left are
/// removed first. That can hit a process that is writing to the same file at this moment; it then calls `write`
/// again, so both succeed, and the later content stays.
///
/// # Errors
///
/// If the file cannot be written or `write` fails. The old content then stays.
///
/// ```
/// use std::io::Write;
/// use shogi_files::sealed::replace;
/// let path = std::env::temp_dir().join(format!("score-{}", std::process::id()));
/// replace(&path, |file| file.write_all(b"7"))?;
/// replace(&path, |file| file.write_all(b"8"))?;
/// assert_eq!(std::fs::read(&path)?, b"8");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace<E: From<io::Error>>(
    path: &Path,
    mut write: impl FnMut(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut refused = None;
    let replaced = replace_by(path, &mut |file| {
        refused = write(file).err();
        refused.is_none()
    });
    match refused {
        Some(error) => Err(error),
        None => Ok(replaced?),
    }
}

/// Like [`replace`], for a `write` that returns whether it succeeded; if it did not, the old content stays.
fn replace_by(path: &Path, write: &mut dyn FnMut(&mut File) -> bool) -> io::Result<()> {
    let path = target(path)?;
    if is_stream(&path) {
        write(&mut OpenOptions::new().write(true).open(&path)?);
        return Ok(());
    }
    remove_leftovers(&path)?;
    let mut attempts = ATTEMPTS;
    loop {
        attempts -= 1;
        let new = beside(&path)?;
        match write_new(&new, write).map(|is_whole| is_whole.then(|| fs::rename(&new, &path))) {
            Ok(Some(Ok(()))) => return Ok(()),
            Ok(Some(Err(error))) if error.kind() == io::ErrorKind::NotFound && attempts > 0 => {}
            done => {
                // If it is missing, that is not another error.
                let _ = fs::remove_file(&new);
                return done?.unwrap_or(Ok(()));
            }
        }
    }
}

/// Writes a new file, and returns whether `write` succeeded.
fn write_new(new: &Path, write: &mut dyn FnMut(&mut File) -> bool) -> io::Result<bool> {
    let mut file = File::create(new)?;
    let is_whole = write(&mut file);
    if is_whole {
        file.sync_all()?;
    }
    Ok(is_whole)
}

/// Checks before long work that [`replace`] can be expected to succeed. Removes files that killed processes
/// have left.
///
/// # Errors
///
/// If a file of that name cannot be made.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    let path = target(path)?;
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if is_stream(&path) {
        return Ok(());
    }
    remove_leftovers(&path)?;
    let new = beside(&path)?;
    File::create(&new)?;
    match fs::remove_file(&new) {
        // Another process has taken it for a leftover.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// The file to which a symbolic link leads, or the path itself. A pipe behind `/dev/stdout` has no path of its
/// own.
fn target(path: &Path) -> io::Result<PathBuf> {
    if path.exists() && !is_stream(path) { path.canonicalize() } else { Ok(path.into()) }
}

/// Whether a path is, or links to, a pipe, a terminal or another device: these take the written bytes one after
/// another, and [`replace`] does not put a new file in their place. False for folders and for missing files.
///
/// ```
/// use std::path::Path;
/// use shogi_files::sealed::is_stream;
/// assert!(!is_stream(&std::env::temp_dir()));
/// assert!(!is_stream(Path::new("nowhere")));
/// # #[cfg(unix)]
/// assert!(is_stream(Path::new("/dev/null")));
/// ```
pub fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn file_name(path: &Path) -> io::Result<&OsStr> {
    path.file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is no file name"))
}

/// A name for a new file in the same folder, where it can be renamed to the final name.
fn beside(path: &Path) -> io::Result<PathBuf> {
    // Threads that write to the same file must not write to the same new file.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut new = OsString::from(".");
    new.push(file_name(path)?);
    new.push(format!(".{}-{number}.new", process::id()));
    Ok(path.with_file_name(new))
}

/// Removes the new files of other processes that were never renamed to `path`.
fn remove_leftovers(path: &Path) -> io::Result<()> {
    let name = file_name(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // A folder that cannot be listed may still take a file.
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Ok(()) };
    for entry in entries.flatten() {
        if writer(&entry.file_name(), name).is_some_and(|writer| writer != process::id()) {
            // Another process may be quicker, and a file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// The process that wrote a new file for the file called `name`; `None` for other files.
fn writer(file: &OsStr, name: &OsStr) -> Option<u32> {
    let middle =
        file.as_encoded_bytes().strip_prefix(b".")?.strip_prefix(name.as_encoded_bytes())?;
    let middle = middle.strip_prefix(b".")?.strip_suffix(b".new")?;
    let (process, number) = std::str::from_utf8(middle).ok()?.split_once('-')?;
    number.parse::<u64>().ok()?;
    process.parse().ok()
}
