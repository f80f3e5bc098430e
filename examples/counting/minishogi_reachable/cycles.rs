//! How far can an unreachable position be traced back? For ever, if some line of legal moves goes round behind it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use shogi_rank::{Sampler, Space};
use shogi_reach::{Reach, SearchLimit, Stage};
use shogi_rules::shogi_core::Placement;
use shogi_rules::{Minishogi, parse_sfen, to_sfen, to_usi};
use shogi_variants_counting_examples::reachable::tables::grouped;
use shogi_variants_counting_examples::say;

/// Unreachable positions with so many plies behind them until nothing new is found.
#[derive(Default, Serialize)]
struct Row {
    positions: u64,
    /// Behind which a line goes round.
    cyclic: u64,
    /// Of these lines, each the shortest of its position, by their plies.
    lengths: BTreeMap<usize, u64>,
}

/// What was found, and the position with the fewest positions behind it of those with a line that goes round.
#[derive(Serialize)]
pub struct Cycles {
    by_plies: BTreeMap<u32, Row>,
    example: Option<Example>,
}

/// A position with the shortest line that goes round behind it.
#[derive(Serialize)]
struct Example {
    sfen: String,
    plies: u32,
    from: String,
    moves: Vec<String>,
}

/// Looks at the unreachable positions among so many samples, and at those of a list by plies as
/// `docs/results/minishogi_deep.tsv` is one. Those with six plies and more come from the list alone.
pub fn find(space: &Space<Minishogi>, seed: u64, samples: u64, list: &Path) -> Result<Cycles> {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let mut positions = read(list)?;
    let fewest = positions.iter().map(|(plies, _)| *plies).min().unwrap_or(u32::MAX);
    let sampler = Sampler::new(space, seed);
    positions.par_extend((0..samples).into_par_iter().filter_map(|sample| {
        let placement = sampler.placements(sample..sample + 1).next()?;
        match reach.classify(&placement) {
            Stage::Unreachable { plies } if plies < fewest => Some((plies, placement)),
            _ => None,
        }
    }));
    let cycles: Vec<_> = positions
        .par_iter()
        .map(|(_, placement)| reach.cycle(placement))
        .collect::<Result<_, _>>()?;
    let mut by_plies: BTreeMap<u32, Row> = BTreeMap::new();
    let mut example: Option<Example> = None;
    for ((plies, placement), cycle) in positions.iter().zip(cycles) {
        let row = by_plies.entry(*plies).or_default();
        row.positions += 1;
        let Some(cycle) = cycle else { continue };
        row.cyclic += 1;
        *row.lengths.entry(cycle.moves.len()).or_default() += 1;
        if example.as_ref().is_none_or(|example| *plies < example.plies) {
            let (sfen, from) = (to_sfen(placement), to_sfen(&cycle.position));
            let moves = cycle.moves.into_iter().map(to_usi).collect();
            example = Some(Example { sfen, plies: *plies, from, moves });
        }
    }
    let cycles = Cycles { by_plies, example };
    print(&cycles);
    Ok(cycles)
}

/// The positions of a list: plies and SFEN, one a line below a head.
fn read(list: &Path) -> Result<Vec<(u32, Placement<Minishogi>)>> {
    let text =
        fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let place = || format!("{}, line {}", list.display(), number + 1);
        let (plies, sfen) = line.split_once('\t').with_context(place)?;
        let (placement, _) = parse_sfen::<Minishogi>(sfen).with_context(place)?;
        positions.push((plies.parse().with_context(place)?, placement));
    }
    Ok(positions)
}

fn print(cycles: &Cycles) {
    say!("\nUnreachable positions, and those of them that can be traced back for ever");
    say!("{:>6} {:>12} {:>12} {:>8}  shortest lines", "plies", "positions", "for ever", "share");
    for (plies, row) in &cycles.by_plies {
        let share = 100.0 * row.cyclic as f64 / row.positions as f64;
        let lengths = row.lengths.iter().map(|(length, count)| format!("{length}: {count}"));
        let lengths = lengths.collect::<Vec<_>>().join(", ");
        say!(
            "{plies:>6} {:>12} {:>12} {share:>7.1}%  {lengths}",
            grouped(row.positions),
            grouped(row.cyclic)
        );
    }
    if let Some(Example { sfen, plies, from, moves }) = &cycles.example {
        say!("for example {sfen}, {plies} plies: {from} moves {}", moves.join(" "));
    }
}
