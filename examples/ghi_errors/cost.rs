//! What it takes to disprove a win in 3x4 shogi.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{Rules as _, Shogi34, parse_position};
use shogi_solve::df_pn::{DfPn, Options};
use shogi_solve::{Budget, Decision, Finding, Ghi, Goal, Mobility, RulesGame, Search, decide};

use shogi_variants_examples::say;

use crate::grouped;

/// Who does not win what: two starts and a blocked position with many ways to go round.
const QUESTIONS: [(&str, Colour); 4] = [
    ("KBN", Colour::Sente),
    ("BKN", Colour::Gote),
    ("BKN", Colour::Sente),
    ("1k1/1p1/1P1/1K1 b - 1", Colour::Sente),
];

/// How a disproof is looked for.
const WAYS: [(&str, Ghi, bool); 4] = [
    ("believed only", Ghi::Provisional, false),
    ("(a)", Ghi::Provisional, true),
    ("(b)", Ghi::ByPath, false),
    ("(c)", Ghi::Simulation, false),
];

/// Bytes for the table of a search.
const BYTES: usize = 256 << 20;
/// The most time for one cell of the table.
const TIME: Duration = Duration::from_secs(20);

/// Prints the table; a cell ends at so many nodes.
pub fn print(nodes: u64) -> Result<()> {
    let names = WAYS.map(|(name, ..)| name).join(" | ");
    say!("\n| position, prover | {names} |\n|---|---:|---:|---:|---:|");
    for (name, prover) in QUESTIONS {
        let position = match name.contains('/') {
            true => parse_position::<Shogi34>(name)?,
            false => Position::new(Shogi34::named_start(name)?)?,
        };
        let cells = WAYS
            .map(|(_, ghi, closed)| cell(&position, prover, ghi, closed, nodes))
            .into_iter()
            .collect::<Result<Vec<String>>>()?;
        say!("| {name}, {prover} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// Nodes and seconds to the disproof.
fn cell(
    position: &Position<Shogi34>,
    prover: Colour,
    ghi: Ghi,
    closed: bool,
    nodes: u64,
) -> Result<String> {
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal { prover, draw_suffices: false };
    let mut budget = Budget::nodes(nodes).time(TIME);
    let options = Options { ghi, hash_bytes: BYTES, ..Options::default() };
    let mut search = DfPn::new(&game, goal, Mobility, options);
    let start = Instant::now();
    let (proved, open) = match closed {
        true => match decide(&mut search, position, &mut budget) {
            Decision::Proved { .. } => (true, false),
            Decision::Prevented(_) => (false, false),
            Decision::Open(_) => (false, true),
        },
        false => match search.search(position, &mut budget) {
            Finding::Proved { .. } => (true, false),
            Finding::Disproved => (false, false),
            _ => (false, true),
        },
    };
    ensure!(!proved, "{prover} wins what cannot be won");
    let (seconds, spent) = (start.elapsed().as_secs_f64(), grouped(budget.spent()));
    let more = if open { "more than " } else { "" };
    Ok(format!("{more}{spent} in {seconds:.2} s"))
}
