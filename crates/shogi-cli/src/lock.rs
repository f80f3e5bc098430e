//! Files and folders that one process at a time works with.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use fs4::{FileExt, TryLockError};
use shogi_files::sealed::is_stream;

use crate::print::note;

/// The file that is locked in a folder, and what is added to the name of a file for the one beside it. It has the number
/// of the process that has locked it last.
const FOLDER_LOCK: &str = "lock";
const FILE_LOCK: &str = ".lock";

/// Keeps other processes from a file or folder. The system takes it away when the process ends, however that is.
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a folder, which is made if it is not there. Where the file system has no locks it says so, and nothing
    /// is locked.
    pub fn folder(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        Self::take(folder, folder.join(FOLDER_LOCK))
    }

    /// Locks a file that is written by renaming, existing or not, by one beside it. Nothing is locked for a
    /// [stream](is_stream).
    ///
    /// # Errors
    ///
    /// As [`Lock::folder`].
    pub fn file(file: &Path) -> Result<Option<Self>> {
        if is_stream(file) {
            return Ok(None);
        }
        // A link and what it leads to are one file.
        let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let mut path = OsString::from(target);
        path.push(FILE_LOCK);
        Self::take(file, path.into()).map(Some)
    }

    /// Locks `subject` by the file at `path`.
    fn take(subject: &Path, path: PathBuf) -> Result<Self> {
        let name = || path.display().to_string();
        loop {
            let mut options = OpenOptions::new();
            let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = opened.with_context(name)?;
            match FileExt::try_lock(&file) {
                Ok(()) => write(&mut file).with_context(name)?,
                Err(TryLockError::WouldBlock) => {
                    // Where locks are binding, as on Windows, the number cannot be read.
                    let mut number = String::new();
                    let is_read = file.read_to_string(&mut number).is_ok() && !number.is_empty();
                    let number =
                        if is_read { format!(" {}", number.trim_end()) } else { String::new() };
                    bail!("{}: another process{number} works with it", subject.display());
                }
                Err(TryLockError::Error(error)) => {
                    note(format_args!(
                        "warning: {}: no other process is kept away: {error}",
                        name()
                    ));
                    return Ok(Self { file, path });
                }
            }
            if is_own(&path) {
                return Ok(Self { file, path });
            }
            // The process before has removed the file since it was opened: what is locked has no name.
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is locked, so that no file of another process is removed.
        let _ = fs::remove_file(&self.path);
        let _ = FileExt::unlock(&self.file);
    }
}

/// The text that this process writes into its locks.
fn own() -> String {
    format!("{}\n", std::process::id())
}

/// Writes the number of this process in the place of what stands there.
fn write(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(own().as_bytes())
}

/// Whether the file of this name is the one that this process has locked and written. Where locks are binding it cannot
/// be read, nor removed while it is open.
fn is_own(path: &Path) -> bool {
    match fs::read_to_string(path) {
        Ok(number) => number == own(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}
