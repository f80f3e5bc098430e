//! Folders that one process at a time works with.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fs4::{FileExt, TryLockError};

use crate::print::note;

/// The file in the folder that is locked, with the number of the process that has locked it last. It stays, since
/// another process may be about to lock it.
const FILE: &str = "lock";

/// Keeps other processes from a folder. The system takes it away when the process ends, however that is.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a folder, which is made if it is not there. Where the file system has no locks it says so, and nothing
    /// is locked.
    ///
    /// # Errors
    ///
    /// If another process has locked it, with its number, or the file cannot be written.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let name = || path.display().to_string();
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
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
                bail!("{}: another process{number} works with it", folder.display());
            }
            Err(TryLockError::Error(error)) => {
                note(format_args!("warning: {}: no other process is kept away: {error}", name()));
            }
        }
        Ok(Self { _file: file })
    }
}

/// Writes the number of this process in the place of what stands there.
fn write(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
