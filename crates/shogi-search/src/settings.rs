//! The bounds of a player's settings.

use crate::player::Settings;

/// The most threads that search one position together: see [`Settings::threads`].
pub const MAX_THREADS: usize = 256;
/// The most lines to search for, more than any position has moves.
pub const MAX_LINES: usize = 600;

/// Why a player cannot have these [`Settings`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The number of threads is 0 or above [`MAX_THREADS`].
    #[error("{0} threads: 1 to {MAX_THREADS} can be had")]
    Threads(usize),
    /// The number of lines is 0 or above [`MAX_LINES`].
    #[error("{0} lines: 1 to {MAX_LINES} can be had")]
    Lines(usize),
    /// The system refuses this many bytes for the tables.
    #[error("the system refuses {0} bytes for the tables")]
    Memory(usize),
}

impl Settings {
    /// Checks the numbers, and that the memory is available; each thread needs `thread_bytes` besides the
    /// table.
    pub(crate) fn check(&self, thread_bytes: usize) -> Result<(), SettingsError> {
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(SettingsError::Threads(self.threads));
        }
        if !(1..=MAX_LINES).contains(&self.lines) {
            return Err(SettingsError::Lines(self.lines));
        }
        // Reserved at once and freed again: a refused allocation of a single part would end the process.
        let bytes = self.hash_bytes.saturating_add(self.threads * thread_bytes);
        match Vec::<u8>::new().try_reserve_exact(bytes) {
            Ok(()) => Ok(()),
            Err(_) => Err(SettingsError::Memory(bytes)),
        }
    }
}
