//! `perft`: the number of legal move sequences.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::common::Common;
use crate::end::Outcome;
use crate::start::Start;
use crate::variant::{self, Variant};
use crate::{amount, print};

/// Arguments of `perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Length of the move sequences in plies.
    #[arg(value_parser = amount::count::<u32>(..=255))]
    depth: u32,
    #[command(flatten)]
    start: Start,
    /// Print the count behind each move too.
    #[arg(long)]
    divide: bool,
}

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Map<String, Value>>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, depth, divide, .. } = arguments;
    let position = arguments.start.sfen(variant)?;
    let started = Instant::now();
    let moves = variant.rules().divide(&position, depth, common.dialect_asked_for())?;
    // At depth 0 there is one sequence, the empty one.
    let nodes = if depth == 0 { 1 } else { moves.iter().map(|(_, nodes)| nodes).sum() };
    let seconds = started.elapsed().as_secs_f64();
    let moves = Some(moves).filter(|_| divide && depth > 0);
    let mut text = String::new();
    for (mv, nodes) in moves.iter().flatten() {
        writeln!(text, "{mv}: {nodes}")?;
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    write!(text, "{nodes} nodes in {seconds:.3} s ({rate:.1} M nodes/s)")?;
    let divide = moves.map(|moves| moves.into_iter().map(|(mv, n)| (mv, n.into())).collect());
    print::answer(common.json, &Answer { nodes, seconds, divide }, text)?;
    Ok(Outcome::Good)
}
