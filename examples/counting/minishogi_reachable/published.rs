//! The paper's Algorithm 2 as printed, beside the search of this project on the same samples, and its H without each of
//! its terms.

use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;
use shogi_rank::{Sampler, Space};
use shogi_reach::published::{Search, Weights, search};
use shogi_reach::{Reach, SearchLimit, Stage};
use shogi_rules::Minishogi;
use shogi_rules::shogi_core::Placement;
use shogi_variants_counting_examples::reachable::tables::grouped;
use shogi_variants_counting_examples::say;

/// Most positions that one search of the paper keeps; it has no limit, but H without its first term needs one.
const LIMIT: usize = 10_000;

/// H with all terms and without each of them.
const TRIALS: [(&str, Weights); 5] = [
    ("H as printed: 10, 10, 1, 1", Weights::MINISHOGI),
    ("without pieces", Weights { piece: 0, ..Weights::MINISHOGI }),
    ("without promoted pieces", Weights { promoted: 0, ..Weights::MINISHOGI }),
    ("without ranks", Weights { rank: 0, ..Weights::MINISHOGI }),
    ("without kings", Weights { kings: 0, ..Weights::MINISHOGI }),
];

/// What a search took over all positions that passed the stages before it.
#[derive(Default, Serialize)]
pub struct Row {
    name: String,
    reachable: u64,
    unreachable: u64,
    undecided: u64,
    /// Positions that the search of this project decides otherwise.
    differing: u64,
    /// Positions taken from the queue, of reachable positions and in the mean.
    taken: f64,
    /// Positions met, likewise.
    met: f64,
    /// Share of reachable positions in which some position taken is no predecessor of the one before it.
    more_than_one_path: f64,
    /// Processor seconds for each position, whether reachable or not, in microseconds.
    microseconds: f64,
}

/// Searches the first samples of a seed, and prints the table.
pub fn compare(space: &Space<Minishogi>, seed: u64, samples: u64) -> Vec<Row> {
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let sampler = Sampler::new(space, seed);
    let labelled: Vec<(Placement<Minishogi>, bool)> = (0..samples)
        .into_par_iter()
        .filter_map(|sample| {
            let placement = sampler.placements(sample..sample + 1).next()?;
            match reach.classify(&placement) {
                Stage::Ok => Some((placement, true)),
                Stage::Unreachable { .. } => Some((placement, false)),
                _ => None,
            }
        })
        .collect();
    let total = labelled.len() as u64;
    say!(
        "\nAlgorithm 2 on the {} of {} samples that pass the stages before it",
        grouped(total),
        grouped(samples)
    );
    say!(
        "{:<28} {:>10} {:>11} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9}",
        "",
        "reachable",
        "unreachable",
        "undecided",
        "differing",
        "taken",
        "met",
        "more paths",
        "us each"
    );
    let mut rows = vec![ours(&reach, &labelled)];
    rows.extend(TRIALS.map(|(name, weights)| published(name, weights, &labelled)));
    for row in &rows {
        say!(
            "{:<28} {:>10} {:>11} {:>9} {:>9} {:>9.2} {:>9.1} {:>9.3}% {:>9.1}",
            row.name,
            grouped(row.reachable),
            grouped(row.unreachable),
            grouped(row.undecided),
            grouped(row.differing),
            row.taken,
            row.met,
            100.0 * row.more_than_one_path,
            row.microseconds
        );
    }
    rows
}

/// Runs `search` on all positions; its results and the processor microseconds for each.
fn timed<T: Send>(
    labelled: &[(Placement<Minishogi>, bool)],
    search: impl Fn(&Placement<Minishogi>) -> T + Sync,
) -> (Vec<T>, f64) {
    let timed: Vec<(T, f64)> = labelled
        .par_iter()
        .map(|(placement, _)| {
            let started = Instant::now();
            (search(placement), started.elapsed().as_secs_f64())
        })
        .collect();
    let seconds: f64 = timed.iter().map(|(_, seconds)| seconds).sum();
    let count = timed.len().max(1) as f64;
    (timed.into_iter().map(|(found, _)| found).collect(), 1e6 * seconds / count)
}

fn ours(reach: &Reach<Minishogi>, labelled: &[(Placement<Minishogi>, bool)]) -> Row {
    let (_, microseconds) = timed(labelled, |placement| reach.reach(placement));
    let reachable = labelled.iter().filter(|(_, reachable)| *reachable).count() as u64;
    let name = "this project".to_owned();
    Row {
        name,
        reachable,
        unreachable: labelled.len() as u64 - reachable,
        microseconds,
        ..Row::default()
    }
}

fn published(name: &str, weights: Weights, labelled: &[(Placement<Minishogi>, bool)]) -> Row {
    let (found, microseconds) = timed(labelled, |placement| search(placement, weights, LIMIT));
    let mut row = Row { name: name.to_owned(), microseconds, ..Row::default() };
    for (Search { reached, taken, met, one_path }, (_, label)) in found.into_iter().zip(labelled) {
        row.differing += u64::from(reached.is_some_and(|reached| reached != *label));
        match reached {
            Some(true) => {
                row.reachable += 1;
                row.taken += taken as f64;
                row.met += met as f64;
                row.more_than_one_path += f64::from(u8::from(!one_path));
            }
            Some(false) => row.unreachable += 1,
            None => row.undecided += 1,
        }
    }
    let reachable = row.reachable.max(1) as f64;
    for mean in [&mut row.taken, &mut row.met, &mut row.more_than_one_path] {
        *mean /= reachable;
    }
    row
}
