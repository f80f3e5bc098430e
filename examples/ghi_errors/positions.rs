//! How often a search that remembers is wrong about positions of 3x4 shogi: disproofs of wins, each looked at again with
//! closures.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules as _, Shogi34, parse_position, to_sfen};
use shogi_solve::df_pn::{DfPn, Options};
use shogi_solve::{Budget, Decision, Finding, Ghi, Goal, RulesGame, Search, Unit, decide};

use shogi_variants_examples::say;

use crate::grouped;

/// A position that Sente wins, which a search without closures calls disproved: set GG, Gote to move.
const WRONG: &str = "1gk/3/P1p/1KG w 2G 1";
/// The officers, in the order of names of sets.
const OFFICERS: [char; 6] = ['R', 'B', 'G', 'S', 'N', 'L'];
/// Nodes for a search that may be wrong.
const NODES: u64 = 60_000;
/// Nodes for the decision whether it is.
const NODES_TO_DECIDE: u64 = 3_000_000;
/// Bytes for the tables.
const BYTES: usize = 8 << 20;
/// The most moves of a game that leads to a position.
const PLIES: usize = 30;

/// What was found of a set.
#[derive(Default)]
struct Row {
    searches: u64,
    disproved: u64,
    wrong: BTreeSet<String>,
    undecided: u64,
}

/// Prints how often disproofs are wrong in positions of random games, for each set of two officers.
pub fn print(positions: u64, seed: u64) -> Result<()> {
    let position = parse_position::<Shogi34>(WRONG)?;
    let mut budget = Budget::nodes(NODES);
    let found = believed(&position, Colour::Sente, &mut budget);
    let mut more = Budget::nodes(NODES_TO_DECIDE);
    let truth = decided(&position, Colour::Sente, &mut more);
    ensure!(found == Finding::Disproved && truth == Some(true), "{WRONG}: {found:?}, {truth:?}");
    say!(
        "\n{WRONG}: disproved after {} nodes, proved with closures after {}\n",
        grouped(budget.spent()),
        grouped(more.spent())
    );
    say!("| set | searches | disproved | wrong | not decided |\n|---|---:|---:|---:|---:|");
    let mut total = Row::default();
    for (first, x) in OFFICERS.iter().enumerate() {
        for y in &OFFICERS[first..] {
            let row = look_at(&format!("{x}{y}"), positions, seed)?;
            print_row(&format!("{x}{y}"), &row);
            total.searches += row.searches;
            total.disproved += row.disproved;
            total.undecided += row.undecided;
            total.wrong.extend(row.wrong);
        }
    }
    print_row("all", &total);
    for sfen in total.wrong {
        say!("wrong: {sfen}");
    }
    Ok(())
}

fn print_row(set: &str, Row { searches, disproved, wrong, undecided }: &Row) {
    let wrong = wrong.len() as u64;
    let cells = [*searches, *disproved, wrong, *undecided].map(grouped);
    say!("| {set} | {} |", cells.join(" | "));
}

/// Searches both players' wins in so many positions of a set.
fn look_at(set: &str, positions: u64, seed: u64) -> Result<Row> {
    let (x, y) = set.split_at(1);
    let names = [format!("K{x}{y}"), format!("{x}K{y}"), format!("{x}{y}K")];
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut row = Row::default();
    for number in 0..positions {
        let start = Position::new(Shogi34::named_start(&names[number as usize % names.len()])?)?;
        let Some(position) = random_position(start, &mut random) else { continue };
        for prover in Colour::ALL {
            row.searches += 1;
            let found = believed(&position, prover, &mut Budget::nodes(NODES));
            if found == Finding::Disproved {
                row.disproved += 1;
                match decided(&position, prover, &mut Budget::nodes(NODES_TO_DECIDE)) {
                    Some(true) => _ = row.wrong.insert(to_sfen(position.placement())),
                    Some(false) => {}
                    None => row.undecided += 1,
                }
            }
        }
    }
    Ok(row)
}

/// The position after some random moves, if the game has not ended there.
fn random_position(start: Position<Shogi34>, random: &mut ChaCha8Rng) -> Option<Position<Shogi34>> {
    let mut position = start;
    for _ in 0..random.random_range(0..PLIES) {
        position = position.play_unchecked(*position.legal_moves().choose(random)?);
    }
    (!position.legal_moves().is_empty()).then_some(position)
}

fn goal(prover: Colour) -> Goal {
    Goal { prover, draw_suffices: false }
}

/// What a search says that uses the table's disproofs on every path.
fn believed(position: &Position<Shogi34>, prover: Colour, budget: &mut Budget) -> Finding {
    let game = RulesGame::<Shogi34>::new();
    let options = Options { ghi: Ghi::Provisional, hash_bytes: BYTES, ..Options::default() };
    DfPn::new(&game, goal(prover), Unit, options).search(position, budget)
}

/// Whether the player wins, with closures for disproofs.
fn decided(position: &Position<Shogi34>, prover: Colour, budget: &mut Budget) -> Option<bool> {
    let game = RulesGame::<Shogi34>::new();
    let options = Options { ghi: Ghi::Provisional, hash_bytes: 8 * BYTES, ..Options::default() };
    match decide(&mut DfPn::new(&game, goal(prover), Unit, options), position, budget) {
        Decision::Proved { .. } => Some(true),
        Decision::Prevented(_) => Some(false),
        Decision::Open(_) => None,
    }
}
