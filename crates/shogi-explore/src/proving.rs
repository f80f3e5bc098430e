//! Mates, values and moves, searched for within bounds.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};
use shogi_rules::Dialect;
use shogi_variants::Variant;
use shogi_variants::core::clock::Instant;
use shogi_variants::solve::{Budget, Options, SearchProgress};
use shogi_variants::tasks::{ChooseTask, HintTask, MateTask, Session, Task as _};

use crate::explorer::{good, refused};
use crate::fault::Fault;
use crate::requests::{OfProblem, OfSolve, read, read_task};

/// The most moves played for a mate: some seconds.
const MATE_NODES: u64 = 2_000_000;
/// The most moves played for a value: a minute or so.
const SOLVE_NODES: u64 = 20_000_000;
/// The most seconds of a search that is watched.
const MAX_SECONDS: u64 = 600;
/// The positions that a hint visits.
const HINT_NODES: u64 = 50_000;
/// The most positions that a hint visits.
const MAX_HINT_NODES: u64 = 250_000;
/// The most megabytes of the tables.
const HASH: u32 = 64;
/// The most threads that search for a mate together: a page may have none but its own.
const MATE_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

/// The question `mate`.
pub(crate) fn mate(request: &[u8]) -> Result<Value, Fault> {
    let (OfProblem { variant, line, nodes, dialect }, task): (_, MateTask) = read_task(request)?;
    let together = task.together.min(MATE_THREADS);
    let task = MateTask { together, hash: task.hash.min(HASH), ..task };
    let budget = Budget::nodes(nodes.unwrap_or(MATE_NODES).min(MATE_NODES));
    let mut session = Session { dialect, ..Session::new(budget) };
    good(&line, task.answer(variant, &line, &mut session))
}

/// The question `choose`: what the player does.
pub(crate) fn choose(request: &[u8]) -> Result<Value, Fault> {
    let (OfProblem { variant, line, dialect, .. }, task): (_, ChooseTask) = read_task(request)?;
    let mut session = Session { dialect, ..Session::new(Budget::unlimited()) };
    good(&line, task.answer(variant, &line, &mut session))
}

/// The question `hint`.
pub(crate) fn hint(request: &[u8]) -> Result<Value, Fault> {
    let OfProblem { variant, line, nodes, dialect } = read(request)?;
    let task = HintTask { nodes: nodes.unwrap_or(HINT_NODES).min(MAX_HINT_NODES) };
    let mut session = Session { dialect, ..Session::new(Budget::unlimited()) };
    good(&line, task.answer(variant, &line, &mut session))
}

/// Solves a position as the verb `solve` does, in at most so many moves (`nodes`, 20 million at most and
/// where it is left out), and proves its value. Returns the answer, and the bytes of the proof file if
/// anything is proved: [`Explorer::add`](crate::Explorer::add) takes them.
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
/// If the request is none, or its text stands for no legal position.
pub fn solve(request: &[u8]) -> Result<(Value, Option<Vec<u8>>), Fault> {
    solve_within(request, Budget::nodes)
}

/// The same with a budget made of the most moves.
pub(crate) fn solve_within<'a>(
    request: &[u8],
    budget: impl FnOnce(u64) -> Budget<'a>,
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    let OfProblem { variant, line, nodes, dialect } = read(request)?;
    let mut budget = budget(nodes.unwrap_or(SOLVE_NODES).min(SOLVE_NODES));
    solved(variant, &line, dialect, &mut budget)
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
    ask: &OfSolve,
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
    solved(ask.variant, &ask.line, None, &mut budget.reporting_to(&mut report))
}

fn solved(
    variant: Variant,
    line: &str,
    dialect: Option<Dialect>,
    budget: &mut Budget<'_>,
) -> Result<(Value, Option<Vec<u8>>), Fault> {
    let options = Options { hash_bytes: (HASH as usize) << 20, ..Options::default() };
    let solver = variant.solving().solver(line, options);
    let mut solver = solver.map_err(|error| refused(line, error))?;
    solver.run(budget);
    let solution = solver.into_solution(dialect);
    let file = solution.proof.as_ref().and_then(|proof| {
        let mut file = Vec::new();
        proof.write(&mut file).ok().map(|()| file)
    });
    Ok((good(line, Ok::<_, String>(solution.printed()))?, file))
}
