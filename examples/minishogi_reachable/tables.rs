//! The paper's tables beside this run's numbers.

use shogi_rank::{Report, Tally, z_two_samples};

use crate::paper;

/// One row of a table: a count of this run beside the paper's.
#[derive(serde::Serialize)]
pub struct Row {
    /// What is counted.
    pub name: String,
    /// This run's count.
    pub ours: u64,
    /// The paper's count, of 100,000,000.
    pub paper: u64,
    /// How many standard errors the two shares are apart, counting the error of both runs.
    pub z: f64,
}

fn row(name: String, ours: u64, samples: u64, paper: u64) -> Row {
    let z = z_two_samples(ours, samples, paper, paper::SAMPLES);
    Row { name, ours, paper, z }
}

/// What is left after each stage, in the order of the paper's Table 1.
pub fn survivors(tally: &Tally) -> [u64; 4] {
    [tally.after_flip(), tally.after_pawn(), tally.after_king(), tally.ok]
}

/// Table 1.
pub fn table_1(tally: &Tally) -> Vec<Row> {
    let rows = paper::TABLE_1.iter().zip(survivors(tally));
    rows.map(|(&(name, paper), ours)| row(name.to_owned(), ours, tally.samples, paper)).collect()
}

/// Table 2, with as many rows as either has.
pub fn table_2(tally: &Tally) -> Vec<Row> {
    let most = tally.unreachable.keys().last().copied().unwrap_or(0);
    let rows = most.max(paper::TABLE_2.len() as u32 - 1);
    (0..=rows)
        .map(|plies| {
            let ours = tally.unreachable.get(&plies).copied().unwrap_or(0);
            let paper = paper::TABLE_2.get(plies as usize).copied().unwrap_or(0);
            row(plies.to_string(), ours, tally.samples, paper)
        })
        .collect()
}

/// Prints a table. Where this run has another size than the paper's, the paper's counts are scaled
/// in a column of their own.
pub fn print(title: &str, first: &str, rows: &[Row], samples: u64) {
    println!("\n{title}");
    println!("{first:>12} {:>14} {:>14} {:>16} {:>8}", "this run", "paper", "paper, scaled", "z");
    for Row { name, ours, paper, z } in rows {
        let scaled = *paper as f64 * samples as f64 / paper::SAMPLES as f64;
        println!(
            "{name:>12} {:>14} {:>14} {:>16} {z:>+8.2}",
            grouped(*ours),
            grouped(*paper),
            grouped(scaled.round() as u64)
        );
    }
}

/// Prints share, estimate and interval.
pub fn print_estimate(report: &Report) {
    let [p_low, p_high] = report.p_interval;
    let [low, high] = report.interval;
    println!("\n              p = {:.6}   95 % [{p_low:.6}, {p_high:.6}]", report.p);
    println!("reachable positions = {:.5e} 95 % [{low:.5e}, {high:.5e}]", report.estimate);
    println!(
        "    the paper has p in [0.14842.., 0.14856..] and 2.38e18, 95 % [2.376e18, 2.379e18]"
    );
    if report.funnel.unknown > 0 {
        println!(
            "    {} samples are undecided; the interval allows for them",
            report.funnel.unknown
        );
    }
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
