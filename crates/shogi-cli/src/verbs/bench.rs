//! `bench`: the nodes of fixed searches, which show whether the player still searches as before.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, json};
use shogi_variants::search::Bench;

use crate::bar::count;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::variant::{self, Variant};
use crate::{amount, print};

/// Arguments of `bench`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// One variant [default: all].
    #[arg(value_parser = variant::parser())]
    variant: Option<Variant>,
    /// Depth of each search in plies.
    #[arg(long, default_value = "10", value_parser = amount::count::<u32>(1..=100))]
    depth: u32,
    /// Searches for each variant: the positions of a game that the player plays against itself.
    #[arg(long, default_value = "12", value_parser = amount::count::<u32>(1..=1000))]
    searches: u32,
}

#[derive(Serialize)]
struct BenchAnswer {
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    variants: Map<String, serde_json::Value>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let &Arguments { variant, depth, searches } = arguments;
    let interrupt = Interrupt::listen()?;
    let variants = variant.as_ref().map_or(Variant::ALL, std::slice::from_ref);
    let bar = count(u64::from(searches) * variants.len() as u64, 0, "searches");
    let (mut total, mut each, mut text) = (Bench::default(), Map::new(), String::new());
    for variant in variants {
        let found = variant.playing().bench("startpos", depth, searches, &mut |_| {
            bar.inc(1);
            if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if interrupt.is_set() {
            bar.finish_and_clear();
            let advice =
                "nothing is kept; fewer --searches or less --depth take less time".to_owned();
            return Err(Interrupted { advice }.into());
        }
        total.searches += found.searches;
        total.nodes += found.nodes;
        total.time += found.time;
        writeln!(text, "{variant}: {} nodes in {} searches", found.nodes, found.searches)?;
        each.insert(
            variant.to_string(),
            json!({
                "nodes": found.nodes,
                "searches": found.searches,
                "seconds": found.time.as_secs_f64(),
            }),
        );
    }
    bar.finish_and_clear();
    let answer = BenchAnswer {
        nodes: total.nodes,
        seconds: total.time.as_secs_f64(),
        nodes_per_second: total.nodes_per_second(),
        variants: each,
    };
    let BenchAnswer { nodes, seconds, nodes_per_second, .. } = &answer;
    write!(text, "{nodes} nodes in {seconds:.3} s ({nodes_per_second} nodes/s)")?;
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::Good)
}
