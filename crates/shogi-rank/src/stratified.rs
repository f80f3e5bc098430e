//! Stratified samples: a given number of each class, spread evenly over its members.

use std::ops::Range;

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shogi_core::{Placement, RuleTable};

use crate::strata::{Division, Strata};

/// The part of the generator's key after the seed and the class.
const DOMAIN: [u8; 16] = *b"shogi-rank class";

/// A fixed number of samples of each class of [`Strata`], numbered consecutively from 0.
///
/// The members of a class are cut into as many segments of equal length as it has samples, and one
/// member is drawn uniformly from each; a member on a border can be drawn in both segments, in
/// proportion to its share of each. So every member has the same chance, and the variance is at
/// most that of independent samples. The samples are ordered by king pair, since the tables around
/// a pair are made where they are needed. A sample depends on the seed, the numbers of samples and
/// its own number alone. There is an example at [`Strata`].
#[derive(Debug)]
pub struct Stratified<'a, R: RuleTable> {
    strata: &'a Strata<R>,
    design: Design<'a>,
}

/// How the samples are numbered.
#[derive(Debug)]
struct Design<'a> {
    division: &'a Division,
    seed: u64,
    allotted: Vec<u64>,
    /// By king pair, the number of the first sample, and within each class that of its first.
    firsts: Vec<(u64, Vec<u64>)>,
}

impl<'a, R: RuleTable> Stratified<'a, R> {
    /// Draws the given numbers of samples, in the order of [`Strata::classes`]. Classes beyond the
    /// list get none; at most 2^32 are drawn from a class.
    pub fn new(strata: &'a Strata<R>, seed: u64, allotted: &[u64]) -> Self {
        Self { strata, design: Design::new(strata.division(), seed, allotted) }
    }

    /// The number of samples of each class.
    pub fn allotted(&self) -> &[u64] {
        &self.design.allotted
    }

    /// The number of samples.
    pub fn samples(&self) -> u64 {
        self.design.allotted.iter().sum()
    }

    /// Cuts a range of samples into runs around one king pair each, of at most `most` samples.
    pub fn runs(&self, range: Range<u64>, most: u64) -> Vec<Range<u64>> {
        self.design.runs(range, most)
    }

    /// Calls `take` with each sample of a range: the place of its class in the order of
    /// [`Strata::classes`], and the placement.
    ///
    /// Makes tables for each king pair in the range, in tens of milliseconds for Minishogi.
    pub fn for_each(&self, range: Range<u64>, mut take: impl FnMut(usize, Placement<R>)) {
        for pair in 0..self.design.division.pairs() {
            let draws = self.design.draws_of_pair(pair, &range);
            if draws.is_empty() {
                continue;
            }
            let ranking = self.design.division.ranking_of(pair);
            for draw in draws {
                let class = draw.class;
                for rank in draw {
                    take(class, self.strata.unrank_in_pair(&ranking, class, pair, rank));
                }
            }
            self.design.division.reuse(ranking);
        }
    }
}

impl<'a> Design<'a> {
    fn new(division: &'a Division, seed: u64, allotted: &[u64]) -> Self {
        let mut allotted = allotted.to_vec();
        allotted.resize(division.len(), 0);
        allotted.iter_mut().for_each(|number| *number = (*number).min(1 << 32));
        let mut this = Self { division, seed, allotted, firsts: Vec::new() };
        for pair in 0..=division.pairs() {
            let firsts: Vec<u64> =
                (0..this.allotted.len()).map(|class| this.first_from(class, pair)).collect();
            this.firsts.push((firsts.iter().sum(), firsts));
        }
        this
    }

    /// The first sample of a class that is around this king pair or a later one.
    fn first_from(&self, class: usize, pair: usize) -> u64 {
        let (bound, samples) = (self.division.start(class, pair), self.allotted[class]);
        let size = self.division.start(class, self.division.pairs());
        if bound == size {
            return samples;
        }
        // Ranks grow with the numbers, and only this sample's segment can lie on both sides.
        let segment = BigUint::from(bound) * samples / size;
        let guess = u64::try_from(segment).unwrap_or(samples);
        let first = Draws::new(self, class, guess..samples).next();
        guess + u64::from(first.is_some_and(|rank| rank < bound))
    }

    fn runs(&self, range: Range<u64>, most: u64) -> Vec<Range<u64>> {
        let mut runs = Vec::new();
        for pair in self.firsts.windows(2) {
            let (mut start, end) = (pair[0].0.max(range.start), pair[1].0.min(range.end));
            while start < end {
                let next = end.min(start.saturating_add(most));
                runs.push(start..next);
                start = next;
            }
        }
        runs
    }

    /// The samples of a range that are around a king pair, class by class.
    fn draws_of_pair(&self, pair: usize, range: &Range<u64>) -> Vec<Draws> {
        let ((start, firsts), (end, nexts)) = (&self.firsts[pair], &self.firsts[pair + 1]);
        let mut draws = Vec::new();
        if range.start.max(*start) < range.end.min(*end) {
            let mut first = *start;
            for class in 0..self.allotted.len() {
                let last = first + nexts[class] - firsts[class];
                let inside = |number: u64| number.clamp(first, last) - first + firsts[class];
                draws.push(Draws::new(self, class, inside(range.start)..inside(range.end)));
                first = last;
            }
        }
        draws
    }
}

/// The ranks of consecutive samples of a class.
struct Draws {
    class: usize,
    stream: ChaCha8Rng,
    numbers: Range<u64>,
    samples: u128,
    size: u128,
    /// Whether the size takes more than 64 bits.
    is_wide: bool,
}

impl Draws {
    fn new(design: &Design<'_>, class: usize, numbers: Range<u64>) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&design.seed.to_le_bytes());
        key[8..16].copy_from_slice(&(class as u64).to_le_bytes());
        key[16..].copy_from_slice(&DOMAIN);
        let mut stream = ChaCha8Rng::from_seed(key);
        let size = design.division.start(class, design.division.pairs());
        let is_wide = u64::try_from(size).is_err();
        stream.set_word_pos(u128::from(numbers.start) * if is_wide { 4 } else { 2 });
        Self { class, stream, numbers, samples: design.allotted[class].into(), size, is_wide }
    }

    /// The whole part of u size, with u from [0, 1) of as many bits as a word that holds the size.
    fn fraction_of_size(&mut self) -> u128 {
        let fraction = u128::from(self.stream.next_u64());
        if !self.is_wide {
            return (fraction * self.size) >> 64;
        }
        part(self.size, fraction << 64 | u128::from(self.stream.next_u64()))
    }
}

/// The whole part of a number times a fraction in units of 2^-128: the upper half of the product.
fn part(number: u128, fraction: u128) -> u128 {
    let halves = |word: u128| (word >> 64, word & MASK);
    let ((high, low), (f_high, f_low)) = (halves(number), halves(fraction));
    let (middle, other) = (halves(high * f_low), halves(low * f_high));
    let carried = halves(low * f_low).0 + middle.1 + other.1;
    high * f_high + middle.0 + other.0 + halves(carried).0
}

/// The lower half of a word.
const MASK: u128 = u64::MAX as u128;

impl Iterator for Draws {
    type Item = u128;

    /// Sample j of n, with u from [0, 1): the whole part of (j + u) size / n.
    fn next(&mut self) -> Option<u128> {
        let number = u128::from(self.numbers.next()?);
        let (whole, rest) = (self.size / self.samples, self.size % self.samples);
        Some(number * whole + (number * rest + self.fraction_of_size()) / self.samples)
    }
}

/// The numbers of samples that minimise the variance: in proportion to size times standard
/// deviation (J. Neyman, J. R. Stat. Soc. 97 (1934)), and at least `least` for each class.
///
/// Each class is given by its size and by successes and trials of a pilot; its chance is estimated
/// as (successes + 2) / (trials + 4), so that none counts as certain. `None` if `samples` do not
/// suffice.
///
/// ```
/// use shogi_rank::neyman;
/// let allotted = neyman(&[(1000, 50, 100), (1000, 100, 100)], 500, 10).unwrap();
/// assert_eq!(allotted.iter().sum::<u64>(), 500);
/// assert!(allotted[0] > 3 * allotted[1] && allotted[1] > 10);
/// assert_eq!(neyman(&[(1000, 50, 100)], 5, 10), None);
/// ```
pub fn neyman(classes: &[(u128, u64, u64)], samples: u64, least: u64) -> Option<Vec<u64>> {
    let free = samples.checked_sub(least.checked_mul(classes.len() as u64)?)?;
    let weights: Vec<f64> = classes
        .iter()
        .map(|&(size, successes, trials)| {
            let p = (successes as f64 + 2.0) / (trials as f64 + 4.0);
            size as f64 * (p * (1.0 - p)).sqrt()
        })
        .collect();
    let total: f64 = weights.iter().sum();
    // Rounding the running sum gives whole numbers with the right sum.
    let (mut sum, mut given) = (0.0, 0);
    let last = classes.len().checked_sub(1)?;
    let allot = |(class, weight): (usize, &f64)| {
        sum += weight;
        let until = if class == last { free } else { (free as f64 * (sum / total)) as u64 };
        let until = until.clamp(given, free);
        let number = least + until - given;
        given = until;
        number
    };
    Some(weights.iter().enumerate().map(allot).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_those_of_big_integers(number in any::<u128>(), fraction in any::<u128>()) {
            for (number, fraction) in [(number, fraction), (u128::MAX, fraction), (u128::MAX, u128::MAX)] {
                let expected = (BigUint::from(number) * BigUint::from(fraction)) >> 128;
                prop_assert_eq!(BigUint::from(part(number, fraction)), expected);
            }
        }
    }
}
