//! Parts of an estimate on disk: saved whole or not at all, checked when read, and merged into
//! the very file that one run would have written.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shogi_files::sealed::{self, Flaw, JsonFormat, read_bounded};
use shogi_rules::hash_digits;

use crate::classes::{Classes, Findings};
use crate::tally::StageTally;
use shogi_rank::{BigUint, parse_rank};

const FORMAT: JsonFormat = JsonFormat { format: None, version: 1, name: "shard of an estimate" };

/// The most bytes of a shard file. Written files stay far below: classes are few, and positions that can be
/// traced back far are rare.
pub const MOST_SHARD_BYTES: u64 = 8 << 20;

/// The tally of some of the samples of a run.
///
/// Variant, rules, size of the space, seed and number of samples identify the run; ranges of sample numbers say
/// which of them are in the tally. Nothing else is kept (no time, machine or number of threads), so that
/// merging the shards of a run in any order and grouping gives the bytes of a single run.
///
/// ```
/// use shogi_rank::BigUint;
/// use shogi_reach::{Shard, Stage, StageTally};
/// let empty = Shard::new("minishogi", &BigUint::from(310u32), 7, 100);
/// let tally = |samples| {
///     let mut tally = StageTally::default();
///     (0..samples).for_each(|_| tally.record(Stage::Ok));
///     tally
/// };
/// let (mut a, mut b, mut whole) = (empty.clone(), empty.clone(), empty);
/// a.add(Shard::part(0, 3, 100), &tally(33))?;
/// b.add(33..100, &tally(67))?;
/// whole.add(0..100, &tally(100))?;
/// assert_eq!(b.merge(&a)?.to_json(), whole.to_json());
/// # Ok::<(), shogi_reach::ShardReason>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    variant: String,
    /// The hash of the rules; absent in shards that older programs have written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    candidates: String,
    /// The name of the sampled set; absent if it is the whole space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    set: Option<String>,
    seed: u64,
    samples: u64,
    ranges: Vec<[u64; 2]>,
    tally: StageTally,
    /// Absent where the samples are uniform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strata: Option<Classes>,
}

/// A shard file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ShardError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub reason: ShardReason,
}

/// The faults of a shard, or of two shards that are to be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardReason {
    /// The file cannot be read or written, or was not written as a shard.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The number of candidates is not a decimal number above zero.
    #[error("the number of candidates {0:?} is no whole number above 0")]
    Candidates(String),
    /// A range is empty, out of order, adjacent to another or not inside the samples.
    #[error("the range {} to {} is empty, not in order, or not inside the samples", .0[0], .0[1])]
    Range([u64; 2]),
    /// The counts of the tally do not add up to its samples.
    #[error("the counts of the tally do not add up")]
    Tally,
    /// The positions that can be traced back far are not sorted, or one of them occurs twice.
    #[error("the positions traced back far are not in order")]
    Deep,
    /// The tally does not count the samples in the ranges.
    #[error("the tally counts {tally} samples, but the ranges have {ranges}")]
    Samples {
        /// Samples in the tally.
        tally: u64,
        /// Samples in the ranges.
        ranges: u64,
    },
    /// Two shards belong to different runs.
    #[error("the shards differ in {field}: {first} and {second}")]
    Different {
        /// The difference.
        field: &'static str,
        /// Its value in the first shard.
        first: String,
        /// Its value in the second.
        second: String,
    },
    /// The two shards have different classes, or different numbers of samples from a class.
    #[error("the shards differ in the classes that they draw from, or in the samples of each")]
    Strata,
    /// The same samples are in both.
    #[error("samples {} to {} are in both", .0[0], .0[1])]
    Overlap([u64; 2]),
}

impl Shard {
    /// A shard without samples, of a run over a space of `candidates` placements.
    pub fn new(variant: &str, candidates: &BigUint, seed: u64, samples: u64) -> Self {
        Self {
            variant: variant.to_owned(),
            rules: None,
            candidates: candidates.to_string(),
            set: None,
            seed,
            samples,
            ranges: Vec::new(),
            tally: StageTally::default(),
            strata: None,
        }
    }

    /// Sets the hash of the variant's rules: see [`rules_hash`](shogi_rules::rules_hash). Shards of different
    /// rules cannot be merged, even if their variants have the same name.
    #[must_use]
    pub fn of_rules(self, hash: [u8; 32]) -> Self {
        Self { rules: Some(hash_digits(hash)), ..self }
    }

    /// Names the sampled set of `candidates` placements, if it is not the whole space.
    #[must_use]
    pub fn of_set(self, name: &str) -> Self {
        Self { set: Some(name.to_owned()), ..self }
    }

    /// Makes this a shard of stratified samples, with the total of the samples allotted to the classes;
    /// `candidates` must then be the size of [`KingLegal`](shogi_rank::KingLegal).
    ///
    /// # Errors
    ///
    /// If the classes have more or fewer samples than the run, or are not consistent.
    pub fn of_strata(self, classes: Classes) -> Result<Self, ShardReason> {
        let shard = Self { strata: Some(classes), ..self };
        shard.verify()?;
        Ok(shard)
    }

    /// The classes of stratified samples; `None` for uniform samples.
    pub const fn strata(&self) -> Option<&Classes> {
        self.strata.as_ref()
    }

    /// The samples of part `index` (from 0) when `samples` are divided into `parts` parts of
    /// nearly the same length; empty if there is no such part.
    ///
    /// ```
    /// use shogi_reach::Shard;
    /// assert_eq!([0, 1, 2].map(|i| Shard::part(i, 3, 10)), [0..3, 3..6, 6..10]);
    /// ```
    pub fn part(index: u64, parts: u64, samples: u64) -> Range<u64> {
        if index >= parts {
            return samples..samples;
        }
        let bound = |i: u64| (u128::from(samples) * u128::from(i) / u128::from(parts)) as u64;
        bound(index)..bound(index + 1)
    }

    /// The name of the variant.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The hash of the rules in hexadecimal digits, if the shard has it.
    pub fn rules(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// The size of the sampled set, in decimal digits.
    pub fn candidates(&self) -> &str {
        &self.candidates
    }

    /// The name of the sampled set, unless it is the whole space.
    pub fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    /// The seed of the samples.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of samples of the whole run.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// The counts of the samples done.
    pub const fn tally(&self) -> &StageTally {
        &self.tally
    }

    /// The samples done: ranges in order, neither overlapping nor adjacent.
    pub fn done(&self) -> impl Iterator<Item = Range<u64>> {
        self.ranges.iter().map(|&[start, end]| start..end)
    }

    /// The samples inside `range` that are still to be done, in order.
    ///
    /// ```
    /// use shogi_rank::BigUint;
    /// use shogi_reach::{Shard, Stage, StageTally};
    /// let mut shard = Shard::new("minishogi", &BigUint::from(310u32), 7, 100);
    /// let mut tally = StageTally::default();
    /// tally.record(Stage::Ok);
    /// shard.add(4..5, &tally)?;
    /// assert_eq!(shard.missing(0..10).collect::<Vec<_>>(), [0..4, 5..10]);
    /// # Ok::<(), shogi_reach::ShardReason>(())
    /// ```
    pub fn missing(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let bounds = move |start: u64, end: u64| start.max(range.start)..end.min(range.end);
        let starts = std::iter::once(0).chain(self.ranges.iter().map(|r| r[1]));
        let ends = self.ranges.iter().map(|r| r[0]).chain([self.samples]);
        starts.zip(ends).map(move |(start, end)| bounds(start, end)).filter(|gap| !gap.is_empty())
    }

    /// Whether every sample of the run is in the tally.
    pub const fn is_complete(&self) -> bool {
        self.tally.samples == self.samples
    }

    /// Adds the tally of the samples `range`; an empty range adds nothing.
    ///
    /// # Errors
    ///
    /// If the tally is not consistent or does not count as many samples as the range has, or the range is not
    /// inside the samples or some of it was done before. The shard is then unchanged.
    pub fn add(&mut self, range: Range<u64>, tally: &StageTally) -> Result<(), ShardReason> {
        self.add_findings(range, &tally.into())
    }

    /// Adds the findings in the samples `range`.
    ///
    /// # Errors
    ///
    /// As [`Shard::add`], and if the number of tallies is not that of the classes (one without classes).
    pub fn add_findings(
        &mut self,
        range: Range<u64>,
        findings: &Findings,
    ) -> Result<(), ShardReason> {
        let ranges = if range.start == range.end { vec![] } else { vec![[range.start, range.end]] };
        let tallies = self.strata.as_ref().map_or(1, |strata| strata.classes.len());
        if findings.tallies.len() != tallies {
            return Err(ShardReason::Tally);
        }
        let other = Self {
            ranges,
            tally: findings.sum(),
            variant: self.variant.clone(),
            rules: self.rules.clone(),
            candidates: self.candidates.clone(),
            set: self.set.clone(),
            strata: self.strata.clone().map(|strata| strata.with(findings.clone())),
            ..*self
        };
        other.verify()?;
        *self = self.merge(&other)?;
        Ok(())
    }

    /// Merges two shards; associative and commutative. A shard without a hash of its rules takes that of the
    /// other.
    ///
    /// # Errors
    ///
    /// If the shards belong to different runs or have samples in common.
    pub fn merge(&self, other: &Self) -> Result<Self, ShardReason> {
        fn same(
            field: &'static str,
            a: impl ToString,
            b: impl ToString,
        ) -> Result<(), ShardReason> {
            let (first, second) = (a.to_string(), b.to_string());
            if first == second {
                Ok(())
            } else {
                Err(ShardReason::Different { field, first, second })
            }
        }
        same("variant", &self.variant, &other.variant)?;
        if let (Some(this), Some(other)) = (&self.rules, &other.rules) {
            same("the hash of their rules", this, other)?;
        }
        same("candidates", &self.candidates, &other.candidates)?;
        let set = |shard: &Self| shard.set.clone().unwrap_or_else(|| "the whole space".to_owned());
        same("set", set(self), set(other))?;
        same("seed", self.seed, other.seed)?;
        same("samples", self.samples, other.samples)?;
        let bare = |shard: &Self| shard.strata.clone().map(Classes::emptied);
        if bare(self) != bare(other) {
            return Err(ShardReason::Strata);
        }
        let mut ranges = self.ranges.clone();
        for range in &other.ranges {
            ranges.insert(ranges.partition_point(|before| before < range), *range);
        }
        let mut joined: Vec<[u64; 2]> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range[0] < last[1] => {
                    return Err(ShardReason::Overlap([range[0], range[1].min(last[1])]));
                }
                Some(last) if range[0] == last[1] => last[1] = range[1],
                _ => joined.push(range),
            }
        }
        let mut tally = self.tally.clone();
        tally.merge(&other.tally);
        let mut strata = self.strata.clone();
        if let (Some(this), Some(other)) = (&mut strata, &other.strata) {
            let mut findings = this.findings();
            findings.merge(&other.findings());
            *this = this.clone().with(findings);
        }
        let rules = self.rules.clone().or_else(|| other.rules.clone());
        Ok(Self { rules, ranges: joined, tally, strata, ..self.clone() })
    }

    /// The shard with its checksum in JSON, one line.
    pub fn to_json(&self) -> String {
        sealed::to_json(self, &FORMAT)
    }

    /// Reads a shard from its JSON.
    ///
    /// # Errors
    ///
    /// If JSON, version, checksum or content are not as [`Shard::to_json`] writes them.
    pub fn from_json(text: &str) -> Result<Self, ShardReason> {
        let shard: Self = sealed::from_json(text, &FORMAT)?;
        shard.verify()?;
        Ok(shard)
    }

    /// Reads a shard file of at most [`MOST_SHARD_BYTES`].
    ///
    /// # Errors
    ///
    /// If the file cannot be used; the error names it and the reason.
    pub fn load(path: &Path) -> Result<Self, ShardError> {
        let bytes = File::open(path).map_err(Flaw::from);
        let bytes = bytes.and_then(|file| read_bounded(file, MOST_SHARD_BYTES));
        let text =
            bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| Flaw::Text("shard")));
        let shard = text.map_err(ShardReason::from).and_then(|text| Self::from_json(&text));
        shard.map_err(|reason| ShardError { path: path.to_owned(), reason })
    }

    /// Writes a shard file in one step, see [`sealed::replace`]: it is always either the old one or
    /// the new one.
    ///
    /// # Errors
    ///
    /// If writing fails; the error names the file.
    pub fn save(&self, path: &Path) -> Result<(), ShardError> {
        let saved: io::Result<()> =
            sealed::replace(path, |file| writeln!(file, "{}", self.to_json()));
        saved
            .map_err(|error| ShardError { path: path.to_owned(), reason: Flaw::from(error).into() })
    }

    /// Checks the consistency of the fields.
    fn verify(&self) -> Result<(), ShardReason> {
        if !parse_rank(&self.candidates).is_ok_and(|number| number > BigUint::ZERO) {
            return Err(ShardReason::Candidates(self.candidates.clone()));
        }
        let (mut previous, mut in_ranges) = (None, 0);
        for &range in &self.ranges {
            let [start, end] = range;
            if start >= end || end > self.samples || previous.is_some_and(|end| start <= end) {
                return Err(ShardReason::Range(range));
            }
            previous = Some(end);
            in_ranges += end - start;
        }
        if !self.tally.is_consistent() {
            return Err(ShardReason::Tally);
        }
        if self.tally.samples != in_ranges {
            return Err(ShardReason::Samples { tally: self.tally.samples, ranges: in_ranges });
        }
        self.strata.as_ref().map_or(Ok(()), |strata| strata.verify(self.samples, &self.tally))
    }
}
