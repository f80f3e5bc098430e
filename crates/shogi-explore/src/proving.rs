//! Mates and values, searched for within bounds.

use serde::Serialize;
use serde_json::Value;
use shogi_rules::shogi_core::Colour;
use shogi_variants::operations::{Claimed, Mate, Solution};
use shogi_variants::solve::{Budget, Options, mate};

use crate::explorer::{good, refused};
use crate::fault::Fault;
use crate::requests::{OfProblem, read};

/// The most moves played for a mate: some seconds.
const MATE_NODES: u64 = 2_000_000;
/// The most moves played for a value: a minute or so.
const SOLVE_NODES: u64 = 20_000_000;
/// Bytes of the tables.
const HASH_BYTES: usize = 64 << 20;

/// As the verb `mate` answers, without the time.
#[derive(Serialize)]
struct Mated {
    mate: Option<u32>,
    exact: bool,
    status: &'static str,
    pv: Vec<String>,
    nodes: u64,
    expansions: u64,
}

impl From<Mate> for Mated {
    fn from(Mate { status, plies, exact, line, nodes, expansions }: Mate) -> Self {
        Self { mate: plies, exact, status: status.name(), pv: line, nodes, expansions }
    }
}

/// The question `mate`.
pub(crate) fn mate(request: &[u8]) -> Result<Value, Fault> {
    let OfProblem { variant, line, nodes, shortest, dialect } = read(request)?;
    let mut budget = Budget::nodes(nodes.unwrap_or(MATE_NODES).min(MATE_NODES));
    let options = mate::Options { hash_bytes: HASH_BYTES, shortest };
    let mate = variant.solving().mate(&line, options, &mut budget, dialect);
    good(&line, mate.map(Mated::from))
}

/// As the verb `solve` answers, without what was not proved and the time.
#[derive(Serialize)]
struct Solved {
    value: &'static str,
    plies_at_most: Option<u32>,
    nodes: u64,
    pv: Vec<String>,
    expansions: u64,
    ended: &'static str,
    certified: bool,
    proof: Option<Proved>,
}

#[derive(Serialize)]
struct Proved {
    claim: &'static str,
    provers: Vec<Colour>,
    entries: usize,
}

impl From<&Solution> for Solved {
    fn from(solution: &Solution) -> Self {
        let Solution { value, plies, proof, line, nodes, expansions, ended, .. } = solution;
        let proof = proof.as_ref().map(|proof| {
            let Claimed { claim, provers, .. } = proof.claimed(None);
            Proved { claim: claim.name(), provers, entries: proof.entries() }
        });
        Self {
            value: value.map_or("unknown", |value| value.name()),
            plies_at_most: plies.filter(|_| value.is_some()),
            nodes: *nodes,
            pv: if value.is_some() { line.clone() } else { Vec::new() },
            expansions: *expansions,
            ended: ended.name(),
            certified: value.is_some(),
            proof,
        }
    }
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
    let OfProblem { variant, line, nodes, dialect, .. } = read(request)?;
    let options = Options { hash_bytes: HASH_BYTES, ..Options::default() };
    let solver = variant.solving().solver(&line, options);
    let mut solver = solver.map_err(|error| refused(&line, error))?;
    solver.run(&mut budget(nodes.unwrap_or(SOLVE_NODES).min(SOLVE_NODES)));
    let solution = solver.into_solution(dialect);
    let file = solution.proof.as_ref().and_then(|proof| {
        let mut file = Vec::new();
        proof.write(&mut file).ok().map(|()| file)
    });
    Ok((good(&line, Ok::<_, String>(Solved::from(&solution)))?, file))
}
