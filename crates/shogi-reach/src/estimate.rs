//! Classifies samples of a space on all cores.

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use crate::{Deep, Findings, Stage, StageTally, passes_king, passes_pawn};
use shogi_core::clock::Instant;
use shogi_core::{Placement, RuleTable};
use shogi_rank::{Checks, Ranking, Sampler, Strata, Stratified, neyman, passes_flip};
use shogi_rules::threads::join;
use shogi_rules::{Rules, to_sfen};

use crate::Reach;

/// Samples that one task takes.
const BLOCK: u64 = 4096;
/// Samples that a stage handles before the next stage does.
const BATCH: usize = 64;
/// Approximate time between reports to the caller.
const REPORT: Duration = Duration::from_millis(250);
/// The most samples of strata that one task takes; its tables cost as much as some thousands of samples.
const RUN: u64 = 1 << 18;

/// Classifies the samples of a range, from any [`Ranking`], on the current rayon thread pool.
///
/// Several times a second `progress` is called with the number of the next sample and the tally of all samples
/// before it; it ends the run by breaking. Returns both at the end of the run. The tally is a sum over samples,
/// so it depends on neither threads nor the times of reports.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_rank::{Sampler, Space};
/// use shogi_rules::Minishogi;
/// use shogi_reach::{SearchLimit, Reach, tally_samples};
///
/// let space = Space::<Minishogi>::new()?;
/// let sampler = Sampler::new(&space, 1);
/// let reach = Reach::new(SearchLimit::default());
/// let (next, tally) = tally_samples(&reach, &sampler, 0..20_000, |_, _| ControlFlow::Continue(()));
/// assert_eq!((next, tally.samples, tally.unknown), (20_000, 20_000, 0));
/// // About 14.85 % of the candidates are reachable.
/// assert!((2_700..3_300).contains(&tally.ok));
/// # Ok::<(), shogi_core::NotClassic>(())
/// ```
pub fn tally_samples<R: RuleTable, S: Ranking<R> + Sync>(
    reach: &Reach<R>,
    sampler: &Sampler<'_, R, S>,
    range: Range<u64>,
    mut progress: impl FnMut(u64, &StageTally) -> ControlFlow<()>,
) -> (u64, StageTally) {
    let tally = |block| tally_block(reach, sampler.placements(block));
    tally_blocks(range, &tally, &mut progress)
}

/// Classifies the members of a set with the ranks of a range, like [`tally_samples`]. For a small set the range
/// can hold all members, so that nothing has to be estimated.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_rank::{Ranking, Space};
/// use shogi_rules::Dobutsu;
/// use shogi_reach::{SearchLimit, Reach, tally_members};
///
/// let space = Space::<Dobutsu>::new()?;
/// let reach = Reach::new(SearchLimit { nodes: 0 });
/// let (next, tally) = tally_members(&reach, &space, 0..100, |_, _| ControlFlow::Continue(()));
/// assert_eq!((next, tally.samples), (100, 100));
/// # Ok::<(), shogi_core::NotClassic>(())
/// ```
pub fn tally_members<R: RuleTable, S: Ranking<R> + Sync>(
    reach: &Reach<R>,
    set: &S,
    range: Range<u64>,
    mut progress: impl FnMut(u64, &StageTally) -> ControlFlow<()>,
) -> (u64, StageTally) {
    let members = |ranks: Range<u64>| ranks.filter_map(|rank| set.unrank_u64(rank).ok());
    let tally = |block| tally_block(reach, members(block));
    tally_blocks(range, &tally, &mut progress)
}

/// Tallies the blocks of a range on all threads. Compiled once, whatever is sampled.
fn tally_blocks(
    range: Range<u64>,
    tally: &(dyn Fn(Range<u64>) -> StageTally + Sync),
    progress: &mut dyn FnMut(u64, &StageTally) -> ControlFlow<()>,
) -> (u64, StageTally) {
    let mut total = StageTally::default();
    let mut next = range.start;
    let mut blocks = rayon::current_num_threads() as u64;
    while next < range.end {
        let started = Instant::now();
        let end = range.end.min(next.saturating_add(blocks * BLOCK));
        total.merge(&tally_all(&blocks_of(next..end), tally, StageTally::merge));
        next = end;
        if progress(next, &total).is_break() {
            break;
        }
        if started.elapsed() < REPORT {
            blocks *= 2;
        } else if started.elapsed() > 4 * REPORT && blocks > rayon::current_num_threads() as u64 {
            blocks /= 2;
        }
    }
    (next, total)
}

/// A range of samples in pieces of [`BLOCK`]; the last one has the rest.
pub(crate) fn blocks_of(range: Range<u64>) -> Vec<Range<u64>> {
    let starts = range.clone().step_by(BLOCK as usize);
    starts.map(|start| start..range.end.min(start + BLOCK)).collect()
}

/// The findings in some ranges of samples, at least one, on all threads, merged in order.
pub(crate) fn tally_all<T: Send>(
    ranges: &[Range<u64>],
    tally: &(dyn Fn(Range<u64>) -> T + Sync),
    merge: fn(&mut T, &T),
) -> T {
    if let [range] = ranges {
        return tally(range.clone());
    }
    let (left, right) = ranges.split_at(ranges.len() / 2);
    let (mut all, others) =
        join(|| tally_all(left, tally, merge), || tally_all(right, tally, merge));
    merge(&mut all, &others);
    all
}

/// Tallies the results of [`Reach::classify`], stage by stage.
fn tally_block<R: RuleTable>(
    reach: &Reach<R>,
    mut placements: impl Iterator<Item = Placement<R>>,
) -> StageTally {
    let mut tally = StageTally::default();
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        batch.clear();
        batch.extend(placements.by_ref().take(BATCH));
        if batch.is_empty() {
            return tally;
        }
        let flip = keep(&mut batch, passes_flip);
        let pawn = keep(&mut batch, passes_pawn);
        let king = keep(&mut batch, passes_king);
        tally.samples += flip + pawn + king;
        tally.flip += flip;
        tally.pawn += pawn;
        tally.king += king;
        for placement in &batch {
            tally.record(reach.reach(placement));
        }
    }
}

/// Keeps the placements that pass a stage, and returns the number of the others.
///
/// No branch depends on whether a placement passes, which no processor can predict.
#[inline(always)]
fn keep<R: RuleTable>(
    batch: &mut Vec<Placement<R>>,
    passes: impl Fn(&Placement<R>) -> bool,
) -> u64 {
    let before = batch.len();
    let mut kept = 0;
    for i in 0..before {
        let placement = batch[i];
        batch[kept] = placement;
        kept += usize::from(passes(&placement));
    }
    batch.truncate(kept);
    (before - kept) as u64
}

/// Unreachable positions that can be traced back more plies than this are kept.
const DEEP: u32 = 5;

/// Classifies the stratified samples of a range, like [`tally_samples`], with a tally for each class. Keeps the
/// unreachable positions that can be traced back more than five plies.
///
/// The samples have passed the stages before the last one. Either of two mirror images can be drawn, so none
/// counts as dropped by the flip stage. It calls `progress` about once a second.
pub fn tally_strata<R: Rules>(
    reach: &Reach<R>,
    samples: &Stratified<'_, R>,
    range: Range<u64>,
    mut progress: impl FnMut(u64, &Findings) -> ControlFlow<()>,
) -> (u64, Findings) {
    tally_classes(reach, samples, range, &mut progress)
}

fn tally_classes<R: Rules>(
    reach: &Reach<R>,
    samples: &Stratified<'_, R>,
    range: Range<u64>,
    progress: &mut dyn FnMut(u64, &Findings) -> ControlFlow<()>,
) -> (u64, Findings) {
    let classes = samples.allotted().len();
    let tally_run = |run: Range<u64>| {
        let mut found = Findings::none(classes);
        samples.for_each(run, |class, placement| {
            let stage = reach.reach(&placement);
            found.tallies[class].record(stage);
            if let Stage::Unreachable { plies } = stage
                && plies > DEEP
            {
                found.deep.push(deep(plies, &placement));
            }
        });
        found
    };
    tally_runs(range.start, &samples.runs(range, RUN), classes, &tally_run, progress)
}

/// Tallies runs on all threads, the first of which begins at `next`. Compiled once for all rule sets.
fn tally_runs(
    mut next: u64,
    runs: &[Range<u64>],
    classes: usize,
    tally: &(dyn Fn(Range<u64>) -> Findings + Sync),
    progress: &mut dyn FnMut(u64, &Findings) -> ControlFlow<()>,
) -> (u64, Findings) {
    let mut total = Findings::none(classes);
    for round in runs.chunks(2 * rayon::current_num_threads()) {
        total.merge(&tally_all(round, tally, Findings::merge));
        next = round.last().map_or(next, |run| run.end);
        if progress(next, &total).is_break() {
            break;
        }
    }
    (next, total)
}

#[cold]
fn deep<R: Rules>(plies: u32, placement: &Placement<R>) -> Deep {
    let image = if passes_flip(placement) { *placement } else { placement.mirror() };
    Deep { plies, sfen: to_sfen(&image) }
}

/// Why samples could not be divided among classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AllotError {
    /// There are fewer than 20 samples for each class.
    #[error("{samples} samples are too few for {classes} classes")]
    TooFew {
        /// Number of samples.
        samples: u64,
        /// Number of classes.
        classes: usize,
    },
    /// The pilot was stopped.
    #[error("the pilot was broken off")]
    Stopped,
}

/// The fewest samples that a class gets.
const MIN_SAMPLES: u64 = 20;

/// Divides samples among the classes of strata to minimise the variance, by a pilot of about a twentieth as
/// many.
///
/// The pilot takes the same number from each class, 40 to 100,000, with the complement of the seed, so that it
/// shares no random number with the run itself. About once a second `progress` is called with the number of
/// classified samples of the pilot and the total; it stops the pilot by breaking.
///
/// # Errors
///
/// If there are fewer than 20 samples for each class, or the pilot was stopped.
pub fn allot<R: Rules>(
    reach: &Reach<R>,
    strata: &Strata<R>,
    seed: u64,
    samples: u64,
    mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Vec<u64>, AllotError> {
    allot_by(&mut strata.classes(), samples, &mut |allotted| {
        let pilot = Stratified::new(strata, !seed, allotted);
        let all = pilot.samples();
        let (next, findings) =
            tally_classes(reach, &pilot, 0..all, &mut |next, _| progress(next, all));
        if next < all { Err(AllotError::Stopped) } else { Ok(findings) }
    })
}

/// Divides samples among classes of given sizes by the findings of a pilot.
fn allot_by(
    classes: &mut dyn Iterator<Item = (Checks, u128)>,
    samples: u64,
    pilot: &mut dyn FnMut(&[u64]) -> Result<Findings, AllotError>,
) -> Result<Vec<u64>, AllotError> {
    let classes: Vec<u128> = classes.map(|(_, size)| size).collect();
    let number = classes.len() as u64;
    let too_few = AllotError::TooFew { samples, classes: classes.len() };
    if samples < MIN_SAMPLES * number {
        return Err(too_few);
    }
    let each = (samples / 20 / number.max(1)).clamp(40, 100_000);
    let findings = pilot(&vec![each; classes.len()])?;
    let found = classes.iter().zip(&findings.tallies).map(|(&size, tally)| (size, tally.ok, each));
    neyman(&found.collect::<Vec<_>>(), samples, MIN_SAMPLES).ok_or(too_few)
}
