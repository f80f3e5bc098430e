//! At most how many positions of shogi on 9x9 can a game reach, by proof? Exactly as many as pass the stages pawn and king: no
//! reachable position has two unpromoted pawns of a player on a file or a piece without a move, or leaves the king in check
//! of the player who has just moved.
//!
//! ```text
//! cargo run --release --example shogi_bounds
//! ```

mod cells;
mod ways;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use indicatif::ProgressBar;
use rayon::prelude::*;
use shogi_core::{Geometry, Square};
use shogi_rank::BigUint;
use shogi_rank::Strata;
use shogi_rules::{Minishogi, Rules, Shogi};
use shogi_variants_counting_examples::provenance::Provenance;
use shogi_variants_counting_examples::reachable::tables::grouped;
use shogi_variants_counting_examples::{exit_code, say, write_whole};

/// The boards that are counted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Board {
    Shogi,
    Minishogi,
}

/// An upper bound of the number of reachable positions of shogi, by an exact count.
#[derive(Parser)]
struct Arguments {
    /// Count on this board; on that of Minishogi the count is compared with the library's.
    #[arg(long, value_enum, default_value = "shogi")]
    board: Board,
    /// Where the JSON goes.
    #[arg(long, default_value = "target/shogi_bounds")]
    out: PathBuf,
}

fn main() -> ExitCode {
    exit_code("shogi_bounds", run())
}

fn run() -> Result<()> {
    let Arguments { board, out } = Arguments::parse();
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let (name, count) = match board {
        Board::Shogi => ("shogi", count::<Shogi>()),
        Board::Minishogi => ("minishogi", count::<Minishogi>()),
    };
    say!(
        "at most {} positions, mirror images counted as two, all that pass the stages pawn and king",
        grouped(&count)
    );
    if board == Board::Minishogi {
        let strata = Strata::<Minishogi>::new().context("Minishogi has classes")?;
        let classes: u128 = strata.classes().map(|(_, size)| size).sum();
        let known = classes + strata.excluded();
        ensure!(count == BigUint::from(known), "the library counts {known}");
        say!("the library counts as many");
        return Ok(());
    }
    let class = ways::most_of_class::<Shogi>();
    say!("the literature has 2.45e64 and 6.78e69");
    say!(
        "the class of minishogi_bounds has at most {:.2e} positions here: no better lower bound",
        approximate(&class)
    );
    let json = serde_json::json!({
        "run": Provenance::of("cargo run --release --example shogi_bounds"),
        "at_most": count.to_string(),
        "class_of_minishogi_bounds_at_most": class.to_string(),
    });
    let json = serde_json::to_string_pretty(&json)? + "\n";
    Ok(write_whole(&out.join(format!("{name}_bounds.json")), json)?)
}

/// All positions that pass the stages pawn and king. Of Gote's king's squares one of two mirror images is looked at.
fn count<R: Rules>() -> BigUint {
    let last = R::Geometry::WIDTH - 1;
    let squares: Vec<_> =
        Square::<R::Geometry>::all().filter(|king| 2 * king.column() <= last).collect();
    let bar = ProgressBar::new(squares.len() as u64);
    let counts: Vec<BigUint> = squares
        .par_iter()
        .map(|&king| {
            let images = if 2 * king.column() == last { 1_u32 } else { 2 };
            let positions = ways::positions::<R>(king) * images;
            bar.inc(1);
            positions
        })
        .collect();
    bar.finish_and_clear();
    counts.into_iter().sum()
}

/// A large number as one with a floating point.
fn approximate(number: &BigUint) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}
