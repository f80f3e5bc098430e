//! The number of reachable positions of shogi on 9x9 from samples in which the kings are put last: on all squares that
//! the other pieces leave.
//!
//! ```text
//! cargo run --release --example shogi_kings_last -- --samples 3e8 --out docs/results
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shogi_rank::{BigUint, Counts, KingsLast, PawnLegal, Ranking};
use shogi_reach::{Estimate, KingsTally, Reach, SearchLimit, tally_kings_last};
use shogi_rules::Shogi;
use shogi_variants_counting_examples::reachable::tables::grouped;
use shogi_variants_counting_examples::{exit_code, parse_count, say, write_whole};

/// Estimates the number of reachable positions of shogi.
#[derive(Parser)]
struct Arguments {
    /// Number of samples.
    #[arg(long, default_value = "1e6", value_parser = parse_count)]
    samples: u64,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the JSON goes.
    #[arg(long, default_value = "target/shogi_kings_last")]
    out: PathBuf,
    /// Threads; all cores by default. The results do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
}

/// All numbers.
#[derive(serde::Serialize)]
struct Results {
    command: String,
    seed: u64,
    /// The size of the set from which the other pieces are drawn.
    pawn_candidates: String,
    /// Members of it that are their own mirror image.
    self_mirror: String,
    tally: KingsTally,
    estimate: Estimate,
    /// Half of the interval, divided by the estimate.
    relative_half_width: f64,
}

/// How many samples there are between two lines of progress.
const STEP: u64 = 20_000_000;

fn main() -> ExitCode {
    exit_code("shogi_kings_last", run())
}

fn run() -> Result<()> {
    let Arguments { samples, seed, out, threads } = Arguments::parse();
    // Before the run, so that it is not lost to a bad path.
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let counts = Counts::new::<Shogi>()?;
    let set = PawnLegal::<Shogi>::new().context("the variant has such a set")?;
    ensure!(set.size() == counts.pawn_candidates, "two counts of the pawn-legal candidates differ");
    // After the flip stage one of two mirror images is left, and all that are their own.
    let self_mirror: BigUint = &counts.pawn * 2u8 - &counts.pawn_distinct;
    let (drawn, reach) = (KingsLast::new(&set, seed), Reach::new(SearchLimit::default()));
    let (started, mut tally) = (Instant::now(), KingsTally::default());
    for start in (0..samples).step_by(STEP as usize) {
        let end = samples.min(start + STEP);
        tally.merge(&tally_kings_last(&reach, &drawn, start..end));
        let estimate = tally.estimate(&set.size(), &self_mirror);
        let (seconds, done) = (started.elapsed().as_secs_f64(), grouped(end));
        let relative = relative_half_width(&estimate);
        say!("{done} samples in {seconds:.1} s: {:.6e}, +- {relative:.2e}", estimate.positions);
    }
    ensure!(tally.unknown == 0, "{} positions are undecided", tally.unknown);
    let estimate = tally.estimate(&set.size(), &self_mirror);
    say!("reachable: {:.6e}, in [{:.6e}, {:.6e}]", estimate.positions, estimate.low, estimate.high);
    let run = "cargo run --release --example shogi_kings_last --";
    let results = Results {
        command: format!("{run} --samples {samples} --seed {seed}"),
        seed,
        pawn_candidates: set.size().to_string(),
        self_mirror: self_mirror.to_string(),
        relative_half_width: relative_half_width(&estimate),
        tally,
        estimate,
    };
    let path = out.join("shogi_kings_last.json");
    write_whole(&path, serde_json::to_string_pretty(&results)? + "\n")?;
    say!("JSON is in {}", path.display());
    Ok(())
}

/// Half of the interval, divided by the estimate.
fn relative_half_width(estimate: &Estimate) -> f64 {
    (estimate.high - estimate.low) / 2.0 / estimate.positions
}
