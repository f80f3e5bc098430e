//! The number of reachable Minishogi positions from a stratified sample: page and JSON of a run
//! of `shogi estimate --method strata`.
//!
//! ```text
//! shogi estimate minishogi --method strata --samples 600000000 --seed 2027 --out strata.json
//! cargo run --release --example minishogi_strata -- strata.json
//! ```

mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shogi_rank::Space;
use shogi_reach::{ClassTally, Classes, EstimateReport, Shard};
use shogi_rules::{Minishogi, Rules};
use shogi_variants_counting_examples::{exit_code, say, say_what_draws, write_whole};

/// Writes the results of a stratified run.
#[derive(Parser)]
struct Arguments {
    /// The file that `shogi estimate --method strata --out FILE` has written.
    shard: PathBuf,
    /// Where the page, the tables and the JSON go.
    #[arg(long, default_value = "target/minishogi_strata")]
    out: PathBuf,
}

/// All numbers.
#[derive(serde::Serialize)]
struct Results {
    command: String,
    report: EstimateReport,
    /// Half of the interval, divided by the estimate.
    relative_half_width: f64,
    estimators: Vec<Estimator>,
    /// Unreachable positions by the plies that can be traced back, mirror images counted as one.
    unreachable: BTreeMap<u32, Number>,
    /// The share of the positions without predecessor that is counted exactly.
    excluded_share: f64,
}

/// A way to draw samples.
#[derive(serde::Serialize)]
struct Estimator {
    name: &'static str,
    /// The variance of the estimate divided by its square, times the number of samples.
    variance: f64,
}

/// An estimated number with its standard error.
#[derive(serde::Serialize, Default, Clone, Copy)]
struct Number {
    number: f64,
    error: f64,
}

fn main() -> ExitCode {
    exit_code("minishogi_strata", run())
}

fn run() -> Result<()> {
    let Arguments { shard: path, out } = &Arguments::parse();
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let shard = Shard::load(path)?;
    ensure!(shard.variant() == Minishogi::NAME, "the run is not of Minishogi");
    ensure!(shard.is_complete(), "the run is not complete");
    let classes = shard.strata().context("the run is not one of --method strata")?;
    let report = EstimateReport::from(&shard);
    let unreachable = unreachable(classes);
    let excluded = decimal(&classes.excluded) / 2.0;
    let [low, high] = report.interval;
    let results = Results {
        command: format!(
            "shogi estimate minishogi --method strata --samples {} --seed {}",
            shard.samples(),
            shard.seed()
        ),
        relative_half_width: (high - low) / 2.0 / report.estimate,
        estimators: estimators(classes, &report)?,
        excluded_share: excluded / unreachable.get(&0).map_or(excluded, |exactly| exactly.number),
        unreachable,
        report,
    };
    let json = serde_json::to_string_pretty(&results)? + "\n";
    write_whole(&out.join("minishogi_strata.json"), &json)?;
    write_whole(&out.join("minishogi_strata.md"), page::page(&results, classes))?;
    write_whole(&out.join("minishogi_classes.tsv"), page::classes(classes))?;
    write_whole(&out.join("minishogi_deep.tsv"), page::deep(classes))?;
    say!("{:.6e} in [{low:.6e}, {high:.6e}]", results.report.estimate);
    say!("The page and its numbers are in {}", out.display());
    say_what_draws(out, "strata");
    Ok(())
}

/// The nearest floating-point number to a decimal text; 0 for what is none.
fn decimal(digits: &str) -> f64 {
    digits.parse().unwrap_or(0.0)
}

/// The share of a class with some property, and half the size of the class.
fn share(class: &ClassTally, count: u64) -> (f64, f64) {
    (count as f64 / class.samples.max(1) as f64, decimal(&class.size) / 2.0)
}

/// The numbers of unreachable positions: the exact number of those excluded and the classes' shares.
fn unreachable(classes: &Classes) -> BTreeMap<u32, Number> {
    let mut all: BTreeMap<u32, Number> = BTreeMap::new();
    all.entry(0).or_default().number = decimal(&classes.excluded) / 2.0;
    for class in &classes.classes {
        for (&plies, &count) in &class.tally.unreachable {
            let (p, size) = share(class, count);
            let sum = all.entry(plies).or_default();
            sum.number += size * p;
            sum.error = sum.error.hypot(size * (p * (1.0 - p) / class.samples as f64).sqrt());
        }
    }
    all
}

/// What the shares found say of the errors of each way to draw samples.
fn estimators(classes: &Classes, report: &EstimateReport) -> Result<Vec<Estimator>> {
    let uniform = |size: f64| (size - report.estimate) / report.estimate;
    let candidates = decimal(&Space::<Minishogi>::new()?.size().to_string());
    let spread = |class: &ClassTally| {
        let (p, size) = share(class, class.tally.ok);
        (size, (p * (1.0 - p)).sqrt())
    };
    let spreads: Vec<_> = classes.classes.iter().map(spread).collect();
    let square = report.estimate.powi(2);
    let numbered: f64 = spreads.iter().map(|(size, _)| size).sum();
    let proportional = numbered * spreads.iter().map(|(size, s)| size * s * s).sum::<f64>();
    let best = spreads.iter().map(|(size, s)| size * s).sum::<f64>().powi(2);
    let samples = classes.allotted().into_iter().map(|n| n as f64);
    let this: f64 = spreads.iter().zip(samples).map(|((size, s), n)| (size * s).powi(2) / n).sum();
    Ok(vec![
        Estimator { name: "plain: all candidates alike", variance: uniform(candidates) },
        Estimator {
            name: "king-legal: all alike that pass the king stage",
            variance: uniform(decimal(&report.candidates)),
        },
        Estimator {
            name: "strata, each in proportion to its size",
            variance: proportional / square,
        },
        Estimator {
            name: "strata, as in this run",
            variance: this * report.samples as f64 / square,
        },
        Estimator { name: "strata, the best numbers there are", variance: best / square },
    ])
}
