//! A paper's tables beside a run's numbers.

use shogi_rank::z_two_samples;
use shogi_reach::{EstimateReport, StageTally};

/// One row of a table: a count of this run beside the paper's.
#[derive(serde::Serialize)]
pub struct Row {
    /// What is counted.
    pub name: String,
    /// This run's count.
    pub ours: u64,
    /// The paper's count.
    pub paper: u64,
    /// How many standard errors the two shares are apart, counting the error of both runs.
    pub z: f64,
}

/// A row with counts of this run and of the paper, each with what it is a share of.
pub fn row(name: &str, [ours, of]: [u64; 2], [paper, of_paper]: [u64; 2]) -> Row {
    Row { name: name.to_owned(), ours, paper, z: z_two_samples(ours, of, paper, of_paper) }
}

/// Unreachable positions by plies until nothing new is found, with as many rows as either has.
pub fn unreachable(tally: &StageTally, of: u64, paper: &[u64], of_paper: u64) -> Vec<Row> {
    let most = tally.unreachable.keys().last().copied().unwrap_or(0);
    let rows = (most + 1).max(paper.len() as u32);
    let counts = (0..rows).map(|plies| {
        let ours = tally.unreachable.get(&plies).copied().unwrap_or(0);
        let theirs = paper.get(plies as usize).copied().unwrap_or(0);
        row(&plies.to_string(), [ours, of], [theirs, of_paper])
    });
    counts.collect()
}

/// Prints a table. The paper's counts stand once more in a column of their own, scaled from what they
/// are shares of to what this run's are.
pub fn print(title: &str, first: &str, rows: &[Row], of: u64, of_paper: u64) {
    crate::say!("\n{title}");
    crate::say!(
        "{first:>12} {:>14} {:>14} {:>16} {:>8}",
        "this run",
        "paper",
        "paper, scaled",
        "z"
    );
    for Row { name, ours, paper, z } in rows {
        let scaled = *paper as f64 * of as f64 / of_paper as f64;
        crate::say!(
            "{name:>12} {:>14} {:>14} {:>16} {z:>+8.2}",
            grouped(*ours),
            grouped(*paper),
            grouped(scaled.round() as u64)
        );
    }
}

/// How many threads work, in words.
pub fn threads() -> String {
    match rayon::current_num_threads() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    }
}

/// Prints share, estimate and interval, and what the paper has.
pub fn print_estimate(report: &EstimateReport, paper: &str) {
    let [p_low, p_high] = report.p_interval;
    let [low, high] = report.interval;
    crate::say!("\n              p = {:.6}   95 % [{p_low:.6}, {p_high:.6}]", report.p);
    crate::say!("reachable positions = {:.5e} 95 % [{low:.5e}, {high:.5e}]", report.estimate);
    crate::say!("    {paper}");
    if report.funnel.unknown > 0 {
        crate::say!(
            "    {} samples are undecided; the interval allows for them",
            report.funnel.unknown
        );
    }
}

/// A number with its digits in groups of three.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
