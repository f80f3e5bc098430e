//! Between which numbers does the number of reachable Minishogi positions lie, by proof alone? From above by exact counts
//! without what provably has no predecessor, from below by a class of positions that is counted exactly, all of which
//! are reachable by lemma L7.
//!
//! ```text
//! cargo run --release --example minishogi_bounds
//! ```

mod class;
mod cores;
mod ways;

use std::cmp::Ordering;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use rayon::prelude::*;
use shogi_core::{Board5x5, Square};
use shogi_rank::{Checks, Sampler, Space, Strata, wilson};
use shogi_reach::{Reach, SearchLimit, Stage, passes_king, passes_pawn};
use shogi_rules::Minishogi;
use shogi_variants_counting_examples::provenance::Provenance;
use shogi_variants_counting_examples::reachable::tables::grouped;
use shogi_variants_counting_examples::{exit_code, parse_count, say, write_whole};

use class::{Sights, are_apart, is_member};
use cores::cores;
use ways::Ways;

/// The number of the middle file.
const MIDDLE: u8 = 2;
/// Standard errors of an interval that holds with 99.99 %.
const Z_9999: f64 = 3.8906;

/// Bounds of the number of reachable Minishogi positions.
#[derive(Parser)]
struct Arguments {
    /// Random candidates by which the class is tried: each member has to be reachable, and their share has to be that of
    /// the exact count.
    #[arg(long, default_value = "1e6", value_parser = parse_count)]
    samples: u64,
    /// Look at so many pairs of kings alone: what is at least reachable is then that much less.
    #[arg(long)]
    pairs: Option<usize>,
    /// Seed of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the JSON goes.
    #[arg(long, default_value = "target/minishogi_bounds")]
    out: PathBuf,
}

fn main() -> ExitCode {
    exit_code("minishogi_bounds", run())
}

fn run() -> Result<()> {
    let Arguments { samples, pairs: some, seed, out } = Arguments::parse();
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let upper = upper_bound()?;
    say!(
        "at most  {:>28}, by exact counts: what passes the stages but has no predecessor by L1, L2 or L5 is left out",
        grouped(upper)
    );
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let sights = Sights::new();
    // One of two mirror images of each pair of kings, and both if both stand on the middle file: as candidates are counted.
    let pairs: Vec<[Square<Board5x5>; 2]> = Square::all()
        .flat_map(|sente| Square::all().map(move |gote| [sente, gote]))
        .filter(|&[sente, gote]| match sente.column().cmp(&MIDDLE) {
            Ordering::Less => true,
            Ordering::Equal => gote.column() <= MIDDLE,
            Ordering::Greater => false,
        })
        .filter(|&kings| are_apart(kings))
        .take(some.unwrap_or(usize::MAX))
        .collect();
    let counts: Vec<(u128, u64)> =
        pairs.par_iter().map(|&kings| count(&reach, &sights, kings)).collect();
    let (mut folded, mut lower, mut left_out) = (0, 0, 0);
    for (kings, (positions, bad)) in pairs.iter().zip(&counts) {
        let images = if kings.iter().all(|king| king.column() == MIDDLE) { 1 } else { 2 };
        folded += positions;
        lower += images * positions;
        left_out += images as u64 * bad;
    }
    say!("at least {:>28}, all reachable by L7 after un-drops in turns", grouped(lower));
    say!("    without {} cores that do not come apart", grouped(left_out));
    say!("the literature has 4.59e12 and 1.95e19 (Miyako, Kiya and Ono 2022)");
    let [tried, low, high] =
        try_out(&reach, &sights, samples, seed, some.is_none().then_some(folded))?;
    say!(
        "{} of {} candidates are in the class, all of them reachable: {low:.4e} to {high:.4e} of one mirror image at 99.99 %",
        grouped(tried as u64),
        grouped(samples)
    );
    let command = "cargo run --release --example minishogi_bounds --";
    let json = serde_json::json!({
        "run": Provenance::of(format!("{command} --samples {samples} --seed {seed}")),
        "at_least": lower.to_string(),
        "at_most": upper.to_string(),
        "cores_left_out": left_out,
    });
    Ok(write_whole(
        &out.join("minishogi_bounds.json"),
        serde_json::to_string_pretty(&json)? + "\n",
    )?)
}

/// What passes the stages, mirror images counted as two, without the positions that have no predecessor by proof.
fn upper_bound() -> Result<u128> {
    let strata = Strata::<Minishogi>::new().context("Minishogi has classes")?;
    let mut sum = 0;
    for (checks, size) in strata.classes() {
        if checks != Checks::Excluded {
            sum += size;
        }
    }
    Ok(sum)
}

/// Of one pair of kings: the members of the class, and how many cores do not come apart.
fn count(reach: &Reach<Minishogi>, sights: &Sights, kings: [Square<Board5x5>; 2]) -> (u128, u64) {
    let cores = cores(reach, sights, kings);
    let mut positions = 0;
    Ways::new(sights, kings).for_each_blocked(&mut |blocked, totals| {
        for (left, number) in cores.good.get(&blocked).into_iter().flatten() {
            positions += u128::from(*number) * totals.positions(*left);
        }
    });
    (positions, cores.bad)
}

/// Members of the class among random candidates, each of which is looked up, and the interval for the size of the class
/// that their number gives.
fn try_out(
    reach: &Reach<Minishogi>,
    sights: &Sights,
    samples: u64,
    seed: u64,
    exact: Option<u128>,
) -> Result<[f64; 3]> {
    let space = Space::<Minishogi>::new()?;
    let sampler = Sampler::new(&space, seed);
    let members: Vec<bool> = (0..samples)
        .into_par_iter()
        .filter_map(|sample| sampler.placements(sample..sample + 1).next())
        .filter(|placement| {
            passes_pawn(placement) && passes_king(placement) && is_member(reach, sights, placement)
        })
        .map(|placement| reach.reach(&placement) == Stage::Ok)
        .collect();
    ensure!(members.iter().all(|reachable| *reachable), "a member of the class cannot be reached");
    let candidates = space.size().to_string().parse::<f64>()?;
    let share = wilson(members.len() as u64, samples, Z_9999);
    let [low, high] = [share.low * candidates, share.high * candidates];
    if let Some(exact) = exact {
        ensure!((low..=high).contains(&(exact as f64)), "{exact} is not in [{low:e}, {high:e}]");
    }
    Ok([members.len() as f64, low, high])
}
