//! Ishii & Tanaka, "Estimating the number of reachable positions in Minishogi" (2024): the paper's
//! two tables beside our own numbers, the estimate with its interval, and two plots.
//!
//! ```text
//! cargo run --release --example minishogi_reachable
//! ```

mod paper;
mod plots;
mod tables;

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use shogi_rank::{Report, Sampler, Shard, Space, Z_95, wilson};
use shogi_rules::{Minishogi, Rules};
use shogi_solve::reach::{Hub, Limit, Reach, tally_samples};
use shogi_variants_examples::{parse_count, write_whole};

/// Reproduces the count of reachable Minishogi positions.
#[derive(Parser)]
struct Arguments {
    /// Number of samples; the paper has 1e8.
    #[arg(long, default_value = "1e8", value_parser = parse_count)]
    samples: u64,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the JSON and the plots go.
    #[arg(long, default_value = "target/minishogi_reachable")]
    out: PathBuf,
    /// Threads; all cores by default. The results do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { samples, seed, out, threads } = &arguments;
    // Before the run, so that it is not lost to a bad path.
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new().num_threads(*threads).build_global()?;
    }

    let space = Space::<Minishogi>::new();
    let candidates = space.size();
    println!("candidates, counted exactly: {candidates}");
    let hub = Hub::<Minishogi>::new()?;
    if !hub.is_connected() {
        bail!("not all of the {} bare-king positions are connected", hub.total());
    }
    println!("bare-king positions, all reachable from the start: {}", hub.total());

    let sampler = Sampler::new(&space, *seed);
    let reach = Reach::new(Limit::default());
    let bar = progress_bar(*samples)?;
    let started = Instant::now();
    let mut shard = Shard::new(Minishogi::NAME, &candidates, *seed, *samples);
    let mut points = Vec::new();
    let mut start = 0;
    for end in marks(*samples) {
        let (_, tally) = tally_samples(&reach, &sampler, start..end, |next, _| {
            bar.set_position(next);
            ControlFlow::Continue(())
        });
        shard.add(start..end, &tally)?;
        let ok = shard.tally().ok;
        let interval = wilson(ok, end, Z_95);
        bar.set_message(format!("p = {:.5}", ok as f64 / end as f64));
        points.push(plots::Point {
            samples: end,
            p: ok as f64 / end as f64,
            interval: [interval.low, interval.high],
        });
        start = end;
    }
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();

    let report = Report::from(&shard);
    let (table_1, table_2) = (tables::table_1(shard.tally()), tables::table_2(shard.tally()));
    tables::print("Table 1: left after each stage", "stage", &table_1, *samples);
    let title = "Table 2: unreachable, by plies that can be traced back";
    tables::print(title, "plies", &table_2, *samples);
    tables::print_estimate(&report);
    println!(
        "\n{} samples in {seconds:.1} s on {} threads: {} samples/s (the paper: about 390/s on 32 cores)",
        tables::grouped(*samples),
        rayon::current_num_threads(),
        tables::grouped((*samples as f64 / seconds) as u64),
    );

    let curve: Vec<_> = points
        .iter()
        .map(|point| serde_json::json!([point.samples, point.p, point.interval]))
        .collect();
    let json = serde_json::json!({
        "command": format!(
            "cargo run --release --example minishogi_reachable -- --samples {samples} --seed {seed}"
        ),
        "report": report,
        "table_1": table_1,
        "table_2": table_2,
        "running_estimate": curve,
    });
    let text = serde_json::to_string_pretty(&json)? + "\n";
    write_whole(&out.join("minishogi_reachable.json"), &text)?;
    plots::funnel(&out.join("minishogi_funnel.svg"), *samples, &tables::survivors(shard.tally()))?;
    plots::convergence(&out.join("minishogi_estimate.svg"), &points)?;
    println!("JSON and plots are in {}", out.display());
    Ok(())
}

/// Where the running estimate is noted: from 10,000 samples on eight times in each power
/// of ten, and at the end.
fn marks(samples: u64) -> Vec<u64> {
    let marks = (32..).map(|eighth| 10f64.powf(f64::from(eighth) / 8.0) as u64);
    marks.take_while(|&mark| mark < samples).chain([samples]).collect()
}

fn progress_bar(samples: u64) -> Result<ProgressBar> {
    let style = "{elapsed_precise} {wide_bar} {percent} % {per_sec} ETA {eta} {msg}";
    Ok(ProgressBar::new(samples).with_style(ProgressStyle::with_template(style)?))
}
