//! Dobutsu shogi, solved: a tablebase of all positions, checked by the rules, and what it says of the
//! start.
//!
//! ```text
//! cargo run --release --example dobutsu_solved                    # without the chicks: seconds
//! cargo run --release --example dobutsu_solved -- --whole         # the game: minutes, 200 MB
//! ```

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use shogi_rules::{Dobutsu, Rules, parse_sfen, to_sfen, to_usi};
use shogi_tablebase::{Builder, PieceSet, Stored, Tablebase};

/// Solves Dobutsu shogi.
#[derive(Parser)]
struct Arguments {
    /// All pieces, instead of lions, giraffes and one elephant.
    #[arg(long)]
    whole: bool,
    /// Where the tablebase goes.
    #[arg(long, default_value = "target/dobutsu_solved")]
    out: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let set = if arguments.whole { Some(PieceSet::full()) } else { PieceSet::parse("E1G2L2") };
    let set = set.context("there is no such set")?;
    fs::create_dir_all(&arguments.out)?;
    let path = arguments.out.join(format!("{set}.tablebase"));

    let started = Instant::now();
    let mut builder = Builder::<Dobutsu>::new(set, None)?.with_checkpoint(&arguments.out)?;
    let finished = builder.run(|_| ControlFlow::Continue(()))?.context("stopped")?;
    finished.write(&path, Stored::Plies)?;
    let totals = finished.totals();
    println!("{set}: {totals:?}, {:.1} s", started.elapsed().as_secs_f64());

    let table = Tablebase::<Dobutsu>::open(&path)?;
    table.verify_all(|_| ())?;
    println!("every position agrees with its successors");
    let longest = table.longest()?.context("no position is won")?;
    print_line(&table, longest, "the longest win")?;
    if arguments.whole {
        let start = parse_sfen(Dobutsu::START)?.0;
        print_line(&table, start, "the start")?;
        // Tanaka (2009).
        ensure!(table.probe(&start)?.plies == Some(78) && totals.longest == 173);
    }
    Ok(())
}

/// Shows the value of a position and best play from it.
fn print_line(
    table: &Tablebase<Dobutsu>,
    mut placement: shogi_core::Placement<Dobutsu>,
    name: &str,
) -> Result<()> {
    let value = table.probe(&placement)?;
    println!(
        "{name}: {}, {} in {:?} plies",
        to_sfen(&placement),
        value.verdict.name(),
        value.plies
    );
    let mut texts = Vec::new();
    for mv in table.line(&placement, value.plies.unwrap_or(0) as usize)? {
        texts.push(to_usi(mv).to_string());
        placement = placement.after(mv);
    }
    println!("{}", texts.join(" "));
    Ok(())
}
