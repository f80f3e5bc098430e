//! Ctrl-C, heard between two steps of long work.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};

/// Whether the user has asked the program to stop.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and termination from now on; the second one ends the program at once.
    ///
    /// # Errors
    ///
    /// Where the system does not let the program listen.
    pub fn listen() -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        let heard = move || {
            if set.swap(true, Ordering::Relaxed) {
                process::exit(crate::end::INTERRUPTED.into());
            }
        };
        ctrlc::set_handler(heard).context("cannot listen for Ctrl-C")?;
        Ok(Self(flag))
    }

    /// The flag itself, for searches that look at it.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
