//! Two variants that the library does not have, each declared in its file: of EuroShogi the board, perft numbers beside
//! those of Fairy-Stockfish, and a few random moves; and shogi on nine squares solved, by a tablebase of all its
//! positions.
//!
//! ```text
//! cargo run --release --example custom_variant -- --depth 5
//! ```

mod euroshogi;
mod nine_squares;

use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use euroshogi::EuroShogi;
use nine_squares::NineSquares;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shogi_rules::shogi_core::{Position, perft};
use shogi_rules::{Rules, to_usi};
use shogi_tablebase::{Builder, PieceSet, Stored, Tablebase, World, file_name};
use shogi_variants_examples::{exit_code, say};

/// Plays variants declared by a few constants.
#[derive(Parser)]
struct Arguments {
    /// How many plies to count; at most 5.
    #[arg(long, default_value_t = 5)]
    depth: usize,
    /// How many random moves to play.
    #[arg(long, default_value_t = 6)]
    moves: usize,
    /// Seed of the random moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    exit_code("custom_variant", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let right = show::<EuroShogi>(&[25, 625, 15_424, 380_499, 9_451_149], &arguments)?;
    ensure!(right, "a number differs from the expected one");
    solve::<NineSquares>()
}

/// Builds a tablebase of all positions of a variant, has the rules check it, and shows best play.
fn solve<R: World>() -> Result<()> {
    let start = R::start();
    say!("{}\n", R::NAME);
    say!("{start:#}");
    let set = PieceSet::of(&start);
    let folder = env::temp_dir().join(format!("{}-{}", R::NAME, std::process::id()));
    fs::create_dir_all(&folder)?;
    let path = folder.join(file_name(&set));
    let mut builder = Builder::new(set, None)?;
    let finished = builder.run(|_| ControlFlow::Continue(()))?.context("stopped")?;
    finished.write(&path, Stored::Plies)?;
    let table = Tablebase::<R>::open(&path)?;
    table.verify_all(|_| ())?;

    let totals = table.totals();
    let value = table.probe(&start)?;
    say!("\n{} positions, each checked against its moves", totals.positions());
    say!("won {}, lost {}, drawn {}", totals.win, totals.loss, totals.draw);
    say!("at most {} plies", totals.longest);
    let plies = value.plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
    let line = table.line(&start, value.plies.unwrap_or(10))?;
    let line: Vec<_> = line.into_iter().map(to_usi).collect();
    say!("the start is a {}{plies}: {}", value.verdict.name(), line.join(" "));
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Shows a variant and returns whether its perft numbers are as expected.
fn show<R: Rules>(expected: &[u64], arguments: &Arguments) -> Result<bool> {
    let mut position: Position<R> = R::start();
    say!("{}, {} moves from the start\n", R::NAME, position.count_moves());
    say!("{position:#}");

    say!("\ndepth        perft     expected");
    let mut right = true;
    for (depth, &expected) in (1..).zip(expected).take(arguments.depth) {
        let nodes = perft(&position, depth);
        right &= nodes == expected;
        let mark = if nodes == expected { "" } else { "  WRONG" };
        say!("{depth:5} {nodes:12} {expected:12}{mark}");
    }

    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    let mut game = Vec::new();
    while game.len() < arguments.moves {
        let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
        game.push(to_usi(mv));
        position = position.play_unchecked(mv);
    }
    say!("\nat random: {}\n", game.join(" "));
    say!("{position:#}");
    say!();
    Ok(right)
}
