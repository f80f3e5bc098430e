//! What the reproductions of estimates of reachable positions share: a run that is followed, tables
//! beside a paper's, and plots.

pub mod plots;
pub mod tables;

use std::ops::ControlFlow;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use shogi_core::RuleTable;
use shogi_rank::{Ranking, Sampler, Shard, Z_95, wilson};
use shogi_solve::reach::{Limit, Reach, tally_samples};

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
    /// The point in JSON: `[samples, p, [low, high]]`.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!([self.samples, self.p, self.interval])
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
    let reach = Reach::<R>::new(Limit::default());
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
        let ok = shard.tally().ok;
        let interval = wilson(ok, end, Z_95);
        let p = ok as f64 / end as f64;
        bar.set_message(format!("p = {p:.5}"));
        points.push(Point { samples: end, p, interval: [interval.low, interval.high] });
        start = end;
    }
    bar.finish_and_clear();
    Ok(points)
}

/// Where the running estimate is noted: from 10,000 samples on eight times in each power
/// of ten, and at the end.
fn marks(samples: u64) -> Vec<u64> {
    let marks = (32..).map(|eighth| 10f64.powf(f64::from(eighth) / 8.0) as u64);
    marks.take_while(|&mark| mark < samples).chain([samples]).collect()
}
