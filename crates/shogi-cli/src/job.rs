//! Long work: its checkpoint, its progress and Ctrl-C, alike in every verb that takes long.

use std::cell::Cell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use indicatif::ProgressBar;

use crate::end::{Interrupted, Usage, chain_text};
use crate::file;
use crate::interrupt::Interrupt;
use crate::lock::Lock;
use crate::print::note;

/// How often the checkpoint is saved, where that takes little time.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// From one save to the next at least so many times what the save takes, which is 15 seconds with a table of ten
/// gigabytes.
const TIMES_A_SAVE: u32 = 20;

/// The argument that names a checkpoint.
#[derive(clap::Args, Clone, Default, Debug)]
pub struct Checkpoint {
    /// Save the state here every minute (less often where that would take more than a twentieth of the time) and on
    /// Ctrl-C, and resume from it if the file exists. One process at a time works with it: while one does, FILE.lock
    /// lies beside it. A verb that answers positions takes one with it.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

impl Checkpoint {
    /// Whether a file is named.
    pub const fn is_named(&self) -> bool {
        self.checkpoint.is_some()
    }
}

/// The work of a verb that takes long. A verb uses it so:
///
/// 1. [`Job::start`], before any work, refuses files that cannot be written and begins to listen for
///    Ctrl-C.
/// 2. [`Job::resume`] names the checkpoint to resume from, if there is one.
/// 3. [`Job::show`] takes a bar, which is drawn where standard error is a terminal.
/// 4. During the work, [`Job::pulse`] is called about once a second: it saves the state when that
///    is due, and breaks after Ctrl-C. A search that looks at a flag takes
///    [`Job::stop_signal`].
/// 5. [`Job::end`] takes the bar away and saves the last state; after Ctrl-C, [`Job::interrupted`] is
///    the verb's error.
///
/// ```ignore
/// let mut job = Job::start(&arguments.checkpoint, [&arguments.out])?;
/// let mut games = match job.resume() {
///     Some(path) => load(path)?,
///     None => Vec::new(),
/// };
/// job.show(bar(arguments.games, games.len(), "games"));
/// let end = play(|game| {
///     games.push(game);
///     job.bar().set_position(games.len());
///     job.pulse(&mut |file| write(&games, file))
/// });
/// job.end(&mut |file| write(&games, file))?;
/// if end.is_break() {
///     return Err(job.interrupted(&format!("{} games are", games.len())));
/// }
/// ```
pub struct Job<'a> {
    checkpoint: Option<&'a Path>,
    /// Keeps other processes from the checkpoint.
    _lock: Option<Lock>,
    interrupt: Interrupt,
    bar: ProgressBar,
    /// When the checkpoint is to be saved.
    due: Cell<Instant>,
}

impl<'a> Job<'a> {
    /// Work that writes the files `outputs`, where they are named, at its end.
    ///
    /// # Errors
    ///
    /// Where the checkpoint or an output cannot be written, another process works with the checkpoint, or Ctrl-C cannot
    /// be heard; [`Usage`] where the checkpoint is to be standard output, or two of these files are one.
    pub fn start(
        checkpoint: &'a Checkpoint,
        outputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Self> {
        let checkpoint = checkpoint.checkpoint.as_ref();
        if checkpoint.is_some_and(|path| file::is_standard(path)) {
            return Err(Usage("--checkpoint needs a file, not standard output".to_owned()).into());
        }
        let files: Vec<_> = outputs.into_iter().chain(checkpoint).map(PathBuf::as_path).collect();
        file::check_distinct(&files)?;
        files.iter().try_for_each(|path| file::check_writable(path))?;
        let lock = checkpoint.map(|path| Lock::file(path)).transpose()?.flatten();
        Ok(Self {
            checkpoint: checkpoint.map(PathBuf::as_path),
            _lock: lock,
            interrupt: Interrupt::listen()?,
            bar: ProgressBar::hidden(),
            due: Cell::new(Instant::now() + SAVE_EVERY),
        })
    }

    /// The checkpoint to resume from: the file named, if it exists.
    pub fn resume(&self) -> Option<&'a Path> {
        self.checkpoint.filter(|path| path.exists())
    }

    /// Whether the state is saved.
    pub const fn has_checkpoint(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Shows this bar until the end.
    pub fn show(&mut self, bar: ProgressBar) {
        self.bar = bar;
    }

    /// The bar that is shown; a hidden one at first.
    pub const fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Prints a line on standard error beside the bar.
    pub fn report(&self, line: &str) {
        self.bar.suspend(|| note(line));
    }

    /// The flag that Ctrl-C sets, for searches that look at it.
    pub fn stop_signal(&self) -> &AtomicBool {
        self.interrupt.flag()
    }

    /// Whether there was a Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// How long the work may go on until the checkpoint is to be saved; `None` without a checkpoint.
    pub fn until_save(&self) -> Option<Duration> {
        self.checkpoint.map(|_| self.due.get().saturating_duration_since(Instant::now()))
    }

    /// Saves the checkpoint with `write` if that is due; breaks after Ctrl-C.
    ///
    /// A checkpoint that cannot be written is reported, and the work goes on: there may be room again
    /// at the next save.
    pub fn pulse(&self, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> ControlFlow<()> {
        if self.until_save().is_some_and(|left| left.is_zero())
            && let Err(error) = self.save(write)
        {
            self.report(&format!("warning: {}", chain_text(&error)));
        }
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Ends the work: takes the bar away and saves the checkpoint with `write`, if there is one.
    pub fn end(&self, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        self.bar.finish_and_clear();
        self.save(write)
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
        let start = Instant::now();
        let saved = self.checkpoint.map_or(Ok(()), |path| file::write_by(path, write));
        self.due.set(start + save_after(start.elapsed()));
        saved
    }

    /// The error that ends interrupted work. `kept` says what the checkpoint holds and ends in the
    /// verb, such as `the state is`.
    pub fn interrupted(&self, kept: &str) -> Error {
        let advice = match self.checkpoint {
            Some(path) => format!(
                "{kept} saved in {}, and the same command resumes from there",
                path.display()
            ),
            None => "nothing is written or kept without --checkpoint FILE".to_owned(),
        };
        Interrupted { advice }.into()
    }
}

/// How long after the start of a save that took so long the next one is due.
fn save_after(took: Duration) -> Duration {
    SAVE_EVERY.max(TIMES_A_SAVE * took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_take_a_twentieth_of_the_time_at_most() {
        for (took, due) in [(0, 60), (3, 60), (4, 80), (15, 300)] {
            assert_eq!(save_after(Duration::from_secs(took)), Duration::from_secs(due));
        }
    }
}
