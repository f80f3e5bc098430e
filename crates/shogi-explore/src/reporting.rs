//! Reports on games, made within bounds. Their samples are looked at on all threads, all else on one.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value, json};
use shogi_variants::Variant;
use shogi_variants::solve::{Budget, SearchProgress};
use shogi_variants::tasks::report::{ReportProgress, Subject};
use shogi_variants::tasks::{Report, ReportTask, Session};

use crate::explorer::refused;
use crate::fault::Fault;
use crate::proving::{MAX_SECONDS, SOLVE_NODES};
use crate::requests::{OfLine, OfWatched, read, read_task};

/// The most seconds of a report that nobody watches.
const UNWATCHED: Duration = Duration::from_secs(15);
/// The most games, and the most nodes for a move of theirs: the time is looked at after each game.
const MOST_GAMES: u32 = 1000;
const MOST_MOVE_NODES: u64 = 2000;
/// The most samples.
const MOST_SAMPLES: u64 = 1_000_000;

/// The question `report`, with settings that the server bears.
pub(crate) fn report(request: &[u8], stop: &AtomicBool) -> Result<Value, Fault> {
    let (ask, task): (OfLine, ReportTask) = read_task(request, Map::new())?;
    let task = ReportTask {
        games: task.games.clamp(1, MOST_GAMES),
        move_nodes: task.move_nodes.clamp(1, MOST_MOVE_NODES),
        opening: task.opening.min(400),
        nodes: task.nodes.min(SOLVE_NODES),
        samples: task.samples.clamp(1, MOST_SAMPLES),
        positions: task.positions.min(ReportTask::default().positions),
        ..task
    };
    let budget = Budget::unlimited().time(UNWATCHED).stopped_by(stop);
    let mut session = Session { dialect: ask.dialect, ..Session::new(budget) };
    let report = made(ask.variant, &ask.line, &task, &mut session, &mut |_| {})?;
    serde_json::to_value(report).map_err(|_| Fault::Lost)
}

/// Reports on a game while somebody watches: `heard` is called with how many `things` are `done` of `all` so far. The request
/// has `variant`, `in`, where games begin, and `seconds`, 600 at most and where they are left out; after them the report has
/// what is known by then. The answer has the `report`, as the verb `variant report` gives it, and the `page` of it in HTML.
///
/// ```
/// let mut games = 0;
/// let request = br#"{"variant": "micro", "in": "startpos", "seconds": 1}"#;
/// let answer = shogi_explore::report_watched(request, &mut |_| games += 1)?;
/// assert!(answer["page"].as_str().unwrap().starts_with("<!DOCTYPE html>") && games > 0);
/// # Ok::<(), shogi_explore::Fault>(())
/// ```
///
/// # Errors
///
/// If the request is malformed, or its text stands for no legal position.
pub fn report_watched(request: &[u8], heard: &mut dyn FnMut(Value)) -> Result<Value, Fault> {
    report_until(&read(request)?, MAX_SECONDS, &AtomicBool::new(false), heard)
}

/// Like [`report_watched`], stopped by a flag, and with a limit for the seconds.
pub(crate) fn report_until(
    ask: &OfWatched,
    max_seconds: u64,
    stop: &AtomicBool,
    heard: &mut dyn FnMut(Value),
) -> Result<Value, Fault> {
    let time = Duration::from_secs(ask.seconds.unwrap_or(max_seconds).min(max_seconds));
    let heard = RefCell::new(heard);
    let mut searched =
        |progress: SearchProgress| heard.borrow_mut()(json!({ "done": progress.nodes }));
    let budget = Budget::unlimited().time(time).stopped_by(stop).reporting_to(&mut searched);
    let (mut session, task) = (Session::new(budget), ReportTask::default());
    let report = made(ask.variant, &ask.line, &task, &mut session, &mut |progress| {
        heard.borrow_mut()(json!(progress));
    })?;
    let page = report.page(ask.variant).map_err(|error| refused(&ask.line, error))?;
    Ok(json!({ "report": report, "page": page }))
}

/// A report; its commands call a game that is not built in by a file of its name.
fn made(
    variant: Variant,
    start: &str,
    task: &ReportTask,
    session: &mut Session<'_>,
    watch: &mut dyn FnMut(ReportProgress),
) -> Result<Report, Fault> {
    let name = variant.name();
    let called = if variant.is_built_in() { name.to_owned() } else { format!("{name}.toml") };
    let subject = Subject { variant, start, called: &called, threads: 1 };
    task.report(&subject, session, watch).map_err(|error| refused(start, error))
}
