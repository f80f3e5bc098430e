//! Samples of a numbered set, each of which depends only on the seed and its number.

use std::marker::PhantomData;
use std::ops::Range;

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shogi_core::{Placement, RuleTable};

use crate::ranking::Ranking;
use crate::space::Space;

/// The part of the generator's key after the seed, so that no other use of the same seed draws
/// the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-rank uniform ranks";

/// Bits drawn beyond those of the size; the chance of no rank is off by a factor of more than
/// 1 +- 2^-64.
const SPARE_BITS: u64 = 64;

/// Uniformly distributed members of a [`Ranking`], numbered from 0.
///
/// Sample i is made of the i-th run of 32-bit words of a ChaCha8 key stream (four words for sets
/// of less than 2^64 placements), read as a fraction of the size and rounded down. The bias is
/// below 2^-64 relative to a rank's chance. A sample depends on the seed and its number alone, so
/// threads, shards and blocks of any size draw the same samples.
///
/// ```
/// use shogi_rank::{Sampler, Space};
/// use shogi_rules::Minishogi;
/// let space = Space::<Minishogi>::new()?;
/// let sampler = Sampler::new(&space, 2018);
/// let block: Vec<u64> = sampler.ranks(100..103).collect();
/// assert_eq!(sampler.ranks(102..103).next(), Some(block[2]));
/// # Ok::<(), shogi_core::NotClassic>(())
/// ```
#[derive(Debug)]
pub struct Sampler<'a, R: RuleTable, S: Ranking<R> = Space<R>> {
    set: &'a S,
    draws: Draws,
    rules: PhantomData<R>,
}

/// The ranks of the samples.
#[derive(Debug)]
struct Draws {
    start: ChaCha8Rng,
    size: BigUint,
    size_u64: Option<u64>,
    /// 32-bit words for each sample of a wide set.
    words: u64,
}

/// 32-bit words for each sample of a set of less than 2^64 placements.
const NARROW_WORDS: u64 = 4;

impl Draws {
    fn new(size: BigUint, size_u64: Option<u64>, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(&DOMAIN);
        let words = (size.bits() + SPARE_BITS).div_ceil(32);
        Self { start: ChaCha8Rng::from_seed(key), size, size_u64, words }
    }

    /// The generator at the start of a sample of `words` words.
    fn stream(&self, sample: u64, words: u64) -> ChaCha8Rng {
        let mut stream = self.start.clone();
        stream.set_word_pos(u128::from(sample) * u128::from(words));
        stream
    }

    fn ranks(&self, range: Range<u64>) -> Ranks {
        let range = if self.size_u64.is_some() { range } else { 0..0 };
        let stream = self.stream(range.start, NARROW_WORDS);
        let left = range.end.saturating_sub(range.start);
        Ranks { stream, size: self.size_u64.unwrap_or(0), left }
    }

    fn wide_rank(&self, sample: u64) -> BigUint {
        if let Some(rank) = self.ranks(sample..sample.saturating_add(1)).next() {
            return rank.into();
        }
        let mut stream = self.stream(sample, self.words);
        let words = (0..self.words).map(|_| stream.next_u32()).collect();
        (BigUint::new(words) * &self.size) >> (32 * self.words)
    }
}

impl<'a, R: RuleTable, S: Ranking<R>> Sampler<'a, R, S> {
    /// The samples of a set with this seed.
    pub fn new(set: &'a S, seed: u64) -> Self {
        Self { set, draws: Draws::new(set.size(), set.size_u64(), seed), rules: PhantomData }
    }

    /// The ranks of samples `range` of a set of less than 2^64 placements; a wider set has
    /// none, see [`Sampler::wide_rank`].
    ///
    /// A few nanoseconds a sample.
    pub fn ranks(&self, range: Range<u64>) -> Ranks {
        self.draws.ranks(range)
    }

    /// The rank of a sample of a set of any size.
    pub fn wide_rank(&self, sample: u64) -> BigUint {
        self.draws.wide_rank(sample)
    }

    /// The placements of samples `range`.
    ///
    /// ```
    /// use shogi_rank::{Sampler, Space};
    /// use shogi_rules::Minishogi;
    /// let space = Space::<Minishogi>::new()?;
    /// let sampler = Sampler::new(&space, 2018);
    /// let in_check = sampler.placements(0..1000).filter(|p| p.in_check(p.side())).count();
    /// assert!((600..900).contains(&in_check));
    /// # Ok::<(), shogi_core::NotClassic>(())
    /// ```
    pub fn placements(&self, range: Range<u64>) -> impl Iterator<Item = Placement<R>> {
        let wide = if self.set.size_u64().is_some() { 0..0 } else { range.clone() };
        Placements { sampler: self, narrow: self.ranks(range), wide }
    }
}

/// The placements of consecutive samples, of which the set is narrow or wide.
struct Placements<'s, 'a, R: RuleTable, S: Ranking<R>> {
    sampler: &'s Sampler<'a, R, S>,
    narrow: Ranks,
    wide: Range<u64>,
}

impl<R: RuleTable, S: Ranking<R>> Iterator for Placements<'_, '_, R, S> {
    type Item = Placement<R>;

    #[inline]
    fn next(&mut self) -> Option<Placement<R>> {
        let Sampler { set, draws, .. } = self.sampler;
        let placement = match self.narrow.next() {
            Some(rank) => set.unrank_u64(rank),
            None => set.unrank(&draws.wide_rank(self.wide.next()?)),
        };
        // Every drawn rank is below the size, so no error ends the samples here.
        placement.ok()
    }
}

/// The ranks of consecutive samples; see [`Sampler::ranks`].
#[derive(Clone, Debug)]
pub struct Ranks {
    stream: ChaCha8Rng,
    size: u64,
    left: u64,
}

impl Iterator for Ranks {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let (low, high) = (u128::from(self.stream.next_u64()), u128::from(self.stream.next_u64()));
        let size = u128::from(self.size);
        Some(((high * size + ((low * size) >> 64)) >> 64) as u64)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}
