//! `perft`: the number of legal move sequences.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::{Map, Value};
use shogi_variants::operations::{Divided, PART_PLIES};

use crate::bar::{count, spinner};
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::start::Start;
use crate::variant::Game;
use crate::{amount, print};

/// Arguments of `perft`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Length of the move sequences in plies.
    #[arg(value_parser = amount::count::<u8>(..=255))]
    depth: u8,
    #[command(flatten)]
    start: Start,
    /// Print the count behind each move too.
    #[arg(long)]
    divide: bool,
}

#[derive(Serialize)]
struct PerftAnswer {
    nodes: u64,
    seconds: f64,
    /// Absent where all is counted; else false.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Map<String, Value>>,
    /// The moves behind which not all is counted, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unfinished: Vec<String>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { game: Game { variant }, depth, divide, .. } = arguments;
    let rules = variant.rules();
    let position = arguments.start.problem(variant)?;
    let interrupt = Interrupt::listen()?;
    // The number of parts is known for as long as it costs next to nothing.
    let bar = match depth.saturating_sub(PART_PLIES) {
        0..2 => ProgressBar::hidden(),
        above @ 2..=5 => count(rules.perft(&position, above)?, 0, "parts"),
        _ => spinner("{spinner} {elapsed}, {human_pos} parts"),
    };
    let started = Instant::now();
    let moves = rules.divide(&position, depth, common.dialect(), &|_| {
        bar.inc(1);
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    // At depth 0 there is one sequence, the empty one.
    let nodes = if depth == 0 { 1 } else { moves.iter().map(|first| first.nodes).sum() };
    let complete = moves.iter().all(|first| first.complete);
    // What is not complete is printed move by move.
    let moves = if (divide || !complete) && depth > 0 { Some(moves) } else { None };
    let mut text = String::new();
    for Divided { mv, nodes, complete, .. } in moves.iter().flatten() {
        let so_far = if *complete { "" } else { " so far" };
        writeln!(text, "{mv}: {nodes}{so_far}")?;
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    write!(text, "{nodes} nodes in {seconds:.3} s ({rate:.1} M nodes/s)")?;
    let unfinished = moves.iter().flatten().filter(|first| !first.complete);
    let answer = PerftAnswer {
        nodes,
        seconds,
        complete: (!complete).then_some(false),
        unfinished: unfinished.map(|first| first.mv.clone()).collect(),
        divide: moves.map(|moves| moves.into_iter().map(|d| (d.mv, d.nodes.into())).collect()),
    };
    print::answer(common.json, &answer, text)?;
    if !complete {
        let advice = "the counts are those up to now".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(Outcome::Good)
}
