//! Ishii & Tanaka's estimate of the number of reachable positions of shogi on 9x9: the published
//! numbers beside our own. Those that can be counted are counted; samples are drawn only from what
//! passes the pawn stage, a twenty-seventh of the candidates.
//!
//! ```text
//! cargo run --release --example shogi_reachable
//! ```
//!
//! A long run is made in parts, by `shogi estimate shogi --shard i/n --out FILE`, on as many machines
//! as there are; this program makes the tables from their files.

mod paper;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shogi_rank::{BigUint, Counts, PawnLegal, Ranking, Space};
use shogi_reach::{EstimateReport, Hub, Shard};
use shogi_rules::{Rules, Shogi, rules_hash};
use shogi_variants_counting_examples::reachable::tables::{self, grouped};
use shogi_variants_counting_examples::reachable::{Published, follow, gather};
use shogi_variants_counting_examples::{exit_code, parse_count, say, say_what_draws, write_whole};

/// Estimates the number of reachable positions of shogi.
#[derive(Parser)]
struct Arguments {
    /// Number of samples; 1.5e8 give the published precision.
    #[arg(long, default_value = "1e6", value_parser = parse_count)]
    samples: u64,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Shards of a run that has been made, instead of a run.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["samples", "seed"])]
    shards: Vec<PathBuf>,
    /// Where the JSON goes.
    #[arg(long, default_value = "target/shogi_reachable")]
    out: PathBuf,
    /// Threads; all cores by default. The results do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    exit_code("shogi_reachable", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { samples, seed, shards, out, threads } = &arguments;
    // Before the run, so that it is not lost to a bad path.
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new().num_threads(*threads).build_global()?;
    }
    let counts = Counts::new::<Shogi>()?;
    let exact = count(&counts)?;
    let set = PawnLegal::<Shogi>::new().context("the variant has such a set")?;
    let size = set.size();
    ensure!(size == counts.pawn_candidates, "two counts of the pawn-legal candidates differ");

    let new = |seed, samples| {
        let shard = Shard::new(Shogi::NAME, &size, seed, samples).of_rules(rules_hash::<Shogi>());
        shard.of_set(PawnLegal::<Shogi>::NAME)
    };
    let (shard, points) = if shards.is_empty() {
        let mut shard = new(*seed, *samples);
        let started = Instant::now();
        let points = follow(&set, &mut shard)?;
        let seconds = started.elapsed().as_secs_f64();
        say!(
            "{} samples in {seconds:.1} s on {}: {} samples/s",
            grouped(*samples),
            tables::threads(),
            grouped((*samples as f64 / seconds) as u64),
        );
        (shard, points)
    } else {
        let (shard, points) = gather(shards)?;
        // Merging with an empty shard of the run shows whether they are shards of such a run.
        (shard.merge(&new(shard.seed(), shard.samples()))?, points)
    };

    let report = EstimateReport::from(&shard);
    let tally = shard.tally();
    let base = tally.after_pawn();
    let stages = || paper::STAGES.into_iter().zip([tally.after_king(), tally.ok]);
    let left: Vec<_> = stages()
        .map(|((name, count), ours)| tables::row(name, [ours, base], [count, paper::PAWN]))
        .collect();
    let title = format!(
        "Left of those that pass the flip and pawn stages: here {}, in the paper {}",
        grouped(base),
        grouped(paper::PAWN)
    );
    tables::print(&title, "stage", &left, base, paper::PAWN);
    say!("\n{:>12} {:>14}", "plies back", "unreachable");
    for (plies, count) in &tally.unreachable {
        say!("{plies:>12} {:>14}", grouped(*count));
    }
    let estimate = "the paper has 6.550e68, three sigma [6.547e68, 6.553e68]";
    tables::print_estimate(&report, estimate);
    let z = z_of_estimates(&report);
    say!("    the estimates are {z:+.2} standard errors apart");

    let run = "cargo run --release --example shogi_reachable --";
    let numbers = format!("--samples {} --seed {}", report.samples, report.seed);
    let command = if shards.is_empty() {
        format!("{run} {numbers}")
    } else {
        format!(
            "shogi estimate shogi {numbers} --shard i/n --out FILE, for parts i of n; {run} --shards FILES"
        )
    };
    let curve: Vec<(u64, f64, [f64; 2])> = points.iter().map(Into::into).collect();
    let json = serde_json::json!({
        "command": command,
        "exact": exact,
        "report": report,
        "published": published(&counts),
        "left_of_pawn_legal": left,
        "z_of_estimates": z,
        "running_estimate": curve,
    });
    let text = serde_json::to_string_pretty(&json)? + "\n";
    let path = out.join("shogi_reachable.json");
    write_whole(&path, &text)?;
    say!("All numbers are in {}", path.display());
    say_what_draws(out, "shogi");
    Ok(())
}

/// The published estimate as a share of the pawn-legal candidates, as p of this program is.
fn published(counts: &Counts) -> Published {
    let size = float(&counts.pawn_candidates);
    let interval = [paper::ESTIMATE[0], paper::ESTIMATE[2]].map(|number| number / size);
    let drawn = paper::SAMPLES as f64 * size / float(&counts.candidates);
    Published::new(interval, 3.0, paper::SAMPLES, drawn)
}

/// Prints what is counted beside what the paper has of it, counted or sampled.
fn count(counts: &Counts) -> Result<serde_json::Value> {
    let space = Space::<Shogi>::new()?;
    let hub = Hub::<Shogi>::new()?;
    ensure!(hub.is_connected(), "not all of the {} bare-king positions are connected", hub.total());
    let candidates = counts.candidates.to_string();
    say!("counted exactly:");
    say!("  king pairs {:>12}, the paper has {}", space.king_pairs(), paper::KING_PAIRS);
    say!("  hand classes {:>10}, the paper has {}", space.hand_classes(), paper::HAND_CLASSES);
    say!("  candidates {candidates}");
    say!("   the paper {}", paper::CANDIDATES);
    let mut rows = Vec::new();
    for (name, number, sampled) in
        [("flip", &counts.flip, paper::FLIP), ("pawn", &counts.pawn, paper::PAWN)]
    {
        let share = float(number) / float(&counts.candidates);
        let expected = share * paper::SAMPLES as f64;
        let z = (sampled as f64 - expected) / (expected * (1.0 - share)).sqrt();
        say!("  after {name} {number}");
        say!(
            "    {} of 5e9 are to be expected, the paper has {}: {z:+.2} standard deviations",
            grouped(expected.round() as u64),
            grouped(sampled)
        );
        rows.push(serde_json::json!({
            "stage": name, "exact": number.to_string(), "share": share, "paper": sampled, "z": z,
        }));
    }
    say!("  pawn-legal candidates, to be drawn from {}", counts.pawn_candidates);
    say!("  bare-king positions, all reachable from the start {}", grouped(hub.total()));
    Ok(serde_json::json!({
        "candidates": candidates,
        "king_pairs": space.king_pairs(),
        "hand_classes": space.hand_classes(),
        "stages": rows,
        "pawn_candidates": counts.pawn_candidates.to_string(),
        "bare_king_positions": hub.total(),
    }))
}

/// How many standard errors this run's estimate is above the published one.
fn z_of_estimates(report: &EstimateReport) -> f64 {
    let [low, estimate, high] = paper::ESTIMATE;
    let published = (high - low) / 6.0;
    let own = (report.interval[1] - report.interval[0]) / (2.0 * shogi_rank::Z_95);
    (report.estimate - estimate) / published.hypot(own)
}

/// The nearest floating-point number.
fn float(number: &BigUint) -> f64 {
    // A decimal number always parses.
    number.to_string().parse().unwrap_or(f64::INFINITY)
}
