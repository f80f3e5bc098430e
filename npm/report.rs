//! Reports on games.

use shogi_variants::Variant;
use shogi_variants::solve::Budget;
use shogi_variants::tasks::{ReportTask, Session, Task as _};

use crate::{Answer, Arguments, json, text};

/// Answers the task, if it is this one.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    (task == ReportTask::NAME).then(|| report(arguments))
}

/// Reports on a game: the arguments are the game, its start, and the settings in JSON.
fn report(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (start, settings) = (arguments.text()?, arguments.text()?);
    let task: ReportTask = serde_json::from_str(settings).map_err(text)?;
    json(&task.answer(variant, start, &mut Session::new(Budget::unlimited())).map_err(text)?)
}
