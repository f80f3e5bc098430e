//! Workers that are reached by a folder.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use shogi_rules::Rules;
use shogi_rules::sealed::replace;

use super::builder::{Alone, Builder, Crew};
use super::coordinator::{Scene, Task};
use super::job::{Done, Outcome};
use super::oracle::NextMove;
use super::progress::{Observer, State};
use super::scene::Watched;
use super::work::{Job, WorkError, most_bytes};
use crate::budget::Budget;
use crate::game::RulesGame;
use crate::leaf::Leaf;

/// How often the folder is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The endings of the files of jobs and of their results.
const JOB: &str = "job";
const RESULT: &str = "result";

/// Receives the file of each result that was refused, and why.
pub type Refused<'r> = dyn FnMut(&Path, &WorkError) + 'r;

impl<'g, R: Rules, L: Leaf<RulesGame<R>>> Builder<'g, RulesGame<R>, L> {
    /// [`Builder::run`] with workers elsewhere: each job is a file `NUMBER.job` in `folder`
    /// ([`Job::from_json`]), at most `most` of them at a time, and is done once the file
    /// `NUMBER.result` is there ([`Job::run`]), which has to appear whole. Proofs are checked by the rules. A
    /// refutation has no certificate: the same job is done here, and its result counts. A
    /// result that cannot be used is removed, and its job stays; so whoever gives jobs to workers starts
    /// another where one has died. `refused` receives such files, and those of refutations that do not hold here.
    /// Jobs of an earlier run are removed first, and those that are left when the run ends.
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
        let alone = Alone { watched: Watched { builder: self, observer }, oracle };
        run(&mut Posting { alone, done: None }, folder, most.max(1), budget, refused)
    }
}

/// Who hands out the jobs that go to the folder.
trait Post {
    fn crew(&mut self) -> &mut dyn Crew;

    /// The text of a job.
    fn job(&self, task: &Task) -> String;

    /// Reads what a worker has found.
    fn read(&mut self, task: &Task, result: &str) -> Result<(), WorkError>;

    /// Takes over what was read.
    fn take(&mut self, task: Task, budget: &mut Budget<'_>) -> Result<(), WorkError>;
}

impl dyn Post + '_ {
    fn scene(&mut self) -> &mut dyn Scene {
        self.crew().scene()
    }

    /// Reads the result of a job if it is here, and takes both away; whether it can be used. One that cannot is
    /// taken away alone, so that the job is done again.
    fn fetch(&mut self, file: &Path, task: &Task, refused: &mut Refused<'_>) -> io::Result<bool> {
        let result = file.with_extension(RESULT);
        let text = match read(&result, most_bytes(task.budget)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            text => text.map_err(|error| at(&result, &error))?,
        };
        let is_done = match text.and_then(|text| self.read(task, &text)) {
            Ok(()) => true,
            Err(error) => {
                refused(&result, &error);
                false
            }
        };
        if is_done {
            remove(file)?;
        }
        remove(&result)?;
        Ok(is_done)
    }
}

/// Keeps at most so many jobs in the folder, until the root is decided or the budget is spent.
fn run(
    post: &mut dyn Post,
    folder: &Path,
    most: usize,
    budget: &mut Budget<'_>,
    refused: &mut Refused<'_>,
) -> io::Result<()> {
    post.scene().coordinator().stopped = false;
    fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
    clear(folder)?;
    let mut posted: Vec<(PathBuf, Task)> = Vec::new();
    let mut numbers = 1_u64..;
    loop {
        while posted.len() < most && post.scene().goes_on(budget) {
            let Some(task) = post.crew().next() else { break };
            let number = numbers.next().unwrap_or_default();
            let file = folder.join(format!("{number:08}")).with_extension(JOB);
            write(&file, &post.job(&task)).map_err(|error| at(&file, &error))?;
            posted.push((file, task));
        }
        if posted.is_empty() {
            break;
        }
        if !post.scene().goes_on(budget) {
            for (_, task) in posted {
                post.scene().coordinator().land(&task.path);
            }
            break;
        }
        let mut open = Vec::new();
        let waiting = posted.len();
        for (file, task) in posted {
            if !post.fetch(&file, &task, refused)? {
                open.push((file, task));
            } else if let Err(error) = post.take(task, budget) {
                refused(&file.with_extension(RESULT), &error);
            }
        }
        posted = open;
        if posted.len() == waiting {
            thread::sleep(LOOK_EVERY);
            budget.look();
        }
    }
    post.scene().coordinator().tree.update();
    clear(folder)
}

/// A builder whose jobs are done elsewhere.
struct Posting<'b, 't, 'g, R: Rules, L> {
    alone: Alone<'b, 't, 'g, RulesGame<R>, L>,
    /// What was read last.
    done: Option<Done<RulesGame<R>>>,
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Posting<'_, '_, '_, R, L> {
    fn state(&self, number: u32) -> State {
        self.alone.watched.builder.coordinator.tree.node(number).state
    }

    fn job_of(&self, task: &Task) -> Option<Job<R>> {
        let builder = &*self.alone.watched.builder;
        let position = *builder.position(*task.path.last()?);
        Some(Job { position, goal: builder.goal(), expansions: task.budget })
    }
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Post for Posting<'_, '_, '_, R, L> {
    fn crew(&mut self) -> &mut dyn Crew {
        &mut self.alone
    }

    fn job(&self, task: &Task) -> String {
        self.job_of(task).map(|job| job.to_json()).unwrap_or_default()
    }

    fn read(&mut self, task: &Task, result: &str) -> Result<(), WorkError> {
        let job = self.job_of(task).ok_or(WorkError::Other)?;
        self.done = Some(job.read_result(result)?);
        Ok(())
    }

    fn take(&mut self, task: Task, budget: &mut Budget<'_>) -> Result<(), WorkError> {
        let (Some(done), Some(&number)) = (self.done.take(), task.path.last()) else {
            return Ok(());
        };
        budget.spend(done.nodes);
        if !matches!(done.outcome, Outcome::Refuted) || self.state(number) != State::Open {
            self.alone.watched.finish(task, done);
            return Ok(());
        }
        // A refutation from elsewhere is a hint that the job is worth doing here.
        self.alone.search(task, budget);
        let holds = self.state(number) == State::Refuted || budget.is_over();
        if holds { Ok(()) } else { Err(WorkError::NotRefuted) }
    }
}

/// Reads a result of so many bytes at most; nothing outside if there is none.
fn read(result: &Path, most: u64) -> io::Result<Result<String, WorkError>> {
    // To open a pipe might wait for ever.
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

/// Has a file with a text appear whole.
fn write(file: &Path, text: &str) -> io::Result<()> {
    replace(file, |file| file.write_all(text.as_bytes()))
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
