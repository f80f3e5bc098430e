//! Sets that the samples of an estimate are drawn from.

use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;
use std::string::{String, ToString as _};

use shogi_rank::{BigUint, KingLegal, PawnLegal, Ranking, Sampler, Space, Strata, Stratified};
use shogi_reach::{
    AllotError, EXACT, Reach, SearchLimit, allot, tally_members, tally_samples, tally_strata,
};
use shogi_reach::{Classes, Findings, Shard};
use shogi_rules::{Minishogi, Rules, hash_digits, rules_hash};

use super::Error;
use super::held::Held;
use super::ranking::{king_legal, space, strata};
use super::reach::reach;

/// How samples are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Uniformly from all candidates (on 9x9, from those that pass the pawn stage).
    #[default]
    Plain,
    /// Uniformly from what passes the stages flip, pawn and king.
    KingLegal,
    /// So many from each class of checks.
    Strata,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Plain, Self::KingLegal, Self::Strata];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::KingLegal => "king-legal",
            Self::Strata => "strata",
        })
    }
}

/// A name that no [`Method`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are plain, king-legal and strata")]
pub struct UnknownMethod;

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let named = Self::ALL.into_iter().find(|method| method.to_string() == text);
        named.ok_or(UnknownMethod)
    }
}

/// Called from time to time with the next sample and what was found before it; a break ends the work.
pub type SamplingProgress<'a> = &'a mut dyn FnMut(u64, &Findings) -> ControlFlow<()>;

/// Called from time to time with how many samples of a pilot are done, and with all of them; a break
/// ends the pilot.
pub type PilotProgress<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// A way to draw and classify samples of a variant.
pub trait AnySampling {
    /// A run with nothing done. Where there are no more candidates than samples, or than a million, these are all looked
    /// at instead, whatever the method is: [`EXACT`](shogi_reach::EXACT) is then the set of the run, which has as many
    /// samples as there are candidates. Where a pilot divides the samples among classes, `pilot` is called every
    /// second or so with the samples of the pilot that are classified, and with all of them; it can end
    /// the pilot by breaking.
    ///
    /// # Errors
    ///
    /// If there are too few samples; [`Error::Stopped`] if the pilot was broken off.
    fn run(&self, seed: u64, samples: u64, pilot: PilotProgress<'_>) -> Result<Shard, Error>;

    /// Classifies samples of the run, until `progress` breaks; returns the next sample and what was
    /// found before it.
    fn tally(
        &self,
        run: &Shard,
        range: Range<u64>,
        progress: SamplingProgress<'_>,
    ) -> (u64, Findings);
}

/// Samples by this method.
pub(super) fn sampling<R: Rules>(method: Method) -> Result<Box<dyn AnySampling>, Error> {
    let candidates = space::<R>()?;
    let few = candidates.size_u64().is_some_and(|size| size <= MOST_LISTED);
    let samples = sampling_by::<R>(method);
    let sampling = if few {
        let (reach, samples) = (reach::<R>(SearchLimit::default())?, samples.ok());
        Box::new(Listing { reach, candidates, samples })
    } else {
        samples?
    };
    Ok(Box::new(Held::new(sampling)))
}

impl AnySampling for Held<Box<dyn AnySampling>> {
    fn run(&self, seed: u64, samples: u64, pilot: PilotProgress<'_>) -> Result<Shard, Error> {
        self.with(|sampling| sampling.run(seed, samples, pilot))
    }

    fn tally(
        &self,
        run: &Shard,
        range: Range<u64>,
        progress: SamplingProgress<'_>,
    ) -> (u64, Findings) {
        self.with(|sampling| sampling.tally(run, range, progress))
    }
}

/// Most candidates that are ever looked at one by one: more take too long for anybody.
const MOST_LISTED: u64 = 1 << 40;
/// So many candidates are looked at even where fewer samples are wanted: it takes seconds.
const LISTED_AT_ONCE: u64 = 1_000_000;

/// Samples by this method, however few candidates there are.
fn sampling_by<R: Rules>(method: Method) -> Result<Box<dyn AnySampling>, Error> {
    let reach = reach::<R>(SearchLimit::default())?;
    let uniform = match method {
        // Of a large board's space nearly all would be dropped at the pawn stage.
        Method::Plain if set::<R>(Set::Space)?.size().bits() > 128 => Set::PawnLegal,
        Method::Plain => Set::Space,
        Method::KingLegal => Set::KingLegal,
        Method::Strata => {
            let strata = strata::<R>()?;
            return Ok(Box::new(ByClass { reach, strata, rules: PhantomData }));
        }
    };
    Ok(Box::new(Uniform { reach, set: set(uniform)?, name: uniform.name() }))
}

/// All candidates, or samples where these are fewer.
struct Listing<R: Rules> {
    reach: Reach<R>,
    candidates: Space<R>,
    /// None where the method has no samples for the variant.
    samples: Option<Box<dyn AnySampling>>,
}

impl<R: Rules> AnySampling for Listing<R> {
    fn run(&self, seed: u64, samples: u64, pilot: PilotProgress<'_>) -> Result<Shard, Error> {
        let size = self.candidates.size_u64().unwrap_or(u64::MAX);
        match &self.samples {
            Some(method) if size > samples.max(LISTED_AT_ONCE) => method.run(seed, samples, pilot),
            _ => Ok(new_shard::<R>(&size.into(), seed, size).of_set(EXACT)),
        }
    }

    fn tally(
        &self,
        run: &Shard,
        range: Range<u64>,
        progress: SamplingProgress<'_>,
    ) -> (u64, Findings) {
        match &self.samples {
            Some(method) if run.set() != Some(EXACT) => method.tally(run, range, progress),
            _ => {
                let report = |next, tally: &_| progress(next, &Findings::from(tally));
                let (next, tally) = tally_members(&self.reach, &self.candidates, range, report);
                (next, Findings::from(&tally))
            }
        }
    }
}

/// A set that samples are drawn from.
#[derive(Clone, Copy)]
pub(super) enum Set {
    Space,
    PawnLegal,
    KingLegal,
}

// The sets have one name each for all variants.
const PAWN_LEGAL: &str = PawnLegal::<Minishogi>::NAME;
const KING_LEGAL: &str = KingLegal::<Minishogi>::NAME;
const STRATA: &str = Strata::<Minishogi>::NAME;

impl Set {
    /// The name in a shard, if it is not the whole space.
    const fn name(self) -> Option<&'static str> {
        match self {
            Self::Space => None,
            Self::PawnLegal => Some(PAWN_LEGAL),
            Self::KingLegal => Some(KING_LEGAL),
        }
    }

    /// The set whose size is in a shard with this name.
    fn of_shard(name: Option<&str>) -> Result<Self, Error> {
        match name {
            None | Some(EXACT) => Ok(Self::Space),
            Some(PAWN_LEGAL) => Ok(Self::PawnLegal),
            Some(KING_LEGAL | STRATA) => Ok(Self::KingLegal),
            Some(name) => Err(Error::Shard(std::format!("there is no set named {name:?}"))),
        }
    }
}

/// A set that uniform samples are drawn from. To classify a sample takes far longer than the indirect call that draws it.
pub(super) type AnySet<R> = Box<dyn Ranking<R> + Sync>;

pub(super) fn set<R: Rules>(set: Set) -> Result<AnySet<R>, Error> {
    Ok(match set {
        Set::Space => Box::new(space::<R>()?),
        Set::KingLegal => Box::new(king_legal::<R>()?),
        Set::PawnLegal => match PawnLegal::<R>::new() {
            Some(set) => Box::new(set),
            None => {
                let task = "to number its pawn-legal placements";
                return Err(Error::TooLarge { variant: R::name(), task });
            }
        },
    })
}

/// Uniform samples of a set.
struct Uniform<R: Rules> {
    reach: Reach<R>,
    set: AnySet<R>,
    /// Of the set, if it is not the whole space.
    name: Option<&'static str>,
}

impl<R: Rules> AnySampling for Uniform<R> {
    fn run(&self, seed: u64, samples: u64, _: PilotProgress<'_>) -> Result<Shard, Error> {
        let shard = new_shard::<R>(&self.set.size(), seed, samples);
        Ok(match self.name {
            Some(name) => shard.of_set(name),
            None => shard,
        })
    }

    fn tally(
        &self,
        run: &Shard,
        range: Range<u64>,
        progress: SamplingProgress<'_>,
    ) -> (u64, Findings) {
        let sampler = Sampler::new(&self.set, run.seed());
        let report = |next, tally: &_| progress(next, &Findings::from(tally));
        let (next, tally) = tally_samples(&self.reach, &sampler, range, report);
        (next, Findings::from(&tally))
    }
}

/// A shard of these rules without any sample yet.
fn new_shard<R: Rules>(size: &BigUint, seed: u64, samples: u64) -> Shard {
    Shard::new(R::name(), size, seed, samples).of_rules(rules_hash::<R>())
}

/// Samples of every class of checks.
struct ByClass<R: Rules> {
    reach: Reach<R>,
    strata: Strata<R>,
    rules: PhantomData<R>,
}

impl<R: Rules> AnySampling for ByClass<R> {
    fn run(&self, seed: u64, samples: u64, pilot: PilotProgress<'_>) -> Result<Shard, Error> {
        let allotted = allot(&self.reach, &self.strata, seed, samples, pilot);
        let classes = Classes::new(&self.strata, &allotted.map_err(not_allotted)?);
        // The set that the classes divide, with one of two mirror images.
        let size = set::<R>(Set::KingLegal)?.size();
        of_classes(new_shard::<R>(&size, seed, samples), classes)
    }

    fn tally(
        &self,
        run: &Shard,
        range: Range<u64>,
        progress: SamplingProgress<'_>,
    ) -> (u64, Findings) {
        let allotted = run.strata().map(Classes::allotted).unwrap_or_default();
        let samples = Stratified::new(&self.strata, run.seed(), &allotted);
        tally_strata(&self.reach, &samples, range, progress)
    }
}

fn not_allotted(error: AllotError) -> Error {
    match error {
        AllotError::TooFew { .. } => Error::library(error),
        AllotError::Stopped => Error::Stopped,
    }
}

fn of_classes(shard: Shard, classes: Classes) -> Result<Shard, Error> {
    shard.of_set(STRATA).of_strata(classes).map_err(Error::library)
}

/// Whether a shard is of a set of this variant, with the right size and the right classes; and of its rules, if it says
/// of which it is.
pub(super) fn check_shard<R: Rules>(shard: &Shard) -> Result<(), Error> {
    check_rules(shard, R::name(), &hash_digits(rules_hash::<R>()))?;
    check_size(shard, &set::<R>(Set::of_shard(shard.set())?)?.size())?;
    if shard.set() == Some(EXACT) && shard.samples().to_string() != shard.candidates() {
        let reason = "all candidates are to be looked at, but there are more or fewer samples";
        return Err(Error::Shard(reason.to_owned()));
    }
    match shard.strata() {
        None => Ok(()),
        Some(classes) => {
            check_classes(classes, &Classes::new(&strata::<R>()?, &classes.allotted()))
        }
    }
}

fn check_rules(shard: &Shard, name: &str, rules: &str) -> Result<(), Error> {
    match shard.rules() {
        Some(found) if found != rules => {
            let reason = std::format!("the rules of {name} have the hash {rules}, not {found}");
            Err(Error::Shard(reason))
        }
        _ => Ok(()),
    }
}

fn check_size(shard: &Shard, size: &BigUint) -> Result<(), Error> {
    let (size, found) = (size.to_string(), shard.candidates());
    if found == size {
        Ok(())
    } else {
        Err(Error::Shard(std::format!("the variant has {size} candidates, not {found}")))
    }
}

fn check_classes(found: &Classes, computed: &Classes) -> Result<(), Error> {
    if *computed == found.clone().emptied() {
        Ok(())
    } else {
        Err(Error::Shard(String::from("the classes are not those of the variant")))
    }
}
