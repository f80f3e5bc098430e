//! Reports on games.

use shogi_variants::tasks::{ReportTask, Task as _};

use crate::tasks::task_of;
use crate::{Answer, Arguments};

/// Answers the task, if it is this one: its line is where the game begins.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    (task == ReportTask::NAME).then(|| task_of(arguments, |task: ReportTask| task))
}
