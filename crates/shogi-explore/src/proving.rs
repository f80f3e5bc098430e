//! Mates and values, searched for within bounds.

use serde_json::Value;
use shogi_variants::solve::{Budget, Options};
use shogi_variants::tasks::{MateTask, Session, Task as _};

use crate::explorer::{good, refused};
use crate::fault::Fault;
use crate::requests::{OfProblem, read, read_task};

/// The most moves played for a mate: some seconds.
const MATE_NODES: u64 = 2_000_000;
/// The most moves played for a value: a minute or so.
const SOLVE_NODES: u64 = 20_000_000;
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
    let options = Options { hash_bytes: (HASH as usize) << 20, ..Options::default() };
    let solver = variant.solving().solver(&line, options);
    let mut solver = solver.map_err(|error| refused(&line, error))?;
    solver.run(&mut budget(nodes.unwrap_or(SOLVE_NODES).min(SOLVE_NODES)));
    let solution = solver.into_solution(dialect);
    let file = solution.proof.as_ref().and_then(|proof| {
        let mut file = Vec::new();
        proof.write(&mut file).ok().map(|()| file)
    });
    Ok((good(&line, Ok::<_, String>(solution.printed()))?, file))
}
