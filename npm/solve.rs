//! Values of positions, proved.

use shogi_variants::tasks::{SolveTask, Task as _};

use crate::tasks::task_of;
use crate::{Answer, Arguments};

/// Answers the task, if it is this one.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    (task == SolveTask::NAME).then(|| task_of(arguments, |task: SolveTask| task))
}
