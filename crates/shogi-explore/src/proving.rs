//! Mates, values and moves, searched for within bounds.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value, json};
use shogi_variants::core::clock::Instant;
use shogi_variants::solve::{Budget, SearchProgress};
use shogi_variants::tasks::{HintTask, MateTask, Session, SolveTask, Task as _};

use crate::explorer::good;
use crate::fault::Fault;
use crate::requests::{OfLine, OfWatched, read, read_task};

/// The most moves played for a mate: some seconds.
const MATE_NODES: u64 = 2_000_000;
/// The most moves played for a value: a minute or so.
pub(crate) const SOLVE_NODES: u64 = 20_000_000;
/// The most seconds of a search that is watched.
pub(crate) const MAX_SECONDS: u64 = 600;
/// The most positions that a hint visits.
const MAX_HINT_NODES: u64 = 250_000;
/// The most megabytes of the tables.
const HASH: u32 = 64;
/// The most threads that search for a mate together: a page may have none but its own.
const MATE_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

/// The limit of a task that has one at most this high.
fn within(nodes: Option<u64>, most: u64) -> Option<u64> {
    Some(nodes.unwrap_or(most).min(most))
}

/// A hint that the page bears.
pub(crate) fn bounded_hint(task: HintTask) -> HintTask {
    HintTask { nodes: task.nodes.min(MAX_HINT_NODES) }
}

/// A search for a mate that the page bears.
pub(crate) fn bounded_mate(task: MateTask) -> MateTask {
    let (nodes, together) = (within(task.nodes, MATE_NODES), task.together.min(MATE_THREADS));
    MateTask { nodes, together, hash: task.hash.min(HASH), ..task }
}

/// Solves a position as the verb `solve` does, with its settings, and proves its value: in at most 20 million moves (`nodes`),
/// as many where they are left out, and 64 megabytes of tables. Returns the answer, and the bytes of the proof file if anything
/// is proved: [`Explorer::add`](crate::Explorer::add) takes them.
///
/// ```
/// use shogi_explore::{Explorer, solve};
/// let (answer, proof) = solve(br#"{"variant": "shogi34", "in": "rkr/1p1/1P1/RKR b - 1"}"#)?;
/// assert_eq!(answer["value"], "win");
/// let explorer = Explorer::open::<&str>(&[])?;
/// explorer.add("rkr.proof", proof.unwrap())?;
/// assert_eq!(explorer.answer("check", br#"{"file": 0}"#)?["ok"], true);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the request is malformed or its position illegal.
pub fn solve(request: &[u8]) -> Result<(Value, Option<Vec<u8>>), Fault> {
    solve_within(request, Budget::unlimited())
}

/// Like [`solve`], within a budget.
pub(crate) fn solve_within(
    request: &[u8],
    budget: Budget<'_>,
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    let (OfLine { variant, line, dialect }, task): (_, SolveTask) = read_task(request, Map::new())?;
    let small_game = task.small_game.min(SolveTask::default().small_game);
    let (nodes, hash) = (within(task.nodes, SOLVE_NODES), task.hash.min(HASH));
    let task = SolveTask { nodes, hash, small_game, ..task };
    solved(&OfLine { variant, line, dialect }, &task, budget)
}

/// Solves a position while somebody watches: `heard` is called about twice a second with the `nodes`, the `seconds` and the
/// numbers `proof` and `disproof` of the root so far. The request has `variant`, `in` and `seconds`, 600 at most and where
/// they are left out; no other limit ends the search but the memory of its tables. The answer is that of [`solve`].
///
/// # Errors
///
/// If the request is malformed, or its text stands for no legal position.
pub fn solve_watched(
    request: &[u8],
    heard: &mut dyn FnMut(Value),
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    solve_until(&read(request)?, MAX_SECONDS, &AtomicBool::new(false), heard)
}

/// The same, stopped by a flag, and with a limit for the seconds.
pub(crate) fn solve_until(
    ask: &OfWatched,
    max_seconds: u64,
    stop: &AtomicBool,
    heard: &mut dyn FnMut(Value),
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    let begun = Instant::now();
    let seconds = ask.seconds.unwrap_or(max_seconds).min(max_seconds);
    let mut report = |progress: SearchProgress| {
        let SearchProgress { nodes, proof, disproof, .. } = progress;
        let seconds = begun.elapsed().as_secs_f64();
        heard(json!({ "nodes": nodes, "seconds": seconds, "proof": proof, "disproof": disproof }));
    };
    let budget = Budget::unlimited().time(Duration::from_secs(seconds)).stopped_by(stop);
    let ask = OfLine { variant: ask.variant, line: ask.line.clone(), dialect: None };
    let task = SolveTask { hash: HASH, ..SolveTask::default() };
    solved(&ask, &task, budget.reporting_to(&mut report))
}

fn solved(
    OfLine { variant, line, dialect }: &OfLine,
    task: &SolveTask,
    budget: Budget<'_>,
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    let mut session = Session { dialect: *dialect, ..Session::new(budget) };
    let solution = task.answer(*variant, line, &mut session);
    let file = solution.as_ref().ok().and_then(|solution| {
        let mut file = Vec::new();
        solution.proof.as_ref()?.write(&mut file).ok().map(|()| file)
    });
    Ok((good(line, solution)?, file))
}
