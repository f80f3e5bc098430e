//! Findings in samples of classes, and the numbers of samples drawn from each.

use serde::{Deserialize, Serialize};
use shogi_core::RuleTable;

use crate::shard::ShardReason;
use crate::tally::StageTally;
use shogi_rank::{BigUint, Checks, Strata, parse_rank};

/// The part of a [`Shard`](crate::Shard) that says how its samples are divided among the classes
/// of [`Strata`].
///
/// Numbers of placements are decimal strings, as everywhere in files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// Number of placements to which no move can have led, mirror images counted as two.
    pub excluded: String,
    /// The classes that are numbered, in order.
    pub classes: Vec<ClassTally>,
    /// Unreachable positions that can be traced back far, sorted, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deep: Vec<Deep>,
}

/// The findings in one class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassTally {
    /// The class, as [`Checks`] is displayed.
    pub checks: String,
    /// Its size, mirror images counted as two.
    pub size: String,
    /// The number of samples of this class in the whole run.
    pub samples: u64,
    /// The samples done.
    pub tally: StageTally,
}

/// An unreachable position that can be traced back far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deep {
    /// Plies backwards until nothing new is found.
    pub plies: u32,
    /// The mirror image that [`passes_flip`](crate::passes_flip) keeps, as SFEN.
    pub sfen: String,
}

/// The findings in samples of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// One tally for each class, or just one where there are no classes.
    pub tallies: Vec<StageTally>,
    /// Unreachable positions that can be traced back far; collected for classes only.
    pub deep: Vec<Deep>,
}

impl Findings {
    /// Empty findings with this number of tallies.
    pub fn none(tallies: usize) -> Self {
        Self { tallies: vec![StageTally::default(); tallies], deep: Vec::new() }
    }

    /// Adds the findings in other samples of the same run.
    ///
    /// ```
    /// use shogi_reach::{Findings, StageTally};
    /// let mut one = Findings::none(2);
    /// let ok = StageTally { samples: 3, ok: 3, ..StageTally::default() };
    /// one.merge(&Findings { tallies: vec![StageTally::default(), ok], deep: vec![] });
    /// assert_eq!((one.tallies[1].ok, one.sum().samples), (3, 3));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(sum, tally)| sum.merge(tally));
        for deep in std::mem::take(&mut self.deep).iter().chain(&other.deep) {
            if let Err(place) = self.deep.binary_search(deep) {
                self.deep.insert(place, deep.clone());
            }
        }
    }

    /// All tallies together.
    pub fn sum(&self) -> StageTally {
        let mut sum = StageTally::default();
        self.tallies.iter().for_each(|tally| sum.merge(tally));
        sum
    }
}

impl From<&StageTally> for Findings {
    fn from(tally: &StageTally) -> Self {
        Self { tallies: vec![tally.clone()], deep: Vec::new() }
    }
}

/// A number of placements; a text that is not a number counts as 0.
pub(crate) fn number(digits: &str) -> BigUint {
    parse_rank(digits).unwrap_or_default()
}

impl Classes {
    /// The classes with as many samples of each as allotted, none of them done.
    pub fn new<R: RuleTable>(strata: &Strata<R>, allotted: &[u64]) -> Self {
        Self::of_sizes(strata.excluded(), &mut strata.classes(), allotted)
    }

    fn of_sizes(
        excluded: u128,
        classes: &mut dyn Iterator<Item = (Checks, u128)>,
        allotted: &[u64],
    ) -> Self {
        let class = |((checks, size), &samples): ((Checks, u128), &u64)| ClassTally {
            checks: checks.to_string(),
            size: size.to_string(),
            samples,
            tally: StageTally::default(),
        };
        let classes = classes.zip(allotted).map(class).collect();
        Self { excluded: excluded.to_string(), classes, deep: Vec::new() }
    }

    /// The number of samples of each class in the whole run.
    pub fn allotted(&self) -> Vec<u64> {
        self.classes.iter().map(|class| class.samples).collect()
    }

    /// The placements of all classes and those excluded, mirror images counted as two.
    pub(crate) fn distinct(&self) -> BigUint {
        let sizes = self.classes.iter().map(|class| number(&class.size));
        sizes.fold(number(&self.excluded), |sum, size| sum + size)
    }

    pub(crate) fn findings(&self) -> Findings {
        let tallies = self.classes.iter().map(|class| class.tally.clone()).collect();
        Findings { tallies, deep: self.deep.clone() }
    }

    /// The classes with these findings.
    pub(crate) fn with(mut self, findings: Findings) -> Self {
        let classes = self.classes.iter_mut().zip(findings.tallies);
        classes.for_each(|(class, tally)| class.tally = tally);
        self.deep = findings.deep;
        self
    }

    /// The classes without findings.
    #[must_use]
    pub fn emptied(self) -> Self {
        let classes = self.classes.len();
        self.with(Findings::none(classes))
    }

    /// Checks the classes against the samples and the tally of the whole run.
    pub(crate) fn verify(&self, samples: u64, tally: &StageTally) -> Result<(), ShardReason> {
        let sizes = self.classes.iter().map(|class| &class.size);
        let wrong = sizes.chain([&self.excluded]).find(|digits| parse_rank(digits).is_err());
        if let Some(wrong) = wrong {
            return Err(ShardReason::Candidates(wrong.clone()));
        }
        if !self.deep.is_sorted_by(|a, b| a < b) {
            return Err(ShardReason::Deep);
        }
        let is_odd = |class: &ClassTally| {
            !class.tally.is_consistent() || class.tally.samples > class.samples
        };
        let allotted = self.allotted().into_iter().try_fold(0, u64::checked_add);
        let adds_up = || allotted == Some(samples) && self.findings().sum() == *tally;
        if self.classes.iter().any(is_odd) || !adds_up() {
            return Err(ShardReason::Tally);
        }
        Ok(())
    }
}
