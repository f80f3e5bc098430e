//! Dobutsu shogi, solved: a tablebase of all positions, checked by the rules, and what it says of the
//! start.
//!
//! ```text
//! cargo run --release --example dobutsu_solved                    # without the chicks: seconds
//! cargo run --release --example dobutsu_solved -- --whole         # the game: minutes, 200 MB
//! cargo run --release --example dobutsu_solved -- --whole --reachable    # and what can arise, 500 MB
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shogi_core::{Colour, Placement, RuleTable as _};
use shogi_rules::{Dobutsu, Rules, Verdict, parse_sfen, to_sfen, to_usi};
use shogi_tablebase::{PieceSet, Reachable, Tablebase};
use shogi_variants_examples::exit_code;
use shogi_variants_examples::tablebases::{ReachableCounts, Record, build, publish};

/// Solves Dobutsu shogi.
#[derive(Parser)]
struct Arguments {
    /// All pieces, instead of lions, giraffes and one elephant.
    #[arg(long)]
    whole: bool,
    /// Count the positions that can arise from the start too, by value.
    #[arg(long, requires = "whole")]
    reachable: bool,
    /// Take the results into tablebases.json and tablebases.md of this folder.
    #[arg(long, requires = "whole")]
    page: Option<PathBuf>,
    /// Where the tablebase goes; one that is there is not built again.
    #[arg(long, default_value = "target/dobutsu_solved")]
    out: PathBuf,
}

fn main() -> ExitCode {
    exit_code("dobutsu_solved", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let set = if arguments.whole { Some(PieceSet::full()) } else { PieceSet::parse("E1G2L2") };
    let set = set.context("there is no such set")?;
    let cannot_make = || format!("cannot make {}", arguments.out.display());
    fs::create_dir_all(&arguments.out).with_context(cannot_make)?;
    let path = arguments.out.join(format!("{set}.tablebase"));

    let seconds = if path.exists() { None } else { build_verified(set, &path, &arguments.out)? };
    let table = Tablebase::<Dobutsu>::open(&path)?;
    let longest = table.longest()?.context("no position is won")?;
    print_line(&table, longest, "the longest win")?;
    if arguments.whole {
        let start = parse_sfen(Dobutsu::START)?.0;
        print_line(&table, start, "the start")?;
        // Tanaka (2009).
        ensure!(table.probe(&start)?.plies == Some(78) && table.totals().longest == 173);
        let reachable =
            if arguments.reachable { Some(count_reachable(&table, &start)?) } else { None };
        if let Some(folder) = &arguments.page {
            publish(folder, "dobutsu", Record { reachable, ..Record::of(&table, seconds)? })?;
        }
    }
    Ok(())
}

/// Builds and verifies the tablebase of a set; the processor time that building took.
fn build_verified(set: PieceSet<Dobutsu>, path: &Path, checkpoint: &Path) -> Result<Option<f64>> {
    let started = Instant::now();
    let seconds = build(set, path, checkpoint)?;
    let table = Tablebase::<Dobutsu>::open(path)?;
    println!("{set}: {}, {:.1} s", table.totals(), started.elapsed().as_secs_f64());
    table.verify_all(|_| ())?;
    println!("every position agrees with its successors");
    Ok(seconds)
}

/// Classes of reachable positions above the numbers of plies.
const CAPTURE: usize = 240;
const TRY: usize = 241;
const DRAW: usize = 242;
const FAILED: usize = 243;
const CLASSES: usize = 244;

/// Counts what can arise from the start if play ends with a try and wherever a lion can be
/// captured; the players exchanged and mirror images count as one.
fn count_reachable(
    table: &Tablebase<Dobutsu>,
    start: &Placement<Dobutsu>,
) -> Result<ReachableCounts> {
    let class = |placement: &Placement<Dobutsu>| {
        if placement.in_check(Colour::Gote) {
            return CAPTURE;
        }
        if Dobutsu::is_over(placement) {
            return TRY;
        }
        match table.probe(placement) {
            Ok(value) if value.verdict == Verdict::Draw => DRAW,
            Ok(value) => value.plies.map_or(FAILED, |plies| plies as usize),
            Err(_) => FAILED,
        }
    };
    let counts: [u64; CLASSES] = Reachable::new(start, true)?.count(class);
    ensure!(counts[FAILED] == 0, "the tablebase could not be read");
    let plies = counts[..=table.totals().longest as usize].to_vec();
    let of_parity = |parity| plies.iter().skip(parity).step_by(2).sum::<u64>();
    let [loss, win] = [0, 1].map(of_parity);
    let (capture, tried, draw) = (counts[CAPTURE], counts[TRY], counts[DRAW]);
    println!("reachable: {}", counts.iter().sum::<u64>());
    println!("a lion can be captured: {capture}; decided by a try: {tried}");
    println!("others: {}, won {win}, lost {loss}, drawn {draw}", win + loss + draw);
    Ok(ReachableCounts { capture, tried, win, loss, draw, plies })
}

/// Shows the value of a position and best play from it.
fn print_line(
    table: &Tablebase<Dobutsu>,
    mut placement: Placement<Dobutsu>,
    name: &str,
) -> Result<()> {
    let value = table.probe(&placement)?;
    println!("{name}: {}, {value}", to_sfen(&placement));
    let mut texts = Vec::new();
    for mv in table.line(&placement, value.plies.unwrap_or(0))? {
        texts.push(to_usi(mv).to_string());
        placement = placement.play_unchecked(mv);
    }
    println!("{}", texts.join(" "));
    Ok(())
}
