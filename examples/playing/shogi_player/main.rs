//! The text on an AI for playing shogi: each of its ideas beside what it improves. Nodes to a depth by minimax, with cut-offs, with an
//! order of moves and with a cache; games of its evaluation against material alone, of its selective deepening against
//! searches to one depth, and of both against what the library has instead.
//!
//! ```text
//! cargo run --release --example shogi_player
//! ```

mod cache;
mod castle;
mod contestants;
mod ideas;
mod matches;
mod questions;
mod selective;
mod strategic;
mod text;
mod tree;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;
use shogi_rules::Shogi;
use shogi_rules::shogi_core::{Face, Kind, Role, RuleTable};
use shogi_search::{Evaluator, Material};
use shogi_variants_playing_examples::provenance::Provenance;
use shogi_variants_playing_examples::{exit_code, parse_count, say, say_what_draws, write_whole};

use crate::matches::Terms;

/// Measures what the text on an AI for playing shogi proposes, on 9x9 and on Minishogi.
#[derive(Parser)]
struct Arguments {
    /// Positions that are searched to depth after depth.
    #[arg(long, default_value_t = 12)]
    positions: u32,
    /// How deep the library's player searches them, with and without its table.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// How deep the text's search goes at most.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=30))]
    text_depth: u32,
    /// Most nodes of the text's search for a position, such as 1e6.
    #[arg(long, default_value = "1e6", value_parser = parse_count)]
    text_nodes: u64,
    /// Games of each match on the evaluation, a quarter or a tenth of them of the others; each opening is played twice.
    #[arg(long, default_value_t = 40)]
    games: u32,
    /// Nodes for a move of the matches on the evaluation, 4 or 20 times as many in the others.
    #[arg(long, default_value = "300", value_parser = parse_count)]
    nodes: u64,
    /// Seed of positions and openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the page and the JSON go.
    #[arg(long, default_value = "target/shogi_player")]
    out: PathBuf,
}

impl Arguments {
    /// The command that does the same.
    fn command(&self) -> String {
        let Self { positions, depth, text_depth, text_nodes, games, nodes, seed, .. } = self;
        format!(
            "cargo run --release --example shogi_player -- --positions {positions} --depth {depth} --text-depth {text_depth} \
             --text-nodes {text_nodes} --games {games} --nodes {nodes} --seed {seed}"
        )
    }
}

fn main() -> ExitCode {
    exit_code("shogi_player", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { positions, depth, text_depth, text_nodes, games, nodes, seed, ref out } =
        arguments;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let terms = Terms { games, nodes, seed };
    let tree = tree::find(seed)?;
    let sample = cache::games(positions, seed)?;
    let costs = ideas::measure(&sample, text_depth, text_nodes);
    let table = cache::measure(&sample, depth);
    let matches = questions::play(terms)?;
    let run = Provenance::of(arguments.command());

    let mut page = format!(
        "# The text on an AI for playing shogi\n\nWhat does each idea of the text bring, in nodes and in games? The page is written by\n\n\
         ```sh\n{}\n```\n\n({run}); the same numbers are in [shogi_player.json](shogi_player.json), from which `python3 tools/plots.py player` draws the pictures. Nodes and games are the \
         same on every machine.\n\n",
        run.command
    );
    page += &ideas::page(&costs, sample.len(), text_nodes);
    page += &tree::page(&tree);
    page += &matches.page(terms);
    page += &cache::page(&table, positions);
    page += &values();

    say!("{}", page.trim_end());
    let json = json!({
        "run": run, "positions": positions, "depth": depth, "games": games, "nodes": nodes, "seed": seed,
        "ideas": ideas::STEPS.map(|(name, _)| name), "costs": costs, "tree": tree, "table": table, "matches": matches,
    });
    write_whole(&out.join("shogi_player.md"), page.trim_end().to_owned() + "\n")?;
    let json = serde_json::to_string_pretty(&json)? + "\n";
    write_whole(&out.join("shogi_player.json"), json)?;
    say_what_draws(out, "player");
    Ok(())
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
