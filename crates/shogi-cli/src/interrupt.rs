//! Ctrl-C, heard between two steps of long work.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

/// One request may arrive twice within this time: `timeout` signals the program and then its whole group, and
/// a wrapper may pass on what a terminal has sent to both.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Whether the user has interrupted the program.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and termination from now on; another one, a second or more after the first, ends the
    /// program at once.
    pub fn listen() -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        let mut first = None;
        let heard = move || {
            set.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() >= SAME_REQUEST {
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
