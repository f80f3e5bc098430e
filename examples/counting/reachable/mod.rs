//! What the reproductions of estimates of reachable positions share: a run that is followed, and tables
//! beside a paper's.

mod published;
pub mod tables;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use shogi_core::RuleTable;
use shogi_rank::{Ranking, Sampler, Z_95, wilson};
use shogi_reach::{Reach, SearchLimit, Shard, tally_samples};

pub use published::Published;

/// The estimate after some number of samples.
pub struct Point {
    /// Samples so far.
    pub samples: u64,
    /// Share of reachable positions.
    pub p: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Point {
    /// The estimate from the samples of a shard.
    fn of(shard: &Shard) -> Self {
        let (samples, ok) = (shard.tally().samples, shard.tally().ok);
        let interval = wilson(ok, samples, Z_95);
        let p = ok as f64 / samples.max(1) as f64;
        Self { samples, p, interval: [interval.low, interval.high] }
    }
}

/// In JSON `[samples, p, [low, high]]`.
impl From<&Point> for (u64, f64, [f64; 2]) {
    fn from(point: &Point) -> Self {
        (point.samples, point.p, point.interval)
    }
}

/// Takes all samples of a new shard from a set, with a progress bar, and notes the running estimate.
///
/// # Errors
///
/// If the shard has samples already.
pub fn follow<R: RuleTable, S: Ranking<R> + Sync>(
    set: &S,
    shard: &mut Shard,
) -> Result<Vec<Point>> {
    let samples = shard.samples();
    let sampler = Sampler::new(set, shard.seed());
    let reach = Reach::<R>::new(SearchLimit::default());
    let style = "{elapsed_precise} {wide_bar} {percent} % {per_sec} ETA {eta} {msg}";
    let bar = ProgressBar::new(samples).with_style(ProgressStyle::with_template(style)?);
    let mut points = Vec::new();
    let mut start = 0;
    for end in marks(samples) {
        let (_, tally) = tally_samples(&reach, &sampler, start..end, |next, _| {
            bar.set_position(next);
            ControlFlow::Continue(())
        });
        shard.add(start..end, &tally)?;
        let point = Point::of(shard);
        bar.set_message(format!("p = {:.5}", point.p));
        points.push(point);
        start = end;
    }
    bar.finish_and_clear();
    Ok(points)
}

/// Merges the shards of a run that was made in parts, and notes the estimate after each.
///
/// # Errors
///
/// If there is none, or one is broken or of another run, with its name.
pub fn gather(paths: &[PathBuf]) -> Result<(Shard, Vec<Point>)> {
    let mut shards = Vec::new();
    for path in paths {
        shards.push((Shard::load(path)?, path));
    }
    shards.sort_by_key(|(shard, _)| shard.done().next().map(|range| range.start));
    let mut whole: Option<Shard> = None;
    let mut points = Vec::new();
    for (shard, path) in shards {
        let merged = match whole {
            None => shard,
            Some(whole) => {
                whole.merge(&shard).with_context(|| format!("cannot add {}", path.display()))?
            }
        };
        points.push(Point::of(&merged));
        whole = Some(merged);
    }
    Ok((whole.context("there is no shard")?, points))
}

/// Where the running estimate is noted: from 10,000 samples on eight times in each power
/// of ten, and at the end.
fn marks(samples: u64) -> Vec<u64> {
    let marks = (32..).map(|eighth| 10f64.powf(f64::from(eighth) / 8.0) as u64);
    marks.take_while(|&mark| mark < samples).chain([samples]).collect()
}
