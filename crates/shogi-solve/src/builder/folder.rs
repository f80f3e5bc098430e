//! A builder whose jobs are done by workers elsewhere, through a folder.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use shogi_core::Move;
use shogi_files::sealed::replace;
use shogi_rules::Rules;

use super::Builder;
use super::job::{JobOutcome, JobResult};
use super::oracle::NextMove;
use super::progress::{Observer, ProofState};
use super::tasks::{Events, Task, TaskKind, TaskResult};
use super::work::{Job, WorkError, most_bytes};
use crate::game::RulesGame;
use crate::leaf::Leaf;
use shogi_mate::Budget;

/// The interval between checks of the folder.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The extensions of the files of jobs and of their results.
const JOB: &str = "job";
const RESULT: &str = "result";

/// Receives the file of each refused result with the reason.
pub type Refused<'r> = dyn FnMut(&Path, &WorkError) + 'r;

impl<'g, R: Rules, L: Leaf<RulesGame<R>>> Builder<'g, RulesGame<R>, L> {
    /// [`Builder::run`] with workers elsewhere. Each job is a file `NUMBER.job` in `folder`
    /// ([`Job::from_json`]), at most `most` of them at a time; it is done once the file `NUMBER.result` exists
    /// ([`Job::run`]), which must be created atomically. Proofs are checked by the rules. A refutation has no
    /// certificate, so the same job is repeated here and that result counts. An unusable result is removed and
    /// its job stays, so that another worker can do it. `refused` receives such files, and those of refutations
    /// that do not hold here. Jobs of an earlier run are removed first, and remaining ones when the run ends.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, read or removed, with its path.
    pub fn run_in_folder(
        &mut self,
        folder: &Path,
        most: usize,
        oracle: &mut impl NextMove<RulesGame<R>>,
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, RulesGame<R>, L>,
        refused: &mut Refused<'_>,
    ) -> io::Result<()> {
        fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
        clear(folder)?;
        let mut posted: Vec<(PathBuf, Task)> = Vec::new();
        let (mut numbers, mut stopped) = (1_u64.., false);
        loop {
            while posted.len() < most.max(1) && !stopped && !budget.is_over() {
                let Some(task) = self.next(oracle.thinks_again()) else { break };
                if let TaskKind::Search { max_expansions } = task.kind {
                    let number = numbers.next().unwrap_or_default();
                    let file = folder.join(format!("{number:08}")).with_extension(JOB);
                    let job = self.job(&task, max_expansions).to_json();
                    replace(&file, |file| file.write_all(job.as_bytes()))
                        .map_err(|error| at(&file, &error))?;
                    posted.push((file, task));
                } else {
                    let events = self.do_here(task, oracle, budget);
                    stopped |= self.report(&events, observer);
                }
            }
            if posted.is_empty() {
                break;
            }
            if stopped || budget.is_over() || !self.is_open() {
                for (_, task) in posted {
                    self.tree.end_task(&task.path);
                }
                break;
            }
            let (mut open, waiting) = (Vec::new(), posted.len());
            for (file, task) in posted {
                let Some(result) = self.fetch(&file, &task, refused)? else {
                    open.push((file, task));
                    continue;
                };
                let events = self.take_foreign(task, result, oracle, budget, &mut |error| {
                    refused(&file.with_extension(RESULT), error);
                });
                stopped |= self.report(&events, observer);
            }
            posted = open;
            if posted.len() == waiting {
                thread::sleep(LOOK_EVERY);
                budget.look();
            }
        }
        self.tree.update();
        clear(folder)
    }

    /// The job of a task.
    fn job(&self, task: &Task, max_expansions: u64) -> Job<R> {
        let position = *self.position(task.number());
        Job { position, goal: self.goal, expansions: max_expansions }
    }

    /// Reads the result of a job if it exists, and removes both files. An unusable result is removed alone, so
    /// that the job is done again.
    fn fetch(
        &self,
        file: &Path,
        task: &Task,
        refused: &mut Refused<'_>,
    ) -> io::Result<Option<JobResult<RulesGame<R>>>> {
        let TaskKind::Search { max_expansions } = task.kind else { return Ok(None) };
        let path = file.with_extension(RESULT);
        let text = match read(&path, most_bytes(max_expansions)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| at(&path, &error))?,
        };
        let job = self.job(task, max_expansions);
        let result = match text.and_then(|text| job.read_result(&text)) {
            Ok(result) => {
                remove(file)?;
                Some(result)
            }
            Err(error) => {
                refused(&path, &error);
                None
            }
        };
        remove(&path)?;
        Ok(result)
    }

    /// Notes the result of a worker. A refutation from elsewhere is a hint that the job is worth doing here.
    fn take_foreign(
        &mut self,
        task: Task,
        result: JobResult<RulesGame<R>>,
        oracle: &mut dyn NextMove<RulesGame<R>>,
        budget: &mut Budget<'_>,
        refused: &mut dyn FnMut(&WorkError),
    ) -> Events<Move<R>> {
        budget.spend(result.nodes);
        let number = task.number();
        let is_refuted = matches!(result.outcome, JobOutcome::Refuted);
        if !is_refuted || self.tree.node(number).state != ProofState::Open {
            return self.done(task, TaskResult::Searched(result));
        }
        let events = self.do_here(task, oracle, budget);
        if self.tree.node(number).state != ProofState::Refuted && !budget.is_over() {
            refused(&WorkError::NotRefuted);
        }
        events
    }
}

/// Reads a result of at most `most` bytes; the outer result fails if the file is missing.
fn read(result: &Path, most: u64) -> io::Result<Result<String, WorkError>> {
    // Opening a pipe might wait for ever.
    if !fs::metadata(result)?.is_file() {
        return Ok(Err(WorkError::NoFile));
    }
    let mut bytes = Vec::new();
    File::open(result)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Ok(Err(WorkError::Size(most)));
    }
    Ok(String::from_utf8(bytes).map_err(|error| WorkError::Text(error.to_string())))
}

/// An error with the path that it is about.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn remove(file: &Path) -> io::Result<()> {
    fs::remove_file(file).map_err(|error| at(file, &error))
}

/// Removes all jobs and results. Other files may lie in the folder, and stay.
fn clear(folder: &Path) -> io::Result<()> {
    let of_folder = |error: io::Error| at(folder, &error);
    for entry in fs::read_dir(folder).map_err(of_folder)? {
        let file = entry.map_err(of_folder)?.path();
        if is_job_or_result(&file) {
            remove(&file)?;
        }
    }
    Ok(())
}

fn is_job_or_result(file: &Path) -> bool {
    let number = file.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let is_numbered = number.len() >= 8 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_numbered && [JOB, RESULT].map(OsStr::new).contains(&file.extension().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_a_run_has_made_are_removed() {
        for own in ["00000001.job", "00000001.result", "123456789.job"] {
            assert!(is_job_or_result(Path::new(own)), "{own}");
        }
        for foreign in ["print.job", "1.job", "00000001.txt", "00000001", ".job", "a0000001.result"]
        {
            assert!(!is_job_or_result(Path::new(foreign)), "{foreign}");
        }
    }
}
