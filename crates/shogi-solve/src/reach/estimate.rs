//! Sending samples of a space through the funnel, on all cores.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use shogi_core::RuleTable;
use shogi_rank::{Ranking, Sampler, Tally};

use super::Reach;

/// Samples that one task takes.
const BLOCK: u64 = 4096;
/// How long the caller waits between reports, about.
const REPORT: Duration = Duration::from_millis(250);

/// Classifies the samples of a range, from any [`Ranking`], on the current rayon thread pool.
///
/// Several times a second `progress` is told how far the run has come, as the number of the next
/// sample and the tally of all samples before it; it can end the run by breaking. Returns the same
/// two. The tally is a sum over samples, so it depends on neither threads nor the times of the
/// reports.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_rank::{Sampler, Space};
/// use shogi_rules::Minishogi;
/// use shogi_solve::reach::{Limit, Reach, tally_samples};
///
/// let space = Space::<Minishogi>::new();
/// let sampler = Sampler::new(&space, 1);
/// let reach = Reach::new(Limit::default());
/// let (next, tally) = tally_samples(&reach, &sampler, 0..20_000, |_, _| ControlFlow::Continue(()));
/// assert_eq!((next, tally.samples, tally.unknown), (20_000, 20_000, 0));
/// // About 14.85 % of the candidates are reachable.
/// assert!((2_700..3_300).contains(&tally.ok));
/// ```
pub fn tally_samples<R: RuleTable, S: Ranking<R> + Sync>(
    reach: &Reach<R>,
    sampler: &Sampler<'_, R, S>,
    range: Range<u64>,
    mut progress: impl FnMut(u64, &Tally) -> ControlFlow<()>,
) -> (u64, Tally) {
    let mut total = Tally::default();
    let mut next = range.start;
    let mut blocks = rayon::current_num_threads() as u64;
    while next < range.end {
        let started = Instant::now();
        let end = range.end.min(next.saturating_add(blocks * BLOCK));
        let starts: Vec<u64> = (next..end).step_by(BLOCK as usize).collect();
        let tally = starts
            .into_par_iter()
            .map(|start| tally_block(reach, sampler, start..end.min(start + BLOCK)))
            .reduce(Tally::default, |mut a, b| {
                a.merge(&b);
                a
            });
        total.merge(&tally);
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

fn tally_block<R: RuleTable, S: Ranking<R>>(
    reach: &Reach<R>,
    sampler: &Sampler<'_, R, S>,
    range: Range<u64>,
) -> Tally {
    let mut tally = Tally::default();
    for placement in sampler.placements(range) {
        tally.record(reach.classify(&placement));
    }
    tally
}
