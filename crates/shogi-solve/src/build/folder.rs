//! Workers that are reached by a folder.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use shogi_rules::Rules;
use shogi_rules::sealed::replace;

use super::builder::Builder;
use super::job::{Done, Outcome, Task};
use super::oracle::NextMove;
use super::progress::Observer;
use super::work::Job;
use crate::budget::Budget;
use crate::game::RulesGame;
use crate::leaf::Leaf;

/// How often the folder is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The endings of the files of jobs and of their results.
const JOB: &str = "job";
const RESULT: &str = "result";

/// A job that is in the folder.
struct Posted<R: Rules> {
    file: PathBuf,
    job: Job<R>,
    /// The number of its position in the tree, and those above it.
    path: Vec<u32>,
}

impl<R: Rules> Posted<R> {
    /// What a worker has found, if its result is here. One that cannot be used is taken away, so that
    /// the job is done again.
    fn result(&self) -> io::Result<Option<Done<RulesGame<R>>>> {
        let file = self.file.with_extension(RESULT);
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
            text => Some(text?),
        };
        let done = text.and_then(|text| self.job.read_result(&text, self.path.clone()).ok());
        if done.is_some() {
            fs::remove_file(&self.file)?;
        }
        fs::remove_file(file)?;
        Ok(done)
    }
}

impl<'g, R: Rules, L: Leaf<RulesGame<R>>> Builder<'g, RulesGame<R>, L> {
    /// [`Builder::run`] with workers elsewhere: each job is a file `NUMBER.job` in `folder`
    /// ([`Job::from_json`]), at most `most` of them at a time, and is done once the file
    /// `NUMBER.result` is there ([`Job::run`]), which has to appear whole. Proofs are checked by the rules. A
    /// result that cannot be used is removed, and its job stays; so whoever gives jobs to workers starts
    /// another where one has died. Jobs of an earlier run are removed first, and those that are left
    /// when the run ends.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, read or removed.
    pub fn run_in_folder(
        &mut self,
        folder: &Path,
        most: usize,
        oracle: &mut impl NextMove<RulesGame<R>>,
        budget: &mut Budget,
        observer: &mut Observer<'_, 'g, RulesGame<R>, L>,
    ) -> io::Result<()> {
        self.stopped = false;
        fs::create_dir_all(folder)?;
        clear(folder)?;
        let mut posted = Vec::new();
        let mut numbers = 1_u64..;
        loop {
            while posted.len() < most.max(1) && self.goes_on(budget) {
                let Some(Task { path, position, budget, .. }) = self.next(oracle, observer) else {
                    break;
                };
                let job = Job { position, goal: self.goal(), expansions: budget };
                let number = numbers.next().unwrap_or_default();
                let file = folder.join(format!("{number:08}")).with_extension(JOB);
                post(&file, &job.to_json())?;
                posted.push(Posted { file, job, path });
            }
            if posted.is_empty() {
                break;
            }
            if !self.goes_on(budget) {
                for Posted { job, path, .. } in posted {
                    let (budget, outcome) = (job.expansions, Outcome::Cut);
                    self.finish(Done { path, budget, outcome, nodes: 0, expansions: 0 }, observer);
                }
                break;
            }
            let mut open = Vec::new();
            let waiting = posted.len();
            for job in posted {
                match job.result()? {
                    None => open.push(job),
                    Some(done) => {
                        budget.spend(done.nodes);
                        self.finish(done, observer);
                    }
                }
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
}

/// Has a file with a text appear whole.
fn post(file: &Path, text: &str) -> io::Result<()> {
    replace(file, |file| file.write_all(text.as_bytes()))
}

/// Removes all jobs and results. Other files may lie in the folder, and stay.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        if is_job_or_result(&file) {
            fs::remove_file(file)?;
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
