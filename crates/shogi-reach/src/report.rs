//! Estimates of the number of reachable positions from a shard.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::classes::{ClassTally, Classes, number};
use crate::shard::Shard;
use crate::tally::StageTally;
use shogi_rank::{BigUint, Z_95, parse_rank, weighted_sum, wilson};

/// The name of the set in a shard whose samples are all candidates (sample i has rank i), and the method in its
/// report.
pub const EXACT: &str = "exact";

/// How intervals of uniform samples are made.
const METHOD: &str = "wilson 95 %";

/// An estimate of the share and the number of reachable positions, with 95 % intervals.
///
/// Undecided samples widen the interval: its lower end counts them as unreachable and its upper
/// end as reachable. The estimate itself counts them as unreachable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The share of reachable ones among the candidates.
    pub p: f64,
    /// The lower end of the interval for `p`.
    pub p_low: f64,
    /// The upper end.
    pub p_high: f64,
    /// The number of reachable positions: `p` times the candidates.
    pub positions: f64,
    /// The lower end of the interval for `positions`.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How the interval was made: `wilson 95 %`, `wilson 95 % by class`, or `exact`.
    pub method: String,
}

impl Estimate {
    /// The estimate from the tally of a uniform sample of the candidates. Without samples the
    /// share is anything from 0 to 1.
    ///
    /// ```
    /// use shogi_rank::BigUint;
    /// use shogi_reach::{Estimate, StageTally};
    /// // Ishii & Tanaka's run.
    /// let tally = StageTally { samples: 100_000_000, ok: 14_849_198, ..StageTally::default() };
    /// let estimate = Estimate::new(&tally, &BigUint::from(16_014_219_505_238_849_250u64));
    /// assert_eq!(format!("{:.5e}", estimate.positions), "2.37798e18");
    /// assert_eq!(format!("{:.3e} {:.3e}", estimate.low, estimate.high), "2.377e18 2.379e18");
    /// ```
    pub fn new(tally: &StageTally, candidates: &BigUint) -> Self {
        let size = as_f64(candidates);
        let (n, ok) = (tally.samples, tally.ok);
        let p = if n == 0 { 0.0 } else { ok as f64 / n as f64 };
        let p_low = wilson(ok, n, Z_95).low;
        let p_high = wilson(ok.saturating_add(tally.unknown), n, Z_95).high;
        let [positions, low, high] = [p, p_low, p_high].map(|share| share * size);
        Self { p, p_low, p_high, positions, low, high, method: METHOD.to_owned() }
    }

    /// The estimate from samples of classes, whose sizes are exact, so that only the shares of
    /// reachable ones in them are estimated; `candidates` is the size of
    /// [`KingLegal`](shogi_rank::KingLegal).
    ///
    /// The classes contain both of two mirror images, so the wanted number is half of their reachable positions
    /// plus at most half of the positions that are their own mirror image. The interval allows any share of the
    /// latter to be reachable: 10^-9 of the number for Minishogi.
    ///
    /// The samples of classes are done king pair by king pair, so a part of them does not represent all.
    /// Samples not done count as undecided: the numbers of an unfinished run are wide, but not wrong.
    pub fn by_class(classes: &Classes, candidates: &BigUint) -> Self {
        // Undecided samples count against the class at the low end and for it at the high end. This is not
        // random, so it is added before the squares of the distances are.
        let parts = |lucky: bool| {
            let part = move |class: &ClassTally| {
                let (n, ClassTally { tally, .. }) = (class.samples, class);
                let ok =
                    if lucky { tally.ok.saturating_add(undecided(tally, n)) } else { tally.ok };
                let unsampled = f64::from(u8::from(lucky));
                let p = if n == 0 { unsampled } else { ok as f64 / n as f64 };
                (as_f64(&number(&class.size)) / 2.0, p, wilson(ok, n, Z_95))
            };
            classes.classes.iter().map(part)
        };
        let low = weighted_sum(parts(false)).low.max(0.0);
        let (distinct, twice) = (classes.distinct(), candidates * 2u32);
        let self_mirror = if twice > distinct { twice - distinct } else { BigUint::ZERO };
        let high = weighted_sum(parts(true)).high + as_f64(&self_mirror) / 2.0;
        let positions = parts(false).map(|(weight, p, _)| weight * p).sum();
        let [p, p_low, p_high] = [positions, low, high].map(|n| n / as_f64(candidates));
        Self { p, p_low, p_high, positions, low, high, method: format!("{METHOD} by class") }
    }

    /// The number from the tally of all candidates, each classified once: an interval without width, which
    /// undecided and missing candidates widen.
    ///
    /// ```
    /// use shogi_rank::BigUint;
    /// use shogi_reach::{Estimate, StageTally};
    /// let tally = StageTally { samples: 15_405, ok: 6_210, ..StageTally::default() };
    /// let estimate = Estimate::exact(&tally, &BigUint::from(15_405u32));
    /// assert_eq!([estimate.low, estimate.positions, estimate.high], [6_210.0; 3]);
    /// let half = StageTally { samples: 7_000, ok: 3_000, ..StageTally::default() };
    /// let estimate = Estimate::exact(&half, &BigUint::from(15_405u32));
    /// assert_eq!([estimate.low, estimate.high], [3_000.0, 11_405.0]);
    /// ```
    pub fn exact(tally: &StageTally, candidates: &BigUint) -> Self {
        let size = as_f64(candidates);
        let all = u64::try_from(candidates).unwrap_or(u64::MAX);
        let (positions, high) = (tally.ok as f64, (tally.ok + undecided(tally, all)) as f64);
        let [p, p_high] = [positions, high].map(|number| number / size);
        let method = EXACT.to_owned();
        Self { p, p_low: p, p_high, positions, low: positions, high, method }
    }

    /// The number of uniform samples of the candidates that would give an interval as narrow; for uniform
    /// samples about their own number. `None` if none or all of the samples are reachable.
    pub fn uniform_samples(&self) -> Option<f64> {
        let half_width = (self.p_high - self.p_low) / 2.0;
        (self.p > 0.0 && self.p < 1.0 && half_width > 0.0)
            .then(|| self.p * (1.0 - self.p) * (Z_95 / half_width).powi(2))
    }
}

/// The number of the `n` samples not known to be reachable or unreachable: undecided and missing ones.
const fn undecided(tally: &StageTally, n: u64) -> u64 {
    tally.unknown.saturating_add(n.saturating_sub(tally.samples))
}

/// The nearest floating-point number.
pub(crate) fn as_f64(number: &BigUint) -> f64 {
    // A decimal number always parses, too large ones to infinity.
    number.to_string().parse().unwrap_or(f64::INFINITY)
}

/// The number of samples left after each stage: Table 1 of Ishii & Tanaka.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Funnel {
    /// All samples done.
    pub samples: u64,
    /// Left after the flip stage.
    pub flip: u64,
    /// Left after the pawn stage.
    pub pawn: u64,
    /// Left after the king stage.
    pub king: u64,
    /// Reachable.
    pub ok: u64,
    /// Undecided.
    pub unknown: u64,
}

/// The answer of an estimate: the funnel, the unreachable samples and the interval.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EstimateReport {
    /// The name of the variant.
    pub variant: String,
    /// How the interval was made, after the name of the sampled set unless it is the whole space: `pawn-legal,
    /// wilson 95 %`; or `exact` if all candidates were classified.
    pub method: String,
    /// The seed of the samples.
    pub seed: u64,
    /// The number of samples of the whole run.
    pub samples: u64,
    /// The number of samples done.
    pub done: u64,
    /// Whether all samples are done.
    pub complete: bool,
    /// The size of the sampled set, in decimal digits.
    pub candidates: String,
    /// Samples left after each stage.
    pub funnel: Funnel,
    /// Unreachable samples by the plies backwards until nothing new is found: Table 2 of
    /// Ishii & Tanaka.
    pub unreachable_by_plies: BTreeMap<u32, u64>,
    /// The share of reachable ones.
    pub p: f64,
    /// The 95 % interval for `p`.
    pub p_interval: [f64; 2],
    /// The number of reachable positions.
    pub estimate: f64,
    /// The 95 % interval for `estimate`.
    pub interval: [f64; 2],
    /// The number of uniform samples from the set that would give an interval as narrow; absent if the samples
    /// are uniform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform_samples: Option<f64>,
    /// The findings in each class; absent if the samples are uniform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strata: Option<Classes>,
}

impl From<&Shard> for EstimateReport {
    fn from(shard: &Shard) -> Self {
        let tally = shard.tally();
        let candidates = parse_rank(shard.candidates()).unwrap_or_default();
        let estimate = match shard.strata() {
            None if shard.set() == Some(EXACT) => Estimate::exact(tally, &candidates),
            None => Estimate::new(tally, &candidates),
            Some(classes) => Estimate::by_class(classes, &candidates),
        };
        Self {
            uniform_samples: shard.strata().and_then(|_| estimate.uniform_samples()),
            strata: shard.strata().cloned(),
            variant: shard.variant().to_owned(),
            method: match shard.set().filter(|&set| set != EXACT) {
                Some(set) => format!("{set}, {}", estimate.method),
                None => estimate.method,
            },
            seed: shard.seed(),
            samples: shard.samples(),
            done: tally.samples,
            complete: shard.is_complete(),
            candidates: shard.candidates().to_owned(),
            funnel: Funnel {
                samples: tally.samples,
                flip: tally.after_flip(),
                pawn: tally.after_pawn(),
                king: tally.after_king(),
                ok: tally.ok,
                unknown: tally.unknown,
            },
            unreachable_by_plies: tally.unreachable.clone(),
            p: estimate.p,
            p_interval: [estimate.p_low, estimate.p_high],
            estimate: estimate.positions,
            interval: [estimate.low, estimate.high],
        }
    }
}

impl fmt::Display for EstimateReport {
    /// Writes it in the shape of Ishii & Tanaka's tables, over several lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, seed, done, samples, candidates, .. } = self;
        let is_exact = self.method == EXACT;
        if is_exact {
            writeln!(f, "{variant}: {done} of {candidates} candidates, without sampling\n")?;
        } else {
            write!(f, "{variant}, seed {seed}: {done} of {samples} samples")?;
            writeln!(f, ", {candidates} candidates\n")?;
        }
        let left = if is_exact { "candidates left" } else { "samples left" };
        writeln!(f, "{:<22}{left:>20}{:>12}", "stage", "share")?;
        let funnel = &self.funnel;
        for (stage, left) in [
            ("all", funnel.samples),
            ("flip", funnel.flip),
            ("pawn", funnel.pawn),
            ("king", funnel.king),
            ("reachable", funnel.ok),
        ] {
            let share = left as f64 / funnel.samples.max(1) as f64;
            writeln!(f, "{stage:<22}{left:>20}{share:>12.6}")?;
        }
        if funnel.unknown > 0 {
            writeln!(f, "{:<22}{:>20}", "undecided", funnel.unknown)?;
        }
        writeln!(f, "\n{:<22}{:>20}", "plies until none new", "unreachable")?;
        for (plies, count) in &self.unreachable_by_plies {
            writeln!(f, "{plies:<22}{count:>20}")?;
        }
        if let Some(Classes { excluded, classes, .. }) = &self.strata {
            writeln!(f, "\n{:<42}{:>20}{:>14}{:>12}", "class", "size", "samples", "reachable")?;
            writeln!(f, "{:<42}{excluded:>20}{:>14}{:>12}", "excluded", 0, 0)?;
            for ClassTally { checks, size, tally, .. } in classes {
                let share = tally.ok as f64 / tally.samples.max(1) as f64;
                writeln!(f, "{checks:<42}{size:>20}{:>14}{share:>12.6}", tally.samples)?;
            }
        }
        if is_exact && self.interval[0] == self.interval[1] {
            return write!(f, "\np = {:.6}\n{} reachable positions (exact)", self.p, self.estimate);
        }
        let ([p_low, p_high], [low, high]) = (self.p_interval, self.interval);
        writeln!(f, "\np = {:.6}, in [{p_low:.6}, {p_high:.6}]", self.p)?;
        write!(f, "estimate {:.5e}, in [{low:.5e}, {high:.5e}]", self.estimate)?;
        write!(f, " ({})", self.method)?;
        match self.uniform_samples {
            Some(samples) => write!(f, "\nas narrow as from {samples:.3e} uniform samples"),
            None => Ok(()),
        }
    }
}
