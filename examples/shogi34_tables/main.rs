//! 3x4 shogi, solved set by set: the values of all starts with two officers.
//!
//! ```text
//! cargo run --release --example shogi34_tables -- GG NN           # the smallest two
//! cargo run --release --example shogi34_tables -- --all           # 21 sets: hours, 2 GB of memory
//! ```

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use shogi_rules::Shogi34;
use shogi_tablebase::{Builder, PieceSet, Stored, Tablebase, World as _, file_name};

/// Officers in the order of the names of sets.
const OFFICERS: [char; 6] = ['R', 'B', 'G', 'S', 'N', 'L'];

/// Solves 3x4 shogi with some sets of pieces.
#[derive(Parser)]
struct Arguments {
    /// Sets, each two officers in the order R B G S N L [default: GG].
    sets: Vec<String>,
    /// All 21 sets.
    #[arg(long)]
    all: bool,
    /// Where the tablebases go; those that are there are not built again.
    #[arg(long, default_value = "target/shogi34_tables")]
    out: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    fs::create_dir_all(&arguments.out)?;
    let pairs = (0..6).flat_map(|a| (a..6).map(move |b| [OFFICERS[a], OFFICERS[b]]));
    let sets = match (arguments.all, arguments.sets.is_empty()) {
        (true, _) => pairs.map(String::from_iter).collect(),
        (false, true) => vec!["GG".to_owned()],
        (false, false) => arguments.sets,
    };
    println!("| set | positions | win | loss | draw | longest | bytes | s | starts |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in sets {
        let set = PieceSet::officers(&name).with_context(|| format!("there is no set {name}"))?;
        solve(set, &arguments.out)?;
    }
    Ok(())
}

/// Builds the tablebase of a set unless it is there, and prints a line of the table.
fn solve(set: PieceSet<Shogi34>, out: &Path) -> Result<()> {
    let path = out.join(file_name(&set));
    let started = Instant::now();
    if !path.exists() {
        let mut builder = Builder::new(set, None)?.with_checkpoint(out)?;
        let finished = builder.run(|_| ControlFlow::Continue(()))?.context("stopped")?;
        finished.write(&path, Stored::Plies)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let table = Tablebase::<Shogi34>::open(&path)?;
    let mut starts = Vec::new();
    for (name, start) in Shogi34::starts(&set) {
        let value = table.probe(&start)?;
        let plies = value.plies.map_or(String::new(), |plies| format!(" {plies}"));
        starts.push(format!("{name} {}{plies}", value.verdict.name()));
    }
    let totals = table.totals();
    println!(
        "| {} | {} | {} | {} | {} | {} | {} | {seconds:.0} | {} |",
        Shogi34::name_of(&set),
        totals.positions(),
        totals.win,
        totals.loss,
        totals.draw,
        totals.longest,
        path.metadata()?.len(),
        starts.join(", "),
    );
    Ok(())
}
