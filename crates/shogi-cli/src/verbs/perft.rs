//! `perft`: the number of legal move sequences.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use shogi_rules::shogi_core::{Placement, perft};
use shogi_rules::{Dialect, Rules, to_usi_in};

use crate::arguments::Common;
use crate::end::Outcome;
use crate::print;
use crate::start::Start;
use crate::variant::{Variant, dispatch};

/// Below this depth a subtree is counted by one thread.
const PARALLEL_DEPTH: u32 = 5;

/// Arguments of `perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    variant: Variant,
    /// Length of the move sequences in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=255))]
    depth: u32,
    #[command(flatten)]
    start: Start,
    /// Give the count behind each move too.
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
    dispatch!(arguments.variant, R => run_for::<R>(arguments, common))
}

fn run_for<R: Rules>(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let position = arguments.start.position::<R>()?;
    let started = Instant::now();
    let (nodes, divide) = if arguments.divide && arguments.depth > 0 {
        let moves = divide(position.placement(), arguments.depth, common.dialect::<R>());
        (moves.iter().map(|(_, nodes)| nodes).sum(), Some(moves))
    } else {
        (count(position.placement(), arguments.depth), None)
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut text = String::new();
    for (made, nodes) in divide.iter().flatten() {
        writeln!(text, "{made}: {nodes}")?;
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    write!(text, "{nodes} nodes in {seconds:.3} s ({rate:.1} M nodes/s)")?;
    let divide = divide.map(|moves| moves.into_iter().map(|(m, n)| (m, n.into())).collect());
    print::answer(common.json, &Answer { nodes, seconds, divide }, text)?;
    Ok(Outcome::Good)
}

/// The count behind each move, sorted by the move.
fn divide<R: Rules>(placement: &Placement<R>, depth: u32, dialect: Dialect) -> Vec<(String, u64)> {
    let mut moves: Vec<_> = placement
        .legal_moves()
        .par_iter()
        .map(|&made| {
            (to_usi_in(made, placement, dialect), count(&placement.after(made), depth - 1))
        })
        .collect();
    moves.sort();
    moves
}

/// Perft on all threads: the tree's upper part is split, move by move.
fn count<R: Rules>(placement: &Placement<R>, depth: u32) -> u64 {
    if depth < PARALLEL_DEPTH {
        return perft(placement, depth);
    }
    let moves = placement.legal_moves();
    moves.par_iter().map(|&made| count(&placement.after(made), depth - 1)).sum()
}
