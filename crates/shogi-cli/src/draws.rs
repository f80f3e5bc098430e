//! What the samples of an estimate are drawn from.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;

use anyhow::{Context as _, Result};
use shogi_rank::{
    BigUint, Classes, Findings, KingLegal, Ranking, Sampler, Shard, Strata, Stratified,
};
use shogi_rules::Rules;
use shogi_solve::reach::{Reach, allot, tally_samples, tally_strata};

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
    const ALL: [Self; 3] = [Self::Plain, Self::KingLegal, Self::Strata];
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

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|method| method.to_string() == text);
        named.ok_or("there are plain, king-legal and strata".to_owned())
    }
}

/// Tells how far a run has come, the next sample and what was found, and can end it.
pub type Progress<'a> = &'a mut dyn FnMut(u64, &Findings) -> ControlFlow<()>;

/// A way to draw and classify samples.
pub trait Draw<R: Rules> {
    /// A run with nothing done.
    ///
    /// # Errors
    ///
    /// If there are too few samples.
    fn run(&self, reach: &Reach<R>, seed: u64, samples: u64) -> Result<Shard>;

    /// Classifies samples of the run, until `progress` breaks; returns the next sample and what was
    /// found before it.
    fn tally(
        &self,
        reach: &Reach<R>,
        run: &Shard,
        range: Range<u64>,
        progress: Progress<'_>,
    ) -> (u64, Findings);
}

/// Uniform samples of a set.
pub struct Uniform<R, S> {
    set: S,
    /// Of the set, if it is not the whole space.
    name: Option<&'static str>,
    rules: PhantomData<R>,
}

impl<R: Rules, S: Ranking<R>> Uniform<R, S> {
    /// Samples of a set, with its name if it is not the whole space.
    pub fn new(set: S, name: Option<&'static str>) -> Self {
        Self { set, name, rules: PhantomData }
    }
}

impl<R: Rules, S: Ranking<R> + Sync> Draw<R> for Uniform<R, S> {
    fn run(&self, _: &Reach<R>, seed: u64, samples: u64) -> Result<Shard> {
        let shard = Shard::new(R::NAME, &self.set.size(), seed, samples);
        Ok(match self.name {
            Some(name) => shard.of_set(name),
            None => shard,
        })
    }

    fn tally(
        &self,
        reach: &Reach<R>,
        run: &Shard,
        range: Range<u64>,
        progress: Progress<'_>,
    ) -> (u64, Findings) {
        let sampler = Sampler::new(&self.set, run.seed());
        let told = |next, tally: &_| progress(next, &Findings::from(tally));
        let (next, tally) = tally_samples(reach, &sampler, range, told);
        (next, Findings::from(&tally))
    }
}

/// Samples of every class of checks.
pub struct ByClass<R: Rules> {
    strata: Strata<R>,
    /// Of the set that the classes divide, with one of two mirror images.
    size: BigUint,
}

impl<R: Rules> ByClass<R> {
    /// Counts the classes.
    ///
    /// # Errors
    ///
    /// If the variant is too large.
    pub fn new() -> Result<Self> {
        let too_large = || format!("{} is too large to be divided into classes", R::NAME);
        let size = king_legal::<R>()?.size();
        Ok(Self { strata: Strata::new().with_context(too_large)?, size })
    }

    /// Whether the exact numbers of these classes are right.
    pub fn are(&self, classes: &Classes) -> bool {
        Classes::new(&self.strata, &classes.allotted()) == classes.clone().emptied()
    }
}

impl<R: Rules> Draw<R> for ByClass<R> {
    fn run(&self, reach: &Reach<R>, seed: u64, samples: u64) -> Result<Shard> {
        let classes = self.strata.classes().len();
        let allotted = allot(reach, &self.strata, seed, samples)
            .with_context(|| format!("{samples} samples are too few for {classes} classes"))?;
        let shard = Shard::new(R::NAME, &self.size, seed, samples).of_set(Strata::<R>::NAME);
        Ok(shard.of_strata(Classes::new(&self.strata, &allotted))?)
    }

    fn tally(
        &self,
        reach: &Reach<R>,
        run: &Shard,
        range: Range<u64>,
        progress: Progress<'_>,
    ) -> (u64, Findings) {
        let allotted = run.strata().map(Classes::allotted).unwrap_or_default();
        let samples = Stratified::new(&self.strata, run.seed(), &allotted);
        tally_strata(reach, &samples, range, progress)
    }
}

/// What passes the stages flip, pawn and king.
///
/// # Errors
///
/// If the variant is too large.
pub fn king_legal<R: Rules>() -> Result<KingLegal<R>> {
    KingLegal::new()
        .with_context(|| format!("{} is too large to number its legal positions", R::NAME))
}
