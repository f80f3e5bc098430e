//! The text on an AI for playing shogi: its values of pieces, what its table of positions saves, and
//! its selective deepening against iterative deepening and its evaluation against what was learnt from games, at equal
//! time.
//!
//! ```text
//! cargo run --release --example shogi_player
//! ```

mod cache;
mod castle;
mod strategic;
mod strategies;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;
use shogi_rules::shogi_core::{Face, Kind, Role, RuleTable};
use shogi_rules::{Minishogi, Rules, Shogi};
use shogi_search::{Evaluation, Evaluator, Material, Values};
use shogi_variants_playing_examples::{exit_code, say, write_whole};

use crate::strategic::Strategic;
use crate::strategies::{DEEPENING, STRATEGY, TABLE, VALUES, compare};

/// Compares what the text on an AI for playing shogi proposes, on 9x9 and on Minishogi.
#[derive(Parser)]
struct Arguments {
    /// Positions searched with and without the table.
    #[arg(long, default_value_t = 12)]
    positions: u32,
    /// How deep they are searched.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Games of each match; each opening is played twice.
    #[arg(long, default_value_t = 60)]
    games: u32,
    /// Time for a move of these games.
    #[arg(long, value_name = "MS", default_value_t = 100)]
    milliseconds: u64,
    /// Seed of positions and openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the tables, the JSON and the plot go.
    #[arg(long, default_value = "target/shogi_player")]
    out: PathBuf,
}

fn main() -> ExitCode {
    exit_code("shogi_player", run())
}

fn run() -> Result<()> {
    let Arguments { positions, depth, games, milliseconds, seed, out } = Arguments::parse();
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut page = String::from(
        "# The text on an AI for playing shogi\n\n\
         What does each idea of the text bring, in nodes and in games? Written by `cargo run --release --example shogi_player`; the same numbers are in \
         [shogi_player.json](shogi_player.json).\n\n",
    );
    page += &values();

    let table = cache::measure(positions, depth, seed)?;
    page += &cache::page(&table, positions);
    cache::draw(&out.join("shogi_player_table.svg"), &table)?;

    let time = Duration::from_millis(milliseconds);
    let values = Values::standard::<Shogi>();
    let against_values = (Evaluation::<Shogi>::standard(), Material::new(values.clone()));
    let against_terms = (Evaluation::<Shogi>::standard(), Strategic::new(values));
    let matches = [
        compare(DEEPENING, standard::<Shogi>(), games, time, seed)?,
        compare(DEEPENING, standard::<Minishogi>(), games, time, seed)?,
        compare(TABLE, standard::<Shogi>(), games, time, seed)?,
        compare(TABLE, standard::<Minishogi>(), games, time, seed)?,
        compare(VALUES, against_values, games, time, seed)?,
        compare(STRATEGY, against_terms, games, time, seed)?,
    ];
    page += &strategies::page(&matches, milliseconds);

    say!("{}", page.trim_end());
    let json = json!({
        "positions": positions, "depth": depth, "games": games, "milliseconds": milliseconds,
        "seed": seed, "table": table, "matches": matches,
    });
    write_whole(&out.join("shogi_player.md"), &page)?;
    let json = serde_json::to_string_pretty(&json)? + "\n";
    write_whole(&out.join("shogi_player.json"), json)?;
    Ok(())
}

/// The standard evaluation for both players.
fn standard<R: Rules>() -> (Evaluation<R>, Evaluation<R>) {
    (Evaluation::standard(), Evaluation::standard())
}

/// Tanigawa's values, as the player has them.
fn values() -> String {
    let material = Material::tanigawa();
    let mut page = String::from(
        "## Values\n\nTanigawa's, in pawns; on the board as the text has them, in hand 30 % more.\n\n\
         | piece | front | back | in hand |\n|---|---:|---:|---:|\n",
    );
    let pawns = |hundredths: i32| f64::from(hundredths) / 100.0;
    for kind in Kind::all::<Shogi>() {
        let spec = kind.spec::<Shogi>();
        if spec.role == Role::Royal {
            continue;
        }
        let values = material.values();
        let back = match spec.back {
            Some(_) => pawns(values.board(Face::back(kind))).to_string(),
            None => String::new(),
        };
        let front = pawns(values.board(Face::front(kind)));
        let hand = pawns(values.hand(kind));
        let letter = Shogi::KINDS[kind.index()].letter;
        let _ = writeln!(page, "| {letter} | {front} | {back} | {hand} |");
    }
    page + "\n"
}
