//! Shibahara, Tajima & Kotani, "A New Method of Dealing with GHI Problem for Proving Draw and
//! Application to 3x4 Boards of Shogi" (2006): every start of 3x4 shogi solved, by df-pn and by PDS,
//! each value with a proof that is checked by the rules alone, beside the paper's numbers.
//!
//! ```text
//! cargo run --release --example shogi34_solved
//! ```
//!
//! What has been done is kept in the JSON and not done again, so the program can be stopped at any
//! time, and run again with other budgets or starts.

mod drawn_sets;
mod paper;
mod readings;
mod runs;
mod starts;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use shogi_rules::{Shogi34, shogi_core::Position};
use shogi_solve::{Algorithm, Budget, Options, SearchProgress, Solver, StartLeaf};
use shogi_variants_examples::{exit_code, parse_count, say, write_whole};

use crate::runs::{Run, Runs, Way};

/// Solves the starts of 3x4 shogi.
#[derive(Parser)]
struct Arguments {
    /// Starts by Sente's back rank, such as KGS,RKB; all 57 by default.
    #[arg(long, value_delimiter = ',')]
    starts: Vec<String>,
    /// Searches, dfpn or pds; both by default.
    #[arg(long, value_delimiter = ',', value_parser = algorithm)]
    algorithms: Vec<Algorithm>,
    /// What positions start with that were not searched yet, unit or mobility; unit by default.
    #[arg(long, value_delimiter = ',', value_parser = leaf)]
    leaves: Vec<StartLeaf>,
    /// Most moves to play for a start, in rounds: what resists in one is tried again in the next.
    #[arg(long, value_delimiter = ',', default_value = "1e7,1e8,1e9", value_parser = parse_count)]
    nodes: Vec<u64>,
    /// Megabytes for the tables of a search.
    #[arg(long, default_value_t = 1024)]
    hash: usize,
    /// Where the JSON and the tables go, and where the JSON is read from.
    #[arg(long, default_value = "target/shogi34_solved")]
    out: PathBuf,
    /// Write each proof to a file in this folder, for `shogi verify` and `shogi proof`.
    #[arg(long)]
    proofs: Option<PathBuf>,
    /// Count, for the drawn starts of these tablebases, the least set that proves the draw by the paper's condition.
    #[arg(long, value_delimiter = ',')]
    tablebases: Vec<PathBuf>,
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    let all = [Algorithm::DfPn, Algorithm::Pds];
    let found = all.into_iter().find(|algorithm| algorithm.name() == name);
    found.ok_or_else(|| format!("{name:?} is neither dfpn nor pds"))
}

fn leaf(name: &str) -> Result<StartLeaf, String> {
    let found = StartLeaf::ALL.into_iter().find(|leaf| leaf.name() == name);
    found.ok_or_else(|| format!("{name:?} is neither unit nor mobility"))
}

fn main() -> ExitCode {
    exit_code("shogi34_solved", run())
}

fn run() -> Result<()> {
    let Arguments { starts, algorithms, leaves, nodes, hash, out, proofs, tablebases } =
        Arguments::parse();
    let starts = if starts.is_empty() { starts::all() } else { starts::listed(&starts) };
    let positions = starts.iter().map(|start| starts::position(start));
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    let algorithms =
        if algorithms.is_empty() { vec![Algorithm::DfPn, Algorithm::Pds] } else { algorithms };
    let leaves = if leaves.is_empty() { vec![StartLeaf::Unit] } else { leaves };
    let ways: Vec<Way> = leaves
        .iter()
        .flat_map(|&leaf| algorithms.iter().map(move |&algorithm| (algorithm, leaf)))
        .collect();
    for folder in [Some(&out), proofs.as_ref()].into_iter().flatten() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let path = out.join("shogi34.json");
    let mut runs = Runs::load(&path)?;
    let readings = tables::readings();
    for &nodes in &nodes {
        for (start, position) in starts.iter().zip(&positions) {
            for &way in &ways {
                if runs.is_done(start, way, nodes, hash) {
                    continue;
                }
                let run = solve(start, *position, way, nodes, hash, proofs.as_deref())?;
                say!("{run}");
                runs.add(run)?;
                runs.save(&path)?;
                write_whole(&out.join("shogi34.md"), tables::page(&runs, &readings))?;
            }
        }
    }
    if !tablebases.is_empty() {
        runs.drawn_sets = drawn_sets::of(&tablebases)?;
        runs.save(&path)?;
    }
    write_whole(&out.join("shogi34.md"), tables::page(&runs, &readings))?;
    say!("{}\nJSON and tables are in {}", tables::summary(&runs), out.display());
    Ok(())
}

fn solve(
    start: &str,
    position: Position<Shogi34>,
    (algorithm, leaf): Way,
    nodes: u64,
    hash: usize,
    proofs: Option<&Path>,
) -> Result<Run> {
    let bar = ProgressBar::new(nodes);
    let style = "{msg} {wide_bar} {human_pos} of {human_len} nodes, {eta}";
    bar.set_style(ProgressStyle::with_template(style)?);
    let mut show = |SearchProgress { nodes, proof, disproof, hashfull, .. }: SearchProgress| {
        bar.set_position(nodes);
        let filled = f64::from(hashfull) / 10.0;
        let name = algorithm.name();
        bar.set_message(format!("{start} {name} {proof}/{disproof}, table {filled:.0} %"));
    };
    // The searches are what is measured, also where the game from a start is small.
    let options =
        Options { algorithm, leaf, hash_bytes: hash << 20, small_game: 0, ..Options::default() };
    let mut solver = Solver::of_position(position, options);
    solver.run(&mut Budget::nodes(nodes).reporting_to(&mut show));
    bar.finish_and_clear();
    let elapsed = solver.elapsed();
    // What is solved is checked by the rules alone.
    let solved = solver.into_solved();
    if let Some(refuted) = &solved.refuted {
        ensure!(false, "{start} by {}: {refuted}", algorithm.name());
    }
    if let (Some(folder), Some(proof), true) = (proofs, &solved.proof, solved.value.is_some()) {
        let path = folder.join(format!("{start}_{}_{}.proof", algorithm.name(), leaf.name()));
        let mut bytes = Vec::new();
        proof.write(&mut bytes)?;
        write_whole(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Run::new(start, (algorithm, leaf), nodes, hash, elapsed, &solved))
}

/// A count with its digits in groups.
fn grouped(count: u64) -> String {
    HumanCount(count).to_string()
}
