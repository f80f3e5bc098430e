//! The number of reachable positions.

use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::AtomicBool;
use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::string::{String, ToString as _};

use shogi_reach::{EstimateReport, Shard};

use super::{Answer, Session, Task};
use crate::operations::{AnySampling, Method};
use crate::{Error, Variant};

/// Estimates how many positions games reach, from a sample of the candidates. Where there are no more candidates than samples,
/// or than a million, all of them are looked at. 3x4 shogi and Dobutsu shogi are not sampled: all positions that games reach
/// from the position in the line are listed. So they are of a game read as text that has tablebases, where it cannot be sampled
/// or the line has a position. For other variants the line is of no importance.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{EstimateTask, Estimated, Session, Task as _};
/// let mut session = Session::new(Budget::unlimited());
/// let sampled = EstimateTask::new(1_000).answer(Variant::Minishogi, "", &mut session)?;
/// let Estimated::Sampled(report) = sampled else { panic!("sampled") };
/// assert!(report.interval[0] < 2.378e18 && 2.378e18 < report.interval[1]);
/// let listed = EstimateTask::new(1).answer(Variant::Dobutsu, "2l/3/3/L2 b - 1", &mut session)?;
/// assert!(listed.to_string().contains("(exact)"));
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the variant can be neither sampled nor listed, the listing takes more memory than is allowed, or
/// the line of a listing is no legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct EstimateTask {
    /// Number of samples of the whole run, all shards together. Where there are no more candidates, or no more than a million,
    /// all of them are looked at instead, and the answer is exact.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N",
        value_parser = super::amount::count::<u64>(1..)))]
    pub samples: u64,
    /// Seed of the samples: the same seed always draws the same ones.
    #[serde(default = "default_seed")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "S",
        default_value = super::amount::default(default_seed()),
        value_parser = super::amount::count::<u64>(..)))]
    pub seed: u64,
    /// The set to draw from: plain, all candidates alike (on 9x9, those that pass the pawn stage);
    /// king-legal, those alike that pass the stages flip, pawn and king; or strata, these divided
    /// by the checks on the player to move, most samples where the answer is least certain.
    #[serde(default, deserialize_with = "super::read::text")]
    #[cfg_attr(feature = "clap", arg(long, default_value = "plain"))]
    pub method: Method,
    /// Megabytes that a listing may take. 3x4 shogi and Dobutsu shogi are not sampled: all positions that games from the
    /// start reach are listed.
    #[serde(default = "default_memory")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MB",
        default_value = super::amount::default(default_memory()),
        value_parser = super::amount::count::<u64>(1..)))]
    pub memory: u64,
}

const fn default_seed() -> u64 {
    1
}

const fn default_memory() -> u64 {
    1024
}

impl EstimateTask {
    /// So many samples of all candidates alike, drawn with the seed 1; a listing may take a gigabyte.
    pub const fn new(samples: u64) -> Self {
        Self { samples, seed: default_seed(), method: Method::Plain, memory: default_memory() }
    }

    /// The samples, for programs that keep what is done of them in files; `None` where all positions that the start reaches are
    /// [listed](Self::list) instead: where the variant has tablebases, and cannot be sampled, or the positions that a named
    /// start reaches fit in the memory for a listing.
    ///
    /// # Errors
    ///
    /// If the variant can be neither sampled nor listed, or is too large for the method; [`Error::Stopped`] if the flag was
    /// set while that was found out.
    pub fn sampling(
        &self,
        variant: Variant,
        start: Option<&str>,
        stop: &AtomicBool,
    ) -> Result<Option<Box<dyn AnySampling>>, Error> {
        if let Some(start) = start {
            return self.sampling_from(variant, start, stop);
        }
        let reach = variant.reach();
        let available = reach.check_available(stop);
        if variant.tablebases().is_some() && available.is_err() {
            return Ok(None);
        }
        available?;
        reach.sampling(self.method).map(Some)
    }

    /// The samples of what a named start reaches.
    fn sampling_from(
        &self,
        variant: Variant,
        start: &str,
        stop: &AtomicBool,
    ) -> Result<Option<Box<dyn AnySampling>>, Error> {
        let is_listed = variant.tablebases().is_some_and(|world| {
            Variant::ALL.contains(&variant)
                || world.listing_for(start).is_ok_and(|(bytes, _)| self.fits(bytes))
        });
        if is_listed {
            return Ok(None);
        }
        variant.reach().sampling_from(start, self.method, stop).map(Some)
    }

    /// Whether a listing may take so many bytes.
    const fn fits(&self, bytes: u64) -> bool {
        bytes.div_ceil(1 << 20) <= self.memory
    }

    /// Lists the positions that games reach from a position; `begin` is called first with the megabytes that this takes.
    ///
    /// # Errors
    ///
    /// If the variant is not listed, the text stands for no legal position, or more memory is needed than is allowed; of a game
    /// read as text that is too large for a list the reason why it is not sampled, if there is one.
    pub fn list(
        &self,
        variant: Variant,
        start: &str,
        begin: impl FnOnce(u64),
    ) -> Result<Listed, Error> {
        let world = variant.tablebases().ok_or(Error::Unavailable(variant.name()))?;
        let listing = world.listing_for(start);
        if !Variant::ALL.contains(&variant)
            && !listing.as_ref().is_ok_and(|&(bytes, _)| self.fits(bytes))
        {
            variant.reach().check_available(&AtomicBool::new(false))?;
        }
        let (bytes, candidates) = listing?;
        let megabytes = bytes.div_ceil(1 << 20);
        if !self.fits(bytes) {
            return Err(Error::ListingMemory { megabytes, allowed: self.memory });
        }
        begin(megabytes);
        let estimate = world.count_reachable(start)?;
        let p = estimate as f64 / candidates as f64;
        Ok(Listed {
            variant: variant.name().to_owned(),
            method: "forward listing".to_owned(),
            start: start.to_owned(),
            complete: true,
            candidates: candidates.to_string(),
            p,
            p_interval: [p, p],
            estimate,
            interval: [estimate, estimate],
        })
    }

    /// Classifies all samples; `watch` is called now and then with how many are done and of how many, and ends the work by
    /// breaking, after which the run has those that were done.
    ///
    /// # Errors
    ///
    /// If there are too few samples for the method; [`Error::Stopped`] if the pilot was broken off.
    pub fn sample(
        &self,
        sampling: &dyn AnySampling,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Shard, Error> {
        let mut run = sampling.run(self.seed, self.samples, &mut |_, _| watch(0, self.samples))?;
        // Of a small space all candidates are looked at.
        let samples = run.samples();
        let (next, findings) =
            sampling.tally(&run, 0..samples, &mut |done, _| watch(done, samples));
        run.add_findings(0..next, &findings).map_err(Error::library)?;
        Ok(run)
    }
}

impl Task for EstimateTask {
    const NAME: &'static str = "estimate";
    type Answer = Estimated;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Estimated> {
        let (budget, never) = (&mut session.budget, AtomicBool::new(false));
        let stop = budget.stop_signal().unwrap_or(&never);
        let start = Some(line).filter(|line| !line.is_empty());
        let Some(sampling) = self.sampling(variant, start, stop)? else {
            return self.list(variant, line, |_| ()).map(Estimated::Listed);
        };
        let before = budget.spent();
        let run = self.sample(&*sampling, &mut |done, _| {
            // A sample counts as a node, of which the budget may have a limit.
            let goes_on = budget.spend((before + done).saturating_sub(budget.spent()));
            if budget.wants_report() {
                budget.report(0, 0, 0);
            }
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(Estimated::Sampled((&run).into()))
    }
}

/// The answer of [`EstimateTask`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Estimated {
    /// From a sample, or from all candidates.
    Sampled(EstimateReport),
    /// From a listing of all reachable positions.
    Listed(Listed),
}

/// The number of listed positions, under the names that an estimate has.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Listed {
    /// The variant.
    pub variant: String,
    /// `forward listing`.
    pub method: String,
    /// The position in which the games begin.
    pub start: String,
    /// Whether all are listed, as they always are.
    pub complete: bool,
    /// The placements of the pieces of the start.
    pub candidates: String,
    /// The share of them that games reach.
    pub p: f64,
    /// An interval without width.
    pub p_interval: [f64; 2],
    /// The positions, the players exchanged and mirror images counted once.
    pub estimate: u64,
    /// An interval without width.
    pub interval: [u64; 2],
}

impl fmt::Display for Estimated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sampled(report) => report.fmt(f),
            Self::Listed(listed) => listed.fmt(f),
        }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, start, candidates, p, estimate, .. } = self;
        writeln!(
            f,
            "{variant} from {start}, all positions listed forward; p = {p:.6} of {candidates} placements"
        )?;
        write!(
            f,
            "{estimate} reachable positions (exact), the players exchanged and mirror images counted once"
        )
    }
}
