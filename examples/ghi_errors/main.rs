//! How often a search that remembers is wrong about a game with cycles, from random games whose values
//! are worked back from the ends, and what it costs in 3x4 shogi to be right: the tables of docs/how/ghi.md.
//!
//! ```text
//! cargo run --release --example ghi_errors
//! ```

mod cost;
mod positions;

use std::collections::HashMap;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use indicatif::HumanCount;
use shogi_rules::shogi_core::Colour;
use shogi_solve::df_pn::{Combine, DfPn, Options, Tuning};
use shogi_solve::pds::Pds;
use shogi_solve::retrograde::Listing;
use shogi_solve::toy::{Graph, Token};
use shogi_solve::{Budget, Decision, Finding, GameGraph, Ghi, Goal, Search, Unit, decide};
use shogi_variants_examples::{exit_code, parse_count, say};

/// Counts the wins that searches deny in random games of up to 25 nodes, and what disproofs of wins in
/// 3x4 shogi cost.
#[derive(Parser)]
struct Arguments {
    /// Games; each is searched for four goals.
    #[arg(long, default_value_t = 60_000)]
    games: u64,
    /// The number of the first game.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Most nodes for a disproof in 3x4 shogi.
    #[arg(long, default_value = "6e6", value_parser = parse_count)]
    nodes: u64,
    /// Positions of random games with each set of two officers of 3x4 shogi.
    #[arg(long, default_value_t = 300)]
    positions: u64,
}

/// The rows of the table.
const SEARCHES: [&str; 7] = [
    "the dozen lines above",
    "df-pn, `Ghi::Provisional`, nothing else",
    "the same with plain sums and exact thresholds",
    "PDS, nothing else",
    "df-pn, `Ghi::Provisional`, with closures (a)",
    "df-pn, `Ghi::ByPath` (b)",
    "df-pn, `Ghi::Simulation` (c)",
];

/// Bytes for each search: the games have a few dozen positions.
const BYTES: usize = 1 << 16;

fn main() -> ExitCode {
    exit_code("ghi_errors", run())
}

fn run() -> Result<()> {
    let Arguments { games, seed, nodes: most, positions } = Arguments::parse();
    let (mut reachable, mut rows) = (0_u64, [(0_u64, 0_u64); SEARCHES.len()]);
    for game in (seed..seed.saturating_add(games)).map(game) {
        let listing = Listing::new(&game, &game.start(), 1_000)?;
        for goal in goals() {
            let truth = listing.forced(goal)[0].is_some();
            reachable += u64::from(truth);
            for (index, (wrong, nodes)) in rows.iter_mut().enumerate() {
                let mut budget = Budget::nodes(1_000_000);
                let answer = answer(index, &game, goal, &mut budget);
                ensure!(!budget.is_over(), "{} does not end on {game:?}", SEARCHES[index]);
                ensure!(truth || !answer, "{} claims a win that is none", SEARCHES[index]);
                *wrong += u64::from(truth != answer);
                *nodes += budget.spent();
            }
        }
    }
    say!("{} searches; the goal can be reached in {}.\n", grouped(4 * games), grouped(reachable));
    say!("| search | wrong | nodes, all together |\n|---|---:|---:|");
    for (name, (wrong, nodes)) in SEARCHES.iter().zip(rows) {
        let nodes = if nodes > 0 { grouped(nodes) } else { String::new() };
        say!("| {name} | {} | {nodes} |", grouped(wrong));
    }
    let sound = rows[4..].iter().all(|&(wrong, _)| wrong == 0);
    ensure!(sound, "a search that should be right is not");
    cost::print(most)?;
    positions::print(positions, seed)
}

/// A random game: 3 to 25 nodes, two to four moves, three chances of an end.
fn game(seed: u64) -> Graph {
    let nodes = 3 + (seed % 23) as u32;
    let degree = 2 + (seed / 23 % 3) as u32;
    let end = [24, 64, 100][(seed / 69 % 3) as usize];
    Graph::random(seed, nodes, degree, end)
}

/// Either player, to win or not to lose.
fn goals() -> impl Iterator<Item = Goal> {
    let goals = |prover| [false, true].map(|draw_suffices| Goal { prover, draw_suffices });
    Colour::ALL.into_iter().flat_map(goals)
}

/// Whether the goal can be reached, by one of the searches.
fn answer(search: usize, game: &Graph, goal: Goal, budget: &mut Budget) -> bool {
    let root = game.start();
    let df_pn = |ghi, tuning| {
        let options = Options { ghi, tuning, hash_bytes: BYTES, ..Options::default() };
        DfPn::new(game, goal, Unit, options)
    };
    let weak = Tuning::default();
    let plain = Tuning { proof: Combine::Sum, disproof: Combine::Sum, epsilon: 0 };
    let found = match search {
        0 => {
            let (path, table) = (Vec::new(), HashMap::new());
            return Naive { game, goal, path, table }.reaches(root);
        }
        1 => df_pn(Ghi::Provisional, weak).search(&root, budget),
        2 => df_pn(Ghi::Provisional, plain).search(&root, budget),
        3 => Pds::new(game, goal, Unit, BYTES).search(&root, budget),
        4 => {
            let decision = decide(&mut df_pn(Ghi::Provisional, weak), &root, budget);
            return matches!(decision, Decision::Proved { .. });
        }
        5 => df_pn(Ghi::ByPath, weak).search(&root, budget),
        _ => df_pn(Ghi::Simulation, weak).search(&root, budget),
    };
    matches!(found, Finding::Proved { .. })
}

/// The dozen lines with which docs/how/ghi.md begins.
struct Naive<'g> {
    game: &'g Graph,
    goal: Goal,
    path: Vec<Token>,
    table: HashMap<Token, bool>,
}

impl Naive<'_> {
    fn reaches(&mut self, position: Token) -> bool {
        if let Some(verdict) = self.game.verdict(&position) {
            return self.goal.is_reached(verdict, position.side);
        }
        if self.path.contains(&position) {
            return false; // a repetition fails the prover
        }
        if let Some(&known) = self.table.get(&position) {
            return known;
        }
        let prover_moves = position.side == self.goal.prover;
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        self.path.push(position);
        let mut below = moves.into_iter().map(|mv| self.reaches(self.game.play(&position, mv)));
        let reached = match prover_moves {
            true => below.any(|reached| reached),
            false => below.all(|reached| reached),
        };
        self.path.pop();
        self.table.insert(position, reached);
        reached
    }
}

/// A count with its digits in groups.
fn grouped(count: u64) -> String {
    HumanCount(count).to_string()
}
