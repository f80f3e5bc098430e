//! Ishii & Tanaka, "Estimating the number of reachable positions in Minishogi" (2024): the paper's
//! two tables beside our own numbers, and the estimate with its interval.
//!
//! ```text
//! cargo run --release --example minishogi_reachable
//! ```

mod cycles;
mod paper;
mod published;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::{Value, json};
use shogi_rank::{Space, Z_95};
use shogi_reach::{EstimateReport, Hub, Shard};
use shogi_rules::{Minishogi, Rules};
use shogi_variants_counting_examples::provenance::Provenance;
use shogi_variants_counting_examples::reachable::{Published, follow, tables};
use shogi_variants_counting_examples::{exit_code, parse_count, say, say_what_draws, write_whole};

/// How this program is called.
const COMMAND: &str = "cargo run --release --example minishogi_reachable --";

/// Reproduces the count of reachable Minishogi positions.
#[derive(Parser)]
struct Arguments {
    /// Number of samples; the paper has 1e8.
    #[arg(long, default_value = "1e8", value_parser = parse_count)]
    samples: u64,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the JSON goes.
    #[arg(long, default_value = "target/minishogi_reachable")]
    out: PathBuf,
    /// Run the paper's Algorithm 2 as printed on the first so many samples, and with H without each of its terms.
    #[arg(long, value_name = "SAMPLES", value_parser = parse_count)]
    published: Option<u64>,
    /// Look for lines that go round behind the unreachable positions of the samples and behind those of this list.
    #[arg(long, value_name = "FILE")]
    cycles: Option<PathBuf>,
    /// Threads; all cores by default. The results do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    exit_code("minishogi_reachable", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { samples, seed, published, cycles, out, threads } = &arguments;
    // Before the run, so that it is not lost to a bad path.
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new().num_threads(*threads).build_global()?;
    }

    let space = Space::<Minishogi>::new()?;
    if let Some(samples) = published {
        let rows = published::compare(&space, *seed, *samples);
        let run = Provenance::of(format!("{COMMAND} --published {samples} --seed {seed}"));
        save(&out.join("minishogi_published.json"), &json!({ "run": run, "searches": rows }))?;
    }
    if let Some(list) = cycles {
        let found = cycles::find(&space, *seed, *samples, list)?;
        let run = Provenance::of(format!(
            "{COMMAND} --cycles {} --samples {samples} --seed {seed}",
            list.display()
        ));
        save(&out.join("minishogi_cycles.json"), &json!({ "run": run, "cycles": found }))?;
    }
    if published.is_some() || cycles.is_some() {
        return Ok(());
    }
    let candidates = space.size();
    say!("candidates, counted exactly: {candidates}");
    let hub = Hub::<Minishogi>::new()?;
    if !hub.is_connected() {
        bail!("not all of the {} bare-king positions are connected", hub.total());
    }
    say!("bare-king positions, all reachable from the start: {}", hub.total());

    let started = Instant::now();
    let mut shard = Shard::new(Minishogi::NAME, &candidates, *seed, *samples);
    let points = follow(&space, &mut shard)?;
    let seconds = started.elapsed().as_secs_f64();

    let report = EstimateReport::from(&shard);
    let tally = shard.tally();
    let survivors = [tally.after_flip(), tally.after_pawn(), tally.after_king(), tally.ok];
    let stages = || paper::TABLE_1.into_iter().zip(survivors);
    let table_1: Vec<_> = stages()
        .map(|((name, count), ours)| tables::row(name, [ours, *samples], [count, paper::SAMPLES]))
        .collect();
    let table_2 = tables::unreachable(tally, *samples, &paper::TABLE_2, paper::SAMPLES);
    let title = "Table 1: left after each stage";
    tables::print(title, "stage", &table_1, *samples, paper::SAMPLES);
    let title = "Table 2: unreachable, by plies until nothing new is found";
    tables::print(title, "plies", &table_2, *samples, paper::SAMPLES);
    tables::print_estimate(
        &report,
        "the paper has p in [0.14842.., 0.14856..] and 2.38e18, 95 % [2.376e18, 2.379e18]",
    );
    say!(
        "\n{} samples in {seconds:.1} s on {}: {} samples/s (the paper: about 390/s on 32 cores)",
        tables::grouped(*samples),
        tables::threads(),
        tables::grouped((*samples as f64 / seconds) as u64),
    );

    let curve: Vec<(u64, f64, [f64; 2])> = points.iter().map(Into::into).collect();
    let json = json!({
        "command": format!("{COMMAND} --samples {samples} --seed {seed}"),
        "report": report,
        "published": Published::new(paper::P_INTERVAL, Z_95, paper::SAMPLES, paper::SAMPLES as f64),
        "table_1": table_1,
        "table_2": table_2,
        "running_estimate": curve,
    });
    let path = out.join("minishogi_reachable.json");
    save(&path, &json)?;
    say!("All numbers are in {}", path.display());
    say_what_draws(out, "minishogi");
    Ok(())
}

/// Writes results.
fn save(path: &Path, results: &Value) -> Result<()> {
    Ok(write_whole(path, serde_json::to_string_pretty(results)? + "\n")?)
}
